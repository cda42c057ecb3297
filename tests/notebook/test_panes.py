"""The explorer, without a browser: what its widgets hold after each click."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ipywidgets", reason="pip install 'toolstub[notebook]'")
from toolstub_ext.notebook.originals import Originals
from toolstub_ext.notebook.panes import TablePane, TextPane, TreePane, explorer_of


@pytest.fixture
def originals(tmp_path: Path) -> Iterator[Originals]:
    """Originals in a store of their own."""
    made = Originals(lambda: str(tmp_path / "store.db"))
    yield made
    made.close()


def press(pane: TextPane, name: str) -> str:
    """Press a button; the text it then shows."""
    pane._buttons[name].click()
    return str(pane._text.value)


def test_text_by_pages(originals: Originals) -> None:
    """First, next, last and back go where they say, and stop at the ends."""
    ref = originals.put("".join(f"line {i:04}\n" for i in range(5000)), tool="stdout").ref
    pane = TextPane(originals, ref)
    assert "line 0000" in pane._text.value
    assert pane._buttons["Back"].disabled
    assert "line 0000" not in press(pane, "Next")
    assert "line 4999" in press(pane, "Last")
    assert pane._buttons["Next"].disabled
    press(pane, "Back")
    assert "line 0000" in press(pane, "Back")
    press(pane, "Last")
    assert "line 0000" in press(pane, "First")


def test_a_search_leads_to_the_page(originals: Originals) -> None:
    """Choosing a hit shows its page."""
    ref = originals.put("".join(f"line {i:04}\n" for i in range(5000)), tool="stdout").ref
    pane = TextPane(originals, ref)
    pane._search.value = "LINE 4321"
    labels = [label for label, _ in pane._hits.options]
    assert labels == ["1 found", "4,322: line 4321"]
    pane._hits.value = pane._hits.options[1][1]
    assert "line 4321" in pane._text.value


def test_originals_are_never_markup(originals: Originals) -> None:
    """A tag in the output is shown, not obeyed."""
    ref = originals.put("<script>alert(1)</script>", tool="stdout").ref
    assert "&lt;script&gt;" in TextPane(originals, ref)._text.value
    assert "&lt;b&gt;" in TablePane("a,b\n<b>,2\n", None)._table.value


def test_a_tree_goes_down_and_up() -> None:
    """One level at a time, to the value itself."""
    pane = TreePane({"items": [{"name": "first", "tags": []}], "<b>": 1})
    assert [label for label, _ in pane._list.options] == [".items  array of 1", ".<b>  1"]
    pane._list.value = 0
    pane._list.value = 0
    assert pane._where.value == "$.items[0]  object of 2"
    pane._list.value = 0
    assert "first" in pane._text.value
    pane._up.click()
    pane._up.click()
    assert pane._where.value == "$.items  array of 1"


def test_a_table_shows_its_rows_under_the_first() -> None:
    """Fifty rows at a time; quoted cells are cells."""
    pane = TablePane("id;name\n" + "".join(f'{i};"n;{i}"\n' for i in range(120)), None)
    assert pane._where.value == "rows 1-50 of 120"
    assert "<td" in pane._table.value
    assert "n;49" in pane._table.value
    pane._slider.value = 2
    assert pane._where.value == "rows 101-120 of 120"
    assert "name</th>" in pane._table.value


@pytest.mark.parametrize(("text", "panes"), [
    (json.dumps([{"a": i} for i in range(500)]), ["Text", "Tree"]),
    ("a,b\n" + "".join(f"{i},{i * i}\n" for i in range(500)), ["Text", "Table"]),
    ("words and words\n" * 500, ["Text"]),
    ('[{"a": 1}, {"a": ' * 300, ["Text"]),
])
def test_the_panes_fit_the_kind(originals: Originals, text: str, panes: list[str]) -> None:
    """A tree for JSON, a table for delimited text, pages for all."""
    tabs: Any = explorer_of(originals, originals.put(text, tool="stdout").ref)
    assert list(tabs.titles) == panes
