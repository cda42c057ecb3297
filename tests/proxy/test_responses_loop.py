"""A client with OpenAI's SDK asks in Responses what only a hidden original says, and gets the answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import openai
import pytest
from proxy_support import ANSWER, Start, log_of
from responses_support import PATH, QUESTION, TOOL, answered, ask, asked, body_of, converse
from responses_upstream import ResponsesUpstream

from toolstub_ext.synopsis import is_stub
from toolstub_ext.wire import responses as wire
from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.rounds import Limits

STATELESS = {"store": False, "include": ["reasoning.encrypted_content"], "reasoning": {"effort": "low"}}
KEPT = {"reasoning": {"effort": "low"}}


@pytest.mark.parametrize("more", [{}, STATELESS, KEPT, {"store": False, "reasoning": {"effort": "low"}}])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_whole_conversation(start: Start, stream: bool, more: dict[str, Any]) -> None:
    """Call, result, answer, and a question behind it: the upstream sees one growing conversation, each thought with
    what followed it."""
    behind = await start(api=ResponsesUpstream)
    items: list[dict[str, Any]] = [{"role": "user", "content": "What is id_1234? SERVICE=a"}]
    first = await converse(behind, items, stream=stream, **more)
    if more.get("store") is False and "include" not in more:
        items = [item for item in items if item.get("type") != "reasoning"]
    items += answered(first, log_of("a"))
    second = await converse(behind, items, stream=stream, **more)
    assert second.output_text == ANSWER
    rounds = behind.upstream.bodies[1:]
    assert is_stub(rounds[0]["input"][-1]["output"])
    assert len(rounds) >= 2
    assert second.usage.input_tokens == sum(len(json.dumps(request)) // 4 for request in rounds)
    if more.get("store") is False and "include" not in more:
        items = [item for item in items if item.get("type") != "reasoning"]
    items.append({"role": "user", "content": "What is id_1234?"})
    await converse(behind, items, stream=stream, **more)
    before, after = (request.decode() for request in behind.upstream.requests[-2:])
    end = wire.read(before).messages_end
    assert after[:end] == before[:end]


@pytest.mark.parametrize("question", [QUESTION, [{"role": "user", "content": QUESTION}]])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_conversation_that_the_provider_keeps(start: Start, stream: bool, question: Any) -> None:
    """Each request brings only what is new; it goes on from the last hidden round, by whichever id the client goes."""
    behind = await start(api=ResponsesUpstream)
    first = await ask(behind, question, stream=stream, **KEPT)
    results = answered(first, log_of("a"))
    second = await ask(behind, results, stream=stream, previous_response_id=first.id, **KEPT)
    assert second.output_text == ANSWER
    assert is_stub(behind.upstream.bodies[1]["input"][0]["output"])
    last = f"resp_{len(behind.upstream.requests):06d}"
    assert (second.id == last) is not stream
    for known, tools in (("resp_000002", [TOOL]), (last, [TOOL]), ("resp_000002", [])):
        more = {**KEPT, "previous_response_id": known, "tools": tools}
        third = await ask(behind, "What is id_1234?", stream=stream, **more)
        assert third.output_text == ANSWER
        assert json.loads(behind.upstream.requests[-1])["previous_response_id"] == last != "resp_000002"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_client_may_refer_to_what_the_provider_keeps(start: Start, stream: bool) -> None:
    """The hidden rounds stand in front of what it refers to, and thoughts in theirs."""
    behind = await start(api=ResponsesUpstream)
    items: list[dict[str, Any]] = [{"role": "user", "content": QUESTION}]
    for _ in range(2):
        response = await ask(behind, items, stream=stream, **KEPT)
        items += [{"type": "item_reference", "id": item.id} if item.type != "function_call"
                  else item.model_dump(exclude_none=True, warnings=False, exclude={"status", "parsed_arguments"})
                  for item in response.output]
        items += answered(response, log_of("a")) or [{"role": "user", "content": "What is id_1234?"}]
    final = await ask(behind, items, stream=stream, **KEPT)
    assert final.output_text == ANSWER
    *_, before, after = (request.decode() for request in behind.upstream.requests)
    end = wire.read(before).messages_end
    assert after[:end] == before[:end]


async def test_an_input_that_is_one_text_can_be_followed_by_rounds(start: Start) -> None:
    """It becomes a list then, with the same text first."""
    replies = iter([Reply("", (("toolstub_list", "{}"),)), Reply("Nothing stored.")])
    behind = await start(api=ResponsesUpstream, script=lambda body: next(replies))
    assert (await ask(behind, "Anything?", stream=False)).output_text == "Nothing stored."
    assert [item.get("type") for item in behind.upstream.bodies[1]["input"]] \
        == [None, "function_call", "function_call_output"]
    assert behind.upstream.bodies[1]["input"][0] == {"role": "user", "content": "Anything?"}


async def test_text_arrives_before_the_upstream_has_sent_the_rest(start: Start) -> None:
    """The gate holds the last events back until the client has read the first."""
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("word " * 20))
    behind.upstream.gate = asyncio.Event()
    async with behind.http.post(behind.url + PATH, json=body_of(asked("a"), stream=True)) as answer:
        seen = b""
        while b"word" not in seen:
            seen += await answer.content.readany()
        assert b"response.completed" not in seen
        behind.upstream.gate.set()
        assert b"response.completed" in seen + await answer.content.read()


class _Mixed:
    """A round of ours alone, then ours and the client's tool in one turn, then the usual."""

    def __init__(self) -> None:
        self._replies = iter([
            Reply("", (("get_log", "{}"),)), Reply("First. ", (("toolstub_list", "{}"),)),
            Reply("Both. ", (("toolstub_search", '{"query": "id_1234"}'), ("get_log", '{"service": "b"}'))),
        ])

    def __call__(self, body: dict[str, Any]) -> Reply | None:
        return next(self._replies, None)


