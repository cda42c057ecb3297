"""A slice of an original is the slice of its text, however it is asked for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.store import Store
from toolstub_ext.store.chunks import CHUNK_CHARS
from toolstub_ext.store.slices import parse_lines

one_store = settings(max_examples=60)
characters = st.characters(exclude_categories=()) | st.sampled_from("\n\r\v\x85\u2028 aé😀\ud800\udc00")
texts = st.text(characters, max_size=80)


def long(seed: str) -> str:
    """A text of some chunks, with `seed` around every border between them."""
    half = len(seed) // 2
    filler = "line of text\n" * (CHUNK_CHARS // 13 + 1)
    return "".join(filler[:CHUNK_CHARS - (half if n == 0 else len(seed))] + seed for n in range(3))


def lines_of(text: str) -> list[str]:
    """The lines of a text as an editor numbers them: a newline at the end opens no further one."""
    return text.removesuffix("\n").split("\n") if text else []


@one_store
@given(texts, st.integers(0, 90), st.integers(-1, 90))
def test_slices_agree_with_python(store: Store, text: str, offset: int, limit: int) -> None:
    """Offsets and limits count code points, lone surrogates too; -1 reads to the end."""
    part = store.read(store.put(text).ref, offset=offset, limit=limit)
    end = len(text) if limit == -1 else offset + limit
    assert part.text == text[offset:end]
    lines = len(lines_of(text))
    assert (part.offset, part.total_chars, part.total_lines) == (offset, len(text), lines)
    assert part.first_line == (text.count("\n", 0, offset) + 1 if offset < len(text) else max(1, lines))
    assert part.next_offset == (end if end < len(text) else None)


@one_store
@given(texts.filter(lambda seed: len(seed) > 1), st.integers(-40, 40), st.integers(0, 80))
def test_slices_agree_across_chunks(store: Store, seed: str, shift: int, limit: int) -> None:
    """Where a chunk ends makes no difference."""
    text = long(seed)
    ref = store.put(text).ref
    for border in (CHUNK_CHARS, 2 * CHUNK_CHARS, len(text)):
        offset = border + shift
        part = store.read(ref, offset=offset, limit=limit)
        assert part.text == text[offset:offset + limit]
        if part.text:
            assert part.first_line == text.count("\n", 0, offset) + 1


@one_store
@given(texts, st.integers(1, 12), st.integers(0, 5))
def test_lines_agree_with_split(store: Store, text: str, first: int, more: int) -> None:
    """Lines end at a newline and nothing else, and are numbered from 1."""
    lines = lines_of(text)
    last = first + more
    ref = store.put(text).ref
    assert store.read(ref, lines=f"{first}:{last}").text == "\n".join(lines[first - 1:last])
    rest = "\n".join(lines[first - 1:])
    assert store.read(ref, lines=f"{first}:", limit=-1).text in (rest, rest + "\n")
    assert store.read(ref, lines=f":{last}").text == "\n".join(lines[:last])
    assert store.read(ref, lines=f"{first}").text == "\n".join(lines[first - 1:first])
    part = store.read(ref, lines=f"{first}:{last}")
    assert text[part.offset:].startswith(part.text)
    assert part.first_line == max(1, min(first, len(lines)))


@one_store
@given(texts.filter(lambda seed: len(seed) > 1))
def test_lines_are_found_in_any_chunk(store: Store, seed: str) -> None:
    """A line is found by bisection over the chunks, wherever its newline stands."""
    text = long(seed)
    lines = lines_of(text)
    ref = store.put(text).ref
    border = text.count("\n", 0, CHUNK_CHARS) + 1
    for line in (1, 2, border - 1, border, border + 1, border + 2, len(lines) - 1, len(lines)):
        assert store.read(ref, lines=f"{line}:{line + 1}", limit=-1).text == "\n".join(lines[line - 1:line + 1])


def test_pages_put_together_are_the_original(store: Store) -> None:
    """Following next_offset reads everything once, by characters and by lines."""
    text = long("x\ny")
    ref = store.put(text).ref
    pages, offset = [], 0
    while offset is not None:
        part = store.read(ref, offset=offset, limit=9_999)
        pages.append(part.text)
        offset = part.next_offset
    assert "".join(pages) == text
    first = store.read(ref, lines="1:100", limit=-1)
    assert store.read(ref, offset=first.next_offset, limit=-1).text == "\n".join(text.split("\n")[100:])


def test_a_limit_cuts_lines_and_values_too(store: Store) -> None:
    """A very long line or value is read in pages like anything else."""
    value = "v" * 50_000
    entry = store.put(json.dumps({"a": value}) + "\nend")
    for asked in ({"lines": "1"}, {"pointer": "/a"}):
        part = store.read(entry.ref, limit=100, **asked)
        assert len(part.text) == 100
        assert part.next_offset == part.offset + 100
    assert store.read(entry.ref, pointer="/a", limit=-1).text == f'"{value}"'
    assert len(store.read(entry.ref).text) == 20_000


@pytest.mark.parametrize("offset", [5, 6, 10**30])
def test_behind_the_end_there_is_nothing(store: Store, offset: int) -> None:
    """An offset or a line out of range gives an empty text and the true totals."""
    ref = store.put("a\nbcd").ref
    for part in (store.read(ref, offset=offset), store.read(ref, lines=f"{offset}:")):
        assert (part.text, part.total_chars, part.total_lines, part.next_offset) == ("", 5, 2, None)


@pytest.mark.parametrize(("lines", "said"), [
    ("", "write it as 'A:B'"), ("1 2", "write it as 'A:B'"), ("a:b", "write it as 'A:B'"), ("1-2", "write it as 'A:B'"),
    ("1:2:3", "write it as 'A:B'"),
    ("-1", "write it as 'A:B'"), ("1.5", "write it as 'A:B'"), ("0", "count from 1"), ("0:4", "count from 1"),
    (":0", "count from 1"), ("9:5", "ends before it begins"), ("1" * 101, "write it as 'A:B'"),
    ("\u0661:\u0662", "write it as 'A:B'"),
])
def test_bad_lines_are_named(lines: str, said: str) -> None:
    """The message says what the form is, or what is wrong with these."""
    with pytest.raises(ValueError, match=said):
        parse_lines(lines)


@pytest.mark.parametrize(("lines", "parsed"), [
    ("3:7", (3, 7)), ("3:", (3, None)), (":7", (1, 7)), ("3", (3, 3)), (":", (1, None)), (" 3 : 7 ", (3, 7)),
    ("5:5", (5, 5)),
])
def test_lines_may_be_open(lines: str, parsed: tuple[int, int | None]) -> None:
    """Either end may be left out."""
    assert parse_lines(lines) == parsed


def test_an_offset_before_the_beginning_is_out_of_range_too(store: Store) -> None:
    """The text goes on at its beginning."""
    part = store.read(store.put("a\nb").ref, offset=-5)
    assert (part.text, part.total_chars, part.total_lines, part.next_offset) == ("", 3, 2, 0)
    assert store.read(store.put("").ref, offset=-5).next_offset is None


@pytest.mark.parametrize("limit", [10**30, 1 << 63])
def test_a_limit_may_be_of_any_size(store: Store, limit: int) -> None:
    """All there is comes back."""
    ref = store.put("a\na").ref
    assert store.read(ref, limit=limit).text == "a\na"
    assert store.search("a", limit=limit, context_chars=limit).total == 2
    assert len(store.list(limit=limit).items) == 1


@pytest.mark.parametrize(("asked", "said"), [
    ({"limit": -2}, "limit is -2"),
    ({"lines": "1:2", "pointer": "/a"}, "lines or pointer, not both"), ({"pointer": "/a"}, "pointer needs JSON"),
])
def test_what_makes_no_sense_is_a_value_error(store: Store, asked: dict[str, object], said: str) -> None:
    """One line says what to give instead."""
    ref = store.put("text").ref
    with pytest.raises(ValueError, match=said):
        store.read(ref, **asked)  # type: ignore[arg-type]
