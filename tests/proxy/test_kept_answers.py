"""Answers that a provider keeps, continued: no call of ours in them is left without its reply."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest
from aiohttp import web
from proxy_support import ANSWER, Start, log_of
from responses_support import PATH, QUESTION, answered, ask, asked, body_of
from responses_upstream import ResponsesUpstream

from toolstub_ext.synopsis import is_stub
from toolstub_proxy.demo.upstream_model import Reply

GO_ON: list[Any] = ["Go on.", [{"role": "user", "content": "Go on."}], []]

streamed_or_not = pytest.mark.parametrize("stream", [False, True])


@streamed_or_not
@pytest.mark.parametrize("further", GO_ON, ids=["text", "message", "nothing"])
@pytest.mark.parametrize("rounds", [0, 1])
async def test_a_call_of_ours_that_was_cut_off_does_not_end_the_conversation(
    start: Start, stream: bool, further: Any, rounds: int,
) -> None:
    """The client never saw it, so it cannot answer it; the provider wants a reply all the same."""
    replies = iter([*[Reply("", (("toolstub_list", "{}"),))] * rounds,
                    Reply("Hm.", (("toolstub_search", '{"que'),), finish="incomplete"), Reply("Done.")])
    behind = await start(api=ResponsesUpstream, script=lambda body: next(replies))
    _, _, answer = await behind.post(body_of(asked("a"), stream=stream), PATH)
    cut = json.loads(answer.rpartition(b"data: ")[2])["response"] if stream else json.loads(answer)
    assert (cut["status"], [item["type"] for item in cut["output"]]) == ("incomplete", ["message"])
    whole = await ask(behind, further, stream=stream, previous_response_id=cut["id"])
    assert whole.output_text == "Done."


@streamed_or_not
async def test_a_call_behind_the_last_request_does_not_end_the_conversation(start: Start, stream: bool) -> None:
    """A model that calls our tools although they are offered no longer."""
    behind = await start(api=ResponsesUpstream, script=lambda body: Reply("Done.") if "Go on." in json.dumps(body)
                         else Reply("", (("toolstub_list", "{}"),)))
    ended = await ask(behind, asked("a"), stream=stream)
    assert (await ask(behind, "Go on.", stream=stream, previous_response_id=ended.id)).output_text == "Done."


@streamed_or_not
async def test_what_a_client_says_may_stand_in_front_of_its_results(start: Start, stream: bool) -> None:
    """Of a turn with a call of ours and one of its own."""
    calls = (("toolstub_search", '{"query": "id_1234"}'), ("get_log", "{}"))
    replies = iter([Reply("", (("get_log", "{}"),)), Reply("", calls)])
    behind = await start(api=ResponsesUpstream, script=lambda body: next(replies, None))
    first = await ask(behind, QUESTION, stream=stream)
    mixed = await ask(behind, answered(first, log_of("a")), stream=stream, previous_response_id=first.id)
    items = [{"role": "user", "content": "Quick. What is id_1234?"}, *answered(mixed, "short")]
    final = await ask(behind, items, stream=stream, previous_response_id=mixed.id)
    assert final.output_text == ANSWER


class _Compacting(ResponsesUpstream):
    """Compacts conversations, too, those that it would take."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.compacted: list[dict[str, Any]] = []
        self._runner.app.router.add_post("/{prefix:.*}responses/compact", self._compact)

    async def _compact(self, request: web.Request) -> web.Response:
        self.compacted.append(self.check(await request.read(), request.headers))
        sealed = {"type": "compaction", "id": "cmp_1", "encrypted_content": "sealed:c"}
        return web.json_response({"id": "resp_c", "object": "response.compaction", "created_at": 1, "output": [sealed],
                                  "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}})


async def test_a_conversation_is_compacted_as_the_model_has_read_it(start: Start) -> None:
    """With its originals it may be longer than the model can read, as Codex, which asks so, has no way to know; and
    what was sent before is in the provider's cache."""
    behind = await start(api=_Compacting)
    upstream = behind.upstream
    assert isinstance(upstream, _Compacting)
    body = body_of(asked("a"))
    _, _, answer = await behind.post(body, PATH)
    items = [*asked("a"), *json.loads(answer)["output"]]
    status, _, answer = await behind.post({**body, "input": items}, f"{PATH}/compact")
    assert (status, [item["type"] for item in json.loads(answer)["output"]]) == (200, ["compaction"])
    (compacted,) = upstream.compacted
    assert compacted["tools"] == upstream.bodies[-1]["tools"]
    assert compacted["input"][:-1] == upstream.bodies[-1]["input"]
    assert is_stub(compacted["input"][2]["output"])


async def test_a_conversation_that_the_provider_keeps_is_compacted_to_its_end(start: Start) -> None:
    """By the id of a stream the client means its last round; nothing else is changed without tools."""
    behind = await start(api=_Compacting)
    upstream = behind.upstream
    assert isinstance(upstream, _Compacting)
    known = await ask(behind, asked("a"), stream=True)
    last = f"resp_{len(upstream.requests):06d}"
    assert known.id != last
    request = {"model": "m", "input": [], "previous_response_id": known.id}
    status, _, answer = await behind.post(request, f"{PATH}/compact")
    assert status == 200, answer
    assert upstream.compacted == [{**request, "previous_response_id": last}]


class _Forgetting(ResponsesUpstream):
    """Forgets answers, too."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._runner.app.router.add_delete("/{prefix:.*}responses/{id}", self._forget)

    async def _forget(self, request: web.Request) -> web.Response:
        known = request.match_info["id"]
        if self.whole.pop(known, None) is None:
            return web.json_response({"error": {"message": f"Response with id '{known}' not found."}}, status=404)
        return web.json_response({"id": known, "object": "response.deleted", "deleted": True})


@streamed_or_not
@pytest.mark.parametrize("rounds", [0, 1, 3])
async def test_an_answer_is_forgotten_with_all_of_its_rounds(start: Start, stream: bool, rounds: int) -> None:
    """What was read in them is in none that is left, and the client gets the provider's word for the one it knows."""
    left = iter(range(rounds))
    behind = await start(api=_Forgetting, gateway={"owner_of": lambda headers: headers.get("authorization")},
                         script=lambda body: Reply("", (("toolstub_list", f'{{"tool": "{n}"}}'),))
                         if (n := next(left, None)) is not None else Reply("Done."))
    upstream = behind.upstream
    assert isinstance(upstream, _Forgetting)
    known = await ask(behind, asked("a"), stream=stream)
    other = await ask(behind, "hi", stream=stream)
    assert len(upstream.whole) == rounds + 2
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="another", max_retries=0) as client:
        with pytest.raises(openai.NotFoundError, match="nothing_like_it"):
            await client.responses.delete("nothing_like_it")
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0) as client:
        await client.responses.delete(known.id)
    assert [*upstream.whole] == [other.id]


