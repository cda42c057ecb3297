"""What other proxies of this sort have got wrong, with where that was told, does not happen here.

Most of those faults have their test where the matter belongs; here are those that belong nowhere else.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from proxy_support import ANSWER, Behind, Start, asked, body_of
from spoken import FORMATS, Spoken

from toolstub_ext.retrieval import definitions
from toolstub_ext.synopsis import is_stub
from toolstub_proxy.demo.upstream import Fault

HIDDEN = ANSWER.split("=")[1].encode()
OTHER = {"chat": {"type": "function", "function": {"name": "other", "parameters": {"type": "object"}}},
         "messages": {"name": "other", "input_schema": {"type": "object"}},
         "responses": {"type": "function", "name": "other", "strict": False, "parameters": {"type": "object"}}}

spoken_in_all = pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)


async def _after_a_round(behind: Behind, spoken: Spoken) -> dict[str, Any]:
    """A conversation in which an original was read, and the client asks something else."""
    body = spoken.body()
    status, _, answer = await behind.post(body, spoken.path, headers=spoken.headers)
    assert (status, HIDDEN in answer) == (200, True)
    said = json.loads(answer)
    shown = {
        "chat": lambda: [said["choices"][0]["message"]],
        "messages": lambda: [{"role": "assistant", "content": said["content"]}],
        "responses": lambda: said["output"],
    }[spoken.name]()
    body[spoken.said] += [*shown, {"role": "user", "content": "Give this a title."}]
    behind.upstream.requests.clear()
    return body


@spoken_in_all
async def test_a_side_request_without_tools_names_none_of_ours(start: Start, spoken: Spoken) -> None:
    """A history that mentions a tool which is not offered is a 400: headroom#2440, #2533. It goes as the client wrote
    it, without rounds and definitions: #3676, #728."""
    behind = await start(api=spoken.api)
    body = await _after_a_round(behind, spoken)
    for tools in ({}, {"tools": []}):
        request = json.dumps({**{key: value for key, value in body.items() if key != "tools"}, **tools}).encode()
        await behind.post(request, spoken.path, headers=spoken.headers)
        assert behind.upstream.requests.pop() == request
    assert b"toolstub_" not in request


@spoken_in_all
async def test_a_side_request_with_other_tools_has_ours_too(start: Start, spoken: Spoken) -> None:
    """And the rounds behind what it repeats, in which they are called: headroom#2805."""
    behind = await start(api=spoken.api)
    body = await _after_a_round(behind, spoken)
    status, _, answer = await behind.post({**body, "tools": [OTHER[spoken.name]]}, spoken.path, headers=spoken.headers)
    assert (status, b"toolstub_" in answer) == (200, False), answer
    sent = behind.upstream.requests[0].decode()
    assert definitions(spoken.name) in sent
    assert sent.count("toolstub_search") > definitions(spoken.name).count("toolstub_search")


@spoken_in_all
@pytest.mark.parametrize("stream", [False, True])
async def test_headers_belong_to_one_request_and_to_all_its_rounds(start: Start, spoken: Spoken, stream: bool) -> None:
    """One client's beta stuck to others: headroom#1058. Only five names went through: kompact."""
    behind = await start(api=spoken.api)
    beta = {"anthropic-beta": "new-2026-01-01", "OpenAI-Organization": "org", "x-anything": "1"}
    body = spoken.body(stream=stream)
    await behind.post(body, spoken.path, headers={**spoken.headers, **beta})
    rounds = [{name.lower(): value for name, value in head.items()} for head in behind.upstream.headers]
    assert len(rounds) > 1
    assert all(head[name.lower()] == value for head in rounds for name, value in beta.items())
    behind.upstream.headers.clear()
    await behind.post(body, spoken.path, headers=spoken.headers)
    assert not {name.lower() for head in behind.upstream.headers for name in head} & {name.lower() for name in beta}


