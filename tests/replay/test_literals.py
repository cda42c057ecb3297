"""What counts as a literal that shows that something was read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.replay.known import english, known_words
from toolstub_ext.replay.literals import edited_lines, lines_of, literals, numbers_a_line, places


@pytest.mark.parametrize(("written", "found"), [
    ("I call collect_rows", {"collect_rows": "id"}),
    ("in retryLimitOf there", {"retryLimitOf": "id"}),
    ("the HTTPRowset class", {"HTTPRowset": "id"}),
    ("commit 9f3c2ab1", {"9f3c2ab1": "id"}),
    ("ask kubectrolo for it", {"kubectrolo": "name"}),
    ("needed changes to everything", {}),
    ("the URLs and APIs", {}),
    ("os_env has it", {"os_env": "id"}),
    ("short a_b and xY", {}),
    ("open src/jobs/rotation.py now", {"rotation.py": "file"}),
    ("open /home/me/rotation.py now", {}),
    ("see setup.py, README.md and main.go", {}),
    ("uses logging.Inform twice", {"logging.Inform": "pair"}),
    ("uses strings.TrimSpace and self.Handle", {}),
    ("exit 48213", {"48213": "num"}),
    ("took 12.75 s of 1,284,067 rows, 12.5% of 87%",
     {"12.75": "num", "1,284,067": "num", "12.5%": "num", "87%": "num"}),
    ("in 2024, port 8080, 4096 bytes, 15000 rows, 1.00 and 100%", {}),
    (r'{"command": "grep -n \"parse_header\"\ncount_rows"}', {"parse_header": "id", "count_rows": "id"}),
    ('{"file_path": "x", "old_string": "a"}', {}),
])
def test_a_literal_is_what_nobody_guesses(written: str, found: dict[str, str]) -> None:
    """Names of several words, rare words, files, pairs, telling numbers; not what anybody may say."""
    assert literals(written) == found


def test_the_lines_an_edit_replaces_are_literals() -> None:
    """Those that are long enough to tell something, without the blanks around them."""
    written = r'{"old_string": "    return self.cache[key]\n    # -----------------------------\n}", "new_string": "x"}'
    assert edited_lines(written) == []
    written = written.replace("self.cache[key]", "rows_of(cache)[key]")
    assert edited_lines(written) == ["return rows_of(cache)[key]"]
    assert literals(written)["return rows_of(cache)[key]"] == "line"


@pytest.mark.parametrize("text", [
    "x\n    return rows_of(cache)[key]\n", "  12\treturn rows_of(cache)[key]", "7: return rows_of(cache)[key]",
    "+ return rows_of(cache)[key]", '{"new_string": "a\\n  return  rows_of(cache)[key]\\n"}',
])
def test_a_line_is_found_however_it_was_shown(text: str) -> None:
    """Numbered, in a diff, indented otherwise, or in a JSON string."""
    assert "return rows_of(cache)[key]" in lines_of(text)


@pytest.mark.parametrize(("number", "text", "only"), [
    ("1287", "  1287\tdef f\n  1288\tpass", True),
    ("1287", "  1287\tdef f(1287)", False),
    ("1287", "1287: a\n   1287\tb", True),
    ("1287", "1287 rows", False),
])
def test_a_number_may_be_nothing_but_that_of_a_line(number: str, text: str, only: bool) -> None:
    """Then it stands in front of the line everywhere."""
    assert numbers_a_line(number, text) is only


@given(st.text("ab_ 1.\n", max_size=40), st.text("ab_1", min_size=1, max_size=3))
def test_places_are_those_with_no_letter_beside(text: str, literal: str) -> None:
    """As a regular expression would find them."""
    wanted = [match.start() for match in re.finditer(rf"(?<!\w)(?={literal}(?!\w))", text)]
    assert [*places(literal, text)] == wanted


@given(st.text(st.characters(codec=None) | st.sampled_from('"\\n\\"_.:%0,')))
def test_any_text_has_literals(written: str) -> None:
    """Lone surrogates, unfinished strings, numbers of any length."""
    for literal in literals(written + "9" * 5_000):
        assert literal


def test_the_known_words_are_frozen() -> None:
    """A changed list would change every figure; it holds names, not English."""
    words = known_words()
    assert len(words) == 2_740
    assert {"read_csv", "TrimSpace", "README.md", "file_path"} <= words
    assert {"everything", "kubectrolo"}.isdisjoint(words)
    assert {"everything", "status"} <= english()