@streamed_or_not
@pytest.mark.parametrize("text", ["", "Hm."])
@pytest.mark.parametrize("kept", [False, True])
async def test_a_thought_is_followed_by_the_call_that_was_cut_off(
    start: Start, stream: bool, text: str, kept: bool,
) -> None:
    """The client has the thought alone and sends it again, which a provider refuses: so the call comes back behind
    it."""
    replies = iter([Reply("", (("toolstub_list", "{}"),)),
                    Reply(text, (("toolstub_search", '{"que'),), finish="incomplete"), Reply("Done."), Reply("Yes.")])
    behind = await start(api=ResponsesUpstream, script=lambda body: next(replies))
    more = {"reasoning": {"effort": "low"}, "include": ["reasoning.encrypted_content"], "store": kept}
    items = asked("a")
    for question in ("Go on.", "Really?"):
        status, _, answer = await behind.post(body_of(items, stream=stream, **more), PATH)
        assert status == 200, answer
        said = json.loads(answer.rpartition(b"data: ")[2])["response"] if stream else json.loads(answer)
        items = [*items, *said["output"], {"role": "user", "content": question}]
    assert said["status"] == "completed"
    second, third = (body["input"] for body in behind.upstream.bodies[1:3])
    assert third[:len(second)] == second
    assert [item["type"] for item in third[-3:-1]] == ["function_call", "function_call_output"]
