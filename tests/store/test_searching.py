"""Search finds what a naive search of the text finds, in order, wherever chunks and windows end."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolstub_ext.errors import RefNotFound, StoreError
from toolstub_ext.store import Hit, Store, searching, windows
from toolstub_ext.store.chunks import CHUNK_CHARS, chunk_id
from toolstub_ext.store.sqlite import SqliteStore

one_store = settings(max_examples=80)
letters = st.text(st.sampled_from("abAB\né😀\ud800"), max_size=60)
words = st.text(st.sampled_from("abAB\né😀\ud800"), min_size=1, max_size=3)


def everything(store: Store, query: str, **asked: object) -> list[Hit]:
    """All hits, page by page."""
    hits: list[Hit] = []
    cursor = None
    while True:
        page = store.search(query, cursor=cursor, **asked)  # type: ignore[arg-type]
        hits += page.items
        assert page.total >= len(hits)
        if page.cursor is None:
            assert page.total == len(hits)
            return hits
        cursor = page.cursor


def naive(text: str, query: str) -> list[int]:
    """Where a literal query stands, without overlaps."""
    found, at = [], text.find(query)
    while at >= 0:
        found.append(at)
        at = text.find(query, at + len(query))
    return found


@one_store
@given(letters, words, st.integers(1, 4))
def test_a_literal_is_found_where_it_stands(store: Store, text: str, query: str, limit: int) -> None:
    """Offset, line and total agree with str.find, for every size of page."""
    ref = store.put(text).ref
    expected = naive(text, query)
    assume(expected or (query.isascii() and "\n" not in query))  # the escaped form has a test of its own
    hits = everything(store, query, ref=ref, limit=limit)
    assert [hit.offset for hit in hits] == expected
    assert [hit.line for hit in hits] == [text.count("\n", 0, offset) + 1 for offset in expected]


@one_store
@given(st.text(st.sampled_from("abAB\n "), max_size=60), st.text(st.sampled_from("abAB "), min_size=1, max_size=3))
def test_case_may_be_ignored(store: Store, text: str, query: str) -> None:
    """For ASCII it is a search of the lower case of both."""
    hits = everything(store, query, ref=store.put(text).ref, ignore_case=True)
    assert [hit.offset for hit in hits] == naive(text.lower(), query.lower())


@pytest.mark.parametrize(("query", "text", "offsets"), [
    ("É", "é É e", [0, 2]), ("straße", "STRAßE", [0]), ("日本", "日本", [0]), ("\ud800A", "\ud800a", [0]),
])
def test_case_of_other_letters_may_be_ignored(store: Store, query: str, text: str, offsets: list[int]) -> None:
    """Letters beyond ASCII fold too; beside a lone surrogate only ASCII letters do."""
    hits = store.search(query, ref=store.put(text).ref, ignore_case=True)
    assert [hit.offset for hit in hits.items] == offsets


@one_store
@given(letters, st.sampled_from(
    ["a+", "a|b+", "[ab]é", "^a", "b$", "a.b", "(?i)ab", "a{2}", ".", "é|a", "(?s)a.*b", "a*?b"]))
def test_a_regex_finds_what_re_finds(store: Store, text: str, pattern: str) -> None:
    """`^` and `$` match at lines; empty matches do not count."""
    text = text.replace("\ud800", "")  # RE2 takes a lone surrogate for one character, or for none
    hits = everything(store, pattern, ref=store.put(text).ref, regex=True, limit=3)
    expected = [match.start() for match in re.finditer(pattern, text, re.MULTILINE) if match.group()]
    assert [hit.offset for hit in hits] == expected


@pytest.mark.parametrize("pattern", [
    r'"id": "[a-z]+"', r'\"id\": ..?b', r'"id": "[^"]+"', r'id": "b(?:", "x|$)', r"C:\\Users\\(?:ann|bob)", r'["]id["]',
])
@pytest.mark.parametrize("ignore_case", [False, True])
def test_a_regex_finds_what_stands_escaped_in_a_string(store: Store, pattern: str, ignore_case: bool) -> None:
    """As a text does: JSON in JSON is told as what it says. What stands there as written counts before that."""
    said = '{"id": "b", "x": "C:\\Users\\bob"}'
    ref = store.put(json.dumps({"output": said, "n": 1})).ref
    (hit,) = store.search(pattern, ref=ref, regex=True, ignore_case=ignore_case).items
    assert hit.ref == ref
    plain = store.put(f"{said} {json.dumps(said)}").ref
    (hit,) = store.search(pattern, ref=plain, regex=True, ignore_case=ignore_case).items
    assert hit.offset < len(said)


@pytest.mark.parametrize(("pattern", "offsets"), [("x*", []), (r"\b", []), ("^", []), ("(?:)", []), (r"\C", [1])])
def test_an_empty_or_split_match_is_none(store: Store, pattern: str, offsets: list[int]) -> None:
    """Nothing is reported that has no text or begins inside a character."""
    assert [hit.offset for hit in store.search(pattern, ref=store.put("é\n😀").ref, regex=True).items] == offsets


@pytest.mark.parametrize(("query", "regex"), [
    ("needle", False), ("n\nedle", False), ("NEEDLE", False), (r"nee?d[a-z]e", True),
])
@pytest.mark.parametrize("window", [1, 2, 64])
def test_borders_do_not_matter(
    store: Store, monkeypatch: pytest.MonkeyPatch, query: str, regex: bool, window: int,
) -> None:
    """A match across chunks, or across windows of chunks, is found once and whole."""
    monkeypatch.setattr(windows, "WINDOW_CHARS", window * CHUNK_CHARS)
    word = query.lower() if not regex else "needle"
    text = "é" * 7
    for border in range(1, 5):
        text = text.ljust(border * CHUNK_CHARS - border, ".") + word
    text += word + "." * CHUNK_CHARS
    hits = everything(store, query, ref=store.put(text).ref, regex=regex, ignore_case=True, limit=2, context_chars=3)
    assert [hit.offset for hit in hits] == naive(text, word)
    assert [hit.line for hit in hits] == [text.count("\n", 0, hit.offset) + 1 for hit in hits]
    assert hits[0].snippet == "..." + word + "..."


def test_a_query_longer_than_a_chunk_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look-ahead is as long as the query."""
    monkeypatch.setattr(windows, "WINDOW_CHARS", CHUNK_CHARS)
    query = "ab" * CHUNK_CHARS
    text = "." * (CHUNK_CHARS - 1) + query + "."
    hits = store.search(query, ref=store.put(text).ref)
    assert [hit.offset for hit in hits.items] == [CHUNK_CHARS - 1]


