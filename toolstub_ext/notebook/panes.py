"""The panes of the explorer: text by pages with a search, a tree for JSON, a table for CSV and TSV.

Originals are escaped wherever they are shown. What is shown is one page at a time; nothing is sent ahead.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from .bundle import showable
from .originals import Originals, Page, lines_of

_WHOLE_CHARS = 20_000_000
_ROWS = 50
_CELL_CHARS = 200
_CHILDREN = 1_000
_PRE = ("font-family:var(--jp-code-font-family,monospace);font-size:12px;line-height:1.45;white-space:pre-wrap;"
        "overflow-wrap:anywhere;max-height:34em;overflow:auto;margin:0;padding:.4em;"
        "border:1px solid rgba(127,127,127,.3)")


def explorer_of(originals: Originals, ref: str) -> widgets.Widget:
    """The explorer of one original. Raises RefNotFound if there is none."""
    panes: list[tuple[str, Callable[[], widgets.Widget]]] = [("Text", lambda: TextPane(originals, ref).view)]
    if originals.page(ref, chars=1).total_chars <= _WHOLE_CHARS:
        text = originals.text(ref)
        kind = _kind(text)
        if kind == "json":
            panes.append(("Tree", lambda: TreePane(json.loads(text)).view))
        elif kind in ("csv", "tsv"):
            panes.append(("Table", lambda: TablePane(text, "\t" if kind == "tsv" else None).view))
    tabs = widgets.Tab([make() for _, make in panes])
    for number, (title, _) in enumerate(panes):
        tabs.set_title(number, title)
    return tabs


def _kind(text: str) -> str:
    from ..synopsis import synopsize

    kind = synopsize(text).kind
    if kind == "json":
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return "text"
    return kind


class TextPane:
    """An original by pages of whole lines, and where a word stands in it."""

    def __init__(self, originals: Originals, ref: str) -> None:
        self._originals = originals
        self._ref = ref
        self._page: Page | None = None
        self._before: list[int] = []
        self._where = widgets.Label()
        self._text = widgets.HTML()
        self._hits = widgets.Select(layout={"width": "98%", "display": "none"})
        self._hits.observe(self._to_hit, "value")
        self._search = widgets.Text(placeholder="Search, then Enter", continuous_update=False)
        self._search.observe(self._find, "value")
        self._buttons = {name: _button(name, self._turn) for name in ("First", "Back", "Next", "Last")}
        bar = widgets.HBox([*self._buttons.values(), self._search])
        self.view = widgets.VBox([bar, self._hits, self._where, self._text])
        self._go(0)

    def _go(self, offset: int, *, keep: bool = False) -> None:
        if keep and self._page is not None:
            self._before.append(self._page.offset)
        page = self._page = self._originals.page(self._ref, offset)
        end = page.next_offset if page.next_offset is not None else page.total_chars
        self._where.value = (f"from line {page.first_line:,} of {page.total_lines:,}, "
                             f"characters {page.offset:,}-{end:,} of {page.total_chars:,}")
        self._text.value = f'<pre style="{_PRE}">{escape(showable(page.text))}</pre>'
        for name, button in self._buttons.items():
            button.disabled = page.next_offset is None if name in ("Next", "Last") else page.offset == 0

    def _turn(self, button: widgets.Button) -> None:
        page = self._page
        if page is None:
            return
        match button.description:
            case "First":
                self._before.clear()
                self._go(0)
            case "Next":
                self._go(page.next_offset or 0, keep=True)
            case "Last":
                self._go(-max(1, min(page.total_chars, len(page.text))), keep=True)
            case _:
                self._go(self._before.pop() if self._before else max(0, page.offset - len(page.text)))

    def _find(self, change: Any) -> None:
        query = change["new"]
        if not query:
            self._hits.layout.display = "none"
            return
        found = self._originals.search(query, self._ref, ignore_case=True)
        total = f"at least {found.total:,}" if found.cursor else f"{found.total:,}"
        options = [(f"{total} found", -1)]
        options += [(f"{hit.line:,}: {showable(line)[:160]}", hit.offset) for hit, line in lines_of(found)]
        self._hits.options = options
        self._hits.rows = min(8, len(options))
        self._hits.layout.display = ""

    def _to_hit(self, change: Any) -> None:
        if change["new"] is not None and change["new"] >= 0:
            self._go(change["new"], keep=True)


class TreePane:
    """A JSON value one level at a time: choose a name to go down, Up to go back."""

    def __init__(self, value: Any) -> None:
        self._path: list[tuple[str, Any]] = [("$", value)]
        self._where = widgets.Label()
        self._list = widgets.Select(layout={"width": "98%"})
        self._list.observe(self._down, "value")
        self._text = widgets.HTML()
        self._up = _button("Up", self._to_parent)
        self.view = widgets.VBox([widgets.HBox([self._up, self._where]), self._list, self._text])
        self._show()

    def _show(self) -> None:
        value = self._path[-1][1]
        children = _children(value)
        self._where.value = "".join(name for name, _ in self._path) + "  " + _summary(value)
        options = [(f"{name}  {_summary(child)}", number) for number, (name, child) in enumerate(children[:_CHILDREN])]
        if len(children) > _CHILDREN:
            options.append((f"and {len(children) - _CHILDREN:,} more", -1))
        self._list.unobserve(self._down, "value")
        self._list.options = options
        self._list.value = None
        self._list.rows = max(1, min(16, len(options)))
        self._list.observe(self._down, "value")
        self._list.layout.display = "" if options else "none"
        self._text.value = "" if children else f'<pre style="{_PRE}">{escape(showable(_written(value)))}</pre>'
        self._up.disabled = len(self._path) == 1

    def _down(self, change: Any) -> None:
        if change["new"] is not None and change["new"] >= 0:
            self._path.append(_children(self._path[-1][1])[change["new"]])
            self._show()

    def _to_parent(self, _button: widgets.Button) -> None:
        self._path.pop()
        self._show()


class TablePane:
    """Rows of a delimited text, fifty at a time under the first one."""

    def __init__(self, text: str, delimiter: str | None) -> None:
        self._rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or _delimiter(text)))
        last = max(0, (len(self._rows) - 2) // _ROWS)
        self._slider = widgets.IntSlider(0, 0, last, description="Page", continuous_update=False, readout=False)
        self._slider.observe(lambda _change: self._show(), "value")
        self._where = widgets.Label()
        self._table = widgets.HTML()
        self.view = widgets.VBox([widgets.HBox([self._slider, self._where]), self._table])
        self._show()

    def _show(self) -> None:
        start = 1 + self._slider.value * _ROWS
        rows = self._rows[start : start + _ROWS]
        self._where.value = f"rows {start:,}-{start + len(rows) - 1:,} of {len(self._rows) - 1:,}"
        head = _row("th", self._rows[0]) if self._rows else ""
        body = "".join(_row("td", row) for row in rows)
        self._table.value = f'<div style="max-height:34em;overflow:auto"><table>{head}{body}</table></div>'


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;|", key=first.count)


def _row(tag: str, cells: Sequence[str]) -> str:
    style = "padding:0 .6em;text-align:left;white-space:pre;line-height:1.5"
    inside = "".join(f'<{tag} style="{style}">{escape(showable(cell[:_CELL_CHARS]))}</{tag}>' for cell in cells)
    return f"<tr>{inside}</tr>"


def _button(name: str, action: Callable[[widgets.Button], None]) -> widgets.Button:
    button = widgets.Button(description=name, layout={"width": "auto"})
    button.on_click(action)
    return button


def _children(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(f".{showable(name)}", child) for name, child in value.items()]
    if isinstance(value, list):
        return [(f"[{number}]", child) for number, child in enumerate(value)]
    return []


def _summary(value: Any) -> str:
    if isinstance(value, dict):
        return f"object of {len(value):,}"
    if isinstance(value, list):
        return f"array of {len(value):,}"
    return showable(_written(value)[:80])


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
