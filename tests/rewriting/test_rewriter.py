"""A body goes in, and a body comes out in which only what had to change has changed."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from rewriting_support import LARGE, OURS, SMALL, TOOL, USER, request, sent, turn

from toolstub_ext import hidden_rounds, retrieval
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Clear, Compact, Dedupe, Externalize, Settings, load_settings
from toolstub_ext.store import Store
from toolstub_ext.synopsis import is_stub


def test_a_large_result_is_replaced_and_stored(store: Store) -> None:
    """The stub leads to the original, the rest of the message stays."""
    done = rewrite(request(*turn(SMALL, LARGE)), store=store, settings=Settings())
    small, large = sent(done)["messages"][2:]
    assert small["content"] == SMALL
    assert is_stub(large["content"])
    assert large["tool_call_id"] == "c1"
    ref = done.decisions[1].ref
    assert ref is not None
    assert f"ref: {ref}" in large["content"]
    assert store.read(ref, limit=-1).text == LARGE


def test_the_caller_is_told_what_became_of_each_result(store: Store) -> None:
    """In the order of the body, whatever was decided."""
    done = rewrite(request(*turn(SMALL, LARGE, SMALL)), store=store, settings=Settings())
    assert [(str(d.slot), d.tool, d.action, d.reason) for d in done.decisions] == [
        ("/messages/2/content", "Bash", "kept", "11 <= 3,000 chars"),
        ("/messages/3/content", "Bash", "externalized", f"{len(LARGE):,} > 3,000 chars (log)"),
        ("/messages/4/content", "Bash", "kept", "11 <= 3,000 chars"),
    ]
    assert done.chars_before == len(done.reading.body if done.reading else "")
    assert done.chars_after == len(done.text) == len(done.body.decode())
    assert done.tokens_after < done.tokens_before


def test_a_sighting_is_filed_under_tool_call_and_session(store: Store) -> None:
    """So that the list of a session shows it."""
    done = rewrite(request(*turn(LARGE), prompt_cache_key="k"), store=store, settings=Settings(), owner="o")
    entry, = store.list(owner="o", session="k").items
    assert (entry.tool, entry.call_id, entry.session, entry.kind) == ("Bash", "c0", done.session, "text")
    assert store.list(owner="local").items == ()


def test_the_retrieval_tools_stand_in_front_of_the_clients(store: Store) -> None:
    """From the first request on, before anything is stubbed."""
    done = rewrite(request(), store=store, settings=Settings())
    assert sent(done)["tools"] == [*OURS, TOOL]
    assert done.injected == retrieval.NAMES


def test_allowed_tools_come_to_include_ours(store: Store) -> None:
    """Where the model has the choice; the client's stay in their order."""
    allowed = {"type": "function", "function": {"name": "Bash"}}
    choice = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [allowed]}}
    done = rewrite(request(tool_choice=choice), store=store, settings=Settings())
    names = [tool["function"]["name"] for tool in sent(done)["tool_choice"]["allowed_tools"]["tools"]]
    assert names == [*retrieval.NAMES, "Bash"]


@pytest.mark.parametrize("choice", ["none", "required", "auto", {"type": "function", "function": {"name": "Bash"}}])
def test_a_tool_choice_keeps_its_meaning_and_the_prefix_its_bytes(store: Store, choice: Any) -> None:
    """Whatever the choice: the same tools, the same stubs, the choice as it was."""
    done = rewrite(request(*turn(LARGE), tool_choice=choice), store=store, settings=Settings())
    free = rewrite(request(*turn(LARGE)), store=store, settings=Settings())
    assert sent(done) == {**sent(free), "tool_choice": choice}


def crowd(*names: str) -> list[dict[str, Any]]:
    """Tools of these names."""
    return [{"type": "function", "function": {"name": name}} for name in names]


