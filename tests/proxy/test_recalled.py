"""What a provider keeps and a client asks for again shows as little of our tools as the answer did."""

from __future__ import annotations

import json

import openai
import pytest
from proxy_support import ANSWER, Start, log_of
from responses_support import PATH, QUESTION, answered, ask, asked, body_of
from responses_upstream import ResponsesUpstream

from toolstub_proxy.demo.upstream_model import Reply


@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_is_asked_for_again_holds_nothing_of_ours(start: Start, stream: bool) -> None:
    """By the id that the client knows it is the one that the client was shown; what was said before it is what the
    client said; and the conversation goes on from it."""
    behind = await start(api=ResponsesUpstream)
    upstream = behind.upstream
    assert isinstance(upstream, ResponsesUpstream)
    first = await ask(behind, QUESTION, stream=stream)
    second = await ask(behind, answered(first, log_of("a")), stream=stream, previous_response_id=first.id)
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0) as client:
        again = await client.responses.retrieve(second.id)
        before = await client.responses.input_items.list(second.id)
    assert (again.id, again.output_text, [tool.name for tool in again.tools]) == (second.id, ANSWER, ["get_log"])
    last = f"resp_{len(upstream.requests):06d}"
    assert upstream.fetched == [f"/v1/responses/{last}", f"/v1/responses/{second.id}/input_items"]
    assert "toolstub_" in json.dumps(upstream.whole[last].whole())
    assert [item.type for item in before.data if item.type != "message"] == ["function_call_output", "function_call"]
    third = await ask(behind, "What is id_1234?", stream=stream, previous_response_id=again.id)
    assert third.output_text == ANSWER


@pytest.mark.parametrize("query", ["", "?stream=true&starting_after=1", "?include=x"])
async def test_a_kept_turn_with_a_call_of_ours_and_one_of_the_clients(start: Start, query: str) -> None:
    """The client's alone shows, under its place."""
    calls = (("toolstub_list", "{}"), ("get_log", "{}"))
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("Hm.", calls))
    response = await ask(behind, QUESTION, stream=False)
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
    body = body_of(asked("a"), stream=True)
    await behind.post(body, PATH, headers={"x-owner": "a"})
    for owner, known in (({"x-owner": "a"}, len(upstream.requests)), ({"x-owner": "b"}, 1), ({}, 1)):
        async with behind.http.get(f"{behind.url}/v1/responses/resp_000001", headers=owner) as answer:
            said = await answer.text()
        assert (json.loads(said)["id"], "toolstub_" in said) == ("resp_000001", False)
        assert upstream.fetched[-1] == f"/v1/responses/resp_{known:06d}"


@pytest.mark.parametrize("part", ["", "/input_items", "?stream=true"])
async def test_what_is_kept_and_has_nothing_of_ours_comes_in_its_bytes(start: Start, part: str) -> None:
    """And so does an error."""
    behind = await start(api=ResponsesUpstream)
    response = await ask(behind, "hi", stream=False, tools=openai.omit)
    for known, status in ((response.id, 200), ("resp_unknown", 404)):
        answers = []
        for base in (behind.url, behind.upstream.url):
            async with behind.http.get(f"{base}/v1/responses/{known}{part}") as answer:
                answers.append((answer.status, await answer.read()))
        assert answers[0] == answers[1]
        assert answers[0][0] == status
