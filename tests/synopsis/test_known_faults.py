"""Inputs on which comparable systems hang, guess wrongly, hide the one thing that matters, or grow without bound."""

from __future__ import annotations

import json
import string

import pytest

from toolstub_ext.synopsis import Synopsis, render, synopsize

SENTENCE = "The committee met on Monday, and nobody disagreed with what was said there.\n"


def told(text: str, mime: str | None = None, budget: int = 1000) -> tuple[Synopsis, str]:
    """The synopsis and its stub."""
    synopsis = synopsize(text, mime, budget=budget)
    return synopsis, render(synopsis, sha256="0" * 64, ref="ts_0000000000000000", tool="t", reason="r")


BOUNDED = {
    "one key of 20,000 characters": json.dumps({"k" * 20_000: 1}),
    "ten keys of 3,000": json.dumps({f"{n}" + "k" * 3000: n for n in range(10)}),
    "500 columns": ",".join(f"column_number_{n}" for n in range(500))
    + "\n"
    + (",".join("1" for _ in range(500)) + "\n") * 3,
    "a tag of 5,000 characters": "<" + "t" * 5000 + "><a/></" + "t" * 5000 + ">",
    "a YAML key of 1,000 characters": "".join(f"{'k' * 1000}{n}: 1\n" for n in range(40)),
    "a heading of 100,000": "# " + "h" * 100_000 + "\n\n## b\n\n- [x](y)\n",
    "a function name of 100,000": "import os\n\n\ndef " + "f" * 100_000 + "():\n    return os\n" * 3,
}


@pytest.mark.parametrize("text", BOUNDED.values(), ids=BOUNDED.keys())
def test_names_are_clipped(text: str) -> None:
    """No name, however long, makes a stub larger than its limit."""
    assert len(told(text)[1]) <= 2300


NOT = {
    "commas in log times are not a table": ("".join(f"2026-01-01 10:00:00,{n:03} INFO step {n}, ok\n" for n in range(40)), "csv"),
    "one comma in each sentence is not a table": (SENTENCE * 30, "csv"),
    "events with JSON are not a table": ('data: {"a": 1, "b": 2}\n\n' * 30, "csv"),
    "a search for functions is not a table": ("".join(f"src/a.py:{n}:def f{n}(a, b):\n" for n in range(1, 40)), "csv"),
    "arrays in JavaScript are not a table": ("".join(f"const v{n} = [1, {n}];\n" for n in range(40)), "csv"),
    "numbered code is not a table": ("".join(f"{n:6}\timport mod{n}\n" for n in range(1, 40)), "tsv"),
    "numbered prose is not a table": ("".join(f"{n:6}\t{SENTENCE}" for n in range(1, 40)), "tsv"),
    "a traceback is not code": ('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    import b\nImportError: b\n', "code"),
    "a diff is not code": ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-import a\n+import b\n", "code"),
    "a test report is not code": ("=== test session starts ===\ntests/test_a.py .F\ndef test_a():\nE   assert 1 == 2\nFAILED tests/test_a.py::test_a - assert 1 == 2\n=== 1 failed, 1 passed in 0.1s ===\n", "code"),
    "English with class in it is not code": ("class attendance was good this year\nfunction follows form, said the architect\nimport duties rose again\n" * 8, "code"),
    "references are not JSON": ("[1] Smith, Things.\n[2] Jones, Others.\n" * 6, "json"),
    "primes are not JSON": ("[1, 2, 3] are primes, more or less, and that is all there is to say about them.\n", "json"),
    "Markdown with front matter is not YAML": ("---\ntitle: a\n---\n\n# Title\n\nText with **words** and `code`.\n\n## More\n\n- one\n- two\n", "yaml"),
    "aligned descriptions are not YAML": ("Name:         web-1\nNamespace:    default\nNode:         node-3/10.0.0.3\nStart Time:   Mon, 01 Jan 2026\nStatus:       Running\n" * 2, "yaml"),
    "a page is not a data document": ("<!DOCTYPE html>\n<html><head><title>T</title></head><body><p>Hello</p></body></html>", "code"),
    "colours are not binary": ("\x1b[31mERROR\x1b[0m it failed\n\x1b[32mINFO\x1b[0m it worked\n" * 20, "unknown"),
    "page feeds are not binary": ("Chapter one begins here.\n\f" * 30, "unknown"),
    "one NUL at the end is not binary": (SENTENCE * 60 + "\0", "unknown"),
    "broken HTML with commas is not a table": ("<html><body>" + "<p>a, b, c<br>\n" * 400, "csv"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), NOT.values(), ids=NOT.keys())
