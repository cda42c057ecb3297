"""What is told of YAML behind the part whose events are followed."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import synopsize

FILL = "top:\n  - a\n  - b\n" + "".join(f"key_{n}: {n} {'word' * 45}\n" for n in range(100))
STEPS = "steps:\n" + "".join(f"  - run: a\n    with: b{n}\n\n" for n in range(900))
JOBS = "jobs:\n" + "".join(f"  job_{n}:\n    run: |\n      a: 1\n  # b\n    if: c\n" for n in range(900))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"a: 1\n{STEPS}z: 2\n", "2 steps list ~900"),
        (f"a: 1\n{JOBS}", "2 jobs object ~900 {job_0, job_1, job_2, job_3, job_4, …}"),
        (f"{FILL}last:\n  # none\n  one: 1\n  two:\n    - 3\n", " last object ~2 {one, two}"),
        (f"{FILL}last: words # said\n", " last words"),
        (f"{FILL}last: |\n  a: 1\n  b: 2\n", " last string"),
        (f"{FILL}items:\n- 1\n- 2\n", " items list ~2"),
    ],
)
def test_a_key_far_behind_is_told_with_what_is_under_it(text: str, told: str) -> None:
    """By the lines that stand as its first one does, and marked, for nothing says that they are YAML."""
    synopsis = synopsize(text, budget=60_000)
    assert synopsis.kind == "yaml"
    assert told in synopsis.structure[0]


def test_a_fault_behind_the_part_that_is_followed_is_found() -> None:
    """The text is none of YAML if its first pages are not."""
    assert synopsize(FILL[:14_000] + ": [1\n" + FILL[:6_000]).kind == "text"


@pytest.mark.parametrize("line_end", ["\x85", "\u2028", "\u2029"])
def test_lines_are_those_of_everybody_else(line_end: str) -> None:
    """What ends a line only in YAML ends none in a stub."""
    synopsis = synopsize(f"a:\n  - x{line_end}y\nb: 2\nc:\n  - z\n")
    assert [(anchor.label, anchor.line) for anchor in synopsis.anchors] == [("a", 1), ("b", 3), ("c", 4)]


def test_a_value_under_the_name_of_a_secret_is_masked_wherever_it_stands() -> None:
    """At the first level, further down and far behind; what is no text stays."""
    further = "".join(f"key_{n}: {'word' * 45}\n" for n in range(100))
    text = f"api_key: plainWords\ndb:\n  password: otherWords\n  token: null\n{further}secret: farWords\n"
    synopsis = synopsize(text, budget=9_000)
    told = "\n".join((*synopsis.structure, *synopsis.notable_items))
    assert "Words" not in told
    assert "1 api_key [masked]" in told
    assert "3 db.password: [masked] · 4 db.token: null" in told
    assert "105 secret [masked]" in told


@pytest.mark.parametrize(
    "item",
    [
        "- a: 0\n  b: 1\n  c: 2\n  below:\n    x: 3\n  d: 4\n  e: 5\n",
        "- {a: 0, b: 1, c: 2, below: {x: 3}, d: 4, e: 5}\n",
    ],
)
def test_a_value_stands_behind_its_own_key_alone(item: str) -> None:
    """Also where there are more keys than are kept."""
    told = synopsize("items:\n" + item * 40, mime="application/yaml", budget=9_000).notable_items[0]
    assert "items[3].a: 0" in told
    assert all(fact.count(": ") <= 1 for fact in told.split(" · "))
