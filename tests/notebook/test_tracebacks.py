"""Tracebacks that are too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.notebook.tracebacks import MESSAGE_CHARS, shorten, shorten_message

RULE = "\x1b[31m" + "-" * 75 + "\x1b[39m"
HEAD = "\x1b[31mValueError\x1b[39m                Traceback (most recent call last)"
OWN = "\x1b[36mCell In[4], line 1\x1b[39m\n----> 1 report(orders)\n"
MINE = "File ~/jobs/report.py:12, in report(frame)\n---> 12     return frame['pirce']\n"
PANDAS = "File ~/venv/lib/python3.13/site-packages/pandas/core/frame.py:4102, in __getitem__\n   4102 code\n"
NUMPY = "File /usr/lib/python3/dist-packages/numpy/core.py:1, in get\n      1 code\n"
JSON = "File /usr/lib/python3.13/json/decoder.py:344, in decode(self, s)\n    344 code\n"
LAST = "ValueError: no column"


def short(*frames: str, evalue: str = "no column", limit: int = 2000) -> list[str]:
    """What becomes of a traceback with these frames."""
    return shorten("ValueError", evalue, [RULE, HEAD, *frames, LAST], ref="ts_0123456789abcdef", limit=limit)


@pytest.mark.parametrize(("frames", "expected"), [
    ([OWN], [OWN]),
    ([OWN, PANDAS, PANDAS, NUMPY], [OWN, "... 3 frames of pandas, numpy ..."]),
    ([OWN, JSON, MINE, PANDAS], [OWN, "... 1 frame of the standard library ...", MINE, "... 1 frame of pandas ..."]),
    ([OWN, "ZeroDivisionError: division by zero", "\nDuring handling of the above", OWN],
     [OWN, "ZeroDivisionError: division by zero", "\nDuring handling of the above", OWN]),
])
def test_message_first_own_frames_kept_libraries_counted(frames: list[str], expected: list[str]) -> None:
    """A reader sees what went wrong, then where in the own code; causes stay between the frames."""
    found = short(*frames)
    assert found[0] == "ValueError: no column"
    assert found[1:-1] == expected
    assert "%toolstub get ts_0123456789abcdef" in found[-1]


def test_of_many_own_frames_the_last_and_the_first_stay() -> None:
    """Where it happened counts most, then where it began."""
    frames = [f"File ~/jobs/step{i}.py:1, in step\n      1 {'x' * 90}\n" for i in range(40)]
    found = short(*frames)
    assert frames[0] in found
    assert frames[-1] in found
    assert any("frames of your code" in entry for entry in found)
    assert sum(map(len, found)) < 2400


def test_a_long_message_keeps_its_head() -> None:
    """The message is cut, never hidden, and says how long it was."""
    assert shorten_message("m" * 9000, "ts_0").startswith("m" * MESSAGE_CHARS + "… (9,000 characters")
    assert shorten_message("short", "ts_0") == "short"


def test_a_long_frame_is_cut_between_lines() -> None:
    """No colour code is cut in two."""
    found = short(OWN + "\n".join(f"\x1b[32m{i}\x1b[39m {'y' * 60}" for i in range(100)))
    assert found[1].endswith("\n...\x1b[0m")
    assert all(line.count("\x1b[32m") == line.count("\x1b[39m") for line in found[1].split("\n")[2:-1])


@given(st.lists(st.text()), st.text(), st.integers(200, 4000))
def test_any_entries_give_a_bounded_traceback(entries: list[str], evalue: str, limit: int) -> None:
    """Whatever a custom handler put into the list, the result is short and begins with the message."""
    found = shorten("E", evalue, entries, ref="ts_0", limit=limit)
    assert found[0].startswith("E: " + evalue[:MESSAGE_CHARS])
    frames_at_most = len(entries) * 260
    assert sum(map(len, found)) <= limit + MESSAGE_CHARS + 200 + frames_at_most
