"""The retrieval loop: a model calls one of our tools, gets its reply and goes on, and the client sees one answer.

    rounds = Rounds(rewritten, fmt, run=..., remember=...)
    body = rewritten.body
    while body is not None:
        turn = ...                        # send body upstream, read the answer
        body = rounds.next(turn)          # the next request; None: the answer is the client's

Nothing here knows of HTTP. A turn is the client's when it calls none of our tools, or calls the client's as well:
then ours are answered, but the replies wait in the store until the client comes back with its own.

A loop that leads nowhere (too many rounds, too much read, too long, the same call again) gets an error for a reply and
one last request in which our tools are not offered, so that the model has to answer with what it has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from toolstub_ext.rewriting import Rewritten

from .turns import Call, Part, Turn

_BLANKS = " \t\r\n"
_NOT_RUN = "Not run: the answer in which it was called had ended."


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one answer may be carried on: hidden rounds, characters of replies, seconds since the first request."""

    rounds: int = 8
    chars: int = 120_000
    seconds: float = 240.0


LIMITS = Limits()


class Remember(Protocol):
    """Keeps what the client does not see, for when it comes back; see `toolstub_ext.hidden_rounds.remember`."""

    def __call__(self, *, visible_text: str, visible_calls: tuple[str, ...], before: str, first: str, calls: str,
                 results: str, shown: tuple[str, ...], answers: tuple[str, ...], last: str, behind: bool,
                 unrun: str) -> None:
        """The texts are comma-joined JSON, or empty."""
        ...


class Scribe(Protocol):
    """How a wire format writes hidden rounds. A module satisfies it."""

    def round_of(self, turn: Turn, replies: tuple[str, ...]) -> str:
        """The comma-joined JSON of the assistant message with our calls and of the messages that answer them."""
        ...

    def results_of(self, turn: Turn, replies: tuple[str, ...]) -> str:
        """The comma-joined JSON of the messages, or parts of one, that answer our calls."""
        ...

    def onward(self, request: str, fields: Mapping[str, Any]) -> str:
        """The next request, with what it has to say besides its messages, where turns had these further `fields`."""
        ...


