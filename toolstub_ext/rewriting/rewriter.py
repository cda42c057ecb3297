"""Rewriting itself: one request at a time, from bytes to bytes."""

from __future__ import annotations

import hashlib
import json
import logging
from bisect import bisect_left
from collections import Counter
from dataclasses import replace

from .. import retrieval
from ..errors import StoreError, WireError
from ..policy import History, decide, settle, window
from ..policy.history import FOLDED
from ..settings import Settings
from ..store.base import Store
from ..synopsis import is_stub
from ..transcript import Change, ToolResult, Transcript
from ..wire import Beginning, Edit, Reading, splice, wire_for
from .memory import Past, PastMemory, StubMemory, SynopsisMemory
from .rewritten import Rewritten
from .storing import Sightings, Storing

log = logging.getLogger(__name__)

MOST_TOOLS = 128
"""What providers accept in one request."""
STUB_BYTES = 32 * 1024 * 1024
"""What a Rewriter may remember of stubs."""
PAST_BYTES = 128 * 1024 * 1024
"""What a Rewriter may remember of conversations."""
PUT_AGAIN_SECONDS = 3600.0
"""An original seen again is noted in the store at most this often: enough that it does not look unused."""
NOT_STORED = ":externalization_failed"
"""Ends the reason on a stub whose original is not stored."""
OWN_MARK = "[toolstub] "
"""Every reply of a retrieval tool begins with it."""
WRAPPER_CHARS = 120
"""How far from the beginning of a result that mark may stand, if something else handed the reply on."""


class Rewriter:
    """Rewrites bodies; remembers stubs and conversations, so that a history sent again costs little. Thread-safe."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._synopses = SynopsisMemory()
        self._stubs = StubMemory(STUB_BYTES, self._synopses)
        self._pasts = PastMemory(PAST_BYTES)
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
        text = _decoded(body)
        past = self._pasts.find(wire.name, text)
        reading = wire.read(text, past.beginning if past else None)
        session = session or reading.session or session_of(reading, owner)
        as_it_came = Rewritten(body, body, text, session=session, reading=reading, messages_end=reading.messages_end)
        if reading.tools_at is None or not self._may_change(reading):
            return as_it_came if reading.continues is None else self._continued(as_it_came, reading, owner)
        if past and reading.messages[0] is not past.beginning.messages[0]:
            past = None
        history = (past.borrow() if past else None) or History()
        wanted = self._wanted(reading, past, history)
        storing = Storing(self._store, self._sightings, owner, session)
        rounds = storing.rounds(reading)
        grown = settle(replace(wanted, messages=reading.messages), self._settings, history,
                       complete=len(reading.beginning.messages) if reading.beginning else 0)
        settled = self._settled(grown, storing)
        folded = self._folded(replace(wanted, messages=reading.messages), reading, history, storing)
        if storing.fault:
            if self._settings.externalize.failure_mode == "reject":
                raise storing.fault
            self._note(storing.fault)
        settled, rounds = _outside(folded, settled, rounds)
        offered = _offer(reading, reading.tools_at, wire.name) if self._offers(reading, settled, rounds) else []
        changed = [Edit(c.result.slot.start, c.result.slot.end, c.literal) for c in settled.changes if c.replaces]
        edits = sorted([*offered, *rounds, *changed], key=lambda edit: edit.start)
        decisions = [*settled.decisions, *(change.decision for change in settled.changes)]
        decisions.sort(key=lambda decision: decision.slot.start)
        sent = _spliced(text, edits, past) if edits else text
        if reading.beginning:
            self._pasts.note(_past(wire.name, reading.beginning, wanted, edits, sent, history), past)
        return replace(as_it_came, body=sent.encode() if edits else body, text=sent, decisions=tuple(decisions),
                       injected=retrieval.NAMES if offered else (), offered=tuple(edit.text for edit in offered),
                       messages_end=reading.messages_end + _growth(edits, reading.messages_end))

    def _continued(self, as_it_came: Rewritten, reading: Reading, owner: str) -> Rewritten:
        """The request with nothing but the rounds put back without which the provider could not continue."""
        storing = Storing(self._store, self._sightings, owner, as_it_came.session)
        edits = storing.rounds(reading)
        if storing.fault:
            self._note(storing.fault)
        if not edits:
            return as_it_came
        sent = splice(reading.body, edits)
        return replace(as_it_came, body=sent.encode(), text=sent)

    def _may_change(self, reading: Reading) -> bool:
        """Whether the model could call our tools, without which a stub would lead nowhere. While a conversation keeps
        its tools, so does the answer stay."""
        return (
            self._settings.changes_anything
            and not reading.several
            and len(reading.tool_names) + len(retrieval.NAMES) <= MOST_TOOLS
            and not any(retrieval.is_ours(name) for name in reading.tool_names)
        )

    def _wanted(self, reading: Reading, past: Past | None, history: History) -> Transcript:
        """What the policies want. Whole turns are judged, and those of the past have been."""
        known = history.results
        marked = [
            replace(result, exempt="own reply") if self._is_own_reply(result) else result
            for result in reading.transcript.results
        ]
        wanted = decide(replace(reading.transcript, results=tuple(marked)), self._settings, history,
                        complete=len(reading.beginning.results) if reading.beginning else 0,
                        stubs=self._stubs, synopses=self._synopses)
        if not known or past is None:
            return wanted
        return replace(wanted, changes=past.changes + wanted.changes, decisions=past.decisions + wanted.decisions)

    def _settled(self, wanted: Transcript, storing: Storing) -> Transcript:
        """What can be done of it: an original that is not stored does not go away."""
        changes: list[Change] = []
        decisions = [*wanted.decisions]
        for change in wanted.changes:
            if storing.put(change):
                changes.append(change)
            elif self._settings.externalize.failure_mode == "preview_only" and change.reason:
                changes.append(self._preview(change))
            else:
                decisions.append(replace(change.decision, action="kept", reason=f"store unavailable: {storing.fault}",
                                         ref=None, chars_after=change.decision.chars_before))
        return replace(wanted, changes=tuple(changes), decisions=tuple(decisions))

    def _folded(self, wanted: Transcript, reading: Reading, history: History, storing: Storing) -> tuple[Change, ...]:
        """The stretches that become a history, as far as they and their results are stored."""
        complete = len(reading.beginning.messages) if reading.beginning else 0
        found = window(wanted, reading.body, self._settings, history.aged[FOLDED], streamed=reading.stream,
                       complete=complete)
        return tuple(stretch.change for stretch in found
                     if all(storing.put(change) for change in (*stretch.results, stretch.change)))

    def _is_own_reply(self, result: ToolResult) -> bool:
        """Whether a retrieval tool gave it: by the tool's name, or by how it begins, for it may come in a wrapper."""
        if (result.tool or "").endswith(retrieval.NAMES):
            return True
        if len(result.text) > 2 * self._settings.reply_chars or is_stub(result.text):
            return False
        return OWN_MARK in result.text[:WRAPPER_CHARS]

    def _preview(self, change: Change) -> Change:
        """The same change with a stub that leads nowhere."""
        stub = self._stubs(change.result.text, tool=change.result.tool, budget=change.budget,
                           reason=change.reason + NOT_STORED, rules=self._settings.rules, stored=False)
        decision = replace(change.decision, reason=change.decision.reason + NOT_STORED, ref=None,
                           chars_after=len(stub.text))
        return replace(change, text=stub.text, literal=stub.literal, decision=decision)

    def _offers(self, reading: Reading, settled: Transcript, rounds: tuple[Edit, ...]) -> bool:
        if self._settings.inject == "always" or any(c.replaces for c in settled.changes) or rounds:
            return True
        return any(self._is_own_reply(result) or is_stub(result.text) for result in reading.transcript.results)


