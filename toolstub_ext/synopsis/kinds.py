"""The kinds, and the choice among them: the highest score, and the next one where a description fails.

A new kind is a module with an instance of the `Kind` protocol and its line in KINDS.
"""

from __future__ import annotations

from . import code, delimited_kind, json_kind, text, unknown_kind, wrapping, xml_kind, yaml_kind
from .model import Kind, Source, Synopsis

KINDS: tuple[Kind, ...] = (
    unknown_kind.kind,
    json_kind.kind,
    xml_kind.kind,
    delimited_kind.tsv,
    delimited_kind.csv,
    yaml_kind.kind,
    code.kind,
    text.kind,
)
"""In the order in which equal scores are tried."""


def describe(source: Source) -> Synopsis:
    """The description of the text, or of the text inside where a tool has put a frame around it."""
    wrapped = wrapping.unwrapped(source)
    if wrapped:
        return wrapping.described(source, wrapped, describe if not wrapped.numbered else described)
    return described(source)


def described(source: Source) -> Synopsis:
    """The description by the kind that is surest; `text` takes whatever no other kind can describe."""
    scored = [(kind.score(source), kind) for kind in KINDS]
    for score, kind in sorted(scored, key=lambda pair: -pair[0]):
        if score <= 0:
            break
        try:
            return kind.describe(source)
        except ValueError as error:
            failed = _claimed_in_vain(kind, source, error)
        if failed:
            return unknown_kind.described(source, failed)
    return unknown_kind.described(source, "no kind describes it")


def _claimed_in_vain(kind: Kind, source: Source, error: ValueError) -> str | None:
    """Why the text is not what its MIME type says, if that is the kind that failed."""
    if source.mime and kind.name in source.mime.lower() and kind.name in ("json", "xml"):
        return f"declared as {source.mime}, but not valid {kind.name}: {error}"
    return None
