"""route: Gliding Horse's first layer by its rules, and what is different here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.errors import StoreError
from toolstub_ext.policy import decide
from toolstub_ext.policy.route import route
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of
from toolstub_ext.store.base import encode
from toolstub_ext.synopsis import is_stub
from toolstub_ext.transcript import Change, Decision, shown

from .conversations import conversation, numbered, result

STAGES_OFF = {stage: {"enabled": False} for stage in ("dedupe", "externalize", "compact")}
ROUTE = load_settings(route={"enabled": True}, **STAGES_OFF)
SMALL = load_settings(route={"enabled": True, "register_bytes": 0, "pass_bytes": 1, "truncate_bytes": 10**9,
                             "truncate_to_bytes": 300}, **STAGES_OFF)
LINES = "".join(f"line {number} of the output\n" for number in range(800))
TOOL = {"type": "function", "function": {"name": "Bash"}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def outcome(text: str, settings: Settings = ROUTE, **call: Any) -> tuple[Decision, str]:
    """What becomes of one result, and the text that is sent."""
    (only,) = (turn := route(conversation(result(text, **call)), settings)).results
    (decision,) = (*turn.decisions, *(change.decision for change in turn.changes))
    return decision, shown(only, turn.outcomes[0])


def body(*texts: str) -> bytes:
    """A request with one result in each turn, written with escapes that nobody else would write."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number, text in enumerate(texts):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "Bash", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
    return json.dumps({"tools": [TOOL], "messages": messages}).replace("s", "\\u0073").encode()


@pytest.mark.parametrize(("text", "call", "action", "reason"), [
    ("a line of a file\n" * 1_000, {"path": "a.txt", "limit": 9}, "kept", "a file of 1,000 lines; stored"),
    ("a line of a file\n" * 1_001, {"path": "a.txt"}, "truncated", "17,017 bytes, up to 32,768"),
    ("x" * 32_768, {"path": "a.txt"}, "kept", "a file of 1 line; stored"),
    ("x" * 32_769, {"path": "a.txt"}, "externalized", "32,769 > 32,768 bytes"),
    ("a line of a file\n" * 1_000, {"path": "a.txt", "content": "what was written"}, "truncated",
     "17,000 bytes, up to 32,768"),
    ("a line of a file\n" * 1_000, {"command": "make"}, "truncated", "17,000 bytes, up to 32,768"),
])
def test_gliding_horse_passes_a_file_by_its_lines(text: str, call: dict[str, str], action: str, reason: str) -> None:
    """What was read of a file, not what was written into one, and not what a program printed."""
    decision, _ = outcome(text, **call)
    assert (decision.action, decision.reason) == (action, reason)


@pytest.mark.parametrize(("size", "action", "stored", "reason"), [
    (3_072, "kept", False, "3,072 < 16,384 bytes"),
    (3_073, "kept", True, "3,073 < 16,384 bytes; stored"),
    (16_383, "kept", True, "16,383 < 16,384 bytes; stored"),
    (16_384, "truncated", True, "16,384 bytes, up to 32,768"),
    (32_768, "truncated", True, "32,768 bytes, up to 32,768"),
    (32_769, "externalized", True, "32,769 > 32,768 bytes"),
])
def test_gliding_horse_the_size_says_which_way_a_result_takes(
    size: int, action: str, stored: bool, reason: str
) -> None:
    """Below 16 KiB it passes, above 3 KiB stored; up to 32 KiB it is truncated; beyond, summarized."""
    decision, _ = outcome("x" * size)
    assert (decision.action, decision.ref is not None, decision.reason) == (action, stored, reason)


def test_gliding_horse_sizes_are_bytes() -> None:
    """In UTF-8, where a Chinese character has three."""
    assert outcome("\u4e2d" * 5_461)[0].action == "kept"
    assert outcome("\u4e2d" * 5_462)[0].action == "truncated"


def test_gliding_horse_head_and_tail_are_left() -> None:
    """Whole lines of both, and between them where the rest is."""
    decision, text = outcome(LINES, command="cat src/app.py")
    head, gap, tail = text.partition("[... left out: ")
    first, _, head = head.partition("\n")
    ref = ref_of(sha256_of(LINES))
    assert decision.ref == ref
    assert first == (f"[toolstub] Bash(cat src/app.py): {len(LINES):,} characters, of which the first "
                     f"{len(head) - 1:,} and the last {len(tail.partition(chr(10))[2]):,} stand here. ref: {ref}")
    assert head.endswith("of the output\n\n")
    assert tail.partition("\n")[2].startswith("line ")
    assert gap
    assert 1_900 < len(head) + len(tail) < 2_148


def test_gliding_horse_fault_what_is_left_out_can_be_read(store: Store) -> None:
    """There the read came back through the same cut. Here the place in the middle names all that is missing."""
    _, text = outcome(LINES)
    store.put(LINES, owner="local", session="s", tool="Bash", call_id="c", kind=None)
    head, _, rest = text.partition("\n")[2].partition("\n[... left out: toolstub_read ")
    place, _, tail = rest.partition("]\n")
    ref, _, offset, _, limit = place.split(" ")
    assert head + store.read(ref, offset=int(offset), limit=int(limit)).text + tail == LINES


