"""A definition in source code, by its name: from its decorators and comments to where its block ends."""

from __future__ import annotations

import difflib
import re
from fnmatch import fnmatchcase
from functools import cached_property, partial

from ..phrases import counted, shown
from ..store.slices import parse_lines
from ..synopsis.code.detect import language_of
from ..synopsis.code.outline import Definition, definitions
from .answer import Answer, Listing
from .subject import Subject

_KEYWORD = re.compile(
    r"(?:symbol|def|function|func|fn|class|method|struct|interface|type)\s*:?\s+(?=\S)", re.IGNORECASE)
_LIST = re.compile(r"([^\s*?]*[*?]\S*)\s*([\d:\-\s]*)")
_ABOVE = re.compile(
    r"(?!\W*$)(?:@|#\[|\[[A-Z]\w*[\](]|//|/\*|\*|#(?!include|define|if|else|endif|pragma)|template ?<|--)")
_CLOSES = re.compile(r"[})\]]|end\b|fi\b|done\b|esac\b|else\b|elif\b|except\b|finally\b|rescue\b|ensure\b|catch\b|\{")
_OPENS_AGAIN = re.compile(r"[{:(\[,]\s*(?:(?://|#).*)?$|^\{|\b(?:else|do|then|rescue|ensure)\s*$")
_INSIDE = re.compile(r"#(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma|include|line|error)\b|[A-Za-z_]\w*:\s*$")
_C_LIKE = frozenset({"c", "cpp", "csharp"})
_MOST_INDENT = 1 << 30
_MOST_PARTS = 20


class Outline:
    """Every definition of a text with the lines it takes up."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._lines = subject.source.clean.removesuffix("\n").split("\n")
        language = language_of(subject.source.lines).language
        self.language = "" if language is None else language.name
        self.definitions = [] if language is None else definitions(subject.source.clean, language)

    def answer(self, expression: str) -> Answer:
        """The definition of that name, or a listing. Raises ValueError, in one line, if there is none."""
        listing = _LIST.fullmatch(expression)
        if listing is not None:
            return self._list(self._matching(listing[1]), listing[1], listing[2].strip())
        name = _KEYWORD.sub("", expression, count=1).strip().strip("`'\"").removesuffix("()")
        found = self._named(name)
        if len(found) == 1:
            first, last = self._span(found[0])
            return self._subject.passage(found[0].label, first, last)
        if found:
            return self._list(found, expression, "")
        near = difflib.get_close_matches(name, dict.fromkeys(map(_bare, self.definitions)), n=3)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise ValueError(
            f"{self._subject.ref} ({self.language}) defines no {shown(name)}; {hint}* lists what it defines")

    def _matching(self, pattern: str) -> list[Definition]:
        return self.definitions if pattern == "*" else [
            each for each in self.definitions if fnmatchcase(_bare(each), pattern)]

    def _named(self, name: str) -> list[Definition]:
        """The definitions of that name; if there is none, in other letters or with dots in front of it; inside `Owner`,
        for `Owner.name`."""
        owner, _, own = re.sub(r"::|#|->", ".", name).rpartition(".")
        found = (
            [each for each in self.definitions if _bare(each) == own]
            or [each for each in self.definitions if _bare(each).lower() == own.lower()]
            or [each for each in self.definitions if _bare(each) == name]
            or [each for each in self.definitions if _bare(each).rpartition(".")[2] == own])
        if not owner or len(found) <= 1:
            return found
        return [each for each in found if self._owner(each) == owner.rpartition(".")[2]] or found

    def _owner(self, inner: Definition) -> str:
        """The name of the innermost definition whose lines hold another; nothing if none does."""
        around = [each for each in self.definitions if each.line < inner.line <= self._last(each)]
        return _bare(around[-1]) if around else ""

    def _list(self, found: list[Definition], pattern: str, lines: str) -> Listing:
        first, last = parse_lines(lines.replace("-", ":")) if lines else (1, None)
        spans = {each.line: tuple(map(self._subject.line, self._span(each))) for each in found}
        found = [each for each in found
                 if first <= spans[each.line][0] and (last is None or spans[each.line][0] <= last)]
        named = "" if pattern == "*" else f" named {shown(pattern)}"
        onward = 'read one with toolstub_read lines="A:B"' if found else "* lists them all"
        return Listing(
            self._subject.ref,
            f'{self.language}, {counted(len(found), "definition")}{named}; {onward}',
            tuple("{}-{} {}".format(*spans[each.line], each.label) for each in found),
            [{"name": each.label, "first_line": spans[each.line][0], "last_line": spans[each.line][1]}
             for each in found],
            partial(_onward, [spans[each.line][0] for each in found], pattern, last))

    def _span(self, definition: Definition) -> tuple[int, int]:
        """The first and last line of a definition, with what stands directly above it."""
        first = definition.line
        while first > 1 and first - 1 not in self._defining and _ABOVE.match(self._lines[first - 2].lstrip()):
            first -= 1
        return first, self._last(definition)

    def _last(self, definition: Definition) -> int:
        start = definition.line
        last = number = start
        for _ in range(_MOST_PARTS):
            number = self._following[number]
            last = max(last, self._filled[number - 1])
            if number > len(self._lines) or self._indents[number] < self._indents[start]:
                break
            bare = self._lines[number - 1].strip()
            if not _CLOSES.match(bare) or self._is_done(definition, last):
                break
            last = number
            if not _OPENS_AGAIN.search(bare):
                break
        return last

    @cached_property
    def _defining(self) -> set[int]:
        return {each.line for each in self.definitions}

    @cached_property
    def _indents(self) -> list[int]:
        """How far each line is indented, by its number; lines that say nothing about it are infinitely far."""
        c_like = self.language in _C_LIKE
        return [0, *(_MOST_INDENT if not line.strip() or (c_like and _INSIDE.match(line.lstrip())) else _indent(line)
                     for line in self._lines)]

    @cached_property
    def _following(self) -> list[int]:
        """For each line the next one that is not further indented, or the number behind the last line."""
        following = [len(self._lines) + 1] * len(self._indents)
        waiting: list[int] = []
        for number in range(1, len(self._indents)):
            while waiting and self._indents[waiting[-1]] >= self._indents[number]:
                following[waiting.pop()] = number
            waiting.append(number)
        return following

    @cached_property
    def _filled(self) -> list[int]:
        """For each line the last one up to it that is not blank."""
        filled = [0]
        for number, line in enumerate(self._lines, 1):
            filled.append(number if line.strip() else filled[-1])
        return filled

    def _is_done(self, definition: Definition, last: int) -> bool:
        """Whether a definition of one line ends in itself, so that a bracket below it is another's."""
        return last == definition.line and self._lines[last - 1].rstrip()[-1:] in (";", "}")


def _onward(starts: list[int], pattern: str, last: int | None, count: int) -> str:
    return f'expression "{pattern} {starts[count]}:{"" if last is None else last}"'


def _bare(definition: Definition) -> str:
    return definition.label.rpartition(" ")[2].lstrip(".")


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())
