"""JSON around something else: a long text in one string, as many tools answer, and a Jupyter notebook."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..facts import Facts
from ..model import Source, Synopsis
from ..wording import count, one_line
from .scan import Document
from .tokens import value_of

_LONG = 400
_DEPTH = 4
_SHORT = 200
_TYPES = {b"{": "object", b"[": "array", b'"': "string"}


def described(source: Source, document: Document, facts: Facts) -> Synopsis | None:
    """The description of the one long text that the value is mostly made of, or None if it is not."""
    if not document.whole:
        return None
    found = _longest(document, document.end - document.start)
    if found is None:
        return None
    path, text = found
    from ..kinds import describe

    facts.say(f"an envelope: {path} is a text of {count(len(text), 'character')}; lines below are its own")
    facts.dense("summary", _beside(document), rank=1, lead="beside it: ", share=0.4)
    outer = facts.build("json")
    cost = sum(len(line) + 3 for line in outer.summary)
    inside = describe(Source(text, None, source.tool, source.budget - cost, source.rules))
    detail = inside.title or inside.variant
    return replace(
        inside,
        kind="json",
        variant="enveloped",
        title=one_line(f"enveloped {inside.kind}{' ' + detail if detail else ''}", 60),
        summary=(*outer.summary, *inside.summary),
        anchors=(),
        chars=outer.chars,
        lines=outer.lines,
    )


def _longest(document: Document, size: int) -> tuple[str, str] | None:
    """The path and the text of a string of several lines, or of JSON, that is four fifths of the value."""
    path, inside = "", document
    for _ in range(_DEPTH):
        if not inside.members or len(inside.members) > 40:
            return None
        place = inside.largest
        raw = inside.members[place]
        if len(raw) < 0.8 * size or len(raw) < _LONG:
            return None
        path += f".{one_line(inside.keys[place], 40)}" if inside.keys is not None else f"[{place}]"
        if raw[:1] == b'"':
            text = value_of(raw)
            return (path.lstrip("."), text) if isinstance(text, str) and _is_text(text) else None
        deeper = inside.inside(place)
        if deeper is None:
            return None
        inside = deeper
    return None


def _is_text(text: str) -> bool:
    """Whether a string has several lines, or is JSON once more."""
    return "\n" in text or text[:1] in ("{", "[")


def _beside(document: Document) -> list[str]:
    """What else is on the first level: the short, which often tells whether it went well, and how long the other is."""
    pairs = enumerate(zip(document.keys or (), document.members))
    return [f"{one_line(key, 40)} {_brief(bytes(raw))}" for place, (key, raw) in pairs if place != document.largest]


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
