"""A text as a person would see it: without byte order mark, terminal codes, and what was overwritten.

Only the synopsis looks at the cleaned text. Line numbers stay those of the original.
"""

from __future__ import annotations

from .patterns import Pattern

BOM = "\ufeff"
_ESCAPE, _RETURN, _BREAK, _BACK, QUOTE = "\x1b", "\r", "\n", "\b", '"'
_MARKS = frozenset((_ESCAPE, _RETURN, _BREAK, _BACK, QUOTE))
_BLOCK = 1 << 18

_TERMINAL_CODE = Pattern(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]"  # cursor, colour and erase sequences
    r"|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)?"  # titles and hyperlinks
    r"|[()*+][0-9A-Za-z]|[=>78DEHMNOPVWXZc])"
)

_OVERSTRUCK = Pattern("[^\n\b\0-\x08\x0e-\x1f]\b(?=[^\0-\x08\x0e-\x1f])")
"""What is struck over: how manuals print bold letters and underlines, and progress goes back a character."""
_STATE = Pattern(r"\d ?%|\d/\d+ ?[\[(]|\d ?(?:it|s|[kKMG]?i?B)/(?:it|s)|[█▏▎▍▌▋▊▉━]|\[[=#>. -]{3,}\]|\bETA\b")
"""What a state of progress has: a share, a rate, a bar."""
_STATES_CHARS = 8_192


def marks_in(text: str, encoded: bytes | None = None) -> set[str]:
    """Which of escape, carriage return, line end, backspace and double quote there are.

    They are looked for block by block: a large text is fetched from memory once then, and not once for each. In its
    UTF-8, if that is at hand, they are found sooner.
    """
    missing = [*_MARKS]
    for at in range(0, len(text if encoded is None else encoded), _BLOCK):
        if encoded is None:
            missing = [mark for mark in missing if text.find(mark, at, at + _BLOCK) < 0]
        else:
            missing = [mark for mark in missing if encoded.find(ord(mark), at, at + _BLOCK) < 0]
    return set(_MARKS.difference(missing))


def cleaned(text: str, marks: set[str] | None = None) -> str:
    """`text` without what only a terminal understands; the same object if there is nothing of the kind.

    `marks` are those in it, where they are known.
    """
    marks = marks_in(text) if marks is None else marks
    if text.startswith(BOM):
        text = text[1:]
    if _ESCAPE in marks:
        text = _TERMINAL_CODE.sub("", text)
    if _BACK in marks and "\0" not in text:
        text = _OVERSTRUCK.sub("", text)
    if _RETURN in marks:
        text = text.replace("\r\n", "\n")
        if "\n" not in text and not _overwritten(text):
            text = text.replace("\r", " ")
        elif "\r" in text:
            text = "\n".join(map(_last_state, text.split("\n")))
    return text


def _overwritten(line: str) -> bool:
    """Whether what is between the carriage returns of a single line are states of it, and not lines of another time."""
    states = list(filter(str.strip, line[:_STATES_CHARS].split("\r")))
    return 2 * sum(_STATE.search(state) is not None for state in states) >= len(states)


def _last_state(line: str) -> str:
    """What is left on the screen of a line that was overwritten from its beginning."""
    if "\r" not in line:
        return line
    return line.rstrip("\r").rsplit("\r", 1)[-1]
