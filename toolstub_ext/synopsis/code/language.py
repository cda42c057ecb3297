"""What a language is to the outline: the lines that tell it, and the patterns of what it defines and imports.

A cue is a line that hardly occurs outside the language. A definition pattern starts behind a line end; its group
`name` is the name defined and `what` the word to show with it. Every repetition is bounded or possessive, so that a
search is linear whatever the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

WORD = r"(?P<name>[A-Za-z_$][\w$]{0,120})"
MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed|synchronized|native"
    r"|open|data|inline|suspend|partial|readonly|extern|unsafe|default|implicit|case|lazy|mutating|fileprivate|inner"
    r"|operator|companion|required|convenience|weak|new)[ ]+)"
)

_IN = r"\n(?P<indent>[ \t]*+)"


@dataclass(frozen=True)
class Language:
    """A language: cues match a line from its beginning, `definitions` and `imports` are searched in the text.

    Patterns are compiled when a text first needs them: most texts need few, and all together take a tenth of a second.
    """

    name: str
    cue_pattern: str
    definition_pattern: str
    import_pattern: str
    quotes: tuple[str, ...] = ()

    @cached_property
    def cues(self) -> re.Pattern[str]:
        """What a line of the language looks like; the blanks in front of the line are gone."""
        return re.compile(f"(?:{self.cue_pattern})")

    @cached_property
    def definitions(self) -> re.Pattern[str]:
        """A definition, searched in the text behind a line end."""
        return re.compile(_IN + rf"(?:{self.definition_pattern})")

    @cached_property
    def imports(self) -> re.Pattern[str]:
        """An import, searched in the text behind a line end."""
        return re.compile(rf"\n[ \t]*+(?P<import>{self.import_pattern})")


def language(name: str, cues: str, definitions: str, imports: str, quotes: tuple[str, ...] = ()) -> Language:
    """A language from the alternatives of its three patterns, and the quotes of strings that go over several lines."""
    return Language(name, cues, definitions, imports, quotes)
