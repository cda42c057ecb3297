"""Responses: which texts are tool results, whose they are, and where the body may be changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from formats_support import known_of

from toolstub_ext.errors import WireError
from toolstub_ext.wire import Beginning, Continued, Edit, Reading, responses, splice, wire_for

USER = {"role": "user", "content": "hi"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}


def call(call_id: str, tool: str = "Bash", arguments: str = "{}") -> dict[str, Any]:
    """A function call."""
    return {"type": "function_call", "call_id": call_id, "name": tool, "arguments": arguments}


def output(call_id: str, text: Any, kind: str = "function_call") -> dict[str, Any]:
    """What answers it."""
    return {"type": f"{kind}_output", "call_id": call_id, "output": text}


def read(*items: dict[str, Any], **more: Any) -> Reading:
    """The reading of a request with these items."""
    return responses.read(json.dumps({"input": list(items), **more}))


@pytest.mark.parametrize(("item", "texts"), [
    (output("c", "out"), {"/input/2/output": "out"}),
    (output("c", "\ud83d \U0001f600"), {"/input/2/output": "\ud83d \U0001f600"}),
    (output("c", [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:"},
                  {"type": "input_file", "file_data": "x"}, {"type": "input_text", "text": "b"}]),
     {"/input/2/output/0/text": "a", "/input/2/output/3/text": "b"}),
    (output("c", "out", "custom_tool_call"), {"/input/2/output": "out"}),
    (output("c", '{"output":"x"}', "local_shell_call"), {"/input/2/output": '{"output":"x"}'}),
    (output("c", "log", "apply_patch_call"), {"/input/2/output": "log"}),
    (output("c", [{"stdout": "o", "stderr": "e", "outcome": {"type": "exit", "exit_code": 1}}, {"stdout": "p"}, 5],
            "shell_call"),
     {"/input/2/output/0/stdout": "o", "/input/2/output/0/stderr": "e", "/input/2/output/1/stdout": "p"}),
    (output("c", {"type": "computer_screenshot", "image_url": "data:"}, "computer_call"), {}),
    (output("c", [{"type": "function", "name": "x"}], "tool_search"), {}),
    (output("c", "x", "program"), {}),
    ({"type": "mcp_call", "id": "c", "output": "x"}, {}),
    ({"type": "code_interpreter_call", "id": "c", "outputs": [{"type": "logs", "logs": "x"}]}, {}),
    ({"type": "file_search_call", "id": "c", "results": [{"text": "x"}]}, {}),
    ({"type": "additional_tools", "tools": []}, {}), ({"type": "item_reference", "id": "c"}, {}),
    ({"type": "compaction", "encrypted_content": "x"}, {}), (THOUGHT, {}), (SAID, {}),
    (output("c", None), {}), (output("c", 5), {}), (output("c", [{"type": "input_text"}, "loose", None]), {}),
    ({"role": "user", "content": [{"type": "input_text", "text": "pasted"}]}, {}),
])
def test_only_texts_of_tool_outputs_are_results(item: dict[str, Any], texts: dict[str, str]) -> None:
    """Of functions, custom tools, shells and patches; what the provider's own tools found is left alone."""
    reading = read(USER, call("c"), item)
    assert {str(found.slot): found.text for found in reading.transcript.results} == texts
    for found in reading.transcript.results:
        assert json.loads(reading.body[found.slot.start:found.slot.end]) == found.text


