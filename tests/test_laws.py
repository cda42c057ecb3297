"""The laws of rewriting, tried on conversations that nobody would think of. Each test names its law.

1. Nothing is lost.  2. A stub is a pure function.  3. A byte once sent does not change.
4. Untouched bytes stay untouched.  5. Never larger.  6. Never worse than not being there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolstub_ext import hidden_rounds, presets, retrieval
from toolstub_ext.errors import StoreError
from toolstub_ext.policy import make_stub
from toolstub_ext.policy.history import AGED, FOLDED
from toolstub_ext.rewriting import Rewriter, Rewritten, rewrite
from toolstub_ext.settings import Externalize, Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of
from toolstub_ext.synopsis import is_stub
from toolstub_ext.transcript import Slot, literal
from toolstub_ext.wire import chat

DEFINITIONS = retrieval.definitions("chat") + ","
ROOT = Path(__file__).parents[1]

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
PRESETS = [TIGHT, SMALL, AGING, ROUTING, FOLDING, GLIDING,
           *(load_settings(preset=name) for name in (*PRESET_NAMES, "off"))]

slow = settings(deadline=None, max_examples=40,
                suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])

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
                             json.dumps({"path": "src/app.py", "content": "\n".join(FILE)})])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One real store for all examples."""
    with open_store(tmp_path_factory.mktemp("laws") / "store.db") as opened:
        yield opened


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


@slow
@given(turns(), st.sampled_from(PRESETS))
def test_law_1_every_text_that_was_replaced_can_be_read_back(
    store: Store, conversation: list[Any], preset: Settings
) -> None:
    """From the store, by the ref in the stub, to the last code point."""
    body = body_of(conversation)
    done = rewrite(body, store=store, settings=preset)
    for decision in done.decisions:
        assert decision.action != FOLDED or store.read(str(decision.ref), limit=-1).text == done.reading.body[
            decision.slot.start:decision.slot.end]
    one_by_one = [decision for decision in done.decisions if decision.action != FOLDED]
    for before, after, decision in zip(shown(body, done), texts_of(done.body), one_by_one, strict=False):
        if before == after:
            assert decision.action == "kept"
            assert decision.ref is None or store.read(decision.ref, limit=-1).text == before
            continue
        assert is_stub(after) or decision.action != "externalized"
        assert decision.ref is not None
        assert decision.ref in after or decision.action == "compacted"
        assert store.read(decision.ref, limit=-1).text == before


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


@slow
@given(turns(), st.integers(0, 3), faults)
def test_law_1_what_could_not_be_stored_goes_through_untouched(
    store: Store, conversation: list[Any], puts: int, fault: Exception
) -> None:
    """Whenever and however the store fails, a text is itself or can be read back."""
    body = body_of(conversation)
    done = rewrite(body, store=Failing(store, puts, fault), settings=TIGHT)  # type: ignore[arg-type]
    stubs = [(a, b) for a, b in zip(texts_of(done.body), texts_of(body), strict=True) if a != b]
    assert len({original for _, original in stubs}) <= puts
    for stub, original in stubs:
        found = re.findall(r"ref: (ts_[0-9a-f]{16})", stub)
        ref = found[0] if found else ref_of(sha256_of(original))
        assert store.read(ref, limit=-1).text == original


SAMPLES = {
    "json": json.dumps([{"id": n, "name": f"n{n}", "tags": {"b": 1, "a": [2]}} for n in range(900)]),
    "csv": "id,name,city\n" + "".join(f"{n},n{n},c{n % 7}\n" for n in range(2_000)),
    "yaml": "services:\n" + "".join(f"  s{n}:\n    image: i{n}\n" for n in range(900)),
    "xml": "<r>" + "".join(f'<i k="{n}"><j/></i>' for n in range(1_500)) + "</r>",
    "code": "import os\n\n" + "".join(f"def f{n}(x):\n    return x + {n}\n\n" for n in range(800)),
    "log": "".join(f"10:00:{n % 60:02},123 {'ERROR' if n == 777 else 'INFO'} job {n}\n" for n in range(1_200)),
    "diff": "".join(f"--- a/f{n}\n+++ b/f{n}\n@@ -1 +1 @@\n-a\n+b\n" for n in range(700)),
    "binary": "\x00\x01\udc00\ud83d" * 7_000,
    "cjk": "\u4e2d\u6587\u3002\n" * 7_000,
}
STUBS = """
import json, sys
from toolstub_ext.policy import make_stub
from toolstub_ext.policy.history import AGED
samples = json.load(sys.stdin)
for rules in ("default", "openviking"):
    for name in sorted(samples):
        print(json.dumps(make_stub(samples[name], tool=name, budget=1500, reason="r", rules=rules).text))
"""


