"""Where stubs are made: store the original, then describe it. Also the limits in force, and what was saved."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..errors import in_one_line
from . import bundle
from .bundle import Bundle
from .originals import Originals
from .tracebacks import plain, shorten, shorten_message

_EVEN_READABLE = 20
_REMEMBERED = 20


class Limits(Protocol):
    """What may be shown; see the traits of the same names."""

    enabled: bool
    threshold_chars: int
    cell_budget_chars: int
    stub_chars: int


@dataclass(frozen=True, slots=True)
class Made:
    """One output that was put away: whose, under which ref, why, and its characters before and after."""

    tool: str
    ref: str
    reason: str
    chars_before: int
    chars_after: int


@dataclass(slots=True)
class Sums:
    """Counts since the extension was loaded, in characters of text, and what the last ones were made of."""

    outputs: int = 0
    chars_before: int = 0
    chars_after: int = 0
    last: deque[Made] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    faults: list[str] = field(default_factory=list)

    def add(self, made: Made) -> None:
        """Count one more output."""
        self.outputs += 1
        self.chars_before += made.chars_before
        self.chars_after += made.chars_after
        self.last.append(made)

    def failed(self, fault: Exception) -> str:
        """Count a fault; what to tell of it."""
        self.faults.append(in_one_line(fault))
        return self.faults[-1]


class Desk:
    """Makes the stubs of one kernel. Nothing it returns is not stored; it raises StoreError rather."""

    def __init__(self, limits: Limits, originals: Originals) -> None:
        self.limits = limits
        self.originals = originals
        self.sums = Sums()
        self.returned: str | None = None
        self._error: tuple[tuple[str, str, tuple[str, ...]], tuple[str, list[str]]] | None = None

    def stub(self, text: str, *, tool: str, reason: str, mime: str | None = None, extra: str = "",
             name: str | None = None) -> Bundle:
        """Store `text` and describe it."""
        stub_chars = self.limits.stub_chars
        synopsis = bundle.synopsis_of(text, tool=tool, mime=mime, stub_chars=stub_chars)
        entry = self.originals.put(text, tool=tool, mime=mime, kind=synopsis.kind, name=name)
        made = bundle.stub(synopsis, entry, tool=tool, reason=reason, stub_chars=stub_chars, extra=extra)
        self.sums.add(Made(tool, entry.ref, reason, len(text), len(made.plain)))
        return made

    def stub_of(self, data: dict[str, str], *, tool: str, reason: str) -> Bundle:
        """The stub of a bundle's texts: of the one that people read, the others stored beside it."""
        mime = _readable(data)
        text = data[mime]
        if tool == "result" and self.returned is not None and text == repr(self.returned):
            text, reason = self.returned, "the value of %toolstub get"
        others = (f"{other}: {ref}" for other, ref in self._beside(data, mime, tool))
        hint = None if mime == "text/plain" else mime
        return self.stub(text, tool=tool, reason=reason, mime=hint, extra=", ".join(others)[:200])

    def transcript_of(self, data: dict[str, str], *, tool: str) -> str:
        """The texts of a bundle as a passage in a longer text: the readable one whole, the others as refs."""
        mime = _readable(data)
        others = (f"[{other}: {ref}]\n" for other, ref in self._beside(data, mime, tool))
        return data[mime] + "\n" + "".join(others)

    def error(self, ename: str, evalue: str, traceback: Sequence[str]) -> tuple[str, list[str]]:
        """(message, entries) of an error too long to show; the same for the error and the reply that repeats it."""
        key = (ename, evalue, tuple(traceback))
        if self._error is None or self._error[0] != key:
            full = plain("\n".join(traceback))
            entry = self.originals.put(full, tool="error", kind="text")
            short = shorten(ename, evalue, traceback, ref=entry.ref, limit=self.limits.threshold_chars // 2)
            self.sums.add(Made("error", entry.ref, "its message and own frames", len(full), sum(map(len, short))))
            message = bundle.sendable(shorten_message(evalue, entry.ref))
            self._error = key, (message, [bundle.sendable(each) for each in short])
        return self._error[1]

    def _beside(self, data: dict[str, str], shown: str, tool: str) -> list[tuple[str, str]]:
        """(mime, ref) of the other texts of a bundle, now stored."""
        others = ((mime, text) for mime, text in data.items() if mime != shown and text)
        return [(mime, self.originals.put(text, tool=tool, mime=mime).ref) for mime, text in others]


def _readable(data: dict[str, str]) -> str:
    """The mime whose text stands for the bundle: plain text, unless it is a mere name of something larger."""
    largest = max(data, key=lambda mime: len(data[mime]))
    plain_text = data.get("text/plain", "")
    return "text/plain" if len(plain_text) * _EVEN_READABLE >= len(data[largest]) else largest