@given(st.text(st.characters(codec=None, categories=None), min_size=1, max_size=40), st.integers(1, 300))
def test_head_and_tail_are_of_the_text_and_never_too_much(piece: str, times: int) -> None:
    """Whatever the characters are, lone surrogates too: at most `truncate_to_bytes`, and nothing twice."""
    text = piece * times
    decision, shown = outcome(text, SMALL)
    if decision.action == "kept":
        assert shown == text
        return
    counts = shown.partition(" characters, of which the first ")[2].partition(" stand here")[0]
    first, last = (int(count.replace(",", "")) for count in counts.split(" and the last "))
    head, tail = text[:first], text[len(text) - last:]
    assert first + last < len(text)
    assert len(encode(head)) <= 150
    assert len(encode(tail)) <= 150
    assert shown.endswith("]\n" + tail)
    assert f"\n{head}\n[... left out" in shown


def test_gliding_horse_what_is_larger_becomes_a_summary() -> None:
    """A stub with 500 characters of sections, of the same form as any other."""
    decision, text = outcome(LINES * 2)
    assert is_stub(text)
    assert decision.ref is not None
    assert decision.ref in text
    assert len(text) < 1_200


@pytest.mark.parametrize(("text", "call", "settings", "reason"), [
    ("x" * 40_000, {"exempt": "own reply"}, ROUTE, "own reply"),
    ("x" * 40_000, {"tool": "get_status"}, replace(ROUTE, exclude_tools=("get_*",)), "tool excluded"),
    ("x" * 300, {}, SMALL, "would not be smaller; stored"),
])
def test_what_stays_is_explained(text: str, call: dict[str, Any], settings: Settings, reason: str) -> None:
    """What may not be touched, and what would not get shorter. The first is not stored either."""
    decision, shown = outcome(text, settings, **call)
    assert (decision.action, decision.reason, shown) == ("kept", reason, text)
    assert (decision.ref is None) is not reason.endswith("stored")


def test_a_stub_stays() -> None:
    """Even where the routes would truncate it."""
    stub = outcome(LINES * 2)[1]
    assert outcome(stub, SMALL)[0].reason == "already a stub"


def test_a_tool_with_a_threshold_of_its_own_passes_up_to_that() -> None:
    """In characters, as everywhere; above it the size decides between the other two."""
    settings = load_settings(route={"enabled": True}, tools={"Read": {"threshold_chars": 60_000},
                                                             "ls": {"threshold_chars": 50}}, **STAGES_OFF)
    assert outcome("x" * 60_000, settings, tool="Read")[0].reason == "60,000 <= 60,000 chars; stored"
    assert outcome("x" * 60_001, settings, tool="Read")[0].action == "externalized"
    assert outcome("x" * 9_000, settings, tool="ls")[0].action == "truncated"


def test_route_judges_in_place_of_externalize() -> None:
    """With both on: what passes is not measured a second time, nor does it count towards a turn."""
    settings = load_settings(route={"enabled": True}, externalize={"turn_inline_budget_chars": 10})
    turn = decide(conversation(*(result(str(place) * 9_000, place=place) for place in range(3))), settings)
    assert [change.decision.reason for change in turn.changes] == ["9,000 < 16,384 bytes; stored"] * 3


def test_what_passes_is_still_compacted_and_pointed_at() -> None:
    """A stored result is one the model sees whole."""
    text = numbered([f"value_{number} = {number}" for number in range(400)])
    settings = load_settings(route={"enabled": True})
    turn = decide(conversation(result(text), result(text, turn=1, requests=2)), settings)
    assert [change.decision.action for change in turn.changes] == ["compacted", "repeated"]
    assert turn.changes[0].decision.reason.startswith(f"{len(text):,} < 16,384 bytes; stored; line numbers")


def test_gliding_horse_what_passes_is_stored_and_sent_byte_for_byte(store: Store) -> None:
    """Pre-registered: under its ref before anything is taken away. No tool is added for it, and no byte to it."""
    settings = replace(ROUTE, inject="when_stubbed")
    sent = body("x" * 3_000, "y" * 5_000)
    done = rewrite(sent, store=store, settings=settings)
    assert done.body is sent
    assert [decision.ref for decision in done.decisions] == [None, ref_of(sha256_of("y" * 5_000))]
    assert store.read(ref_of(sha256_of("y" * 5_000)), limit=-1).text == "y" * 5_000


def test_what_passed_stored_becomes_a_reference_under_pressure(store: Store) -> None:
    """Gliding Horse's two phases."""
    settings = load_settings(route={"enabled": True}, reclaim={"enabled": True, "max_tokens": 100, "step_tokens": 0},
                             **STAGES_OFF)
    done = rewrite(body("y" * 5_000, "z"), store=store, settings=settings)
    assert [decision.action for decision in done.decisions] == ["reclaimed", "kept"]
    assert store.read(ref_of(sha256_of("y" * 5_000)), limit=-1).text == "y" * 5_000


class Full:
    """A store that takes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, text: str, **more: Any) -> Any:
        """The fault."""
        raise StoreError("disk full")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_what_cannot_be_stored_goes_as_it_came(store: Store) -> None:
    """On every route; and nothing says that there is a ref."""
    done = Rewriter(Full(store), ROUTE).rewrite(body("y" * 5_000, LINES, LINES * 2))  # type: ignore[arg-type]
    assert [(decision.action, decision.ref) for decision in done.decisions] == [("kept", None)] * 3
    assert [result.text for result in done.reading.transcript.results] == [  # type: ignore[union-attr]
        message["content"] for message in json.loads(done.body)["messages"] if message["role"] == "tool"]


def test_a_change_that_replaces_nothing_says_so() -> None:
    """It stores, and has no literal to write."""
    (change,) = route(conversation(result("y" * 5_000)), ROUTE).changes
    assert isinstance(change, Change)
    assert not change.replaces
    assert (change.text, change.literal) == (change.result.text, "")