@pytest.mark.parametrize(("made", "answer", "whose"), [
    (call("c", "Read", '{"p":1}'), output("c", "x"), ("Read", '{"p":1}')),
    ({"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "***"},
     output("c", "x", "custom_tool_call"), ("patch", "***")),
    ({"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}}, output("c", "x", "local_shell_call"),
     ("local_shell", '{"command": ["ls"]}')),
    ({"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}},
     output("c", [{"stdout": "x"}], "shell_call"), ("shell", '{"commands": ["ls"]}')),
    ({"type": "tool_search_call", "call_id": "c", "execution": "client", "arguments": {"q": "x"}}, output("c", "x"),
     ("tool_search", '{"q": "x"}')),
    ({"type": "tool_search_call", "call_id": "c", "execution": "server"}, output("c", "x"), (None, "")),
    (call("other"), output("c", "x"), (None, "")),
])
def test_a_result_is_paired_with_its_call(made: dict[str, Any], answer: dict[str, Any], whose: Any) -> None:
    """By the call's id; with the name and what was asked for, as the model wrote it."""
    (result,) = read(USER, made, answer).transcript.results
    assert (result.tool, result.arguments) == whose


def test_who_approves_answers_what_was_asked_for() -> None:
    """By the id of the request; there is no result in it."""
    asked = {"type": "mcp_approval_request", "id": "a", "name": "x", "arguments": "{}", "server_label": "s"}
    approved = {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True, "id": "b"}
    reading = read(USER, asked, approved)
    assert reading.messages[1].calls == ("a",)
    assert (reading.messages[2].answers, reading.messages[2].answers_at) == ("a", reading.messages[2].start)
    assert not reading.transcript.results


def test_a_run_of_the_models_items_is_one_message() -> None:
    """Told by its texts and calls; each item is a piece of it, thoughts too."""
    reading = read(USER, THOUGHT, SAID, call("a"), call("b"), output("a", "1"), output("b", "2"), SAID, USER)
    assert [(m.role, m.text, m.calls, m.answers) for m in reading.messages] == [
        ("user", "hi", (), None), ("assistant", "x", ("a", "b"), None), ("function_call_output", "1", (), "a"),
        ("function_call_output", "2", (), "b"), ("assistant", "x", (), None), ("user", "hi", (), None),
    ]
    run, first = reading.messages[1:3]
    assert [piece.identity for piece in run.pieces] == [
        "reasoning sealed", "message x", "function_call a", "function_call b"]
    assert run.calls_at == run.pieces[2].start
    assert first.answers_at == first.start
    assert [(r.turn, r.requests) for r in reading.transcript.results] == [(0, 1), (0, 1)]
    assert reading.body[reading.messages_end:] == "]}"


@pytest.mark.parametrize("said", [
    SAID, {"role": "assistant", "content": "x"}, {**SAID, "id": "msg_1", "status": "completed"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "x"}, {"type": "refusal", "refusal": "no"}]},
])
def test_a_message_is_the_same_however_a_client_sends_it_again(said: dict[str, Any]) -> None:
    """With or without its id, as a text or in parts."""
    (_, message) = read(USER, said).messages
    assert (message.text, message.pieces[0].identity) == ("x", "message x")


def test_an_input_may_be_one_text() -> None:
    """It has no items, and no place to add some; but what to make of it is known."""
    reading = responses.read('{"input": "hi", "tools": [{"type": "function", "name": "a"}]}')
    assert [(m.role, m.text) for m in reading.messages] == [("user", "hi")]
    assert reading.body[reading.messages_end - reading.bare:reading.messages_end] == '"hi"'
    assert [said.text for said in reading.transcript.said] == ["hi"]


def test_tools_have_their_place_in_front_and_count_with_those_in_a_namespace() -> None:
    """Names of ours must clash with none of them."""
    tools = [{"type": "function", "name": "a"}, {"type": "namespace", "name": "n", "tools": [{"name": "b"}]},
             {"type": "web_search"}]
    reading = read(USER, tools=tools)
    assert reading.terms.tool_names == ("a", "n", "b", "")
    at = reading.terms.tools_at
    assert at is not None
    assert json.loads(splice(reading.body, [Edit(at, at, "1,")]))["tools"] == [1, *tools]


@pytest.mark.parametrize(("choice", "opens"), [
    ({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function"}]}, True),
    ({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function"}]}, False),
    ({"type": "allowed_tools", "mode": "auto", "tools": []}, False), ({"type": "function", "name": "a"}, False),
    ("auto", False), ("required", False), (None, False),
])
def test_ours_may_be_allowed_where_the_model_has_the_choice(choice: Any, opens: bool) -> None:
    """A list of allowed tools is opened to ours unless the client forces a call."""
    assert (read(USER, tools=[{"name": "a"}], tool_choice=choice).terms.allowed_at is not None) is opens


@pytest.mark.parametrize(("more", "expected"), [
    ({}, (False, None, False, None)),
    ({"stream": True, "prompt_cache_key": "k", "background": False}, (True, "k", False, None)),
    ({"background": True}, (False, None, True, None)), ({"conversation": {"id": "c"}}, (False, None, True, None)),
    ({"previous_response_id": "resp_1"}, (False, None, False, "resp_1")),
    ({"previous_response_id": None}, (False, None, False, None)),
])
def test_what_else_a_request_says(more: dict[str, Any], expected: Any) -> None:
    """Streamed or not, the conversation's name, whether the answer comes at once, and what it continues."""
    reading = read(USER, **more)
    continues = reading.terms.continues.answer if isinstance(reading.terms.continues, Continued) else None
    assert (reading.terms.stream, reading.terms.session, reading.terms.several, continues) == expected


@pytest.mark.parametrize("body", [
    "[]", "1", "{}", '{"input": {}}', '{"input": null}', '{"input": ["x"]}', '{"input": [null]}', '{"input": [}',
])
def test_what_is_no_such_request_is_refused(body: str) -> None:
    """The caller forwards it as it came."""
    with pytest.raises(WireError):
        responses.read(body)


@pytest.mark.parametrize(("path", "name"), [
    ("/v1/responses", "responses"), ("/responses?x=1", "responses"), ("/backend-api/codex/responses", "responses"),
    ("/v1/responses/compact", "responses"), ("/v1/responses/resp_1", None), ("/v1/responses/resp_1/cancel", None),
])
def test_a_path_says_what_is_spoken_there(path: str, name: str | None) -> None:
    """Only where the model reads a conversation."""
    wire = wire_for(path)
    assert (wire.name if wire else None) == name


TURNS = [THOUGHT, call("a", "Read"), output("a", "1"), call("a"), output("a", "2"), USER, SAID, call("b"),
         output("b", "3"), SAID]


@pytest.mark.parametrize("front", [{}, {"tools": [{"name": "t"}], "instructions": "s"}])
@pytest.mark.parametrize("back", [{}, {"tools": [{"name": "u"}], "stream": True, "previous_response_id": "r"}])
def test_a_known_beginning_changes_the_time_and_nothing_else(front: dict[str, Any], back: dict[str, Any]) -> None:
    """Each reading of a growing conversation is what it would be on its own, wherever the tools stand."""
    known: list[tuple[Beginning, str]] = []
    for count in range(len(TURNS) + 1):
        body = json.dumps({**front, "input": [USER, *TURNS[:count]], **back})
        readings = [responses.read(body)]
        for beginning, begins in known:
            assert body.startswith(begins)
            readings.append(responses.read(body, beginning))
            assert readings[-1] == readings[0]
        known = known_of(readings[-1])
    assert known


def test_a_second_input_counts_in_place_of_the_first() -> None:
    """As the provider reads it, also behind a known beginning."""
    for known, begins in known_of(read(USER, *TURNS)):
        body = begins + '],"input":"hi"}'
        assert responses.read(body, known) == responses.read(body)
