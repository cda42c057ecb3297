"""What a proxy answers itself: its health, and its counters as Prometheus reads them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from messages_upstream import MessagesUpstream
from prometheus_client.parser import text_string_to_metric_families
from proxy_support import Behind, Start, asked, body_of
from responses_upstream import ResponsesUpstream
from spoken import FORMATS, Spoken

from toolstub_ext import __version__
from toolstub_ext.store import open_store
from toolstub_proxy.admission import Admission
from toolstub_proxy.demo.upstream import Fault, UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply

HELLO = body_of([{"role": "user", "content": "hi"}])
LAST_EVENTS = (b"[DONE]", b'"message_stop"', b'"response.completed"')
TOKEN = "correct-horse-battery"


async def _get(behind: Behind, path: str, **headers: str) -> tuple[int, Any]:
    async with behind.http.get(behind.url + path, headers=headers) as answer:
        body = await answer.text()
        return answer.status, json.loads(body) if path.endswith("/healthz") else body


async def _metrics(behind: Behind) -> dict[tuple[str, ...], float]:
    """Each sample under its name and the values of its labels."""
    _, text = await _get(behind, "/metrics")
    return {(sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples}


async def test_health_tells_what_was_done(start: Start) -> None:
    """In a form that `toolstub doctor` and a person can read; the upstream is not asked."""
    behind = await start()
    status, told = await _get(behind, "/healthz")
    assert status == 200
    assert (told["status"], told["version"], told["store"], told["requests"]) == ("ok", __version__, "ok", 0)
    assert told["last_request_seconds_ago"] is None
    await behind.post(body_of(asked("a")))
    await behind.post(HELLO | {"tools": []})
    _, told = await _get(behind, "/healthz")
    assert (told["requests"], told["of_a_known_format"], told["without_tools"]) == (2, 2, 1)
    assert told["results"] == {"externalized": 1}
    assert told["retrievals"] > 0
    assert told["last_request_seconds_ago"] in range(60)
    assert len(behind.upstream.requests) == 2 + told["retrievals"]


async def test_a_store_that_cannot_be_used_is_told_and_is_no_illness(start: Start, tmp_path: Path) -> None:
    """Requests go on without it."""
    with open_store(tmp_path / "missing" / "file" / "store.db", eager=False) as store:
        (tmp_path / "missing").touch()
        behind = await start(store=store)
        status, told = await _get(behind, "/healthz")
    assert (status, told["status"]) == (200, "ok")
    assert told["store"].startswith("unusable: ")


async def test_health_answers_while_the_store_is_locked_and_work_is_done(start: Start, tmp_path: Path) -> None:
    """A balancer that hears nothing would take the proxy out."""
    behind = await start()
    with sqlite3.connect(tmp_path / "store.db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        waiting = asyncio.create_task(behind.post(body_of(asked("a"))))
        status, told = await _get(behind, "/healthz")
        assert (status, told["running"]) == (200, 1)
        other.execute("ROLLBACK")
    other.close()
    await waiting


@pytest.mark.parametrize(("prefix", "headers", "status", "says"), [
    ("", {}, 401, "missing"), ("", {"x-toolstub-token": "wrong-horse-battery"}, 401, "wrong"),
    ("", {"Authorization": "Bearer wrong"}, 401, "wrong"), ("/toolstub-token/wrong-horse-battery", {}, 401, "wrong"),
    ("/toolstub-token/wrong-horse-battery", {"x-toolstub-token": TOKEN}, 401, "wrong"),
    ("", {"Authorization": f"Bearer {TOKEN}"}, 200, ""), ("", {"x-toolstub-token": TOKEN}, 200, ""),
    (f"/toolstub-token/{TOKEN}", {}, 200, ""),
])
async def test_the_token_guards_all_but_whether_it_is_well(
    start: Start, prefix: str, headers: dict[str, str], status: int, says: str,
) -> None:
    """A probe cannot know it; for a scraper it is a bearer token, too. What is in the path goes no further."""
    behind = await start(gateway={"admission": Admission(TOKEN)})
    got, said = await _get(behind, prefix + "/metrics", **headers)
    assert (got, says in said) == (status, True)
    got, told = await _get(behind, prefix + "/healthz", **headers)
    assert (got, "store" in told) == (200, status == 200)
    assert status == 200 or told == {"status": "ok", "version": __version__}
    assert behind.upstream.requests == []


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/healthz?a=1"])
async def test_without_a_token_one_in_the_path_is_taken_off_as_well(start: Start, path: str) -> None:
    """A client's base URL may still have it."""
    behind = await start()
    async with behind.http.get(f"{behind.url}/toolstub-token/{TOKEN}{path}") as answer:
        assert answer.status == 200
    assert behind.upstream.requests == []


