"""Recorded streams, played once more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from .recordings import PATHS, TOOLS, Stream, long_request
from .room import opened
from .upstream import Played, by_event, by_size

_SIZES = (1_000, 61)


async def replayed(preset: str, store: Path, streams: list[Stream], counts: Counter[str]) -> list[str]:
    """Play all under one preset, each behind its own request and behind one whose answer is read; what was wrong."""
    findings: list[str] = []
    async with opened(preset, store) as room:
        for stream in streams:
            requests = [long_request(stream.format if stream.format in TOOLS else "chat")]
            requests += [stream.request] if stream.request is not None else []
            for request in requests:
                for pieces in (by_event(stream.body), *(by_size(stream.body, size) for size in _SIZES)):
                    played = Played(pieces)
                    counts["streams"] += 1
                    counts["events"] += len(played.ends)
                    got = await room.post(request, PATHS[stream.format], played=played)
                    if played.late:
                        findings.append(f"{stream.name}: held back until something else came: {played.late[:80]!r}")
                    elif got != stream.body:
                        findings.append(f"{stream.name}: {len(stream.body)} bytes came as {len(got)}, not the same")
        findings += [f"{number} times: {what}" for what, number in room.gateway.counts.all_failures().items()]
    return findings
