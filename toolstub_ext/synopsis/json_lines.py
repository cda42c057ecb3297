"""Many JSON values in one text: one a line, one behind another, or in the events of a stream."""

from __future__ import annotations

from collections import Counter

from .facts import Facts
from .json_scan import Document, is_whole, parse
from .json_schema import Schema, schema
from .json_tokens import Member
from .model import HEAD_CHARS, Source, Synopsis
from .patterns import Pattern
from .wording import count, one_line

_EVENT = Pattern(r"(?:(?:event|id|retry): ?[^\n]{0,200}\n|:[^\n]{0,200}\n|\s)*+data: ?\{")
_MOST = 1000


def streamed(source: Source) -> bool:
    """Whether the text is server-sent events with JSON in them."""
    return _EVENT.match(source.clean[:2000]) is not None


def described(source: Source, data: bytes, first: Document) -> Synopsis | None:
    """The synopsis of several values, or None if what follows the first value is not JSON."""
    if data[first.end : first.end + 2].lstrip(b"\r").startswith(b"\n"):
        lines = data[:HEAD_CHARS].split(b"\n")
        if len(data) > HEAD_CHARS:
            lines.pop()
        records, bad = _records(lines)
        if len(records) >= 2 and len(bad) <= max(1, len(records) // 5):
            return _told_lines(source, records, bad)
    return _concatenated(source, data, first)


def _records(lines: list[bytes]) -> tuple[list[Member], list[int]]:
    """The lines that are complete objects or arrays, and the numbers of those that are not."""
    records: list[Member] = []
    bad: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if is_whole(line):
            records.append(line.strip())
        else:
            bad.append(number)
    return records, bad


def _told_lines(source: Source, records: list[Member], bad: list[int]) -> Synopsis:
    facts = Facts(source)
    total = len(records)
    if source.partial:
        rest = source.clean[len(source.head) :]
        total += rest.count("\n{") + rest.count("\n[") + rest.startswith(("{", "["))
    found = schema(records)
    part = f", keys from the first {len(records)}" if source.partial else ""
    keys = f" with {count(len(found.keys), 'key')}" if found.keys else ""
    facts.say(f"{count(total, 'record')}, one a line{keys}{part}")
    for number in bad[:3]:
        cut = number == source.line_index.count
        facts.notable(
            f"line {source.number(number)} is not JSON{' (cut short)' if cut else ''}: "
            f"{one_line(source.lines[number - 1], 160)}",
            rank=1,
        )
        facts.anchor_line(f"line {number}", number)
    tell_records(source, facts, records, found)
    if bad and bad[-1] == source.line_index.count and not source.clean.endswith("\n"):
        return facts.build("json", "truncated", "ndjson, truncated")
    return facts.build("json", "ndjson")


def tell_records(source: Source, facts: Facts, records: list[Member], found: Schema) -> None:
    """The odd records, the keys, and both ends."""
    for place in found.odd[:3]:
        facts.notable(f"record {place + 1} is different: {_shown(records[place], 200)}", rank=1)
        facts.anchor_line(f"record {place + 1}", place + 1)
    _say_errors(source, facts)
    found.say(facts, 0.7)
    if records:
        facts.notable(f"first: {_shown(records[0], 240)}", rank=14)
        last = source.clean.rstrip("\n").rpartition("\n")[2] if source.partial else records[-1]
        facts.notable(f"last: {one_line(last[:640], 240) if isinstance(last, str) else _shown(last, 240)}", rank=15)
        facts.anchor_line("last record", source.line_index.count)


def _say_errors(source: Source, facts: Facts) -> None:
    """Records behind the head that speak of an error, by a search at C speed."""
    if not source.partial:
        return
    for word in ('"error"', '"level":"error"', '"ERROR"', '"exception"'):
        at = source.clean.find(word, len(source.head))
        if at >= 0:
            line = source.clean_index.line_of(at)
            start = source.clean.rfind("\n", 0, at) + 1
            facts.notable(f"line {line}: {one_line(source.clean[start : start + 700], 240)}", rank=2)
            facts.anchor_line(word, line)


def _shown(raw: Member, most: int) -> str:
    return one_line(bytes(raw[: 2 * most + 400]).decode("utf-8", "replace"), most)


def _concatenated(source: Source, data: bytes, first: Document) -> Synopsis | None:
    """Values one behind the other, as `jq .` prints them."""
    head = memoryview(data)[:HEAD_CHARS]
    records: list[Member] = [head[first.start : first.end]]
    at = first.end
    while at < len(head) and len(records) < _MOST:
        rest = bytes(head[at : at + 64]).lstrip()
        if not rest:
            break
        if rest[:1] not in (b"{", b"["):
            return None
        try:
            value = parse(bytes(head[at:]) if len(records) == 1 else bytes(head[at : at + 4 * len(records[-1]) + 4096]))
        except ValueError:
            return None
        if not value.complete:
            break
        records.append(head[at + value.start : at + value.end])
        at += value.end
    if len(records) < 2:
        return None
    facts = Facts(source)
    found = schema(records)
    more = "at least " if at < len(data.rstrip()) else ""
    facts.say(
        f"{more}{count(len(records), 'value')} one behind the other"
        + (f" with {count(len(found.keys), 'key')}" if found.keys else "")
    )
    found.say(facts, 0.7)
    facts.notable(f"first: {_shown(records[0], 240)}", rank=14)
    facts.notable(f"last: {_shown(records[-1], 240)}", rank=15)
    return facts.build("json", "concatenated")


def described_stream(source: Source) -> Synopsis:
    """The synopsis of server-sent events."""
    facts = Facts(source)
    text = "\n" + source.clean
    events = text.count("\ndata:")
    names = Counter(line[6:].strip() for line in source.lines if line.startswith("event:"))
    records: list[Member] = [
        line[5:].strip().encode("utf-8", "replace") for line in source.lines if line.startswith(("data: {", "data:{"))
    ]
    facts.say(
        f"{count(events, 'server-sent event')}" + ("; ends with [DONE]" if text.rstrip().endswith("[DONE]") else "")
    )
    if names:
        facts.dense(
            "structure",
            [f"{one_line(name, 60)} {number}" for name, number in names.most_common(20)],
            lead="event names: ",
            rank=6,
        )
    good, bad = _records([bytes(record) for record in records])
    found = schema(good)
    if bad:
        facts.notable(f"{count(len(bad), 'event')} without valid JSON", rank=2)
    found.say(facts, 0.7)
    if good:
        facts.notable(f"first: {_shown(good[0], 240)}", rank=14)
        facts.notable(f"last: {_shown(good[-1], 240)}", rank=15)
    return facts.build("json", "sse")
