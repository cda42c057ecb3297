"""Chat completions: which texts are tool results, whose they are, and where the body may be changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from formats_support import known_of

from toolstub_ext.errors import WireError
from toolstub_ext.transcript import ToolResult
from toolstub_ext.wire import Beginning, Edit, Reading, chat, splice, wire_for


def call(call_id: str, tool: str = "Bash", arguments: str = "{}") -> dict[str, Any]:
    """A tool call as an assistant message holds it."""
    return {"id": call_id, "type": "function", "function": {"name": tool, "arguments": arguments}}


def asks(*calls: dict[str, Any], content: Any = None) -> dict[str, Any]:
    """An assistant message that makes calls."""
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def answers(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    """A tool message."""
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def read(*messages: dict[str, Any], **more: Any) -> Reading:
    """The reading of a request with these messages."""
    return chat.read(json.dumps({"messages": list(messages), **more}))


USER = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(("message", "texts"), [
    (answers("c", "out"), {"/messages/2/content": "out"}),
    (answers("c", ""), {"/messages/2/content": ""}),
    (answers("c", "\ud83d \U0001f600"), {"/messages/2/content": "\ud83d \U0001f600"}),
    (answers("c", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
     {"/messages/2/content/0/text": "a", "/messages/2/content/1/text": "b"}),
    (answers("c", [{"type": "image_url", "image_url": {"url": "data:"}},
                   {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}]),
     {"/messages/2/content/1/text": "b"}),
    (answers("c", [{"type": "text", "text": None}, {"type": "text"}, "loose", 5, None]), {}),
    (answers("c", None), {}),
    (answers("c", {"type": "text", "text": "a"}), {}),
    ({"role": "tool", "tool_call_id": "c"}, {}),
    ({"role": "function", "name": "Bash", "content": "out"}, {"/messages/2/content": "out"}),
    ({"role": "user", "content": "Observation: out"}, {}),
    ({"role": "assistant", "content": "out"}, {}),
    ({"role": "system", "content": "out"}, {}),
])
def test_only_texts_of_tool_messages_are_results(message: dict[str, Any], texts: dict[str, str]) -> None:
    """A string, or the text parts of a list; images, other roles and malformed parts are left alone."""
    reading = read(USER, asks(call("c")), message)
    assert {str(result.slot): result.text for result in reading.transcript.results} == texts
    for result in reading.transcript.results:
        assert json.loads(reading.body[result.slot.start:result.slot.end]) == result.text


def _whose(results: tuple[ToolResult, ...]) -> list[tuple[str | None, str, str | None]]:
    return [(result.tool, result.arguments, result.call_id) for result in results]


@pytest.mark.parametrize(("messages", "whose"), [
    ([asks(call("a", "Read", '{"p":1}'), call("b", "Bash")), answers("b", "2"), answers("a", "1")],
     [("Bash", "{}", "b"), ("Read", '{"p":1}', "a")]),
    ([asks(call("0", "Read")), answers("0", "1"), asks(call("0", "Bash")), answers("0", "2")],
     [("Read", "{}", "0"), ("Bash", "{}", "0")]),
    ([asks(call("", "Read"), call("", "Bash")), answers("", "1"), answers("", "2")],
     [("Read", "{}", None), ("Bash", "{}", None)]),
    ([asks(call("a", "Read")), {"role": "assistant", "content": "hm"}, answers("a", "1")], [("Read", "{}", "a")]),
    ([answers("lost", "1"), answers("lost", "1", name="Read")], [(None, "", "lost"), ("Read", "", "lost")]),
    ([asks({"id": "x", "type": "custom", "custom": {"name": "patch", "input": "***"}}), answers("x", "1")],
     [("patch", "***", "x")]),
    ([{"role": "assistant", "function_call": {"name": "Read", "arguments": "{1}"}},
      {"role": "function", "name": "Read", "content": "1"}], [("Read", "{1}", None)]),
    ([asks({"id": 5, "function": "no"}), answers("5", "1")], [(None, "", "5")]),
    ([asks(call("a")), answers("a", "1"), asks(call("b")), answers("a", "2")], [("Bash", "{}", "a"), (None, "", "a")]),
])
def test_a_result_is_paired_with_the_call_of_its_turn_that_has_its_id(messages: list[Any], whose: list[Any]) -> None:
    """Out of order, with ids that repeat from turn to turn or within one, and with ids that are lost."""
    assert _whose(read(USER, *messages).transcript.results) == whose


def test_turns_and_requests_are_counted_from_what_stands_before() -> None:
    """A turn is a run of assistant messages and what answers it; requests are the assistant messages before."""
    results = read(
        USER, asks(call("a")), answers("a", "1"), USER, answers("a", "2"),
        {"role": "assistant", "content": "so"}, asks(call("b")), answers("b", "3"), asks(call("c")), answers("c", "4"),
    ).transcript.results
    assert [(result.turn, result.requests) for result in results] == [(0, 1), (0, 1), (1, 3), (2, 4)]


@pytest.mark.parametrize(("tools", "names"), [
    ([{"type": "function", "function": {"name": "a"}}, {"type": "custom", "custom": {"name": "b"}}, {"name": "c"}],
     ("a", "b", "c")),
    ([{"type": "web_search"}], ("",)),
    ([], None), (None, None), ({}, None), ("x", None), ([{"name": "a"}, "b"], None), ([None], None),
])
def test_tools_count_if_all_of_them_are_objects(tools: Any, names: tuple[str, ...] | None) -> None:
    """The place for ours is just after the bracket; without tools of the client there is none."""
    reading = read(USER, tools=tools)
    assert reading.terms.tool_names == (names or ())
    if names is None:
        assert reading.terms.tools_at is None
    else:
        assert reading.terms.tools_at is not None
        text = splice(reading.body, [Edit(reading.terms.tools_at, reading.terms.tools_at, "1,")])
        assert json.loads(text)["tools"] == [1, *tools]


def test_without_tools_there_is_no_place_for_ours() -> None:
    """The older `functions` are no tools."""
    assert read(USER, functions=[{"name": "a"}]).terms.tools_at is None


@pytest.mark.parametrize(("choice", "opens"), [
    ({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function"}]}}, True),
    ({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"type": "function"}]}}, False),
    ({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}, False),
    ({"type": "allowed_tools", "allowed_tools": []}, False),
    ({"type": "function", "function": {"name": "a"}}, False),
    ("none", False), ("auto", False), ("required", False), (None, False),
])
def test_ours_may_be_allowed_where_the_model_has_the_choice(choice: Any, opens: bool) -> None:
    """A list of allowed tools is opened to ours unless the client forces a call."""
    reading = read(USER, tools=[{"name": "a"}], tool_choice=choice)
    assert (reading.terms.allowed_at is not None) is opens
    if reading.terms.allowed_at is not None:
        text = splice(reading.body, [Edit(reading.terms.allowed_at, reading.terms.allowed_at, "1,")])
        assert json.loads(text)["tool_choice"]["allowed_tools"]["tools"][0] == 1


@pytest.mark.parametrize(("more", "expected"), [
    ({}, (False, None, False)),
    ({"stream": True, "n": 1, "prompt_cache_key": "k"}, (True, "k", False)),
    ({"stream": False, "n": 2, "prompt_cache_key": ""}, (False, None, True)),
    ({"stream": None, "n": None, "prompt_cache_key": 7}, (False, None, False)),
    ({"n": 2.0}, (False, None, True)),
    ({"n": "1"}, (False, None, True)),
])
def test_what_else_a_request_says(more: dict[str, Any], expected: tuple[bool, str | None, bool]) -> None:
    """Streamed or not, the conversation's name, and whether several answers are asked for."""
    reading = read(USER, **more)
    assert (reading.terms.stream, reading.terms.session, reading.terms.several) == expected


