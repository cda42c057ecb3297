"""The transcript: what the policies hand from one to the next, and how a text is written in a body."""

from __future__ import annotations

from toolstub_ext.transcript import Change, Decision, Slot, ToolResult, Transcript, literal

RESULT = ToolResult(Slot(("messages", 2, "content"), 10, 20), "long text", "Bash", "c1", "{}", 0, 1)
DECISION = Decision(RESULT.slot, "Bash", "externalized", "because", "ts_0", 9, 5)
CHANGE = Change(RESULT, "short", '"short"', DECISION, "text", "0", "because", 1000)


def test_a_slot_is_named_like_a_json_pointer() -> None:
    """As people read it in an explanation."""
    assert str(RESULT.slot) == "/messages/2/content"


def test_a_change_shows_in_the_text_that_would_be_sent() -> None:
    """In the new transcript; the one it came from stays as it was."""
    before = Transcript((RESULT,))
    after = before.with_changes(CHANGE)
    assert (before.text_of(RESULT), after.text_of(RESULT)) == ("long text", "short")
    assert before.changes == ()


def test_decisions_add_up() -> None:
    """In the order in which they were made."""
    assert Transcript(()).with_decisions(DECISION).with_decisions(DECISION).decisions == (DECISION, DECISION)


def test_a_literal_is_the_text_in_quotes() -> None:
    """Escaped only where it has to be."""
    assert literal('a "b"\n\u4e2d') == '"a \\"b\\"\\n\u4e2d"'