def test_matches_do_not_overlap(store: Store) -> None:
    """As str.count counts, also where one page ends and the next begins."""
    ref = store.put("aaaaa").ref
    assert [hit.offset for hit in everything(store, "aa", ref=ref, limit=1)] == [0, 2]


def test_newest_originals_come_first(store: Store) -> None:
    """Within one original hits are in order; a new sighting makes an original new."""
    old, new = store.put("x 1 x"), store.put("x 2")
    found = [(hit.ref, hit.offset) for hit in everything(store, "x", limit=1)]
    assert found == [(new.ref, 0), (old.ref, 0), (old.ref, 4)]
    store.put("x 1 x")
    assert [hit.ref for hit in store.search("x").items] == [old.ref, old.ref, new.ref]


def test_a_full_page_counts_what_follows(store: Store) -> None:
    """With a ref the total is known on the first page, and stays the same on the next."""
    ref = store.put("x" * 50).ref
    first = store.search("x", ref=ref, limit=20)
    second = store.search("x", ref=ref, limit=20, cursor=first.cursor)
    assert (len(first.items), first.total, second.items[0].offset, second.total) == (20, 50, 20, 50)
    assert first.complete
    assert second.complete


def test_a_total_of_a_part_says_so(store: Store) -> None:
    """What is not looked at yet is not counted: other originals, and hits beyond the ten thousand behind a page."""
    store.put("one x")
    many = store.put("x" * 10_500).ref
    everywhere = store.search("x", limit=1)
    assert (everywhere.total, everywhere.complete) == (10_001, False)
    assert not store.search("x", ref=many, limit=1).complete
    assert store.search("x", ref=many, limit=500).total == 10_500
    assert store.search("x", limit=20_000).complete


@pytest.mark.parametrize("query", ['say "hi"', "two\nlines", "tab\there", "C:\\new", "naïve", "日本", "😀"])
def test_text_inside_json_is_found_as_what_it_means(store: Store, query: str) -> None:
    """A query is also tried as JSON escapes it, with and without escapes for letters beyond ASCII."""
    for ascii_only in (True, False):
        text = json.dumps({"output": f"before {query} after"}, ensure_ascii=ascii_only)
        (hit,) = store.search(query, ref=store.put(text).ref).items
        assert hit.offset == text.index(json.dumps(query, ensure_ascii=ascii_only)[1:-1])


def test_the_form_as_given_wins(store: Store) -> None:
    """Where the query stands literally, its escaped form is not looked for, on no page."""
    ref = store.put('a"b a\\"b a"b').ref
    assert [hit.offset for hit in everything(store, 'a"b', ref=ref, limit=1)] == [0, 9]
    escaped = store.put('a\\"b a\\"b').ref
    assert [hit.offset for hit in everything(store, 'a"b', ref=escaped, limit=1)] == [0, 5]


def test_snippets_reach_context_chars_to_each_side(store: Store) -> None:
    """Less at the ends of the text; a very long match is cut."""
    ref = store.put("abcdefghij").ref
    assert store.search("e", ref=ref, context_chars=2).items[0].snippet == "cdefg"
    assert store.search("a", ref=ref, context_chars=0).items[0].snippet == "a"
    assert store.search("a", ref=ref, context_chars=99).items[0].snippet == "abcdefghij"
    long = store.put("x" * 5_000).ref
    (hit,) = store.search("x+", ref=long, regex=True, context_chars=10).items
    assert hit.snippet == "x" * (searching.MATCH_CHARS + 10)