def test_messages_tell_a_conversation_apart() -> None:
    """Role, text, calls made and the call answered, each with its span."""
    made = asks(call("a"), call("b"), content=[{"type": "text", "text": "x"}, {"type": "text", "text": "y"}])
    reading = read(USER, made, answers("a", "1"))
    assert [(m.role, m.text, m.calls, m.answers) for m in reading.messages] == [
        ("user", "hi", (), None), ("assistant", "xy", ("a", "b"), None), ("tool", "1", (), "a"),
    ]
    assert [json.loads(reading.body[m.start:m.end]) for m in reading.messages] == [USER, made, answers("a", "1")]
    calls_at = reading.messages[1].calls_at
    assert calls_at is not None
    assert reading.body[calls_at - 1:].startswith('[{"id": "a"')
    assert reading.body[reading.messages_end:] == "]}"


def test_the_last_of_two_members_counts() -> None:
    """A body with two lists of messages is read as the provider reads it."""
    reading = chat.read('{"messages": [{"role":"tool","content":"old"}], "messages": [{"role":"tool","content":"new",'
                        '"content":"newer"}]}')
    assert [result.text for result in reading.transcript.results] == ["newer"]
    assert reading.messages_end == len(reading.body) - 2


@pytest.mark.parametrize("body", [
    "[]", '"x"', "1", "{}", '{"messages": {}}', '{"messages": null}', '{"messages": ["x"]}', '{"messages": [[]]}',
    '{"messages": [null]}', '{"messages": [}', '{"messages": []} {}', '{"messages": [NaN]}',
])
def test_what_is_no_chat_request_is_refused(body: str) -> None:
    """The caller forwards it as it came."""
    with pytest.raises(WireError):
        chat.read(body)