class Rounds:
    """The rounds behind one answer. `next` touches the store, so call it off the event loop.

    `run` answers a call from its name and arguments, whatever they are. `offer` are the texts in the request, commas
    included, by which our tools are offered in it. `one_text` tells, if anybody has to know, whether only one text of
    all rounds can count.
    """

    def __init__(self, rewritten: Rewritten, scribe: Scribe, *, run: Callable[[str, str], str], remember: Remember,
                 offer: tuple[str, ...], one_text: Callable[[], bool] = lambda: False, limits: Limits = LIMITS,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self.count = 0
        self.streamed = False
        """Whether the client is told each text at once."""
        self.fields: dict[str, Any] = {}
        """Further members of the turns there were, of each the latest."""
        self._request = rewritten
        self._scribe = scribe
        self._run = run
        self._remember = remember
        self._offer = offer
        self._asks_for_one = one_text
        self._limits = limits
        self._clock = clock
        self._deadline = clock() + limits.seconds
        self._hidden: list[str] = []
        self._shown: list[Part] = []
        self._texts: list[str] = []
        self._answers: list[str] = []
        self._asked: set[tuple[str, str]] = set()
        self._chars = 0
        self._withdrawn = False

    @cached_property
    def _one_text(self) -> bool:
        return not self.streamed and self._asks_for_one()

    @property
    def text(self) -> str:
        """What the client has been told, or will be: the texts of all rounds, or the last where only one can count and
        none was told yet."""
        return "".join(self._texts[-1:] if self._one_text else self._texts)

    @property
    def parts(self) -> str:
        """The comma-joined JSON of what the client saw of the hidden rounds, where an answer has parts."""
        return "" if self._one_text else ",".join(part.json for part in self._shown)

    def next(self, turn: Turn) -> bytes | None:
        """The request that follows `turn`, or None if `turn` ends the answer."""
        self._texts.append(turn.text)
        self.fields |= turn.fields
        self._answers += [turn.id] if turn.id else []
        if not turn.ours or not turn.whole or self._withdrawn:
            unrun = turn.ours if turn.owes else ()
            self._keep(turn, tuple(_NOT_RUN for _ in unrun), "", ",".join(call.json for call in unrun))
            return None
        replies = self._replies(turn)
        if turn.theirs:
            self._keep(turn, replies, ",".join(call.json for call in turn.ours))
            return None
        self._hidden.append(self._scribe.round_of(turn, replies))
        self._shown += [part for part in turn.parts if not part.ours and not (part.first_only and self._later)]
        self.count += 1
        return self._scribe.onward(self._body(), self.fields).encode("utf-8", "surrogatepass")

    @property
    def _later(self) -> bool:
        """Whether there was a hidden round before."""
        return self.count > 0

    def _keep(self, turn: Turn, replies: tuple[str, ...], calls: str, unrun: str = "") -> None:
        if self._hidden or replies:
            results = self._scribe.results_of(turn, replies) if replies else ""
            shown = [name for part in self._shown for name in (part.identity, part.reference) if name]
            first = ",".join(part.json for part in turn.parts if part.first_only) if self._later else ""
            self._remember(visible_text=self.text, visible_calls=turn.theirs, before=",".join(self._hidden),
                           first=first, calls=calls, results=results, unrun=f"{unrun},{results}" if unrun else "",
                           shown=tuple(shown), answers=tuple(self._answers),
                           last=next((part.reference for part in reversed(turn.parts) if not part.ours), ""),
                           behind=turn.parts[-1].ours if turn.parts else turn.ours_last)

    def _replies(self, turn: Turn) -> tuple[str, ...]:
        why = self._exhausted(turn.ours)
        if why:
            self._withdrawn = True
            return tuple(f"Not run: {why}. Answer with what you have." for _ in turn.ours)
        replies = {call: self._run(call.name, call.arguments) for call in dict.fromkeys(turn.ours)}
        self._asked |= {(call.name, call.arguments) for call in turn.ours}
        self._chars += sum(map(len, replies.values()))
        return tuple(replies[call] for call in turn.ours)

    def _exhausted(self, calls: tuple[Call, ...]) -> str:
        limits = self._limits
        if any((call.name, call.arguments) in self._asked for call in calls):
            return "the same call was answered above"
        if self.count >= limits.rounds:
            return f"{limits.rounds} retrieval rounds were run for this answer"
        if self._chars >= limits.chars:
            return f"{self._chars:,} characters were read for this answer"
        return "retrieval for this answer took too long" if self._clock() > self._deadline else ""

    def _body(self) -> str:
        """The client's request with the hidden rounds behind its last message."""
        text, end = self._opened()
        end = len(text[:end].rstrip(_BLANKS))
        joint = self._joint() if text[:end][-1:] != "[" else ""
        opening, closing = text[:end], text[end:]
        if self._withdrawn:
            opening, closing = self._without_tools(opening), self._without_tools(closing)
        return opening + joint + ",".join(self._hidden) + closing

    def _opened(self) -> tuple[str, int]:
        """The client's request and the place behind its last message, where more can follow."""
        text, end = self._request.text, self._request.messages_end
        bare = self._request.reading.bare if self._request.reading else 0
        if not bare:
            return text, end
        opened = f'{text[:end - bare]}[{{"role":"user","content":{text[end - bare:end]}}}'
        return f"{opened}]{text[end:]}", len(opened)

    def _joint(self) -> str:
        """What stands between two messages, as this client writes it."""
        reading = self._request.reading
        if reading is None or not reading.messages[1:]:
            return ","
        before, last = reading.messages[-2:]
        return reading.body[before.end:last.start]

    def _without_tools(self, text: str) -> str:
        for offered in self._offer:
            text = text.replace(offered, "", 1)
        return text
