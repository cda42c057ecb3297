"""The tools a model reads originals with: their definitions, and their answers.

A model is the reader here. Every reply begins with a line that says what it covers and how to go on, and none is longer
than `reply_chars`; what goes wrong is one line that says what to do instead. `run` is total: whatever a model sends as
arguments, it gets an answer. So it takes a number written as a string, null or "" for what is left out, and "10-20" for
lines, and does not mind arguments that it does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import RefExpired, RefNotFound, StoreError
from ..store import Entry, Hit, Slice, Store
from .definitions import ALLOWANCES, DEFINITIONS

NAMES: tuple[str, ...] = ("toolstub_read", "toolstub_search", "toolstub_list", "toolstub_query")

_MARK = "[toolstub] "
_HEADER_CHARS = 240
_HITS, _HIT_CHARS = 20, 240
_FEW_HITS = 5
_ENTRIES, _ENTRY_CHARS = 50, 160
_SHOWN_CHARS = 60
_CONTEXT_CHARS = 500
_AROUND = 1_000


def is_ours(name: str) -> bool:
    """Whether the tool of that name is one of these."""
    return name in NAMES


def definitions(wire: str) -> str:
    """The JSON text of the definitions for a wire format, joined by commas, without brackets; the same bytes always."""
    if wire not in DEFINITIONS:
        known = ", ".join(DEFINITIONS)
        raise ValueError(f"there are no tool definitions for wire format {wire!r}; there are for {known}")
    return DEFINITIONS[wire]


def allowance(wire: str) -> str:
    """The JSON text by which a wire format's list of allowed tools names these, joined by commas, without brackets."""
    return ALLOWANCES[wire]


