"""The errors a caller of toolstub may see.

    ToolstubError
    ├── RefNotFound (LookupError)     no original of this owner has that ref
    │   └── RefExpired                it had one; it was collected
    ├── SettingsError (ValueError)    a setting is unknown, malformed or contradicts another
    ├── WireError (ValueError)        a request body is not of the form its path promises
    └── StoreError (OSError)          the store cannot be opened, read or written

Every message is one line that says what to do next.
"""

from __future__ import annotations

import errno
import json
import re


class ToolstubError(Exception):
    """Base of every error that toolstub raises on purpose."""


class RefNotFound(ToolstubError, LookupError):
    """No original under this ref that the owner may read."""

    def __init__(self, ref: str) -> None:
        super().__init__(f"no such ref: {_named(ref)} (`toolstub list` shows the stored ones)")
        self.ref = ref


class RefExpired(RefNotFound):
    """The original was stored once and has been collected since."""

    def __init__(self, ref: str, date: str) -> None:
        Exception.__init__(self, f"{ref} expired on {date}, run the tool again")
        self.ref = ref
        self.date = date


def _named(ref: str) -> str:
    """A ref as it stands, if it could be one; what is none in quotes, so that blanks and line ends show."""
    return ref if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", ref) else json.dumps(ref[:40])


class SettingsError(ToolstubError, ValueError):
    """A setting that cannot be used, with the nearest right name where there is one."""


class WireError(ToolstubError, ValueError):
    """A body that is not what its path promises; such a body is forwarded as it came."""


class StoreError(ToolstubError, OSError):
    """The store cannot be opened, read or written; nothing was changed."""


_ADVICE = {
    errno.ENOENT: "check the path", errno.ENOTDIR: "a part of the path is a file; check the path",
    errno.EISDIR: "name a file in it", errno.EEXIST: "name another place",
    errno.EACCES: "check who may use it", errno.EPERM: "check who may use it", errno.EROFS: "name another place",
    errno.ENOSPC: "make room there", errno.ENAMETOOLONG: "name it shorter", errno.ENOEXEC: "it is no program",
    errno.EADDRNOTAVAIL: "name an address of this machine",
}


def explained(error: OSError) -> str:
    """What the system says of a failure and, where that is known, what to do; without its number and the file."""
    said = error.strerror.lower() if error.strerror else str(error) or type(error).__name__
    advice = _ADVICE.get(error.errno or 0)
    return f"{said}; {advice}" if advice else said


def in_one_line(error: Exception) -> str:
    """What to tell of any failure: the system's with the file it concerns and what to do, ours in its own words."""
    if not isinstance(error, OSError):
        return str(error) or type(error).__name__
    return f"{error.filename}: {explained(error)}" if error.filename else explained(error)
