"""Records that look like the others but say that something went wrong: a level, a status, an error that is not null."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

ERRORS = frozenset(("error", "errors", "exception", "err", "traceback", "fault"))
JUDGED = frozenset(("level", "severity", "status", "state", "result", "outcome", "conclusion", "phase", "health"))
_BAD = frozenset(
    ("error", "err", "errored", "fatal", "critical", "crit", "emergency", "panic", "fail", "failed", "failure",
     "failing", "timeout", "timed_out", "unhealthy", "crashed", "crashloopbackoff", "aborted", "exception")
)  # fmt: skip
_HELD = frozenset(("ok", "success", "succeeded", "passed", "healthy"))
_EXITS = frozenset(("exit_code", "exitcode", "exit_status", "returncode", "return_code"))
_CODES = frozenset(("status", "status_code", "statuscode", "http_status", "code"))
_SERVER_ERROR = range(500, 600)
_RARE = 0.2


def alarming(values: Sequence[Any], places: Iterable[int], keys: Iterable[str]) -> tuple[tuple[int, str], ...]:
    """The places of the objects that a value of theirs sets apart, with its key; it has to be rare."""
    found: dict[int, str] = {}
    most = max(1, int(_RARE * len(values)))
    for key in keys:
        alarms = _TESTS.get(key.lower())
        if alarms is not None:
            rows = [(place, row[key]) for place, row in zip(places, values) if type(row) is dict and key in row]
            bad = [place for place, value in rows if alarms(value)]
            if len(bad) <= most and len(values) > 2:
                found.update((place, key) for place in bad if place not in found)
    return tuple(sorted(found.items()))


def _judged(value: Any) -> bool:
    return type(value) is str and value.lower() in _BAD


def _coded(value: Any) -> bool:
    return _judged(value) or (type(value) is int and value in _SERVER_ERROR)


_TESTS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(JUDGED, _judged),
    **dict.fromkeys(_CODES, _coded),
    **dict.fromkeys(_EXITS, lambda value: type(value) is int and value != 0),
    **dict.fromkeys(_HELD, lambda value: value is False),
    **dict.fromkeys(ERRORS, bool),
}
"""What tells whether a value alarms, by its key in lower case; of another key no value does."""
