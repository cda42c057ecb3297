"""Kinds of other packages: each entry point of the group `toolstub.kinds` is an instance of the protocol `Kind`.

They are loaded when the first text is described, and asked before our own. Whatever one of them does wrong is logged
once under its name, and from then on the texts are described as if it were not there.

`importlib.metadata` takes longer to look through all packages than a text to describe; so it is asked only where a
folder of the path says in an `entry_points.txt` that there is such a kind, or where packages are inside of archives.
"""

from __future__ import annotations

import logging
import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from .model import Kind, Source, Synopsis

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "toolstub.kinds"
SURE = 0.9
"""A kind of another package that scores this much describes the text, whatever our own kinds would say."""

log = logging.getLogger(__name__)


class Guest:
    """A kind of another package, kept from doing harm."""

    def __init__(self, point: EntryPoint) -> None:
        self.name = point.name
        self._value = point.value
        self._kind: Kind | None = None
        try:
            kind: Kind = point.load()
            self.name = str(kind.name)
            self._kind = kind
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module does at import
            self._dismiss(error)

    def score(self, source: Source) -> float:
        """What the kind says, between 0.0 and 1.0; 0.0 once it has failed."""
        if self._kind is None:
            return 0.0
        try:
            return min(1.0, max(0.0, float(self._kind.score(source))))
        except Exception as error:  # noqa: BLE001 - whatever a stranger's code does
            self._dismiss(error)
            return 0.0

    def describe(self, source: Source) -> Synopsis:
        """The kind's description; ValueError if there is none, so that the next kind is asked."""
        if self._kind is None:
            raise ValueError(f"{self.name} is not in use")
        try:
            return _checked(self._kind.describe(source))
        except ValueError:
            raise
        except Exception as error:
            self._dismiss(error)
            raise ValueError(f"{self.name} failed") from error

    def _dismiss(self, error: Exception) -> None:
        self._kind = None
        log.warning("the kind %s (%s) is left out: %r", self.name, self._value, error)


def _checked(synopsis: object) -> Synopsis:
    if not isinstance(synopsis, Synopsis):
        raise TypeError(f"describe returned {type(synopsis).__name__}, not Synopsis")
    return synopsis


@cache
def guests() -> tuple[Guest, ...]:
    """Those of the installed packages, by name."""
    if not any(map(_may_declare, sys.path)):
        return ()
    from importlib.metadata import entry_points  # here, because most installations have no use for it

    return tuple(map(Guest, sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))))


def _may_declare(place: str) -> bool:
    """Whether packages in a folder of the path, or inside an archive that stands in its place, may declare kinds."""
    try:
        with os.scandir(place or ".") as entries:
            return any(_declares(each.path) for each in entries if each.name.endswith((".dist-info", ".egg-info")))
    except NotADirectoryError:
        return True
    except OSError:
        return False


def _declares(information: str) -> bool:
    try:
        with open(information + "/entry_points.txt", "rb") as file:  # noqa: PTH123 - of hundreds, before the first stub
            return GROUP.encode() in file.read()
    except OSError:
        return False
