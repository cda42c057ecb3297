"""What an owner has stored, each original once, by its newest sighting."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

from .base import Entries, Entry
from .chunks import NUMBER_BITS
from .originals import FIELDS, Original, Sighting, entry

NEWEST = 1 << 62
_MOST = 1 << 40

_ORIGINAL = ", ".join(f"o.{field}" for field in FIELDS.split(", "))


def list_entries(connection: sqlite3.Connection, owner: str, session: str | None, tool: str | None,
                 limit: int, cursor: str | None) -> Entries:
    """One page. The cursor is the sighting at which it ends, so pages do not shift when more is stored."""
    if limit < 1:
        raise ValueError(f"limit is {limit}; ask for at least one entry")
    limit = min(limit, _MOST)
    wanted = {"owner": owner, "session": session, "tool": tool, "before": _parse(cursor), "limit": limit + 1}
    (total,) = connection.execute(
        "SELECT count(DISTINCT original) FROM sightings AS s WHERE " + _seen("s", session, tool),  # noqa: S608
        wanted).fetchone()
    columns = f"s.created, s.session, s.tool, s.call_id, s.mime, s.kind, {_ORIGINAL}"
    rows = connection.execute(_newest(columns, session, tool) + " LIMIT :limit", wanted).fetchall()
    more = str(rows[limit - 1][0]) if len(rows) > limit else None
    return Entries(tuple(_entry(row, owner) for row in rows[:limit]), total, more)


def newest_first(connection: sqlite3.Connection, owner: str, before: int) -> Iterator[tuple[Any, ...]]:
    """The originals of an owner whose newest sighting is older than `before`: that sighting, the id, a frame.

    An original of one chunk comes with its frame, which saves a query for each; others have None.
    Rows are as SQLite gives them: there may be a million, and most are passed over.
    """
    frame = f"(SELECT body FROM chunks WHERE id = o.id << {NUMBER_BITS} AND o.chars <= o.chunk_chars)"  # noqa: S608
    return connection.execute(_newest(f"o.id, {frame}", None, None), {"owner": owner, "before": before})


def _newest(columns: str, session: str | None, tool: str | None) -> str:
    return f"""SELECT s.id, {columns} FROM sightings AS s JOIN originals AS o ON o.id = s.original
        WHERE {_seen("s", session, tool)} AND s.id < :before AND NOT EXISTS (
            SELECT 1 FROM sightings AS n WHERE n.original = s.original AND n.id > s.id AND {_seen("n", session, tool)})
        ORDER BY s.id DESC"""  # noqa: S608, values are bound


def _seen(alias: str, session: str | None, tool: str | None) -> str:
    """Only the conditions that there are, so that SQLite can use the index for them."""
    conditions = [f"{alias}.owner = :owner"]
    if session is not None:
        conditions.append(f"{alias}.session = :session")
    if tool is not None:
        conditions.append(f"{alias}.tool = :tool")
    return " AND ".join(conditions)


def _entry(row: tuple[Any, ...], owner: str) -> Entry:
    _, created, session, tool, call_id, mime, kind, *original = row
    return entry(Original(*original), Sighting(owner, session, tool, call_id, mime, kind), created)


def _parse(cursor: str | None) -> int:
    if cursor is None:
        return NEWEST
    if re.fullmatch(r"[0-9]{1,18}", cursor) is None:
        raise ValueError(f"cursor is {cursor[:40]!r}; give the one of the page before, unchanged")
    return int(cursor)
