"""What rewriting a request gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..series import Series
from ..tokens import estimate
from ..transcript import Decision
from ..wire import Reading


class Understood(NamedTuple):
    """What there is to know in short about a body that was understood: how many characters it has, and how many of them
    stand in front of the last turn; the client's tools; whether it asks for more than one answer, and for a stream."""

    chars: int
    repeated: int
    tool_names: tuple[str, ...]
    several: bool
    streamed: bool

    @classmethod
    def of(cls, reading: Reading) -> Understood:
        """The short of a reading."""
        closed = reading.closed.messages
        repeated = reading.messages[closed - 1].end if closed else 0
        terms = reading.terms
        return cls(reading.tail.end, repeated, terms.tool_names, terms.several, terms.stream)


@dataclass(frozen=True)
class Rewritten:
    """What goes to the provider, and why.

    `body` is `text` in UTF-8. `understood` is None if the client's body was not, and `read` gives all that is known of
    it. `injected` names the tools of ours that the model may call, and `offered` are the texts in `text`, commas
    included, by which it may; `messages_end` is the place of the `]` of the messages in `text`, which is by `grown`
    characters longer than the client's.
    """

    body: bytes
    original: bytes
    decisions: Series[Decision] = field(default_factory=Series)
    session: str = ""
    understood: Understood | None = None
    read: Callable[[], Reading] | None = field(default=None, repr=False, compare=False)
    injected: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    messages_end: int = 0
    grown: int = 0

    @cached_property
    def reading(self) -> Reading | None:
        """The reading of the client's body, which may take long to get where another process has read it."""
        return self.read() if self.read else None

    @cached_property
    def text(self) -> str:
        """The provider's body decoded, as far as it was understood."""
        return self.body.decode() if self.understood else ""

    @cached_property
    def chars_before(self) -> int:
        """Characters of the client's body."""
        return self.understood.chars if self.understood else len(self._before)

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
        return self.original.decode("utf-8", "replace")

    @property
    def _after(self) -> str:
        return self.text if self.understood else self._before
