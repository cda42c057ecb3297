"""Rewriting itself: one request at a time, from bytes to bytes."""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from .. import retrieval
from ..errors import StoreError, WireError
from ..settings import Settings
from ..store import ahead
from ..store.base import Store
from ..wire import Beginning, Body, Edit, Marks, Reading, Terms, Wire, splice, wire_for
from .handing import Handover
from .judging import Judge
from .making import Request, make
from .memory import StubMemory, SynopsisMemory
from .past import Answer, Past, PastMemory, known
from .realigning import realigned
from .rewritten import Rewritten, Understood
from .storing import Fault, Sighting, Sightings, Storing, fault_of

log = logging.getLogger(__name__)

_OURS = frozenset(retrieval.NAMES)
MOST_TOOLS = 128
"""What providers accept in one request."""
STUB_BYTES = 32 * 1024 * 1024
"""What a Rewriter may remember of stubs."""
SYNOPSIS_BYTES = 16 * 1024 * 1024
"""What a Rewriter may remember of synopses."""
PAST_BYTES = 256 * 1024 * 1024
"""What a Rewriter may remember of conversations."""
QUICK_CHARS = 4_000
"""A longer result mostly wants a synopsis, which may take milliseconds."""
PUT_AGAIN_SECONDS = 3600.0
"""How often an original seen again is noted in the store at most: enough not to look unused."""

_StoringOf: TypeAlias = Callable[[Store, Sightings, str, str], Storing]


class _TakesLong(Exception):
    """A request has a new result that is not quickly dealt with."""


class _Found(NamedTuple):
    """A rewritten request, what to remember of it and in whose place, which originals are in the store, what of ours
    failed, and how those are stored that are not yet, if any."""

    rewritten: Rewritten
    past: Past | None = None
    before: Past | None = None
    seen: tuple[Sighting, ...] = ()
    faults: tuple[Fault, ...] = ()
    store: Callable[[], None] | None = None


class Begun(NamedTuple):
    """A request that is rewritten when `finish` has been called, which has to wait for the store if it `waits`."""

    waits: bool
    finish: Callable[[], Rewritten]


