"""The transcript: what the policies hand from one to the next, and how a text is written in a body."""

from __future__ import annotations

from toolstub_ext.transcript import Change, Decision, Outcome, Slot, ToolResult, Transcript, literal, shown

RESULT = ToolResult(Slot(("messages", 2, "content"), 10, 20), "long text", "Bash", "c1", "{}", 0, 1)
DECISION = Decision(RESULT.slot, "Bash", "externalized", "because", "ts_0", 9, 5)
CHANGE = Change(RESULT, "short", '"short"', DECISION, "text", "0", "because", 1000)


def test_a_slot_is_named_like_a_json_pointer() -> None:
    """As people read it in an explanation."""
    assert str(RESULT.slot) == "/messages/2/content"


def test_a_change_shows_in_the_text_that_would_be_sent() -> None:
    """In the new transcript; the one it came from stays as it was."""
    before = Transcript((RESULT,))
    after = before.judged(lambda _: CHANGE)
    assert [shown(*pair) for pair in (*before.pairs, *after.pairs)] == ["long text", "short"]
    assert (before.changes, after.changes) == ((), (CHANGE,))


def test_what_was_decided_once_is_not_judged_again() -> None:
    """Each result has one outcome, the first that somebody had for it."""
    answers: list[Outcome | None] = [None, DECISION, CHANGE]
    once = Transcript((RESULT, RESULT)).judged(lambda _: answers.pop(0))
    twice = once.judged(lambda _: answers.pop(0))
    assert (once.outcomes, twice.outcomes) == ((None, DECISION), (CHANGE, DECISION))
    assert (twice.changes, twice.decisions) == ((CHANGE,), (DECISION,))


def test_a_literal_is_the_text_in_quotes() -> None:
    """Escaped only where it has to be."""
    assert literal('a "b"\n\u4e2d') == '"a \\"b\\"\\n\u4e2d"'
