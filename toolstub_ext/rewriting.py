"""From the body a client sends to the body the provider gets, with the reason for what became of each result.

    decode -> read -> decide (policy) -> store the originals -> splice

Nothing but what is replaced, our tools and rounds put back differs from the client's bytes; a body that is not
understood, and any fault of ours, leaves them as they came.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from . import hidden_rounds, retrieval
from .errors import StoreError, WireError
from .memory import Sightings, StubMemory
from .policy import externalize
from .settings import Settings
from .store.base import Store
from .synopsis import is_stub
from .tokens import estimate
from .transcript import Change, Decision, ToolResult, Transcript, literal
from .wire import Edit, Reading, splice, wire_for

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_TOOLS = 128
"""What providers accept in one request."""
MEMORY_BYTES = 32 * 1024 * 1024
"""What a Rewriter may remember of stubs."""
PUT_AGAIN_SECONDS = 3600.0
"""An original seen again is noted in the store at most this often: enough that it does not look unused."""
NOT_STORED = ":externalization_failed"
"""Ends the reason on a stub whose original is not stored."""
OWN_MARK = "[toolstub] "
"""Every reply of a retrieval tool begins with it."""
WRAPPER_CHARS = 120
"""How far from the beginning of a result that mark may stand, if something else handed the reply on."""


@dataclass(frozen=True)
class Rewritten:
    """What goes to the provider, and why.

    `body` is `text` in UTF-8. `reading` is of the client's body, None if that was not understood. `injected` names the
    tools of ours that the model may call; `messages_end` is the place of the `]` of the messages in `text`.
    """

    body: bytes
    original: bytes
    text: str = ""
    decisions: tuple[Decision, ...] = ()
    session: str = ""
    reading: Reading | None = None
    injected: tuple[str, ...] = ()
    messages_end: int = 0

    @cached_property
    def chars_before(self) -> int:
        """Characters of the client's body."""
        return len(self._before)

    @cached_property
    def chars_after(self) -> int:
        """Characters of the provider's body."""
        return len(self._after)

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


class Rewriter:
    """Rewrites bodies and remembers the stubs it made. Thread-safe."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._stubs = StubMemory(MEMORY_BYTES)
        self._sightings = Sightings(PUT_AGAIN_SECONDS)
        self.faults: Counter[str] = Counter()
        """How often each kind of fault of ours has left something as it came."""

    def rewrite(self, body: bytes, *, owner: str = "local", path: str = "/v1/chat/completions",
                session: str | None = None) -> Rewritten:
        """The body to send in place of `body`, or `body` itself.

        Raises StoreError if `failure_mode` is `reject` and the store fails, and nothing else: every other fault of
        ours ends here, is counted and logged once of its kind, and the body goes as it came.
        """
        try:
            return self._rewrite(body, owner, path, session)
        except WireError as error:
            log.debug("%s: forwarded as it came: %s", path, error)
        except Exception as error:
            if isinstance(error, StoreError) and self._settings.externalize.failure_mode == "reject":
                raise
            self._note(error)
        return Rewritten(body, body)

    def _note(self, error: Exception) -> None:
        fault = type(error).__name__
        self.faults[fault] += 1
        if self.faults[fault] == 1:
            log.warning("forwarded as it came, because of a fault of toolstub: %s: %s", fault, error)
            log.debug("the fault", exc_info=error)

    def _rewrite(self, body: bytes, owner: str, path: str, session: str | None) -> Rewritten:
        wire = wire_for(path)
        if wire is None:
            return Rewritten(body, body)
        reading = wire.read(_decoded(body))
        session = session or reading.session or session_of(reading, owner)
        as_it_came = Rewritten(body, body, reading.body, session=session, reading=reading,
                               messages_end=reading.messages_end)
        if reading.tools_at is None or not self._may_change(reading):
            return as_it_came
        storing = _Storing(self._store, self._sightings, owner, session)
        rounds = storing.rounds(reading)
        transcript = self._decide(reading.transcript, storing)
        if storing.fault:
            if self._settings.externalize.failure_mode == "reject":
                raise storing.fault
            self._note(storing.fault)
        changed = [Edit(c.result.slot.start, c.result.slot.end, literal(c.text)) for c in transcript.changes]
        offered = _offer(reading, reading.tools_at, wire.name) if self._offers(transcript, rounds) else []
        edits = [*offered, *rounds, *changed]
        decisions = [*transcript.decisions, *(change.decision for change in transcript.changes)]
        as_it_came = replace(as_it_came, decisions=tuple(sorted(decisions, key=lambda d: d.slot.start)))
        if not edits:
            return as_it_came
        text = splice(reading.body, edits)
        moved = sum(len(e.text) - (e.end - e.start) for e in edits if e.start <= reading.messages_end)
        return replace(as_it_came, body=text.encode(), text=text, injected=retrieval.NAMES if offered else (),
                       messages_end=reading.messages_end + moved)

    def _may_change(self, reading: Reading) -> bool:
        """Whether the model could call our tools, without which a stub would lead nowhere. While a conversation keeps
        its tools, so does the answer stay."""
        return (
            self._settings.preset != "off"
            and self._settings.externalize.enabled
            and not reading.several
            and len(reading.tool_names) + len(retrieval.NAMES) <= MOST_TOOLS
            and not any(retrieval.is_ours(name) for name in reading.tool_names)
        )

    def _decide(self, transcript: Transcript, storing: _Storing) -> Transcript:
        """What the policies want, as far as the originals could be stored."""
        results = tuple(
            replace(result, exempt="own reply") if self._is_own_reply(result) else result
            for result in transcript.results
        )
        wanted = externalize(replace(transcript, results=results), self._settings, stubs=self._stubs)
        settled = replace(wanted, changes=())
        for change in wanted.changes:
            if storing.put(change):
                settled = settled.with_changes(change)
            elif self._settings.externalize.failure_mode == "preview_only":
                settled = settled.with_changes(self._preview(change))
            else:
                settled = settled.with_decisions(_left(change, f"store unavailable: {storing.fault}"))
        return settled

    def _is_own_reply(self, result: ToolResult) -> bool:
        """Whether a retrieval tool gave it: by the tool's name, or by how it begins, for it may come in a wrapper."""
        if (result.tool or "").endswith(retrieval.NAMES):
            return True
        if is_stub(result.text) or len(result.text) > 2 * self._settings.reply_chars:
            return False
        return OWN_MARK in result.text[:WRAPPER_CHARS]

    def _preview(self, change: Change) -> Change:
        """The same change with a stub that leads nowhere."""
        stub = self._stubs(change.result.text, tool=change.result.tool, budget=change.budget,
                           reason=change.reason + NOT_STORED, rules=self._settings.rules, stored=False)
        decision = replace(change.decision, reason=change.decision.reason + NOT_STORED, ref=None,
                           chars_after=len(stub.text))
        return replace(change, text=stub.text, decision=decision)

    def _offers(self, transcript: Transcript, rounds: tuple[Edit, ...]) -> bool:
        if self._settings.inject == "always" or transcript.changes or rounds:
            return True
        return any(result.exempt or is_stub(result.text) for result in transcript.results)