def rewrite(body: bytes, *, store: Store, settings: Settings, owner: str = "local",
            path: str = "/v1/chat/completions", session: str | None = None) -> Rewritten:
    """As `Rewriter.rewrite`, without memory of earlier bodies."""
    return Rewriter(store, settings).rewrite(body, owner=owner, path=path, session=session)


def _offer(reading: Reading, tools_at: int, wire: str) -> list[Edit]:
    """Our tools in front of the client's, so that the provider's cached prefix begins alike in every request."""
    edits = [Edit(tools_at, tools_at, retrieval.definitions(wire) + ",")]
    if reading.allowed_at is not None:
        edits.append(Edit(reading.allowed_at, reading.allowed_at, retrieval.allowance(wire) + ","))
    return edits


def _outside(folded: tuple[Change, ...], settled: Transcript,
             rounds: tuple[Edit, ...]) -> tuple[Transcript, tuple[Edit, ...]]:
    """What is done outside of the stretches that become a history, and the histories."""
    spans = [change.result.slot for change in folded]

    def goes(place: int) -> bool:
        after = bisect_left(spans, place, key=lambda span: span.end)
        return after < len(spans) and spans[after].start <= place

    changes = (change for change in settled.changes if not goes(change.result.slot.start))
    decisions = (decision for decision in settled.decisions if not goes(decision.slot.start))
    return (replace(settled, changes=(*changes, *folded), decisions=tuple(decisions)),
            tuple(edit for edit in rounds if not goes(edit.start)))


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


def _spliced(text: str, edits: list[Edit], past: Past | None) -> str:
    """The text with the edits made, those of the past only if they are not what they were."""
    if past is None:
        return splice(text, edits)
    behind = len(past.beginning.text)
    made = [edit for edit in edits if edit.start <= behind]
    return past.text + splice(text, edits[len(made):], behind) if tuple(made) == past.edits else splice(text, edits)


def _past(wire: str, beginning: Beginning, wanted: Transcript, edits: list[Edit], sent: str, history: History) -> Past:
    """What to remember of a request that was rewritten."""
    behind = len(beginning.text)
    return Past(
        wire=wire,
        beginning=beginning,
        changes=tuple(change for change in wanted.changes if change.result.slot.start < behind),
        decisions=tuple(decision for decision in wanted.decisions if decision.slot.start < behind),
        edits=tuple(edit for edit in edits if edit.start <= behind),
        text=sent[:behind + _growth(edits, behind)],
        history=history,
    )


def _growth(edits: list[Edit], at: int) -> int:
    """By how much the edits move the place `at`."""
    return sum(len(edit.text) - (edit.end - edit.start) for edit in edits if edit.start <= at)
