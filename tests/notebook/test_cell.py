"""One cell: which messages pass, which are held back, and what comes out in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.errors import StoreError
from toolstub_ext.notebook.cells import Cells
from toolstub_ext.notebook.desk import Desk
from toolstub_ext.notebook.messages import Message
from toolstub_ext.notebook.originals import Originals
from toolstub_ext.synopsis import is_stub

PARENT = {"msg_id": "cell-1"}


@dataclass
class Limits:
    """The limits of a test."""

    enabled: bool = True
    threshold_chars: int = 4000
    cell_budget_chars: int = 8000
    stub_chars: int = 800


class Room:
    """Cells with a store of their own, and the front-end that sees what they let through."""

    def __init__(self, directory: Path, limits: Limits | None = None) -> None:
        self.originals = Originals(lambda: str(directory / "store.db"))
        self.desk = Desk(limits or Limits(), self.originals)
        self.cells = Cells(self.desk)
        self.seen: list[Message] = []
        self.feed("execute_input", code="")

    def feed(self, kind: str, **content: Any) -> list[Message]:
        """Have the kernel send something; what is really sent."""
        sent = self.cells.feed(Message(kind, content, PARENT, object()))
        self.seen += sent
        return sent

    def print(self, text: str, name: str = "stdout") -> list[Message]:
        """Have it print."""
        return self.feed("stream", name=name, text=text)

    def show(self, kind: str = "display_data", display_id: str = "", **data: Any) -> list[Message]:
        """Have it display a bundle; `_` in a name stands for `/`."""
        transient = {"display_id": display_id} if display_id else {}
        bundle = {name.replace("_", "/", 1): value for name, value in data.items()}
        return self.feed(kind, data=bundle, metadata={}, transient=transient)

    def tick(self) -> list[Message]:
        """Let half a second pass."""
        sent = self.cells.tick()
        self.seen += sent
        return sent

    def end(self) -> list[Message]:
        """The cell comes to its end."""
        return self.feed("execute_reply", status="ok")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A room with the limits that users have."""
    made = Room(tmp_path)
    yield made
    made.cells.close()
    made.originals.close()


def kinds(messages: list[Message]) -> list[str]:
    """What they are."""
    return [message.type for message in messages]


def plain(message: Message) -> str:
    """What a reader of text sees of a display."""
    return str(message.content["data"]["text/plain"])


def ref(message: Message) -> str:
    """Where a stub leads."""
    return str(message.content["metadata"]["toolstub"]["ref"])


def test_what_is_small_passes_untouched(room: Room) -> None:
    """The very message that was to be sent is sent."""
    message = Message("stream", {"name": "stdout", "text": "small\n"}, PARENT, object())
    assert room.cells.feed(message) == [message]


def test_a_large_print_is_held_and_becomes_a_stub_at_the_end(room: Room) -> None:
    """The stub replaces the whole text, which the store has."""
    assert room.print("x" * 5000 + "\n") == []
    stub, reply = room.end()
    assert kinds([stub, reply]) == ["display_data", "execute_reply"]
    assert is_stub(plain(stub))
    assert len(plain(stub)) <= 800
    assert room.originals.text(ref(stub)) == "x" * 5000 + "\n"
    assert "reason: 5,001 > 4,000 chars" in plain(stub)


def test_the_bundle_is_text_and_small_static_html(room: Room) -> None:
    """Nothing outranks the text for an agent, nothing dies with the kernel, and markup in the output stays text."""
    room.print("<script>alert(1)</script>&" * 400)
    stub = room.end()[0]
    assert set(stub.content["data"]) == {"text/plain", "text/html"}
    html = stub.content["data"]["text/html"]
    assert len(html) <= 1500
    assert "<script" not in html
    assert f"<code>{ref(stub)}</code>" in html
    assert set(stub.content["metadata"]["toolstub"]) == {"ref", "kind", "chars", "lines", "version"}


def test_a_slow_producer_shows_its_head_and_the_original_has_all(room: Room) -> None:
    """What passed before the threshold belongs to the original too, and the stub says that it stands above."""
    for number in range(100):
        room.print(f"{number:04}" + "s" * 96)
    stub = room.end()[0]
    assert kinds(room.seen).count("stream") == 40
    assert room.originals.text(ref(stub)) == "".join(f"{number:04}" + "s" * 96 for number in range(100))
    assert "the first 4,000 are above" in plain(stub)


def test_a_rest_smaller_than_a_stub_passes(room: Room) -> None:
    """A stub is never larger than what it would replace."""
    room.print("a" * 4000)
    assert room.print("b" * 300) == []
    assert [message.content["text"] for message in room.end() if message.type == "stream"] == ["b" * 300]