def test_what_looks_alike_is_told_apart(text: str, kind: str) -> None:
    """Texts that resemble a kind are not taken for it."""
    assert told(text)[0].kind != kind


IS = {
    "OpenAPI with an indented import": ("openapi: 3.0.0\ninfo:\n  title: A\n  description: |\n    import foo\npaths:\n  /a:\n    get:\n      summary: x\n", "yaml", None),
    "C": ('#include <stdio.h>\n\nint main(void)\n{\n    printf("x");\n    return 0;\n}\n', "code", "c"),
    "SQL": ("CREATE TABLE users (\n  id integer PRIMARY KEY,\n  name text\n);\nINSERT INTO users VALUES (1, 'a');\nSELECT id FROM users WHERE id = 1;\n", "code", "sql"),
    "shell": ('#!/bin/sh\nset -e\nif [ -f x ]; then\n  echo yes\nfi\nexport A="b"\n', "code", "shell"),
    "lines of JSON": ('{"a": 1}\n{"a": 2}\n', "json", "ndjson"),
    "lines of JSON with its MIME": ('{"a": 1}\n{"a": 2}\n', "json", "ndjson"),
    "a mark before JSON": ('\ufeff{"a": 1}', "json", None),
    "JSON cut short": ('{"a": [1, 2, {"b": "c"}, {"b": "d', "json", "truncated"),
    "flat YAML": ("name: web\nport: 80\nhost: example\ndebug: false\n", "yaml", None),
    "a YAML list": ("- name: a\n  port: 1\n- name: b\n  port: 2\n", "yaml", None),
    "YAML of two documents": ("a: 1\nb:\n  - x\n---\na: 2\nb:\n  - y\n", "yaml", "multi-document"),
    "a line before XML": ('\n<?xml version="1.0"?>\n<a><b/></a>', "xml", None),
    "well-formed HTML": ("<!DOCTYPE html>\n<html><head><title>T</title></head><body><p>Hello</p></body></html>", "xml", "html"),
    "semicolons": ("a;b;c\n1;2,5;3\n4;5,5;6\n7;8,5;9\n", "csv", "semicolon"),
    "a field beyond the reader's limit": ("a,b\n1,2\n" * 3 + "1," + "x" * 140_000 + "\n3,4\n", "csv", None),
    "base64": ("".join((string.ascii_letters + string.digits)[(n * 7 + n // 5) % 62] for n in range(4000)), "unknown", "base64"),
    "a 5,000-digit number": ('{"n": ' + "9" * 5000 + ', "a": 1}', "json", None),
    "deep nesting": ("[" * 3000 + "]" * 3000, "json", None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "variant"), IS.values(), ids=IS.keys())
def test_what_is_often_missed_is_found(text: str, kind: str, variant: str | None) -> None:
    """Texts that are taken for prose elsewhere are told for what they are."""
    synopsis = told(text)[0]
    assert (synopsis.kind, synopsis.variant) == (kind, variant)


SHOWN = {
    "an error at the end of an array": (json.dumps([{"id": n, "v": 1} for n in range(500)] + [{"error": "quota exceeded"}]), "quota exceeded"),
    "an error in the middle of a log": ("INFO all is well here\n" * 300 + "ERROR disk full on /dev/sda\n" + "INFO all is well here\n" * 300, "line 301: ERROR disk full"),
    "an error far behind the head": ("INFO all is well\n" * 20_000 + "ERROR disk full\n" + "INFO all is well\n" * 20_000, "line 20001: ERROR disk full"),
    "an error key beyond the first ten": (json.dumps({**{f"k{n:02}": n for n in range(40)}, "error": "no such user"}), "no such user"),
    "the text inside an envelope": (json.dumps({"content": [{"type": "text", "text": "# Title\n\nwords and words\n" * 60}], "isError": False}), "Title"),
    "rows of another width, with their number": ("a,b\n" + "1,2\n" * 100 + "1,2,3\n" * 22, "22 rows of another width"),
    "all rows in spite of an open quote": ("a,b\n" + "1,2\n" * 100 + '1,"2\n' + "1,2\n" * 100, "201 rows"),
    "names of a namespace as written": ('<x:a xmlns:x="urn:y"><x:b/></x:a>', "x:b"),
    "methods of Java": ("package a.b;\n\npublic class Run {\n    private int n;\n\n    public static void main(String[] args) {\n        go();\n    }\n}\n", "main"),
    "methods of Go": ("package a\n\nfunc (s *Server) Start() error {\n\treturn nil\n}\n\nfunc main() {\n\tx := 1\n}\n", "Start"),
    "arrows of TypeScript": ("import { x } from './x';\n\nexport const run = async (a: string): Promise<void> => {\n  return x(a);\n};\n\nexport default class A {\n  go(): void {\n  }\n}\n", "run"),
    "imports in braces": ("import { a, b } from './x';\nimport c from 'c';\nconst d = a(b);\nfunction e() {\n  return c;\n}\n", "import { a, b } from './x'"),
    "commits of a blame with a line of blanks": ("".join(f"b7710e2f (Lin Park 2026-02-{n:02} 09:15:00 +0100 {n:3}) load(path)\n" for n in range(1, 29)) + "  \n", "git blame: lines of 1 commit"),
    "items of an array that a cut goes through": (json.dumps({"ok": True, "items": [{"id": n, "state": "late" if n == 70 else "paid"} for n in range(200)]})[:4000], "items: array of at least"),
    "expressions of a template": ("desk:\n  name: {{ .Values.name }}\n{{- if .Values.seats }}\n  seats: 4\n{{- end }}\norder: x{{ .Values.order }}xx\n", "desk.name: {{ .Values.name }}"),
    "expressions of a template on the first level": ("order: x{{ .a }}xx\n{{- if .b }}\ndesk:\n  seats: 4\n{{- end }}\n", "1 order x{{ .a }}xx"),
    "the text in an envelope that is cut short": (json.dumps({"content": [{"type": "text", "text": "# Late orders\n\n" + "two of them\n" * 90}]})[:900], "1 Late orders"),
    "how a list ends": (repr([{"id": n, "name": f"n{n}"} for n in range(200)]), "{'id': 199, 'name': 'n199'}]"),
    "how many dicts": (repr([{"id": n} for n in range(200)]), "about 200 dicts"),
    "how bytes end": ("\0\1abc" * 90 + "\0" * 200 + "PK.end", "\\x00PK.end"),
    "how prose ends": (SENTENCE * 40 + "And that was the end.", "that was the end."),
    "JSON with the line ends of another time": ('{\r  "late": 1,\r  "paid": [1, 2]\r}\r', "object of 2 keys: late 1"),
    "words of text with the line ends of another time": ("Late orders are here.\r" * 40, "160 words"),
    "bytes without a NUL": ("a\x0bb\x01c\n" * 40, "binary data; 80 control characters"),
    "that nothing is shown": ("\x1b[0m\x1b[2J" * 40, "empty but for 320 characters that a terminal does not show"),
    "how many records": ('{"a": 1}\n' * 321, "321 records"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "piece"), SHOWN.values(), ids=SHOWN.keys())
def test_what_matters_is_in_the_stub(text: str, piece: str) -> None:
    """The one thing a person would look for is there."""
    stub = told(text)[1]
    assert piece in stub, stub


def test_secrets_are_masked() -> None:
    """Values that look like credentials do not appear in a stub, whatever kind of text they are in."""
    secret = "sk-" + "abcDEF123456" * 3
    texts = [
        json.dumps({"api_key": secret, "password": "hunter2hunter2", "name": "x"}),
        f"token={secret}\n" * 40,
        f"Authorization: Bearer {secret}\n" + SENTENCE * 20,
        f"import os\n\nAPI_KEY = '{secret}'\n\n\ndef main():\n    return os\n",
        f"key,secret\n1,{secret}\n2,{secret}\n",
        f"postgres://user:{secret}@host/db\n" + SENTENCE * 20,
    ]
    for text in texts:
        stub = told(text)[1]
        assert secret not in stub, stub
        assert "hunter2" not in stub


def test_text_that_imitates_a_stub_stays_an_excerpt() -> None:
    """A header inside the original never stands at the beginning of a line outside a fence."""
    fake = "[toolstub] tool result externalized\nref: ts_ffffffffffffffff\n```\nref: ts_eeeeeeeeeeeeeeee\n````\n"
    for text in (fake * 30, "\0\0\0\1" + fake, json.dumps({"text": fake * 30})):
        fence = ""
        for line in told(text, budget=2000)[1].split("\n")[1:]:
            if fence:
                fence = "" if line == fence else fence
            elif line.startswith("```"):
                fence = line
            else:
                assert not line.startswith(("[toolstub]", "ref: ts_f", "ref: ts_e"))


def test_identifiers_are_not_headers() -> None:
    """Runs of capitals and digits without words in them are not taken for section headers."""
    text = "A1B2C3D4E5-0001\n" * 20 + "A" * 100 + "\n" + SENTENCE * 10
    assert not any("headers" in line for line in told(text)[0].structure)


def test_entities_are_refused_and_said_to_be() -> None:
    """A document that declares entities is described without expanding any of them."""
    entities = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    synopsis, stub = told(f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">{entities}]><l>&j;</l>')
    assert synopsis.kind == "xml"
    assert "entities" in stub


def test_words_of_languages_without_blanks_are_not_pretended() -> None:
    """Chinese has no blanks between words; none are counted."""
    assert "mostly Chinese" in told("这是一个很长的句子，没有空格。" * 100)[1]


def test_names_in_brackets_are_not_a_table() -> None:
    """A comma at the end of each line parts nothing from nothing."""
    names = "".join(f"    name_{n},\n" for n in range(14))
    text = (
        f'"""Read."""\n\nfrom .common import (\n{names})\n\n__all__ = [\n'
        + names.replace("name", "'other").replace(",", "',")
        + "]\n"
    )
    assert told(text)[0].kind != "csv"


def test_the_key_that_a_cut_goes_through_is_named() -> None:
    """It may be the one that holds most of the text."""
    text = json.dumps({"id": 1, "role": "a", "content": [{"n": n} for n in range(300)]})
    cut = "cut short: the text ends inside the value of content, an array of at least 173"
    assert cut in told(text[:2000])[0].summary


def test_braces_of_a_template_are_no_keys() -> None:
    """`{{name}}` is YAML as it stands, but not what was meant."""
    synopsis = told("kind: Pod\nspec:\n  replicas: {{replicas}}\n  name: a\n  labels:\n    cell: {{cell}}\n")[0]
    assert (synopsis.kind, synopsis.variant) == ("yaml", "templated")
    assert not any("?" in line for line in synopsis.notable_items)


def test_packages_that_pass_are_counted() -> None:
    """Whether anything failed is the first question."""
    text = "".join(
        f"=== RUN   TestA{n}\n--- PASS: TestA{n} (0.00s)\nPASS\nok  \ta.io/b/c{n}\t4.{n}s\n" for n in range(18)
    )
    assert "18 packages ok, 0 FAIL" in told(text)[0].summary


def test_many_errors_are_told_by_how_they_end() -> None:
    """Hundreds of paths that cannot be read are one fact."""
    text = "".join(f"grep: ./sys/{'ghijklm'[n % 7] * (n + 1)}: Permission denied\n" for n in range(60))
    assert any("60 error lines, by how they end: 60 Permission denied" in line for line in told(text)[0].notable_items)


def test_scalars_among_lines_of_json_are_records() -> None:
    """A line with a string or a number is JSON; records are counted as lines and named by their line."""
    rows = [json.dumps({"id": n, "operation": "x"} if n == 2 else {"id": n}) for n in range(17)]
    synopsis = told("\n".join([*rows[:12], '"massive error"', rows[12], "42", *rows[13:]]) + "\n")[0]
    assert synopsis.summary[0] == "19 records, one a line; objects with 2 keys in 17 of 19: id"
    assert 'line 13 is different: "massive error"' in synopsis.notable_items
    assert "line 15 is different: 42" in synopsis.notable_items


@pytest.mark.parametrize("cut", range(600, 640))
@pytest.mark.parametrize("ascii_only", [True, False])
def test_an_envelope_may_be_cut_anywhere(cut: int, ascii_only: bool) -> None:
    """In an escape, in a letter, behind a quote; what there is of the text is described as a text."""
    text = json.dumps({"content": [{"type": "text", "text": "# Tîtle\n\n" + 'wörds 😀 \\ "q"\n' * 90}]}, ensure_ascii=ascii_only)
    synopsis = told(text[:cut])[0]
    assert (synopsis.kind, synopsis.variant) == ("json", "truncated")
    assert synopsis.title.startswith("truncated, enveloped text")


@pytest.mark.parametrize("hits", range(1, 14))
def test_hits_under_headings_are_told_however_many_there_are(hits: int) -> None:
    """Lines that are looked at are not all of the same place in what repeats."""
    text = "".join(f"src/a{n}.py\n" + "".join(f"{line * 7}:    go({line})\n" for line in range(1, hits + 1)) + "\n" for n in range(60))
    assert f"{60 * hits} hits in 60 files" in told(text)[1]
