"""What one cell prints: what passes, what is held back, and what comes out in the end."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebook_room import PARENT, Limits, Room, kinds, plain, ref

from toolstub_ext.notebook.messages import Message
from toolstub_ext.synopsis import is_stub


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


def test_clearing_drops_what_is_held_and_the_count(room: Room) -> None:
    """A cleared output leaves no stub, and what follows has the whole budget."""
    room.print("q" * 5000)
    assert kinds(room.feed("clear_output", wait=True)) == ["clear_output"]
    room.print("after")
    assert kinds(room.end()) == ["execute_reply"]


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


ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=30)
ACTIONS = st.lists(st.tuples(st.sampled_from(["stdout", "stderr", "display", "result", "tick", "image", "clear"]),
                             ANY_TEXT, st.integers(1, 60)), max_size=25)


@settings(max_examples=60)
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
