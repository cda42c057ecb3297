"""How a conversation went: its messages, what each weighs in tokens, and at which lengths it was sent.

A policy that takes away what is old has to find the same boundary in every later request, or what was sent once
changes. So it goes through the requests from the first on and moves its boundary as it did then: what it decides at
one length of the conversation never depends on what comes later.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from ..transcript import Spoken, ToolResult, Transcript, shown

Count = Callable[[str], int]


class Course:
    """The messages with their weights, up to each of them; results are named by their numbers in the transcript.

    It grows with the conversation: messages to which nothing can be added are weighed once.
    """

    def __init__(self) -> None:
        self.messages: Sequence[Spoken] = ()
        self.places: list[list[int]] = []
        """The results in each message, without what calls hand over."""
        self.requests: list[int] = []
        """How many messages each request had: all in front of what the model said next, and now all there are."""
        self._total, self._results, self._counts, self._loose = [0], [0], [0], [0]
        self._taken = [0]
        self._complete = 0

    def grow(self, transcript: Transcript, count: Count, may_go: Callable[[ToolResult], bool], complete: int) -> None:
        """Go on to all messages of a transcript that was decided on; to the first `complete` nothing can be added."""
        self._forget_incomplete()
        self.messages = transcript.messages
        place = self._taken[-1]
        for number, message in enumerate(self.messages[self._complete:], self._complete):
            here: list[int] = []
            while place < len(transcript.results) and transcript.results[place].slot.start < message.end:
                if not transcript.results[place].is_argument:
                    here.append(place)
                place += 1
            self._taken.append(place)
            self._weigh(message, here, transcript, count, may_go)
            if number and message.role == "assistant" != self.messages[number - 1].role:
                self.requests.append(number)
        if self.messages and self.messages[-1].role != "assistant":
            self.requests.append(len(self.messages))
        self._complete = max(self._complete, complete)

    def _weigh(self, message: Spoken, places: list[int], transcript: Transcript, count: Count,
               may_go: Callable[[ToolResult], bool]) -> None:
        found = [transcript.results[place] for place in places]
        answered = sum(count(shown(result, transcript.outcomes[place])) for result, place in zip(found, places))
        asked = sum(count(result.arguments) for result in found)
        self.places.append(places)
        self._total.append(self._total[-1] + (answered + asked if found else count(message.text)))
        self._results.append(self._results[-1] + answered)
        self._counts.append(self._counts[-1] + len(places))
        self._loose.append(self._loose[-1] + (answered if any(map(may_go, found)) else 0))

    def _forget_incomplete(self) -> None:
        del self.places[self._complete:]
        for sums in (self._taken, self._total, self._results, self._counts, self._loose):
            del sums[self._complete + 1:]
        while self.requests and self.requests[-1] >= self._complete:
            self.requests.pop()

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
