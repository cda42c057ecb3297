"""What one look at one thing has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`ok` is None for what is merely said. `do` is what to do about it, if anything."""

    subject: str
    ok: bool | None
    says: str
    do: str = ""


def well(subject: str, says: str) -> Finding:
    """Something that is as it should be."""
    return Finding(subject, ok=True, says=says)


def ill(subject: str, says: str, do: str) -> Finding:
    """Something that keeps the proxy from its work."""
    return Finding(subject, ok=False, says=says, do=do)


def said(subject: str, says: str, do: str = "") -> Finding:
    """Something to know."""
    return Finding(subject, ok=None, says=says, do=do)
