"""What is remembered between requests: bounded, and never different from what would be made anew."""

from __future__ import annotations

from toolstub_ext.policy import make_stub
from toolstub_ext.rewriting.memory import StubMemory
from toolstub_ext.rewriting.storing import Sightings

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
    memory = StubMemory(most_bytes=3 * (4 * len(stub_of(StubMemory(10**6), texts[0])) + 600))
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
