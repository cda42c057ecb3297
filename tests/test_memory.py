"""What is remembered between requests: bounded, and never different from what would be made anew."""

from __future__ import annotations

import json
import sys
import tracemalloc

import pytest

from toolstub_ext.hidden_rounds import Keys
from toolstub_ext.policy import History, make_stub
from toolstub_ext.rewriting.memory import StubMemory, SynopsisMemory
from toolstub_ext.rewriting.past import Decided, Past, PastMemory
from toolstub_ext.rewriting.pieces import Pieces
from toolstub_ext.rewriting.storing import Sightings
from toolstub_ext.synopsis import render, synopsize
from toolstub_ext.transcript import Transcript
from toolstub_ext.wire import chat

LINES = "".join(f"line {number}\n" for number in range(4_000))


def stub_of(memory: StubMemory, text: str, budget: int = 1000) -> str:
    """The text of the stub that a memory answers with."""
    return memory(text, tool="Bash", budget=budget, reason="r", rules="default").text


def test_a_remembered_stub_is_the_stub() -> None:
    """Made once, then handed out; another budget is another stub."""
    memory = StubMemory(1_000_000)
    made = memory(LINES, tool="Bash", budget=1000, reason="r", rules="default")
    assert made == make_stub(LINES, tool="Bash", budget=1000, reason="r", rules="default")
    assert memory(LINES, tool="Bash", budget=1000, reason="r", rules="default") is made
    assert memory(LINES, tool="Read", budget=1000, reason="r", rules="default") is not made


def test_a_memory_keeps_what_was_used_last() -> None:
    """The bytes it may take are few: what was not asked for the longest is made anew."""
    texts = [LINES + str(number) for number in range(4)]
    one = make_stub(texts[0], tool=None, budget=1000, reason="r", rules="default")
    memory = StubMemory(most_bytes=3 * (sys.getsizeof(one.text) + sys.getsizeof(one.literal) + 600))
    first = memory(texts[0], tool=None, budget=1000, reason="r", rules="default")
    for text in texts[1:]:
        assert memory(texts[0], tool=None, budget=1000, reason="r", rules="default") is first
        memory(text, tool=None, budget=1000, reason="r", rules="default")
    for text in texts[1:]:
        memory(text, tool=None, budget=1000, reason="r", rules="default")
    assert memory(texts[0], tool=None, budget=1000, reason="r", rules="default") is not first


def test_a_memory_too_small_for_one_stub_still_answers() -> None:
    """It remembers nothing then."""
    memory = StubMemory(most_bytes=1)
    assert stub_of(memory, LINES) == stub_of(memory, LINES)


def test_synopses_take_no_more_memory_than_they_may() -> None:
    """Whatever was found on the way to one goes: lines and cells take many times what a synopsis does."""
    most = 1_000_000
    memory = SynopsisMemory(most)
    table = "".join(f"{number},{number % 7},x\n" for number in range(12_000))
    memory(table, tool=None, budget=1000, rules="default")
    tracemalloc.start()
    try:
        for number in range(40):
            memory(f"{number},0,y\n{table}", tool=None, budget=1000, rules="default")
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < most


@pytest.mark.parametrize("text", [LINES, "# One\n\nwords\n\n# Two\n\n" + LINES, "def f():\n    pass\n\n" * 900])
def test_a_remembered_synopsis_shows_the_same_stub(text: str) -> None:
    """It has what a stub shows."""
    memory, whole = SynopsisMemory(1_000_000), synopsize(text, budget=1000)
    for _ in range(2):
        known = memory(text, tool=None, budget=1000, rules="default")
        assert render(known, sha256="0" * 64, ref="ts_0") == render(whole, sha256="0" * 64, ref="ts_0")


def test_a_sighting_is_due_again_after_a_while() -> None:
    """So that an original that is sent again and again does not look unused."""
    now = [0.0]
    sightings = Sightings(again_after=60, clock=lambda: now[0])
    assert sightings.is_due("owner", "sha")
    sightings.note("owner", "sha")
    assert not sightings.is_due("owner", "sha")
    assert sightings.is_due("other", "sha")
    now[0] = 60
    assert sightings.is_due("owner", "sha")


def test_of_too_many_sightings_the_oldest_are_forgotten() -> None:
    """They are stored again, which costs little."""
    sightings = Sightings(again_after=60, most=2)
    for name in ("a", "b", "a", "c"):
        sightings.note(name)
    assert [sightings.is_due(name) for name in ("a", "b", "c")] == [False, True, False]


def conversation(turns: int, text: str = "hi") -> str:
    """The body of a conversation of so many turns."""
    turn = [{"role": "assistant", "content": "so"}, {"role": "user", "content": "and?"}]
    return json.dumps({"messages": [{"role": "user", "content": text}, *turn * turns]})


def past(turns: int, text: str = "hi") -> Past:
    """What is remembered of it: all but its last two turns."""
    beginning = chat.read(conversation(turns + 1, text)).beginning
    assert beginning is not None
    body = Pieces((memoryview(conversation(turns + 1, text).encode())[:beginning.end.bytes],))
    return Past("chat", body, b"", beginning, Decided(), Transcript(()), None, History(), Keys(), 0)


def test_a_longer_body_finds_the_longest_past_it_begins_with() -> None:
    """And no past of another conversation, or of another wire format."""
    memory = PastMemory(10**6)
    short, longer = past(2), past(3)
    for one in (longer, past(3, "ho"), short):
        memory.note(one, None)
    assert memory.find("chat", conversation(5).encode()) is longer
    assert memory.find("chat", conversation(1).encode()) is short
    assert memory.find("messages", conversation(5).encode()) is None
    assert memory.find("chat", conversation(5, "hey").encode()) is None


def test_a_past_takes_the_place_of_the_one_it_continues() -> None:
    """So one conversation is remembered once."""
    memory = PastMemory(10**6, most=2)
    first, second, other = past(2), past(3), past(2, "ho")
    memory.note(other, None)
    memory.note(first, None)
    memory.note(second, first)
    assert memory.find("chat", conversation(1).encode()) is None
    assert memory.find("chat", conversation(3).encode()) is second
    assert memory.find("chat", conversation(2, "ho").encode()) is other


def test_pasts_are_bounded_in_number_and_in_bytes() -> None:
    """The oldest go first; one that is too large by itself is not kept."""
    pasts = {text: past(2, text) for text in ("a", "b", "c")}
    for memory in (PastMemory(10**6, most=2), PastMemory(2 * pasts["a"].bytes)):
        for one in pasts.values():
            memory.note(one, None)
        assert [memory.find("chat", conversation(2, text).encode()) for text in pasts] == [None, pasts["b"], pasts["c"]]
    memory = PastMemory(10)
    memory.note(pasts["a"], None)
    assert memory.find("chat", conversation(2, "a").encode()) is None
