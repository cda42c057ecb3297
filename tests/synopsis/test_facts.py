"""What is said about a text, fitted into its budget."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import Source
from toolstub_ext.synopsis.facts import Facts
from toolstub_ext.synopsis.wording import MASK

SECRET = "password=hunter2hunter2"


def made(budget: int = 1000) -> Facts:
    """No facts yet."""
    return Facts(Source("a text\n", budget=budget))


def test_low_ranks_come_first() -> None:
    """What does not fit beside them is left out, wherever it was said."""
    facts = made(300)
    facts.say("x" * 90, rank=5)
    facts.say("first")
    facts.say("second" + "y" * 80, rank=1)
    assert facts.build("text").summary == ("first", "second" + "y" * 80)


def test_items_are_made_when_their_turn_comes() -> None:
    """And as given at once."""
    given, later = made(), made()
    given.dense("structure", ["one", "two"], lead="items: ")
    later.dense("structure", lambda: iter(["one", "two"]), lead="items: ")
    assert given.build("text") == later.build("text")
    assert later.build("text").structure == ("items: one · two",)


def test_items_are_not_made_where_there_is_no_room() -> None:
    """Nobody would see them."""
    facts = made(300)
    facts.say("x" * 180)
    facts.dense("notable", lambda: pytest.fail("made in vain"))
    assert facts.build("text").notable_items == ()


@pytest.mark.parametrize("plain", ["plain", "another line: with a sign"])
def test_a_secret_in_one_line_of_many_is_masked(plain: str) -> None:
    """Wherever it stands, and before the line is cut."""
    facts = made()
    facts.say(plain)
    facts.structure(SECRET)
    facts.dense("notable", [plain, SECRET], lead="items: ")
    facts.dense("notable", lambda: [SECRET])
    told = facts.build("text")
    assert told.summary == (plain,)
    assert told.structure == (f"password={MASK}",)
    assert told.notable_items == (f"items: {plain} · password={MASK}", f"password={MASK}")