def test_progress_bars_pass(room: Room) -> None:
    """A bar drawn a thousand times is one line on the screen."""
    for number in range(1000):
        assert kinds(room.print(f"\r{number:4}/1000 " + "#" * 80)) == ["stream"]
    assert kinds(room.end()) == ["execute_reply"]


def test_other_outputs_end_the_run_in_order(room: Room) -> None:
    """A stub stands before the display that came after it."""
    room.print("a" * 5000)
    assert kinds(room.show(text_plain="between")) == ["display_data", "display_data"]
    room.print("b" * 4100)
    room.end()
    texts = [plain(message) for message in room.seen if message.type == "display_data"]
    assert [text if text == "between" else is_stub(text) for text in texts] == [True, "between", True]


def test_many_small_outputs_share_one_stub_once_the_budget_is_spent(room: Room) -> None:
    """The budget is the cell's, whatever the outputs are; pictures are shown all the same."""
    for number in range(100):
        room.print(f"line {number} {'y' * 80}\n")
        room.show(text_plain=f"value {number} {'v' * 80}")
    room.show(text_plain="<Figure>", image_png="iVBORw0KGgo=")
    room.end()
    shown = sum(len(message.content["text"]) if message.type == "stream" else len(plain(message))
                for message in room.seen if message.type in ("stream", "display_data"))
    assert shown <= 8000 + 800 + 100
    stub = next(message for message in room.seen if message.type == "display_data" and is_stub(plain(message)))
    assert "line 99 " in room.originals.text(ref(stub))
    assert "value 99 " in room.originals.text(ref(stub))
    assert any("image/png" in message.content.get("data", {}) for message in room.seen)


def test_a_large_display_keeps_its_pictures(room: Room) -> None:
    """Text is replaced, the picture beside it is not; each text is stored."""
    (sent,) = room.show(text_plain="t" * 5000, text_html="<b>" + "h" * 9000, image_png="iVBORw0KGgo=")
    assert sent.content["data"]["image/png"] == "iVBORw0KGgo="
    assert room.originals.text(ref(sent)) == "t" * 5000
    beside = plain(sent).rpartition("text/html: ")[2]
    assert room.originals.text(beside) == "<b>" + "h" * 9000
    assert len(plain(sent)) <= 800


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


def test_clearing_drops_what_is_held_and_the_count(room: Room) -> None:
    """A cleared output leaves no stub, and what follows has the whole budget."""
    room.print("q" * 5000)
    assert kinds(room.feed("clear_output", wait=True)) == ["clear_output"]
    room.print("after")
    assert kinds(room.end()) == ["execute_reply"]


def test_an_error_is_shortened_twice_alike(room: Room) -> None:
    """The error and the reply that repeats it say the same; the type stays, so that a run still stops."""
    error = {"ename": "ValueError", "evalue": "v" * 9000, "traceback": ["-" * 75, "ValueError  Traceback", "v" * 9000]}
    (shown,) = room.feed("error", **error)
    (reply,) = room.feed("execute_reply", status="error", **error)
    assert shown.content["ename"] == "ValueError"
    assert len(str(shown.content)) < 3000
    assert {name: reply.content[name] for name in error} == dict(shown.content)
    assert reply.content["status"] == "error"


@pytest.mark.parametrize("message", [
    ("comm_msg", {"data": {"method": "update", "state": {"msg_id": "cell-1"}}}),
    ("comm_msg", {"data": {"method": "update", "state": {"msg_id": ""}}}),
    ("input_request", {"prompt": "?"}),
])
def test_where_outputs_go_elsewhere_the_run_ends(room: Room, message: tuple[str, dict[str, Any]]) -> None:
    """An Output widget, or a question to the user, finds the stub on the right side."""
    room.print("a" * 5000)
    assert kinds(room.feed(message[0], **message[1])) == ["display_data", message[0]]


def test_other_messages_of_widgets_end_nothing(room: Room) -> None:
    """A moving slider does not cut an output in two."""
    room.print("a" * 5000)
    assert kinds(room.feed("comm_msg", data={"method": "update", "state": {"value": 3}})) == ["comm_msg"]
    assert kinds(room.end()) == ["display_data", "execute_reply"]


def test_what_grows_is_shown_growing_and_can_be_read(room: Room) -> None:
    """Each half second the count so far, under a name that reads the text so far; then the stub in the same place."""
    room.print("one\n" * 2000)
    assert room.tick() == []
    (first,) = room.tick()
    assert "chars_so_far: 8000" in plain(first)
    assert room.originals.page(ref(first)).text.startswith("one\n")
    assert room.originals.text(ref(first)) == "one\n" * 2000
    assert room.tick() == []
    room.print("two\n" * 2000)
    (second,) = room.tick()
    last, _ = room.end()
    assert kinds([first, second, last]) == ["display_data", "update_display_data", "update_display_data"]
    assert len({message.content["transient"]["display_id"] for message in (first, second, last)}) == 1
    assert room.originals.text(ref(first)) == "one\n" * 2000 + "two\n" * 2000