def test_law_2_a_stub_is_the_same_in_every_process() -> None:
    """Whatever the hash seed, the locale, the time zone, and the optimisation level."""
    here = [
        make_stub(SAMPLES[name], tool=name, budget=1500, reason="r", rules=rules).text
        for rules in ("default", "openviking") for name in sorted(SAMPLES)
    ]
    for seed, locale, zone, flags in (("0", "C", "UTC", []), ("4242", "tr_TR.UTF-8", "Pacific/Apia", ["-O"])):
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        world = {"PYTHONPATH": path, "PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale, "TZ": zone}
        done = subprocess.run([sys.executable, *flags, "-c", STUBS], input=json.dumps(SAMPLES), env=os.environ | world,
                              text=True, capture_output=True, check=True)
        assert [json.loads(line) for line in done.stdout.split("\n")[:-1]] == here


@slow
@given(results, tools, st.integers(0, 3_000), st.sampled_from(["default", "openviking"]))
def test_law_2_a_stub_depends_on_its_arguments_alone(text: str, tool: str, budget: int, rules: Any) -> None:
    """Made twice it is the same, whatever was made in between."""
    first = make_stub(text, tool=tool, budget=budget, reason="r", rules=rules)
    make_stub(text[::-1] + "x", tool=None, budget=500, reason="other", rules="default")
    assert make_stub(text, tool=tool, budget=budget, reason="r", rules=rules) == first


@slow
@given(turns(), turns(), st.sampled_from(PRESETS[:-1]))
def test_law_2_a_result_is_judged_by_its_turn_alone(
    store: Store, one: list[Any], other: list[Any], preset: Settings
) -> None:
    """A conversation goes out the same before and after others went through the same rewriter."""
    rewriter = Rewriter(store, preset)
    first = rewriter.rewrite(body_of(one)).body
    rewriter.rewrite(body_of(other))
    assert rewriter.rewrite(body_of(one)).body == first == rewrite(body_of(one), store=store, settings=preset).body


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, str]:
    """What a gateway remembers of one turn: messages in front, and for a mixed turn our calls and their results."""
    def call(number: int) -> str:
        return json.dumps({"id": f"t{number}", "type": "function", "function": {"name": "toolstub_read"}})

    def reply(number: int) -> str:
        return f'{{"role":"tool","tool_call_id":"t{number}","content":{literal(draw(pieces))}}}'

    before = [f'{{"role": "assistant","tool_calls":[{call(n)}]}},{reply(n)}' for n in range(draw(st.integers(0, 2)))]
    mixed = range(7, 7 + draw(st.integers(0, 2)))
    return {"before": ",".join(before), "calls": ",".join(map(call, mixed)), "results": ",".join(map(reply, mixed))}


