"""What of a message a reader sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.notebook.messages import Message, Screen, is_view, texts


@pytest.mark.parametrize(("pieces", "chars"), [
    (["abc"], 3),
    (["abc\n"], 4),
    (["ab", "c\nd"], 5),
    (["\r 10%", "\r 20%", "\r 30%"], 4),
    (["10%\r20%\r30%\ndone"], 8),
    (["line\r\n"], 5),
    (["working...\rok"], 10),
])
def test_what_a_carriage_return_overwrites_counts_once(pieces: list[str], chars: int) -> None:
    """A progress bar is as long as its longest state, however often it is drawn."""
    screen = Screen()
    for piece in pieces:
        assert screen.after(piece) >= screen.chars
        screen.write(piece)
    assert screen.chars == chars


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\r"))))
def test_without_carriage_returns_every_character_counts(pieces: list[str]) -> None:
    """Plain text is as long as it is, in whatever pieces it comes."""
    screen = Screen()
    for piece in pieces:
        screen.write(piece)
    assert screen.chars == sum(map(len, pieces))


@pytest.mark.parametrize(("data", "replaceable"), [
    ({"text/plain": "a", "image/png": "iVBO"}, {"text/plain"}),
    ({"text/plain": "a", "text/html": "<table></table>"}, {"text/plain", "text/html"}),
    ({"text/plain": "a", "text/html": "<SCRIPT>draw()</SCRIPT>"}, {"text/plain"}),
    ({"text/html": '<img src="data:...">'}, set()),
    ({"application/json": {"a": 1}}, {"application/json"}),
    ({"text/markdown": "# a", "text/latex": "$a$"}, {"text/markdown", "text/latex"}),
])
def test_only_text_that_draws_no_picture_may_be_replaced(data: dict[str, object], replaceable: set[str]) -> None:
    """Images stay, and so does HTML that shows something no stub can."""
    assert set(texts(data)) == replaceable


@pytest.mark.parametrize(("data", "view"), [
    ({"text/plain": "a"}, False),
    ({"text/plain": "a", "application/vnd.jupyter.widget-view+json": {}}, True),
    ({"text/html": "a", "application/vnd.plotly.v1+json": {}}, True),
    ({"application/javascript": "a"}, True),
])
def test_a_live_view_is_known_by_its_mime(data: dict[str, object], view: bool) -> None:
    """A widget or a plot is left alone as a whole."""
    assert is_view(data) is view


def test_changed_content_keeps_where_the_message_goes() -> None:
    """A replacement is sent the way the original was meant to go."""
    source = object()
    message = Message("error", {"ename": "E", "evalue": "long"}, {"msg_id": "1"}, source)
    changed = message.with_content(evalue="short")
    assert changed.content == {"ename": "E", "evalue": "short"}
    assert changed.source is source
    assert changed.cell == "1"
