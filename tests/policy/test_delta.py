"""Sources and deltas: what a text shares with others, said shortly and exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.policy.delta import delta, read_back
from toolstub_ext.policy.sources import REACH, Lines, Source, Sources

from .conversations import code, numbered

FILE = code(40)
EDITED = [*FILE[:80], "# a new line", *FILE[80:]]


def source(text: str) -> Source:
    """A source of that text."""
    return Source("it", Lines.of(text), len(text))


def test_a_file_read_again_is_what_has_changed() -> None:
    """With the numbers that the tool printed on both sides."""
    text = numbered(EDITED)
    assert delta(text, Lines.of(text), [source(numbered(FILE))]) == (
        "[lines 1-80: as A 1-80]\n    81\t# a new line\n[lines 82-162: as A 81-161]"
    )


def test_a_part_with_other_numbers_is_found() -> None:
    """Numbers of the file where they are in order; a plain text counts from 1."""
    part = numbered(FILE[100:140], 101)
    plain = delta(part, Lines.of(part), [source("\n".join(FILE))])
    assert plain is not None
    assert plain.startswith("[lines 101-140: as A 101-140]")
    said = delta(part, Lines.of(part), [source(numbered(["x", *FILE], 50))])
    assert said is not None
    assert said.startswith("[lines 101-140: as A 151-190]")


def test_two_sources_go_by_two_names() -> None:
    """Each run says which."""
    one, other = code(20, "one"), code(20, "other")
    text = "\n".join([*one, "between", *other])
    assert delta(text, Lines.of(text), [source("\n".join(one)), source("\n".join(other))]) == (
        "[lines 1-80: as A 1-80]\nbetween\n[lines 82-161: as B 1-80]"
    )


def test_too_little_in_common_is_nothing() -> None:
    """Less than two fifths, short runs, or a text that imitates the marks."""
    text = "\n".join([*code(30, "mine"), *FILE[:40]])
    assert delta(text, Lines.of(text), [source("\n".join(FILE))]) is None
    broken = "\n".join(line + ("#" if place % 4 == 0 else "") for place, line in enumerate(FILE))
    assert delta(broken, Lines.of(broken), [source("\n".join(FILE))]) is None
    forged = "\n".join(["[lines 1-2: as A 1-2]", *FILE])
    assert delta(forged, Lines.of(forged), [source("\n".join(FILE))]) is None


def test_a_text_that_repeats_itself_costs_no_more() -> None:
    """Every line could be anywhere in the source: it is found, or given up, in linear time."""
    short = "\n".join(["a", "b", "c", "d", "e"] * 20_000)
    text = "\n".join((["a", "b", "c", "d", "e"] * 8 + ["x"]) * 2_000)
    said = delta(text, Lines.of(text), [source(short)])
    assert said is None or read_back(said, [source(short)]) == Lines.of(text).lines


lines = st.lists(st.sampled_from([*code(3), "  12\tx", "[lines 1-2: as A 1-2]", "\ud800", "\x0b", "trailing  ", ""]),
                 max_size=60)


@given(lines, lines, lines, st.booleans())
def test_a_delta_read_back_is_the_text(old: list[str], new: list[str], other: list[str], count: bool) -> None:
    """Without line numbers and trailing blanks, whatever the texts are."""
    base = [*FILE, *old]
    text = numbered([*new, *base, *new]) if count else "\n".join([*new, *base, *new])
    sources = [source("\n".join(base)), source("\n".join([*other, *new]))]
    said = delta(text, Lines.of(text), sources)
    assert said is None or read_back(said, sources) == Lines.of(text).lines


def test_the_most_alike_are_found_first() -> None:
    """By the characters of the lines that stand in them last."""
    sources = Sources()
    for name in ("one", "two", "three"):
        sources.add("\n".join(code(10, name)), name)
    wanted = [*code(3, "one"), *code(8, "three"), *code(1, "two")]
    assert [each.name for each in sources.alike(wanted)] == ["three", "one"]
    assert sources.alike(["nothing like it", ""]) == ()


def test_what_is_out_of_reach_is_forgotten() -> None:
    """So the index does not grow for ever; a line stands where it stood last."""
    sources = Sources()
    sources.add("the first line of all\nand another", "first")
    sources.add("x" * (REACH - 10) + "\nand another", "second")
    assert sources.alike(["the first line of all"]) == ()
    assert [each.name for each in sources.alike(["and another"])] == ["second"]
    assert sources.chars <= REACH + 20