@spoken_in_all
@pytest.mark.parametrize("asked_for", [False, True])
async def test_an_answer_comes_as_the_upstream_gives_it(start: Start, spoken: Spoken, asked_for: bool) -> None:
    """Streamed or whole, whatever was asked for: an object was handed to a client that read a stream, and the other way
    round, and the flag was turned: litellm#20187, #27449, #29807, headroom#2952."""
    class Contrary(spoken.api):  # type: ignore[misc, name-defined]
        def check(self, raw: bytes, headers: Any) -> dict[str, Any]:
            body: dict[str, Any] = super().check(raw, headers)
            assert bool(body.get("stream")) is asked_for
            return {**body, "stream": not asked_for}

    behind = await start(api=Contrary)
    status, headers, answer = await behind.post(spoken.body(stream=asked_for), spoken.path, headers=spoken.headers)
    assert (status, HIDDEN in answer, b"toolstub_" in answer) == (200, True, False)
    assert headers["Content-Type"].startswith("application/json" if asked_for else "text/event-stream")
    assert len(behind.upstream.requests) > 1


@spoken_in_all
async def test_the_same_request_is_asked_as_often_as_it_is_sent(start: Start, spoken: Spoken) -> None:
    """Answers were kept and given again, whatever the temperature: headroom 0.42; after a crash, half of one:
    litellm#37652."""
    behind = await start(api=spoken.api)
    for _ in range(3):
        status, _, _ = await behind.post(spoken.hello(), spoken.path, headers=spoken.headers)
        assert status == 200
    assert len(behind.upstream.requests) == 3


@pytest.mark.parametrize("extra", ['"x_a":NaN', '"x_a":-Infinity', '"x_a":"\t"'])
async def test_what_is_not_quite_json_goes_as_it_came(start: Start, extra: str) -> None:
    """It was an error of the proxy's own: kompact 0.4, headroom 0.42."""
    behind = await start()
    request = json.dumps(body_of(asked("a"))).replace("{", "{" + extra + ",", 1).encode()
    status, _, _ = await behind.post(request)
    assert behind.upstream.requests == [request]
    assert status in (200, 400)


@pytest.mark.parametrize("odd", [{"tool_calls": None}, {"tool_calls": []}, {"content": None}, {"content": []}])
async def test_a_member_that_is_empty_stays_as_empty_as_it_was(start: Start, odd: dict[str, Any]) -> None:
    """`tool_calls: null` was an error of the proxy's own: kompact 0.4. null became "": hermes-agent#47866."""
    behind = await start()
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "", **odd}, *asked("a")]
    await behind.post(body_of(messages))
    sent = behind.upstream.bodies[0]["messages"]
    assert sent[:4] == messages[:4]
    assert is_stub(sent[4]["content"])


async def test_a_message_of_the_system_may_stand_in_the_middle(start: Start) -> None:
    """As Claude Code has it, with a query of its own; its first request is for the mere head of `/`."""
    (spoken,) = (spoken for spoken in FORMATS if spoken.name == "messages")
    behind = await start(api=spoken.api, fault=lambda body: Fault(body=b"{}", headers={"x-kept": "1"}))
    body = spoken.body()
    body["messages"].append({"role": "user", "content": "And now?"})
    body["messages"].insert(3, {"role": "system", "content": "Be brief."})
    await behind.post(body, spoken.path + "?beta=true", headers=spoken.headers)
    (sent,) = behind.upstream.bodies
    assert [message["role"] for message in sent["messages"]] == [message["role"] for message in body["messages"]]
    assert is_stub(spoken.result_in(sent))
    async with behind.http.head(behind.url + "/") as answer:
        assert (answer.status, await answer.read()) == (404, b"")


async def test_clients_at_once_get_each_their_own(start: Start) -> None:
    """Thirty-two of them, each with a log that only the store has whole: no mixing, no 503: headroom#1025."""
    behind = await start()

    async def one(number: int) -> tuple[int, bytes]:
        log = "\n".join(f"2026-01-02 INFO request id_{n}=v{number}x{n} done" for n in range(3_000))
        messages = asked("a")
        messages[2]["content"] = log
        status, _, answer = await behind.post(body_of(messages, stream=bool(number % 2)))
        return status, answer

    answers = await asyncio.gather(*map(one, range(32)))
    for number, (status, answer) in enumerate(answers):
        assert status == 200
        assert f"v{number}x1234".encode() in answer
