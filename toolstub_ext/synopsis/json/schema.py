"""What the items of an array have in common, and which of them are different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby, islice, takewhile
from operator import itemgetter
from typing import Any, TypeVar

from ..asking import is_plain, rarest
from ..facts import Facts
from ..wording import count, may_name_secret, names_secret, one_line
from .alarms import ERRORS, JUDGED, alarming
from .raws import Raws, joined
from .scan import Document, split
from .tokens import Member, shown, value_of
from .values import TYPE_NAMES, values_of

T = TypeVar("T")

SAMPLE_BYTES = 128 * 1024
_FEW = 8
_BEGINNING = 400
_MOST_TRIED = 60
"""Keys that are looked at for a value to ask for: items with thousands of them would be gone through once for each."""
Shape = tuple[str, ...] | None
"""The keys of an object; None for what is none."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The items looked at: how many, the union of their keys with counts, and the odd ones by index.

    `rows` are the objects among them that are not odd, `alarms` those of them with a value that alarms, by index and
    key; `told` says what there is to say of scalars; `reach` says which items were looked at ("the first 900 and the
    last"), and is empty if that is all of them.
    """

    looked_at: int
    keys: dict[str, int]
    odd: tuple[int, ...]
    item: str
    rows: Sequence[dict[str, Any]] = ()
    alarms: tuple[tuple[int, str], ...] = ()
    told: str = ""
    reach: str = ""

    @property
    def where(self) -> str:
        """` in the first 900 and the last`, to stand behind what is only known of those; empty if all is known."""
        return f" in {self.reach}" if self.reach else ""

    @property
    def keyed(self) -> str:
        """`objects with 3 keys in 13 of 14: id, name, total`; empty where the items have no keys."""
        if not self.keys:
            return ""
        usual = self.looked_at - len(self.odd)
        common = [key for key, number in self.keys.items() if number >= usual * 0.5]
        more = f", … {len(common) - 12} more" if len(common) > 12 else ""
        but = f" in {usual} of {self.looked_at}" if self.odd else ""
        return (
            f"objects with {count(len(self.keys), 'key')}{but}: "
            + ", ".join(one_line(key, 40) for key in common[:12])
            + more
        )

    def say(self, facts: Facts, share: float) -> None:
        """The keys with their types, ranges and commonest values."""
        lead = f"in {self.reach}: " if self.reach else ""
        if self.odd and self.keys:
            lead = f"in the {self.looked_at - len(self.odd)} that are alike{self.where}: "
        if self.keys:
            column = partial(self._column, may_name_secret("\n".join(self.keys)))
            facts.dense("structure", self.keys, tell=column, rank=8, share=share, lead=lead)
        elif self.told:
            facts.dense("structure", [self.told], rank=8, share=share, lead=lead)

    def asked(self, *, by_place: bool = True) -> str:
        """`[317]`, an item that is different; else `[?status=='failed']`, the rarest value of a key that has a few.

        Keys that judge are asked for first. It is `[0]` where there is no such key. Items are only asked for
        `by_place` if all of them can be read, and so have the places that they are seen to have.
        """
        strange = [*self.odd, *(place for place, _ in self.alarms)]
        if strange and by_place:
            return f"[{strange[0]}]"
        for key in sorted(self.keys, key=lambda key: key.lower() not in JUDGED)[:_MOST_TRIED]:
            present = (value for row in self.rows if (value := row.get(key)) is not None)
            first = [*islice(present, _FEW)] if is_plain(key) else ()
            if set(map(type, first)) == {str} and (found := rarest([*first, *present])):
                return f"[?{key}=='{found}']"
        return "[0]"

    def _column(self, may_be_secret: bool, key: str) -> str:
        """`total number 4.2..998`: a key with its types, range or commonest values."""
        everywhere = self.keys[key] == len(self.rows)
        values = list(map(itemgetter(key), self.rows)) if everywhere else [row[key] for row in self.rows if key in row]
        missing = f" in {len(values)} of {len(self.rows)}" if len(values) < len(self.rows) else ""
        told = values_of(values, secret=may_be_secret and names_secret(key))
        return f"{one_line(key, 60)} {told}{missing}"


def schema(members: Sequence[Member], *, all_there: bool = True) -> Schema:
    """Looks at the items of the first 128 KiB and at the last one; without `all_there` more items follow these."""
    values = _values(_sample(members))
    taken = list(range(len(values)))
    reach = f"the first {len(taken)}" if len(taken) < len(members) or not all_there else ""
    if len(taken) < len(members) and len(members[-1]) <= SAMPLE_BYTES:
        taken.append(len(members) - 1)
        values.append(_value(members[-1]))
        reach += " and the last" if all_there else f" and number {len(members)}"
    kinds = Counter(map(type, values))
    common = max(kinds, key=kinds.__getitem__, default=None)
    if common is dict:
        return _of_objects(values, taken, reach)
    odd = tuple([place for place, value in zip(taken, values) if type(value) is not common]) if len(kinds) > 1 else ()
    if len(odd) > len(taken) // 4:
        odd = ()
    told = values_of(values) if common in (str, int, float, bool) else ""
    return Schema(len(taken), {}, odd, _mixed(kinds) if kinds else "nothing", told=told, reach=reach)


def _of_objects(values: list[Any], taken: list[int], reach: str) -> Schema:
    """What objects have in common: by their shapes, the tuples of keys, of which there are few."""
    formed = [tuple(value) if type(value) is dict else None for value in values]
    runs = [(shape, len([*alike])) for shape, alike in groupby(formed)]
    shapes: dict[Shape, int] = {}
    for shape, number in runs:
        shapes[shape] = shapes.get(shape, 0) + number
    others = shapes.pop(None, 0)
    rows = len(values) - others
    every = _keys(shapes)
    strange = {None, *_odd_shapes(shapes, every, rows)}
    odd: tuple[int, ...] = ()
    if others or len(strange) > 1:
        odd = tuple(_of_runs(taken, [(shape in strange, number) for shape, number in runs]))
    if not odd or len(odd) > max(1, rows // 4):
        objects = _of_runs(values, [(shape is not None, number) for shape, number in runs]) if others else values
        return Schema(len(taken), every, (), "object", objects, alarming(values, taken, every), reach=reach)
    usual = _of_runs(values, [(shape not in strange, number) for shape, number in runs])
    alarms = tuple([(place, key) for place, key in alarming(values, taken, every) if place not in odd])
    return Schema(len(taken), _keys(shapes, strange), odd, "object", usual, alarms, reach=reach)


def _of_runs(items: list[T], runs: list[tuple[bool, int]]) -> list[T]:
    """The items of those runs, one behind the other, that are wanted; each run says so, and how many it has."""
    chosen: list[T] = []
    at = 0
    for wanted, number in runs:
        if wanted:
            chosen += items[at : at + number]
        at += number
    return chosen


def _odd_shapes(shapes: dict[Shape, int], keys: dict[str, int], rows: int) -> set[Shape]:
    """Those without most of the common keys, or with a rare key that tells of an error."""
    if len(shapes) < 2:
        return set()
    common = {key for key, number in keys.items() if number >= rows * 0.5}
    rare = {key for key in keys if key.lower() in ERRORS and keys[key] <= rows * 0.2}
    return {
        shape
        for shape in shapes
        if (rare and not rare.isdisjoint(shape or ()))
        or (common and len(common.intersection(shape or ())) < len(common) / 2)
    }


def _sample(members: Sequence[Member]) -> Sequence[Member]:
    """As many of the first members as are not longer than 128 KiB in all, or the first one."""
    if isinstance(members, Raws) and 0 < len(members.text) <= SAMPLE_BYTES:
        return members
    sizes = members.sizes() if isinstance(members, Raws) else map(len, members)
    fitting = len([*takewhile(SAMPLE_BYTES.__ge__, accumulate(sizes))])
    return members[: max(1, fitting)]


def _values(sample: Sequence[Member]) -> list[Any]:
    """The Python values of the members, all at once where that can be done; None for one that is too long."""
    if not sample or len(sample[0]) <= SAMPLE_BYTES:  # only the first one may be longer
        values = value_of(joined(sample))
        if isinstance(values, list):
            return values  # else one of them at least has to be shown as it stands
    return [_value(member) for member in sample]


def _value(member: Member) -> Any:
    """The Python value; of one that is too long its beginning, or as many members, so that type and size are right."""
    if len(member) <= SAMPLE_BYTES:
        return value_of(member)
    inside = split(member)
    if inside is None:
        return bytes(member[:_BEGINNING]).decode("utf-8", "replace")
    if inside.keys is None:
        return [None] * len(inside.members)
    return {key: _value(deeper) for key, deeper in zip(inside.keys, inside.members)}


def _keys(shapes: dict[Shape, int], but: Collection[Shape] = ()) -> dict[str, int]:
    """How many objects have each key, those of some shapes left out."""
    keys: dict[str, int] = {}
    for shape, number in shapes.items():
        if shape not in but:
            for key in shape or ():
                keys[key] = keys.get(key, 0) + number
    return keys


def _mixed(kinds: Counter[type]) -> str:
    named = [(TYPE_NAMES.get(kind, "value"), number) for kind, number in kinds.most_common(4)]
    return named[0][0] if len(kinds) == 1 else "mixed: " + ", ".join(f"{number} {name}" for name, number in named)


def alarm_told(raw: Member, key: str) -> str:
    """`has level: "error" in {"id": 7, …`."""
    inside = split(raw)
    keys = inside.keys if inside and inside.keys else ()
    value = f": {shown(inside.members[keys.index(key)], 100)}" if inside and key in keys else ""
    return f"has {one_line(key, 40)}{value} in {shown(raw, 100)}"


def odd_told(raw: Member) -> str:
    """`has error: "no stock" in {"id": 7, …`, or `is different: {"other": …`: what there is to say of an odd item."""
    inside = split(raw)
    if inside and inside.keys and len(inside.keys) > 2:
        for key, value in zip(inside.keys, inside.members):
            if key.lower() in ERRORS:
                return f"has {one_line(key, 40)}: {shown(value, 120)} in {shown(raw, 60)}"
    return f"is different: {shown(raw, 200)}"


def shape(document: Document, place: int) -> str:
    """`array of 2`, `object of 3 {id, name, ...}`, or the scalar itself: one level, never more."""
    raw = document.members[place]
    inside = document.inside(place) if raw[:1] in (b"{", b"[") else None
    if inside is None:
        return one_line(bytes(raw[:400]).decode("utf-8", "replace"), 80)
    if inside.keys is None:
        return f"array of {'' if inside.whole else 'at least '}{len(inside.members)}"
    at_least = "" if inside.whole else "at least "
    shown = ", ".join(one_line(key, 30) for key in inside.keys[:6])
    more = f", … {len(inside.keys) - 6} more" if len(inside.keys) > 6 else ""
    return (
        f"object of {at_least}{count(len(inside.keys), 'key')} {{{shown}{more}}}" if inside.keys else "object of 0 keys"
    )
