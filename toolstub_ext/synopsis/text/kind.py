"""The kind of last resort, and the shapes that text takes."""

from __future__ import annotations

from ..facts import Facts
from ..model import KindName, Source, Synopsis
from . import (
    blocks,
    changelog,
    diagnostics,
    diff,
    diffstat,
    fields,
    figures,
    grep,
    hexdump,
    history,
    listing,
    log,
    manual,
    markdown,
    old_diff,
    printed,
    progress,
    prose,
    records,
    report,
    settings_file,
    table,
    tally,
    trace,
    ui_tree,
    workflow,
)
from .shape import Shape

SHAPES: tuple[Shape, ...] = (
    markdown.shape,
    figures.shape,
    hexdump.shape,
    ui_tree.shape,
    tally.shape,
    fields.shape,
    manual.shape,
    changelog.shape,
    diagnostics.shape,
    settings_file.shape,
    diff.shape,
    old_diff.shape,
    history.shape,
    trace.shape,
    report.shape,
    grep.shape,
    listing.shape,
    diffstat.shape,
    workflow.shape,
    log.shape,
    progress.shape,
    blocks.shape,
    table.shape,
    printed.shape,
    records.shape,
)
"""In the order in which equal scores are tried."""

_PLAIN = (
    workflow.shape, diffstat.shape, figures.shape, hexdump.shape, ui_tree.shape, tally.shape,
    manual.shape, changelog.shape, diagnostics.shape, diff.shape, old_diff.shape, trace.shape,
)  # fmt: skip
"""Those told by how their lines begin, sooner than whether the lines are rows, keys or statements."""

_SURE = 0.45
_CERTAIN = 0.94
_CODE = 0.85
_BESIDE_CODE = (
    diff.shape,
    old_diff.shape,
    history.shape,
    trace.shape,
    report.shape,
    grep.shape,
    log.shape,
    settings_file.shape,
)
"""What a text may be all the same when most of its lines are code."""


class TextKind:
    """Prose, and whatever no other kind claims."""

    name: KindName = "text"

    def score(self, source: Source) -> float:
        """0.3, or what the surest shape of text says."""
        best, found = 0.0, None
        for shape in _BESIDE_CODE if source.memo.get("code", 0.0) >= _CODE else SHAPES:
            score = shape.score(source)
            if score > best:
                best, found = score, shape
            if score >= _CERTAIN:
                break
        source.memo["shape"] = found if best >= _SURE else None
        return max(0.3, best)

    def describe(self, source: Source) -> Synopsis:
        """The facts of the shape, or those of prose."""
        if "shape" not in source.memo:
            self.score(source)
        shape: Shape | None = source.memo["shape"]
        facts = Facts(source)
        facts.names(source.head)
        if shape is None:
            prose.tell(source, facts)
            return facts.build("text", "ansi" if "\x1b[" in source.text else None)
        title = shape.tell(source, facts)
        return facts.build("text", shape.name, title or None)


class PlainText(TextKind):
    """The shapes that show in how lines begin: whoever looks at cells, keys and statements need not be asked."""

    def score(self, source: Source) -> float:
        """What such a shape says if it is certain, else 0.0."""
        for shape in _PLAIN:
            score = shape.score(source)
            if score >= _CERTAIN:
                source.memo["shape"] = shape
                return score
        return 0.0


class StampedText(TextKind):
    """Logs whose lines begin with a time, as the rows of some tables do too."""

    def score(self, source: Source) -> float:
        """Certain if nearly all lines begin so, else 0.0."""
        if not log.stamped(source):
            return 0.0
        source.memo["shape"] = log.shape
        return _CERTAIN


class TitledText(TextKind):
    """Documents in Markdown that are certain to be such: no language of programs need be thought of."""

    def score(self, source: Source) -> float:
        """Certain of a document that begins with a heading, else 0.0."""
        if not markdown.may_be_titled(source) or (score := markdown.shape.score(source)) < _CERTAIN:
            return 0.0
        source.memo["shape"] = markdown.shape
        return score


kind = TextKind()
titled = TitledText()
plain = PlainText()
stamped = StampedText()