class Rewriter:
    """Rewrites bodies; remembers stubs and conversations, so that a history sent again costs little. Thread-safe.

    Raises SettingsError if the settings name a token counter that cannot be imported.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        synopses = SynopsisMemory(SYNOPSIS_BYTES, ahead.digest)
        self._judge = Judge(settings, StubMemory(STUB_BYTES, synopses, ahead.digest), synopses)
        self._pasts = PastMemory(PAST_BYTES)
        self._marks = Marks(settings.pasted.markers, settings.pasted.ends)
        self._sightings = Sightings(PUT_AGAIN_SECONDS)
        self.faults: Counter[str] = Counter()
        """How often each kind of fault of ours has left something as it came."""

    def rewrite(self, body: bytes, *, owner: str = "local", path: str = "/v1/chat/completions",
                session: str | None = None) -> Rewritten:
        """The body to send in place of `body`, or `body` itself.

        Raises StoreError if `failure_mode` is `reject` and the store fails, and nothing else: every other fault of
        ours ends here, is counted and logged once of its kind, and the body goes as it came.
        """
        found = self._made(body, owner, path, session)
        self._note(found.faults)
        return found.rewritten

    def begin(self, body: bytes, *, owner: str, path: str, session: str | None, alone: bool = False) -> Begun:
        """As `rewrite`, for who cannot wait: all that has to wait for others is left to the end. And so is what keeps
        others waiting, to store originals and what takes long, unless the request is `alone`."""
        storing_of: _StoringOf = Storing if alone else partial(Storing, later=True)
        begun = None
        with suppress(_TakesLong, StoreError), self._store.without_waiting():
            begun = self._made(body, owner, path, session, remember=False, storing_of=storing_of, quickly=not alone)
        if begun is None or begun.faults:
            return Begun(True, partial(self.rewrite, body, owner=owner, path=path, session=session))

        def finish() -> Rewritten:
            found = begun
            try:
                if found.store:
                    found.store()
            except Exception as error:  # noqa: BLE001  what is done then depends on which originals there are
                found = self._made(body, owner, path, session, remember=False,
                                   storing_of=partial(Storing, failed=error))
            if found.past:
                self._pasts.note(found.past, found.before)
            self._note(found.faults)
            return found.rewritten

        return Begun(begun.store is not None, finish)

    def hand_over(self, body: bytes, *, owner: str, path: str, session: str | None) -> tuple[Handover, Past | None]:
        """As `rewrite`, for another Rewriter, and what that is to remember of the conversation; this one does not."""
        found = self._made(body, owner, path, session, remember=False)
        return Handover(replace(found.rewritten, read=None), found.seen, found.faults), found.past

    def take_over(self, handover: Handover, path: str) -> Rewritten:
        """What another Rewriter of the same settings and store has made, as if it had been made here. Few want its
        reading, which is read anew for them: its texts take longer to be handed over."""
        self._note(handover.faults)
        self._sightings.are_in(self._store.identity)
        for sighting in handover.seen:
            self._sightings.note(*sighting)
        rewritten, wire = handover.rewritten, wire_for(path)
        if rewritten.understood is None or wire is None:
            return rewritten
        return replace(rewritten, read=lambda: self._read(wire, Body(rewritten.original)))

    def remember(self, past: Past, body: bytes) -> None:
        """What another Rewriter would know when a conversation goes on, of which this body was the last request."""
        self._pasts.note(past, self._pasts.find(past.wire, body))

    def new_in(self, body: bytes, path: str) -> int:
        """How many bytes of a body have to be read anew. The past it goes on from is remembered as this body has it."""
        wire = wire_for(path)
        if wire is None:
            return 0
        replaced, past = self._past_of(body, wire)
        if past is not None and past is not replaced:
            self._pasts.note(past, replaced)
        return len(body) - past.known(body).end.bytes if past else len(body)

    def new_at_a_look(self, body: bytes, path: str) -> int | None:
        """As `new_in`, as far as a look tells; None where it does not."""
        wire = wire_for(path)
        if wire is None:
            return 0
        past = self._pasts.find(wire.name, body)
        if past is not None and past.history is not None:
            return len(body) - past.known(body).end.bytes
        return None if past is not None or self._pasts.near(wire.name, body) else len(body)

    def _made(self, body: bytes, owner: str, path: str, session: str | None, *, remember: bool = True,
              storing_of: _StoringOf = Storing, quickly: bool = False) -> _Found:
        try:
            found = self._rewrite(body, owner, path, session, storing_of, quickly=quickly)
            if found.past and remember:
                self._pasts.note(found.past, found.before)
        except WireError as error:
            log.debug("%s: forwarded as it came: %s", path, error)
        except _TakesLong:
            raise
        except Exception as error:
            if isinstance(error, StoreError) and self._settings.externalize.failure_mode == "reject":
                raise
            log.debug("a fault", exc_info=error)
            return _Found(Rewritten(body, body), faults=(fault_of(error),))
        else:
            return found
        finally:
            ahead.forget()
        return _Found(Rewritten(body, body))

    def _note(self, faults: Iterable[Fault]) -> None:
        for kind, message in faults:
            self.faults[kind] += 1
            if self.faults[kind] == 1:
                why = message if kind == StoreError.__name__ else f"a fault of toolstub, {kind}: {message}"
                log.warning("something stays as it came: %s", why)

    def _rewrite(self, body: bytes, owner: str, path: str, name: str | None, storing_of: _StoringOf, *,
                 quickly: bool) -> _Found:
        wire = wire_for(path)
        if wire is None:
            return _Found(Rewritten(body, body))
        replaced, past = self._past_of(body, wire)
        if past and (again := past.answered(body, owner, name)) and self._is_stored(past, owner):
            return _Found(again(read=lambda: self._read(wire, Body(body))))
        known_part = past.known(body) if past else None
        reading = self._read(wire, Body(body), known_part)
        terms = reading.terms
        session = name or terms.session or session_of(reading, owner)
        rewritten = partial(Rewritten, session=session, understood=Understood.of(reading))
        if terms.tools_at is None or not self._may_change(terms):
            as_it_came = rewritten(body, body, read=lambda: reading, messages_end=reading.messages_end)
            return _Found(as_it_came) if terms.continues is None else self._continued(as_it_came, reading, owner)
        if past and reading.tail.start != past.beginning.end:
            past = None
        if quickly and _has_long(reading, past):
            raise _TakesLong
        storing = storing_of(self._store, self._sightings, owner, session)
        before = known(reading, past, goes_on=known_part is not None and known_part.goes_on)
        rounds = storing.rounds(reading, before.keys)
        request = Request(wire.name, reading, past, before, self._judge.wanted(reading, before))
        plan = self._judge.plan(request, storing, rounds)
        if self._judge.offers(request, plan):
            plan = plan._replace(offered=_offer(reading, wire.name))
        if storing.fault and self._settings.externalize.failure_mode == "reject":
            raise storing.fault
        made = make(request, plan, body)
        rewritten = partial(rewritten, decisions=made.told, messages_end=made.messages_end, grown=made.grown,
                            injected=retrieval.NAMES if plan.offered else (),
                            offered=tuple([edit.text for edit in plan.offered]))
        remembered = request.remembered(body, made.sent, Answer(owner, name, rewritten, made.behind))
        return _Found(rewritten(made.body, body, read=lambda: reading), remembered, replaced, tuple(storing.seen),
                      storing.faults, storing.put_all if storing.waiting else None)

    def _is_stored(self, past: Past, owner: str) -> bool:
        """Whether no original of what became of a past has to be put into the store again."""
        stored = past.sent.stored if past.sent else None
        return stored is not None and Storing(self._store, self._sightings, owner, stored.session).has(stored)

    def _read(self, wire: Wire, body: Body, known: Beginning | None = None) -> Reading:
        return wire.read(body, known, self._marks, self._settings.arguments.least)

    def _past_of(self, body: bytes, wire: Wire) -> tuple[Past | None, Past | None]:
        """The past with which a request goes on, and the same as the request has it, which may begin otherwise."""
        if found := self._pasts.find(wire.name, body):
            return found, found
        for past in self._pasts.near(wire.name, body):
            other = realigned(past, body, lambda head: self._read(wire, head),
                              lambda head: _offer(head, wire.name))
            if other is not None:
                return past, other
        return None, None

    def _continued(self, as_it_came: Rewritten, reading: Reading, owner: str) -> _Found:
        """The request with nothing but the rounds put back without which the provider could not continue."""
        storing = Storing(self._store, self._sightings, owner, as_it_came.session)
        edits = storing.rounds(reading)
        if not edits:
            return _Found(as_it_came, faults=storing.faults)
        sent = splice(reading.body, edits)
        return _Found(replace(as_it_came, body=sent.encode(), grown=len(sent) - as_it_came.chars_before))

    def _may_change(self, terms: Terms) -> bool:
        """Whether the model could call our tools, without which a stub would lead nowhere. While a conversation keeps
        its tools, so does the answer stay."""
        return (
            self._settings.changes_anything
            and not terms.several
            and len(terms.tool_names) + len(retrieval.NAMES) <= MOST_TOOLS
            and _OURS.isdisjoint(terms.tool_names)
        )


def rewrite(body: bytes, *, store: Store, settings: Settings, owner: str = "local",
            path: str = "/v1/chat/completions", session: str | None = None) -> Rewritten:
    """As `Rewriter.rewrite`, without memory of earlier bodies."""
    return Rewriter(store, settings).rewrite(body, owner=owner, path=path, session=session)


def _has_long(reading: Reading, past: Past | None) -> bool:
    """Whether a result that is not known is longer than what is quickly dealt with."""
    known_ones = past.beginning.whole.counts.results if past is not None else 0
    return any(len(result.text) > QUICK_CHARS for result in reading.transcript.results[known_ones:])


def _offer(reading: Reading, wire: str) -> tuple[Edit, ...]:
    """Our tools in front of the client's, so that the provider's cached prefix begins alike in every request."""
    places = ((reading.terms.tools_at, retrieval.definitions), (reading.terms.allowed_at, retrieval.allowance))
    return tuple([Edit(place, place, said(wire) + ",") for place, said in places if place is not None])


def session_of(reading: Reading, owner: str) -> str:
    """A name for a conversation that has none: what it began with, up to the first user message."""
    opening: list[str] = [owner]
    for message in reading.messages:
        opening += [message.role, message.text]
        if message.role == "user":
            break
    return hashlib.sha256(json.dumps(opening).encode()).hexdigest()[:32]
