"""A long traceback, made short: the message first, the frames of the user's own code, the others counted.

    ValueError: no column 'pirce' (did you mean 'price'?)
    Cell In[4], line 1
    ----> 1 report(orders)
    ... 31 frames of pandas, numpy ...
    File ~/jobs/report.py:12, in report(frame)
    ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_FRAME = re.compile(r"(?:File |Cell In|Input In|<ipython-input|~|/|[A-Za-z]:\\)")
_PACKAGE = re.compile(r"(?:site|dist)-packages[/\\](\w+)")
_LIBRARY = re.compile(r"[/\\]lib[/\\]python\d|[/\\]Lib[/\\]|<frozen ")
MESSAGE_CHARS = 600
_FRAME_CHARS = 700
_CAUSE_CHARS = 200


def plain(text: str) -> str:
    """`text` without terminal colours."""
    return _ANSI.sub("", text)


def shorten_message(evalue: str, ref: str) -> str:
    """The message of an error, its head only if it is long."""
    if len(evalue) <= MESSAGE_CHARS:
        return evalue
    return f"{evalue[:MESSAGE_CHARS]}… ({len(evalue):,} characters, whole: %toolstub get {ref})"


def shorten(ename: str, evalue: str, traceback: Sequence[str], *, ref: str, limit: int) -> list[str]:
    """The entries of a short traceback, together at most about `limit` characters and the message."""
    entries = [entry for entry in traceback[:-1] if _says_something(entry)]
    frames = [entry for entry in entries if _is_frame(entry)]
    chars = sum(map(len, traceback))
    head = f"{ename}: {shorten_message(evalue, ref)}"
    note = (f"[toolstub] traceback of {chars:,} characters, {len(frames)} frames; "
            f"whole: %toolstub get {ref} · toolstub read {ref}")
    room = limit - len(note)
    kept = _kept([entry for entry in frames if not _is_library(entry)], room)
    return [head, *_folded(entries, kept), note]


def _says_something(entry: str) -> bool:
    """Not the rule above a traceback, nor the line that announces it."""
    text = plain(entry).strip()
    return bool(text.strip("-")) and "Traceback (most recent call last)" not in text


def _is_frame(entry: str) -> bool:
    return _FRAME.match(plain(entry).lstrip()) is not None


def _is_library(entry: str) -> bool:
    where = plain(entry.partition("\n")[0])
    return _PACKAGE.search(where) is not None or _LIBRARY.search(where) is not None


def _kept(own: Sequence[str], room: int) -> set[int]:
    """Which of the user's frames to show, by identity: the last ones, where it happened, then the first."""
    kept: set[int] = set()
    for entry in [*own[:-4:-1], *own[:1], *own[-4::-1]]:
        size = min(len(entry), _FRAME_CHARS)
        if id(entry) in kept:
            continue
        if size > room:
            break
        kept.add(id(entry))
        room -= size
    return kept


def _folded(entries: Sequence[str], kept: set[int]) -> Iterable[str]:
    """The kept frames, a line for each run of others, and between them the messages of the errors that led here."""
    for shown, run in groupby(entries, lambda entry: id(entry) in kept or not _is_frame(entry)):
        if shown:
            yield from (_clip(entry) if _is_frame(entry) else plain(entry)[:_CAUSE_CHARS] for entry in run)
        else:
            yield _summary(list(run))


def _summary(run: Sequence[str]) -> str:
    found = (_PACKAGE.search(plain(entry.partition("\n")[0])) for entry in run if _is_library(entry))
    packages = dict.fromkeys(match[1] if match else "the standard library" for match in found)
    names = list(packages)[:4] + (["your code"] if any(not _is_library(entry) for entry in run) else [])
    return f"... {len(run)} frame{'s' * (len(run) > 1)} of {', '.join(names)} ..."


def _clip(entry: str) -> str:
    """Whole lines of a frame, so that no colour code is cut in two."""
    if len(entry) <= _FRAME_CHARS:
        return entry
    head = entry[:_FRAME_CHARS]
    line, newline, _ = head.rpartition("\n")
    return (line if newline else plain(head)) + "\n...\x1b[0m"
