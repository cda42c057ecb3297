"""All cells of a kernel: outputs that go elsewhere, come late, or meet a fault."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from notebook_room import PARENT, Room, kinds, ref

from toolstub_ext.errors import StoreError
from toolstub_ext.notebook.messages import Message
from toolstub_ext.notebook.replies import statistics, status


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


def test_a_place_that_cannot_be_used_is_told_with_what_to_do(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the shell tells it, and not as the system numbers it."""
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/data/store.db.spool")

    monkeypatch.setattr(room.originals, "put", refuse)
    room.print("a" * 5000)
    told = "/data/store.db.spool: permission denied; check who may use it"
    assert room.end()[-1].content["text"] == f"toolstub: {told}; this output is shown in full\n"
    assert room.desk.sums.faults == [told]
    assert f"1 fault, last: {told}" in status(room.desk.limits, room.desk.sums, None)


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


def test_what_was_saved_is_counted_in_words(room: Room) -> None:
    """One of a thing is told as one."""
    room.print("a" * 5000)
    room.end()
    said = statistics(room.desk.sums, room.originals.store.stats()).split("\n")
    assert said[0].startswith("1 output since loading: 5,000 characters became ")
    assert said[-1].startswith("store: 1 original, 5,000 characters, ")
