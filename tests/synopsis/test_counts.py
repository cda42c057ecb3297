"""What a synopsis counts is what there is."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import synopsize

GUIDE = """# Guide

## Linux

Run `make install` and read [the notes](notes.md) about it.

### Step 1

1. Fetch it:

   ```sh
   make fetch
   ```

```text
```sh is how a block of shell begins
# no heading
```

## macOS

### Step 1

Some **more** words, which end here.
"""
MANUAL = """===============
Getting started
===============

- **First** words about this, which go on for a while.

Installing
==========

- `make install` is all that there is to it.
"""
FOUND = """src/near.py-9-def before():
src/near.py:10:def needle():
src/near.py:11:    return "needle"
src/far.py-12-def behind():
src/far.py-13-    return None
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GUIDE, "5 headings, 2 code blocks, 1 link"),
        (GUIDE, "7 ### Step 1 (×2, last 22)"),
        (MANUAL, "2 headings"),
        (MANUAL, "2 # Getting started"),
        (FOUND, "2 hits in 1 file"),
        ("".join(f"{n}:def name_{n}():\n" for n in range(1, 30)), "29 hits in one file, which is not named"),
        (f"[{', '.join(['{1, 2, None}'] * 40)}]", "list of sets"),
        (str([{"Ann": 1, "Bob": None}] * 40), "list of dicts"),
    ],
)
def test_a_figure_is_true(text: str, said: str) -> None:
    """Whatever comes twice, is indented, or only stands beside what is counted."""
    synopsis = synopsize(text)
    assert said in "\n".join((*synopsis.summary, *synopsis.structure))


def test_lines_that_break_a_pattern_are_counted_to_the_end() -> None:
    """Also where only a few of them are shown."""
    text = "".join(f"Step {n}/900 | Loss: {1 / (n + 1):.4f}\n" + "Epoch done\n" * (n % 5 == 0) for n in range(900))
    odd = [line for line in synopsize(text).notable_items if "Epoch done" in line]
    assert odd == ["line 2: Epoch done (180 alike, last 1076)"]


SCRIPT = '''"""Helps.

class of things
"""
import sys

QUOTE = "\'\'\'"


def run():
    return exec("""
import os
def inner():
    pass
""")


class Last:
    """Says \\""" and goes on."""

    def end(self):  # """
        return sys.path
'''


@pytest.mark.parametrize("start", [0, SCRIPT.index("class of")])
def test_what_a_string_holds_is_not_defined(start: int) -> None:
    """Also in a part of a file that begins inside of one."""
    synopsis = synopsize(SCRIPT[start:], mime="text/x-python")
    assert "2 functions, 1 class, 1 constant, 1 import" in synopsis.summary[0]
    assert "inner" not in "".join(synopsis.structure)
