"""What there is to say of values that have a key in common, in a few words: their types, ranges, commonest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import chain
from typing import Any

from ..patterns import Pattern
from ..wording import MASK, clip, one_line
from .tokens import Beyond

_DATE = Pattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]{0,12}(?:Z|[+-]\d\d:?\d\d)?)?\Z")
_FEW = 8
_MOST_BEYOND = 3
TYPE_NAMES = {
    type(None): "null",
    bool: "bool",
    int: "int",
    float: "number",
    str: "string",
    dict: "object",
    list: "array",
    Beyond: "NaN or too large",
}


def type_name(value: Any) -> str:
    """The name of the type of a decoded value, as JSON calls it, with integers told apart."""
    return TYPE_NAMES.get(type(value), "value")


def values_of(values: list[Any], *, secret: bool = False) -> str:
    """The types of `values` and what is worth knowing about them, in a few words; of secret texts nothing."""
    kinds = set(map(type, values))
    present, note = values, ""
    if type(None) in kinds:
        kinds.discard(type(None))
        present = [value for value in values if value is not None]
        note = f", {len(values) - len(present)} null"
    if Beyond in kinds:
        kinds.discard(Beyond)
        note += _beyond([value for value in present if type(value) is Beyond])
        present = [value for value in present if type(value) is not Beyond]
        if not kinds:
            return note.removeprefix(", ")
    if not kinds:
        return "null"
    only = next(iter(kinds)) if len(kinds) == 1 else None
    if only is str:
        return "string" + (f" {MASK}" if secret else _strings(present)) + note
    if only is bool:
        return f"bool {present.count(True)} true" + note
    if kinds <= {int, float}:
        low, high = min(present), max(present)
        span = _figure(low) if low == high else f"{_figure(low)}..{_figure(high)}"
        return f"{'int' if only is int else 'number'} {span}" + note
    if only is dict:
        return "object" + _keys_of(present) + note
    if only is list:
        sizes = sorted(map(len, present))
        return f"array of {sizes[0]}" + (f"..{sizes[-1]}" if sizes[-1] != sizes[0] else "") + note
    common = Counter(map(type, present)).most_common(3)
    return "|".join(f"{type_name(kind())} {number}" for kind, number in common) + note


def _beyond(values: list[Beyond]) -> str:
    """`, 2 NaN, 1 -Infinity`."""
    counted = Counter(values).most_common()
    if len(counted) > _MOST_BEYOND:
        return f", {len(values)} such as {one_line(values[0], 24)}"
    return "".join(f", {number} {one_line(figure, 24)}" for figure, number in counted)


def _figure(value: float) -> str:
    return clip(repr(value), 24)


def _strings(values: list[str]) -> str:
    distinct: Collection[str] = set(values)
    if len(distinct) == 1:
        return f" always {one_line(repr_of(values[0]), 60)}" if len(values) > 1 else ""
    if all(map(_DATE.match, distinct)):
        return f" {min(distinct)}..{max(distinct)}"
    if len(distinct) <= _FEW and len(values) >= 2 * len(distinct):
        return " " + ", ".join(
            f"{one_line(value, 24) or '(empty)'} {number}" for value, number in Counter(values).most_common()
        )
    if len(values) > 3:
        return " unique" if len(distinct) == len(values) else f" {len(distinct)} values"
    return ""


def _keys_of(values: list[dict[str, Any]]) -> str:
    keys = [*dict.fromkeys(chain.from_iterable(values))]
    last = [next(row[key] for row in reversed(values) if key in row) for key in keys[:6]]
    shown = ", ".join(f"{one_line(key, 30)} {type_name(value)}" for key, value in zip(keys, last))
    return " {" + shown + (f", … {len(keys) - 6} more" if len(keys) > 6 else "") + "}"


def repr_of(text: str) -> str:
    """`text` in double quotes, as JSON shows it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
