"""A client with a real SDK asks what only a hidden original says, and gets the answer without seeing how."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import openai
import pytest
from proxy_support import ANSWER, TOOL, Behind, Start, asked, body_of, deltas_of, log_of

from toolstub_ext.synopsis import is_stub
from toolstub_ext.wire import chat
from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply, decide
from toolstub_proxy.rounds import Limits


async def _converse(behind: Behind, messages: list[dict[str, Any]], *, stream: bool, base: str = "/v1") -> Any:
    """One turn with the SDK; its message is added to the conversation, as agents do."""
    async with openai.AsyncOpenAI(base_url=behind.url + base, api_key="any", max_retries=0) as client:
        request: dict[str, Any] = {"model": "stand-in", "messages": messages, "tools": [TOOL]}
        if stream:
            async with client.chat.completions.stream(**request, stream_options={"include_usage": True}) as events:
                async for event in events:
                    assert "toolstub_" not in event.model_dump_json()
            completion: Any = await events.get_final_completion()
        else:
            completion = await client.chat.completions.create(**request)
    assert "toolstub_" not in completion.model_dump_json()
    (choice,) = completion.choices
    message = json.loads(choice.message.model_dump_json(exclude_none=True, include={"role", "content", "tool_calls"}))
    for call in message.get("tool_calls") or ():
        call["function"].pop("parsed_arguments", None)
    messages.append(message)
    return completion


@pytest.mark.parametrize("stream", [False, True])
async def test_a_whole_conversation(start: Start, stream: bool) -> None:
    """Call, result, answer, and a question behind it: the upstream sees one growing conversation, byte for byte."""
    behind = await start()
    messages: list[dict[str, Any]] = [{"role": "user", "content": "What is id_1234? SERVICE=a"}]
    first = await _converse(behind, messages, stream=stream)
    assert first.choices[0].finish_reason == "tool_calls"
    (call,) = messages[-1]["tool_calls"]
    messages.append({"role": "tool", "tool_call_id": call["id"], "content": log_of("a")})
    second = await _converse(behind, messages, stream=stream)
    assert (second.choices[0].message.content, second.choices[0].finish_reason) == (ANSWER, "stop")
    rounds = behind.upstream.bodies[1:]
    assert is_stub(rounds[0]["messages"][2]["content"])
    assert "v5214" not in rounds[0]["messages"][2]["content"]
    assert len(rounds) >= 2
    assert second.usage.total_tokens == sum(map(_tokens, rounds))
    messages.append({"role": "user", "content": "What is id_1234?"})
    await _converse(behind, messages, stream=stream)
    _assert_prefix(behind.upstream.requests[-2:])


def _tokens(request: dict[str, Any]) -> int:
    """What the stand-in says an answer cost: it counts characters of the request and of its text."""
    return len(json.dumps(request)) // 4 + len(decide(request).text) // 4 + 1


def _assert_prefix(requests: list[bytes]) -> None:
    """Up to the last message of the first, both are the same bytes."""
    before, after = (request.decode() for request in requests)
    end = chat.read(before).messages_end
    assert after[:end] == before[:end]
    assert after[end:].startswith(",")


@pytest.mark.parametrize("base", ["/v1", ""])
async def test_the_base_url_may_lack_v1(start: Start, base: str) -> None:
    """What the client appends is appended to the upstream."""
    behind = await start()
    completion = await _converse(behind, asked("a"), stream=True, base=base)
    assert completion.choices[0].message.content == ANSWER


async def test_text_arrives_before_the_upstream_has_sent_the_rest(start: Start) -> None:
    """The gate holds the last events back until the client has read the first."""
    behind = await start(script=lambda body: Reply("word " * 20))
    behind.upstream.gate = asyncio.Event()
    request = body_of(asked("a"), stream=True)
    async with behind.http.post(behind.url + "/v1/chat/completions", json=request) as answer:
        seen = b""
        while b"word" not in seen:
            seen += await answer.content.readany()
        assert b"[DONE]" not in seen
        behind.upstream.gate.set()
        assert (seen + await answer.content.read()).endswith(b"data: [DONE]\n\n")


async def test_a_later_round_is_live_too(start: Start) -> None:
    """Its text comes while its end is still held back."""

    def script(body: dict[str, Any]) -> Reply:
        if body["messages"][-1]["role"] == "tool" and is_stub(body["messages"][-1]["content"]):
            return Reply("Let me look. ", (("toolstub_list", "{}"),))
        gate.clear()
        return Reply("Found it, and here is more.")

    behind = await start(script=script)
    behind.upstream.gate = gate = asyncio.Event()
    gate.set()
    request = body_of(asked("a"), stream=True)
    async with behind.http.post(behind.url + "/v1/chat/completions", json=request) as answer:
        seen = b""
        while b"Found it" not in seen:
            seen += await answer.content.readany()
        gate.set()
        seen += await answer.content.read()
    chunks = deltas_of(seen)
    assert "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks) \
        == "Let me look. Found it, and here is more."
    assert len({(c["id"], c["created"]) for c in chunks}) == 1
    assert sum("role" in c["choices"][0]["delta"] for c in chunks) == 1


def _mixed(body: dict[str, Any]) -> Reply | None:
    """Ours and the client's tool in one turn, once."""
    if sum(message["role"] == "assistant" for message in body["messages"]) > 1:
        return None
    return Reply("Both. ", (("toolstub_search", '{"query": "id_1234"}'), ("get_log", '{"service": "b"}')))


