"""The policies in their order, one turn after another.

What becomes of a result depends on the call that produced it, on its turn, and on what stands before that turn; never
on anything behind it. So what was decided once stays, and of a conversation sent again only the new turns cost work.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby

from ..settings import Settings
from ..synopsis import synopsize
from ..tokens import estimate
from ..transcript import Change, Decision, Transcript
from .aging import Aging, age
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
    """What is to become of the results that `history` has not taken in: each gets a change or an explanation.

    The first `complete` results (None: all) belong to turns to which nothing can be added; `history` takes those in.
    """
    history = History() if history is None else history
    changes: list[Change] = []
    decisions: list[Decision] = []
    at, said = history.results, transcript.said
    for _, results in groupby(transcript.results[at:], key=lambda result: result.turn):
        told = bisect_right(said, at, key=lambda one: one.results)
        turn = Transcript(tuple(results), said=said[:told])
        turn = abridge(turn, settings)
        turn = dedupe(turn, settings, history)
        turn = route(turn, settings, stubs=stubs)
        turn = externalize(turn, settings, stubs=stubs, synopses=synopses)
        turn = compact(turn, settings)
        at += len(turn.results)
        if complete is None or at <= complete:
            history.take_in(turn)
        changes += turn.changes
        decisions += turn.decisions
    return Transcript(transcript.results, tuple(changes), tuple(decisions), transcript.said)


def settle(transcript: Transcript, settings: Settings, history: History, *, complete: int = 0) -> Transcript:
    """What becomes of results that are old by now, on top of what was decided about each when it was new.

    `transcript` has every message; to the first `complete` nothing can be added.
    """
    policies: list[tuple[Aging, Count]] = []
    if settings.clear.enabled:
        policies.append((Clearing(settings.clear), counter(settings.clear.token_counter)))
    if settings.compress.enabled:
        policies.append((Compressing(settings.compress), estimate))
    if settings.reclaim.enabled:
        policies.append((Reclaiming(settings.reclaim), estimate))
    return age(transcript, policies, settings, history.aged, complete) if policies else transcript
