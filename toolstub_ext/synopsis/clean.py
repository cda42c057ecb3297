"""A text as a person would see it: without byte order mark, terminal codes and overwritten progress lines.

Only the synopsis looks at the cleaned text. Line numbers stay those of the original.
"""

from __future__ import annotations

from .patterns import Pattern

BOM = "\ufeff"

_TERMINAL_CODE = Pattern(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]"  # cursor, colour and erase sequences
    r"|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)?"  # titles and hyperlinks
    r"|[()*+][0-9A-Za-z]|[=>78DEHMNOPVWXZc])"
)


def cleaned(text: str) -> str:
    """`text` without what only a terminal understands; the same object if there is nothing of the kind."""
    if text.startswith(BOM):
        text = text[1:]
    if "\x1b" in text:
        text = _TERMINAL_CODE.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = "\n".join(map(_last_state, text.split("\n")))
    return text


def _last_state(line: str) -> str:
    """What is left on the screen of a line that was overwritten from its beginning."""
    if "\r" not in line:
        return line
    return line.rstrip("\r").rsplit("\r", 1)[-1]
