"""Source code, documents and tables that are told before others are asked are what all would say together."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolstub_ext.synopsis import kinds, synopsize
from toolstub_ext.synopsis.code import evident
from toolstub_ext.synopsis.delimited.kind import evident as evident_table
from toolstub_ext.synopsis.kinds import KINDS, Later
from toolstub_ext.synopsis.model import Source
from toolstub_ext.synopsis.text import tabular, titled

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("toolstub_ext/synopsis/*/*.py"), *ROOT.glob("docs/*.md"), ROOT / "README.md"])
EARLY = ("evident", "tabular", "titled")
ROWS = [("pen", "blue, thin", "2.50"), ("ink", "black", "3.75"), ("paper", "A4", "5"), ("ruler", "30 cm", "1.20")]
TABLES = {
    "tabs": ("\n".join("\t".join(row) for row in [("name", "sort", "price"), *ROWS]), True),
    "commas": ("name,sort,price\n" + "".join(f'{name},"{sort}",{price}\n' for name, sort, price in ROWS), True),
    "nothing above": ("".join(f'{name},"{sort}",{price}\n' for name, sort, price in ROWS), False),
    "two columns": ("name,price\n" + "".join(f"{name},{price}\n" for name, _, price in ROWS), False),
    "side by side": ("".join(f"{name},{price},1 \t|\t{name},{price},2\n" for name, _, price in ROWS), False),
    "source": ("".join(f'shelf.put("{name}", "{sort}", {price})\n' for name, sort, price in ROWS), False),
}
BARS = "".join(f"| {name:8} | {sort:12} | {price:>5} |\n" for name, sort, price in ROWS * 5)
DRAWN = {
    "between borders": (f"+----------+\n{BARS}+----------+\n", True),
    "in Markdown": (f"| name | sort | price |\n|---|:--|--:|\n{BARS}", True),
    "in boxes": ("".join(f"│ {name:8} │ {price:>5} │\n" for name, _, price in ROWS * 5), True),
    "of functions": ("".join(f"|{name}| {{ {name}.len() > {price} }} |\n" for name, _, price in ROWS * 5), True),
    "below a title": (f"Stock\n{BARS}", False),
    "with errors": ("".join(f"| ERROR: {name}.py:{n}: no {sort} |\n" for n, (name, sort, _) in enumerate(ROWS * 5)), True),
    "without bars at the ends": ("name | price\n-----+------\n" + "".join(f"{n} | {p}\n" for n, _, p in ROWS), False),
    "rules alone": ("=====\n-----\n" * 9, True),
    "rows of a data frame": ("    name  price\n" + "".join(f"{n}   {ROWS[n % 4][0]:5}  {n}.5\n" for n in range(9)), True),
    "rows of a frame that go on": ("  name  price\n" + "".join(f"{n}  x  {n}\n" for n in range(20)) + "and so on\n", False),
    "numbered items": ("  To do\n" + "".join(f"{n} buy {ROWS[n % 4][0]}\n" for n in range(9)), False),
    "closures": ("".join(f"let {name} = |x| x + {price};\n" for name, _, price in ROWS * 5), False),
}


def _texts() -> list[str]:
    """Files of our own, what is left of them behind their first third, and tables."""
    whole = [path.read_text(encoding="utf-8") for path in FILES]
    return whole + [text[len(text) // 3 :] for text in whole] + [text for text, _ in [*TABLES.values(), *DRAWN.values()]]


def test_who_is_asked_early_says_what_all_would_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one synopsis is another one if nobody is asked early."""
    early = [synopsize(text) for text in _texts()]
    monkeypatch.setattr(kinds, "KINDS", tuple(k for k in KINDS if not isinstance(k, Later) or k.instance not in EARLY))
    assert [synopsize(text) for text in _texts()] == early


@pytest.mark.parametrize(("kind", "ending"), [(evident, ".py"), (titled, ".md")])
def test_most_files_are_told_early(kind: kinds.Kind, ending: str) -> None:
    """Of their own kind, and none of the other."""
    told = [path.suffix for path in FILES if kind.score(Source(path.read_text(encoding="utf-8"))) > 0]
    assert set(told) == {ending}
    assert len(told) > len([path for path in FILES if path.suffix == ending]) / 2


@pytest.mark.parametrize(("text", "told"), TABLES.values(), ids=TABLES)
def test_a_table_is_told_early_if_nothing_tells_against_it(text: str, told: bool) -> None:
    """By names above values of the same number, whatever the delimiter."""
    assert (evident_table.score(Source(text)) > 0) == told


@pytest.mark.parametrize(("text", "told"), DRAWN.values(), ids=DRAWN)
def test_a_table_is_told_early_if_all_of_it_is_drawn_or_numbered(text: str, told: bool) -> None:
    """Then it is that to all."""
    assert (tabular.score(Source(text)) > 0) == told
    assert not told or synopsize(text).variant == "table"
