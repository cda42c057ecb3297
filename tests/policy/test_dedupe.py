"""dedupe: what stands above already is pointed at, and nothing that does not is hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolstub_ext.policy import History, decide
from toolstub_ext.settings import Compact, Dedupe, Settings
from toolstub_ext.store import ref_of, sha256_of
from toolstub_ext.transcript import ToolResult, Transcript, shown

from .conversations import code, conversation, numbered, result

FILE = code(40)
READ = numbered(FILE)
PLAIN = Settings(compact=Compact(enabled=False))
LARGE = "".join(f"2026-01-01 10:00:00 INFO job {n} is done\n" for n in range(400))


def decided(*results: ToolResult, settings: Settings | None = None) -> list[tuple[str, str]]:
    """Action and reason for each, in order."""
    done = decide(conversation(*results), settings or PLAIN)
    every = [*done.decisions, *(change.decision for change in done.changes)]
    return [(each.action, each.reason) for each in sorted(every, key=lambda each: each.slot.start)]


def texts(*results: ToolResult) -> list[str]:
    """What is sent for each."""
    return [shown(*pair) for pair in decide(conversation(*results), PLAIN).pairs]


def reads(*texts_read: str, tool: str = "Read", **arguments: Any) -> list[ToolResult]:
    """The same call again and again, each in a turn of its own, with these results."""
    arguments = arguments or {"path": "src/app.py"}
    return [result(text, tool, turn, **arguments) for turn, text in enumerate(texts_read)]


def test_the_same_result_again_becomes_a_pointer() -> None:
    """It names the call, the line it begins with, how long it is, and where it is kept."""
    whole, pointer = texts(*reads(READ, READ))
    assert whole == READ
    assert pointer == (
        "[toolstub] Read(src/app.py) again: same result as above, from its line 1 (160 lines); nothing changed. "
        f"ref: {ref_of(sha256_of(READ))}"
    )


def test_the_line_it_begins_with_is_the_one_the_tool_printed() -> None:
    """So what is asked for by line can be asked for."""
    part = numbered(FILE, 300)
    assert "from its line 300 (160 lines)" in texts(*reads(part, part))[1]


def test_another_call_is_named() -> None:
    """The text is the same, the call is not."""
    first, second = reads(READ)[0], result(READ, "Bash", 1, command="cat -n src/app.py")
    assert texts(first, second)[1].startswith(
        "[toolstub] Bash(cat -n src/app.py): same as the result of Read(src/app.py) above")


def test_a_stub_is_pointed_at_once_and_then_let_through() -> None:
    """The third time somebody really wants it, and from then on it stands there."""
    assert [action for action, _ in decided(*reads(*[LARGE] * 5))] == [
        "externalized", "repeated", "kept", "repeated", "repeated"]
    assert decided(*reads(*[LARGE] * 3))[1:] == [
        ("repeated", "same text as a stub above"), ("kept", "asked for a third time")]


def test_another_call_for_what_is_a_stub_counts_for_itself() -> None:
    """Only who asks three times for the same goes round in circles."""
    calls = [result(LARGE, "Read", turn, path=f"f{turn}") for turn in range(6)]
    assert [action for action, _ in decided(*calls)] == ["externalized", *["repeated"] * 5]


@pytest.mark.parametrize("again", [
    {"text": READ[:290]}, {"exempt": "own reply"}, {"tool": "Excluded"},
    {"text": "[toolstub] tool result externalized\n" + "x" * 900},
])
def test_what_may_not_be_touched_is_not_pointed_away(again: dict[str, Any]) -> None:
    """Too short, our own, excluded, a stub."""
    settings = replace(PLAIN, exclude_tools=("Excluded",))
    made = {"text": READ, **again}
    both = [result(turn=turn, **made) for turn in (0, 1)]
    assert [action for action, _ in decided(*both, settings=settings)] == ["kept", "kept"]


def test_within_one_turn_nothing_is_pointed_at() -> None:
    """What the turn as a whole shows is not known before it is judged."""
    both = [result(READ, "Read", 0, place, path="a.py") for place in (0, 1)]
    assert [action for action, _ in decided(*both)] == ["kept", "kept"]


def test_a_file_read_again_after_an_edit_is_what_has_changed() -> None:
    """With everything it shares named; read back it is the file."""
    edited = numbered([*FILE[:80], "# a new line", *FILE[80:]])
    delta = texts(*reads(READ, edited))[1]
    assert delta == (
        "[toolstub] Read(src/app.py): 161 lines, those in brackets as above. "
        f"A is the result of Read(src/app.py). ref: {ref_of(sha256_of(edited))}\n"
        "[lines 1-80: as A 1-80]\n    81\t# a new line\n[lines 82-162: as A 81-161]"
    )
    assert decided(*reads(READ, edited))[1] == ("reduced", "much stands in the result of Read(src/app.py)")


def test_a_file_that_the_model_wrote_stands_above() -> None:
    """In the arguments of its own call."""
    wrote = result("ok", "Write", 0, path="src/app.py", content="\n".join(FILE))
    assert decided(wrote, result(READ, "Read", 1, path="src/app.py"))[1] == (
        "reduced", "much stands in what Write(src/app.py) wrote")


def test_a_tool_that_shows_what_it_has_written_repeats_its_own_call() -> None:
    """The call stands before its result."""
    shown = "The file has been written:\n" + READ
    assert decided(result(shown, "Write", path="src/app.py", content="\n".join(FILE))) == [
        ("reduced", "much stands in what you wrote")]


def test_a_stub_and_a_delta_are_no_sources() -> None:
    """The model cannot look up in them what is not there."""
    longer = LARGE + "one more line\n"
    assert [action for action, _ in decided(*reads(LARGE, longer))] == ["externalized", "externalized"]
    one, two, three = ([*FILE[:at], f"# change {at}", *FILE[at:]] for at in (20, 80, 120))
    assert "is the result of Read(src/app.py)." in texts(*reads(*map(numbered, (one, two, three))))[2]
    again = decided(*reads(*map(numbered, (one, two, two))))
    assert [action for action, _ in again] == ["kept", "reduced", "repeated"]


@pytest.mark.parametrize("text", ["x" * 5_000, "a\nb\nc" + "x" * 700])
def test_few_lines_are_not_compared(text: str) -> None:
    """There is nothing to name."""
    assert decided(*reads(text[:1_000], text[:1_000] + "y"))[1][0] == "kept"


def test_switched_off_it_says_nothing() -> None:
    """Every repetition goes as it came."""
    settings = replace(PLAIN, dedupe=Dedupe(enabled=False))
    assert [action for action, _ in decided(*reads(READ, READ), settings=settings)] == ["kept", "kept"]


def test_what_was_taken_in_need_not_be_given_again() -> None:
    """A history that has taken in the first turns gives the same decisions for the rest."""
    results = reads(READ, LARGE, READ, LARGE, LARGE, numbered([*FILE[:80], "# new", *FILE[80:]]), "small")
    whole = decide(conversation(*results), Settings())
    for cut in range(1, len(results)):
        history = History()
        before = decide(Transcript(tuple(results[:cut])), Settings(), history, complete=cut - 1)
        assert history.results == cut - 1
        after = decide(conversation(*results[cut - 1:]), Settings(), history, complete=len(results))
        known = {each.result.slot.start for each in after.changes}
        assert before.changes[:len(whole.changes)] == whole.changes[:len(before.changes)]
        assert after.changes == tuple(each for each in whole.changes if each.result.slot.start in known)
        assert len(after.changes) + len(after.decisions) == len(results) - cut + 1
