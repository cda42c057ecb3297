"""A definition is found by its name, and is all of its lines and no other."""

from __future__ import annotations

import argparse
import ast
import inspect
import json.decoder
import re
import textwrap
from collections.abc import Callable
from types import ModuleType

import pytest

from toolstub_ext.querying import Answer, Listing, Passage, query
from toolstub_ext.store import Store

Ask = Callable[[str, str], Answer]

SOURCES = {
    "c": ("#include <stdio.h>\n\n/* adds */\nint add(int a, int b)\n{\n#ifdef X\n  a++;\n#endif\n  if (a) {\n    b++;"
          "\n  }\n  return a + b;\nout:\n  return 0;\n}\n\nstruct pair {\n  int a;\n};\n\nint main(void) {\n"
          "  return add(1, 2);\n}\n",
          {"add": (3, 15), "pair": (17, 19), "main": (21, 23)}),
    "go": ('package main\n\nimport "fmt"\n\n// Runner runs.\ntype Runner struct {\n\tName string\n}\n\n'
           "func (r *Runner) Start() error {\n\tif r == nil {\n\t\treturn nil\n\t}\n\treturn nil\n}\n\nfunc main() {\n"
           "\tfmt.Println(1)\n}\n", {"Runner": (5, 8), "Start": (10, 15), "main": (17, 19)}),
    "javascript": ("import { a } from 'a';\n\nexport class Runner extends Base {\n  async start(x, y) {\n    if (x) {\n"
                   "      return y;\n    } else {\n      return x;\n    }\n  }\n\n  stop() {\n    return 1;\n  }\n}\n\n"
                   "export function run(a,\n  b) {\n  return a(b);\n}\n\nconst f = (x) => {\n  return x;\n};\n",
                   {"Runner": (3, 15), "start": (4, 10), "Runner.stop": (12, 14), "run": (17, 20), "f": (22, 24)}),
    "ruby": ("require 'set'\n\n# Runs.\nclass Runner < Base\n  attr_reader :name\n\n  def start(x)\n    if x\n      1\n"
             "    end\n  end\n\n  def stop\n    2\n  end\nend\n",
             {"Runner": (3, 16), "start": (7, 11), "stop": (13, 15)}),
}


def lines_of(answer: Answer) -> tuple[int, int]:
    """The first and last line of a passage."""
    assert isinstance(answer, Passage)
    return answer.first_line, answer.first_line + answer.text.count("\n")