@pytest.mark.parametrize(("path", "name"), [
    ("/v1/chat/completions", "chat"), ("/chat/completions", "chat"), ("/v1/chat/completions?x=/y", "chat"),
    ("/openai/deployments/d/chat/completions?api-version=1", "chat"), ("/v1/chat/completions/", "chat"),
    ("/v1/completions", None), ("/v1/chat/completions/abc", None), ("/", None), ("", None),
    ("/x?path=/chat/completions", None),
])
def test_a_path_says_what_is_spoken_there(path: str, name: str | None) -> None:
    """Whatever stands in front of it; paths that are not known have no format."""
    wire = wire_for(path)
    assert (wire.name if wire else None) == name


def test_edits_at_one_place_are_made_in_their_order() -> None:
    """Insertions do not overtake each other, and what is between edits stays."""
    assert splice("abcdef", [Edit(4, 5, "E"), Edit(1, 1, "1"), Edit(1, 1, "2"), Edit(1, 3, "")]) == "a12dEf"


TURNS = [asks(call("a", "Read")), answers("a", "1"), asks(call("a")), answers("a", "2"), USER, asks(call("b")),
         answers("b", "3"), {"role": "assistant", "content": "so"}]


@pytest.mark.parametrize("front", [{}, {"tools": [{"name": "t"}], "n": 2}])
@pytest.mark.parametrize("back", [{}, {
    "tools": [{"name": "u"}], "stream": True, "prompt_cache_key": "k",
    "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"name": "u"}]}},
}])
def test_a_known_beginning_changes_the_time_and_nothing_else(front: dict[str, Any], back: dict[str, Any]) -> None:
    """Each reading of a growing conversation is what it would be on its own, wherever the tools stand."""
    known: list[tuple[Beginning, str]] = []
    for count in range(len(TURNS) + 1):
        body = json.dumps({**front, "messages": [USER, *TURNS[:count]], **back})
        readings = [chat.read(body)]
        for beginning, begins in known:
            assert body.startswith(begins)
            readings.append(chat.read(body, beginning))
            assert readings[-1] == readings[0]
        known = known_of(readings[-1])
    assert [message.role for message in known[0][0].messages].count("assistant") == 2


def test_what_stood_behind_the_messages_is_no_part_of_a_beginning() -> None:
    """Tools, name and streaming of the request before do not leak into the next."""
    for known, begins in known_of(read(USER, *TURNS, tools=[{"name": "t"}], stream=True, prompt_cache_key="k", n=2)):
        body = begins + "]}"
        assert chat.read(body, known) == chat.read(body)


@pytest.mark.parametrize("rest", [
    "", "]", "]}x", ",]}", ", 5]}", "}", '],"a":}', ",{}]", "],}", " {}]}", '],"messages":7}', '],"messages":[]}',
    ' ] , "messages" : [ {"role": "tool", "content": "x"} ] } ', "]}", ',{"role":"tool","content":"x"}]}',
])
def test_what_follows_a_known_beginning_is_read_as_strictly(rest: str) -> None:
    """Errors are errors, and a second list of messages counts in place of the first."""
    for known, begins in known_of(read(USER, *TURNS)):
        body = begins + rest
        try:
            whole = chat.read(body)
        except WireError:
            with pytest.raises(WireError):
                chat.read(body, known)
        else:
            assert chat.read(body, known) == whole