@pytest.mark.parametrize("stream", [False, True])
async def test_a_mixed_turn_shows_the_clients_call_and_comes_back_whole(start: Start, stream: bool) -> None:
    """Our call is answered meanwhile; the next request has both calls, each with its result."""
    behind = await start(script=_mixed)
    messages = asked("a")
    completion = await _converse(behind, messages, stream=stream)
    assert [c.function.name for c in completion.choices[0].message.tool_calls] == ["get_log"]
    assert completion.choices[0].finish_reason == "tool_calls"
    messages.append({"role": "tool", "tool_call_id": messages[-1]["tool_calls"][0]["id"], "content": "short"})
    completion = await _converse(behind, messages, stream=stream)
    assert completion.choices[0].message.content == ANSWER
    assistant, ours, theirs = behind.upstream.bodies[-1]["messages"][3:6]
    assert [c["function"]["name"] for c in assistant["tool_calls"]] == ["toolstub_search", "get_log"]
    assert ours["tool_call_id"] == assistant["tool_calls"][0]["id"]
    assert "id_1234=v5214" in ours["content"]
    assert theirs["content"] == "short"


@pytest.mark.parametrize("stream", [False, True])
async def test_parallel_calls_of_ours_are_all_answered(start: Start, stream: bool) -> None:
    """In one hidden round."""
    calls = tuple(("toolstub_search", json.dumps({"query": q})) for q in ("id_1=", "id_1234", "id_2="))
    behind = await start(script=lambda body: Reply("", calls) if len(body["messages"]) < 5 else None)
    completion = await _converse(behind, asked("a", "b"), stream=stream)
    assert completion.choices[0].message.content == ANSWER


@pytest.mark.parametrize("arguments", ["", "{", '{"ref": 5}', "[]", "null", '{"ref": "ts_0000000000000000"}', "\ud83d"])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_bad_call_gets_a_reply_that_says_what_is_wrong(start: Start, stream: bool, arguments: str) -> None:
    """Malformed arguments and refs that the model made up cost a round, never the answer."""
    tried = iter([True])
    behind = await start(script=lambda body: Reply("", (("toolstub_read", arguments),)) if next(tried, False) else None)
    completion = await _converse(behind, asked("a"), stream=stream)
    assert completion.choices[0].message.content == ANSWER
    reply = behind.upstream.bodies[1]["messages"][-1]["content"]
    assert reply.startswith("[toolstub] ")
    assert "\n" not in reply


