"""One run of output between two things of another sort: what of it has passed, and what is held back.

The first characters pass as they come. Once there are too many, the whole run goes to a spool on disk, and what comes
after is written there before it is kept from the front-end.
"""

from __future__ import annotations

from secrets import token_hex

from .messages import Message, Screen
from .originals import Originals
from .spool import Spool

_HEAD_IN_MEMORY = 1 << 18


class Segment:
    """Text of one cell under one name. `joins` means that all that follows in the cell belongs to it."""

    def __init__(self, name: str, originals: Originals) -> None:
        self.names = [name]
        self.screen = Screen()
        self.holding = False
        self.joins = False
        self.display_id = ""
        self.messages: list[Message] | None = []
        self.held_chars = 0
        self.head_chars = 0
        self.chars = 0
        self.lines = 0
        self.settled_chars = 0
        self.grown = False
        self.ripe = False
        self._originals = originals
        self._head: list[str] = []
        self._in_line = False
        self._spool: Spool | None = None

    @property
    def name(self) -> str:
        """The tool's name for the stub: `stdout`, or all that were joined."""
        return "+".join(self.names)

    @property
    def spool_name(self) -> str:
        """What the growing text is called, once it is held."""
        return self._spool.name if self._spool else ""

    @property
    def seen_as(self) -> str | None:
        """The name a reader has seen for it, if it was shown while it grew."""
        return self.spool_name if self.display_id else None

    def show(self, text: str) -> None:
        """Remember what passes."""
        self.screen.write(text)
        self.head_chars += len(text)
        self._count(text)
        if self._spool is not None:
            self._spool.append(text)
            return
        self._head.append(text)
        if self.head_chars > _HEAD_IN_MEMORY:
            self._spool = self._to_disk()

    def hold(self) -> None:
        """From now on keep what comes. Raises OSError if there is no place to keep it."""
        if self._spool is None:
            self._spool = self._to_disk()
        self.holding = True

    def keep(self, message: Message, text: str, name: str, small: int) -> None:
        """Write `text`, which `message` brought, to disk. The messages themselves are kept while they are `small`."""
        if self._spool is None:
            self._spool = self._to_disk()
        self._spool.append(text)
        self._count(text)
        self.held_chars += len(text)
        self.grown = True
        if name not in self.names:
            self.names.append(name)
        if self.messages is not None:
            self.messages.append(message)
            if self.held_chars > small:
                self.messages = None

    def begin_display(self) -> str:
        """A fresh name for the display that shows the growing text."""
        self.display_id = "toolstub-" + token_hex(8)
        return self.display_id

    def text(self) -> str:
        """All of the run, from what passed to what was held last."""
        return self._spool.text() if self._spool else "".join(self._head)

    def held(self) -> str:
        """What the front-end has not been shown."""
        return self.text()[self.head_chars :]

    def tail(self, chars: int) -> str:
        """The end of it, in whole lines if they are short."""
        end = self._spool.tail(chars) if self._spool else ""
        return end.partition("\n")[2] or end

    def discard(self) -> None:
        """Forget it."""
        if self._spool is not None:
            self._spool.remove()

    def leave(self) -> None:
        """Let go of it, but leave what is on disk to be recovered."""
        if self._spool is not None:
            self._spool.release()

    def _count(self, text: str) -> None:
        self.chars += len(text)
        ended = text.count("\n")
        goes_on = not text.endswith("\n") if text else self._in_line
        self.lines += ended + goes_on - self._in_line
        self._in_line = goes_on

    def _to_disk(self) -> Spool:
        spool = self._originals.spool()
        try:
            spool.append("".join(self._head))
        except OSError:
            spool.remove()
            raise
        self._head.clear()
        return spool
