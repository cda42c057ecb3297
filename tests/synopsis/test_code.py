"""Source code is told by its words, whatever stands around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources import SOURCES

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.code import contained, lists, marked, tells
from toolstub_ext.synopsis.code.detect import language_of
from toolstub_ext.synopsis.code.languages import LANGUAGES
from toolstub_ext.synopsis.code.reading import telling_lines, words

NUMBERED = {"cat -n": "{:6}\t{}", "arrow": "{:5}→{}"}


@pytest.mark.parametrize("name", SOURCES)
def test_a_language_is_told(name: str) -> None:
    """A short source of each language is code in that language."""
    told = synopsize(SOURCES[name])
    assert (told.kind, told.variant) == ("code", name)


@pytest.mark.parametrize("form", NUMBERED.values(), ids=NUMBERED.keys())
@pytest.mark.parametrize("name", SOURCES)
def test_numbers_in_front_of_the_lines_change_nothing(name: str, form: str) -> None:
    """With line numbers it is code in that language, which the title says, and the variant says numbered."""
    lines = SOURCES[name].removesuffix("\n").split("\n")
    told = synopsize("\n".join(form.format(number, line) for number, line in enumerate(lines, 1)))
    assert (told.kind, told.variant, told.title.partition(",")[0]) == ("code", "numbered", name)


def test_every_language_has_words_that_tell_it() -> None:
    """The table of words and the list of languages name the same languages, and there is a source in each."""
    assert set(SOURCES) == {language.name for language in LANGUAGES}
    assert set(tells.table().names) == {language.name for language in LANGUAGES} | {tells.OTHER}
    assert all(tells.table().speaking[language.name] for language in LANGUAGES)


@pytest.mark.parametrize("named", [
    {*marked._RUN_BY.values()}, {name for names, _ in lists._LISTS for name in names},
    {*contained._OWN, *(own.small for own in contained._OWN.values())},
], ids=["run", "listed", "contained"])
def test_whatever_else_tells_a_language_tells_one_of_these(named: set[str]) -> None:
    """By its name in the list."""
    assert named
    assert named <= {language.name for language in LANGUAGES}


def test_words_stand_once_in_a_paragraph_and_the_heaviest_first() -> None:
    """So that whoever gives a weight by hand finds the word."""
    text = Path(tells.__file__).with_name("tells.txt").read_text(encoding="utf-8")
    for name, before, _, *entries in map(str.split, text.split("\n\n")):
        words, weights = entries[::2], [*map(int, entries[1::2])]
        assert (before, weights) == (tells.BEFORE, sorted(weights, reverse=True)), name
        assert len(words) == len(set(words)), name


def test_comments_leave_their_sign_and_documentation_its_quotes() -> None:
    """Prose in a source is not read as what the source says."""
    lines = ['"""Import duties', "of the world.", '"""', "# a note", "import duty", "", "}"]
    assert telling_lines(lines) == ['"""', "#", "import duty"]


def test_a_text_within_a_source_says_nothing_of_it() -> None:
    """Neither what a shell script prints as it stands, nor what a document shows in a fence, nor options of a widget."""
    assert telling_lines(["cat <<EOF", "Usage: late [-v]", "EOF", "exit"]) == ["cat <<EOF", "exit"]
    assert telling_lines(["```c", "int late;", "```", "All others"]) == ["```c", "All others"]
    assert telling_lines(["{-late desk 0}", "puts 3"]) == ["{-late desk 0}", "puts 3"]


def test_words_know_where_their_line_begins_and_ends() -> None:
    """The first word of a line and the last sign are other words than those within."""
    assert words(["if x {", "do"]) == ["\0if", "x", "{\n", "\0do\n"]


def test_lines_that_make_a_language_evident_need_no_others() -> None:
    """What follows 36 of them changes nothing."""
    lines = 4 * SOURCES["go"].split("\n")
    assert language_of([*lines, "fn main() {", "    let mut desks = Vec::new();", "}"]) == language_of(lines)


def test_the_part_of_a_file_that_begins_in_a_documentation_is_read_behind_it() -> None:
    """What closes a documentation is not taken for what opens one."""
    part = 'of the world, which the reader\nmay know already.\n"""\n' + SOURCES["python"]
    language, sure, _ = language_of(part.split("\n"))
    assert language is not None
    assert language.name == "python"
    assert sure > 0.5


