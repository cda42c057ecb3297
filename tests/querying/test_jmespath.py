"""JMESPath on JSON and YAML gives what the reference implementation gives, with places, and within bounds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import jmespath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolstub_ext.querying import Answer, Listing, Passage, json_tree
from toolstub_ext.querying.jmes import Expression
from toolstub_ext.querying.meter import Meter
from toolstub_ext.store import Store

Ask = Callable[[str, str], Answer]

one_store = settings(max_examples=60)
ITEMS = [{"id": n, "status": "failed" if n % 7 == 0 else "ok", "amount": n * 1.5} for n in range(2_000)]
ORDERS = {"meta": {"count": 2_000, "note": 'a "b"\nc'}, "items": ITEMS}
texts = st.text(st.characters(exclude_categories=()), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(
        st.sampled_from(["a", "b", "c d", "é"]), children, max_size=4), max_leaves=12)
EXPRESSIONS = [
    "a", "[0]", "a.b", "[*].a", "*.a", "[?a]", "[?a==`1`].b", "a[0].b[]", "length(@)", "keys(@)", "[-1]", "[1:]",
    "a || b",
    "!a", "a && b", "{x: a, y: [b]}", "sort(@)", "type(@)", '"c d"', "to_string(@)", "@", "[].a | [0]"]


@given(values, st.sampled_from(EXPRESSIONS))
def test_it_is_jmespath(value: Any, expression: str) -> None:
    """Our bounds change no result; where the reference raises, we name the problem in one line."""
    try:
        expected = jmespath.search(expression, value)
    except jmespath.exceptions.JMESPathError:
        with pytest.raises(ValueError, match=r".") as caught:
            Expression(expression).evaluate(value, Meter())
        assert "\n" not in str(caught.value)
    else:
        assert Expression(expression).evaluate(value, Meter()) == expected


@one_store
@given(st.lists(values, min_size=1, max_size=4), st.sampled_from([None, 1]), st.sampled_from(EXPRESSIONS))
def test_an_answer_is_the_value_in_the_text(store: Store, value: Any, indent: int | None, expression: str) -> None:
    """Whether it is followed in the text or picked from a tree, in small pieces or at once."""
    text = json.dumps({"a": value, "b": value[0]}, indent=indent)
    tree = json_tree.read_json(text, None)
    assert tree.value == json.loads(text)
    try:
        expected = jmespath.search(expression, tree.value)
    except jmespath.exceptions.JMESPathError:
        return
    assert Expression(expression).evaluate(tree.value, Meter()) == expected


@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_array_knows_the_places_of_its_items(ask: Ask, indent: int | None) -> None:
    """By line, or by offset where all stand on one line."""
    text = json.dumps(ORDERS, indent=indent)
    answer = ask(text, "items[?status=='failed']")
    assert answer.value == [item for item in ITEMS if item["status"] == "failed"]
    for piece, item in zip(str(answer).split("\n"), answer.value, strict=True):
        word, place, rest = piece.split(" ", 2)
        start = int(place[:-1]) if word == "offset" else len("\n".join([*text.split("\n")[:int(place[:-1]) - 1], ""]))
        assert json.JSONDecoder().raw_decode(text[start:].lstrip())[0] == item == json.loads(rest)


@pytest.mark.parametrize(("expression", "text"), [
    ("meta.count", "2000"), ("$.meta.count", "2000"), (".meta.count", "2000"), ("/meta/count", "2000"),
    ("items[3]", '{"id": 3, "status": "ok", "amount": 4.5}'), ("$.items[3].amount", "4.5"),
])
def test_a_plain_path_is_exact(ask: Ask, expression: str, text: str) -> None:
    """The text as it is written, with its place, however the path is written."""
    answer = ask(json.dumps(ORDERS), expression)
    assert isinstance(answer, Passage)
    assert (answer.text, json.dumps(ORDERS)[answer.offset:answer.offset + len(text)]) == (text, text)


def test_a_text_reads_as_it_is_meant(ask: Ask) -> None:
    """Without the escapes that JSON needs."""
    answer = ask(json.dumps(ORDERS), "meta.note")
    assert str(answer) == 'a "b"\nc'
    assert "a text of 7 chars" in answer.reply(500)


@pytest.mark.parametrize("expression", ["items", "items[?status=='failed']", "items[*].id", "items[100:450]"])
def test_following_the_expressions_shows_everything(ask: Ask, expression: str) -> None:
    """Every item once, in replies that fit."""
    text = json.dumps({"items": ITEMS[:500]})
    whole, pieces = ask(text, expression), []
    while True:
        reply = ask(text, expression).reply(3_000)
        assert len(reply) <= 3_000
        head, *lines = reply.split("\n")
        pieces += lines
        onward = re.search(r'go on with expression (".*")$', head)
        if onward is None:
            break
        expression = json.loads(onward[1])
    assert pieces == str(whole).split("\n")


@pytest.mark.parametrize(("expression", "value"), [
    ("items[?amount > 2994].id", [1997, 1998, 1999]),
    ("items[?id == 7 && status != `null`].id", [7]),
    ("items[?amount>=2998.5].id", [1999]),
    ("items[?status == `failed`].id | [:2]", [0, 7]),
])
def test_a_bare_literal_is_taken_as_meant(ask: Ask, expression: str, value: list[int]) -> None:
    """JMESPath wants backticks around a number; a model that forgets them gets its answer."""
    assert ask(json.dumps(ORDERS), expression).value == value


@pytest.mark.parametrize(("expression", "said"), [
    ("items[? id", "it ends too early, behind"),
    ("items[*].id ]", "error at character 12"),
    ("items[].{", "it ends too early"),
    (".items[] | select(.id == 3)", "this is jq"),
    ("items[].nope(@)", "nope(); there are abs, avg,"),
    ("sum(items[].status)", "sum() takes array of number, not string"),
    ("length(`1`)", "length() takes string or array or object, not number"),
    ("length(@, @)", "Expected 1 argument for function length(), received 2"),
    ("(" * 900, "nests too deeply"),
    ("!" * 900 + "a", "nests too deeply"),
    ("x" * 1_001, "at most 1,000 are read"),
    (" ", "expression is empty"),
])
def test_what_does_not_parse_is_named(ask: Ask, expression: str, said: str) -> None:
    """One line, with the position where there is one."""
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        ask(json.dumps(ORDERS), expression)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("expression", [
    "|".join(["[@,@][]"] * 100), "|".join(["[@,@]"] * 100), "|".join(["[@,@]"] * 60) + "|to_string(@)",
    "|".join(["join('', [to_string(@), to_string(@)])"] * 22), "|".join(["[@,@]"] * 40) + "|[@==@, [@,@]==[@,@]]",
    "|".join(["{a:@,b:@}"] * 60), "|".join(["[@,@]"] * 40) + "|contains([[@,@],[@,@]], [@,@])",
])
def test_a_hostile_expression_ends(ask: Ask, expression: str) -> None:
    """What would double without end is stopped by the nodes that it builds."""
    with pytest.raises(ValueError, match=r"builds too much|nests too deeply"):
        ask(json.dumps(ORDERS), expression)


def test_a_field_in_place_of_a_text_is_pointed_out(ask: Ask) -> None:
    """The commonest mistake in JMESPath has no error, only no result."""
    assert "is a field" in ask(json.dumps(ORDERS), 'items[?status=="failed"]').reply(500)
    assert "is a field" not in ask(json.dumps(ORDERS), "items[?status=='none']").reply(500)


def test_nothing_is_said_to_be_nothing(ask: Ask) -> None:
    """And on a plain path, where it ends."""
    answer = ask(json.dumps(ORDERS), "meta.nope.deeper")
    assert answer.value is None
    assert "there is no 'nope' in the object at '/meta'" in answer.reply(500)
    assert "nothing (null)" in ask(json.dumps(ORDERS), "items[?id].x | [0]").reply(500)


def test_a_large_object_shows_its_members(ask: Ask) -> None:
    """As far as they fit, with the expression for the next."""
    answer = ask(json.dumps(ORDERS), "@")
    assert "2 members" in answer.reply(500)
    assert answer.reply(500).endswith('"meta": {"count":2000,"note":"a \\"b\\"\\nc"}')
    assert 'expression "items"' in answer.reply(500)


@pytest.mark.parametrize(("text", "what", "length"), [
    ("\n".join(map(json.dumps, ITEMS)), "an array of 2,000 records", 2_000),
    ("\n".join([*map(json.dumps, ITEMS), '{"id": 1']), "2,000 records, 1 that are not JSON left out", 2_000),
    ("\n".join(json.dumps(item, indent=1) for item in ITEMS), "an array of 2,000 values", 2_000),
    ("".join(f"event: e\ndata: {json.dumps(item)}\n\n" for item in ITEMS), "an array of 2,000 events", 2_000),
])
def test_many_values_are_an_array(ask: Ask, text: str, what: str, length: int) -> None:
    """On lines, one behind another, or in a stream of events; each knows its line."""
    assert ask(text, "length(@)").value == length
    answer = ask(text, "[?status=='failed']")
    assert what in answer.reply(2_000)
    for piece, item in zip(str(answer).split("\n"), answer.value, strict=True):
        line = int(re.match(r"line (\d+): ", piece)[1])  # type: ignore[index]
        begins = "\n".join(text.split("\n")[line - 1:]).removeprefix("data: ")
        assert json.JSONDecoder().raw_decode(begins)[0] == item


def test_a_text_inside_json_is_asked_too(ask: Ask) -> None:
    """Many tools answer with JSON, or a table, in one string of JSON."""
    text = json.dumps({"content": [{"type": "text", "text": json.dumps(ORDERS)}]})
    assert ask(text, "content[0].type").value == "text"
    assert ask(text, "items[?id == `3`].amount").value == [4.5]
    assert "of the text at content[0].text" in ask(text, "items[0].id").reply(500)
    table = "id,country\n" + "".join(f"{n},{'DE' if n % 2 else 'FR'}\n" for n in range(1, 200))
    answer = ask(json.dumps([{"type": "text", "text": table}]), "id where country == 'FR' limit 2")
    assert [row["id"] for row in answer.value] == ["2", "4"]


@pytest.mark.parametrize("tail", ["[" * 50 + '"' + "x" * 400, '"x', "[1, 2", "{", '{"d": 1, "e', "tru"])
def test_json_that_is_cut_off_is_read_as_far_as_it_is_there(ask: Ask, tail: str) -> None:
    """A plain path is followed in the text; a tree has all members that are whole, and says that it is cut short."""
    text = '{"a": [1, 2, {"b": 3, "n": "' + "." * 200 + '"}], "c": ' + tail
    assert ask(text, "a[2].b").value["text"] == "3"
    answer = ask(text, "a[?b].b")
    assert answer.value == [3]
    assert "cut short, as far as it is there" in str(answer.what)
    with pytest.raises(ValueError, match=r"the text ends inside a value|Expecting value|Unterminated"):
        ask(text, "d")


def test_a_tree_has_a_limit(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above it only plain paths work, and the answer says so."""
    monkeypatch.setattr(json_tree, "TREE_CHARS", 50_000)
    text = json.dumps(ORDERS)
    with pytest.raises(ValueError, match="only a plain path such as"):
        ask(text, "items[?id]")
    assert ask(text, "items[1999].id").value["text"] == "1999"
    assert isinstance(ask(text, "items"), Passage)


