"""Every call gets an answer: a list, a query, or one line that says what is wrong with the call."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retrieval_support import LOG, ORDERS, REPLY_CHARS, ask

from toolstub_ext import retrieval
from toolstub_ext.store import Entry, Store

ARGUMENTS = ["ref", "offset", "limit", "lines", "pointer", "query", "regex", "ignore_case", "cursor", "tool",
             "expression"]

one_store = settings(max_examples=60)
texts = st.text(st.characters(exclude_categories=()), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=6)


def test_a_list_shows_the_session(store: Store, log: Entry, orders: Entry) -> None:
    """Newest first, with what tells results apart; other sessions are not shown."""
    store.put("elsewhere", session="t")
    assert ask(store, "list").split("\n") == [
        "[toolstub] 2 stored results in this session, newest first",
        f"{orders.ref} list_orders json, {len(ORDERS):,} chars, 1 line, {orders.created}",
        f"{log.ref} bash text (log), {len(LOG):,} chars, 3,000 lines, {log.created}",
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
    ("query", '{"ref": "ts_\\u2028\\ud800\\u202e", "expression": "x"}', r'no such ref: "ts_\u2028\ud800\u202e"'),
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
    ("read", '{"ref": "REF", "offset": -5}', "nothing begins there"),
    ("read", '{"ref": "REF", "limit": -5}', "limit is -5; give a number of characters, or -1"),
    ("read", '{"ref": "REF", "offset": 99}', "has 4 chars and 1 line; nothing begins there"),
    ("read", '{"ref": "REF", "lines": "9:2"}', "ends before it begins"),
    ("read", '{"ref": "REF", "lines": "all"}', "write it as 'A:B'"),
    ("read", '{"ref": "REF", "pointer": "/a"}', "pointer needs JSON"),
    ("read", "x", 'such as {"ref": "ts_0123456789abcdef", "lines": "1:80"}'),
    ("search", "x", 'such as {"query": "error"}'),
    ("search", "[1]", 'such as {"query": "error"}'),
    ("list", "x", 'such as {"tool": "get_log"}'),
    ("query", "[]", 'such as {"ref": "ts_0123456789abcdef", "expression": "*"}'),
    ("search", "{}", "toolstub_search needs a query"),
    ("search", '{"query": "(", "regex": true}', "bad regex: missing ) at character 0"),
    ("search", '{"query": "a\\u0085\\u2029b"}', r'no hits for "a\u0085\u2029b"'),
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
    assert len(reply.splitlines()) == 1


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