def run(name: str, arguments: str, *, store: Store, owner: str, session: str, reply_chars: int = 6_000) -> str:
    """The reply, of at most `reply_chars` characters, to a call with that JSON text as arguments."""
    tool = _TOOLS.get(name, _unknown)
    try:
        reply = tool(_Call(name, store, owner, session, max(1, reply_chars - _HEADER_CHARS), _parse(arguments)))
    except RefExpired as error:
        reply = _one_line(str(error))
    except RefNotFound as error:
        reply = _one_line(f"no such ref: {_shown(error.ref)}; toolstub_list shows those of this session")
    except ValueError as error:
        reply = _one_line(str(error))
    except StoreError as error:
        reply = _one_line(f"originals cannot be read just now, go on without or try again: {error}")
    return (_MARK + reply)[:max(0, reply_chars)]


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: whose it is, the characters a reply has below its first line, and the arguments."""

    name: str
    store: Store
    owner: str
    session: str
    room: int
    arguments: dict[str, Any]

    def text(self, name: str) -> str | None:
        value = self.arguments.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return str(value)
        raise ValueError(f"{name} has to be a string, not {_shown(json.dumps(value))}")

    def number(self, name: str) -> int | None:
        value = self.arguments.get(name)
        if value is None or value == "":
            return None
        try:
            return int(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{name} has to be a whole number, not {_shown(json.dumps(value))}") from None

    def flag(self, name: str) -> bool:
        value = self.arguments.get(name)
        return value.strip().lower() in ("true", "1", "yes") if isinstance(value, str) else bool(value)

    def ref(self) -> str | None:
        ref = self.text("ref")
        return None if ref is None else ref.strip(" \t\n\"'`<>")


def _unknown(call: _Call) -> str:
    return f"there is no tool {_shown(call.name)}; there are {', '.join(NAMES)}"


def _parse(arguments: str) -> dict[str, Any]:
    try:
        parsed = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        raise ValueError('the arguments are not JSON; send an object such as {"ref": "ts_0123456789abcdef"}') from None
    if parsed is None:
        return {}
    if not isinstance(parsed, dict):
        raise ValueError(  # noqa: TRY004, a model's mistake like the others
            'the arguments have to be a JSON object such as {"ref": "ts_0123456789abcdef"}')
    return parsed


def _read(call: _Call) -> str:
    ref = call.ref()
    if ref is None:
        raise ValueError("toolstub_read needs a ref, as the stub names it; toolstub_list shows those of this session")
    lines, pointer = call.text("lines"), call.text("pointer")
    limit = call.number("limit")
    limit = call.room if limit in (None, 0, -1) else min(limit, call.room)
    part = call.store.read(ref, owner=call.owner, offset=call.number("offset") or 0, limit=limit,
                           lines=None if lines is None else _as_lines(lines), pointer=None if lines else pointer)
    if not part.text and part.offset >= part.total_chars:
        return (f"{ref} has {part.total_chars} chars and {part.total_lines} lines; nothing begins there "
                "(chars count from 0, lines from 1)")
    cut = len(part.text) == limit and part.next_offset == part.offset + limit
    text = _whole_lines(part.text) if cut and limit == call.room else part.text
    return f"{ref} {_covered(part, text)}{_onward(part, text, cut, lines or pointer)}\n{text}"


def _covered(part: Slice, text: str) -> str:
    last_line = part.first_line + text.count("\n", 0, -1)
    return (f"chars {part.offset}..{part.offset + len(text)} of {part.total_chars} "
            f"(lines {part.first_line}..{last_line} of {part.total_lines})")


def _onward(part: Slice, text: str, cut: bool, selected: str | None) -> str:
    end = part.offset + len(text)
    if end >= part.total_chars:
        return "; end of the original"
    if selected is not None and not cut:
        return "; all that was asked for"
    return f"; continue with offset={end}"


def _whole_lines(text: str) -> str:
    """Without a last line that is cut off, if that is not much."""
    end = text.rfind("\n") + 1
    return text[:end] if end > len(text) // 2 else text


def _as_lines(lines: str) -> str:
    return re.sub(r"^\s*[Ll]?([0-9]+)\s*(?:-|\.\.|,|to)\s*[Ll]?([0-9]+)\s*$", r"\1:\2", lines)


def _search(call: _Call) -> str:
    query, ref, cursor = call.text("query"), call.ref(), call.text("cursor")
    if query is None:
        raise ValueError("toolstub_search needs a query: the text to look for")
    limit = max(1, min(_HITS, call.room // _HIT_CHARS))
    hits = call.store.search(query, owner=call.owner, ref=ref, regex=call.flag("regex"),
                             ignore_case=call.flag("ignore_case"), limit=limit, context_chars=_CONTEXT_CHARS + 1,
                             cursor=cursor)
    where = f" in {ref}" if ref else ""
    more = f'; for more, the same call with cursor="{hits.cursor}"' if hits.cursor else ""
    if not hits.items:
        hint = "" if more else "; try ignore_case, a shorter query, or regex"
        return f"no hits for {_shown(query)}{where}{' so far' if more else ''}{more or hint}"
    each = call.room // len(hits.items)
    counted = f"{'' if hits.complete else 'at least '}{hits.total} hit{_s(hits.total)}"
    shown = f", {len(hits.items)} shown" if hits.total > len(hits.items) else ""
    alone = len(hits.items) > _FEW_HITS
    found = (_found(hit, len(query), each - 1, alone=alone) for hit in hits.items)
    return "\n".join([f"{counted} for {_shown(query)}{where}{shown}{more}", *found])


def _found(hit: Hit, length: int, room: int, *, alone: bool) -> str:
    head = (f'line {hit.line}, offset {hit.offset}; around it: toolstub_read(ref="{hit.ref}", '
            f"offset={max(0, hit.offset - _AROUND)}, limit={2 * _AROUND})\n")
    return (head + _excerpt(hit, length, room - len(head) - 2, alone=alone))[:room]


def _excerpt(hit: Hit, length: int, room: int, *, alone: bool) -> str:
    """The text around a hit, in whole lines where they fit; `alone`: its own line only."""
    at = min(hit.offset, _CONTEXT_CHARS + 1)
    side = min(_CONTEXT_CHARS, max(0, room - length) // 2)
    start, end = max(0, at - side), at + min(length, room) + side
    before, after = hit.snippet[start:at], hit.snippet[at:end]
    cut_before, cut_after = hit.offset > at - start, end < len(hit.snippet)
    first = before.rfind("\n") if alone else before.find("\n") if cut_before else -1
    if first >= 0:
        before, cut_before = before[first + 1:], False
    last = after.find("\n") if alone else after.rfind("\n") if cut_after else -1
    if last > 0:
        after, cut_after = after[:last], False
    return f"{'…' if cut_before else ''}{before}{after}{'…' if cut_after else ''}"


def _list(call: _Call) -> str:
    tool = call.text("tool")
    limit = max(1, min(_ENTRIES, call.room // _ENTRY_CHARS))
    cursor = call.text("cursor")
    entries = call.store.list(owner=call.owner, session=call.session, tool=tool, limit=limit, cursor=cursor)
    of = f" of {_shown(tool)}" if tool else ""
    if not entries.items:
        return f"no stored results{of} in this session"
    more = f'; for more, the same call with cursor="{entries.cursor}"' if entries.cursor else ""
    head = f"{entries.total} stored result{_s(entries.total)}{of} in this session, newest first{more}"
    return "\n".join([head, *map(_listed, entries.items)])


def _listed(entry: Entry) -> str:
    names = " ".join(_one_line(name)[:40] for name in (entry.tool, entry.kind) if name)
    return f"{entry.ref} {names or '-'}, {entry.chars} chars, {entry.lines} lines, {entry.created}"


def _query(call: _Call) -> str:
    ref, expression = call.ref(), call.text("expression")
    if ref is None or expression is None:
        raise ValueError("toolstub_query needs a ref, as the stub names it, and an expression; * lists what there is")
    from ..querying import query

    return query(call.store, ref, expression, owner=call.owner).reply(call.room + _HEADER_CHARS - len(_MARK))


def _shown(text: str) -> str:
    return json.dumps(text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS - 1] + "…", ensure_ascii=False)


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _one_line(text: str) -> str:
    return " ".join(text.split())


_TOOLS: dict[str, Callable[[_Call], str]] = dict(zip(NAMES, (_read, _search, _list, _query), strict=True))
