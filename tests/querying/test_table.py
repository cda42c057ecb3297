"""Columns, rows and conditions select from a table what csv.reader and a person would."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.querying import Answer, query
from toolstub_ext.querying.conditions import Parser
from toolstub_ext.querying.table import typed
from toolstub_ext.store import Store

Ask = Callable[[str, str], Answer]

TABLE = "id,name,country,amount,note\n" + "".join(
    f'{n},"Name, {n}",{"DE" if n % 3 else "FR"},{n * 1.25},{"" if n % 2 else "x"}\n' for n in range(1, 1_001))
NAMES = ["id", "name", "country", "amount", "note"]
one_store = settings(max_examples=40)


def ids(answer: Answer) -> list[int]:
    """The ids of the rows of an answer."""
    return [int(row["id"]) for row in answer.value]


@pytest.mark.parametrize(("expression", "expected"), [
    ("*", range(1, 1_001)),
    ("rows 120:123", range(120, 124)),
    ("rows: 998:", range(998, 1_001)),
    ("rows 3-5", range(3, 6)),
    ("rows 7", [7]),
    ("id,amount rows :2", [1, 2]),
    ("columns: id, amount; rows: 120:140; where: country == 'FR' and amount > 160", [129, 132, 135, 138]),
    ("where country = 'FR' limit 2", [3, 6]),
    ("limit: 3", [1, 2, 3]),
    ("amount > 1245", [997, 998, 999, 1_000]),
    ("SELECT id, amount WHERE amount >= 1249 LIMIT 5", [1_000]),
    ("where id in (4, 6, '8')", [4, 6, 8]),
    ("where id not in (1) and id < 4", [2, 3]),
    ("where note is empty and id < 6", [1, 3, 5]),
    ("where note is not empty && id <= 4", [2, 4]),
    ("where name contains ', 77' and id < 100", [77]),
    ("where not (id > 2) || id == 9", [1, 2, 9]),
    ("where country == DE limit 1", [1]),
    ('where "country" == "FR" limit 1', [3]),
    ("where name == 'Name, 12'", [12]),
    ("where ID == 5", [5]),
    ("where id == '5'", [5]),
    ("where amount = 12.50", [10]),
    ("where amount == id", []),
    ("where name > 'Name, 998'", [999]),
    ("where country == 'rows' or id == 3", [3]),
])
def test_rows_are_those_asked_for(ask: Ask, expression: str, expected: object) -> None:
    """By number, by condition and by limit, in the ways in which a model writes them."""
    assert ids(ask(TABLE, expression)) == list(expected)  # type: ignore[call-overload]


@pytest.mark.parametrize(("expression", "row"), [
    ("id,amount rows 3", {"id": "3", "amount": "3.75"}),
    ("amount, ID; rows: 3", {"amount": "3.75", "id": "3"}),
    ("column_2 rows 3", {"name": "Name, 3"}),
    ("'name' rows 3", {"name": "Name, 3"}),
    ("* rows 3", {"id": "3", "name": "Name, 3", "country": "FR", "amount": "3.75", "note": ""}),
])
def test_columns_are_those_asked_for(ask: Ask, expression: str, row: dict[str, str]) -> None:
    """In the order asked for, exactly as the cells are written."""
    assert ask(TABLE, expression).value == [row]


def test_a_reply_says_rows_and_lines(ask: Ask) -> None:
    """How many there are, of how many, where they stand, and each with its number."""
    head, heading, *rows = ask(TABLE, "id,name where country == 'FR' and id > 990").reply(600).split("\n")
    assert "3 rows of 1,000 where country == 'FR' and id > 990 (rows 993..999, lines 994..1000)" in head
    assert heading == "row: id,name"
    assert rows == ['993: 993,"Name, 993"', '996: 996,"Name, 996"', '999: 999,"Name, 999"']
    assert "0 rows of 1,000; nothing to show" in ask(TABLE, "rows 5000:").reply(300)


def test_what_matches_in_other_rows_is_told(ask: Ask) -> None:
    """Who takes `rows 1:5` for the first five that match learns that there are more, and where not."""
    said = ask(TABLE, "id where id > 990 rows 1:5").reply(300)
    assert "0 rows of 1,000 where id > 990 and rows 1:5; 10 more match in rows outside of these;" in said
    said = ask(TABLE, "id where id < 6 and id > 0 rows 3:").reply(300)
    assert "; 2 more match in rows outside of these (rows 3..5, lines 4..6)" in said


@pytest.mark.parametrize(
    "expression", ["*", "id,amount", "rows 100:400", "where country == 'FR'", "id rows 5: limit 700"])
def test_following_the_expressions_shows_everything(ask: Ask, expression: str) -> None:
    """Every row once, in replies that fit."""
    whole, pieces = str(ask(TABLE, expression)).split("\n"), []
    while True:
        reply = ask(TABLE, expression).reply(3_000)
        assert len(reply) <= 3_000
        head, _, *rows = reply.split("\n")
        pieces += rows
        onward = re.search(r'go on with expression (".*")$', head)
        if onward is None:
            break
        expression = json.loads(onward[1])
    assert pieces == whole[1:]


@pytest.mark.parametrize(("expression", "value"), [
    ("[?country=='FR' && amount > `1240`].id", [993, 996, 999]),
    ("length(@)", 1_000), ("[0].name", "Name, 1"), ("sum([?id < `4`].amount)", 7.5), ("max_by(@, &amount).id", 1_000),
])
def test_jmespath_sees_rows_as_objects(ask: Ask, expression: str, value: object) -> None:
    """With numbers where a cell is one."""
    assert ask(TABLE, expression).value == value


@pytest.mark.parametrize(("cell", "value"), [
    ("12", 12), ("-3", -3), ("1.5", 1.5), ("0", 0), ("007", "007"), ("1,000", "1,000"), ("1e5", "1e5"), ("", ""),
    (" 1", " 1"), ("-", "-"), ("12345678901234567890", 12345678901234567890), ("NaN", "NaN"),
])
def test_a_cell_is_a_number_if_json_would_say_so(cell: str, value: object) -> None:
    """What would lose zeros or signs stays text."""
    assert typed(cell) == value
    assert type(typed(cell)) is type(value)


@pytest.mark.parametrize(("expression", "said"), [
    ("idd", 'no column "idd"; did you mean id? there are: id, name, country, amount, note'),
    ("where contry == 'x'", "did you mean country? there are: id, name, country, amount, note (character 6)"),
    ("where amount >", "a column or a value was expected at character 14"),
    ("where amount 5", "a comparison was expected"),
    ("where (amount > 5", "')' was expected at character 17"),
    ("where id in 5", "'(' was expected at character 12"),
    ("where id > 5 id", "'and', 'or' or the end was expected at character 13"),
    ("rows five", "write it as 'A:B'"),
    ("rows 5:2", "ends before it begins"),
    ("limit none", "give a number of rows"),
    ("rows 1 rows 2", "'rows' stands twice, again at character 7"),
    ("where " + "(" * 100 + "id > 1" + ")" * 100, "nests too deeply"),
    ("where " + "not " * 100 + "id > 1", "nests too deeply"),
])
def test_what_does_not_parse_is_named(ask: Ask, expression: str, said: str) -> None:
    """One line, with the position in the expression."""
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        ask(TABLE, expression)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_delimited_table_will_do(ask: Ask, delimiter: str, end: str) -> None:
    """With quoted line breaks, blank lines and rows that are too short or too long."""
    rows = [["id", "text", "last"], *([str(n), f"a {delimiter} b\nc" if n == 5 else "plain", "z"] for n in range(30))]
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator=end).writerows(rows)
    text = written.getvalue() + end + f"30{delimiter}short{end}31{delimiter}a{delimiter}b{delimiter}more{end}"
    assert [row["id"] for row in ask(text, "id").value] == [str(n) for n in range(32)]
    assert ask(text, "text where id == 5").value[0]["text"].replace("\r", "") == f"a {delimiter} b\nc"
    assert "lines 9..9" in ask(text, "rows 7").reply(300)
    assert ask(text, "last where id in (30, 31)").value == [{"last": ""}, {"last": "b"}]


def test_columns_of_one_name_are_told_apart(ask: Ask) -> None:
    """The second gets a number."""
    text = "id,name,x,x,x_2,y\n" + "".join(f"{n},n{n},{n}1,{n}2,{n}3,w\n" for n in range(1, 20))
    assert ask(text, "x,x_3,x_2 rows 2").value == [{"x": "21", "x_3": "22", "x_2": "23"}]


def test_lines_are_those_of_the_whole(ask: Ask, store: Store) -> None:
    """Also where a tool has put a frame around the table."""
    text = f"<returncode>0</returncode>\n<output>\n{TABLE}</output>"
    answer = query(store, store.put(text).ref, "id where id == 5")
    assert ids(answer) == [5]
    line = int(re.search(r"lines (\d+)", answer.reply(300))[1])  # type: ignore[index]
    assert text.split("\n")[line - 1].startswith("5,")


@one_store
@given(st.lists(st.tuples(st.integers(-50, 50), st.sampled_from(["a", "b", "", "x y"])), min_size=3, max_size=30),
       st.integers(-50, 50), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.sampled_from(["a", "b", ""]))
def test_a_condition_is_what_python_says(
    rows: list[tuple[int, str]], number: int, comparison: str, word: str,
) -> None:
    """For numbers and texts, joined by and, or, not."""
    condition = Parser(f"n {comparison} {number} and not w == '{word}' or w != \"{word}\" and n == 7", ["n", "w"],
                       ["n", "w"].index, 0).parse()
    for n, w in rows:
        compared = eval(f"{n} {comparison} {number}")
        assert condition([str(n), w]) is bool((compared and w != word) or (w != word and n == 7))


@given(st.text(st.sampled_from("id name=<>!()'\"`,;:&|0.1 andornotiscontainswhererowslimit"), max_size=60))
@settings(max_examples=60)
def test_any_expression_has_an_answer_or_one_line(ask: Ask, expression: str) -> None:
    """Nothing else is ever raised."""
    said = ""
    try:
        ask(TABLE[:600], expression)
    except ValueError as error:
        said = str(error)
    assert "\n" not in said
