"""A result that earlier turns show already becomes a pointer to it; one that has changed a little, what has changed.

    pointer  exactly the text of an earlier result, or of one that became a stub
    delta    at least 40 % of it stand, in runs of lines, in one or two texts that the model can see whole: results, or
             what it wrote into a file itself

Neither hides anything that is not above. A stub that is asked for a third time by the same call is let through: to
point at it again would only go round in circles.
"""

from __future__ import annotations

from ..settings import Settings
from ..store.base import ref_of, sha256_of
from ..transcript import Change, Decision, Outcome, ToolResult, Transcript, literal
from .calls import Call
from .delta import LEAST_LINES, MOST_CHARS, delta
from .externalize import kept, untouchable
from .history import REDUCED, REPEATED, SHORTEST, History, Seen
from .sources import TELLING, Lines, Source
from .stubs import takes_less

LEAST_SAVED = 120
"""Characters: a delta that saves less is not worth reading."""
MOST_LEFT = 0.8
"""Of its original a delta is at most that part."""
ASKED_TWICE = 2
"""So often the same call may be answered with less than the text."""


def dedupe(turn: Transcript, settings: Settings, history: History) -> Transcript:
    """One turn with a change for each result that `history` shows already."""
    if not settings.dedupe.enabled:
        return turn
    left_out = turn.left_out
    return turn.judged(lambda result: _judged(result, settings, history, left_out))


def _judged(result: ToolResult, settings: Settings, history: History, left_out: frozenset[str]) -> Outcome | None:
    if len(result.text) < SHORTEST or untouchable(result, settings):
        return None
    seen = history.seen(result.text)
    if seen is None:
        return _delta(result, history, left_out)
    call = Call.of(result)
    if seen.hidden and seen.calls.get(call, 0) >= ASKED_TWICE:
        return kept(result, "asked for a third time")
    return _pointer(result, call, seen)


def _pointer(result: ToolResult, call: Call, seen: Seen) -> Change | None:
    lines = Lines.of(result.text)
    now, before = str(call), str(seen.call)
    same = f"{now} again: same result as" if now == before else f"{now}: same as the result of {before}"
    text = (
        f"[toolstub] {same} above, from its line {lines.first} ({lines.count:,} lines); nothing changed. "
        f"ref: {ref_of(sha256_of(result.text))}"
    )
    shown = "a stub" if seen.hidden else "a result"
    return _change(result, text, REPEATED, f"same text as {shown} above")


def _delta(result: ToolResult, history: History, left_out: frozenset[str]) -> Change | None:
    text = result.text
    if len(text) > MOST_CHARS or "\n" not in text:  # which is sooner told than how many there are
        return None
    breaks = text.count("\n")
    if breaks < LEAST_LINES - 1 or breaks * TELLING > len(text):
        return None
    lines = history.lines(text)
    sources = (*_just_written(result, left_out), *history.sources.alike(lines.lines))[:2]
    said = delta(text, lines, sources) if sources else None
    if said is None:
        return None
    used = {name: source.name for name, source in zip("AB", sources) if f": as {name} " in said}
    head = (
        f"[toolstub] {Call.of(result)}: {lines.count:,} lines, those in brackets as above. "
        f"{'; '.join(f'{name} is {source}' for name, source in used.items())}. ref: {ref_of(sha256_of(text))}"
    )
    change = _change(result, f"{head}\n{said}", REDUCED, f"much stands in {' and '.join(map(str, used.values()))}")
    if change is None or len(change.text) > MOST_LEFT * len(text) or len(text) - len(change.text) < LEAST_SAVED:
        return None
    return change


def _just_written(result: ToolResult, left_out: frozenset[str]) -> tuple[Source, ...]:
    """The longest text that the call itself shows: tools like to show a file they have written."""
    shown = [text for text in Call.of(result).written(SHORTEST) if text not in left_out]
    text = max(shown, key=len, default="")
    return (Source("what you wrote", Lines.of(text), len(text)),) if text else ()


def _change(result: ToolResult, text: str, action: str, reason: str) -> Change | None:
    """The change, if it makes the result smaller."""
    written = literal(text)
    if not takes_less(text, written, result.text):
        return None
    sha256 = sha256_of(result.text)
    decision = Decision(result.slot, result.tool, action, reason, ref_of(sha256), len(result.text), len(text))
    return Change(result, text, written, decision, None, sha256)
