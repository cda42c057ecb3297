"""Describes source code: a dense index of its definitions first, any of which is then one call away."""

from __future__ import annotations

import re
from collections import Counter

from ..facts import Facts
from ..look import look
from ..model import KindName, Source, Synopsis, once
from ..patterns import holds
from ..wording import count, one_line
from .detect import EVIDENT_FOLDS, Told, language_of
from .language import Language
from .lists import are_figures
from .outline import Definition, outline

_MARK = re.compile(r"\b(?:TODO|FIXME|HACK|XXX|BUG)\b[^\n]{0,200}")
_COMMENT_START = re.compile(r"[ \t]*(?://[/!]?|/\*+|\*+|#+|--|;+|%+|\"\"\"|''')[ \t]?")
_NOTES = ("TODO", "FIXME", "HACK", "XXX", "BUG")
_MOST_MARKS = 3
_MOST_ANCHORS = 16
_LABEL_CHARS = 80
_SURE = 0.3
_STATEMENTS = frozenset((
    "#define", "#elif", "#else", "#endif", "#if", "#ifdef", "#ifndef", "#include", "#pragma", "*/", "/*", "/**",
    "@Override", "@property", "BEGIN", "CREATE", "END", "INSERT", "SELECT", "assert", "async", "await", "break;",
    "case", "catch", "char", "class", "const", "continue", "def", "default:", "do", "done", "elif", "else", "else:",
    "esac", "except", "export", "extern", "fi", "final", "fn", "for", "foreach", "from", "func", "function", "if",
    "impl", "import", "inline", "int", "interface", "let", "local", "my", "namespace", "new", "our", "package",
    "private", "proc", "protected", "pub", "public", "public:", "raise", "require", "return", "return;", "static",
    "struct", "sub", "switch", "template", "throw", "throws", "try", "try:", "type", "typedef", "unless",
    "unsigned", "use", "using", "var", "void", "while", "with", "yield", "{",
))  # fmt: skip
"""First words of lines as most languages have them. With fewer of them a text is not looked at so early."""
_LEAST_STATEMENTS = 3
_EVIDENT = 0.95
_FUNCTIONS = ("function", "method", "bound", "exported", "name", "declared", "assigned")
"""What are functions, however they are defined."""


class CodeKind:
    """Source code in any of the languages it knows."""

    name: KindName = "code"

    def score(self, source: Source) -> float:
        """By what its lines have of a language, and of texts that are none."""
        return likelihood(source)

    def describe(self, source: Source) -> Synopsis:
        """Language, counts, the index, imports, notes to self, and the first lines if there is room."""
        language = _told(source).language
        if language is None:
            raise ValueError("no language fits")
        facts = Facts(source)
        found, imported = outline(source.head, language)
        _say(facts, source, language, found, imported)
        _index(facts, source, found)
        if imported:
            most = 12 if source.rules == "openviking" else 60
            lead = f"imports {len(imported)}{source.part}: "
            shown = imported[:most]
            facts.dense("structure", shown, rank=30, lead=lead, share=0.45, tell=lambda each: one_line(each, 70))
        facts.dense("notable", lambda: _marks(source), rank=25, more=False)
        facts.names(source.head)
        start = found[0].offset if found and imported else 0
        facts.sample(source.head[start : start + 4000], 1200)
        return facts.build("code", language.name)


class EvidentCode(CodeKind):
    """Source code with so many words of a language that nobody need look at cells, keys and shapes of text."""

    def score(self, source: Source) -> float:
        """Certain where many lines begin as statements do and nothing speaks against source code, else 0.0."""
        seen = look(source)
        if len(seen.words & _STATEMENTS) < _LEAST_STATEMENTS:
            return _EVIDENT if are_figures(seen.few) else 0.0
        told = _told(source)
        return _EVIDENT if told.sure == 1.0 and told.folds >= EVIDENT_FOLDS else 0.0


@once
def _told(source: Source) -> Told:
    return language_of(source.lines)