@pytest.mark.parametrize(("more", "settings"), [
    ({"tools": []}, Settings()),
    ({"tools": None}, Settings()),
    ({"tools": [TOOL, None]}, Settings()),
    ({"n": 2}, Settings()),
    ({"tools": crowd("Bash", "toolstub_search")}, Settings()),
    ({"tools": crowd(*map(str, range(125)))}, Settings()),
    ({}, load_settings(preset="off")),
    ({}, Settings(preset="off")),
    ({}, Settings(externalize=Externalize(enabled=False), dedupe=Dedupe(enabled=False),
                  compact=Compact(enabled=False))),
])
def test_where_the_model_could_not_follow_a_stub_nothing_is_touched(
    store: Store, more: dict[str, Any], settings: Settings
) -> None:
    """No tools, several answers, a name of ours taken, no room for ours, switched off: the very same bytes."""
    body = request(*turn(LARGE), **more)
    done = rewrite(body, store=store, settings=settings)
    assert done.body is body
    assert (done.injected, done.decisions) == ((), ())
    assert done.reading is not None
    assert done.text[done.messages_end] == "]"
    assert store.stats()["originals"] == 0


def test_there_is_room_for_128_tools(store: Store) -> None:
    """Ours included."""
    done = rewrite(request(tools=crowd(*map(str, range(128 - len(retrieval.NAMES))))), store=store, settings=Settings())
    assert len(sent(done)["tools"]) == 128


@pytest.mark.parametrize(("messages", "offered"), [
    ([], False),
    (turn(SMALL), False),
    (turn(LARGE), True),
    (turn("[toolstub] tool result externalized\nref: ts_0123456789abcdef"), True),
    (turn("lines 1-9 of 9", tool="toolstub_read"), True),
])
def test_offered_when_stubbed_means_once_there_is_a_stub(store: Store, messages: list[Any], offered: bool) -> None:
    """In this request or in the history, also one that somebody else left there."""
    body = request(*messages)
    done = rewrite(body, store=store, settings=Settings(inject="when_stubbed"))
    assert bool(done.injected) is offered
    assert (done.body is not body) is offered


@pytest.mark.parametrize(("tool", "text"), [
    ("toolstub_read", LARGE),
    ("mcp__toolstub__toolstub_search", LARGE),
    ("Bash", "[toolstub] lines 1-9 of 900\n" + LARGE[:4_000]),
    ("call_tool", '{"content": [{"type": "text", "text": "[toolstub] lines 1-9 of 900' + LARGE[:4_000]),
])
def test_a_reply_of_ours_is_never_stubbed(store: Store, tool: str, text: str) -> None:
    """Whatever tool handed it on."""
    settings = Settings(externalize=Externalize(threshold_chars=100))
    done = rewrite(request(*turn(text, tool=tool)), store=store, settings=settings)
    assert [(d.action, d.reason) for d in done.decisions] == [("kept", "own reply")]


def test_a_text_that_only_begins_like_a_reply_is_a_result(store: Store) -> None:
    """No reply of ours is that long."""
    done = rewrite(request(*turn("[toolstub] " + LARGE)), store=store, settings=Settings())
    assert done.decisions[0].action == "externalized"


def test_hidden_rounds_are_put_back_with_everything_else(store: Store) -> None:
    """Each in its place, and the end of the messages is still known."""
    rewriter = Rewriter(store, Settings())
    first = rewriter.rewrite(request(*turn(LARGE)))
    assert first.reading is not None
    hidden = [{"role": "assistant", "content": "let me see"}, {"role": "user", "content": "\u4e2d\ud83d"}]
    hidden_rounds.remember(store, first.reading, owner="local", session=first.session, visible_text="done",
                           visible_calls=(), before=json.dumps(hidden)[1:-1], calls="", results="")
    answer = {"role": "assistant", "content": "done"}
    second = rewriter.rewrite(request(*turn(LARGE), answer, USER))
    assert second.session == first.session
    messages = sent(second)["messages"]
    assert messages[:3] == sent(first)["messages"]
    assert messages[3:] == [*hidden, answer, USER]
    assert second.text[second.messages_end] == "]"
    extended = second.text[:second.messages_end] + ",{}" + second.text[second.messages_end:]
    assert json.loads(extended)["messages"] == [*messages, {}]