@pytest.mark.parametrize("module", [argparse, json.decoder, textwrap, ast])
def test_a_python_definition_is_what_ast_says(ask: Ask, module: ModuleType) -> None:
    """From the first decorator, or a comment above it, to the last line of the body or a comment indented like it."""
    source = inspect.getsource(module)
    found = [node for node in ast.walk(ast.parse(source))
             if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    names = [node.name for node in found]
    unique = [node for node in found if names.count(node.name) == 1 and node.col_offset <= 8]
    assert len(unique) > 5
    for node in unique[:60]:
        first, last = lines_of(ask(source, node.name))
        begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        assert last >= node.end_lineno
        assert all(line.strip()[:1] in ("", "#") for line in source.split("\n")[node.end_lineno:last]), node.name
        assert first <= begin, node.name
        assert all(line.strip()[:1] in ("#", "@") for line in source.split("\n")[first - 1:begin - 1]), node.name


@pytest.mark.parametrize(("language", "name", "lines"), [
    (language, name, lines) for language, (_, found) in SOURCES.items() for name, lines in found.items()])
def test_a_definition_ends_where_its_block_does(ask: Ask, language: str, name: str, lines: tuple[int, int]) -> None:
    """In languages with braces, and in those with `end`, with the comment above it."""
    assert lines_of(ask(SOURCES[language][0], name)) == lines


@pytest.mark.parametrize("expression", [
    "HelpFormatter.start_section", "start_section", "symbol start_section", "def start_section", "`start_section()`",
    "HelpFormatter::start_section", "method: start_section", "START_SECTION",
])
def test_a_name_is_taken_as_meant(ask: Ask, expression: str) -> None:
    """With its owner, with the word that defines it, in other letters."""
    assert "def start_section(self, heading):" in str(ask(inspect.getsource(argparse), expression))


def test_a_name_that_is_defined_twice_is_listed(ask: Ask) -> None:
    """With the lines of each; the owner tells them apart."""
    source = inspect.getsource(argparse)
    answer = ask(source, "add_argument")
    assert isinstance(answer, Listing)
    assert [each["name"] for each in answer.value] == [".add_argument", ".add_argument"]
    assert 'read one with toolstub_read lines="A:B"' in answer.reply(500)
    for line in str(answer).split("\n"):
        first, last = map(int, line.split(" ")[0].split("-"))
        assert "def add_argument(" in "\n".join(source.split("\n")[first - 1:last])
    assert "def add_argument(self, action)" in str(ask(source, "HelpFormatter.add_argument"))


@pytest.mark.parametrize(("expression", "said"), [
    ("nosuch*", 'python, 0 definitions named "nosuch*"; * lists them all'),
    ("* 90000:", "python, 0 definitions; * lists them all"),
])
def test_of_nothing_none_can_be_read(ask: Ask, expression: str, said: str) -> None:
    """What is said to do next leads somewhere."""
    assert said in ask(inspect.getsource(argparse), expression).reply(500)


@pytest.mark.parametrize("pattern", ["*", "_get_*", "* 500:1500", "add_?*"])
def test_following_the_expressions_lists_everything(ask: Ask, pattern: str) -> None:
    """Every definition once, in replies that fit."""
    source, expression, pieces = inspect.getsource(argparse), pattern, []
    while True:
        reply = ask(source, expression).reply(900)
        assert len(reply) <= 900
        head, *lines = reply.split("\n")
        pieces += lines
        onward = re.search(r'go on with expression "(.*)"$', head)
        if onward is None:
            break
        expression = onward[1]
    assert pieces == str(ask(source, pattern)).split("\n")
    assert len(pieces) > 10


def test_lines_are_those_of_the_whole(store: Store) -> None:
    """Also where a tool printed line numbers in front, or a frame around."""
    source = inspect.getsource(textwrap)
    numbered = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(source.split("\n"), 101))
    plain = query(store, store.put(source).ref, "dedent")
    inside = query(store, store.put(numbered).ref, "dedent")
    framed = query(store, store.put(f"<returncode>0</returncode>\n<output>\n{source}</output>").ref, "dedent")
    assert lines_of(inside) == lines_of(plain)
    assert str(inside).split("\n")[0] == f"{lines_of(plain)[0] + 100:6}\t{str(plain).split(chr(10))[0]}"
    assert str(framed) == str(plain)
    assert lines_of(framed)[0] == lines_of(plain)[0] + 2


def test_a_long_definition_says_how_to_go_on(store: Store) -> None:
    """With the call that reads the rest."""
    ref = store.put(inspect.getsource(argparse)).ref
    answer = query(store, ref, "ArgumentParser")
    head, _, text = answer.reply(2_000).partition("\n")
    onward = re.search(rf'toolstub_read\(ref="{ref}", offset=(\d+), limit=(\d+)\)', head)
    assert onward is not None
    rest = store.read(ref, offset=int(onward[1]), limit=int(onward[2])).text
    assert text + rest == str(answer)


@pytest.mark.parametrize("name", ["core", "desk.core"])
def test_a_part_of_a_dotted_name_is_enough(ask: Ask, name: str) -> None:
    """What names a space in Clojure has dots, and a stub asks for its last part."""
    source = "(ns desk.core\n  (:require [clojure.string :as str]))\n\n" + "".join(
        f'(defn late{n}\n  "Adds."\n  [x & args]\n  (let [y (+ x {n})]\n    (if (pos? y) (map inc args) nil)))\n\n'
        for n in range(20)
    )
    assert lines_of(ask(source, name))[0] == 1


def test_a_name_that_is_not_defined_is_named(ask: Ask) -> None:
    """With the nearest ones."""
    with pytest.raises(ValueError, match=re.escape('(python) defines no "start_secton"; did you mean start_section')):
        ask(inspect.getsource(argparse), "start_secton")


def test_a_hostile_outline_is_linear(ask: Ask) -> None:
    """Thousands of definitions that never end, or that end over and over, take no more time than others."""
    nested = "import os\n\n\n" + "".join(
        f"{' ' * n}def f{n}(x):\n{' ' * n} return os.path(x)\n" for n in range(1, 1_000))
    assert len(ask(nested, "*").value) == 999
    head = "#include <stdio.h>\n#include <stdlib.h>\n\nint main(int a) {\n  return a;\n"
    closing = head + "} {\n" * 50_000 + "}\nint f(int a) {\n  return a;\n}\n"
    assert ask(closing, "f").value["text"].startswith("int f")
