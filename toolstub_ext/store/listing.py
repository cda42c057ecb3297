"""What an owner has stored, each original once, by its newest sighting."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

from .base import Entries, Entry
from .originals import Original, Sighting, entry

NEWEST = 1 << 62

_SEEN = """
    FROM sightings AS s JOIN originals ON originals.id = s.original
    WHERE s.owner = :owner AND (:session IS NULL OR s.session = :session) AND (:tool IS NULL OR s.tool = :tool)"""
_NEWEST = _SEEN + """
    AND s.id < :before AND NOT EXISTS (
        SELECT 1 FROM sightings AS n WHERE n.original = s.original AND n.owner = :owner AND n.id > s.id
        AND (:session IS NULL OR n.session = :session) AND (:tool IS NULL OR n.tool = :tool))"""  # noqa: S608, it is constant


def list_entries(connection: sqlite3.Connection, owner: str, session: str | None, tool: str | None,
                 limit: int, cursor: str | None) -> Entries:
    """One page. The cursor is the sighting at which it ends, so pages do not shift when more is stored."""
    if limit < 1:
        raise ValueError(f"limit is {limit}; ask for at least one entry")
    wanted = {"owner": owner, "session": session, "tool": tool, "before": _parse(cursor), "limit": limit + 1}
    (total,) = connection.execute("SELECT count(DISTINCT original)" + _SEEN, wanted).fetchone()
    rows = connection.execute(
        """SELECT s.id, s.created, s.session, s.tool, s.call_id, s.mime, s.kind,
           originals.id, ref, sha256, chars, bytes, lines, used""" + _NEWEST +
        " ORDER BY s.id DESC LIMIT :limit", wanted).fetchall()
    more = str(rows[limit - 1][0]) if len(rows) > limit else None
    return Entries(tuple(_entry(row, owner) for row in rows[:limit]), total, more)


def newest_first(connection: sqlite3.Connection, owner: str, before: int) -> Iterator[tuple[int, Original]]:
    """The owner's originals whose newest sighting is older than sighting `before`, with that sighting."""
    everything = {"owner": owner, "session": None, "tool": None, "before": before}
    for sighting, *row in connection.execute(
        "SELECT s.id, originals.id, ref, sha256, chars, bytes, lines, used" + _NEWEST +
        " ORDER BY s.id DESC", everything
    ):
        yield sighting, Original(*row)


def _entry(row: tuple[Any, ...], owner: str) -> Entry:
    _, created, session, tool, call_id, mime, kind, *original = row
    return entry(Original(*original), Sighting(owner, session, tool, call_id, mime, kind), created)


def _parse(cursor: str | None) -> int:
    if cursor is None:
        return NEWEST
    if re.fullmatch(r"[0-9]{1,18}", cursor) is None:
        raise ValueError(f"cursor is {cursor[:40]!r}; give the one of the page before, unchanged")
    return int(cursor)
