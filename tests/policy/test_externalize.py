"""externalize: which results become stubs by OpenViking's rules, by which budget, and the reason given for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.policy import Stub, decide, externalize
from toolstub_ext.settings import Dedupe, Externalize, Settings, ToolRule
from toolstub_ext.store import ref_of, sha256_of
from toolstub_ext.synopsis import HEADER_TOOL, is_stub
from toolstub_ext.transcript import Slot, ToolResult, Transcript, literal

STUB_CHARS = 500
ONE_FOR_ALL = Settings(externalize=Externalize(threshold_chars=20_000))
"""One threshold for every kind of result."""


def results(*sizes: int, turn: int = 0, tool: str = "Bash", **more: Any) -> tuple[ToolResult, ...]:
    """Results of these sizes, one after another in one turn."""
    return tuple(
        ToolResult(Slot(("messages", place, "content"), place, place + 1), "x" * size, tool, f"c{place}", "", turn, 1,
                   **more)
        for place, size in enumerate(sizes)
    )


def flat(text: str, *, tool: str | None, budget: int, reason: str, rules: str, stored: bool = True) -> Stub:
    """A stub of a known size that shows the budget it was given."""
    sha256 = sha256_of(text)
    shown = f"{budget} {reason}".ljust(STUB_CHARS)
    return Stub(shown, literal(shown), sha256, ref_of(sha256), "text")


def judged(given_results: tuple[ToolResult, ...], settings: Settings | None = None) -> list[tuple[int, str]]:
    """Place and reason of what became a stub."""
    done = externalize(Transcript(given_results), settings or ONE_FOR_ALL, stubs=flat)
    return [(given_results.index(change.result), change.decision.reason) for change in done.changes]


@pytest.mark.parametrize(("size", "chosen"), [(19_999, False), (20_000, False), (20_001, True)])
def test_openviking_a_result_above_the_threshold_becomes_a_stub(size: int, chosen: bool) -> None:
    """One of exactly the threshold stays."""
    assert bool(judged(results(size))) is chosen


def test_each_result_is_explained() -> None:
    """Whether it was touched or not, with sizes as a person reads them."""
    done = externalize(Transcript(results(31_204, 1_204)), ONE_FOR_ALL, stubs=flat)
    explained = [(d.action, d.reason, d.chars_before, d.chars_after) for d in (
        done.changes[0].decision, *done.decisions)]
    assert explained == [
        ("externalized", "31,204 > 20,000 chars", 31_204, STUB_CHARS),
        ("kept", "1,204 <= 20,000 chars", 1_204, 1_204),
    ]


@pytest.mark.parametrize(("sizes", "chosen"), [
    ((20_000,) * 4 + (19_999,), []),
    ((20_000,) * 5, [0]),
    ((10_000, 20_000, 20_000, 15_000, 20_000, 15_000), [1]),
    ((20_000,) * 6, [0, 1]),
    ((19_000, 20_000, 19_500, 20_000, 19_000, 19_999), [1]),
    ((19_000, 20_000, 19_500, 20_000, 19_000, 19_999, 10_000, 10_000), [1, 3]),
    ((150_000, 19_000), [0]),
    ((150_000, *(19_000,) * 5), [0]),
    ((150_000, *(19_900,) * 5), [0, 1]),
])
def test_openviking_the_largest_of_a_long_turn_become_stubs(sizes: tuple[int, ...], chosen: list[int]) -> None:
    """Until less than 100,000 characters are shown; the earlier of two equals goes first; stubs count as they are."""
    assert [place for place, _ in judged(results(*sizes))] == chosen


def test_openviking_turns_are_judged_each_for_itself() -> None:
    """Two turns of 60,000 are not one of 120,000."""
    both = results(20_000, 20_000, 20_000) + results(20_000, 20_000, 20_000, turn=1)
    assert decide(Transcript(both), replace(ONE_FOR_ALL, dedupe=Dedupe(enabled=False)), stubs=flat).changes == ()


@pytest.mark.parametrize(("selected", "budget"), [
    (1, 2000), (5, 2000), (6, 1666), (7, 1428), (8, 1250), (9, 1111), (10, 1000), (40, 1000),
])
def test_openviking_the_stubs_of_a_turn_share_its_preview_budget(selected: int, budget: int) -> None:
    """Never more than 2,000 each and never less than 1,000."""
    done = externalize(Transcript(results(*(30_000,) * selected)), ONE_FOR_ALL, stubs=flat)
    assert {change.budget for change in done.changes} == {budget}
    assert all(change.text.startswith(f"{budget} over 20,000 chars") for change in done.changes)


def test_openviking_what_lowers_no_total_is_not_chosen() -> None:
    """Many small results: the turn stays too long, and none of them is replaced by something larger."""
    assert judged(results(*(STUB_CHARS,) * 300)) == []


@pytest.mark.parametrize(("settings", "result", "reason"), [
    (replace(ONE_FOR_ALL, exclude_tools=("Bash",)), results(30_000), "tool excluded"),
    (replace(ONE_FOR_ALL, exclude_tools=("B*",)), results(30_000), "tool excluded"),
    (replace(ONE_FOR_ALL, tools={"Bash": ToolRule(exclude=True)}), results(30_000), "tool excluded"),
    (Settings(tools={"Bash": ToolRule(threshold_chars=60_000)}), results(30_000), "30,000 <= 60,000 chars"),
    (ONE_FOR_ALL, results(30_000, exempt="own reply"), "own reply"),
    (Settings(externalize=Externalize(threshold_chars=10)), results(20), "stub would not be smaller"),
])
def test_what_is_left_alone_says_why(settings: Settings, result: tuple[ToolResult, ...], reason: str) -> None:
    """The reason names the rule that kept it."""
    done = externalize(Transcript(result), settings, stubs=flat)
    assert [(d.action, d.reason) for d in done.decisions] == [("kept", reason)]
    assert not done.changes


def test_a_rule_by_name_goes_before_a_pattern_and_a_pattern_before_a_later_one() -> None:
    """The most exact wins, then the first."""
    settings = Settings(tools={
        "get_*": ToolRule(threshold_chars=30),
        "g*": ToolRule(exclude=True),
        "get_page": ToolRule(threshold_chars=5_000),
    })
    assert [bool(judged(results(4_000, tool=tool), settings)) for tool in ("get_page", "get_x", "grep", "Get_x")] == [
        False, True, False, False,
    ]


@pytest.mark.parametrize("exempt", [
    {"exempt": "own reply"},
    {"tool": "Excluded"},
])
def test_openviking_what_may_not_be_touched_counts_all_the_same(exempt: dict[str, Any]) -> None:
    """An exempt result of 90,000 leaves 10,000 for the rest of its turn."""
    untouchable = results(90_000, **exempt)
    free = results(9_000, 9_500)
    settings = replace(ONE_FOR_ALL, exclude_tools=("Excluded",))
    assert [place - 1 for place, _ in judged(untouchable + free, settings)] == [1]


def test_a_stub_is_never_stubbed() -> None:
    """Not even where everything else is; what only begins like one is no stub."""
    settings = Settings(externalize=Externalize(threshold_chars=0))
    real = externalize(Transcript(results(30_000)), ONE_FOR_ALL).changes[0].text
    assert is_stub(real)
    stub, fake = results(0, 0)
    stub = ToolResult(stub.slot, real, "Read", "c", "", 0, 1)
    fake = ToolResult(fake.slot, HEADER_TOOL + "\n" + "x" * 30_000, "Read", "c", "", 0, 1)
    done = externalize(Transcript((stub, fake)), settings)
    assert [(d.reason, d.chars_before) for d in done.decisions] == [("already a stub", len(real))]
    assert [change.result for change in done.changes] == [fake]


def test_switched_off_it_says_nothing() -> None:
    """No change and no explanation."""
    transcript = Transcript(results(30_000))
    assert externalize(transcript, Settings(externalize=Externalize(enabled=False))) is transcript


sizes = st.lists(st.integers(0, 40_000), max_size=12)


@given(sizes, st.integers(0, 30_000), st.integers(0, 150_000))
def test_a_turn_shows_less_than_its_budget_or_nothing_more_can_be_gained(
    given_sizes: list[int], threshold: int, limit: int
) -> None:
    """Whatever the numbers: every stub is smaller, and what is still shown is short or not worth a stub."""
    settings = Settings(externalize=Externalize(threshold_chars=threshold, turn_inline_budget_chars=limit))
    transcript = Transcript(results(*given_sizes))
    done = externalize(transcript, settings, stubs=flat)
    assert len(done.changes) + len(done.decisions) == len(given_sizes)
    assert all(len(change.text) < len(change.result.text) for change in done.changes)
    changed = {change.result.slot for change in done.changes}
    left = [len(result.text) for result in transcript.results if result.slot not in changed]
    assert sum(left) + STUB_CHARS * len(changed) < max(limit, 1) or all(size <= STUB_CHARS for size in left)
