"""What keeps a silent stream alive is skipped by SDKs, whatever the events of a provider look like."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from proxy_support import ANSWER, Start, asked, body_of
from responses_upstream import ResponsesUpstream
from spoken import FORMATS

from toolstub_proxy.demo.upstream import Answer, Fault, UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.sse import KEEP_ALIVE, KEEP_ALIVE_LINE


def _with_ids(api: type[UpstreamApp]) -> type[UpstreamApp]:
    """The stand-in, with an id in front of each event."""
    class Numbering(api):  # type: ignore[valid-type, misc]
        def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
            answer = super().answer(number, body, reply)
            events = [b"id: %d\n" % at + event for at, event in enumerate(answer.events())]
            answer.events = lambda: events
            return answer  # type: ignore[no-any-return]

    return Numbering


async def _said(client: openai.AsyncOpenAI, api: type[UpstreamApp]) -> str:
    """The answer to a question behind which there is a hidden round."""
    if api is ResponsesUpstream:
        body = FORMATS[2].body(stream=True)
        return "".join([event.delta async for event in await client.responses.create(**body)
                        if event.type == "response.output_text.delta"])
    chunks = [chunk async for chunk in await client.chat.completions.create(**body_of(asked("a"), stream=True))]
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("api", [UpstreamApp, ResponsesUpstream])
async def test_an_sdk_reads_on(start: Start, api: type[UpstreamApp], ids: bool) -> None:
    """OpenAI's takes a comment for an event, once there was an id."""
    started: list[Any] = []

    def slow_later(body: dict[str, Any]) -> Fault | None:
        started.append(body)
        return Fault(delay=0.3) if len(started) > 1 else None

    behind = await start(api=_with_ids(api) if ids else api, fault=slow_later, gateway={"keep_alive": 0.05})
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0) as client:
        assert await _said(client, api) == ANSWER
    assert len(started) > 1
    spoken = FORMATS[2 if api is ResponsesUpstream else 0]
    _, _, told = await behind.post(spoken.body(stream=True), spoken.path, headers=spoken.headers)
    assert KEEP_ALIVE_LINE in told
    assert (KEEP_ALIVE in told) != ids
