"""Whether what an upstream got of a request is what its client sent, but for what was declared.

It is decided without the code that rewrites: the client's text has to stand in what was sent, byte for byte and in
order, around the places where something may be replaced or put in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from toolstub_ext.errors import RefNotFound
from toolstub_ext.store import Store, ref_of, sha256_of

_string = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL).match
_SHOWN = 60


@dataclass(frozen=True, order=True)
class Place:
    """Where what was sent may differ: a literal `start:end` may be another one (`what` is "result"), some messages may
    be one (`what` is "history"), or, where `start` is `end`, the text `what` may stand there too."""

    start: int
    end: int
    what: str


MARK = ""
"""The `what` of a place where nothing may differ, but whose place in what was sent is to be told."""


@dataclass
class Compared:
    """What differed: `wrong` where it may not, if anywhere, and the places where it may with what stands there; of
    each text that was put in whether it was; and where `MARK` is in what was sent."""

    wrong: str = ""
    replaced: list[tuple[Place, str]] = field(default_factory=list)
    added: set[str] = field(default_factory=set)
    mark: int = 0


def compared(client: str, sent: str, places: Iterable[Place]) -> Compared:
    """Walk both texts from place to place."""
    seen, at, here = Compared(), 0, 0
    for place in sorted(places):
        if place.start < at:
            continue  # inside of messages that became a history
        kept = client[at:place.start]
        if not sent.startswith(kept, here):
            seen.wrong = _differing(kept, sent[here:here + len(kept)], at)
            return seen
        at, here = place.end, here + len(kept)
        if place.start == place.end:
            if place.what == MARK:
                seen.mark = here
            elif sent.startswith(place.what, here):
                seen.added.add(place.what)
                here += len(place.what)
            continue
        new = _value(sent, here, place)
        here += len(new)
        if new != client[place.start:place.end]:
            seen.replaced.append((place, new))
    if client[at:] != sent[here:]:
        seen.wrong = _differing(client[at:], sent[here:], at)
    return seen


def _value(sent: str, here: int, place: Place) -> str:
    if place.what == "history":
        return sent[here:json.JSONDecoder().raw_decode(sent, here)[1]]
    found = _string(sent, here)
    return found[0] if found else ""


def _differing(one: str, other: str, at: int) -> str:
    place = next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    here, there = (text[max(0, place - 10):place + _SHOWN] for text in (one, other))
    return f"at {at + place}, the client's {here!r} went out as {there!r}"


def lost(client: str, seen: Compared, store: Store) -> Iterable[str]:
    """Each text that was replaced though it is not in the store, or by one that is no shorter."""
    for place, new in seen.replaced:
        old = client[place.start:place.end]
        text = old if place.what == "history" else json.loads(old)
        if len(new.encode("utf-8", "surrogatepass")) >= len(old.encode("utf-8", "surrogatepass")):
            yield f"at {place.start}, {len(old)} characters became {len(new)}"
        try:
            if store.read(ref_of(sha256_of(text)), limit=-1).text != text:
                yield f"at {place.start}, another original is stored"
        except RefNotFound:
            yield f"at {place.start}, the original is not stored"
