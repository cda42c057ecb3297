"""What one cell displays: texts become stubs, what a person looks at stays."""

from __future__ import annotations

from typing import Any

import pytest
from notebook_room import Room, kinds, plain, ref

from toolstub_ext.synopsis import is_stub


def test_other_outputs_end_the_run_in_order(room: Room) -> None:
    """A stub stands before the display that came after it."""
    room.print("a" * 5000)
    assert kinds(room.show(text_plain="between")) == ["display_data", "display_data"]
    room.print("b" * 4100)
    room.end()
    texts = [plain(message) for message in room.seen if message.type == "display_data"]
    assert [text if text == "between" else is_stub(text) for text in texts] == [True, "between", True]


def test_a_large_display_keeps_its_pictures(room: Room) -> None:
    """Text is replaced, the picture beside it is not; each text is stored."""
    (sent,) = room.show(text_plain="t" * 5000, text_html="<b>" + "h" * 9000, image_png="iVBORw0KGgo=")
    assert sent.content["data"]["image/png"] == "iVBORw0KGgo="
    assert room.originals.text(ref(sent)) == "t" * 5000
    beside = plain(sent).rpartition("text/html: ")[2]
    assert room.originals.text(beside) == "<b>" + "h" * 9000
    assert len(plain(sent)) <= 800


@pytest.mark.parametrize(("text", "html", "reason"), [
    (4_500, 10_000, "5,000 > 4,000 chars, half of its HTML"), (5_001, 10_000, "5,001 > 4,000 chars"),
    (0, 9_000, "4,500 > 4,000 chars, half of its HTML"),
])
def test_a_reason_says_of_what_its_figure_is(room: Room, text: int, html: int, reason: str) -> None:
    """Half of the HTML is found nowhere else."""
    (sent,) = room.show(**({"text_plain": "t" * text} if text else {}), text_html="h" * html)
    assert f"\nreason: {reason}\n" in plain(sent)


@pytest.mark.parametrize("data", [
    {"text_plain": "p" * 9000, "application_vnd.jupyter.widget-view+json": {"model_id": "1"}},
    {"text_plain": "p" * 9000, "application_vnd.plotly.v1+json": {"data": []}},
    {"text_html": "<script>" + "s" * 9000},
    {"text_plain": "small", "text_html": "<table>" + "<td>1</td>" * 500},
])
def test_views_and_drawings_and_ordinary_tables_pass(room: Room, data: dict[str, Any]) -> None:
    """What a person looks at rather than reads is left as it is."""
    assert kinds(room.show(**data)) == ["display_data"]
    assert room.seen[-1].content["metadata"] == {}


def test_an_update_keeps_its_display(room: Room) -> None:
    """Too large an update becomes a stub in the same place."""
    room.show(display_id="one", text_plain="small")
    (sent,) = room.show("update_display_data", display_id="one", text_plain="u" * 5000)
    assert sent.type == "update_display_data"
    assert sent.content["transient"] == {"display_id": "one"}
    assert room.originals.text(ref(sent)) == "u" * 5000


def test_a_result_keeps_its_number(room: Room) -> None:
    """A large value is a stub behind the same prompt."""
    (sent,) = room.feed("execute_result", execution_count=7, data={"text/plain": "[1, 2, 3]\n" * 900}, metadata={})
    assert sent.content["execution_count"] == 7
    assert room.originals.text(ref(sent)) == "[1, 2, 3]\n" * 900


def test_the_value_of_get_is_described_by_its_own_ref(room: Room) -> None:
    """Who reads an original back without keeping it is not sent to a second one, of its repr."""
    room.desk.returned = "line\n" * 2000
    (sent,) = room.feed("execute_result", execution_count=1, data={"text/plain": repr(room.desk.returned)}, metadata={})
    assert room.originals.text(ref(sent)) == "line\n" * 2000


def test_an_error_is_shortened_twice_alike(room: Room) -> None:
    """The error and the reply that repeats it say the same; the type stays, so that a run still stops."""
    error = {"ename": "ValueError", "evalue": "v" * 9000, "traceback": ["-" * 75, "ValueError  Traceback", "v" * 9000]}
    (shown,) = room.feed("error", **error)
    (reply,) = room.feed("execute_reply", status="error", **error)
    assert shown.content["ename"] == "ValueError"
    assert len(str(shown.content)) < 3000
    assert {name: reply.content[name] for name in error} == dict(shown.content)
    assert reply.content["status"] == "error"
