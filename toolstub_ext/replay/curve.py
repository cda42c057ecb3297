"""A drawing of what a conversation costs, request by request, under each policy: SVG, with nothing from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 160, 14, 32
COLOURS = ("#6b7280", "#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2", "#65a30d")
"""The first is that of the baseline."""
MOST_POINTS = 400
_MARKS = 4
_LABEL_APART = 15


def curves(costs: Mapping[str, Sequence[float]], title: str) -> str:
    """One line for each name, from the first request to the last; `title` is for those who cannot see it."""
    requests = max(map(len, costs.values()), default=0)
    most = max((line[-1] for line in costs.values() if line), default=0.0) or 1.0
    parts = [*_grid(requests, most), *_lines(costs, requests, most)]
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
            + "".join(parts) + "</svg>")


def _x(request: float, requests: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * request / max(requests, 1)


def _y(cost: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * cost / most


def _grid(requests: int, most: float) -> Iterator[str]:
    for mark in range(_MARKS + 1):
        cost = most * mark / _MARKS
        y = _y(cost, most)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield f'<text class="mark" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_short(cost)}</text>'
    for request in sorted({1, requests // 2, requests} - {0}):
        x = _x(request, requests)
        yield f'<text class="mark" x="{x:.1f}" y="{HEIGHT - 12}" text-anchor="middle">{request:,}</text>'


def _lines(costs: Mapping[str, Sequence[float]], requests: int, most: float) -> Iterator[str]:
    label_at = {name: _y(line[-1], most) + 4 for name, line in costs.items() if line}
    last = 0.0
    for name in sorted(label_at, key=lambda name: label_at[name]):
        label_at[name] = last = max(label_at[name], last + _LABEL_APART)
    for place, (name, line) in enumerate(costs.items()):
        if not line:
            continue
        colour = COLOURS[place % len(COLOURS)]
        step = max(1, len(line) // MOST_POINTS)
        shown = sorted({*range(0, len(line), step), len(line) - 1})
        points = " ".join(f"{_x(at + 1, requests):.1f},{_y(line[at], most):.1f}" for at in shown)
        yield f'<polyline points="{_x(0, requests):.1f},{_y(0, most):.1f} {points}" stroke="{colour}"/>'
        yield (f'<text x="{WIDTH - RIGHT + 8}" y="{label_at[name]:.1f}" fill="{colour}">'
               f"{escape(name[-20:])} {_short(line[-1])}</text>")


def _short(number: float) -> str:
    """A number in at most five characters or so."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.0f}"
