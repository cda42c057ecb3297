"""Gliding Horse's third layer: of a long conversation the newest messages stay, and what is older becomes a history.

    when     more than `max_messages` messages stand as the client wrote them, or more than `max_tokens` tokens of
             which at least `step_tokens` would go; of a client that streams only every
             `every_turns_when_streaming` requests
    kept     the messages up to the first of the user, the newest `keep_recent_messages`, and the turn they begin in
    left     for each stretch that goes one message of the user with a line for everything said and every result

A stretch ends where a request once ended, so no call is without its result, and it never ends behind a later system
message. What was said of a stretch stays as it is when the next one goes. The stretch is stored as the client wrote
it, and each result that is not short under its own ref.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ..settings import Settings, Window
from ..store.base import encode, ref_of, sha256_of
from ..tokens import estimate
from ..transcript import Change, Decision, Slot, Spoken, ToolResult, Transcript, literal
from .calls import Call
from .course import Course
from .history import FOLDED, Aged, Stretch

SHORT = 200
"""Characters: of a text that is longer only the beginning is in the history, and a result has a ref."""
MOST_LINES = 60
"""Lines of one history: of a longer one the first and the last stand, and how many are between."""
_ANSWERING = ("user", "assistant", "tool", "function")


def window(transcript: Transcript, body: str, settings: Settings, known: Aged, *, streamed: bool,
           complete: int = 0) -> tuple[Stretch, ...]:
    """The stretches of a conversation that are to become a history, in order.

    `body` is what the spans of the messages are of. To the first `complete` messages nothing can be added.
    """
    if not settings.window.enabled:
        return ()
    course = known.course
    course.grow(transcript, estimate, lambda _: False, complete)
    first = next((at for at, message in enumerate(course.messages, 1) if message.role == "user"), len(course.messages))
    found: list[Stretch] = []
    for start, end in stretches(course, first, settings.window, streamed=streamed):
        text = body[course.messages[start].start:course.messages[end - 1].end]
        stretch = known.stretches.get(start)
        if stretch is None or stretch.change.result.text != text:
            known.stretches[start] = stretch = _stretch(transcript, course, text, start, end)
        if len(encode(stretch.change.literal)) < len(encode(stretch.change.result.text)):
            found.append(stretch)
    return tuple(found)


def stretches(course: Course, first: int, rule: Window, *, streamed: bool) -> list[tuple[int, int]]:
    """Where the stretches begin and end; `first` messages stay in front of them."""
    every = rule.every_turns_when_streaming if streamed else 1
    last = next((at for at, message in enumerate(course.messages) if at >= first and _must_stay(message)),
                len(course.messages))
    found: list[tuple[int, int]] = []
    at = first
    for number, end in enumerate(course.requests, 1):
        place = bisect_right(course.requests, min(end - rule.keep_recent_messages, course.turn_start(end), last)) - 1
        start = course.requests[place] if place >= 0 else 0
        if start <= at or number % every:
            continue
        many = first + end - at > rule.max_messages
        heavy = course.tokens(0, first) + course.tokens(at, end) > rule.max_tokens
        if many or (heavy and course.tokens(at, start) >= rule.step_tokens):
            found.append((at, start))
            at = start
    return found


def _must_stay(message: Spoken) -> bool:
    """Whether a message is neither said by the user or the model nor a result: a history could not stand for it."""
    return message.role not in _ANSWERING and not message.role.endswith("_output")


def _stretch(transcript: Transcript, course: Course, text: str, start: int, end: int) -> Stretch:
    """What becomes of these messages, whose JSON is `text`."""
    sha256 = sha256_of(text)
    lines = [f"[toolstub] {end - start} earlier messages, in short; all of them: toolstub_read {ref_of(sha256)}"]
    stored: list[Change] = []
    for at in range(start, end):
        message = course.messages[at]
        results = [transcript.results[place] for place in course.places[at]]
        if not results and message.text.strip():
            lines.append(f"{message.role}: {_begun(message.text)}")
        for result in results:
            lines.append(_said(result))
            if len(result.text) > SHORT:
                stored.append(_original(result))
    said = "\n".join(_ends(lines))
    written = f'{{"role":"user","content":{literal(said)}}}'
    slot = Slot(("messages", start), course.messages[start].start, course.messages[end - 1].end)
    whole = ToolResult(slot, text, "conversation", None, "", 0, 0)
    decision = Decision(whole.slot, None, FOLDED, f"{end - start} messages, older than the newest", ref_of(sha256),
                        len(text), len(written))
    return Stretch(Change(whole, said, written, decision, None, sha256), tuple(stored))


def _ends(lines: list[str]) -> list[str]:
    """The lines, without those in the middle if there are too many."""
    if len(lines) <= MOST_LINES:
        return lines
    half = MOST_LINES // 2
    return [*lines[:half], f"[{len(lines) - 2 * half} lines left out]", *lines[-half:]]


def _begun(text: str) -> str:
    """The beginning of a text on one line."""
    short = re.sub(r"\s+", " ", text[:2 * SHORT]).strip()
    return short if len(short) <= SHORT and len(text) <= 2 * SHORT else short[:SHORT] + "…"


def _said(result: ToolResult) -> str:
    if len(result.text) <= SHORT:
        return f"{Call.of(result)}: {_begun(result.text)}"
    return f"{Call.of(result)}: {len(result.text):,} characters, toolstub_read {ref_of(sha256_of(result.text))}"


def _original(result: ToolResult) -> Change:
    """A result that the history refers to: to be stored, and not to be replaced where it stands."""
    sha256 = sha256_of(result.text)
    decision = Decision(result.slot, result.tool, FOLDED, "in the history", ref_of(sha256), len(result.text), 0)
    return Change(result, result.text, "", decision, None, sha256)
