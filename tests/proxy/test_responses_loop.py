"""A client with OpenAI's SDK asks in Responses what only a hidden original says, and gets the answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import openai
import pytest
from proxy_support import ANSWER, Behind, Start, log_of
from responses_upstream import ResponsesUpstream

from toolstub_ext.synopsis import is_stub
from toolstub_ext.wire import responses as wire
from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.rounds import Limits

TOOL = {"type": "function", "name": "get_log", "description": "The log of a service.", "strict": False,
        "parameters": {"type": "object", "properties": {"service": {"type": "string"}}}}
PATH = "/v1/responses"
STATELESS = {"store": False, "include": ["reasoning.encrypted_content"], "reasoning": {"effort": "low"}}
KEPT = {"reasoning": {"effort": "low"}}


def _asked(*services: str) -> list[dict[str, Any]]:
    """A conversation in which the logs of some services were called for, and came."""
    calls = [{"type": "function_call", "call_id": f"call_{s}", "name": "get_log", "arguments": "{}"} for s in services]
    results = [{"type": "function_call_output", "call_id": f"call_{s}", "output": log_of(s)} for s in services]
    return [{"role": "user", "content": "What is id_1234?"}, *calls, *results]


def _body(items: Any, **more: Any) -> dict[str, Any]:
    return {"model": "stand-in", "input": items, "tools": [TOOL], **more}


async def _ask(behind: Behind, items: Any, *, stream: bool, **more: Any) -> Any:
    """One turn with the SDK."""
    request: Any = {**_body(items), **more}
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0) as client:
        if not stream:
            response: Any = await client.responses.create(**request)
        else:
            async with client.responses.stream(**request) as events:
                numbers = []
                async for event in events:
                    assert "toolstub_" not in event.model_dump_json(warnings=False)
                    numbers.append(event.sequence_number)
                response = await events.get_final_response()
            assert numbers == [*range(len(numbers))]
    assert "toolstub_" not in response.model_dump_json(warnings=False)
    return response


async def _converse(behind: Behind, items: list[dict[str, Any]], *, stream: bool, **more: Any) -> Any:
    """The same, with all that was said sent each time; what comes is added, as agents do."""
    response = await _ask(behind, items, stream=stream, **more)
    for item in response.output:
        sent = item.model_dump(exclude_none=True, warnings=False, exclude={"status", "parsed_arguments"})
        text = "".join(part.text for part in item.content) if item.type == "message" else ""
        items.append({"role": "assistant", "content": text} if item.type == "message" else sent)
    return response


def _answer_calls(response: Any, text: str) -> list[dict[str, Any]]:
    return [{"type": "function_call_output", "call_id": item.call_id, "output": text}
            for item in response.output if item.type == "function_call"]


@pytest.mark.parametrize("more", [{}, STATELESS, KEPT, {"store": False, "reasoning": {"effort": "low"}}])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_whole_conversation(start: Start, stream: bool, more: dict[str, Any]) -> None:
    """Call, result, answer, and a question behind it: the upstream sees one growing conversation, each thought with
    what followed it."""
    behind = await start(api=ResponsesUpstream)
    items: list[dict[str, Any]] = [{"role": "user", "content": "What is id_1234? SERVICE=a"}]
    first = await _converse(behind, items, stream=stream, **more)
    if more.get("store") is False and "include" not in more:
        items = [item for item in items if item.get("type") != "reasoning"]
    items += _answer_calls(first, log_of("a"))
    second = await _converse(behind, items, stream=stream, **more)
    assert second.output_text == ANSWER
    rounds = behind.upstream.bodies[1:]
    assert is_stub(rounds[0]["input"][-1]["output"])
    assert len(rounds) >= 2
    assert second.usage.input_tokens == sum(len(json.dumps(request)) // 4 for request in rounds)
    if more.get("store") is False and "include" not in more:
        items = [item for item in items if item.get("type") != "reasoning"]
    items.append({"role": "user", "content": "What is id_1234?"})
    await _converse(behind, items, stream=stream, **more)
    before, after = (request.decode() for request in behind.upstream.requests[-2:])
    end = wire.read(before).messages_end
    assert after[:end] == before[:end]


QUESTION = "What is id_1234? SERVICE=a"


@pytest.mark.parametrize("question", [QUESTION, [{"role": "user", "content": QUESTION}]])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_conversation_that_the_provider_keeps(start: Start, stream: bool, question: Any) -> None:
    """Each request brings only what is new; it goes on from the last hidden round, by whichever id the client goes."""
    behind = await start(api=ResponsesUpstream)
    first = await _ask(behind, question, stream=stream, **KEPT)
    results = _answer_calls(first, log_of("a"))
    second = await _ask(behind, results, stream=stream, previous_response_id=first.id, **KEPT)
    assert second.output_text == ANSWER
    assert is_stub(behind.upstream.bodies[1]["input"][0]["output"])
    last = f"resp_{len(behind.upstream.requests):06d}"
    assert (second.id == last) is not stream
    for known, tools in (("resp_000002", [TOOL]), (last, [TOOL]), ("resp_000002", [])):
        more = {**KEPT, "previous_response_id": known, "tools": tools}
        third = await _ask(behind, "What is id_1234?", stream=stream, **more)
        assert third.output_text == ANSWER
        assert json.loads(behind.upstream.requests[-1])["previous_response_id"] == last != "resp_000002"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_client_may_refer_to_what_the_provider_keeps(start: Start, stream: bool) -> None:
    """The hidden rounds stand in front of what it refers to, and thoughts in theirs."""
    behind = await start(api=ResponsesUpstream)
    items: list[dict[str, Any]] = [{"role": "user", "content": QUESTION}]
    for _ in range(2):
        response = await _ask(behind, items, stream=stream, **KEPT)
        items += [{"type": "item_reference", "id": item.id} if item.type != "function_call"
                  else item.model_dump(exclude_none=True, warnings=False, exclude={"status", "parsed_arguments"})
                  for item in response.output]
        items += _answer_calls(response, log_of("a")) or [{"role": "user", "content": "What is id_1234?"}]
    final = await _ask(behind, items, stream=stream, **KEPT)
    assert final.output_text == ANSWER
    *_, before, after = (request.decode() for request in behind.upstream.requests)
    end = wire.read(before).messages_end
    assert after[:end] == before[:end]


@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_is_asked_for_again_holds_nothing_of_ours(start: Start, stream: bool) -> None:
    """By the id that the client knows it is the one that the client was shown; what was said before it is what the
    client said; and the conversation goes on from it."""
    behind = await start(api=ResponsesUpstream)
    upstream = behind.upstream
    assert isinstance(upstream, ResponsesUpstream)
    first = await _ask(behind, QUESTION, stream=stream)
    second = await _ask(behind, _answer_calls(first, log_of("a")), stream=stream, previous_response_id=first.id)
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0) as client:
        again = await client.responses.retrieve(second.id)
        before = await client.responses.input_items.list(second.id)
    assert (again.id, again.output_text, [tool.name for tool in again.tools]) == (second.id, ANSWER, ["get_log"])
    last = f"resp_{len(upstream.requests):06d}"
    assert upstream.fetched == [f"/v1/responses/{last}", f"/v1/responses/{second.id}/input_items"]
    assert "toolstub_" in json.dumps(upstream.whole[last].whole())
    assert [item.type for item in before.data if item.type != "message"] == ["function_call_output", "function_call"]
    third = await _ask(behind, "What is id_1234?", stream=stream, previous_response_id=again.id)
    assert third.output_text == ANSWER


@pytest.mark.parametrize("query", ["", "?stream=true&starting_after=1", "?include=x"])
async def test_a_kept_turn_with_a_call_of_ours_and_one_of_the_clients(start: Start, query: str) -> None:
    """The client's alone shows, under its place."""
    calls = (("toolstub_list", "{}"), ("get_log", "{}"))
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("Hm.", calls))
    response = await _ask(behind, QUESTION, stream=False)
    async with behind.http.get(f"{behind.url}/v1/responses/{response.id}{query}") as answer:
        said = (await answer.read()).decode()
    assert "toolstub" not in said
    assert "get_log" in said
    if "stream" not in query:
        assert [item["type"] for item in json.loads(said)["output"]] == ["message", "function_call"]


