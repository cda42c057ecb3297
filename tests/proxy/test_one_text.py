"""Where only one text of several rounds can count: what the client was told is what it comes back with."""

from __future__ import annotations

import json
from typing import Any

import pytest
from proxy_support import Start, asked, body_of, deltas_of
from spoken import FORMATS, Spoken

from toolstub_proxy.demo.upstream_model import Reply

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
WANTED: dict[str, dict[str, Any]] = {
    "chat": {"response_format": {"type": "json_object"}},
    "messages": {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
    "responses": {"text": {"format": {"type": "json_schema", "name": "a", "strict": True, "schema": SCHEMA}}},
}


def _message_of(spoken: Spoken, answer: bytes, *, stream: bool) -> list[Any]:
    """What a client puts into the conversation, as it was told."""
    if not stream:
        said = json.loads(answer)
        return {"chat": lambda: [said["choices"][0]["message"]], "responses": lambda: said["output"],
                "messages": lambda: [{"role": "assistant", "content": said["content"]}]}[spoken.name]()
    events = deltas_of(answer)
    if spoken.name == "responses":
        return list(events[-1]["response"]["output"])
    if spoken.name == "chat":
        text = "".join(choice["delta"].get("content") or "" for event in events for choice in event["choices"])
        return [{"role": "assistant", "content": text}]
    texts: dict[int, str] = {}
    for event in events:
        if event["type"] == "content_block_delta":
            texts[event["index"]] = texts.get(event["index"], "") + event["delta"]["text"]
    return [{"role": "assistant", "content": [{"type": "text", "text": text} for text in texts.values()]}]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)
async def test_the_rounds_of_a_structured_answer_come_back(start: Start, spoken: Spoken, stream: bool) -> None:
    """Also where a stream had told the text of an earlier one before that was known to be none."""
    replies = iter([Reply("Hm. ", (("toolstub_list", "{}"),)), Reply('{"a": 1}'), Reply("Done.")])
    behind = await start(api=spoken.api, script=lambda body: next(replies))
    body = spoken.body(stream=stream, **WANTED[spoken.name])
    _, _, answer = await behind.post(body, spoken.path, headers=spoken.headers)
    body[spoken.said] += [*_message_of(spoken, answer, stream=stream), {"role": "user", "content": "And now?"}]
    status, _, _ = await behind.post(body, spoken.path, headers=spoken.headers)
    assert status == 200
    second, third = (request[spoken.said] for request in behind.upstream.bodies[1:])
    assert third[:len(second)] == second


@pytest.mark.parametrize("told_apart", [True, False, None])
async def test_a_text_whose_tokens_are_told_apart_is_that_of_one_round(start: Start, told_apart: bool | None) -> None:
    """They are those of the last one, and have to be those of the text."""
    replies = iter([Reply("Hm. ", (("toolstub_list", "{}"),)), Reply("So.")])
    behind = await start(script=lambda body: next(replies))
    _, _, answer = await behind.post(body_of(asked("a"), logprobs=told_apart))
    text = json.loads(answer)["choices"][0]["message"]["content"]
    assert text == ("So." if told_apart else "Hm. So.")
