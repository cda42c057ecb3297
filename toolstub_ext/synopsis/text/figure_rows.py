"""Rows of figures under no names, as programs print matrices and series of measurements: a table of columns."""

from __future__ import annotations

from ..facts import Facts
from ..model import Source
from ..wording import count, one_line
from .shape import mostly

_OF_FIGURES = frozenset("0123456789+-.eE \t")


def are_figure_rows(probe: list[str]) -> bool:
    """Whether all lines have as many figures and nothing else, two at least."""
    size = len(probe[0].split())
    return size > 1 and mostly(probe, lambda line: _is_row(line, size), 1.0)


def _is_row(line: str, size: int) -> bool:
    """Whether it is so many figures."""
    if not _OF_FIGURES.issuperset(line) or len(cells := line.split()) != size:
        return False
    try:
        return len([*map(float, cells)]) == size  # sooner done than a pattern for each
    except ValueError:
        return False


def tell_figure_rows(facts: Facts, source: Source, lines: list[tuple[int, str]]) -> None:
    """From where to where the figures of each column go."""
    size = len(lines[0][1].split())
    columns = list(zip(*[line.split() for _, line in lines if _is_row(line, size)]))
    lead = f"{count(size, 'column')} of figures{source.part}: "
    facts.dense(
        "structure",
        columns,
        lead=lead,
        rank=4,
        share=0.8,
        tell=lambda column: f"{one_line(min(column, key=float), 20)}..{one_line(max(column, key=float), 20)}",
    )
