"""Many JSON values in one text: one a line, one behind another, or in the events of a stream."""

from __future__ import annotations

from collections import Counter

from ..facts import Facts
from ..model import HEAD_CHARS, Source, Synopsis
from ..patterns import Pattern
from ..wording import count, ending, one_line
from .scan import Document, parse
from .schema import Schema, alarm_told, odd_told, schema
from .tokens import Member, shown, text_of
from .whole import is_whole

_EVENT = Pattern(r"(?:(?:event|id|retry): ?[^\n]{0,200}\n|:[^\n]{0,200}\n|\s|(?!))*+data: ?\{")
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
        records, places, bad = _records(lines)
        nested = sum(1 for record in records if record[:1] in (b"{", b"["))
        if len(records) >= 2 and 2 * nested >= len(records) and len(bad) <= max(1, len(records) // 5):
            return _told_lines(source, records, places, bad)
    return _concatenated(source, data, first)


def _records(lines: list[bytes]) -> tuple[list[Member], list[int], list[int]]:
    """The lines that are complete values, their numbers, and the numbers of those that are not."""
    records: list[Member] = []
    places: list[int] = []
    bad: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if is_whole(line):
            records.append(line.strip())
            places.append(number)
        else:
            bad.append(number)
    return records, places, bad


def _told_lines(source: Source, records: list[Member], places: list[int], bad: list[int]) -> Synopsis:
    facts = Facts(source)
    found = schema(records, all_there=not source.partial)
    keyed = f"; {found.keyed}" if found.keys else f"; {found.item}"
    if source.partial:
        total = len(records) + len(bad) + _filled(source.clean[len(source.head) :])
        read = f"{count(len(records), 'record')} in the first {len(records) + len(bad)}"
        facts.say(f"{count(total, 'line')}, {read}{keyed}{f' ({found.where.strip()})' if found.reach else ''}")
    else:
        facts.say(f"{count(len(records), 'record')}, one a line{keyed}")
    for number in bad[:3]:
        cut = number == source.line_index.count
        facts.notable(
            f"line {source.number(number)} is not JSON{' (cut short)' if cut else ''}: "
            f"{one_line(source.lines[number - 1], 160)}",
            rank=1,
        )
        facts.anchor_line(f"line {number}", number)
    if len(bad) > 3:
        facts.notable(f"{count(len(bad) - 3, 'more line')} not JSON{found.where}", rank=2)
    _tell_records(source, facts, records, places, found)
    if bad and bad[-1] == source.line_index.count and not source.clean.endswith("\n"):
        return facts.build("json", "truncated", "ndjson, truncated")
    return facts.build("json", "ndjson")


def _filled(text: str) -> int:
    """How many lines are not blank."""
    if "\n\n" not in text and not text.startswith("\n"):
        return text.count("\n") + (not text.endswith("\n"))
    return sum(1 for line in text.split("\n") if line and not line.isspace())


def _tell_records(source: Source, facts: Facts, records: list[Member], places: list[int], found: Schema) -> None:
    """The odd records, the keys, and both ends."""
    for place in found.odd[:3]:
        line = places[place]
        facts.notable(f"line {source.number(line)} {odd_told(records[place])}", rank=1)
        facts.anchor_line(f"line {line}", line)
    if len(found.odd) > 3:
        facts.notable(f"{count(len(found.odd) - 3, 'more record')} of another form{found.where}", rank=2)
    for rank, (place, key) in zip((2, 9, 9), found.alarms):
        line = places[place]
        facts.notable(f"line {source.number(line)} {alarm_told(records[place], key)}", rank=rank)
        facts.anchor_line(f"line {line}", line)
    if len(found.alarms) > 3:
        facts.notable(f"{count(len(found.alarms) - 3, 'more record')} with such a value{found.where}", rank=3)
    _say_errors(source, facts)
    facts.ask(found.asked(by_place=not found.odd))
    found.say(facts, 0.7)
    if records:
        facts.anchor_line("first record", places[0])
        facts.notable(lambda: f"first: {shown(records[0], 240)}", rank=14)
        last = source.clean.rstrip("\n").rpartition("\n")[2] if source.partial else records[-1]
        facts.notable(f"last: {one_line(last[:640], 240) if isinstance(last, str) else shown(last, 240)}", rank=15)
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
    more = data[at:].strip()
    found = schema(records, all_there=not more)
    keyed = f"; {found.keyed}{f' ({found.where.strip()})' if found.reach else ''}" if found.keys else ""
    facts.say(f"{'at least ' if more else ''}{count(len(records), 'value')} one behind the other{keyed}")
    found.say(facts, 0.7)
    facts.notable(lambda: f"first: {shown(records[0], 240)}", rank=14)
    if more:
        facts.ends(ending(source.clean, 240), rank=15)
    else:
        facts.notable(lambda: f"last: {shown(records[-1], 240)}", rank=15)
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
    part = f" in the first {count(len(source.lines), 'line')}" if source.partial else ""
    if names:
        facts.dense(
            "structure",
            [f"{one_line(name, 60)} {number}" for name, number in names.most_common(20)],
            lead=f"event names{part}: ",
            rank=6,
        )
    good, _, bad = _records([bytes(record) for record in records])
    found = schema(good, all_there=not source.partial)
    if bad:
        facts.notable(f"{count(len(bad), 'event')} without valid JSON{part}", rank=2)
    found.say(facts, 0.7)
    if good:
        facts.notable(f"first: {shown(good[0], 240)}", rank=14)
        at = source.clean.rfind("\ndata: {") + 7
        last = source.clean[at : at + 640].partition("\n")[0] if source.partial and at > 6 else text_of(good[-1])
        facts.notable(f"last: {one_line(last, 240)}", rank=15)
    return facts.build("json", "sse")