FEW_STATEMENTS = [
    "# Widths of the desks.\n" * 9
    + "DESK_WIDTHS = [\n"
    + "".join(f"    ({n}, {n + 3}, 0),\n" for n in range(40))
    + "]\n",
    "//! Desks and their orders.\n//!\n//! Late ones come first, then those that are due today.\n//! See `Desk`.\n",
    "/*\n * Desks and their orders, as the counter hands them out.\n *\n * Late ones come first.\n */\npackage desk\n",
    '// Desks\n//\npackage desk\n\nimport (\n\t"bytes"\n\t"context"\n\t"errors"\n\t"fmt"\n\t"io"\n)\n',
    'import Desks from "./desks.js";\nconst {\n' + "".join(f"    Desk{n},\n" for n in range(30)) + "} = Desks;\n",
    "interface Desk {}\n" + "".join(f"interface Desk{n} extends Desk {{}}\n" for n in range(20)),
    "module Desks\n  class Late\n" + "    # Late orders come first.\n    #\n" * 3 + "    def first\n",
    "pub const WAITING: [u8; 24] = [\n" + "".join(f"    {n}, // '{chr(65 + n)}'\n" for n in range(24)) + "];\n",
    "".join(f'  add(desk, LATE_{n}, "LATE_{n}");\n  order(desk, {n});\n' for n in range(20)),
    "export class Hours {\n" + "".join(f"    HOUR_OF_{n}: number;\n" for n in range(20)) + "}\n",
    "".join(f"def step_{n}(rows):  # {'#' * 40}\n" for n in range(60)),
    "tests := []routeTest{\n"
    + "".join(f'\t{{\n\t\ttitle:   "{n}",\n\t\troute:   late({n}),\n\t}},\n' for n in range(9))
    + "}\n",
    "".join(
        f'    {{ "desk {n}", N_("The desk of order {n}"), 0x{n:04x}, "late", late_desk_of_order }},\n'
        for n in range(20)
    ),
    "".join("  " + "".join(f"0x{n * k % 251:02x}, " for k in range(1, 13)) + "\n" for n in range(20)),
    "".join(f"        {n}, {n * 7}, {n * 13}, {n * 37 % 11},\n" for n in range(40)),
    "".join(f"    .option('--late{n}', 'how late an order of desk {n} may be')\n" for n in range(20)),
    "".join(f"    '{chr(97 + n)}late': 'desk of {n}',\n    'due': None,\n    'help': 'which',\n" for n in range(20)),
    "".join(f'    "desk of {chr(97 + n)}",\n' for n in range(20)),
    "".join(f'        ("desk {chr(97 + n)}", {n * 7}),\n' for n in range(20)),
    "".join(f'  CHECK_LATE("<desk n=\\"{n}\\"> comes first");\n' for n in range(20)),
    'from setuptools import setup\n\nsetup(\n    name="desk",\n    long_description="' + "late orders come " * 20 + '",\n)\n',
    "".join(f"$words['desk']['w{n}'] = 'Un bureau ou deux, n{n}';\n" for n in range(20)),
    "".join(f"    'Desk{n}' => 'Un bureau pour {n}',\n" for n in range(20)),
    "".join(f"  widthOf{n}: [{n}, {n + 1}],\n" for n in range(20)),
    "".join(f'    ,("late order {n}",   property late_{n})\n' for n in range(20)),
    " * Orders that are late come first.\n *\n * @see the desks of the counter\n *\n" * 9 + " */\nfirst(late);\n",
    "-- Orders that are late come first.\n--\n-- See the desks of the counter.\n" * 9 + "local late = 3\n",
    "INSERT INTO `desks` (`id`, `name`) VALUES (1,'late'),\n" + "".join(f"({n},'due')," for n in range(99)) + ";\n",
    'import desks.Order;\n\n@Command(name = "late",\n    description = {\n'
    + "".join(f'        "Orders that are late {chr(97 + n) * 4} come before those of {chr(99 + n)}.",\n' for n in range(20))
    + "    })\npublic class Late {\n}\n",
    "".join(f"late{n}_SOURCES = late{n}.c\nlate{n}_LDADD = $(DESKS)\n\n" for n in range(9)),
    "".join(f"  , {n * 7919}, {n * 104729}, {n * 1299709}\n" for n in range(1, 20)),
    "".join(f"late(desk_{chr(97 + n)}).\n" for n in range(20)),
    "    " + "\\000\\151\\069" * 5 + "\\\n" + ("    " + "\\069\\000\\152" * 5 + "\\\n") * 9,
    "class LateDef(TypedDict):\n" + "".join(f"    Desk{n}: Order[str]\n" for n in range(20)),
    "                <div\n                    style={{\n                        alignItems: 'late',\n" * 9,
    '.late{width:1em;background:url("late.svg")}' * 40,
    "of the desk, as all of them are.\n" * 30 + '"""\n' + "self.desk = desk\nself.due = due\nif due is None:\n    self.late()\n",
    "DESKS = \\\n" + "".join(f"  desks/late-{chr(97 + n)}.sh \\\n" for n in range(20)) + "  desks/due.sh\n",
    "#!/bin/sh\n"
    + "patch -p1 <<'LATE'\n--- a/desk.c\n+++ b/desk.c\n@@ -1,2 +1,2 @@\n-int late;\n+int due;\n  \nLATE\n" * 9,
]


