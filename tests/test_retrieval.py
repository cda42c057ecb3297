"""A model can reach every character of an original, in replies that always fit and say how to go on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolstub_ext import retrieval
from toolstub_ext.store import Entry, Store, open_store

REPLY_CHARS = 6_000
ARGUMENTS = ["ref", "offset", "limit", "lines", "pointer", "query", "regex", "ignore_case", "cursor", "tool",
             "expression"]
LOG = "".join(f"10:00:{n % 60:02d} {'ERROR' if n % 400 == 7 else 'INFO'} worker {n}\n" for n in range(3_000))
ORDERS = json.dumps([{"id": n, "name": f"order {n}"} for n in range(2_000)])

one_store = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
texts = st.text(st.characters(exclude_categories=()), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=6)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, closed after the test."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
def log(store: Store) -> Entry:
    """Many short lines."""
    return store.put(LOG, session="s", tool="bash", kind="text (log)")


@pytest.fixture
def orders(store: Store) -> Entry:
    """One long line."""
    return store.put(ORDERS, session="s", tool="list_orders", kind="json")


def ask(store: Store, tool: str, reply_chars: int = REPLY_CHARS, /, *, owner: str = "local", session: str = "s",
        **arguments: Any) -> str:
    """The reply to a call, which fits."""
    reply = retrieval.run(f"toolstub_{tool}", json.dumps(arguments), store=store, owner=owner, session=session,
                          reply_chars=reply_chars)
    assert len(reply) <= reply_chars
    return reply


@pytest.mark.parametrize(("wire", "functions", "schema", "more"), [
    ("chat", lambda tools: [tool["function"] for tool in tools], "parameters", {"strict"}),
    ("responses", lambda tools: tools, "parameters", {"strict", "type"}),
    ("messages", lambda tools: tools, "input_schema", set()),
])
def test_the_definitions_are_small_and_strict(wire: str, functions: Any, schema: str, more: set[str]) -> None:
    """Together at most 2,000 bytes, the same every time, and schemas that a strict validator takes."""
    text = retrieval.definitions(wire)
    assert text == retrieval.definitions(wire)
    assert text.isascii()
    assert len(text) <= 2_000
    tools = functions(json.loads(f"[{text}]"))
    assert tuple(tool["name"] for tool in tools) == retrieval.NAMES
    for tool in tools:
        assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", tool["name"])
        assert set(tool) == {"name", "description", schema} | more
        assert tool.get("strict", False) is False  # so that arguments may be left out
        parameters = tool[schema]
        assert (parameters["type"], parameters["additionalProperties"]) == ("object", False)
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert all(value["type"] in ("string", "integer", "boolean") for value in parameters["properties"].values())


@pytest.mark.parametrize(("wire", "name_of"), [
    ("chat", lambda entry: entry["function"]["name"]), ("responses", lambda entry: entry["name"]),
])
def test_a_list_of_allowed_tools_can_name_them(wire: str, name_of: Any) -> None:
    """In the formats that have such a list."""
    entries = json.loads(f"[{retrieval.allowance(wire)}]")
    assert tuple(map(name_of, entries)) == retrieval.NAMES
    assert {entry["type"] for entry in entries} == {"function"}


def test_only_known_wires_have_definitions() -> None:
    """Another format is a mistake of the caller."""
    with pytest.raises(ValueError, match="'smoke'"):
        retrieval.definitions("smoke")


@pytest.mark.parametrize(("name", "ours"), [
    ("toolstub_read", True), ("toolstub_search", True), ("toolstub_list", True), ("toolstub_", False), ("read", False),
])
def test_our_tools_are_told_by_name(name: str, ours: bool) -> None:
    """Whatever the arguments are."""
    assert retrieval.is_ours(name) is ours


def test_a_read_says_what_it_covers_and_how_to_go_on(store: Store, log: Entry) -> None:
    """The first line has characters, lines and totals; the text behind it is exact and ends with a whole line."""
    head, _, text = ask(store, "read", ref=log.ref).partition("\n")
    lines = text.count("\n")
    assert head == (f"[toolstub] {log.ref} chars 0..{len(text)} of {len(LOG)} (lines 1..{lines} of 3000); "
                    f"continue with offset={len(text)}")
    assert LOG.startswith(text)
    assert len(text) > REPLY_CHARS - 300
    assert text.endswith("\n")


@pytest.mark.parametrize("original", [LOG, ORDERS, "x", "\n" * 20_000, "é😀\ud800" * 5_000])
@pytest.mark.parametrize("reply_chars", [300, 1_000, REPLY_CHARS])
def test_following_the_offsets_reads_everything(store: Store, original: str, reply_chars: int) -> None:
    """Of long lines and short ones, whatever the size of a reply."""
    ref = store.put(original[:30_000]).ref
    pages, call = [], {"ref": ref}
    while True:
        head, _, text = ask(store, "read", reply_chars, **call).partition("\n")
        pages.append(text)
        onward = re.search(r"continue with offset=(\d+)$", head)
        if onward is None:
            assert head.endswith("; end of the original")
            break
        call = {"ref": ref, "offset": onward[1]}
    assert "".join(pages) == original[:30_000]


def test_lines_and_values_are_read_as_asked_for(store: Store, log: Entry, orders: Entry) -> None:
    """The reply says that it is all that was asked for; what is too long for one reply says how to go on."""
    head, _, text = ask(store, "read", ref=log.ref, lines="8:10").partition("\n")
    assert text == "\n".join(LOG.split("\n")[7:10])
    assert head.endswith("(lines 8..10 of 3000); all that was asked for")
    head, _, text = ask(store, "read", ref=orders.ref, pointer="/1500").partition("\n")
    assert json.loads(text) == {"id": 1500, "name": "order 1500"}
    assert head.endswith("; all that was asked for")
    assert "; continue with offset=" in ask(store, "read", ref=log.ref, lines="1:2000").partition("\n")[0]
    assert "; continue with offset=" in ask(store, "read", ref=orders.ref, pointer="").partition("\n")[0]


@pytest.mark.parametrize(("arguments", "text"), [
    ({"offset": "6", "limit": "3"}, "678"),
    ({"offset": 6.0, "limit": 3}, "678"),
    ({"offset": None, "limit": 3}, "012"),
    ({"offset": "", "limit": 0, "lines": "", "pointer": ""}, "0123456789\nabc\ndef"),
    ({"offset": 12, "limit": -1}, "bc\ndef"),
    ({"limit": 10**40}, "0123456789\nabc\ndef"),
    ({"lines": "2-3"}, "abc\ndef"),
    ({"lines": "L2-L3"}, "abc\ndef"),
    ({"lines": 2}, "abc"),
    ({"lines": "2", "offset": 0}, "abc"),
    ({"lines": "1", "surprise": [1]}, "0123456789"),
])
def test_arguments_are_taken_as_meant(store: Store, arguments: dict[str, Any], text: str) -> None:
    """Numbers as strings, null or nothing for what is left out, other ways to write lines, arguments nobody knows."""
    ref = store.put("0123456789\nabc\ndef").ref
    assert ask(store, "read", ref=f" `{ref}` ", **arguments).partition("\n")[2] == text


def test_a_search_says_how_often_and_where(store: Store, log: Entry) -> None:
    """Each hit has its line, its offset, a call that reads around it, and its own line of text."""
    head, *hits = ask(store, "search", query="ERROR", ref=log.ref).split("\n")
    assert head == f'[toolstub] 8 hits for "ERROR" in {log.ref}'
    assert len(hits) == 16
    for place, line in zip(hits[::2], hits[1::2], strict=True):
        told = re.fullmatch(
            rf'line (\d+), offset (\d+); around it: toolstub_read\(ref="{log.ref}", offset=(\d+), limit=2000\)', place)
        assert told is not None
        number, offset, around = map(int, told.groups())
        assert LOG[offset:offset + 5] == "ERROR"
        assert LOG.split("\n")[number - 1] == line
        assert around <= offset < around + 2_000


def test_hits_that_are_not_shown_are_counted(store: Store, log: Entry) -> None:
    """All of them in one original, and as far as was looked in all together."""
    told = LOG.count("worker 1")
    assert ask(store, "search", query="worker 1", ref=log.ref).startswith(f"[toolstub] {told} hits for ")
    assert ask(store, "search", query="worker 1").startswith(f"[toolstub] at least {told} hits for ")


def test_few_hits_come_with_their_surroundings(store: Store, log: Entry, orders: Entry) -> None:
    """In whole lines where there are lines, and in characters where there are not."""
    _, _, *lines = ask(store, "search", query="worker 1234", ref=log.ref).split("\n")
    assert "\n".join(lines) in LOG
    assert len(lines) > 10
    excerpt = ask(store, "search", query="order 1234", ref=orders.ref).split("\n")[2]
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert excerpt[1:-1] in ORDERS
    assert len(excerpt) > 500


@pytest.mark.parametrize("reply_chars", [400, 1_500, REPLY_CHARS])
def test_a_search_goes_on_with_its_cursor(store: Store, log: Entry, reply_chars: int) -> None:
    """Every hit is shown once."""
    found, cursor = [], None
    while True:
        reply = ask(store, "search", reply_chars, query="worker 11", ref=log.ref, cursor=cursor)
        found += map(int, re.findall(r"^line \d+, offset (\d+);", reply, re.MULTILINE))
        more = re.search(r'for more, the same call with cursor="([^"]+)"', reply.partition("\n")[0])
        if more is None:
            break
        cursor = more[1]
    assert found == [match.start() for match in re.finditer("worker 11", LOG)]


def test_a_search_without_ref_covers_all(store: Store, log: Entry, orders: Entry) -> None:
    """Each hit names its original."""
    reply = ask(store, "search", query=r"worker 77\b|order 77\b", regex="true")
    assert [log.ref in reply, orders.ref in reply] == [True, True]
    assert reply.startswith("[toolstub] 2 hits for ")
    assert ask(store, "search", query="WORKER 77\n", ignore_case=True).startswith("[toolstub] 1 hit for ")
    assert ask(store, "search", query="absent") == (
        '[toolstub] no hits for "absent"; try ignore_case, a shorter query, or regex')


def test_a_list_shows_the_session(store: Store, log: Entry, orders: Entry) -> None:
    """Newest first, with what tells results apart; other sessions are not shown."""
    store.put("elsewhere", session="t")
    assert ask(store, "list").split("\n") == [
        "[toolstub] 2 stored results in this session, newest first",
        f"{orders.ref} list_orders json, {len(ORDERS)} chars, 1 lines, {orders.created}",
        f"{log.ref} bash text (log), {len(LOG)} chars, 3000 lines, {log.created}",
    ]
    assert ask(store, "list", tool="bash").startswith('[toolstub] 1 stored result of "bash" in this session')
    assert ask(store, "list", session="u") == "[toolstub] no stored results in this session"


def test_a_long_list_goes_on_with_its_cursor(store: Store) -> None:
    """Every result is listed once, however long the names of tools are."""
    refs = [store.put(f"text {n}", session="s", tool="t\n" * 300).ref for n in range(70)]
    listed, cursor = [], None
    while True:
        head, *lines = ask(store, "list", 2_000, cursor=cursor).split("\n")
        listed += [line.partition(" ")[0] for line in lines]
        more = re.search(r'cursor="([^"]+)"', head)
        if more is None:
            break
        cursor = more[1]
    assert listed == refs[::-1]


@pytest.mark.parametrize("reply_chars", [600, 1_500, REPLY_CHARS])
def test_a_query_goes_on_with_the_expression_it_names(store: Store, orders: Entry, reply_chars: int) -> None:
    """Every value once; the first line says how many there are."""
    expression, found = "[?id >= `1500`].name", []
    while True:
        head, *lines = ask(store, "query", reply_chars, ref=orders.ref, expression=expression).split("\n")
        found += [json.loads(line) for line in lines]
        onward = re.search(r'go on with expression (".*")$', head)
        if onward is None:
            break
        assert re.match(rf"\[toolstub\] {orders.ref} [\d,]+ values from JSON; [\d,]+ shown, ", head)
        expression = json.loads(onward[1])
    assert found == [f"order {n}" for n in range(1_500, 2_000)]


def test_a_query_selects_by_the_kind_of_the_original(store: Store, orders: Entry) -> None:
    """A path, columns of a table, a symbol of code; what is cut says how to read the rest."""
    assert ask(store, "query", ref=orders.ref, expression="[7].name") == (
        f"[toolstub] {orders.ref} a text of 7 chars from JSON at [7].name (chars 229..238, line 1)\norder 7")
    table = store.put("id,amount\n" + "".join(f"{n},{n * 2}\n" for n in range(2_000)), session="s")
    assert ask(store, "query", ref=table.ref, expression="amount rows 5:6").split("\n")[1:] == [
        "row: amount", "5: 8", "6: 10"]
    body = "".join(f"    total += step({n})\n" for n in range(2_000))
    code = store.put(f"import os\n\n\ndef run(step):\n    total = 0\n{body}    return total\n", session="s")
    head, _, text = ask(store, "query", ref=code.ref, expression="run").partition("\n")
    assert text.startswith("def run(step):\n    total = 0\n")
    assert re.search(rf'; cut, \d+ more: toolstub_read\(ref="{code.ref}", offset=\d+, limit=\d+\)$', head)


@pytest.mark.parametrize(("tool", "arguments", "said"), [
    ("query", "{}", "toolstub_query needs a ref, as the stub names it, and an expression"),
    ("query", '{"ref": "REF", "expression": "x"}', "is text, and query knows JSON, YAML, tables, code and Markdown"),
    ("query", '{"ref": "ts_ffffffffffffffff", "expression": "x"}', 'no such ref: "ts_ffffffffffffffff"'),
    ("read", "{", "the arguments are not JSON; send an object such as"),
    ("read", "[1]", "the arguments have to be a JSON object"),
    ("read", "[" * 100_000, "the arguments are not JSON"),
    ("read", "", "toolstub_read needs a ref"),
    ("read", "null", "toolstub_read needs a ref"),
    ("read", '{"ref": {}}', "ref has to be a string, not"),
    ("read", '{"ref": "ts_ffffffffffffffff"}', 'no such ref: "ts_ffffffffffffffff"; toolstub_list shows'),
    ("read", '{"ref": "REF", "offset": "two"}', "offset has to be a whole number, not"),
    ("read", '{"ref": "REF", "offset": 1e999}', "offset has to be a whole number, not"),
    ("read", '{"ref": "REF", "offset": -5}', "offset is -5"),
    ("read", '{"ref": "REF", "limit": -5}', "limit is -5; give a number of characters, or -1"),
    ("read", '{"ref": "REF", "offset": 99}', "has 4 chars and 1 lines; nothing begins there"),
    ("read", '{"ref": "REF", "lines": "9:2"}', "ends before it begins"),
    ("read", '{"ref": "REF", "lines": "all"}', "write it as 'A:B'"),
    ("read", '{"ref": "REF", "pointer": "/a"}', "pointer needs JSON"),
    ("search", "{}", "toolstub_search needs a query"),
    ("search", '{"query": "(", "regex": true}', "bad regex: missing )"),
    ("search", '{"query": "x", "cursor": "more"}', "cursor is 'more'"),
    ("list", '{"cursor": "more"}', "cursor is 'more'"),
    ("delete", "{}", 'there is no tool "toolstub_delete"; there are toolstub_read, toolstub_search, toolstub_list, '
     "toolstub_query"),
])
def test_a_mistake_is_answered_in_one_line(store: Store, tool: str, arguments: str, said: str) -> None:
    """That says what to do instead."""
    ref = store.put("text").ref
    reply = retrieval.run(f"toolstub_{tool}", arguments.replace("REF", ref), store=store, owner="local", session="s")
    assert reply.startswith("[toolstub] ")
    assert said in reply
    assert "\n" not in reply


def test_a_foreign_ref_is_as_unknown_as_any(store: Store, log: Entry) -> None:
    """An expired one says so, to its owner."""
    unknown = ask(store, "read", ref="ts_ffffffffffffffff", owner="bob")
    assert ask(store, "read", ref=log.ref, owner="bob") == unknown.replace("ts_ffffffffffffffff", log.ref)
    store.gc(older_than_days=0)
    expired = ask(store, "read", ref=log.ref)
    assert re.fullmatch(rf"\[toolstub\] {log.ref} expired on [-0-9]+, run the tool again", expired)
    assert "no such ref" in ask(store, "read", ref=log.ref, owner="bob")


@pytest.mark.parametrize(("tool", "arguments"), [
    ("read", {"ref": "x"}), ("search", {"query": "x"}), ("list", {}), ("query", {"ref": "x", "expression": "y"})])
def test_a_store_that_fails_is_one_line(store: Store, tool: str, arguments: dict[str, str]) -> None:
    """The conversation goes on."""
    store.close()
    reply = ask(store, tool, **arguments)
    assert reply.startswith("[toolstub] originals cannot be read just now")
    assert "\n" not in reply


@one_store
@given(st.sampled_from([*retrieval.NAMES, "other"]), st.dictionaries(st.sampled_from(ARGUMENTS), json_values),
       st.booleans(), st.integers(0, 700))
def test_any_arguments_get_an_answer_that_fits(
    store: Store, name: str, arguments: dict[str, Any], known: bool, reply_chars: int,
) -> None:
    """Nothing a model can send raises, and no reply is longer than it may be."""
    text = "one\ntwo\n" * 500 + "\ud800" if reply_chars % 2 else ORDERS[:2_000]
    ref = store.put(text, session="s").ref
    if known:
        arguments["ref"] = ref
    call = json.dumps(arguments)
    reply = retrieval.run(name, call, store=store, owner="local", session="s", reply_chars=reply_chars)
    assert len(reply) <= reply_chars


@one_store
@given(st.text(max_size=60))
def test_any_text_as_arguments_gets_an_answer(store: Store, arguments: str) -> None:
    """A model may stop in the middle of them."""
    assert retrieval.run("toolstub_read", arguments, store=store, owner="local", session="s").startswith("[toolstub] ")
