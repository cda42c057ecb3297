"""A conversation is put together from messages, whatever they lack."""

from __future__ import annotations

import pytest

from toolstub_ext.replay import Builder, conversation


def build(builder: Builder) -> list[tuple[str, str]]:
    """The items of the one conversation, as kind and text."""
    (built,) = builder.finished()
    return [(item.kind, item.text) for item in built.items]


def test_assistant_messages_that_follow_each_other_are_one_turn() -> None:
    """The model was asked once."""
    builder = Builder("c")
    builder.user("go")
    builder.assistant("thinking")
    builder.assistant("", [("1", "read", "{}")])
    builder.result("text", "1")
    assert build(builder) == [("user", "go"), ("assistant", "thinking"), ("result", "text")]


def test_ids_that_every_turn_counts_anew_pair_within_their_turn() -> None:
    """Some providers number the calls of every answer from 0."""
    builder = Builder("c")
    for text in ("one", "two"):
        builder.assistant("", [("0", "read", "{}")])
        builder.result(text, "0")
    (built,) = builder.finished()
    assert [call.call_id for item in built.items for call in item.calls] == [
        item.call_id for item in built.items if item.kind == "result"]
    assert len({item.call_id for item in built.items if item.kind == "result"}) == 2


def test_results_without_an_id_answer_in_order() -> None:
    """The first goes to the first call, the second to the second; for a third a call is made up."""
    builder = Builder("c")
    builder.assistant("", [("", "a", "{}"), ("", "b", "{}")])
    for text in ("one", "two", "three"):
        builder.result(text, tool="c")
    (built,) = builder.finished()
    called, *results = built.items
    assert [call.tool for call in called.calls] == ["a", "b", "c"]
    assert [call.call_id for call in called.calls] == [item.call_id for item in results]


def test_without_an_answer_there_is_nothing_to_replay() -> None:
    """What was never answered was, as far as is known, never asked."""
    builder = Builder("c")
    builder.user("go")
    assert [*builder.finished()] == []


def test_a_record_that_no_model_could_take_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Into conversations that are replayed one by one, so that memory and time stay bounded."""
    monkeypatch.setattr(conversation, "MOST_CHARS", 50)
    builder = Builder("c")
    found = []
    for number in range(30):
        found += builder.overfull()
        builder.user(f"question {number}")
        builder.assistant(f"answer {number}")
    found += builder.finished()
    assert len(found) > 5
    assert [one.name for one in found][:3] == ["c", "c (2)", "c (3)"]
    assert [item.text for one in found for item in one.items] == [
        text for number in range(30) for text in (f"question {number}", f"answer {number}")]
