"""The originals of a notebook: the store, opened at the first need, and the spools of outputs that still grow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ..errors import RefNotFound
from . import spool
from .spool import Spool

if TYPE_CHECKING:
    from ..store import Entry, Hit, Hits, Store

PAGE_CHARS = 16_000
_LISTED = 1_000
_REPLY_CHARS = 6_000
_CONTEXT_CHARS = 120


@dataclass(frozen=True, slots=True)
class Page:
    """Part of an original for a person to read: whole lines, unless a line is longer than a page."""

    text: str
    offset: int
    next_offset: int | None
    first_line: int
    total_lines: int
    total_chars: int


class Originals:
    """What the cells of a kernel printed. `url` gives the place of the store when it is first needed.

    Safe to use from several threads. Every method may raise StoreError, and RefNotFound for a ref nobody stored here.
    """

    def __init__(self, url: Callable[[], str | None], session: str | None = None) -> None:
        self._url = url
        self._session = session
        self._store: Store | None = None
        self._lock = Lock()

    @property
    def store(self) -> Store:
        """The store, opened now if it was not."""
        with self._lock:
            if self._store is None:
                from ..store import open_store

                self._store = open_store(self._url())
            return self._store

    def put(self, text: str, *, tool: str, mime: str | None = None, kind: str | None = None,
            name: str | None = None) -> Entry:
        """Keep `text` durably; `name` is what its reader called it while it grew."""
        return self.store.put(text, session=self._session, tool=tool, call_id=name, mime=mime, kind=kind)

    def spool(self) -> Spool:
        """A new spool beside the store. Raises OSError if it cannot be made."""
        return Spool(self._spools())

    def resolve(self, name: str) -> str:
        """The ref of an original by its ref, or by the name it had while it grew."""
        if not name.startswith(spool.PREFIX):
            return name
        entries = self.store.list(limit=_LISTED).items
        found = next((entry.ref for entry in entries if entry.call_id == name), None)
        if found is None:
            raise RefNotFound(name)
        return str(found)

    def text(self, name: str, lines: str | None = None) -> str:
        """The whole original, exactly as it was printed, or its lines "A:B"."""
        growing = self._growing(name)
        if growing is None:
            return self.store.read(self.resolve(name), limit=-1, lines=lines).text
        if lines is None:
            return growing
        from ..store.slices import parse_lines

        first, last = parse_lines(lines)
        return "\n".join(growing.removesuffix("\n").split("\n")[first - 1 : last])

    def page(self, name: str, offset: int = 0, chars: int = PAGE_CHARS) -> Page:
        """The page that starts at `offset`; a negative one counts from the end."""
        growing = self._growing(name)
        if growing is not None:
            return _page_of(growing, offset, chars)
        ref = self.resolve(name)
        if offset < 0:
            offset = max(0, self.store.read(ref, limit=0).total_chars + offset)
        part = self.store.read(ref, offset=offset, limit=chars)
        text = part.text if part.next_offset is None else _whole_lines(part.text)
        end, total = part.offset + len(text), part.total_chars
        return Page(text, part.offset, end if end < total else None, part.first_line, part.total_lines, total)

    def search(self, query: str, name: str | None = None, *, regex: bool = False, ignore_case: bool = False,
               limit: int = 20) -> Hits:
        """Where `query` stands. ValueError names a bad regular expression."""
        ref = None if name is None else self.resolve(name)
        return self.store.search(query, ref=ref, regex=regex, ignore_case=ignore_case, limit=limit,
                                 context_chars=_CONTEXT_CHARS)

    def query(self, name: str, expression: str) -> str:
        """What the expression selects, as far as a reply holds it. ValueError names what is wrong with it."""
        from ..querying import query

        return query(self.store, self.resolve(name), expression).reply(_REPLY_CHARS)

    def recover(self) -> int:
        """Move what killed kernels had spooled into the store; how many outputs that were."""
        count = 0
        for name, text in spool.orphans(self._spools()):
            if text:
                self.put(text, tool="stdout", name=name)
                count += 1
        return count

    def close(self) -> None:
        """Let go of the store; the next use opens it again, wherever it is by then."""
        with self._lock:
            store, self._store = self._store, None
        if store is not None:
            store.close()

    def _growing(self, name: str) -> str | None:
        return spool.read(self._spools(), name) if name.startswith(spool.PREFIX) else None

    def _spools(self) -> Path:
        from ..store.location import locate

        path = locate(self._url()).path
        return path.with_name(path.name + ".spool")


def lines_of(hits: Hits) -> list[tuple[Hit, str]]:
    """The first hit of each line, with the line as far as the snippet holds it."""
    first: dict[tuple[str, int], tuple[Hit, str]] = {}
    for hit in hits.items:
        start = hit.snippet.rfind("\n", 0, min(hit.offset, _CONTEXT_CHARS)) + 1
        first.setdefault((hit.ref, hit.line), (hit, hit.snippet[start:].partition("\n")[0]))
    return list(first.values())


def _whole_lines(text: str) -> str:
    end = text.rfind("\n")
    return text[: end + 1] if end >= 0 else text


def _page_of(text: str, offset: int, chars: int) -> Page:
    start = max(0, len(text) + offset) if offset < 0 else min(offset, len(text))
    part = text[start : start + chars]
    if start + len(part) < len(text):
        part = _whole_lines(part)
    end = start + len(part)
    return Page(part, start, end if end < len(text) else None, text.count("\n", 0, start) + 1,
                text.count("\n") + (text[-1:] not in ("", "\n")), len(text))