@pytest.mark.parametrize("more", [{}, STATELESS])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_mixed_turn_shows_the_clients_call_and_comes_back_whole(
    start: Start, stream: bool, more: dict[str, Any],
) -> None:
    """Our call is answered meanwhile; the next request has each round as it was."""
    behind = await start(api=ResponsesUpstream, script=_Mixed())
    items: list[dict[str, Any]] = [{"role": "user", "content": "What is id_1234?"}]
    items += answered(await converse(behind, items, stream=stream, **more), log_of("a"))
    mixed = await converse(behind, items, stream=stream, **more)
    assert [item.name for item in mixed.output if item.type == "function_call"] == ["get_log"]
    items += answered(mixed, "short")
    final = await converse(behind, items, stream=stream, **more)
    assert final.output_text == ANSWER
    thought = ["reasoning"] * bool(more)
    assert [item.get("name") or item.get("type") or item["role"] for item in behind.upstream.bodies[3]["input"]] == [
        "user", *thought, "get_log", "function_call_output",
        *thought, "message", "toolstub_list", "function_call_output",
        *thought, "assistant", "toolstub_search", "get_log", "function_call_output", "function_call_output",
    ]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_mixed_turn_in_a_conversation_that_the_provider_keeps(start: Start, stream: bool) -> None:
    """The reply to our call joins the client's results."""
    behind = await start(api=ResponsesUpstream, script=_Mixed())
    first = await ask(behind, "What is id_1234?", stream=stream)
    mixed = await ask(behind, answered(first, log_of("a")), stream=stream, previous_response_id=first.id)
    final = await ask(behind, answered(mixed, "short"), stream=stream, previous_response_id=mixed.id)
    assert final.output_text == ANSWER
    ours, theirs = behind.upstream.bodies[3]["input"]
    assert "id_1234=v5214" in ours["output"]
    assert theirs["output"] == "short"


