"""Text: the kind of last resort, and in the shapes that are sooner told than other kinds one of the first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ..facts import Facts
from ..model import KindName, Source, Synopsis, once
from . import (
    beside,
    blocks,
    changelog,
    diagnostics,
    diff,
    diffstat,
    exchange,
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
    plan,
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
    workflow.shape,
    diffstat.shape,
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
    plan.shape,
    exchange.shape,
    trace.shape,
    report.shape,
    grep.shape,
    listing.shape,
    log.shape,
    progress.shape,
    blocks.shape,
    beside.shape,
    table.shape,
    printed.inspected,
    printed.shape,
    records.shape,
)
"""In the order in which equal scores are tried."""

_EARLY_WITH_CODE = tuple(shape for shape in SHAPES if shape.early and shape.holds_code)
_EARLY = tuple(shape for shape in SHAPES if shape.early and not shape.holds_code)
_HOLD_CODE = tuple(shape for shape in SHAPES if shape.holds_code)

_LEAST = 0.3
_SURE = 0.45
_CERTAIN = 0.94
_CODE = 0.85


class Choice(NamedTuple):
    """How sure it is that a text is text and no other kind, from 0.0 to 1.0, and its shape; prose has none."""

    score: float
    shape: Shape | None


class TextKind:
    """Text in the shape that `choose` chooses."""

    name: KindName = "text"

    def __init__(self, choose: Callable[[Source], Choice]) -> None:
        self._choose = once(choose)

    def score(self, source: Source) -> float:
        """How sure the choice is."""
        return self._choose(source).score

    def describe(self, source: Source) -> Synopsis:
        """The facts of the shape, or those of prose, if it has none or its lines are others than their beginnings."""
        shape = self._choose(source).shape
        if shape is not None:
            facts = _begun(source)
            with suppress(ValueError):
                title = shape.tell(source, facts)
                return facts.build("text", shape.name, title or None)
        facts = _begun(source)
        prose.tell(source, facts)
        return facts.build("text", "ansi" if "\x1b" in source.text and "\x1b[" in source.text else None)


def _begun(source: Source) -> Facts:
    facts = Facts(source)
    facts.names(source.head)
    return facts


@once
def _known(_source: Source) -> dict[Callable[[Source], float], float]:
    """What those shapes have scored that are asked early, and are asked again among all."""
    return {}


def _certain(shapes: tuple[Shape, ...], source: Source) -> Choice:
    """The first of the shapes that is certain: whoever looks at cells, keys and statements need not be asked."""
    known = _known(source)
    for shape in shapes:
        score = known[shape.score] = shape.score(source)
        if score >= _CERTAIN:
            return Choice(score, shape)
    return Choice(0.0, None)


def _stamped(source: Source) -> Choice:
    """A log of which nearly all lines begin with a time, as the rows of some tables do too."""
    return Choice(_CERTAIN, log.shape) if log.stamped(source) else Choice(0.0, None)


def _tabular(source: Source) -> Choice:
    """A table that is certain to be one: neither a language of programs nor another shape need be thought of."""
    return Choice(_CERTAIN, table.shape) if table.evident(source) else Choice(0.0, None)


def _titled(source: Source) -> Choice:
    """A document in Markdown that is certain to be one: no language of programs need be thought of."""
    if not markdown.may_be_titled(source):
        return Choice(0.0, None)
    score = _known(source)[markdown.shape.score] = markdown.shape.score(source)
    return Choice(score, markdown.shape) if score >= _CERTAIN else Choice(0.0, None)


def _surest(source: Source) -> Choice:
    """The surest shape of all; prose, if none is sure."""
    from ..code.kind import likelihood  # here, because what is told early needs no languages

    best, surest, known = 0.0, None, _known(source)
    for shape in _HOLD_CODE if likelihood(source) >= _CODE else SHAPES:
        score = known[shape.score] if shape.score in known else shape.score(source)
        if score > best:
            best, surest = score, shape
        if score >= _CERTAIN:
            break
    return Choice(max(_LEAST, best), surest if best >= _SURE else None)


holding_code = TextKind(partial(_certain, _EARLY_WITH_CODE))
early = TextKind(partial(_certain, _EARLY))
stamped = TextKind(_stamped)
tabular = TextKind(_tabular)
titled = TextKind(_titled)
kind = TextKind(_surest)