async def test_only_who_was_shown_an_answer_gets_its_last_round(start: Start) -> None:
    """Another owner gets what the provider has under the id, without our calls."""
    behind = await start(api=ResponsesUpstream, gateway={"owner_of": lambda headers: headers.get("x-owner")})
    upstream = behind.upstream
    assert isinstance(upstream, ResponsesUpstream)
    body = _body(_asked("a"), stream=True)
    await behind.post(body, PATH, headers={"x-owner": "a"})
    for owner, known in (({"x-owner": "a"}, len(upstream.requests)), ({"x-owner": "b"}, 1), ({}, 1)):
        async with behind.http.get(f"{behind.url}/v1/responses/resp_000001", headers=owner) as answer:
            said = await answer.text()
        assert (json.loads(said)["id"], "toolstub_" in said) == ("resp_000001", False)
        assert upstream.fetched[-1] == f"/v1/responses/resp_{known:06d}"


@pytest.mark.parametrize("asked", ["", "/input_items", "?stream=true"])
async def test_what_is_kept_and_has_nothing_of_ours_comes_in_its_bytes(start: Start, asked: str) -> None:
    """And so does an error."""
    behind = await start(api=ResponsesUpstream)
    response = await _ask(behind, "hi", stream=False, tools=openai.omit)
    for known, status in ((response.id, 200), ("resp_unknown", 404)):
        answers = []
        for base in (behind.url, behind.upstream.url):
            async with behind.http.get(f"{base}/v1/responses/{known}{asked}") as answer:
                answers.append((answer.status, await answer.read()))
        assert answers[0] == answers[1]
        assert answers[0][0] == status