@pytest.mark.parametrize("form", ["{1}", "{0:6}\t{1}", "{0:5}→{1}"])
@pytest.mark.parametrize("text", FEW_STATEMENTS, ids=range(len(FEW_STATEMENTS)))
def test_sources_that_say_little_are_sources(text: str, form: str) -> None:
    """Comments, imports, members and the elements of a table, under what opens them."""
    lines = enumerate(text.removesuffix("\n").split("\n"), 1)
    assert synopsize("\n".join(form.format(number, line) for number, line in lines)).kind == "code"


TOLD = [
    ("#' Orders that are late come first.\n#'\n#' @param desk which one\n" * 9, "r"),
    ("//! Orders that are late come first.\n//!\n//! See the desks.\n" * 9, "rust"),
    ("// Package desk has orders. Those that are late come first.\n//\n" * 9 + "package desk\n", "go"),
    ("; Orders that are late come first.\n;  See the desks.\n" * 5 + "(ns desk.late)\n\n(defn late [n] (inc n))\n", "lisp"),
    (
        '(ns desk.late\n  "Orders that are late come first, and\n  all others follow.\n\n'
        '  Desks are asked one by one, as they stand.")\n'
         "\n(defn late [n] (inc n))\n\n(defn due [n] (dec (late n)))\n",
        "lisp",
    ),
    ("(defpackage #:desk\n  (:use #:cl)\n" + "".join(f"  (:import-from #:late-{n})\n" for n in range(20)) + ")\n", "lisp"),
    ('#include <cstdio>\n\nint\nlate(void)\n{\n    printf("%d", 3);\n    return 0;\n}\n', "cpp"),
    (
        "    if (order == nil) {\n        return [desk late];\n    }\n"
        "    [desk hand:order];\n    int due = 3;\n    return due;\n}\n\n- (void)close {\n    free(desk);\n}\n",
        "objectivec",
    ),
    ("#!/usr/bin/env -S zsh-late\nuse strict;\nuse warnings;\n\nmy $desk = shift @ARGV;\nprint $desk->{late};\n", "perl"),
    ("% Those that are late.\n%\n%\tSee desk.\nfunction [n, late] = desk(orders)\nn = numel(orders);\n", "octave"),
    ('(defproject desk/late "1"\n  :url "desk"\n  :license {:name "late"}\n  :dependencies [[desk "2"]])\n', "lisp"),
    ('FIND_PATH(DESK_DIR late.h\n  PATHS\n  ${DESKS}\n)\nIF(NOT DESK_DIR)\n  MESSAGE(STATUS "late")\nENDIF(NOT DESK_DIR)\n', "cmake"),
    ("# Part of the tides.\n\n#[==[.rst:\nFindTides\n---------\n\nFinds the tides, and all\nthat **belongs** to them.\n\n"
     "* high water\n* low water\n#]==]\n\ninclude(Harbour)\n", "cmake"),
    ("#!/usr/bin/octave -q\nlate = 3\ndesk = 4\n", "octave"),
    ("#!/usr/bin/env escript\nmain(_) -> late.\n", "erlang"),
    ('<template>\n  <div v-bind="{\n    late,\n    due,\n  }">\n    <p>Late</p>\n' + "  <b>{{ late }}</b>\n" * 9, "javascript"),
    ('<script lang="ts">\n  export let late: number;\n</script>\n\n<p>{late}</p>\n', "typescript"),
    ("SUBDIRS = desk late\nEXTRA_DIST = desk.md\n\nACLOCAL_AMFLAGS = -I m4\nDISTCLEANFILES = desk.pc\n", "make"),
    ("\tlda #0\n\tsta desk\nlate:\n\tinx\n\tcpx #9 ; the last\n\tbne late\n\trts\n", "assembly"),
    ("apply plugin: 'java'\n\ndependencies {\n    compile 'desk:late:1'\n}\n\njar {\n    manifest {\n    }\n}\n", "groovy"),
]


