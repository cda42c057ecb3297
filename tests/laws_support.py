"""Conversations, presets and a store that fails, for the tests of the laws."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from toolstub_ext import presets
from toolstub_ext.errors import StoreError
from toolstub_ext.policy.history import FOLDED
from toolstub_ext.rewriting import Rewritten
from toolstub_ext.settings import Arguments, Externalize, Settings, load_settings
from toolstub_ext.store import Store
from toolstub_ext.wire import chat

TIGHT = Settings(externalize=Externalize(
    threshold_chars=900, turn_inline_budget_chars=2_000, preview_chars=400, min_preview_chars=200,
    turn_preview_budget_chars=800,
))
"""Limits small enough that random results reach them."""
PRESET_NAMES = [name for name in presets.PRESETS if name != "off"]
SMALL = load_settings(preset="eino", clear={
    "tool_result_token_threshold": 200, "keep_recent_tokens": 300, "step_tokens": 150,
})
AGING = load_settings(compress={"enabled": True, "max_tool_messages": 3, "keep": 1},
                      reclaim={"enabled": True, "max_tokens": 400, "step_tokens": 200})
"""Steps that a short conversation reaches."""
ROUTING = load_settings(route={
    "enabled": True, "register_bytes": 100, "pass_bytes": 700, "truncate_bytes": 4_000, "truncate_to_bytes": 400,
})
"""Routes that all sizes of random results take."""
WINDOW = {"enabled": True, "max_messages": 6, "max_tokens": 200, "keep_recent_messages": 2, "step_tokens": 50}
FOLDING = load_settings(window=WINDOW)
GLIDING = load_settings(preset="gliding-horse", window=WINDOW, compress={"max_tool_messages": 3, "keep": 1},
                        reclaim={"max_tokens": 400, "step_tokens": 200})
"""Windows that a short conversation leaves."""
ABRIDGING = replace(TIGHT, arguments=Arguments(enabled=True, replaced_chars=100, threshold_chars=300))
"""Long texts in calls go as well."""
PRESETS = [TIGHT, SMALL, AGING, ROUTING, FOLDING, GLIDING, ABRIDGING,
           *(load_settings(preset=name) for name in (*PRESET_NAMES, "off"))]
slow = settings(max_examples=40)
characters = st.characters(codec=None, categories=None)
pieces = st.text(characters, min_size=1, max_size=30) | st.sampled_from([
    "INFO 12:00:01 request served\n", '{"id": 1, "tags": ["a", "\\u4e2d"]},', "a,b,c\n1,2,3\n", "- key: value\n", "\n",
    "[toolstub] tool result externalized\nref: ts_0000000000000000\n", "<row><cell>1</cell></row>",
    "def f(x):\n    return x\n",
])
FILE = [f"    line_{number} = compute({number})" for number in range(90)]
files = st.builds(
    lambda start, cut, first: "".join(
        f"{first + number:6}\t{line}\n" for number, line in enumerate([*FILE[start:cut], "changed", *FILE[cut:]])),
    st.sampled_from([0, 10]), st.sampled_from([20, 21, 70, 90]), st.sampled_from([1, 101]))
"""Versions of one file, as it is read again and again."""
results = st.builds(lambda piece, times: piece * times, pieces, st.sampled_from([0, 1, 3, 40, 200, 1_500])) | files
tools = st.sampled_from(["Bash", "Read", "grep", "", "\ud83d", "mcp__db__query"])
arguments = st.sampled_from(["{}", '{"path": "src/app.py"}', '{"command": "sed -n 1,9p a.py"}', "\ud83d", "[",
                             json.dumps({"path": "src/app.py", "content": "\n".join(FILE)}),
                             json.dumps({"path": "a.py", "edits": [{"old_string": "\n".join(FILE[:9]), "n": 1.0}]})])


@st.composite
def turns(draw: st.DrawFn, most: int = 4) -> list[list[dict[str, Any]]]:
    """The turns of a conversation: parallel calls answered in any order, plain answers, and users in between."""
    made: list[list[dict[str, Any]]] = [[
        {"role": draw(st.sampled_from(["system", "user", "developer"])), "content": draw(pieces)},
        {"role": "user", "content": draw(pieces)},
    ]]
    for number in range(draw(st.integers(0, most))):
        calls = [(f"call_{draw(st.integers(0, 3))}_{place}", draw(tools)) for place in range(draw(st.integers(0, 4)))]
        message: dict[str, Any] = {"role": "assistant", "content": draw(pieces | st.none())}
        if calls:
            message["tool_calls"] = [
                {"id": call_id, "type": "function", "function": {"name": tool, "arguments": draw(arguments)}}
                for call_id, tool in calls
            ]
        answers = [{"role": "tool", "tool_call_id": call_id, "content": draw(contents())} for call_id, _ in calls]
        made.append([message, *draw(st.permutations(answers))])
        if number and draw(st.booleans()):
            made[-1].append({"role": "user", "content": draw(pieces)})
    return made


def contents() -> st.SearchStrategy[Any]:
    """The content of a tool message: a text, or parts of which only some are texts."""
    part = st.builds(lambda text: {"type": "text", "text": text}, results)
    image = st.just({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}})
    return results | st.lists(part | image, max_size=3)


def body_of(conversation: list[list[dict[str, Any]]], *, ascii_only: bool = True, **more: Any) -> bytes:
    """The request that carries these turns."""
    request = {"tools": [{"type": "function", "function": {"name": "Bash"}}], **more,
               "messages": [message for turn in conversation for message in turn]}
    return json.dumps(request, ensure_ascii=ascii_only).encode("utf-8", "replace" if ascii_only else "surrogatepass")


def texts_of(body: bytes) -> list[str]:
    """The texts of all tool results, in order."""
    return [result.text for result in chat.read(body.decode()).transcript.results]


def shown(body: bytes, done: Rewritten) -> list[str]:
    """The texts of the results that did not go into a history, in order."""
    gone = [decision.slot for decision in done.decisions if decision.action == FOLDED]
    return [result.text for result in chat.read(body.decode()).transcript.results
            if not any(slot.start <= result.slot.start < slot.end for slot in gone)]


class Failing:
    """A store that fails from the n-th put on, in one of the ways a store may or may not."""

    def __init__(self, store: Store, puts: int, fault: Exception) -> None:
        self._store = store
        self._puts = puts
        self._fault = fault

    def put(self, text: str, **more: Any) -> Any:
        """As the store's, or the fault."""
        self._puts -= 1
        if self._puts < 0:
            raise self._fault
        return self._store.put(text, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


faults = st.sampled_from([
    StoreError("disk full"), RuntimeError("a bug"), MemoryError(), RecursionError(), OSError("io"),
])