@slow
@given(turns(most=5), st.lists(rounds() | st.none(), min_size=6, max_size=6), st.sampled_from(PRESETS), st.uuids())
def test_law_3_a_byte_once_sent_does_not_change(
    store: Store, conversation: list[Any], hidden: list[dict[str, str] | None], preset: Settings, session: Any
) -> None:
    """As a conversation grows, each request begins with the one before it: tools, results, and rounds put back.

    Only what is old may change, when a boundary moves: never back, and by no less than its step.
    """
    rewriter = Rewriter(store, preset)
    sent, cleared = "", set[tuple[Slot, int]]()
    for count in range(1, len(conversation) + 1):
        body = body_of(conversation[:count])
        done = rewriter.rewrite(body, session=str(session))
        assert done.body == rewrite(body, store=store, settings=preset, session=str(session)).body
        slots = [d.slot for d in done.decisions if d.action == FOLDED]
        gone = {(d.slot, d.chars_before) for d in done.decisions if d.action in (*AGED, FOLDED)}
        cleared = {(old, size) for old, size in cleared
                   if not any(slot != old and slot.start <= old.start < slot.end for slot in slots)}
        if gone == cleared:
            assert done.text.startswith(sent)
        else:
            assert gone > cleared
            assert not preset.clear.enabled or 2 * sum(size for _, size in gone - cleared) >= preset.clear.step_tokens
        sent, cleared = done.text[:done.messages_end], gone
        shown = conversation[count][0] if count < len(conversation) else None
        if done.injected and done.reading and shown and (secret := hidden[count]):
            calls = tuple(call["id"] for call in shown.get("tool_calls", ()))
            if not calls:
                secret = {**secret, "calls": "", "results": ""}
            hidden_rounds.remember(store, done.reading, owner="local", session=done.session,
                                   visible_text=shown["content"] or "", visible_calls=calls, **secret)
    assert not rewriter.faults


spaces = st.sampled_from(["", " ", "\n", "\t ", "\r\n"])
scalars = st.sampled_from([
    "1.0", "1e5", "1E+05", "-0", "-0.0", "0.1e-7", "1234567890123456789012345678901234567890", "true", "null",
    r'"\ud83d"', r'"\ud83d\ude00"', r'"\/\u0041\u0000"', '"\u2028\x7f\U0001f600"', '""', "[ ]", "{ }",
])
names = st.sampled_from([
    '"a"', '"a"', '"content"', '"role"', r'"\u0061"', '"messages "', '"unknown"', '"cache_control"', '"x\U0001f600"',
])


