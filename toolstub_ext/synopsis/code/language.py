"""What a language is to the outline: the lines that tell it, and the patterns of what it defines and imports.

A cue is a line that hardly occurs outside the language. A definition pattern starts behind a line end; its group
`name` is the name defined and `what` the word to show with it. Every repetition is bounded or possessive, so that a
search is linear whatever the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORD = r"(?P<name>[A-Za-z_$][\w$]{0,120})"
MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed|synchronized|native"
    r"|open|data|inline|suspend|partial|readonly|extern|unsafe|default|implicit|case|lazy|mutating|fileprivate|inner"
    r"|operator|companion|required|convenience|weak|new)[ ]+)"
)

_IN = r"\n(?P<indent>[ \t]*+)"


@dataclass(frozen=True, slots=True)
class Language:
    """A language: cues match a line from its beginning, `definitions` and `imports` are searched in the text."""

    name: str
    cues: re.Pattern[str]
    definitions: re.Pattern[str]
    imports: re.Pattern[str]


def language(name: str, cues: str, definitions: str, imports: str) -> Language:
    """A language from the alternatives of its three patterns."""
    return Language(
        name,
        re.compile(rf"[ \t]{{0,40}}+(?:{cues})"),
        re.compile(_IN + rf"(?:{definitions})"),
        re.compile(rf"\n[ \t]*+(?P<import>{imports})"),
    )
