"""The policies in their order, one turn after another.

What becomes of a result depends on the call that produced it, on its turn, and on what stands before that turn; never
on anything behind it. So what was decided once stays, and of a conversation sent again only the new turns cost work.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from operator import attrgetter

from ..series import Series
from ..settings import Settings
from ..synopsis import synopsize
from ..tokens import estimate
from ..transcript import Outcome, Transcript
from .aging import Aging, Old, age
from .arguments import abridge
from .clear import Clearing
from .compact import compact
from .compress import Compressing
from .counting import counter
from .course import Count
from .dedupe import dedupe
from .externalize import externalize
from .history import History
from .reclaim import Reclaiming
from .route import route
from .stubs import Stubs, Synopses, make_stub


def decide(transcript: Transcript, settings: Settings, history: History | None = None, *, complete: int | None = None,
           stubs: Stubs = make_stub, synopses: Synopses = synopsize) -> Transcript:
    """The results with what is to become of each. They stand behind those that `history` has taken in.

    Of the whole conversation the first `complete` results (None: all) belong to turns to which nothing can be added;
    `history` takes those in.
    """
    history = History() if history is None else history
    outcomes: list[Outcome | None] = []
    at, said = history.results, Series.of(transcript.said)
    for _, results in groupby(transcript.results, key=attrgetter("turn")):
        told = bisect_right(said, at, key=lambda one: one.results)
        turn = Transcript(tuple(results), said=said.upto(told))
        turn = abridge(turn, settings)
        turn = dedupe(turn, settings, history)
        turn = route(turn, settings, stubs=stubs)
        turn = externalize(turn, settings, stubs=stubs, synopses=synopses)
        turn = compact(turn, settings)
        at += len(turn.results)
        if complete is None or at <= complete:
            history.take_in(turn)
        outcomes += turn.outcomes or [None] * len(turn.results)
    return transcript.with_outcomes(outcomes)


def settle(transcript: Transcript, settings: Settings, history: History, *, complete: int = 0) -> Old:
    """What becomes of results that are old by now, in place of what was decided about each when it was new.

    `transcript` has every message; to the first `complete` nothing can be added.
    """
    policies: list[tuple[Aging, Count]] = []
    if settings.clear.enabled:
        policies.append((Clearing(settings.clear), counter(settings.clear.token_counter)))
    if settings.compress.enabled:
        policies.append((Compressing(settings.compress), estimate))
    if settings.reclaim.enabled:
        policies.append((Reclaiming(settings.reclaim), estimate))
    return age(transcript, policies, settings, history, complete)
