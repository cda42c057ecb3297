"""A request with `x-toolstub-dry-run: 1` is answered with what would be sent, and why."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from messages_upstream import MessagesUpstream
from proxy_support import TOOL, Start, asked, body_of, log_of

from toolstub_ext.store import Store
from toolstub_proxy.access_log import AccessLog
from toolstub_proxy.savings import Bill

DRY = {"x-toolstub-dry-run": "1"}
LOCAL = {"role": "user", "content": "hi"}


async def test_it_shows_the_request_with_reasons_and_sends_nothing(start: Start, store: Store) -> None:
    """What stands under `request` is the very text that a real request would send."""
    behind = await start()
    body = body_of(asked("a"), temperature=1e5)
    status, headers, answer = await behind.post(body, headers=DRY)
    assert (status, headers["Content-Type"].partition(";")[0]) == (200, "application/json")
    assert behind.upstream.requests == []
    told = json.loads(answer)
    assert told["upstream"] == behind.upstream.url + "/v1/chat/completions"
    assert told["changed"] is True
    (decision,) = told["decisions"]
    assert (decision["slot"], decision["tool"]) == ("/messages/2/content", "get_log")
    assert decision["action"] == "externalized"
    assert decision["chars_before"] == len(log_of("a")) > decision["chars_after"]
    assert told["chars"]["before"] > told["chars"]["after"]
    assert told["tokens_estimated"]["before"] > told["tokens_estimated"]["after"]
    assert store.read(decision["ref"], limit=-1).text == log_of("a")
    await behind.post(body)
    assert behind.upstream.requests[0] in answer
    assert "x-toolstub-dry-run" not in str(behind.upstream.headers).lower()


async def test_what_was_not_sent_has_saved_nothing(start: Start, tmp_path: Path) -> None:
    """A dry run is a request like others, with nothing saved and no result; those count when they are sent."""
    log = AccessLog(str(tmp_path / "log"))
    behind = await start(gateway={"access_log": log})
    counts = behind.gateway.counts
    await behind.post(body_of(asked("a")), headers=DRY)
    assert (sum(counts.requests.values()), counts.bill, counts.results, sum(counts.added)) == (1, Bill(), {}, 0)
    await behind.post(body_of(asked("a")))
    assert counts.bill.tokens_saved > 0.5
    assert counts.results == {"externalized": 1}
    log.close()
    dry, sent = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert (dry["dry_run"], dry["stubs"], dry["chars_saved"]) == (True, 1, 0)
    assert "dry_run" not in sent
    assert sent["chars_saved"] > 0


async def test_it_works_in_other_formats_and_encodings(start: Start) -> None:
    """As the request itself would."""
    behind = await start(api=MessagesUpstream)
    body = gzip.compress(json.dumps({"model": "m", "max_tokens": 5, "messages": [LOCAL], "tools": [
        {"name": "get_log", "input_schema": {"type": "object"}}]}).encode())
    _, _, answer = await behind.post(body, path="/v1/messages", headers=DRY | {"Content-Encoding": "gzip"})
    assert json.loads(answer)["request"]["messages"] == [LOCAL]
    assert json.loads(answer)["tools_offered"]


@pytest.mark.parametrize(("body", "settings", "why"), [
    (b'{"model":"m","messages":[{"role":"user","content":"hi"}]}', {}, "no tools"),
    (b"{", {}, "not understood"),
    (json.dumps(body_of(asked("a"), n=2)).encode(), {}, "no one answer"),
    (json.dumps(body_of(asked("a"))).encode(), {"preset": "off"}, "every policy is off"),
    (json.dumps({"model": "m", "messages": [LOCAL], "tools": [TOOL] * 127}).encode(), {}, "too many tools"),
])
async def test_it_says_why_a_request_would_go_as_it_came(
    start: Start, body: bytes, settings: dict[str, Any], why: str,
) -> None:
    """One reason each."""
    behind = await start(settings=settings)
    _, _, answer = await behind.post(body, headers=DRY)
    told = json.loads(answer)
    assert told["changed"] is False
    assert why in told["why"]


async def test_other_requests_say_so_too(start: Start) -> None:
    """Paths, encodings and keys that keep a request from being read."""
    behind = await start(gateway={"owner_of": lambda headers: headers.get("authorization")})
    async with behind.http.get(behind.url + "/v1/models", headers=DRY) as answer:
        assert "only JSON" in (await answer.json())["why"]
    _, _, answer_ = await behind.post(b"{}", headers=DRY)
    assert "no API key" in json.loads(answer_)["why"]
    _, _, answer_ = await behind.post(b"?", headers=DRY | {"Authorization": "k", "Content-Encoding": "odd"})
    assert "encoding" in json.loads(answer_)["why"]
    assert behind.upstream.requests == []


@pytest.mark.parametrize("value", ["0", "false", ""])
async def test_a_header_that_says_no_is_no_dry_run(start: Start, value: str) -> None:
    """A client may have a switch."""
    behind = await start()
    await behind.post(body_of([LOCAL]), headers={"x-toolstub-dry-run": value})
    assert len(behind.upstream.requests) == 1
