"""Where a store is: a path or URL becomes a file that this user alone can read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, unquote

from ..errors import StoreError

Durability = Literal["process", "power-loss"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")  # two letters at least: `C:\store.db` is a path


@dataclass(frozen=True, slots=True)
class Location:
    """A database file, and what an acknowledged `put` survives: the death of the process, or of the machine too."""

    path: Path
    durability: Durability = "process"


def locate(url: str | os.PathLike[str] | None) -> Location:
    """What `url` means; without one $TOOLSTUB_STORE, and without that the platform's data directory."""
    text = os.fspath(url) if url is not None else os.environ.get("TOOLSTUB_STORE", "")
    if not text:
        return Location(_default_path())
    scheme = _SCHEME.match(text)
    if scheme is None:
        return Location(_file_path(text, text))
    if scheme[1].lower() in ("postgresql", "postgres"):
        raise StoreError("PostgreSQL stores are not available in this version; use a path or sqlite:///path")
    if scheme[1].lower() != "sqlite":
        raise StoreError(f"no store speaks {scheme[1]}://; use a path or sqlite:///path")
    return _parse_sqlite(text, text[scheme.end():])


def _parse_sqlite(url: str, rest: str) -> Location:
    place, _, query = rest.partition("?")
    if not place.startswith("/"):
        raise StoreError(f"{url} names no file; write sqlite:///relative.db or sqlite:////absolute.db")
    return Location(_file_path(unquote(place[1:]), url), _durability(query))


def _durability(query: str) -> Durability:
    durability: Durability = "process"
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name != "durability":
            raise StoreError(f"a store URL has no option {name!r}; the one there is: durability=process|power-loss")
        if value == "power-loss":
            durability = "power-loss"
        elif value != "process":
            raise StoreError(f"durability={value} is not known; use process or power-loss")
    return durability


def _file_path(text: str, shown: str) -> Path:
    if not text or text == ":memory:" or "\0" in text:
        raise StoreError(f"{shown!r} names no file; originals have to outlive the process, so give a path")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise StoreError(f"{shown!r} has no home directory to start from: {error}") from error


def _default_path() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("toolstub", appauthor=False)) / "store.db"


def create_private(path: Path) -> None:
    """Make the file, and its directory, for this user alone. What exists keeps its mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
