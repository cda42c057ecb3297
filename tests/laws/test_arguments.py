"""Laws 1, 4 and 5 for what is left out of calls: it can be read back, nothing else differs, and it is shorter.

Law 3 is in `test_prefix`, and in every wire format in `tests/wire/test_laws`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laws_support import ABRIDGING, Failing, arguments, body_of, faults, results, slow, turns

from toolstub_ext import retrieval
from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import Compact, Dedupe, Externalize
from toolstub_ext.store import Store
from toolstub_ext.wire import Edit, splice

ALONE = replace(ABRIDGING, externalize=Externalize(enabled=False), dedupe=Dedupe(enabled=False),
                compact=Compact(enabled=False))
DEFINITIONS = retrieval.definitions("chat") + ","
names = st.sampled_from(["old_string", "content", "path", "\ud83d", ""])
values = st.recursive(results | st.sampled_from([1e5, 10**40, True, None]),
                      lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2))
written = arguments | st.builds(
    lambda given, ascii_only, indent: json.dumps(given, ensure_ascii=ascii_only, indent=indent),
    st.dictionaries(names, values, max_size=3), st.booleans(), st.sampled_from([None, 1]))


@st.composite
def conversations(draw: st.DrawFn) -> list[Any]:
    """Conversations in which calls hand over all that calls may."""
    told = draw(turns(most=3))
    for call in (call for turn in told for call in turn[0].get("tool_calls", ())):
        call["function"]["arguments"] = draw(written)
    return told


@slow
@given(conversations(), st.booleans(), st.integers(0, 3) | st.none(), faults)
def test_laws_1_4_and_5_hold_for_what_is_left_out_of_calls(
    store: Store, conversation: list[Any], ascii_only: bool, puts: int | None, fault: Exception
) -> None:
    """With a store that works and with one that fails: the client's body with the texts put elsewhere, no more."""
    conversation = json.loads(json.dumps(conversation).replace("\\ud", "\\uc"))
    body = body_of(conversation, ascii_only=ascii_only)
    failing: Any = store if puts is None else Failing(store, puts, fault)
    done = rewrite(body, store=failing, settings=ALONE)
    gone = [decision for decision in done.decisions if decision.action != "kept"]
    assert puts is None or len({decision.ref for decision in gone}) <= puts
    edits, before = [], json.loads(body)
    for decision in gone:
        assert decision.action == "abridged"
        path, behind = decision.slot.path, decision.slot.path.index("arguments") + 1
        text = store.read(str(decision.ref), limit=-1).text
        assert _at(json.loads(_at(before, path[:behind])), path[behind:]) == text
        said = f"[toolstub] {len(text):,} characters left out; toolstub_read {decision.ref}"
        assert len(said) == decision.chars_after < len(text) == decision.chars_before
        edits.append(Edit(decision.slot.start, decision.slot.end, said))
    if done.injected:
        assert done.text.replace(DEFINITIONS, "", 1) == splice(body.decode(), edits)
        assert len(done.body) <= len(body) + len(DEFINITIONS.encode())
    else:
        assert done.body is body
    for call, other in zip(_calls(before), _calls(json.loads(done.body)), strict=True):
        assert _shape(call) == _shape(other)


def _at(whole: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        whole = whole[step]
    return whole


def _calls(body: Any) -> list[str]:
    return [call["function"]["arguments"] for message in body["messages"] for call in message.get("tool_calls", ())]


def _shape(written: str) -> Any:
    """The arguments without their longer texts; what is no JSON as it is."""
    try:
        return _short(json.loads(written))
    except ValueError:
        return written


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_short(each) for each in value]
    return "..." if isinstance(value, str) and (len(value) > 100 or value.startswith("[toolstub] ")) else value
