"""Elements are counted as a parser counts them, whichever part of the text they stand in."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.synopsis.xml.scan import scan

NAMES = st.sampled_from(["a", "b", "list", "x:item", "error"])
SPACES = st.sampled_from(["", " ", "\n"])
TEXTS = st.sampled_from(["", "words", "1 &gt; 0", "1 > 0", "<!-- <a> -->", "<![CDATA[<b>]]>", "<?do <a>?>", "\n"])
ATTRIBUTES = st.sampled_from(["", ' k="v"', " k='>'", '\n k="/>"', ' message="no" '])


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    whole = st.builds("<{0}{1}>{2}{3}</{0}{4}>".format, NAMES, ATTRIBUTES, TEXTS, inner, SPACES)
    return whole | st.builds("<{0}{1}/>".format, NAMES, ATTRIBUTES)


ELEMENTS = st.recursive(TEXTS, lambda inner: st.lists(_element(inner), max_size=4).map("".join), max_leaves=30)


@given(st.lists(ELEMENTS, max_size=8).map("".join), st.integers(0, 6))
def test_elements_are_those_that_a_parser_finds(inside: str, leaves: int) -> None:
    """By path, however early the scan stops listening to the parser."""
    text = f"<root xmlns:x='u'>{inside}</root>"
    found = scan(text, leaves)
    expected: Counter[str] = Counter()
    _count(ET.fromstring(text.replace("x:item", "x-item")), "", expected)
    assert found.exact
    assert not found.problem
    assert {path.replace("x:item", "x-item"): n for path, n in found.tally.paths.items()} == {
        path: number for path, number in expected.items() if path.count("/") < 3
    }
    assert found.tally.elements == expected.total() + 1
    assert not found.tally.open


def _count(element: ET.Element, path: str, counts: Counter[str]) -> None:
    for child in element:
        below = f"{path}/{child.tag}" if path else child.tag
        counts[below] += 1
        _count(child, below, counts)


@pytest.mark.parametrize("leaves", [0, 1, 40])
def test_what_alarms_is_told_with_its_line(leaves: int) -> None:
    """Attributes and text, from the parser or from the tag."""
    text = "<r>\n<a>1</a>\n<!-- <error/> -->\n<error type='T'\n message='no &amp; stock'>at 7</error>\n<error/></r>"
    assert scan(text, leaves).alarms == {"error": [(4, "", "no & stock T at 7"), (6, "", "")]}


@pytest.mark.parametrize("leaves", [0, 3, 40])
def test_what_alarms_is_told_with_whose_it_is(leaves: int) -> None:
    """The names of the element around it, whatever stands in between."""
    case = "<case classname='desk' name='late_{0}'><log><line/></log>\n<br/><failure message='{0} > 3'/></case>"
    text = f"<cases>{case.format(4)}<case name='due'/>{case.format(5)}</cases>"
    assert scan(text, leaves).alarms == {"failure": [(2, "desk.late_4", "4 > 3"), (3, "desk.late_5", "5 > 3")]}


@pytest.mark.parametrize("name", ["error", "x:Fault"])
def test_a_root_that_alarms_is_told_as_a_root(name: str) -> None:
    """It is the whole text, not something in it."""
    found = scan(f"<{name}>no stock</{name}>", 8)
    assert (found.root, found.leaves, found.alarms) == (name, [(name, 1, "no stock")], {})


@pytest.mark.parametrize("leaves", [0, 40])
def test_a_text_that_is_cut_short_is_counted_as_far_as_it_goes(leaves: int) -> None:
    """And said to be cut."""
    found = scan("<r>" + "<a><b/></a>" * 30 + "<a><b/", leaves)
    assert found.cut
    assert not found.exact
    assert found.tally.paths == {"a": 31, "a/b": 30}


JUNK = st.sampled_from(["<<", "<", "< ", "</", "<a", '<a k="', "<a k='>", "<!--", "<![CDATA[", "<?", "&", "\0", "</a>", "</root>"])


@given(st.lists(ELEMENTS, max_size=8).map("".join), JUNK, st.floats(0, 1), st.integers(0, 6))
def test_a_fault_anywhere_ends_the_counting_where_the_parser_ends(
    inside: str, junk: str, at: float, leaves: int
) -> None:
    """The same elements whether one listened to the parser up to there or not."""
    text = f"<root xmlns:x='u'>{inside}</root>"
    place = int(at * len(text))
    text = text[:place] + junk + text[place:]
    counted, heard = scan(text, leaves), scan(text, 10_000)
    assert (counted.tally.paths, counted.tally.elements, counted.problem) == (
        heard.tally.paths, heard.tally.elements, heard.problem)