def test_what_a_thread_prints_after_the_end_is_finished_when_it_is_quiet(room: Room) -> None:
    """There is no end of a cell any more, so silence is one."""
    room.end()
    room.print("late " * 1000)
    ticks = [room.tick() for _ in range(4)]
    assert [kinds(sent) for sent in ticks] == [[], ["display_data"], ["update_display_data"], []]
    (last,) = ticks[2]
    assert room.originals.text(ref(last)) == "late " * 1000


def test_a_thread_that_never_ends_has_one_stub(room: Room) -> None:
    """Once the budget is spent, what comes now and then only makes the last stub grow."""
    room.end()
    for number in range(200):
        room.print(f"{number} " + "t" * 900 + "\n")
        for _ in range(4):
            room.tick()
    shown = {message.content["transient"].get("display_id") for message in room.seen if message.type == "display_data"}
    assert len(shown) <= 3
    stored = room.originals.store.list().total
    assert stored < 40


def test_a_switched_off_cell_passes(room: Room) -> None:
    """After `skip` nothing of the cell is held; what was held comes out as a stub."""
    room.print("a" * 5000)
    assert kinds(room.cells.skip(PARENT)) == ["display_data"]
    assert kinds(room.print("b" * 50_000)) == ["stream"]


def test_a_fault_brings_everything_out_and_is_told_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store fails at the end, what was held is printed after all, once with the reason."""
    def refuse(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(room.originals, "put", refuse)
    room.print("a" * 5000)
    room.print("b" * 5000)
    sent = room.end()
    assert "".join(message.content["text"] for message in sent[:1]) == "a" * 5000 + "b" * 5000
    assert kinds(sent) == ["stream", "execute_reply", "stream"]
    assert sent[-1].content == {"name": "stderr", "text": "toolstub: the disk is full; this output is shown in full\n"}
    other = {"msg_id": "cell-2"}
    for message in (Message("stream", {"name": "stdout", "text": "c" * 5000}, other),
                    Message("execute_reply", {"status": "ok"}, other)):
        room.seen += room.cells.feed(message)
    assert kinds(room.seen).count("stream") == 3
    assert room.seen[-2].content["text"] == "c" * 5000


def test_no_place_for_a_spool_holds_nothing(tmp_path: Path) -> None:
    """If the first write to disk fails, the output passes as it comes."""
    (tmp_path / "store.db.spool").write_text("in the way")
    room = Room(tmp_path)
    assert kinds(room.print("a" * 5000)) == ["stream", "stream"]
    assert room.seen[-2].content["text"] == "a" * 5000
    assert kinds(room.print("b" * 5000)) == ["stream"]


ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=30)
ACTIONS = st.lists(st.tuples(st.sampled_from(["stdout", "stderr", "display", "result", "tick", "image", "clear"]),
                             ANY_TEXT, st.integers(1, 60)), max_size=25)


@settings(max_examples=60, deadline=None)
@given(actions=ACTIONS, late=st.booleans())
def test_nothing_is_lost_and_the_cell_stays_small(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, str, int]], late: bool
) -> None:
    """Whatever a cell does, each thing it said is on the screen or in an original that the screen names."""
    limits = Limits(threshold_chars=200, cell_budget_chars=400, stub_chars=400)
    room = Room(tmp_path_factory.mktemp("room"), limits)
    said: list[str] = []
    mark = count()
    if late:
        room.end()
    for kind, text, times in actions:
        words = f"<{next(mark)}>{text * times}\n"
        if kind == "tick":
            room.tick()
            continue
        if kind == "clear":
            room.feed("clear_output", wait=False)
            said.clear()
            room.seen.clear()
            continue
        said.append(words)
        if kind in ("stdout", "stderr"):
            room.print(words, kind)
        elif kind == "result":
            room.feed("execute_result", execution_count=1, data={"text/plain": words}, metadata={})
        else:
            room.show(text_plain=words, **({"image_png": "iVBO"} if kind == "image" else {}))
    room.seen += room.cells.close()

    streams = {name: "".join(message.content["text"] for message in room.seen
                             if message.type == "stream" and message.content["name"] == name)
               for name in ("stdout", "stderr")}
    displays = [message for message in room.seen if "data" in message.content]
    refs = {ref(message) for message in displays if "toolstub" in message.content["metadata"]}
    everything = [*streams.values(), *map(plain, displays), *map(room.originals.text, refs)]
    for words in said:
        assert any(words in text for text in everything), words
    room.originals.close()