def written(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """JSON objects and arrays of `values` as a person with bad habits would write them."""
    member = st.builds("{}{}{}:{}{}{}".format, spaces, names, spaces, spaces, values, spaces)
    return st.lists(member, max_size=3).map(lambda members: "{" + ",".join(members) + "}") | st.lists(
        st.builds("{}{}{}".format, spaces, values, spaces), max_size=3).map(lambda items: "[" + ",".join(items) + "]")


odd = st.recursive(scalars, written, max_leaves=8)


@st.composite
def odd_requests(draw: st.DrawFn, tools_written: st.SearchStrategy[str | None]) -> str:
    """A chat request in odd JSON with nothing large in it."""
    messages = [
        draw(st.builds('{{{}"role":{}"{}","content":{},"extra"{}:{}}}'.format, spaces, spaces,
                       st.sampled_from(["user", "tool", "assistant", "function", "other"]), odd, spaces, odd))
        for _ in range(draw(st.integers(0, 3)))
    ]
    members = [f'"messages":{draw(spaces)}[{",".join(messages)}{draw(spaces)}]', f"{draw(names)} : {draw(odd)}"]
    if (written_tools := draw(tools_written)) is not None:
        members.append(f'"tools"{draw(spaces)}:{draw(spaces)}{written_tools}')
    return "{" + draw(spaces) + ",".join(draw(st.permutations(members))) + "}" + draw(spaces)


@slow
@given(odd_requests(st.sampled_from([None, "[]", "[ ]", "null", "{}", "[1]"])), st.sampled_from(PRESETS))
def test_law_4_a_request_without_tools_leaves_byte_for_byte(store: Store, text: str, preset: Settings) -> None:
    """It is the very same object."""
    body = text.encode()
    done = rewrite(body, store=store, settings=preset)
    assert done.body is body
    assert done.reading is not None


@slow
@given(odd_requests(st.sampled_from(["[{}]", '[ {"function":{"name":"a"},"x":1e5} ,{"b":1.0}]'])),
       st.sampled_from(PRESETS[:-1]))
def test_law_4_with_nothing_large_only_our_definitions_are_added(store: Store, text: str, preset: Settings) -> None:
    """Take them out and it is what the client sent: key order, whitespace, numbers, escapes, duplicate keys."""
    body = text.encode()
    done = rewrite(body, store=store, settings=preset)
    assert done.injected == retrieval.NAMES
    assert done.body.replace(DEFINITIONS.encode(), b"", 1) == body


@slow
@given(turns(), st.booleans())
def test_law_4_around_a_stub_every_byte_stays(store: Store, conversation: list[Any], ascii_only: bool) -> None:
    """Put each original's literal back in place of its stub, and it is what the client sent."""
    conversation = json.loads(json.dumps(conversation).replace("\\ud", "\\uc"))
    body = body_of(conversation, ascii_only=ascii_only, odd=[1.0, 1e5, 10**40])
    done = rewrite(body, store=store, settings=TIGHT)
    client, provider = chat.read(body.decode()), chat.read(done.body.decode())
    text = done.text
    for before, after in reversed([*zip(client.transcript.results, provider.transcript.results, strict=True)]):
        theirs = client.body[before.slot.start:before.slot.end]
        if before.text == after.text:
            assert text[after.slot.start:after.slot.end] == theirs
        text = text[:after.slot.start] + theirs + text[after.slot.end:]
    assert text.replace(DEFINITIONS, "", 1) == client.body


@slow
@given(turns(), st.booleans(), st.sampled_from(PRESETS), st.sampled_from(["always", "when_stubbed"]),
       st.sampled_from(["preserve_raw", "preview_only"]), st.integers(0, 3))
def test_law_5_a_request_grows_by_our_definitions_at_most(
    store: Store, conversation: list[Any], ascii_only: bool, preset: Settings, inject: Any, mode: Any, puts: int
) -> None:
    """In bytes, however the client writes its texts and whether or not the store works."""
    chosen = replace(preset, inject=inject, externalize=replace(preset.externalize, failure_mode=mode))
    conversation = json.loads(json.dumps(conversation).replace("\\ud", "\\uc"))
    body = body_of(conversation, ascii_only=ascii_only)
    done = rewrite(body, store=Failing(store, puts, StoreError("full")), settings=chosen)  # type: ignore[arg-type]
    assert len(done.body) <= len(body) + len(DEFINITIONS.encode())
    for before, after in zip(shown(body, done), texts_of(done.body), strict=True):
        assert before == after or len(after) < len(before)


def test_law_5_our_definitions_are_small() -> None:
    """2,000 bytes together, and the same in every request."""
    assert len(retrieval.definitions("chat").encode()) <= 2_000
    assert retrieval.definitions("chat") == DEFINITIONS[:-1]


@slow
@given(st.binary() | turns().map(body_of).flatmap(
    lambda body: st.integers(0, len(body)).map(lambda cut: body[:cut])), st.sampled_from(PRESETS))
def test_law_6_what_is_no_request_goes_as_it_came(store: Store, body: bytes, preset: Settings) -> None:
    """Random bytes, and requests that were cut off: no fault, and no change."""
    rewriter = Rewriter(store, preset)
    done = rewriter.rewrite(body)
    assert not rewriter.faults
    assert done.body is body or done.injected


@slow
@given(turns(), faults)
def test_law_6_a_fault_of_ours_forwards_the_original(
    store: Store, monkeypatch: pytest.MonkeyPatch, conversation: list[Any], fault: Exception
) -> None:
    """A synopsis that raises, a store that raises: the client's bytes, and a count of it."""
    body = body_of(conversation)
    would_change = rewrite(body, store=store, settings=TIGHT).decisions
    described = any(decision.action == "externalized" for decision in would_change)
    stored = any(decision.action != "kept" for decision in would_change)

    def broken(*_: object, **__: object) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr("toolstub_ext.rewriting.memory.synopsize", broken)
        rewriter = Rewriter(store, TIGHT)
        done = rewriter.rewrite(body)
        assert not described or (done.body is body and sum(rewriter.faults.values()) == 1)
    rewriter = Rewriter(Failing(store, 0, fault), TIGHT)  # type: ignore[arg-type]
    done = rewriter.rewrite(body)
    assert texts_of(done.body) == texts_of(body)
    assert sum(rewriter.faults.values()) == int(stored)
