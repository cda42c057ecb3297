"""From paths to conversations: folders are walked, and every file is given to the first reader that knows it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from stat import S_ISREG

from ...errors import explained
from ...phrases import counted
from ..conversation import Conversation
from . import bodies, claude_code, codex, har, mini_swe_agent, openhands, swe_agent
from .base import NothingToReplayError, Reader, Trace, TraceError

log = logging.getLogger(__name__)

GROUP = "toolstub.traces"
READERS: tuple[Reader, ...] = (har, swe_agent, mini_swe_agent, openhands, claude_code, codex, bodies)
"""Those that know their files by a name of their own stand before those that look for messages of any kind."""

EXPECTED = "HAR, SWE-agent, mini-swe-agent, OpenHands, Claude Code or Codex sessions, or request bodies"


MOST_FAULTS = 20
"""Faults of one file that are told; of more, how many there are."""


@dataclass
class Found:
    """What became of the files: how many were read, how many of a folder hold no conversation, and what went wrong.

    `watch` is called as files are read, with the name of the file, how many of its bytes have been passed, and how many
    it has. A file that is looked at before it is read passes twice.
    """

    files: int = 0
    others: int = 0
    faults: list[str] = field(default_factory=list)
    watch: Callable[[str, int, int], None] = lambda _name, _passed, _size: None


@dataclass
class _Faults:
    """What is wrong in one file, each line of it once."""

    name: str
    lines: dict[str, None] = field(default_factory=dict)
    more: int = 0

    def add(self, line: str) -> None:
        """One more."""
        if len(self.lines) < MOST_FAULTS:
            self.lines[line] = None
        else:
            self.more += line not in self.lines

    def told(self) -> Iterator[str]:
        """The lines for the user."""
        yield from self.lines
        if self.more:
            yield f"{self.name}: {counted(self.more, 'more fault')} in it"


def conversations(paths: Sequence[str | Path], found: Found) -> Iterator[Conversation]:
    """The conversations in files and folders, one at a time; `found` is kept up to date.

    A file that cannot be read, or a line of it, is a line in `found.faults`, and the rest goes on.
    """
    for path in map(Path, paths):
        for file, name in _files(path):
            yield from _of_file(file, name, found, named=file == path)


def _of_file(file: Path, name: str, found: Found, *, named: bool) -> Iterator[Conversation]:
    faults = _Faults(name)
    try:
        size = _size_of(file, name)
        trace = Trace(file, name, faults.add, lambda passed: found.watch(name, passed, size))
        yield from _reader_of(trace).read(trace)
        found.files += 1
    except NothingToReplayError as nothing:
        if named and not faults.lines:
            faults.add(str(nothing))
        found.others += not (named or faults.lines)
    except TraceError as error:
        faults.add(str(error))
    except OSError as error:
        faults.add(f"{name}: a readable file expected: {explained(error)}")
    finally:
        found.faults += faults.told()


def _size_of(file: Path, name: str) -> int:
    """The bytes of a file. A pipe or a device has none: it gives what it has only once, or never ends."""
    status = file.stat()
    if not S_ISREG(status.st_mode):
        raise NothingToReplayError(f"{name}: a file that can be read more than once expected")
    return status.st_size


def _reader_of(trace: Trace) -> Reader:
    found = next((reader for reader in readers() if reader.reads(trace)), None)
    if found is None:
        raise NothingToReplayError(f"{trace.name}, line 1: {EXPECTED} expected")
    return found


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """A file as it is named; the files of a folder that a reader looks for, in order, named from the folder on."""
    if not path.is_dir():
        yield path, str(path)
        return
    suffixes = tuple(sorted({suffix for reader in readers() for suffix in reader.suffixes}))
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            if name.endswith(suffixes):
                file = Path(folder, name)
                yield file, str(file.relative_to(path))


@cache
def readers() -> tuple[Reader, ...]:
    """Our own, and before them those of installed packages, which know more special files."""
    return (*_installed(), *READERS)


def _installed() -> Iterator[Reader]:
    """Those of the entry points. One that does not load costs a warning, never the others."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            yield point.load()
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module does at import
            log.warning("the traces of %s cannot be read: %r", point.value, error)