def likelihood(source: Source) -> float:
    """How sure it is that the text is source code; 0.0 where that is not even likely."""
    sure = _told(source).sure
    return 0.47 + 0.45 * sure if sure >= _SURE else 0.0


kind = CodeKind()
evident = EvidentCode()


def _say(facts: Facts, source: Source, language: Language, found: list[Definition], imported: list[str]) -> None:
    kinds = Counter([each.sort for each in found])
    constants = kinds.pop("constant", 0)
    functions = sum(kinds.pop(group, 0) for group in _FUNCTIONS)
    parts = [count(functions, "function")] if functions else []
    parts += [_plural(word, number) for word, number in kinds.most_common(5)]
    parts += [count(constants, "constant")] if constants else []
    parts += [count(len(imported), "import")] if imported else []
    told = ", ".join(parts) or "no definitions"
    facts.say(f"{language.name}, {count(source.line_index.count, 'line')}; {told}{source.part}")
    conflicts = _conflicts(source)
    if conflicts:
        several = f"{count(len(conflicts), 'merge conflict')}{source.part}, at line"
        facts.dense("notable", conflicts, rank=1, share=0.3, lead=f"{several}{'s' if len(conflicts) > 1 else ''} ")
    facts.say(lambda: _opening(source), rank=28)


def _conflicts(source: Source) -> list[str]:
    """The lines that open a merge conflict, if there are those that divide and close it as well."""
    if not holds(source.head, "\n=======\n") or not holds(source.head, "\n>>>>>>> "):
        return []
    return [str(source.number(number)) for number, line in enumerate(source.lines, 1) if line.startswith("<<<<<<< ")]


def _plural(word: str, number: int) -> str:
    return count(number, word, word + ("es" if word.endswith("s") else "s"))


def _index(facts: Facts, source: Source, found: list[Definition]) -> None:
    shown = found[:24] if source.rules == "openviking" else found
    ranks = [each.rank for each in shown]
    facts.dense(
        "structure",
        shown,
        ranks=ranks,
        rank=5,
        of_head=True,
        tell=lambda each: f"{source.number(each.line)} {_label(each.label)}",
    )
    for place in sorted(range(len(shown)), key=ranks.__getitem__)[:_MOST_ANCHORS]:
        label, start, line, *_ = found[place]
        end = found[place + 1].offset if place + 1 < len(found) else len(source.head)
        facts.anchor(label, start, end - start, line)


def _label(label: str) -> str:
    """A label as one line; what is printable is one already, and a secret in it is masked with the index."""
    return label if len(label) <= _LABEL_CHARS and label.isprintable() else one_line(label, _LABEL_CHARS)


def _marks(source: Source) -> list[str]:
    """The first notes to self, as comments have them."""
    places = sorted({place for mark in _NOTES if holds(source.head, mark) for place in _places(source.head, mark)})
    marks: list[str] = []
    for place in places:
        found = _MARK.match(source.head, place)
        if found:
            line = source.number(source.head.count("\n", 0, place) + 1)
            marks.append(f"{line} {one_line(found[0], 100)}")
        if len(marks) == _MOST_MARKS:
            break
    return marks


def _places(text: str, mark: str) -> list[int]:
    """Where a mark stands, the first few times."""
    places: list[int] = []
    at = text.find(mark)
    while at >= 0 and len(places) < 4 * _MOST_MARKS:
        places.append(at)
        at = text.find(mark, at + 1)
    return places


def _opening(source: Source) -> str:
    """`opens with: ...`, the first line of a comment at the top that says something, licences aside; or nothing."""
    for line in source.lines[:40]:
        start = _COMMENT_START.match(line)
        if line.strip() and not start:
            return ""
        words = line[start.end() :].strip(" */#\"'-=") if start else ""
        if len(words) > 20 and not re.search(
            r"(?i)copyright|licen[sc]e|-\*-|spdx|usr/bin|rights reserved|warrant", words
        ):
            return "opens with: " + one_line(words, 160)
    return ""
