"""SPARQL over the graph of an original, in a process that may fail without harm."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest

from toolstub_ext.graph import synopsize
from toolstub_ext.querying import Answer, sparql
from toolstub_ext.querying.sparql import is_sparql
from toolstub_ext.retrieval import run
from toolstub_ext.store import Store

Ask = Callable[[str, str], Answer]

ORDERS = json.dumps({
    "orders": [{"id": n, "customer_id": 1 + n % 3, "status": "ok" if n % 9 else "failed", "total": n * 1.5}
               for n in range(90)],
    "customers": [{"id": n, "name": f'name "{n}"'} for n in range(1, 4)],
})
TABLE = "id,amount,country\n" + "".join(f"{n},{n * 3},{'DE' if n % 2 else 'FR'}\n" for n in range(100))
YAML = "services:\n" + "".join(f"  s{n}:\n    image: img{n}\n    ports: [{n}, {n + 1}]\n" for n in range(20))
ENVELOPED = json.dumps({"content": [{"type": "text", "text": json.dumps(json.loads(ORDERS), indent=1)}]})


@pytest.mark.parametrize(("original", "query", "expected"), [
    (ORDERS, "SELECT ?x ?s WHERE { ?x a :orders ; :status ?s ; :id 9 }", '?x\t?s\n/orders/9\t"failed"'),
    (ORDERS, "SELECT ?n (COUNT(?o) AS ?c) WHERE { ?o :status 'failed' ; ts:refersTo/:name ?n } GROUP BY ?n",
     '?n\t?c\n"name \\"1\\""\t10'),
    (ORDERS, "SELECT (SUM(?t) AS ?s) WHERE { ?o :total ?t }", "?s\n6007.5"),
    (ORDERS, "SELECT ?x WHERE { ?x :id 900 }", "?x"),
    (ORDERS, "ASK { ?x :status 'failed' }", "true"),
    (ORDERS, "# what is it\nDESCRIBE <urn:toolstub:entity:/customers/2>",
     '/customers/2\t:name\t"name \\"3\\""\n/customers/2\t:id\t3\n/customers/2\trdf:type\t:customers'),
    (ORDERS, "CONSTRUCT { ?x ts:is ?s } WHERE { ?x :status ?s ; :id 0 }", '/orders/0\tts:is\t"failed"'),
    (ENVELOPED, "SELECT ?x WHERE { ?x :id 9 }", "?x\n/orders/9"),
    (TABLE, "SELECT (SUM(?a) AS ?s) WHERE { ?x :amount ?a ; :country 'DE' }", "?s\n7500"),
    (YAML, "SELECT ?k WHERE { ?x :image 'img7' ; ts:filed ?k ; :ports 8 }", '?k\n"s7"'),
])
def test_it_selects_from_json_yaml_and_tables(ask: Ask, original: str, query: str, expected: str) -> None:
    """An entity is shown by its pointer, which `read` takes; numbers as they are, texts in quotes."""
    assert str(ask(original, query)) == expected


def test_the_reply_says_what_it_covers(ask: Ask) -> None:
    """How many solutions, of how large a graph, and how to go on."""
    reply = ask(ORDERS, "SELECT ?x ?i WHERE { ?x a :orders ; :id ?i } ORDER BY ?i").reply(300)
    first, *rows = reply.split("\n")
    assert "90 solutions from the graph of JSON, 643 triples" in first
    assert f"go on with OFFSET {len(rows) - 1} in the query" in first


def test_the_query_that_a_stub_shows_works(ask: Ask) -> None:
    """It is written for the graph it stands on."""
    (line,) = (line for line in synopsize(ORDERS).structure if line.startswith("SPARQL: "))
    assert str(ask(ORDERS, line.split('"')[1])).startswith("?x\t?v\n/orders/")


def test_of_json_that_is_cut_short_the_graph_is_of_what_is_there(ask: Ask) -> None:
    """And the answer says so."""
    answer = ask('{"a": [1, 2' + ", 3" * 50, "ASK { ?x :a 2 }")
    assert answer.value == [["true"]]
    assert "cut short, as far as it is there" in answer.what


@pytest.mark.parametrize(("original", "query", "said"), [
    (ORDERS, "SELECT ?x WHERE { ?x :n }", "no SPARQL for this graph: it cannot be read on at line 1, column 26, near "
                                          "?x WHERE { ?x :n }"),
    (ORDERS, "SELECT ?x {\n ?x foo:id 3 }", "no SPARQL for this graph: Prefix not found at line 2, column 11, near "
                                            "?x foo:id 3 }"),
    (ORDERS, "SELECT ?y { ?x :id 3 } GROUP BY ?x", "The SELECT contains a variable that is unbound at line 1"),
    (ORDERS, "SELECT ?x {", "it cannot be read on at line 1, column 12, near SELECT ?x {"),
    (ORDERS, "SELECT ?x WHERE { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }", "SERVICE would ask another server"),
    ("just some text\n" * 50, "ASK { ?x ?y ?z }", "this original is text; there is a graph of JSON, YAML and tables"),
    ("a: {b: [1\n" + "c: d\n" * 50, "ASK { ?x ?y ?z }", "there is a graph of JSON, YAML and tables"),
])
def test_what_cannot_be_answered_is_one_line(ask: Ask, original: str, query: str, said: str) -> None:
    """The problem and, where there is one, its place."""
    with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
        ask(original, query)
    assert said in str(caught.value)
    assert "expected" not in str(caught.value)  # the parser would list every sign that it knows
    assert "exit status" not in str(caught.value)


@pytest.mark.parametrize("query", ["SELECT ?x " + "{" * 3_000,
                                   f"SELECT ?x {{ ?x :id ?v FILTER(?v = {'+'.join(['1'] * 20_000)}) }}"])
def test_what_ends_the_process_is_one_line_too(query: str) -> None:
    """The parser calls itself for every part within a part, and has no bound; a tool takes no query that long."""
    with pytest.raises(ValueError, match=r"^the query could not be evaluated: it is nested too deeply .* shorter$"):
        sparql.select("ts_1", ORDERS, query)


def _asking_another(address: str) -> dict[str, str]:
    """Queries that the parser takes to ask another server, written so that it is hard to see."""
    ask = f"SERVICE <{address}> {{ ?a ?b ?c }}"
    return {
        "behind a long text": f'SELECT * {{ BIND("""a"b""" AS ?z) {ask} FILTER("x" = "x") }}',
        "behind a long text of the other kind": f"SELECT * {{ BIND('''a'b''' AS ?z) {ask} FILTER('x' = 'x') }}",
        "behind a comment that a return ends": f"SELECT * {{ # a\r{ask} }}",
        "close to a number": f"SELECT * {{ ?x :id 1{ask} }}",
        "between less and greater": f"SELECT * {{ BIND(<{address}> AS ?s) FILTER(1<2)SERVICE?s{{?a?b?c}}FILTER(2>1) }}",
        "behind a quote in a name": f"SELECT * {{ ?x :a\\' 1 . {ask} ?y :b\\' 2 }}",
        "behind a hash in a name": f"SELECT * {{ ?x :a\\# 1 . {ask} }}",
    }


