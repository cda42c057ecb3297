"""A file of settings, in sections as INI and TOML have them or without: these and the settings with their lines."""

from __future__ import annotations

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape, mostly, share

_SECTION = Pattern(r"[ \t]{0,8}\[{1,2}(?P<name>[^\[\]\n=]{1,120})\]{1,2}[ \t]*(?:[#;].*)?$")
_SETTING = Pattern(
    r"[ \t]{0,8}(?P<key>[\w.\"'/@:*-]{1,80}(?:\[[\w@.-]{2,20}\])?)[ \t]{0,40}"
    r"=(?!=)[ \t]{0,40}(?P<value>.{0,200})"
)
_ITEM = Pattern(r"[ \t]{1,40}(?:\"[^\"]{0,200}\"|'[^']{0,200}'|\{ ?[\w-]+ ?=.{0,200}\}),?(?:[ \t]*#.*)?$")
_OTHER = Pattern(r"[ \t]{0,40}(?:[#;]|[\]})]|[\"'\w-][^=(){};]{0,200},?$)")
_NAMED = Pattern(r"[A-Za-z_][\w.-]{0,80}=[^=;(){}]{0,300}$")
_LEAST = 8
_SURE = 0.93
_SHARE = 0.95
_OTHERS = 0.4
_LEAST_TOLD = 0.3
_STATED = 0.05
_SHORT = 60


def _score(source: Source) -> float:
    seen = look(source)
    if _flat(seen.lines):
        return _SURE
    if not any(word[0] == "[" and word[1:2].isalpha() for word in seen.words):
        return 0.0
    sections = sum(1 for line in seen.lines if _SECTION.match(line))
    if not sections:
        return 0.0
    told = share(seen.lines, _tells)
    if told <= _LEAST_TOLD:
        return 0.0
    rest = share(seen.lines, _OTHER.match) if told < 1 else 0.0
    if told > 1 - _OTHERS and min(1.0, told + rest) > _SHARE:
        return _SURE
    return _SURE if _goes_on(seen.lines) else 0.0


def _tells(line: str) -> bool:
    """Whether it is a section, a setting or an item of its value."""
    return bool(_SECTION.match(line) or ("=" in line and _SETTING.match(line)) or _ITEM.match(line))


def _goes_on(lines: list[str]) -> bool:
    """Whether the first line is a section and values go on in lines with an indent, as in INI for Python."""
    first = next((line for line in lines if line[0] not in "#;"), "")
    stated = sum(1 for line in lines if line.endswith((";", "{")))
    return (
        first[:1] == "["
        and _SECTION.match(first) is not None
        and stated < _STATED * len(lines)
        and mostly(lines, lambda line: line[0] in " \t#;" or _SECTION.match(line) or _SETTING.match(line), _SHARE)
    )


def _flat(lines: list[str]) -> bool:
    """Whether each line is a name, once, with a value behind `=`, or a comment: properties, or the environment."""
    if "=" not in lines[0] and lines[0][0] not in "#!":
        return False
    told = [line for line in lines if line[0] not in "#!"]
    if len(told) < _LEAST or not mostly(told, _NAMED.match, _SHARE):
        return False
    return len({line.partition("=")[0] for line in told}) >= _SHARE * len(told)


def _tell(source: Source, facts: Facts) -> str:
    sections: list[tuple[int, str]] = []
    settings: list[tuple[int, str, str]] = []
    for number, line in enumerate(source.lines, 1):
        if section := _SECTION.match(line):
            sections.append((number, section["name"].strip()))
        elif setting := _SETTING.match(line):
            settings.append((number, setting["key"], setting["value"].strip()))
    size = count(source.line_index.count, "line")
    within = f" in {count(len(sections), 'section')}" if sections else ""
    facts.say(f"settings, {size}: {count(len(settings), 'setting')}{within}{source.part}")
    facts.dense(
        "structure",
        sections,
        rank=3,
        share=0.6,
        lead="sections: ",
        of_head=True,
        tell=lambda each: f"{source.number(each[0])} {one_line(each[1])}",
    )
    facts.dense(
        "notable",
        settings,
        rank=6,
        of_head=True,
        tell=lambda each: f"{source.number(each[0])} " + one_line(f"{each[1]} = {each[2]}", _SHORT),
    )
    for number, name in sections or [(number, key) for number, key, _ in settings[:1]]:
        facts.anchor_line(name, number)
    return ""


shape = Shape("settings", _score, _tell, holds_code=True)