@pytest.mark.parametrize(("text", "language"), TOLD, ids=[f"{n} {name}" for n, (_, name) in enumerate(TOLD)])
def test_a_language_is_told_by_what_it_alone_has(text: str, language: str) -> None:
    """Comments of its own, how its packages are opened, and what no language has that it contains."""
    told = synopsize(text)
    assert (told.kind, told.variant) == ("code", language)


NO_SOURCES = [
    "/var/spool/*\n/srv/desk/* rw,\n/srv/orders/** r,\n/etc/desk r,\n" * 8,
    "server {\n    listen 80;\n    root /srv/desk;\n    index late.html;\n    allow all;\n    expires max;\n}\n",
    "late = {\n  first = yes\n  desk = 3\n}\ndue = {\n  first = no\n  desk = 4\n}\n",
    "Orders that are late come first; those due today next;\nall others follow, // by hand.\n" * 9,
    "Late orders\n===========\n\nThey come first:\n\n```python\n"
    + "".join(f"def late_{n}(order):\n    return order.due < {n}\n" for n in range(30))
    + "```\n\nAll others follow.\n",
    "= Late Orders\n\n" + "* An order that is late comes first, and may be asked for:\n\n    DB.late(:first)\n\n" * 9,
    "[project]\nname = 'desk'\nclassifiers = [\n" + "".join(f'    "Desk :: {n} late",\n' for n in range(20)) + "]\n",
    "[" + "".join(f" ('desk', {n}),\n" for n in range(30)) + " ('late', 0)]\n",
    "import { Late } from 'late';\n\nconst Desk = () => (\n  <Late>\n    Desk\n  </Late>\n);\n```\n\nAll others follow:\n\n"
    + "```jsx\n<Late>\n  Due\n</Late>\n```\n\nThey are asked, too, one by one.\n" * 3,
    "array([[" + "".join(f"        {n}, {n * 7}, {n * 13}, {n * 37 % 11},\n" for n in range(40)) + "        0, 0, 0]])\n",
    "Two doc strings don't make it's source, and the desk isn't 'late', so don't.\n" * 9,
]


@pytest.mark.parametrize("text", NO_SOURCES, ids=range(len(NO_SOURCES)))
def test_what_looks_a_little_like_a_source_is_none(text: str) -> None:
    """Globs are no comments, and settings no statements."""
    assert synopsize(text).kind != "code"


@pytest.mark.parametrize("number", ["     1\t", "     1→", "1→"])
def test_a_single_endless_line_may_have_its_number_in_front(number: str) -> None:
    """A minified file has but one."""
    found = synopsize(number + "function late(a){var b=0;for(var i=0;i<a.length;i++){b+=a[i]}return b};" * 40)
    assert (found.kind, found.variant) == ("code", "numbered")


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs", "Cc", "Cs")), max_size=400))
def test_any_text_has_a_verdict(text: str) -> None:
    """Between 0.0 and 1.0, and a language wherever it is sure."""
    language, sure, _ = language_of(text.split("\n"))
    assert 0.0 <= sure <= 1.0
    assert language is not None or sure == 0.0
