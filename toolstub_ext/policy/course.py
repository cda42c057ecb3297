"""How a conversation went: its messages, what each weighs in tokens, and at which lengths it was sent.

A policy that takes away what is old has to find the same boundary in every later request, or what was sent once
changes. So it goes through the requests from the first on and moves its boundary as it did then: what it decides at
one length of the conversation never depends on what comes later.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from ..transcript import ToolResult, Transcript, shown

Count = Callable[[str], int]


@dataclass(slots=True)
class Weights:
    """Tokens of the messages to which nothing can be added: of each as it is sent, of its results alone, and of those
    that may be taken away."""

    messages: list[int] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)


class Course:
    """The messages with their weights; results are named by their place in the transcript."""

    def __init__(self, transcript: Transcript, count: Count, may_go: Callable[[ToolResult], bool], known: Weights,
                 complete: int = 0) -> None:
        """`known` are the weights of the first messages; they are extended to the `complete` ones."""
        self.messages = transcript.messages
        self.places = _places(transcript)
        weights = Weights([*known.messages], [*known.results], [*known.loose])
        pairs = [*transcript.pairs]
        for number in range(len(known.messages), len(self.messages)):
            found = [pairs[place] for place in self.places[number]]
            answered = sum(count(shown(result, outcome)) for result, outcome in found)
            asked = sum(count(result.arguments) for result, _ in found)
            weights.messages.append(answered + asked if found else count(self.messages[number].text))
            weights.results.append(answered)
            weights.loose.append(answered if any(may_go(result) for result, _ in found) else 0)
        known.messages.extend(weights.messages[len(known.messages):complete])
        known.results.extend(weights.results[len(known.results):complete])
        known.loose.extend(weights.loose[len(known.loose):complete])
        self._total = [0, *accumulate(weights.messages)]
        self._results = [0, *accumulate(weights.results)]
        self._counts = [0, *accumulate(map(len, self.places))]
        self._loose = [0, *accumulate(weights.loose)]

    def tokens(self, start: int, end: int) -> int:
        """What the messages from `start` to `end` weigh."""
        return self._total[end] - self._total[start]

    def result_tokens(self, start: int, end: int) -> int:
        """What the results in them weigh."""
        return self._results[end] - self._results[start]

    def loose_tokens(self, start: int, end: int) -> int:
        """What those of them weigh that may be taken away."""
        return self._loose[end] - self._loose[start]

    def count(self, start: int, end: int) -> int:
        """How many results there are in them."""
        return self._counts[end] - self._counts[start]

    def last(self, results: int, end: int) -> int:
        """The message that holds the first of so many newest results; `end` for none."""
        wanted = self._counts[end] - results
        return max(0, bisect_right(self._counts, wanted, 0, end + 1) - 1)

    def turn_start(self, end: int) -> int:
        """The first message of the newest turn: what the model said last, and what is behind it."""
        place = bisect_left(self.requests, end)
        return self.requests[place - 1] if place else 0

    @cached_property
    def requests(self) -> tuple[int, ...]:
        """How many messages each request had: all in front of what the model said next, and now all there are."""
        roles = [message.role for message in self.messages]
        ends = [at for at in range(1, len(roles)) if roles[at] == "assistant" != roles[at - 1]]
        return (*ends, len(roles)) if roles and roles[-1] != "assistant" else tuple(ends)


def _places(transcript: Transcript) -> Sequence[list[int]]:
    """The places of the results in each message, without what calls hand over."""
    places: list[list[int]] = [[] for _ in transcript.messages]
    number = 0
    for place, result in enumerate(transcript.results):
        while transcript.messages[number].end <= result.slot.start:
            number += 1
        if not result.is_argument:
            places[number].append(place)
    return places
