"""What becomes of the results of a request: what the policies want, as far as the store lets it be done."""

from __future__ import annotations

from .. import retrieval
from ..policy import Old, check_token_counter, decide, settle, window
from ..policy.history import FOLDED
from ..settings import Settings
from ..synopsis import is_stub
from ..transcript import Change, Outcome, ToolResult, Transcript
from ..wire import Edit, Reading
from .making import Plan, Request
from .memory import StubMemory, SynopsisMemory
from .past import Known
from .storing import Storing

NOT_STORED = ":externalization_failed"
"""Ends the reason on a stub whose original is not stored."""
OWN_MARK = "[toolstub] "
"""Every reply of a retrieval tool begins with it."""
WRAPPER_CHARS = 120
"""How far from the beginning of a result that mark may stand, if something else handed the reply on."""
_NOTHING_OLD = Old()


class Judge:
    """Decides by the settings; thread-safe. Raises SettingsError, at once, if their token counter is none."""

    def __init__(self, settings: Settings, stubs: StubMemory, synopses: SynopsisMemory) -> None:
        check_token_counter(settings)
        self._settings = settings
        self._ages = settings.clear.enabled or settings.compress.enabled or settings.reclaim.enabled
        self._stubs = stubs
        self._synopses = synopses

    def wanted(self, reading: Reading, known: Known) -> Transcript:
        """What the policies want done with the results that were not known before."""
        new = tuple([result._replace(exempt="own reply") if self._is_own_reply(result) else result
                     for result in known.new])
        return decide(reading.transcript._replace(results=new), self._settings, known.history,
                      complete=reading.closed.results, stubs=self._stubs, synopses=self._synopses)

    def plan(self, request: Request, storing: Storing, rounds: tuple[Edit, ...]) -> Plan:
        """What is done: of a beginning that was sent before, what was done then, unless that may change with age."""
        old, folds = self._old(request) if self._ages else _NOTHING_OLD, self._settings.window.enabled
        carried = None if folds else request.carried(old, storing)
        front = request.known.front if carried else 0
        outcomes = [self._done(outcome, storing) if isinstance(outcome, Change) else outcome
                    for outcome in old.replacing(request.outcomes(front), front)]
        folded = self._folded(request, storing) if folds else ()
        stored = storing.stored(carried.stored if carried else None)
        return Plan.of(outcomes, folded, rounds, moves=old.moves, carried=carried, stored=stored)

    def offers(self, request: Request, plan: Plan) -> bool:
        """Whether the model is to know our tools."""
        if self._settings.inject == "always" or plan.changed or plan.rounds:
            return True
        carried = plan.carried
        if carried is not None and any(edit not in carried.extra for edit in carried.edits):
            return True
        return any(self._is_own_reply(result) or is_stub(result.text) for result in request.reading.transcript.results)

    def _old(self, request: Request) -> Old:
        return settle(request.whole, self._settings, request.known.history, complete=request.reading.closed.messages)

    def _done(self, change: Change, storing: Storing) -> Outcome:
        """What can be done of it: an original that is not stored does not go away."""
        if storing.put(change):
            return change
        if self._settings.externalize.failure_mode == "preview_only" and change.reason:
            return self._preview(change)
        return change.decision._replace(action="kept", reason=f"store unavailable: {storing.fault}", ref=None,
                                         chars_after=change.decision.chars_before)

    def _folded(self, request: Request, storing: Storing) -> tuple[Change, ...]:
        """The stretches that become a history, as far as they and their results are stored."""
        reading, known_ones = request.reading, request.known.history.aged[FOLDED]
        found = window(request.whole, reading.body, self._settings, known_ones, streamed=reading.terms.stream,
                       complete=reading.closed.messages)
        return tuple(stretch.change for stretch in found
                     if all(storing.put(change) for change in (*stretch.results, stretch.change)))

    def _is_own_reply(self, result: ToolResult) -> bool:
        """Whether a retrieval tool gave it: by the tool's name, or by how it begins, for it may come in a wrapper."""
        if (result.tool or "").endswith(retrieval.NAMES):
            return True
        if len(result.text) > 2 * self._settings.reply_chars or OWN_MARK not in result.text[:WRAPPER_CHARS]:
            return False
        return not is_stub(result.text)

    def _preview(self, change: Change) -> Change:
        """The same change with a stub that leads nowhere."""
        stub = self._stubs(change.result.text, tool=change.result.tool, budget=change.budget,
                           reason=change.reason + NOT_STORED, rules=self._settings.rules, stored=False)
        decision = change.decision._replace(reason=change.decision.reason + NOT_STORED, ref=None,
                                            chars_after=len(stub.text))
        return change._replace(text=stub.text, literal=stub.literal, decision=decision)