@pytest.mark.parametrize("query", _asking_another("http://127.0.0.1:9/").values(), ids=_asking_another("").keys())
def test_no_way_of_writing_hides_a_service(ask: Ask, query: str) -> None:
    """Texts, comments, names and IRIs end where the parser ends them."""
    with pytest.raises(ValueError, match="SERVICE would ask another server"):
        ask(ORDERS, query)


@pytest.mark.parametrize("query", [
    "SELECT * { ?x :service ?service }", "SELECT * { ?x :a 'SERVICE' } # SERVICE", 'ASK { ?x :a """a "SERVICE" b""" }',
    "ASK { ?x <urn:toolstub:key:service> <urn:SERVICE#service> }",
])
def test_the_word_alone_is_no_service(ask: Ask, query: str) -> None:
    """A key may be called so, and a text may hold it."""
    assert ask(ORDERS, query)


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be kept from opening there")
def test_the_process_opens_no_connection(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if a query were let through that asks another server, none would hear of it."""
    monkeypatch.setattr(sparql, "_SERVICE", re.compile("(?!)"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        with pytest.raises(ValueError, match="could not be evaluated"):
            ask(ORDERS, f"SELECT * {{ SERVICE <http://127.0.0.1:{server.getsockname()[1]}/> {{ ?a ?b ?c }} }}")
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_query_without_end_is_ended(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joins that share nothing multiply."""
    monkeypatch.setattr(sparql, "SECONDS", 2.0)
    with pytest.raises(ValueError, match="took over 2 s"):
        ask(ORDERS, "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c > ?f && ?f > ?i) }")


def test_without_the_extra_the_model_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install, and what works without."""
    ref = store.put(ORDERS).ref
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    arguments = json.dumps({"ref": ref, "expression": "ASK { ?x ?y ?z }"})
    reply = run("toolstub_query", arguments, store=store, owner="local", session=None)
    assert "pip install pyoxigraph" in reply
    assert "\n" not in reply.strip()


@pytest.mark.parametrize(("expression", "expected"), [
    ("SELECT * WHERE { ?x ?y ?z }", True), ("select ?x { ?x a :b }", True), ("PREFIX a: <b> ASK {}", True),
    ("# a comment\nASK { }", True), ("DESCRIBE <urn:x>", True), ("CONSTRUCT WHERE { ?a ?b ?c }", True),
    ("items[?a=='b']", False), ("id, amount where country == 'DE'", False), ("select", False), ("select, id", False),
    ("SELECT id FROM t", False), ("*", False), ("Runner.start", False), ("describe_table", False),
])
def test_sparql_is_told_from_other_expressions(expression: str, *, expected: bool) -> None:
    """A column or a function may be called `select`."""
    assert is_sparql(expression) is expected


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits for a process's memory")
def test_a_lower_limit_of_memory_holds() -> None:
    """Where an administrator allows less than the process would ask for, queries are answered within that."""
    program = ("import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
               "from toolstub_ext.querying.sparql import select\n"
               "print(select('ts_1', '[{\"id\": 7}]', 'SELECT ?v WHERE { ?x :id ?v }').value)")
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                           env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert asked.stdout == "[{'v': '7'}]\n", asked.stderr
