"""An outline has what a source defines, each at its line, and nothing that it only says or calls."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources import SOURCES

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.code.language import Language
from toolstub_ext.synopsis.code.languages import LANGUAGES
from toolstub_ext.synopsis.code.outline import outline

NOTHING = "(?!)"


@pytest.mark.parametrize(
    ("text", "name", "labels"),
    [
        (SOURCES["python"], "python", ["LIMITS", "late", "class Desk", ".__init__"]),
        (SOURCES["rust"], "rust", ["struct Desk", "impl Desk", ".late"]),
        ('"""\ndef never(): pass\n"""\ndef once(): pass\n', "python", ["once"]),
        (
            "static int\nlate(int n)\n{\n    due(n);\n}\nstruct desk *\ndesks (int a,\n       int b);\n"
            "int due(int n) { return n; }\nint\nfirst(n)\n    int n;\n{\n}\n#define LATE 3\n#define DESK_H\n",
            "c",
            ["late", "due", "first", "LATE"],
        ),
        ("#define DESK_H\nint late(int n);\nextern int due (int a,\n    int b);\nvoid\nfirst (void);\n", "c",
         ["late", "due", "first"]),
        (
            "class Desk : public Room {\n  explicit Desk(int n) : n(n) {}\n  int late() const { return n; }\n"
            "  void due(int n)\n  {\n    for (int k = 0; k < n; k++) {\n      hand(k, [](int i) { });\n    }\n  }\n};\n"
            "TEST_F(DeskTest, Late) {\n}\nDesk::Desk(int n)\n  : n(n)\n{\n}\nDesk::hand(n);\n",
            "cpp",
            ["class Desk", ".Desk", ".late", ".due", "test DeskTest, Late", "Desk::Desk"],
        ),
        (
            "describe('desks', () => {\n  it('hands out', async () => {\n    desk.hand(() => {});\n  });\n});\n"
            "Desk.prototype.late = function (n) {\n};\nclass Room {\n  due = (n) => {\n  };\n}\n"
            "x = y === 3;\n",
            "javascript",
            ["describe desks", "it hands out", "Desk.prototype.late", "class Room", ".due"],
        ),
        (
            "export interface Desk {\n  late(n: number): void;\n}\nclass Room {\n  constructor(\n    private n: number,\n"
            "  ) {}\n  async due(\n    n: number,\n  ): Promise<void> {\n    this.hand(\n      n,\n    );\n  }\n}\n",
            "typescript",
            ["interface Desk", ".late", "class Room", ".constructor", ".due"],
        ),
        ("class Desk {\n    @objc func late() {\n    }\n    init?(n: Int) {\n    }\n}\nlet desks = 3\n", "swift",
         ["class Desk", ".late", ".init", "desks"]),
        ("@Composable fun Desk() {\n}\n", "kotlin", ["Desk"]),
        ("describe Desk do\n  it 'is late' do\n  end\nend\ntask :hand do\nend\n", "ruby",
         ["describe Desk", "it is late", "task hand"]),
        ('test "late" do\n  x = 1\nend\n', "elixir", ["test late"]),
        ('setClass("Desk")\nlate <- \\(n) n\n`%due%` <- function(a, b) a\n', "r", ["setclass Desk", "late", "%due%"]),
        ("(defn- late [n] n)\n(defmulti due :n)\n(def ^:private desk 3)\n", "lisp",
         ["defn- late", "defmulti due", "def desk"]),
    ],
)
def test_the_outline_has_what_is_defined_and_nothing_said_in_strings(text: str, name: str, labels: list[str]) -> None:
    """Definitions in their order, each at its line; what stands in a string of several lines is none."""
    language = next(each for each in LANGUAGES if each.name == name)
    found, _ = outline(text, language)
    assert [each.label for each in found] == labels
    lines = text.split("\n")
    for each in found:
        assert each.label.rpartition(" ")[2].removeprefix(".") in lines[each.line - 1]
        assert text.count("\n", 0, each.offset) + 1 == each.line


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.openings], ids=lambda each: each.name)
@settings(max_examples=30)
@given(st.data())
def test_what_is_defined_or_imported_begins_with_one_of_the_openings(language: Language, data: st.DataObject) -> None:
    """No line is passed over that the patterns of the language alone would find."""
    for pattern in (language.definition_pattern, language.import_pattern):
        if pattern != NOTHING:
            line = data.draw(st.from_regex(rf"\A\n(?:{pattern})"))
            assert language.lines.match(line)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nav a, nav b {\n  color: #fff;\n  margin: 0 1px;\n}\n.large {\n  padding: 0;\n}\n" * 3, "6 rules"),
        (".PHONY: all\nall: desk\ndesk: desk.o\n\t$(CC) -o $@ $<\nclean:\n\t$(RM) *.o $(TARGET)\n", "3 rules"),
    ],
)
def test_style_sheets_and_makefiles_have_rules(text: str, told: str) -> None:
    """And not functions, whether a selector is one word or several."""
    assert told in synopsize(text).summary[0]


def test_what_has_several_clauses_is_shown_once() -> None:
    """At the first of them; what stands between two others is none of them."""
    erlang = next(each for each in LANGUAGES if each.name == "erlang")
    text = "late([]) -> [];\nlate([_ | Rest]) -> late(Rest).\n\ndue(_) -> 3.\n\nlate(A, B) -> {A, B}.\n"
    assert [(each.line, each.label) for each in outline(text, erlang)[0]] == [(1, "late"), (4, "due"), (6, "late")]


def test_imports_are_told_beside_the_definitions() -> None:
    """One pass finds both."""
    language = next(each for each in LANGUAGES if each.name == "javascript")
    assert outline(SOURCES["javascript"], language)[1] == ["const fs = require('fs')"]
