"""Names: what a text speaks of and no other fact has, where the budget is large enough."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.names import names

SOURCE = "".join(f"def step_{n}(value):\n    return helperFunction{n}(value, MAX_TRIES)\n\n\n" for n in range(80))


@pytest.mark.parametrize(("text", "found"), [
    ("call parse_header and retryLimit", ["parse_header", "retryLimit"]),
    ("HTTPServer, IDs, URLs, JSON, plain words", ["HTTPServer"]),
    ("_private_name __init__ _word", ["_private_name"]),
    ("parse_header(parse_header)", ["parse_header"]),
    ("x_y " + "a_b" * 40, []),
    ('password = "hunterTwo" or parse_header', ["parse_header"]),
    (f"{'x = 1 ' * 900}token={'abCD1' * 4} retryLimit", ["retryLimit"]),
    (f"{'x = 1, ' * 900}\ud800é = token={'abCD1' * 4} retryLimit", ["retryLimit"]),
    ("\x1b\x02parse_header 0back_off éparse_later größe_max", ["parse_header"]),
    ("x_y 0back_off\nparse_header\n", ["parse_header"]),
    ("plain words of a page " * 400 + "parse_header", ["parse_header"]),
    ("", []),
])
def test_names_have_several_words(text: str, found: list[str]) -> None:
    """Each once, in order; neither short nor endless, and no secret."""
    assert list(names(text)) == found


def test_a_large_budget_tells_names_that_the_index_does_not_have() -> None:
    """Up to 700 characters of them, beside all that a smaller budget tells."""
    told = [line for line in synopsize(SOURCE, budget=1_700).structure if line.startswith("names: ")]
    assert len(told) == 1
    assert told[0].startswith("names: helperFunction0 MAX_TRIES helperFunction1 ")
    assert "step_0" not in told[0]
    assert 600 < len(told[0]) <= 700


def test_a_small_budget_tells_facts() -> None:
    """There is no room for names in it."""
    assert not any(line.startswith("names: ") for line in synopsize(SOURCE, budget=1_000).structure)
    assert not any("names: " in line for line in synopsize(SOURCE, budget=2_000, rules="openviking").structure)


def test_names_leave_the_other_facts_their_room() -> None:
    """The index is at least as long as with the budget before names."""
    small, large = (synopsize(SOURCE, budget=budget).structure[0] for budget in (1_000, 1_700))
    assert len(large) >= len(small)


def test_the_whole_fits_the_budget() -> None:
    """Names included."""
    for budget in (1_100, 1_400, 1_700, 2_000, 4_000):
        synopsis = synopsize(SOURCE, budget=budget)
        lines = (*synopsis.summary, *synopsis.structure, *synopsis.notable_items)
        assert sum(len(line) + 3 for line in lines) + len(synopsis.sample or "") <= budget
