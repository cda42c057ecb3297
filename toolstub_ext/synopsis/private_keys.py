"""What a synopsis shows of a private key: lines out of its middle have nothing about them that tells what they are."""

from __future__ import annotations

from dataclasses import replace

from .model import Synopsis
from .patterns import Pattern
from .wording import MASK

_MARK = "PRIVATE KEY-----"
_RUN = Pattern(r"[A-Za-z0-9+/]{16,}={0,2}")


def without_private_keys(synopsis: Synopsis, text: str) -> Synopsis:
    """The synopsis with what may be of a key masked, if there is a private key in the text."""
    shown = "\n".join((*synopsis.summary, *synopsis.structure, *synopsis.notable_items, synopsis.sample or ""))
    if not any(map(_is_mixed, _RUN.findall(shown))) or _MARK not in text:
        return synopsis

    def masked(line: str) -> str:
        return _RUN.sub(lambda run: MASK if _is_mixed(run[0]) else run[0], line)

    return replace(
        synopsis,
        summary=tuple(map(masked, synopsis.summary)),
        structure=tuple(map(masked, synopsis.structure)),
        notable_items=tuple(map(masked, synopsis.notable_items)),
        sample=masked(synopsis.sample) if synopsis.sample else synopsis.sample,
        anchors=tuple(replace(anchor, label=masked(anchor.label)) for anchor in synopsis.anchors),
    )


def _is_mixed(run: str) -> bool:
    """Whether it is no word, number or path: letters of both kinds and digits."""
    return not run.isalpha() and not run.islower() and not run.isupper() and any(map(str.isdigit, run))
