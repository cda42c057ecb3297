"""What rewriting a request gives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..tokens import estimate
from ..transcript import Decision
from ..wire import Reading


@dataclass(frozen=True)
class Rewritten:
    """What goes to the provider, and why.

    `body` is `text` in UTF-8. `reading` is of the client's body, None if that was not understood. `injected` names the
    tools of ours that the model may call, and `offered` are the texts in `text`, commas included, by which it may;
    `messages_end` is the place of the `]` of the messages in `text`, which is by `grown` characters longer than the
    client's.
    """

    body: bytes
    original: bytes
    decisions: tuple[Decision, ...] = ()
    session: str = ""
    reading: Reading | None = None
    injected: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    messages_end: int = 0
    grown: int = 0

    @cached_property
    def text(self) -> str:
        """The provider's body decoded, as far as it was understood."""
        return self.body.decode() if self.reading else ""

    @cached_property
    def chars_before(self) -> int:
        """Characters of the client's body."""
        return self.reading.tail.end if self.reading else len(self._before)

    @cached_property
    def chars_after(self) -> int:
        """Characters of the provider's body."""
        return self.chars_before + self.grown

    @cached_property
    def tokens_before(self) -> int:
        """Estimated tokens of the client's body."""
        return estimate(self._before)

    @cached_property
    def tokens_after(self) -> int:
        """Estimated tokens of the provider's body."""
        return estimate(self._after)

    @property
    def _before(self) -> str:
        return self.reading.body if self.reading else self.original.decode("utf-8", "replace")

    @property
    def _after(self) -> str:
        return self.text if self.reading else self._before
