"""What a conversation is does not depend on what is known of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from formats_support import FORMATS, PATHS, known_of

from toolstub_ext.wire import Reading, wire_for

SAID = [([("Read", "one", False)], "so"), ([("Bash", "two", False)], "so"), ([("Read", "three", False)], "so")]


def read(form: str, items: list[Any], *known: Any) -> Reading:
    """A request of these items, with a tool behind them."""
    where, _, tool = FORMATS[form]
    wire = wire_for(PATHS[form])
    assert wire is not None
    return wire.read(json.dumps({where: items, "tools": [tool]}), *known)


@pytest.mark.parametrize("form", PATHS)
@pytest.mark.parametrize("following", ["nothing", "user", "result"])
def test_a_conversation_may_be_cut_back_to_where_its_beginning_ends(form: str, following: str) -> None:
    """What follows there is still of the turn in front of it, if the model has not said it: that turn is not closed,
    and its calls may be answered."""
    _, told, _ = FORMATS[form]
    first, second, third = told(SAID)
    user = {"role": "user", "content": "look"}
    (known, _), *_ = known_of(read(form, [user, *first, *second, *third]))
    result = next(item for item in first if item.get("role") == "tool" or "output" in item or (
        isinstance(item.get("content"), list) and item["content"][0]["type"] == "tool_result"))
    more = {"nothing": [], "user": [user], "result": [result]}[following]
    whole, again = (read(form, [user, *first, *more], *which) for which in ((), (known,)))
    assert again == whole
    assert again.closed == whole.closed
    assert whole.closed.results == 0