async def test_an_input_that_is_one_text_can_be_followed_by_rounds(start: Start) -> None:
    """It becomes a list then, with the same text first."""
    replies = iter([Reply("", (("toolstub_list", "{}"),)), Reply("Nothing stored.")])
    behind = await start(api=ResponsesUpstream, script=lambda body: next(replies))
    assert (await _ask(behind, "Anything?", stream=False)).output_text == "Nothing stored."
    assert [item.get("type") for item in behind.upstream.bodies[1]["input"]] \
        == [None, "function_call", "function_call_output"]
    assert behind.upstream.bodies[1]["input"][0] == {"role": "user", "content": "Anything?"}


async def test_text_arrives_before_the_upstream_has_sent_the_rest(start: Start) -> None:
    """The gate holds the last events back until the client has read the first."""
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("word " * 20))
    behind.upstream.gate = asyncio.Event()
    async with behind.http.post(behind.url + PATH, json=_body(_asked("a"), stream=True)) as answer:
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
    items += _answer_calls(await _converse(behind, items, stream=stream, **more), log_of("a"))
    mixed = await _converse(behind, items, stream=stream, **more)
    assert [item.name for item in mixed.output if item.type == "function_call"] == ["get_log"]
    items += _answer_calls(mixed, "short")
    final = await _converse(behind, items, stream=stream, **more)
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
    first = await _ask(behind, "What is id_1234?", stream=stream)
    mixed = await _ask(behind, _answer_calls(first, log_of("a")), stream=stream, previous_response_id=first.id)
    final = await _ask(behind, _answer_calls(mixed, "short"), stream=stream, previous_response_id=mixed.id)
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
    assert (await _ask(behind, _asked("a"), stream=stream)).output_text == ANSWER
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
    assert (await _ask(behind, _asked("a"), stream=stream, tool_choice=choice)).output_text == "I give up."
    assert len(behind.upstream.requests) == 6
    assert len(behind.upstream.bodies[0]["tool_choice"]["tools"]) > 1
    assert behind.upstream.bodies[-1]["tool_choice"] == choice


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_calls_ours_even_without_being_offered_them_ends_too(start: Start, stream: bool) -> None:
    """The client sees no call."""
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("", (("toolstub_list", "{}"),)))
    assert (await _ask(behind, _asked("a"), stream=stream)).output == []


@pytest.mark.parametrize("choice", ["required", "none", {"type": "function", "name": "get_log"}, {
    "type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "get_log"}]}])
async def test_a_forced_or_forbidden_choice_keeps_its_meaning(start: Start, choice: Any) -> None:
    """In every round: what the client wants of the model is not ours to change."""
    behind = await start(api=ResponsesUpstream)
    await _ask(behind, _asked("a"), stream=True, tool_choice=choice)
    assert [body["tool_choice"] for body in behind.upstream.bodies] == [choice] * len(behind.upstream.bodies)
    assert len(behind.upstream.bodies[0]["tools"]) > 1


async def test_comments_keep_a_silent_round_alive(start: Start) -> None:
    """An SDK skips them."""
    slow = Fault(delay=0.5)
    behind = await start(api=ResponsesUpstream, gateway={"keep_alive": 0.1},
                         fault=lambda body: slow if len(body["input"]) > 3 else None)
    _, _, answer = await behind.post(_body(_asked("a"), stream=True), PATH)
    assert b": keep-alive\n\n" in answer


async def test_an_error_in_a_later_round_is_an_error_event(start: Start) -> None:
    """The SDK raises what the upstream said."""
    said = b'{"error":{"message":"later","type":"server_error","code":"busy"}}'
    behind = await start(api=ResponsesUpstream, fault=lambda body: Fault(
        status=503, body=said, headers={"Content-Type": "application/json"}) if len(body["input"]) > 3 else None)
    with pytest.raises(openai.APIError, match="later"):
        await _ask(behind, _asked("a"), stream=True)


@pytest.mark.parametrize("more", [{"background": True}, {"conversation": "conv_1"}])
async def test_what_cannot_be_carried_on_passes_as_it_is(start: Start, more: dict[str, Any]) -> None:
    """Answers that are fetched later, and conversations that the provider would add hidden rounds to."""
    behind = await start(api=ResponsesUpstream)
    request = _body(_asked("a"), **more)
    await behind.post(request, PATH)
    assert behind.upstream.requests == [json.dumps(request).encode()]
