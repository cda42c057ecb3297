"""Every call of one of the tools gets an answer, whatever its arguments are."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import RefExpired, RefNotFound, StoreError
from ..phrases import counted, one_line, shown
from ..store import Entry, Store
from .call import Call, parse
from .reading import read
from .searching import search
from .tools import NAMES, meant

_MARK = "[toolstub] "
_HEADER_CHARS = 240
_ENTRIES, _ENTRY_CHARS = 50, 160
_REF = '"ref": "ts_0123456789abcdef"'
_EXAMPLES = dict(zip(NAMES, (
    f'{{{_REF}, "lines": "1:80"}}', '{"query": "error"}', '{"tool": "get_log"}', f'{{{_REF}, "expression": "*"}}',
), strict=True))
"""The arguments of a call that is right, by the tool."""


def run(name: str, arguments: str, *, store: Store, owner: str, session: str, reply_chars: int = 6_000) -> str:
    """The reply, of at most `reply_chars` characters, to a call with that JSON text as arguments."""
    known = meant(name) or ""
    tool = _TOOLS.get(known, _unknown)
    try:
        given = parse(arguments, _EXAMPLES.get(known, "{}"))
        reply = tool(Call(name, store, owner, session, max(1, reply_chars - _HEADER_CHARS), given))
    except RefExpired as error:
        reply = one_line(str(error))
    except RefNotFound as error:
        reply = one_line(f"no such ref: {shown(error.ref)}; toolstub_list shows those of this session")
    except ValueError as error:
        reply = one_line(str(error))
    except StoreError as error:
        reply = one_line(f"originals cannot be read just now, go on without or try again: {error}")
    return (_MARK + reply)[:max(0, reply_chars)]


def _unknown(call: Call) -> str:
    return f"there is no tool {shown(call.name)}; there are {', '.join(NAMES)}"


def _list(call: Call) -> str:
    tool = call.text("tool")
    limit = max(1, min(_ENTRIES, call.room // _ENTRY_CHARS))
    cursor = call.text("cursor")
    entries = call.store.list(owner=call.owner, session=call.session, tool=tool, limit=limit, cursor=cursor)
    of = f" of {shown(tool)}" if tool else ""
    if not entries.items:
        return f"no stored results{of} in this session"
    more = f'; for more, the same call with cursor="{entries.cursor}"' if entries.cursor else ""
    head = f"{counted(entries.total, 'stored result')}{of} in this session, newest first{more}"
    return "\n".join([head, *map(_listed, entries.items)])


def _listed(entry: Entry) -> str:
    names = " ".join(one_line(name)[:40] for name in (entry.tool, entry.kind) if name)
    size = f"{counted(entry.chars, 'char')}, {counted(entry.lines, 'line')}"
    return f"{entry.ref} {names or '-'}, {size}, {entry.created}"


def _query(call: Call) -> str:
    ref, expression = call.ref(), call.text("expression")
    if ref is None or expression is None:
        raise ValueError("toolstub_query needs a ref, as the stub names it, and an expression")
    from ..querying import query

    return query(call.store, ref, expression, owner=call.owner).reply(call.room + _HEADER_CHARS - len(_MARK))


_TOOLS: dict[str, Callable[[Call], str]] = dict(zip(NAMES, (read, search, _list, _query), strict=True))