class _Storing:
    """The store, as one request uses it: after its first fault it is left alone, so that a dead one costs one wait."""

    def __init__(self, store: Store, sightings: Sightings, owner: str, session: str) -> None:
        self._store = store
        self._sightings = sightings
        self._owner = owner
        self._session = session
        self.fault: StoreError | None = None

    def rounds(self, reading: Reading) -> tuple[Edit, ...]:
        """The hidden rounds of the conversation; none if the store fails."""
        return self._try(
            lambda: hidden_rounds.put_back(self._store, reading, owner=self._owner, session=self._session), ()
        )

    def put(self, change: Change) -> bool:
        """Whether the original of a change is in the store."""
        sighting = self._owner, self._session, change.sha256, change.result.call_id or ""
        return not self._sightings.is_due(*sighting) or self._try(lambda: self._put(change, sighting), False)

    def _put(self, change: Change, sighting: tuple[str, ...]) -> bool:
        result = change.result
        self._store.put(result.text, owner=self._owner, session=self._session, tool=result.tool,
                        call_id=result.call_id, kind=change.kind)
        self._sightings.note(*sighting)
        return True

    def _try(self, action: Callable[[], T], otherwise: T) -> T:
        if self.fault is None:
            try:
                return action()
            except StoreError as error:
                self.fault = error
        return otherwise


def rewrite(body: bytes, *, store: Store, settings: Settings, owner: str = "local",
            path: str = "/v1/chat/completions", session: str | None = None) -> Rewritten:
    """As `Rewriter.rewrite`, without memory of earlier bodies."""
    return Rewriter(store, settings).rewrite(body, owner=owner, path=path, session=session)


def _offer(reading: Reading, tools_at: int, wire: str) -> list[Edit]:
    """Our tools in front of the client's, so that the provider's cached prefix begins alike in every request."""
    edits = [Edit(tools_at, tools_at, retrieval.definitions(wire) + ",")]
    if reading.allowed_at is not None:
        names = "".join(f'{{"type":"function","function":{{"name":"{name}"}}}},' for name in retrieval.NAMES)
        edits.append(Edit(reading.allowed_at, reading.allowed_at, names))
    return edits


def session_of(reading: Reading, owner: str) -> str:
    """A name for a conversation that has none: what it began with, up to the first user message."""
    opening: list[str] = [owner]
    for message in reading.messages:
        opening += [message.role, message.text]
        if message.role == "user":
            break
    return hashlib.sha256(json.dumps(opening).encode()).hexdigest()[:32]


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise WireError(f"not UTF-8: {error}") from error


def _left(change: Change, reason: str) -> Decision:
    return replace(change.decision, action="kept", reason=reason, ref=None, chars_after=change.decision.chars_before)
