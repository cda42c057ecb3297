"""Messages: which texts are tool results, whose they are, and where the body may be changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from formats_support import known_of

from toolstub_ext.errors import WireError
from toolstub_ext.wire import Beginning, Edit, Reading, messages, splice, wire_for

MARK = {"cache_control": {"type": "ephemeral"}}
USER = {"role": "user", "content": "hi"}


def call(call_id: str, tool: str = "Bash", given: Any = None) -> dict[str, Any]:
    """A call as an assistant message holds it."""
    return {"type": "tool_use", "id": call_id, "name": tool, "input": given or {}}


def asks(*blocks: Any) -> dict[str, Any]:
    """An assistant message."""
    return {"role": "assistant", "content": list(blocks)}


def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    """A block that answers a call."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def answers(*blocks: Any) -> dict[str, Any]:
    """A user message."""
    return {"role": "user", "content": list(blocks)}


def read(*said: dict[str, Any], **more: Any) -> Reading:
    """The reading of a request with these messages."""
    return messages.read(json.dumps({"messages": list(said), **more}))


@pytest.mark.parametrize(("block", "texts"), [
    (result("c", "out"), {"/messages/2/content/0/content": "out"}),
    (result("c", "out", is_error=True, **MARK), {"/messages/2/content/0/content": "out"}),
    (result("c", "\ud83d \U0001f600"), {"/messages/2/content/0/content": "\ud83d \U0001f600"}),
    (result("c", [{"type": "text", "text": "a", **MARK}, {"type": "text", "text": "b"}]),
     {"/messages/2/content/0/content/0/text": "a", "/messages/2/content/0/content/1/text": "b"}),
    (result("c", [{"type": "image", "source": {"type": "base64", "data": "text"}},
                  {"type": "document", "source": {"type": "text", "data": "text"}},
                  {"type": "search_result", "content": [{"type": "text", "text": "x"}]},
                  {"type": "tool_reference", "tool_name": "x"}, {"type": "text", "text": "b"}]),
     {"/messages/2/content/0/content/4/text": "b"}),
    (result("c", [{"type": "text", "text": None}, {"type": "text"}, "loose", 5, None]), {}),
    (result("c", None), {}),
    ({"type": "tool_result", "tool_use_id": "c"}, {}),
    ({"type": "text", "text": "pasted"}, {}),
    ({"type": "web_search_tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "x"}]}, {}),
    ({"type": "code_execution_tool_result", "tool_use_id": "c", "content": {"stdout": "x"}}, {}),
    ({"type": "mcp_tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "x"}]}, {}),
])
def test_only_texts_of_tool_results_are_results(block: dict[str, Any], texts: dict[str, str]) -> None:
    """A string, or the text parts of a list; what else a result may hold is left alone, and so are server tools."""
    reading = read(USER, asks(call("c")), answers(block))
    assert {str(found.slot): found.text for found in reading.transcript.results} == texts
    for found in reading.transcript.results:
        assert json.loads(reading.body[found.slot.start:found.slot.end]) == found.text


@pytest.mark.parametrize("message", [
    {"role": "user", "content": "text"}, {"role": "assistant", "content": [result("c", "x")]},
    {"role": "user", "content": ["loose"]}, {"role": "user"}, {"role": "user", "content": 5},
    asks({"type": "thinking", "thinking": "x", "signature": "s"}, {"type": "server_tool_use", "id": "c"}),
    {"role": "system", "content": [{"type": "text", "text": "x"}]},
])
def test_nothing_else_is_a_result(message: dict[str, Any]) -> None:
    """Whatever a message holds, and however malformed it is."""
    assert read(USER, asks(call("c")), message).transcript.results == ()


def test_results_are_paired_with_their_calls() -> None:
    """Out of order; the arguments are those the model wrote, and an error is known as one."""
    results = read(
        USER, asks(call("a", "Read", {"p": 1}), call("b")), answers(result("b", "2", is_error=True), result("a", "1")),
        asks(call("d")), answers(result("d", "3"), {"type": "text", "text": "why?"}), answers(result("lost", "4")),
    ).transcript.results
    assert [(r.tool, r.arguments, r.call_id, r.is_error, r.turn, r.requests) for r in results] == [
        ("Bash", "{}", "b", True, 0, 1), ("Read", '{"p": 1}', "a", False, 0, 1), ("Bash", "{}", "d", False, 1, 2),
        (None, "", "lost", False, 1, 2),
    ]


def test_what_the_user_said_is_known_with_its_place() -> None:
    """Beside results too."""
    said = read(USER, asks(call("a")), answers(result("a", "1"), {"type": "text", "text": "why?"})).transcript.said
    assert [(each.text, each.results) for each in said] == [("hi", 0), ("why?", 1)]


def test_tools_have_their_place_in_front() -> None:
    """Server tools count by their names; without tools there is no place for ours."""
    tools = [{"name": "a", "input_schema": {}, **MARK}, {"type": "web_search_20250305", "name": "web_search"},
             {"type": "mcp_toolset"}]
    reading = read(USER, tools=tools, stream=True)
    assert (reading.terms.tool_names, reading.terms.stream) == (("a", "web_search", ""), True)
    at = reading.terms.tools_at
    assert at is not None
    assert json.loads(splice(reading.body, [Edit(at, at, "1,")]))["tools"] == [1, *tools]
    nothing: list[Any] = [[], None, {}, ["a"]]
    assert [read(USER, tools=tools).terms.tools_at for tools in nothing] == [None] * 4


def test_messages_tell_a_conversation_apart() -> None:
    """Role, texts, calls made and answered, and the places where hidden rounds go."""
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    made = asks(thought, {"type": "text", "text": "x"}, call("a"), call("b"))
    told = answers(result("a", "1"), result("b", [{"type": "text", "text": "2"}]), {"type": "text", "text": "y"})
    reading = read(USER, made, told)
    assert [(m.role, m.text, m.calls, m.answers) for m in reading.messages] == [
        ("user", "hi", (), None), ("assistant", "x", ("a", "b"), None), ("user", "12y", (), "a b"),
    ]
    _, assistant, user = reading.messages
    assert [json.loads(reading.body[p.start:p.end]) for p in assistant.pieces] == made["content"]
    assert len({piece.identity for piece in assistant.pieces}) == 4
    assert assistant.calls_at == assistant.pieces[2].start
    assert user.answers_at is not None
    assert reading.body[user.answers_at:].startswith('{"type": "tool_result", "tool_use_id": "a"')
    assert reading.body[reading.messages_end:] == "]}"


@pytest.mark.parametrize("body", [
    "[]", "1", "{}", '{"messages": {}}', '{"messages": ["x"]}', '{"messages": [null]}', '{"messages": [}',
    '{"role": "user", "content": "a message of another API"}',
])
def test_what_is_no_such_request_is_refused(body: str) -> None:
    """The caller forwards it as it came."""
    with pytest.raises(WireError):
        messages.read(body)


@pytest.mark.parametrize(("path", "name"), [
    ("/v1/messages", "messages"), ("/messages", "messages"), ("/v1/messages?beta=true", "messages"),
    ("/anthropic/v1/messages", "messages"), ("/v1/messages/count_tokens", None), ("/v1/messages/batches", None),
    ("/v1/threads/thread_1/messages", None), ("/v1/complete", None),
])
def test_a_path_says_what_is_spoken_there(path: str, name: str | None) -> None:
    """Messages of other APIs are none of ours."""
    wire = wire_for(path)
    assert (wire.name if wire else None) == name


TURNS = [asks(call("a", "Read")), answers(result("a", "1")), asks(call("a")), answers(result("a", "2")), USER,
         asks(call("b")), answers(result("b", "3")), asks({"type": "text", "text": "so"})]


@pytest.mark.parametrize("front", [{}, {"tools": [{"name": "t"}], "system": [{"type": "text", "text": "s"}]}])
@pytest.mark.parametrize("back", [{}, {"tools": [{"name": "u"}], "stream": True}])
def test_a_known_beginning_changes_the_time_and_nothing_else(front: dict[str, Any], back: dict[str, Any]) -> None:
    """Each reading of a growing conversation is what it would be on its own, wherever the tools stand."""
    known: list[tuple[Beginning, str]] = []
    for count in range(len(TURNS) + 1):
        body = json.dumps({**front, "messages": [USER, *TURNS[:count]], **back})
        readings = [messages.read(body)]
        for beginning, begins in known:
            assert body.startswith(begins)
            readings.append(messages.read(body, beginning))
            assert readings[-1] == readings[0]
        known = known_of(readings[-1])
    assert known


def test_a_second_list_of_messages_counts_in_place_of_the_first() -> None:
    """As the provider reads it, also behind a known beginning."""
    for known, begins in known_of(read(USER, *TURNS)):
        body = begins + '],"messages":[]}'
        assert messages.read(body, known) == messages.read(body)
