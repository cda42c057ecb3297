"""Originals, kept where the model, the person and the shell can read them.

    with open_store() as store:
        entry = store.put(text, tool="bash")
        store.read(entry.ref, lines="120:140").text
        store.search("ERROR", ref=entry.ref).items

`open_store(url)` takes a path, `sqlite:///relative/path.db` or `sqlite:////absolute/path.db` (on Windows
`sqlite:///C:/path.db`). Without one $TOOLSTUB_STORE counts, and without that `store.db` in the platform's data
directory for toolstub. A new file is readable by its user alone; its directory too, if it is made here.

An acknowledged `put` survives the death of every process that uses the file. To survive a power cut as well, at some
cost for each put, open the store with `?durability=power-loss` at the end of a URL. `timeout` is how long, in seconds,
an operation waits for another process that is writing; then it raises StoreError. Its default of two seconds is many
times what a write takes, and little enough for a proxy that has a client waiting.

With `eager=False` the file is made or checked at first use. If it cannot be used then, that call raises StoreError and
the next one tries again: for a program that has to start whatever the state of the disk.
"""

from __future__ import annotations

import os

from .base import Entries, Entry, Hit, Hits, Ref, Slice, Store, ref_of, sha256_of

__all__ = ["Entries", "Entry", "Hit", "Hits", "Ref", "Slice", "Store", "open_store", "ref_of", "sha256_of"]


def open_store(url: str | os.PathLike[str] | None = None, *, timeout: float = 2.0, eager: bool = True) -> Store:
    """The store at `url`, made if it does not exist. Raises StoreError, in one line, if it cannot be used."""
    from .location import locate
    from .sqlite import SqliteStore

    return SqliteStore(locate(url), timeout=timeout, eager=eager)
