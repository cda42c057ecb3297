"""Where a provider runs what a model writes: a hidden round stays there, and the client learns of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import anthropic
import pytest
from messages_upstream import MessagesUpstream
from proxy_support import ANSWER, Start
from spoken import FORMATS

from toolstub_proxy.demo.upstream import Answer
from toolstub_proxy.demo.upstream_model import Reply

CONTAINER = {"id": "container_1", "expires_at": "2030-01-01T00:00:00Z"}


class _Running(MessagesUpstream):
    """Runs code in front of its first answer; says where, there and nowhere else."""

    asked: list[Any]

    def check(self, raw: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        body = json.loads(raw)
        self.asked = [*getattr(self, "asked", ()), body.pop("container", None)]
        return super().check(json.dumps(body).encode(), headers)

    def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
        answer = super().answer(number, body, reply)
        whole, events = answer.whole(), answer.events()
        said = {"container": CONTAINER if number == 1 else None}
        end = json.loads(events[-2].partition(b"data: ")[2])
        end["delta"] |= said
        events[-2] = f"event: message_delta\ndata: {json.dumps(end)}\n\n".encode()
        answer.whole = lambda: {**whole, **said}  # type: ignore[method-assign]
        answer.events = lambda: events  # type: ignore[method-assign]
        return answer


def _calling(body: dict[str, Any]) -> Reply | None:
    return Reply("Hm.", (("toolstub_list", "{}"),)) if len(body["messages"]) < 5 else None


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("given", "later"), [
    (None, "container_1"), ("container_0", "container_1"), ({"skills": []}, {"id": "container_1", "skills": []}),
    ({}, {"id": "container_1"}), ({"id": None, "skills": []}, {"id": "container_1", "skills": []}),
])
async def test_later_rounds_go_on_where_the_first_one_was(start: Start, stream: bool, given: Any, later: Any) -> None:
    """A container of their own would be empty. Nothing else of the request changes, and the client gets the id, as it
    would without the rounds."""
    behind = await start(api=_Running, script=_calling)
    body = FORMATS[1].body(**({} if given is None else {"container": given}))
    async with anthropic.AsyncAnthropic(base_url=behind.url, api_key="any", max_retries=0) as client:
        if stream:
            async with client.messages.stream(**body) as events:
                message = await events.get_final_message()
        else:
            message = await client.messages.create(**body)
    assert message.content[-1].text == ANSWER
    assert message.container is not None
    assert message.container.id == CONTAINER["id"]
    upstream = behind.upstream
    assert isinstance(upstream, _Running)
    assert len(upstream.asked) > 2
    assert upstream.asked == [given, *[later] * (len(upstream.asked) - 1)]
    first, second = upstream.bodies[:2]
    assert [*second][:len(first)] == [*first]
