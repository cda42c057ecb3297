"""Every name that a source defines, with its line: what an editor's outline shows."""

from __future__ import annotations

from dataclasses import dataclass

from .language import Language

_MOST = 3000
_NAMES = ("name", "type", "function", "method", "bound", "exported", "target", "constant")
_CONSTANT_RANK = 3


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition: the label to show, its place, and how much it matters (0 most)."""

    label: str
    offset: int
    line: int
    rank: int
    group: str


def definitions(text: str, language: Language) -> list[Definition]:
    """The definitions of `text` in their order, at most 3,000, one for each line."""
    found: list[Definition] = []
    line = 1
    counted = 0
    shifted = "\n" + text
    for match in language.definitions.finditer(shifted):
        groups = match.groupdict()
        group = next((name for name in _NAMES if groups.get(name)), None)
        if group is None:
            continue
        offset = match.end("indent") - 1
        line += text.count("\n", counted, offset)
        counted = offset
        indent = len(groups["indent"].expandtabs(4))
        found.append(Definition(_label(groups, group, indent), offset, line, _rank(group, indent), group))
        if len(found) == _MOST:
            break
    return found


def _label(groups: dict[str, str | None], group: str, indent: int) -> str:
    """`class Runner`, `.start` for what is inside another definition, else the bare name."""
    name = " ".join((groups[group] or "").split())
    word = groups.get("what") or groups.get("block")
    if word:
        return f"{word.lower()} {name}"
    return ("." if group == "method" or indent else "") + name


def _rank(group: str, indent: int) -> int:
    """Top level before members, members before what is nested deeper, constants after all functions."""
    if group == "constant":
        return _CONSTANT_RANK
    return 0 if indent == 0 else 1 if indent <= 4 else 2 if indent <= 8 else 4


def imports(text: str, language: Language) -> list[str]:
    """What `text` imports, as written, at most 200."""
    found: list[str] = []
    for match in language.imports.finditer("\n" + text):
        found.append(" ".join(match["import"].split()))
        if len(found) == 200:
            break
    return found