@pytest.mark.parametrize(("api", "path", "spoken"), [
    (UpstreamApp, "/v1/chat/completions", "chat"),
    (MessagesUpstream, "/v1/messages", "messages"),
    (ResponsesUpstream, "/v1/responses", "responses"),
])
async def test_requests_are_counted_by_format_and_status(start: Start, api: Any, path: str, spoken: str) -> None:
    """Whatever the upstream made of them; a path of no format is `other`."""
    behind = await start(api=api)
    await behind.post(b'{"no such parameter":0}', path=path)
    async with behind.http.get(behind.url + "/v1/models"):
        pass
    metrics = await _metrics(behind)
    assert metrics["toolstub_requests_total", spoken, "400"] == 1
    assert metrics["toolstub_requests_total", "other", "404"] == 1
    assert metrics["toolstub_failures_total", "upstream answered 400"] == 1


async def test_what_was_saved_is_counted_over_all_that_was_sent(start: Start) -> None:
    """Hidden rounds included; a history that is sent again counts at the price of a cache."""
    behind = await start()
    await behind.post(body_of(asked("a")))
    metrics = await _metrics(behind)
    sent = sum(len(body) for body in behind.upstream.requests)
    before = metrics["toolstub_tokens_total", "client"]
    after = metrics["toolstub_tokens_total", "upstream"]
    assert metrics["toolstub_tokens_saved_ratio",] == pytest.approx(1 - after / before)
    assert after / before == pytest.approx(sent / len(json.dumps(body_of(asked("a")))), rel=0.3)
    assert metrics["toolstub_cost_saved_ratio",] > metrics["toolstub_tokens_saved_ratio",]
    assert metrics["toolstub_results_total", "externalized"] == 1
    assert metrics["toolstub_hidden_rounds_total",] == len(behind.upstream.requests) - 1
    assert sum(value for (name, *_), value in metrics.items() if name == "toolstub_retrievals_total") > 0
    assert metrics["toolstub_added_seconds_count",] == 1
    assert 0 < metrics["toolstub_added_seconds_sum",] < 60


async def test_a_result_counts_once_however_often_it_is_sent(start: Start) -> None:
    """With the request that brings it."""
    behind = await start(script=lambda body: Reply("Fine."))
    messages = asked("a")
    await behind.post(body_of(messages))
    await behind.post(body_of([*messages, {"role": "assistant", "content": "Fine."}, {"role": "user", "content": "?"},
                               {"role": "assistant", "content": "Fine."}, {"role": "user", "content": "?"}]))
    assert (await _metrics(behind))["toolstub_results_total", "externalized"] == 1


async def test_failures_are_counted_by_reason(start: Start) -> None:
    """In words that do not change, so that an alert can name them."""
    behind = await start(fault=lambda body: Fault(cut=True, events=1))
    with pytest.raises(Exception, match="payload"):
        await behind.post(HELLO | {"stream": True})
    await behind.post(HELLO, headers={"Origin": "https://evil.example"})
    metrics = await _metrics(behind)
    assert metrics["toolstub_failures_total", "upstream broke off"] == 1
    assert metrics["toolstub_failures_total", "refused: permission_error"] == 1
    gone = await start(settings={"upstream": "http://127.0.0.1:1"})
    await gone.post(HELLO)
    assert (await _metrics(gone))["toolstub_failures_total", "upstream unreachable"] == 1


async def test_a_client_that_left_is_counted_as_such(start: Start) -> None:
    """With the status that access logs have for it."""
    behind = await start(fault=lambda body: Fault(delay=3600))
    post = asyncio.create_task(behind.post(HELLO))
    await behind.upstream.until(lambda: len(behind.upstream.requests) == 1)
    post.cancel()
    await asyncio.gather(post, return_exceptions=True)
    await behind.upstream.until(lambda: behind.upstream.cancelled == 1)
    metrics = await _metrics(behind)
    assert metrics["toolstub_failures_total", "client gone"] == 1
    assert metrics["toolstub_requests_total", "chat", "499"] == 1


@pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)
async def test_a_client_that_left_with_its_whole_answer_has_not_failed(start: Start, spoken: Spoken) -> None:
    """SDKs close a stream at its last event, and a provider may be slow to end it behind that."""
    class Lingering(spoken.api):  # type: ignore[name-defined, misc]
        async def _streamed(self, *answer: Any) -> Any:
            response = await super()._streamed(*answer)
            await self._halt(3600)
            return response

    behind = await start(api=Lingering, script=lambda body: Reply("Done."))
    async with behind.http.post(behind.url + spoken.path, json=spoken.hello(stream=True),
                                headers=spoken.headers) as answer:
        async for line in answer.content:
            if line.startswith(b"data: ") and any(last in line for last in LAST_EVENTS):
                break
        answer.close()
    await behind.upstream.until(lambda: behind.upstream.cancelled == 1)
    metrics = await _metrics(behind)
    assert metrics["toolstub_requests_total", spoken.name, "200"] == 1
    assert not [name for name in metrics if name[0] == "toolstub_failures_total"]


async def test_who_takes_it_for_a_proxy_of_all_traffic_is_told_what_it_is(start: Start) -> None:
    """In the one line that clients show of such an answer."""
    behind = await start()
    with pytest.raises(aiohttp.ClientHttpProxyError, match="make it the base URL and not HTTPS_PROXY"):
        await behind.http.get("https://api.example/v1/models", proxy=behind.url)
