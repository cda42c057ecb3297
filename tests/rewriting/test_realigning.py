"""What a conversation says stands elsewhere when it begins otherwise, and is the same in everything else."""

from __future__ import annotations

from typing import Any

import pytest

from toolstub_ext.rewriting.realigning import _decision, _edit, _message, _outcome, _result
from toolstub_ext.transcript import Change, Decision, Slot, ToolResult
from toolstub_ext.wire import Edit, Message, Piece

SLOT = Slot(("messages", 3, "content"), 100, 200, inside=True)
RESULT = ToolResult(SLOT, "text", "Bash", "call_1", "{}", 1, 2, is_error=True, exempt="own reply", is_argument=True)
DECISION = Decision(SLOT, "Bash", "externalized", "large", "ts_1", 100, 10)
CHANGE = Change(RESULT, "stub", '"stub"', DECISION, "text", "5f", "large", 1_000)
MESSAGE = Message("assistant", "text", 90, 210, ("call_1",), 95, "call_0", 97, (Piece("c2ln", 101, 102),), 96)


@pytest.mark.parametrize(("move", "item"), [
    (_result, RESULT), (_decision, DECISION), (_outcome, CHANGE), (_message, MESSAGE), (_edit, Edit(100, 200, "new")),
])
def test_what_is_moved_there_and_back_is_the_same(move: Any, item: Any) -> None:
    """No field is left behind, for each of them has a value here that it would not have by itself."""
    for field, default in item._field_defaults.items():
        assert getattr(item, field) != default, field
    assert move(item, 7) != item
    assert move(move(item, 7), -7) == item


def test_a_message_that_holds_no_calls_and_no_results_has_no_places_for_them() -> None:
    """Nothing is no place, and stays nothing."""
    moved = _message(Message("user", "text", 90, 210), 7)
    assert moved == Message("user", "text", 97, 217)
