"""A client with Anthropic's SDK asks what only a hidden original says, and gets the answer without seeing how."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import anthropic
import pytest
from messages_upstream import MessagesUpstream
from proxy_support import ANSWER, Behind, Start, log_of

from toolstub_ext.synopsis import is_stub
from toolstub_ext.wire import messages as wire
from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.rounds import Limits

TOOL = {"name": "get_log", "description": "The log of a service.",
        "input_schema": {"type": "object", "properties": {"service": {"type": "string"}}}}
THINKING = {"type": "enabled", "budget_tokens": 1024}
PATH = "/v1/messages"
VERSION = {"anthropic-version": "2023-06-01"}


def _asked(*services: str) -> list[dict[str, Any]]:
    """A conversation in which the logs of some services were called for, and came."""
    calls = [{"type": "tool_use", "id": f"toolu_{s}", "name": "get_log", "input": {}} for s in services]
    results = [{"type": "tool_result", "tool_use_id": f"toolu_{s}", "content": log_of(s)} for s in services]
    return [{"role": "user", "content": "What is id_1234?"}, {"role": "assistant", "content": calls},
            {"role": "user", "content": results}]


def _body(messages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"model": "stand-in", "max_tokens": 4096, "messages": messages, "tools": [TOOL], **more}


async def _converse(behind: Behind, messages: list[dict[str, Any]], *, stream: bool, **more: Any) -> Any:
    """One turn with the SDK; its message is added to the conversation, as agents do."""
    request: Any = {**_body(messages), **more}
    async with anthropic.AsyncAnthropic(base_url=behind.url, api_key="any", max_retries=0) as client:
        if stream:
            async with client.messages.stream(**request) as events:
                async for event in events:
                    assert "toolstub_" not in event.model_dump_json()
            message: Any = await events.get_final_message()
        else:
            message = await client.messages.create(**request)
    assert "toolstub_" not in message.model_dump_json()
    content = [block.model_dump(exclude_none=True, exclude={"parsed_output", "caller"}) for block in message.content]
    messages.append({"role": "assistant", "content": content})
    return message


def _text(message: Any) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


def _answer_calls(messages: list[dict[str, Any]], text: str) -> None:
    messages.append({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": block["id"], "content": text}
        for block in messages[-1]["content"] if block["type"] == "tool_use"]})


@pytest.mark.parametrize("thinking", [False, True])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_whole_conversation(start: Start, stream: bool, thinking: bool) -> None:
    """Call, result, answer, and a question behind it: the upstream sees one growing conversation, byte for byte, with
    each thought under the signature it was given. The client sees the first of an answer's thoughts."""
    behind = await start(api=MessagesUpstream)
    more = {"thinking": THINKING} if thinking else {}
    messages: list[dict[str, Any]] = [{"role": "user", "content": "What is id_1234? SERVICE=a"}]
    first = await _converse(behind, messages, stream=stream, **more)
    assert first.stop_reason == "tool_use"
    _answer_calls(messages, log_of("a"))
    second = await _converse(behind, messages, stream=stream, **more)
    assert (_text(second), second.stop_reason) == (ANSWER, "end_turn")
    assert [block.type for block in second.content] == (["thinking", "text"] if thinking else ["text"])
    rounds = behind.upstream.bodies[1:]
    assert is_stub(rounds[0]["messages"][2]["content"][0]["content"])
    assert len(rounds) >= 2
    assert second.usage.input_tokens == sum(len(json.dumps(request)) // 4 for request in rounds)
    messages.append({"role": "user", "content": "What is id_1234?"})
    await _converse(behind, messages, stream=stream, **more)
    before, after = (request.decode() for request in behind.upstream.requests[-2:])
    end = wire.read(before).messages_end
    assert after[:end] == before[:end]
    (shown,) = [m for m in json.loads(after)["messages"] if m["role"] == "assistant"][-1:]
    assert [block["type"] for block in shown["content"]] == (["thinking", "text"] if thinking else ["text"])


async def test_text_arrives_before_the_upstream_has_sent_the_rest(start: Start) -> None:
    """The gate holds the last events back until the client has read the first."""
    behind = await start(api=MessagesUpstream, script=lambda body: Reply("word " * 20))
    behind.upstream.gate = asyncio.Event()
    request = _body(_asked("a"), stream=True)
    async with behind.http.post(behind.url + PATH, json=request, headers=VERSION) as answer:
        seen = b""
        while b"word" not in seen:
            seen += await answer.content.readany()
        assert b"message_stop" not in seen
        behind.upstream.gate.set()
        assert b"message_stop" in seen + await answer.content.read()


def _mixed(body: dict[str, Any]) -> Reply | None:
    """Ours and the client's tool in one turn, once, after a round of ours alone."""
    match sum(message["role"] == "assistant" for message in body["messages"]):
        case 1:
            return Reply("First. ", (("toolstub_list", "{}"),))
        case 2:
            return Reply("Both. ", (("toolstub_search", '{"query": "id_1234"}'), ("get_log", '{"service": "b"}')))
    return None


@pytest.mark.parametrize("thinking", [False, True])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_mixed_turn_shows_the_clients_call_and_comes_back_whole(
    start: Start, stream: bool, thinking: bool,
) -> None:
    """Our call is answered meanwhile; the next request has each round as it was, results first in the user's turn."""
    behind = await start(api=MessagesUpstream, script=_mixed)
    more = {"thinking": THINKING} if thinking else {}
    messages: list[dict[str, Any]] = [{"role": "user", "content": "What is id_1234? SERVICE=a"}]
    await _converse(behind, messages, stream=stream, **more)
    _answer_calls(messages, log_of("a"))
    message = await _converse(behind, messages, stream=stream, **more)
    assert [block.name for block in message.content if block.type == "tool_use"] == ["get_log"]
    assert message.stop_reason == "tool_use"
    _answer_calls(messages, "short")
    message = await _converse(behind, messages, stream=stream, **more)
    assert _text(message) == ANSWER
    first, listed, both, results = behind.upstream.bodies[-1]["messages"][3:7]
    thought = ["thinking"] * thinking
    assert [block.get("name", block["type"]) for block in first["content"]] == [*thought, "text", "toolstub_list"]
    assert listed["content"][0]["tool_use_id"] == first["content"][-1]["id"]
    assert [block.get("name", block["type"]) for block in both["content"]] \
        == [*thought, "text", "toolstub_search", "get_log"]
    ours, theirs = results["content"]
    assert "id_1234=v5214" in ours["content"]
    assert theirs["content"] == "short"


@pytest.mark.parametrize("stream", [False, True])
async def test_parallel_calls_of_ours_are_all_answered(start: Start, stream: bool) -> None:
    """In one hidden round."""
    calls = tuple(("toolstub_search", json.dumps({"query": q})) for q in ("id_1=", "id_1234", "id_2="))
    behind = await start(api=MessagesUpstream,
                         script=lambda body: Reply("", calls) if len(body["messages"]) < 4 else None)
    assert _text(await _converse(behind, _asked("a", "b"), stream=stream)) == ANSWER


@pytest.mark.parametrize("arguments", ["", "{", '{"ref": 5}', "[]", "null", '{"ref": "ts_0000000000000000"}'])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_bad_call_gets_a_reply_that_says_what_is_wrong(start: Start, stream: bool, arguments: str) -> None:
    """Malformed arguments and refs that the model made up cost a round, never the answer."""
    tried = iter([True])
    behind = await start(api=MessagesUpstream, script=lambda body: Reply("", (("toolstub_read", arguments),))
                         if next(tried, False) else None)
    assert _text(await _converse(behind, _asked("a"), stream=stream)) == ANSWER
    reply = behind.upstream.bodies[1]["messages"][-1]["content"][0]["content"]
    assert reply.startswith("[toolstub] ")
    assert "\n" not in reply


@pytest.mark.parametrize("stream", [False, True])
async def test_an_endless_loop_ends(start: Start, stream: bool) -> None:
    """After a few rounds, without our tools, and the client gets an answer."""

    def script(body: dict[str, Any]) -> Reply:
        if any(tool["name"].startswith("toolstub_") for tool in body["tools"]):
            return Reply("", (("toolstub_search", json.dumps({"query": str(len(body["messages"]))})),))
        return Reply("I give up.")

    behind = await start(api=MessagesUpstream, script=script, gateway={"limits": Limits(rounds=4)})
    message = await _converse(behind, _asked("a"), stream=stream)
    assert (_text(message), message.stop_reason) == ("I give up.", "end_turn")
    assert len(behind.upstream.requests) == 6


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_calls_ours_even_without_being_offered_them_ends_too(start: Start, stream: bool) -> None:
    """The client sees neither the call nor a claim that there was one."""
    behind = await start(api=MessagesUpstream, script=lambda body: Reply("", (("toolstub_list", "{}"),)))
    message = await _converse(behind, _asked("a"), stream=stream)
    assert (message.stop_reason, message.content) == ("end_turn", [])


@pytest.mark.parametrize("choice", [
    {"type": "any"}, {"type": "none"}, {"type": "tool", "name": "get_log"},
    {"type": "auto", "disable_parallel_tool_use": True},
])
async def test_a_forced_or_forbidden_choice_keeps_its_meaning(start: Start, choice: dict[str, Any]) -> None:
    """In every round: what the client wants of the model is not ours to change."""
    behind = await start(api=MessagesUpstream)
    await _converse(behind, _asked("a"), stream=True, tool_choice=choice)
    assert [body["tool_choice"] for body in behind.upstream.bodies] == [choice] * len(behind.upstream.bodies)
    assert behind.upstream.bodies[0]["tools"][-1] == TOOL
    assert len(behind.upstream.bodies[0]["tools"]) > 1


async def test_what_is_already_cached_keeps_its_mark(start: Start) -> None:
    """A stub stands beside the `cache_control` of its block, and no mark is added or lost in any round."""
    mark = {"cache_control": {"type": "ephemeral"}}
    messages = _asked("a")
    messages[2]["content"][0]["content"] = [{"type": "text", "text": log_of("a"), **mark}]
    behind = await start(api=MessagesUpstream)
    body = _body(messages, system=[{"type": "text", "text": "s", **mark}])
    body["tools"] = [{**TOOL, **mark}]
    status, _, _ = await behind.post(body, PATH, headers=VERSION)
    assert status == 200
    (part,) = behind.upstream.bodies[0]["messages"][2]["content"][0]["content"]
    assert (is_stub(part["text"]), part["cache_control"]) == (True, mark["cache_control"])
    assert {json.dumps(sent).count('"cache_control"') for sent in behind.upstream.bodies} == {3}


async def test_pings_keep_a_silent_round_alive(start: Start) -> None:
    """As the API itself does."""
    slow = Fault(delay=0.5)
    behind = await start(api=MessagesUpstream, gateway={"keep_alive": 0.1},
                         fault=lambda body: slow if len(body["messages"]) > 3 else None)
    _, _, answer = await behind.post(_body(_asked("a"), stream=True), PATH, headers=VERSION)
    assert answer.count(b"event: ping\n") > 3
    assert _text(await _converse(behind, _asked("a"), stream=True)) == ANSWER


@pytest.mark.parametrize("stream", [False, True])
async def test_an_error_of_the_upstream_arrives_as_it_was_sent(start: Start, stream: bool) -> None:
    """With its status in the first round; as the provider's error event when the status is sent already."""
    said = b'{"type":"error","error":{"type":"overloaded_error","message":"later"}}'
    fault = Fault(status=529, body=said, headers={"Content-Type": "application/json", "Retry-After": "3"})
    behind = await start(api=MessagesUpstream, fault=lambda body: fault)
    status, headers, answer = await behind.post(_body(_asked("a"), stream=stream), PATH, headers=VERSION)
    assert (status, headers["Retry-After"], answer) == (529, "3", said)


async def test_an_error_in_a_later_round_is_an_error_event(start: Start) -> None:
    """The SDK raises what the upstream said."""
    said = b'{"type":"error","error":{"type":"overloaded_error","message":"later"}}'
    behind = await start(api=MessagesUpstream, fault=lambda body: Fault(
        status=529, body=said, headers={"Content-Type": "application/json"}) if len(body["messages"]) > 3 else None)
    with pytest.raises(anthropic.APIStatusError, match="later"):
        await _converse(behind, _asked("a"), stream=True)


async def test_without_tools_a_request_passes_as_it_is(start: Start) -> None:
    """The model could not read what a stub leaves out."""
    behind = await start(api=MessagesUpstream)
    request = {key: value for key, value in _body(_asked("a")).items() if key != "tools"}
    await behind.post(request, PATH, headers=VERSION)
    assert behind.upstream.requests == [json.dumps(request).encode()]
