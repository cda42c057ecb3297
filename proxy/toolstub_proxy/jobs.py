"""What a proxy and its worker, which rewrites large requests, say to each other in the `frames` of a pipe."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from io import BytesIO
from types import MappingProxyType
from typing import Any, NamedTuple

from toolstub_ext.settings import Settings

AT_ONCE = 4
"""So many requests a worker works on at the same time; they take turns."""
OPENING, READY, ASKED, DONE, STORE, FAILED, PAST = range(7)
"""What is said: the settings, that there is a worker now; a request, what became of it, or why nothing did: because of
the store, or of something else; and after what became of it what to remember, which nobody waits for."""


class Job(NamedTuple):
    """A large request, but for its body."""

    owner: str
    path: str
    session: str | None


def opening(settings: Settings) -> bytes:
    """What a worker is told first."""
    out = BytesIO()
    _Pickler(out, pickle.HIGHEST_PROTOCOL).dump(settings)
    return out.getvalue()


def settings_in(data: bytes) -> Settings:
    """The settings of an opening."""
    settings: Settings = _unpickled(data)
    return settings


def packed_job(job: Job) -> bytes:
    """A job, to stand in front of its body."""
    return pickle.dumps(tuple(job))


def unpacked_job(head: bytes) -> Job:
    """A job that stood in front of its body."""
    return Job(*_unpickled(head))


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        """Settings have mappings that cannot be changed, which `pickle` does not know."""
        return (_unchangeable, (dict(obj),)) if type(obj) is MappingProxyType else NotImplemented


def _unchangeable(values: dict[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(values)


def _unpickled(data: bytes) -> Any:
    return pickle.loads(data)  # noqa: S301  of the process that has started this one