def test_an_array_of_millions_of_numbers_is_read_at_once(ask: Ask) -> None:
    """Not one by one, which would take seconds; what it holds counts only where it is shown."""
    text = "[" + "1," * 2_500_000 + "2]"
    assert ask(text, "length(@)").value == 2_500_001
    assert ask(text, "[-2:]").value == [1, 2]


def test_json_that_nests_too_deeply_is_named(ask: Ask) -> None:
    """As soon as it does, however long it goes on."""
    with pytest.raises(ValueError, match="it nests deeper than 2,000 levels at offset 2000"):
        ask("[" * 500_000 + "]" * 500_000, "[?a]")


def test_numbers_of_any_length_are_kept(ask: Ask) -> None:
    """An integer of thousands of digits is shown as the text that it is."""
    text = json.dumps([{"n": 12345678901234567890123}, {"n": 1}])
    assert ask(text, "[?n > `5`].n").value == [12345678901234567890123]
    long = '[{"n": ' + "9" * 5_000 + "}]"
    assert ask(long, "[*].n").value == ["9" * 5_000]


@given(st.text(st.sampled_from("abc[]{}()|&!?*.,:'\"`@ 01=<>-"), max_size=40))
@example("a == 01")
def test_any_expression_has_an_answer_or_one_line(expression: str) -> None:
    """Nothing else is ever raised."""
    said = ""
    try:
        Expression(expression).evaluate(ORDERS, Meter())
    except ValueError as error:
        said = str(error)
    assert "\n" not in said


def test_an_answer_is_a_listing_or_a_passage(ask: Ask) -> None:
    """Which differ in whether it stands in the original as it is shown."""
    assert isinstance(ask(json.dumps(ORDERS), "meta"), Passage)
    assert isinstance(ask(json.dumps(ORDERS), "meta.{n: count}"), Listing)