@pytest.mark.parametrize("arguments", ["", "{", '{"ref": 5}', "[]", "null", '{"ref": "ts_0000000000000000"}'])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_bad_call_gets_a_reply_that_says_what_is_wrong(start: Start, stream: bool, arguments: str) -> None:
    """Malformed arguments and refs that the model made up cost a round, never the answer."""
    tried = iter([True])
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("", (("toolstub_read", arguments),))
                         if next(tried, False) else None)
    assert (await ask(behind, asked("a"), stream=stream)).output_text == ANSWER
    reply = behind.upstream.bodies[1]["input"][-1]["output"]
    assert reply.startswith("[toolstub] ")
    assert "\n" not in reply


@pytest.mark.parametrize("stream", [False, True])
async def test_an_endless_loop_ends(start: Start, stream: bool) -> None:
    """After a few rounds, without our tools, and the client gets an answer; a list of allowed tools loses them too."""

    def script(body: dict[str, Any]) -> Reply:
        if any(tool["name"].startswith("toolstub_") for tool in body["tools"]):
            return Reply("", (("toolstub_search", json.dumps({"query": str(len(body["input"]))})),))
        return Reply("I give up.")

    behind = await start(api=ResponsesUpstream, script=script, gateway={"limits": Limits(rounds=4)})
    choice = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "get_log"}]}
    assert (await ask(behind, asked("a"), stream=stream, tool_choice=choice)).output_text == "I give up."
    assert len(behind.upstream.requests) == 6
    assert len(behind.upstream.bodies[0]["tool_choice"]["tools"]) > 1
    assert behind.upstream.bodies[-1]["tool_choice"] == choice


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_calls_ours_even_without_being_offered_them_ends_too(start: Start, stream: bool) -> None:
    """The client sees no call."""
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("", (("toolstub_list", "{}"),)))
    assert (await ask(behind, asked("a"), stream=stream)).output == []


@pytest.mark.parametrize("choice", ["required", "none", {"type": "function", "name": "get_log"}, {
    "type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "get_log"}]}])
async def test_a_forced_or_forbidden_choice_keeps_its_meaning(start: Start, choice: Any) -> None:
    """In every round: what the client wants of the model is not ours to change."""
    behind = await start(api=ResponsesUpstream)
    await ask(behind, asked("a"), stream=True, tool_choice=choice)
    assert [body["tool_choice"] for body in behind.upstream.bodies] == [choice] * len(behind.upstream.bodies)
    assert len(behind.upstream.bodies[0]["tools"]) > 1


async def test_comments_keep_a_silent_round_alive(start: Start) -> None:
    """An SDK skips them."""
    slow = Fault(delay=0.5)
    behind = await start(api=ResponsesUpstream, gateway={"keep_alive": 0.1},
                         fault=lambda body: slow if len(body["input"]) > 3 else None)
    _, _, answer = await behind.post(body_of(asked("a"), stream=True), PATH)
    assert b": keep-alive\n\n" in answer


async def test_an_error_in_a_later_round_is_an_error_event(start: Start) -> None:
    """The SDK raises what the upstream said."""
    said = b'{"error":{"message":"later","type":"server_error","code":"busy"}}'
    behind = await start(api=ResponsesUpstream, fault=lambda body: Fault(
        status=503, body=said, headers={"Content-Type": "application/json"}) if len(body["input"]) > 3 else None)
    with pytest.raises(openai.APIError, match="later"):
        await ask(behind, asked("a"), stream=True)


@pytest.mark.parametrize("more", [{"background": True}, {"conversation": "conv_1"}])
async def test_what_cannot_be_carried_on_passes_as_it_is(start: Start, more: dict[str, Any]) -> None:
    """Answers that are fetched later, and conversations that the provider would add hidden rounds to."""
    behind = await start(api=ResponsesUpstream)
    request = body_of(asked("a"), **more)
    await behind.post(request, PATH)
    assert behind.upstream.requests == [json.dumps(request).encode()]
