"""Describes JSON: keys and lengths, what the items of an array share, and which of them are different."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import KindName, Source, Synopsis
from ..patterns import Pattern
from ..wording import count, one_line
from . import envelope, lines
from .scan import Document, parse
from .schema import Schema, alarm_told, odd_told, schema, shape
from .tokens import BLANK, Member, shown, text_of, utf8

_START = Pattern(r"\s*+(?:\{\s*+(?:\"|\}|$)|\[\s*+(?:[\[{\"\d\]-]|true|false|null|NaN|$))")
_TELLING = (
    "error",
    "errors",
    "status",
    "ok",
    "success",
    "code",
    "message",
    "detail",
    "total",
    "count",
    "returncode",
    "exit_code",
)
_EXAMPLES = 5
_PATH = Pattern(r"(?:\[\d+\](?:\.|\Z))?(?:[A-Za-z_]\w*(?:\[\d+\])*(?:\.|\Z))*\Z")
_SAMPLE = 900
_BESIDE = 400
"""What of the text behind a sample decides whether its end is a part of a secret."""
_SHORT = 400
_LARGE = 8_192
_DEEPEST = 4


class JsonKind:
    """One JSON value, lines of them, or events that carry them."""

    name: KindName = "json"

    def score(self, source: Source) -> float:
        """By the first characters and the MIME type."""
        if source.mime and "json" in source.mime.lower():
            return 0.97
        if lines.streamed(source):
            return 0.9
        return 0.93 if _START.match(source.clean[:400]) else 0.0

    def describe(self, source: Source) -> Synopsis:
        """The facts; raises ValueError if the text is not JSON, or mostly something else behind a first value."""
        if lines.streamed(source):
            return lines.described_stream(source)
        data = utf8(source)
        document = parse(data)
        rest = bytes(data[document.end :]).strip()
        if rest and document.complete:
            records = lines.described(source, bytes(data), document)
            if records:
                return records
            if len(rest) > document.end - document.start:
                raise ValueError("more text than JSON")
        facts = Facts(source)
        inside = envelope.described(source, document, facts)
        if inside:
            return inside
        title, variant = _tell(source, facts, data, document)
        if rest and document.complete:
            trailing = len(text_of(data[document.end :]).strip())
            facts.say(
                f"{count(trailing, 'character')} after the value: "
                f"{one_line(rest[:300].decode('utf-8', 'replace'), 80)}",
                rank=1,
            )
        if not document.complete:
            variant = "truncated"
            title = f"truncated {title}"
        return facts.build("json", variant, title)


kind = JsonKind()


def _tell(source: Source, facts: Facts, data: Member, document: Document) -> tuple[str, str | None]:
    """Says the facts of one value and returns title and variant."""
    for flag in document.flags:
        facts.say(flag, rank=1)
    at_least = "" if document.whole else "at least "
    if not document.complete:
        facts.say(f"cut short: the text ends inside {_cut_told(document)}", rank=1)
    facts.sample(lambda: _beginning(source.clean), _SAMPLE)
    if document.is_object:
        notebook = envelope.notebook(document, facts)
        _tell_object(source, facts, document, at_least)
        return ("notebook", "notebook") if notebook else ("object", None)
    if not document.members and document.cut_inside:
        facts.say("array of at least 1")
        _tell_largest(source, facts, document)
        return "array", None
    found = schema(document.members, all_there=document.whole)
    of = f" of {found.item}s" if found.item in ("object", "string", "number", "array") else ""
    facts.say(f"array of {at_least}{len(document.members)}{_said_of(found)}")
    facts.ask(found.asked() if document.members else "")
    tell_items(source, facts, data, document, found, "")
    return "array" + of, None


def _beginning(text: str) -> str:
    """The beginning of a text on one line: all that a sample needs, if 4,000 characters have as much without blanks."""
    line = " ".join(text[: 2 * _SAMPLE].split())
    return line if len(line) >= _SAMPLE + _BESIDE else " ".join(text[:4000].split())


def _cut_told(document: Document) -> str:
    """The value that is not there to its end, and how much of it is."""
    if not document.cut_key:
        return "the value"
    inside = document.cut_inside
    kind = "an object" if inside and inside.is_object else "an array"
    size = f", {kind} of at least {len(inside.members)}" if inside and inside.members else ""
    return f"the value of {one_line(document.cut_key, 60)}{size}"


def _said_of(found: Schema) -> str:
    part = f" ({found.where.lstrip()})" if found.reach else ""
    if found.keys:
        return f" {found.keyed}{part}"
    return f": {found.item}{part}" if found.looked_at else ""


def tell_items(source: Source, facts: Facts, data: Member | None, document: Document, found: Schema, path: str) -> None:
    """Says what is different, the keys with their values, and the first and the last item."""
    members = document.members
    offsets = Offsets(source.clean, data, document) if data is not None else None
    for place in found.odd[:3]:
        where = f" (offset {offsets.of(place) + (source.shift or 0)})" if offsets else ""
        facts.notable(f"item {place} {odd_told(members[place])}{where}", rank=1)
        if offsets:
            facts.anchor(f"item {place}", offsets.of(place), len(text_of(members[place])))
    if len(found.odd) > 3:
        facts.notable(f"{len(found.odd) - 3} more items are different{found.where}", rank=2)
    for rank, (place, key) in zip((2, 9, 9), found.alarms):
        where = f" (offset {offsets.of(place) + (source.shift or 0)})" if offsets else ""
        facts.notable(f"item {place} {alarm_told(members[place], key)}{where}", rank=rank)
        if offsets:
            facts.anchor(f"item {place}", offsets.of(place), len(text_of(members[place])))
    if len(found.alarms) > 3:
        facts.notable(f"{len(found.alarms) - 3} more items with such a value{found.where}", rank=3)
    rare = [(key, number) for key, number in found.keys.items() if number <= found.looked_at * 0.05]
    if rare:
        facts.dense(
            "notable",
            [f"{one_line(key, 40)} in {number}" for key, number in rare[:20]],
            lead=f"rare keys{found.where}: ",
            rank=6,
            share=0.3,
        )
    found.say(facts, 0.75)
    if data is not None:
        facts.dense("notable", lambda: _examples(document), tell=_example, lead="examples: ", rank=14, share=0.8)
    if offsets and members:
        for place in (0, len(members) - 1):
            facts.anchor(f"item {place}", offsets.of(place), len(text_of(members[place])))
    if len(members) > 1:
        facts.notable(lambda: f"{path}[{len(members) - 1}] {shown(members[-1], 200)}", rank=16)


def _tell_object(source: Source, facts: Facts, document: Document, at_least: str) -> None:
    keys = document.keys or ()
    pairs = list(zip(keys, document.members))
    limit = 10 if source.rules == "openviking" else len(pairs)
    lead = f"object of {at_least}{count(len(keys) + bool(document.cut_key), 'key')}" + (": " if keys else "")
    if not pairs:
        facts.say(lead)
    total = document.end - document.start

    def told(place: int) -> str:
        key, raw = pairs[place]
        most = f" ({100 * len(raw) // total} % of the text)" if total > _LARGE and 2 * len(raw) > total else ""
        return f"{one_line(key, 60)} {shape(document, place) if raw[:1] in (b'{', b'[') else _scalar(raw)}{most}"

    order = [0 if key.lower() in _TELLING else 1 + place // 10 for place, key in enumerate(keys[:limit])]
    facts.dense("summary", range(len(order)), tell=told, lead=lead, rank=0, ranks=order, share=0.7)
    for key, raw in pairs:
        if key.lower() in _TELLING and len(raw) <= _SHORT and bytes(raw) not in (b"[]", b"{}"):
            facts.say(f"{key}: {shown(raw, 160)}", rank=1)
    facts.dense("notable", lambda: _examples(document), tell=_example, lead="examples: ", rank=14)
    if not _tell_largest(source, facts, document):
        key = keys[document.largest] if document.complete and keys else ""
        facts.ask(key if _PATH.match(key) else "")


def _tell_largest(source: Source, facts: Facts, document: Document) -> bool:
    """Says what is in the array that most of the value is; false if there is none."""
    largest = _largest_array(document)
    if largest is None:
        return False
    path, inside = largest
    found = schema(inside.members, all_there=inside.whole)
    at_least = "" if inside.whole else "at least "
    facts.structure(f"{path}: array of {at_least}{len(inside.members)}{_said_of(found)}", rank=6)
    facts.ask(path + found.asked() if _PATH.match(path) else "")
    tell_items(source, facts, None, inside, found, path)
    return True


def _largest_array(document: Document) -> tuple[str, Document] | None:
    """The array of several items that takes most of an object, where the largest members lead to one."""
    path, inside = "", document
    for _ in range(_DEEPEST):
        step, _, deeper = inside.into_largest()
        if deeper is None:
            return None
        path += ("." if path and inside.is_object else "") + one_line(step, 60)
        if deeper.keys is None and len(deeper.members) > 1:
            return path, deeper
        inside = deeper
    return None


def _scalar(raw: Member) -> str:
    first = bytes(raw[:1])
    return "string" if first == b'"' else one_line(bytes(raw[:60]).decode("utf-8", "replace"), 24)


def _examples(document: Document) -> Iterator[tuple[str, Member]]:
    """The first five scalars with their paths, depth first, of arrays the first item only."""
    left = _EXAMPLES
    stack: list[tuple[str, Document, int, int]] = _members("", document, 0)
    while stack and left:
        path, around, place, depth = stack.pop()
        if around.keys is None:
            path = f"{path}[{place}]"
        else:
            path += ("." if path else "") + one_line(around.keys[place], 40)
        raw = around.members[place]
        if raw[:1] not in (b"{", b"["):
            left -= 1
            yield path, raw
        elif depth <= _DEEPEST and (inside := around.inside(place)):
            stack += _members(path, inside, depth)


def _members(path: str, document: Document, depth: int) -> list[tuple[str, Document, int, int]]:
    """The members to look at for examples, the last first, each with the path of what is around it."""
    most = (20 if path else 200) if document.is_object else 1
    return [(path, document, place, depth + 1) for place in range(min(most, len(document.members)))][::-1]


def _example(found: tuple[str, Member]) -> str:
    path, raw = found
    return f"{path} = {shown(raw, 80)}"


class Offsets:
    """Where the items of an array begin, in code points of `text`, which `data` was made of."""

    def __init__(self, text: str, data: Member, document: Document) -> None:
        self._is_ascii = text.isascii()
        self._data = data
        self._document = document
        self._known: dict[int, int] = {}

    def of(self, place: int) -> int:
        """The offset of item `place`."""
        if place not in self._known:
            at = self._byte(place)
            self._known[place] = at if self._is_ascii else len(text_of(self._data[:at]))
        return self._known[place]

    def _byte(self, place: int) -> int:
        members, at = self._document.members, self._document.start + 1
        if place == len(members) - 1 and self._document.whole:
            end = self._document.end - 1
            while self._data[end - 1] in BLANK:
                end -= 1
            return end - len(members[-1])
        for member in members[:place]:
            at = self._next(at) + len(member)
        return self._next(at)

    def _next(self, at: int) -> int:
        while self._data[at] in b" \t\r\n,":
            at += 1
        return at