@pytest.mark.parametrize("stream", [False, True])
async def test_a_result_may_be_asked_for_by_the_id_of_its_call(start: Start, stream: bool) -> None:
    """By the name that Gliding Horse gives such a tool, but where the client has a tool of that name."""
    calls = iter([(("read_full_result_call_0", '{"lines": "1235"}'),)])
    behind = await start(script=lambda body: Reply("", next(calls)) if len(body["messages"]) < 5 else None)
    messages = asked("a")
    messages[-1]["tool_call_id"] = messages[-2]["tool_calls"][0]["id"] = "call_0"
    completion = await _converse(behind, messages, stream=stream)
    assert completion.choices[0].message.content == ANSWER
    assert "id_1234=v5214" in behind.upstream.bodies[1]["messages"][-1]["content"]


@pytest.mark.parametrize("name", ["toolstub_delete", "toolstub_query", "read_full_result_nobody"])
async def test_a_tool_of_ours_that_does_not_exist_is_not_the_clients(start: Start, name: str) -> None:
    """The client could only fail at it."""
    tried = iter([True])
    behind = await start(script=lambda body: Reply("", ((name, "{}"),)) if next(tried, False) else None)
    completion = await _converse(behind, asked("a"), stream=True)
    assert completion.choices[0].message.content == ANSWER


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("varied", [False, True])
async def test_an_endless_loop_ends(start: Start, stream: bool, varied: bool) -> None:
    """After a few rounds, or at once if it only repeats itself; the client gets an answer either way."""

    def script(body: dict[str, Any]) -> Reply:
        if any(tool["function"]["name"].startswith("toolstub_") for tool in body["tools"]):
            return Reply("", (("toolstub_search", json.dumps({"query": str(len(body["messages"]) * varied)})),))
        return Reply("I give up.")

    behind = await start(script=script, gateway={"limits": Limits(rounds=4)})
    completion = await _converse(behind, asked("a"), stream=stream)
    assert (completion.choices[0].message.content, completion.choices[0].finish_reason) == ("I give up.", "stop")
    assert len(behind.upstream.requests) == (6 if varied else 3)


async def test_a_model_that_calls_ours_even_without_being_offered_them_ends_too(start: Start) -> None:
    """The client sees neither the call nor a claim that there was one."""
    behind = await start(script=lambda body: Reply("", (("toolstub_list", "{}"),)))
    for stream in (False, True):
        completion = await _converse(behind, asked("a"), stream=stream)
        assert completion.choices[0].finish_reason == "stop"
        assert not completion.choices[0].message.tool_calls


async def test_comments_keep_a_silent_round_alive(start: Start) -> None:
    """An idle timeout on the way would end the answer otherwise; an SDK skips them."""
    slow = Fault(delay=0.5)
    behind = await start(fault=lambda body: slow if len(body["messages"]) > 3 else None, gateway={"keep_alive": 0.1})
    _, _, answer = await behind.post(body_of(asked("a"), stream=True))
    assert b": keep-alive\n\n" in answer
    assert (await _converse(behind, asked("a"), stream=True)).choices[0].message.content == ANSWER


@pytest.mark.parametrize("stream", [False, True])
async def test_a_structured_answer_stays_one_document(start: Start, stream: bool) -> None:
    """Of several rounds only the last says it."""
    replies = iter([Reply("", (("toolstub_list", "{}"),)), Reply('{"id_1234": "v5214"}')])
    behind = await start(script=lambda body: next(replies))
    wanted = {"response_format": {"type": "json_object"}, "stream": stream}
    _, _, answer = await behind.post(body_of(asked("a"), **wanted))
    text = "".join(c["choices"][0]["delta"].get("content") or "" for c in deltas_of(answer)) if stream \
        else json.loads(answer)["choices"][0]["message"]["content"]
    assert json.loads(text) == {"id_1234": "v5214"}


async def test_several_answers_at_once_are_not_looked_into(start: Start) -> None:
    """There would be as many conversations."""
    behind = await start()
    request = body_of(asked("a"), n=2)
    await behind.post(request)
    assert behind.upstream.requests == [json.dumps(request).encode()]