def test_a_round_that_comes_late_stands_beside_what_is_old(store: Store) -> None:
    """What was made of the beginning is made anew, and results that were cleared in it stay cleared."""
    clear = Clear(enabled=True, tool_result_token_threshold=8_000, keep_recent_tokens=4_000, step_tokens=0)
    settings = Settings(externalize=Externalize(enabled=False), dedupe=Dedupe(enabled=False), clear=clear)
    rewriter = Rewriter(store, settings)
    first = rewriter.rewrite(request(*turn("a" + LARGE)), session="s")
    assert first.reading is not None
    history = [*turn("a" + LARGE), {"role": "assistant", "content": "done"}, USER]
    for start in range(1, 6):
        history += turn(f"{start}{LARGE}", start=start)
        before = rewriter.rewrite(request(*history), session="s")
    assert "cleared" in [decision.action for decision in before.decisions]
    hidden_rounds.remember(store, first.reading, owner="local", session="s", visible_text="done", visible_calls=(),
                           before=json.dumps({"role": "user", "content": "late"}), calls="", results="")
    history += turn(SMALL, start=6)
    late = rewriter.rewrite(request(*history), session="s")
    assert late.body == rewrite(request(*history), store=store, settings=settings, session="s").body
    assert "late" in late.text


@pytest.mark.parametrize("ends", [b"]}", b' \n ] , "stream": true}'])
def test_the_end_of_the_messages_is_known_however_it_is_written(store: Store, ends: bytes) -> None:
    """With tools behind the messages or in front of them."""
    body = request(*turn(LARGE)).removesuffix(b"]}") + ends
    done = rewrite(body, store=store, settings=Settings())
    assert done.text[done.messages_end] == "]"
    assert json.loads(done.text[:done.messages_end] + ",7" + done.text[done.messages_end:])["messages"][-1] == 7


@pytest.mark.parametrize(("header", "body", "expected"), [
    ("h", request(prompt_cache_key="k"), "h"), (None, request(prompt_cache_key="k"), "k"),
])
def test_a_session_is_what_the_client_calls_it(store: Store, header: str | None, body: bytes, expected: str) -> None:
    """A header goes before the body."""
    assert rewrite(body, store=store, settings=Settings(), session=header).session == expected


def test_a_session_without_a_name_is_what_it_began_with(store: Store) -> None:
    """It lasts as the conversation grows; another owner's, or another beginning, is another one."""
    def session(body: bytes, owner: str = "local") -> str:
        return rewrite(body, store=store, settings=Settings(), owner=owner).session

    began = session(request())
    assert began == session(request(*turn(SMALL), USER, *turn(LARGE)))
    assert len({began, session(request(), "other"), session(request(messages=[{"role": "user", "content": "x"}])),
                session(request(messages=[{"role": "system", "content": "s"}, USER]))}) == 4


def test_paths_and_bodies_that_are_not_understood_leave_as_they_came(store: Store) -> None:
    """No reading, no tools, no error."""
    rewriter = Rewriter(store, Settings())
    for path, body in (("/v1/models", request(*turn(LARGE))), ("/v1/chat/completions", b"\xff{}"),
                       ("/v1/chat/completions", b"[]"), ("/v1/chat/completions", b"")):
        done = rewriter.rewrite(body, path=path)
        assert done.body is body
        assert (done.reading, done.injected, done.decisions) == (None, (), ())
        assert done.chars_before == done.chars_after == len(body.decode("utf-8", "replace"))
        assert done.tokens_before == done.tokens_after
    assert not rewriter.faults


def test_a_fault_of_ours_is_logged_once_of_its_kind_and_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Law 6: the body goes as it came; the traceback is there for whoever asks for it."""
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("toolstub_ext.rewriting.memory.synopsis_of", broken)
    caplog.set_level(logging.DEBUG, "toolstub_ext")
    rewriter = Rewriter(store, Settings())
    body = request(*turn(LARGE))
    assert [rewriter.rewrite(body).body is body for _ in range(3)] == [True] * 3
    assert rewriter.faults == {"ZeroDivisionError": 3}
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1
    assert "ZeroDivisionError: a bug" in warnings[0]
    assert any(record.exc_info for record in caplog.records)


def test_the_preset_openviking_uses_its_own_synopses(store: Store) -> None:
    """Its caps are exact: ten keys of an object, where ours show what fits."""
    text = json.dumps({f"key{number:02}": "v" * 2_000 for number in range(15)})
    shown = {}
    for preset in ("default", "openviking"):
        done = rewrite(request(*turn(text)), store=store, settings=load_settings(preset=preset))
        stub = sent(done)["messages"][2]["content"]
        shown[preset] = [number for number in range(15) if f"key{number:02}" in stub]
    assert shown["openviking"] == list(range(10))
    assert len(shown["default"]) > 10
