"""A section of a Markdown text is found by its heading."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from toolstub_ext.querying import Answer, Listing, Passage

Ask = Callable[[str, str], Answer]

TEXT = """# Tool

A tool with **bold** words and [a link](https://example.org) to read more about it.

## Installing

Run `pip install tool`, which takes a while on some machines.

```sh
# not a heading
pip install tool
```

### On Windows

Use the other one.

## Using `tool`

- first do this
- then do that

Setext heading
--------------

The old way to write headings.

## Installing

Again.
"""


@pytest.mark.parametrize(("expression", "lines"), [
    ("# Tool", (1, 30)), ("Tool", (1, 30)), ("### On Windows", (14, 17)), ("on windows", (14, 17)),
    ("section: On Windows", (14, 17)), ("## Using tool", (18, 22)), ("Using", (18, 22)), ("Setext heading", (23, 27)),
])
def test_a_section_reaches_to_the_next_of_its_level(ask: Ask, expression: str, lines: tuple[int, int]) -> None:
    """Whatever case and marks the heading is asked for with."""
    answer = ask(TEXT, expression)
    assert isinstance(answer, Passage)
    assert (answer.first_line, answer.first_line + answer.text.count("\n")) == lines
    assert answer.text == "\n".join(TEXT.split("\n")[lines[0] - 1:lines[1]])


def test_headings_are_listed_with_their_lines(ask: Ask) -> None:
    """All of them, those of some lines, or those that the text could mean."""
    assert str(ask(TEXT, "*")).split("\n") == [
        "1-30 # Tool", "5-17 ## Installing", "14-17 ### On Windows", "18-22 ## Using `tool`", "23-27 ## Setext heading",
        "28-30 ## Installing"]
    assert len(ask(TEXT, "* 14:20").value) == 2
    twice = ask(TEXT, "Installing")
    assert isinstance(twice, Listing)
    assert [each["first_line"] for each in twice.value] == [5, 28]


def test_a_heading_that_is_not_there_is_named(ask: Ask) -> None:
    """With the nearest."""
    with pytest.raises(ValueError, match=re.escape('has no heading "Instaling"; did you mean "installing"')):
        ask(TEXT, "Instaling")


def test_many_headings_are_linear(ask: Ask) -> None:
    """Each section's end is found once, and a long list goes on by lines."""
    text = TEXT + "".join(f"{'#' * (1 + n % 6)} Heading {n}\n\nSome **words** here.\n\n" for n in range(20_000))
    head = ask(text, "*").reply(2_000).partition("\n")[0]
    assert "20,006 headings" in head
    assert re.search(r'go on with expression "\* \d+:"$', head)
