"""Where text waits on disk between being held back and being stored.

A spool file is written before its text is kept from the front-end, so a kernel that is killed loses nothing: the next
one finds the file, sees that nobody has it locked, and moves it into the store under the name the reader saw.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be renamed and so needs no lock
    fcntl = None  # type: ignore[assignment]

PREFIX = "live_"
_CHUNK = 1 << 20


class Spool:
    """One growing text on disk. `name` is what a reader may call it while it grows. Raises OSError if it cannot."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.name = PREFIX + token_hex(6)
        self.path = directory / self.name
        self._file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "r+b", buffering=0)
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks: the file is then taken for an orphan's copy
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._bytes = 0

    def append(self, text: str) -> None:
        """Keep `text` behind what is there. If this raises OSError, what was there before is still whole."""
        self._file.seek(self._bytes)
        data = memoryview(text.encode("utf-8", "surrogatepass"))
        done = 0
        while done < len(data):
            done += self._file.write(data[done : done + _CHUNK])
        self._bytes += done

    def text(self) -> str:
        """All of it."""
        self._file.seek(0)
        return self._file.read(self._bytes).decode("utf-8", "surrogatepass")

    def tail(self, chars: int) -> str:
        """About the last `chars` characters, from a whole character on."""
        start = max(0, self._bytes - 4 * chars)
        self._file.seek(start)
        return self._file.read(self._bytes - start).decode("utf-8", "replace")[-chars:]

    def release(self) -> None:
        """Let go of the file, but leave it for whoever recovers it."""
        self._file.close()

    def remove(self) -> None:
        """Forget the text: it has been stored, or shown."""
        self.release()
        with suppress(OSError):
            self.path.unlink()


def read(directory: Path, name: str) -> str | None:
    """The text of a spool that some kernel still writes, or None if there is no such file."""
    try:
        data = (directory / Path(name).name).read_bytes()
    except OSError:
        return None
    return _decode(data)


def orphans(directory: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of each spool whose kernel is gone. A file is removed once the caller comes back for the next."""
    for path in sorted(directory.glob(PREFIX + "*")):
        try:
            with path.open("r+b") as file:
                if not _claim(file, path):
                    continue
                text = _decode(file.read())
                yield path.name, text
            path.unlink()
        except OSError:
            continue


def _claim(file: IO[Any], path: Path) -> bool:
    """Whether no living kernel has this file open."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            path.rename(path)
    except OSError:
        return False
    return True


def _decode(data: bytes) -> str:
    """The text, without the character that was being written when the kernel died."""
    for missing in range(3):
        with suppress(UnicodeDecodeError):
            return data[: len(data) - missing].decode("utf-8", "surrogatepass")
    return data.decode("utf-8", "replace")
