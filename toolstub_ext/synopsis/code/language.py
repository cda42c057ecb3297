"""What a language is to the outline: the patterns of what it defines and imports.

A definition pattern starts behind a line end and its indent. Its last group names what is defined: `name`, `type` and
`target` are shown with the word in the group `what` or `block`; an empty `declared` behind a `name` says that it is
declared alone. Every repetition is bounded or possessive, so that a search is linear whatever the text.
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

ANNOTATIONS = r"(?:@\w{1,40}(?:\([^)\n]{0,60}\))?[ ]+){0,3}"
"""Those that stand in front of a definition on its line."""
TESTS = r"(?P<block>describe|context|suite|it|test)(?:\.\w{1,20})?\([ ]?['\"`](?P<target>[^'\"`\n]{1,80})"
"""What a test is called, in the libraries that describe it by a function."""
ASSIGNED = (
    r"(?P<assigned>[\w$][\w$.]{0,100}+)[ ]?(?:=[ ]?(?:async\b[ ]?)?(?:function\b|\([^)\n]{0,200}\)[^=\n]{0,80}=>)"
    r"|:[ ]?(?:async\b[ ]?)?(?:function\b|\([^)\n]{0,200}\)[ ]?=>[ ]?\{))"
)
"""A function that a name or a member is set to."""

_WORDED = {"name": "what", "type": "what", "target": "block"}


@dataclass(frozen=True)
class Language:
    """A language: its name, and the lines that an outline shows. What tells the language is in `tells.txt`.

    Patterns are compiled when a text first needs them: most texts need few, and all together take a tenth of a second.
    `quotes` open and close strings that may go over several lines. Where `openings` are given, all these lines begin
    with one of them behind their indent, so that the others, which are most, are passed over at once.
    What is defined in several `clauses` is shown at the first of those that follow one another.
    """

    name: str
    definition_pattern: str
    import_pattern: str
    quotes: tuple[str, ...] = ()
    openings: str = ""
    clauses: bool = False

    @cached_property
    def lines(self) -> re.Pattern[str]:
        """An import or a definition, searched in the text behind a line end."""
        begins = f"(?=[{self.openings}])" if self.openings else ""
        line = f"(?P<import>{self.import_pattern})|(?:{self.definition_pattern})"
        return re.compile(rf"\n(?P<indent>[ \t]*+){begins}(?:{line})")

    @cached_property
    def declares(self) -> bool:
        """Whether functions may be declared alone, and have their names in lines of their own, as in C."""
        return "declared" in self.lines.groupindex

    @cached_property
    def worded(self) -> dict[str, str]:
        """Groups that are shown with a word in front, and the group that holds the word."""
        groups = self.lines.groupindex
        return {name: word for name, word in _WORDED.items() if name in groups and word in groups}
