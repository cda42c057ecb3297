"""The log of requests: what became of each, and never what it said."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import aiohttp
import pytest
from proxy_processes import ran, serving
from proxy_support import ANSWER, Start, asked, body_of

from toolstub_proxy.access_log import AccessLog
from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.record import Record

HELLO = body_of([{"role": "user", "content": "hi"}])


@pytest.fixture
def log(tmp_path: Path) -> Iterator[AccessLog]:
    """A log in a file."""
    opened = AccessLog(str(tmp_path / "requests.jsonl"))
    yield opened
    opened.close()


def _lines(folder: Path, name: str = "requests.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().split("\n") if line]


async def test_a_line_says_what_became_of_a_request(start: Start, log: AccessLog, tmp_path: Path) -> None:
    """Sizes, times, and what was stubbed; neither a body nor a key nor a query, which may hold a key."""
    behind = await start(gateway={"access_log": log})
    body = json.dumps(body_of(asked("a"))).encode()
    _, _, answer = await behind.post(body, path="/v1/chat/completions?key=sk-secret",
                                     headers={"Authorization": "Bearer sk-secret"})
    (line,) = _lines(tmp_path)
    assert (line["method"], line["path"], line["status"]) == ("POST", "/v1/chat/completions", 200)
    assert (line["format"], line["owner"], line["client"]) == ("chat", "local", "127.0.0.1")
    assert (line["received"], line["answered"]) == (len(body), len(answer))
    assert line["upstream"] == behind.upstream.url
    assert line["stubs"] == 1
    assert line["chars_saved"] > len(body) // 2
    assert line["rounds"] == len(behind.upstream.requests) - 1 > 0
    assert 0 < line["added_ms"] < line["ms"]
    assert 0 < line["first_byte_ms"] <= line["ms"]
    text = (tmp_path / "requests.jsonl").read_text()
    assert "sk-secret" not in text
    assert ANSWER not in text
    assert "id_1234" not in text


@pytest.mark.parametrize("stream", [False, True])
async def test_a_client_has_its_answer_before_there_is_a_line(start: Start, stream: bool) -> None:
    """Here the log waits for the client, and the event loop with it."""
    answered, waited = threading.Event(), []

    class Patient:
        def note(self, _: Record) -> None:
            waited.append(answered.wait(10))

    behind = await start(gateway={"access_log": Patient()}, script=lambda body: Reply("Done."))

    def ask() -> None:
        with urlopen(Request(f"{behind.url}/v1/chat/completions", json.dumps(HELLO | {"stream": stream}).encode(),
                             {"Content-Type": "application/json"})) as answer:
            assert b"Done." in answer.read()
        answered.set()

    await asyncio.to_thread(ask)
    assert waited == [True]


async def test_a_stream_counts_what_was_streamed(start: Start, log: AccessLog, tmp_path: Path) -> None:
    """In bytes, when it has ended."""
    behind = await start(gateway={"access_log": log})
    _, _, answer = await behind.post(HELLO | {"stream": True})
    (line,) = _lines(tmp_path)
    assert line["answered"] == len(answer)


async def test_a_failure_is_named(start: Start, log: AccessLog, tmp_path: Path) -> None:
    """In the words in which failures are counted."""
    behind = await start(gateway={"access_log": log}, settings={"upstream": "http://127.0.0.1:1"})
    await behind.post(HELLO)
    (line,) = _lines(tmp_path)
    assert (line["status"], line["failure"]) == (502, "upstream unreachable")


async def test_what_the_proxy_answers_itself_is_no_request(start: Start, log: AccessLog, tmp_path: Path) -> None:
    """A probe every second would bury the rest."""
    behind = await start(gateway={"access_log": log})
    async with behind.http.get(behind.url + "/healthz"), behind.http.get(behind.url + "/metrics"):
        assert _lines(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows moves no file that is open, and has no modes")
async def test_a_log_that_was_moved_away_is_begun_anew(start: Start, log: AccessLog, tmp_path: Path) -> None:
    """As programs that rotate logs expect; only its owner may read it."""
    behind = await start(gateway={"access_log": log})
    await behind.post(HELLO)
    assert stat.S_IMODE((tmp_path / "requests.jsonl").stat().st_mode) == 0o600
    (tmp_path / "requests.jsonl").rename(tmp_path / "old.jsonl")
    await behind.post(HELLO)
    assert len(_lines(tmp_path)) == len(_lines(tmp_path, "old.jsonl")) == 1


async def test_the_commands_log_where_they_are_told(tmp_path: Path) -> None:
    """To a file, or to standard output; a place that cannot be written to is an error at the start."""
    async with (
        UpstreamApp() as upstream,
        serving("--upstream", upstream.url, "--access-log", "-", cwd=tmp_path) as (proxy, url),
        aiohttp.ClientSession() as http,
        http.post(url + "/chat/completions", json=HELLO) as answer,
    ):
        assert answer.status == 200
        assert proxy.stdout is not None
        assert json.loads(await proxy.stdout.readline())["path"] == "/v1/chat/completions"
    code, _, err = await ran("proxy", "--access-log", "no/such/folder/x", cwd=tmp_path)
    assert (code, err.count("\n")) == (1, 1)
    assert "no/such/folder/x" in err
