"""What stands in the cell."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.notebook.bundle import HTML_CHARS, growing, showable, stub, synopsis_of
from toolstub_ext.store import Entry, ref_of, sha256_of

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


def entry_of(text: str) -> Entry:
    """The entry that a store would answer with."""
    sha256 = sha256_of(text)
    return Entry(ref_of(sha256), sha256, len(text), len(text), text.count("\n") + 1, None, None, None, None, None, "")


class Tags(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        """A tag."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Text."""
        self.words += data


@settings(max_examples=200)
@given(piece=ANY_TEXT, times=st.integers(1, 2000), stub_chars=st.integers(400, 2000))
def test_any_output_is_a_small_harmless_bundle(piece: str, times: int, stub_chars: int) -> None:
    """Whatever was printed, the text keeps its limit, the HTML holds no tag of the output, and both can be sent."""
    text = piece * times
    synopsis = synopsis_of(text, tool="stdout", mime=None, stub_chars=stub_chars)
    made = stub(synopsis, entry_of(text), tool="stdout", reason="test", stub_chars=stub_chars)
    html = made.data["text/html"]
    assert len(made.plain) <= stub_chars
    assert len(html) <= HTML_CHARS
    (made.plain + html).encode("utf-8")
    assert set(Tags(html).tags) <= {"div", "pre", "b", "details", "summary", "code"}
    assert Tags(html).tags.count("details") == 1


def test_the_html_says_no_more_than_the_text() -> None:
    """An agent that reads the text alone misses nothing."""
    text = "\n".join(f"2026-11-30 12:00:{i % 60:02} INFO step {i}" for i in range(500)) + "\nERROR disk <full> & gone\n"
    synopsis = synopsis_of(text, tool="stdout", mime=None, stub_chars=800)
    made = stub(synopsis, entry_of(text), tool="stdout", reason="test", stub_chars=800)
    words, _, _ = Tags(made.data["text/html"]).words.partition("Whole output")
    lines = [line for line in words.split("\n") if line.startswith("- ")]
    assert lines
    assert all(line.rstrip("…")[:40] in made.plain for line in lines)


def test_a_growing_output_says_how_far_it_is() -> None:
    """Counts and the end, and a name to read it by."""
    made = growing("live_0123456789ab", tool="stdout", chars=12_345, lines=67, tail="epoch 3 loss 0.1\n")
    assert "chars_so_far: 12345\nlines_so_far: 67\nref: live_0123456789ab" in made.plain
    assert made.plain.endswith("epoch 3 loss 0.1\n")
    assert "12,345 characters, 67 lines so far" in made.data["text/html"]


@pytest.mark.parametrize(("text", "shown"), [
    ("plain\ttext\n", "plain\ttext\n"),
    ("\x1b[31mred\x1b[0m", "[31mred[0m"),
    ("a\x00\x07b", "a\ufffd\ufffdb"),
    ("\ud83d\ude00 and \ud83d", "\U0001f600 and \ufffd"),
])
def test_showable(text: str, shown: str) -> None:
    """Only what a message can carry and a page can show."""
    assert showable(text) == shown


def test_nothing_of_the_html_needs_a_network_or_a_script() -> None:
    """It looks the same in a saved notebook, without a kernel, offline."""
    source = (Path(__file__).parents[2] / "toolstub_ext" / "notebook" / "bundle.py").read_text(encoding="utf-8")
    assert not any(word in source for word in ("http", "<script", "<img", "<link", "onclick"))