@pytest.mark.parametrize("pattern", [r"(x+x+)+y", r"(a|a)*b", r"(?s)x.*y|x", "x*", r"(?:x?){200}y"])
def test_a_hostile_regex_cannot_hang(store: Store, monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    """One match is linear; of many the call stops at its budget, and the cursor makes progress."""
    monkeypatch.setattr(searching, "BUDGET_SECONDS", 0.05)
    ref = store.put("x" * 200_000).ref
    page = store.search(pattern, ref=ref, regex=True)
    if page.cursor is not None:
        again = store.search(pattern, ref=ref, regex=True, cursor=page.cursor)
        assert again.cursor is None or int(again.cursor.split(".")[1]) > int(page.cursor.split(".")[1])


def test_a_call_that_costs_enough_goes_on_later(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between originals and inside one, and nothing is missed or found twice."""
    monkeypatch.setattr(windows, "WINDOW_CHARS", CHUNK_CHARS)
    monkeypatch.setattr(searching, "BUDGET_BYTES", CHUNK_CHARS)
    text = ("." * 50_000 + "x") * 6
    refs = [store.put(f"{n}{text}").ref for n in range(3)]
    assert store.search("x").cursor is not None
    found = [(hit.ref, hit.offset) for hit in everything(store, "x", limit=4)]
    assert found == [(ref, 50_001 * n) for ref in reversed(refs) for n in range(1, 7)]


@pytest.mark.parametrize(("query", "asked", "said"), [
    ("", {}, "query is empty"),
    ("(", {"regex": True}, r"bad regex: missing \) at character 0;"),
    ("é(b(c)", {"regex": True}, r"missing \) at character 1;"),
    ("[)](]", {"regex": True}, r"missing \) at character 3;"),
    (r"\)\Q(\E(a", {"regex": True}, r"missing \) at character 7;"),
    ("[^])](", {"regex": True}, r"missing \) at character 5;"),
    ("(a))", {"regex": True}, r"unexpected \) at character 3;"),
    ("[a]x[a", {"regex": True}, r"missing \] at character 4: \[a;"),
    ("a*|*", {"regex": True}, r"no argument for repetition operator at character 3: \*;"),
    ("a\n**", {"regex": True}, r"bad regex: .* at character \d"),
    ("a\\", {"regex": True}, r"trailing \\ at character 1;"),
    ("(?P<n>x)(?P<n", {"regex": True}, r"at character 8: \(\?P<n;"),
    ("(?m)(", {"regex": True}, r"at character 4;"),
    ("[" + "x" * 5_000, {"regex": True}, r"missing \] at character 0: \[x{58}…;"),
    ("x" * 10_001, {"regex": True}, "the regex has 10,001 chars; at most 10,000 are read"),
    ("a(?=b)", {"regex": True}, r"invalid perl operator at character 1: \(\?=;"),
    (r"(a)\1", {"regex": True}, r"invalid escape sequence at character 3: \\1;"),
    ("((a{900}){900}){900}", {"regex": True}, "bad regex: invalid repetition size at character"),
    ("\ud800", {"regex": True}, "half of a surrogate pair"),
    ("x", {"limit": 0}, "limit is 0"),
    ("x", {"context_chars": -1}, "context_chars is -1"),
    ("x", {"cursor": "next"}, "cursor is 'next'"),
    ("x", {"cursor": "1.2.9.4"}, "cursor is"),
])
def test_what_makes_no_sense_is_a_value_error(store: Store, query: str, asked: dict[str, object], said: str) -> None:
    """One line names the problem."""
    with pytest.raises(ValueError, match=said) as caught:
        store.search(query, **asked)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_nothing_is_found_in_nothing(store: Store) -> None:
    """An empty store and an empty original have no hits; an unknown ref is an error."""
    assert store.search("x").total == 0
    assert store.search("x", ref=store.put("").ref).total == 0
    with pytest.raises(RefNotFound):
        store.search("x", ref="ts_0000000000000000")


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_is_damaged_is_left_out_and_named(
    store: SqliteStore, caplog: pytest.LogCaptureFixture, size: int,
) -> None:
    """A search through all finds what is sound; a search in the damaged original itself is an error."""
    old, harmed, new = store.put("old needle"), store.put("x" * size + "needle"), store.put("new needle")
    with store._database.writing() as connection:
        connection.execute("UPDATE chunks SET body = x'00' WHERE id = ?", (chunk_id(2, (size + 5) // CHUNK_CHARS),))
    assert [hit.ref for hit in everything(store, "needle", limit=1)] == [new.ref, old.ref]
    assert harmed.ref in caplog.text
    assert "`toolstub verify`" in caplog.text
    with pytest.raises(StoreError, match="damaged"):
        store.search("needle", ref=harmed.ref)
