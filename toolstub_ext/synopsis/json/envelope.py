"""JSON around something else: a long text in one string, as many tools answer, and a Jupyter notebook."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

from ..facts import Facts
from ..model import Source, Synopsis
from ..wording import count, one_line
from .scan import Document
from .tokens import Member, value_of
from .whole import is_whole

_LONG = 400
_DEPTH = 4
_SHORT = 200
_TYPES = {b"{": "object", b"[": "array", b'"': "string"}


def described(source: Source, document: Document, facts: Facts) -> Synopsis | None:
    """The description of the one long text that the value is mostly made of, or None if it is not."""
    found = _longest(document, document.end - document.start)
    if found is None:
        return None
    path, text = found
    from ..kinds import describe

    at_least = "" if document.whole else "at least "
    cut = "" if document.complete else ", cut short"
    size = at_least + count(len(text), "character")
    facts.say(f"an envelope: {path} is a text of {size}{cut}; lines below are its own")
    facts.dense("summary", _beside(document), rank=1, lead="beside it: ", share=0.4)
    outer = facts.build("json")
    cost = sum(len(line) + 3 for line in outer.summary)
    inside = describe(Source(text, None, source.tool, source.budget - cost, source.rules))
    title = f"enveloped {inside.kind} {inside.title or inside.variant or ''}"
    return replace(
        inside,
        kind="json",
        variant="enveloped" if document.complete else "truncated",
        query=inside.query if document.whole else "",
        title=one_line(title if document.complete else f"truncated, {title}", 60),
        summary=(*outer.summary, *inside.summary),
        anchors=(),
        chars=outer.chars,
        lines=outer.lines,
    )


def _longest(document: Document, size: int) -> tuple[str, str] | None:
    """The path and the text of a string of several lines, or of JSON, that is four fifths of the value."""
    path, inside = "", document
    for _ in range(_DEPTH):
        if len(inside.members) > 40:
            return None
        step, raw, deeper = inside.into_largest()
        if len(raw) < 0.8 * size or len(raw) < _LONG:
            return None
        path += f".{one_line(step, 40)}" if inside.is_object else step
        if raw[:1] == b'"':
            text = _text_of(raw, cut=raw is inside.cut)
            return (path.lstrip("."), text) if text is not None and _is_text(text) else None
        if deeper is None:
            return None
        inside = deeper
    return None


@cache
def _cut_end() -> re.Pattern[bytes]:
    """What a cut may go through: an escape, half of a pair of them, or a letter of several bytes."""
    return re.compile(
        rb"(?<!\\)((?:\\\\|(?!))*+)(?:\\u[dD][89abAB][0-9a-fA-F]{2})?(?:\\(?:u[0-9a-fA-F]{0,3})?)?"
        rb"(?:[\xc0-\xff][\x80-\xbf]{0,2})?\Z"
    )


def _text_of(raw: Member, *, cut: bool) -> str | None:
    """The text that a string is; of one that is cut off, what there is of it."""
    ended = bytes(raw) if not cut or is_whole(bytes(raw)) else _cut_end().sub(rb"\1", bytes(raw)) + b'"'
    value = value_of(ended)
    return value if isinstance(value, str) else None


def _is_text(text: str) -> bool:
    """Whether a string has several lines, or is JSON once more."""
    return "\n" in text or text[:1] in ("{", "[")


def _beside(document: Document) -> list[str]:
    """What else is on the first level: the short, which often tells whether it went well, and how long the other is."""
    largest, _, _ = document.into_largest()
    pairs = zip(document.keys or (), document.members)
    return [f"{one_line(key, 40)} {_brief(bytes(raw))}" for key, raw in pairs if key != largest]


def _brief(raw: bytes) -> str:
    if len(raw) <= _SHORT:
        return one_line(raw.decode("utf-8", "replace"), 60)
    return f"{_TYPES.get(raw[:1], 'number')} of {count(len(raw), 'byte')}"


def notebook(document: Document, facts: Facts) -> bool:
    """Says what is in a Jupyter notebook; false if the value is none."""
    keys = document.keys or ()
    cells = document.inside(keys.index("cells")) if "cells" in keys and "nbformat" in keys else None
    if cells is None or cells.is_object:
        return False
    kinds: Counter[str] = Counter()
    headings: list[str] = []
    errors: list[str] = []
    outputs = 0
    for place, raw in enumerate(cells.members):
        cell = value_of(raw) if len(raw) < 256 * 1024 else None
        if not isinstance(cell, dict):
            continue
        kinds[str(cell.get("cell_type"))] += 1
        first = _joined(cell.get("source")).strip().partition("\n")[0]
        if first.startswith("#") and cell.get("cell_type") == "markdown":
            headings.append(f"[{place}] {one_line(first.lstrip('# '), 60)}")
        found = cell.get("outputs")
        for output in found if isinstance(found, list) else []:
            outputs += 1
            if isinstance(output, dict) and output.get("output_type") == "error":
                errors.append(
                    f"cell {place}: {one_line(str(output.get('ename')), 40)}: "
                    f"{one_line(str(output.get('evalue')), 120)}"
                )
    facts.say(
        f"Jupyter notebook, {count(len(cells.members), 'cell')}: "
        f"{', '.join(f'{n} {name}' for name, n in kinds.most_common())}; {count(outputs, 'output')}"
    )
    for error in errors[:3]:
        facts.notable(error, rank=1)
    facts.dense("structure", headings, lead="headings: ", rank=4)
    return True


def _joined(source: object) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")
