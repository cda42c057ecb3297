"""Stubs of single results: pure, honest about what is stored, and smaller than what they replace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.policy.stubs import Stub, is_smaller, make_stub
from toolstub_ext.store import ref_of, sha256_of
from toolstub_ext.synopsis import is_stub
from toolstub_ext.transcript import literal

surrogates = st.text(st.characters(codec=None, categories=None))
LINES = "".join(f"line {number}\n" for number in range(5_000))


def stub_saying(text: str) -> Stub:
    """A stub of any text."""
    return Stub(text, literal(text), "", None, "text")


def test_a_stub_names_what_it_stands_for() -> None:
    """Ref and digest are those of the original, and it is recognised as a stub."""
    stub = make_stub(LINES, tool="Bash", budget=1000, reason="over 20,000 chars", rules="default")
    assert (stub.ref, stub.sha256) == (ref_of(sha256_of(LINES)), sha256_of(LINES))
    assert is_stub(stub.text)
    assert f"\nref: {stub.ref}\n" in stub.text
    assert "\nreason: over 20,000 chars\n" in stub.text


def test_a_stub_of_what_is_not_stored_leads_nowhere() -> None:
    """No ref, no promise, nothing to explore."""
    stub = make_stub(LINES, tool=None, budget=1000, reason="r", rules="default", stored=False)
    assert stub.ref is None
    assert not any(word in stub.text for word in ("ref:", "Explore", "stored", "toolstub_read"))


@pytest.mark.parametrize(("stub", "text", "smaller"), [
    ("ab", "abc", True), ("abc", "abc", False), ("\n\n", "abc", False), ("\n", "abc", True),
    ("\u4e2d\u4e2d", "abcde", False), ("\u4e2d", "abcd", True), ("\ud83d", "abcde", False), ("\ud83d", "abcdefg", True),
])
def test_smaller_is_smaller_in_characters_and_in_bytes(stub: str, text: str, smaller: bool) -> None:
    """Also as JSON, where a newline takes two bytes and a lone surrogate six."""
    assert is_smaller(stub_saying(stub), text) is smaller


@given(surrogates, surrogates, st.booleans())
def test_a_smaller_stub_is_smaller_however_the_original_was_written(stub: str, text: str, ascii_only: bool) -> None:
    """Law 5: the literal of a stub that counts as smaller has fewer bytes than any literal of the original."""
    written = json.dumps(text, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert not is_smaller(stub_saying(stub), text) or len(literal(stub).encode()) < len(written)


@given(surrogates)
def test_a_literal_is_utf8_and_says_the_text(text: str) -> None:
    """Whatever the text is."""
    assert json.loads(literal(text).encode().decode()) == json.loads(json.dumps(text))


@pytest.mark.parametrize(("text", "written"), [
    ('a"\n\u4e2d\U0001f600', '"a\\"\\n\u4e2d\U0001f600"'), ("\ud83d", '"\\ud83d"'), ("\x00\x7f", '"\\u0000\x7f"'),
])
def test_only_what_utf8_cannot_say_is_escaped(text: str, written: str) -> None:
    """And what JSON has to escape."""
    assert literal(text) == written
