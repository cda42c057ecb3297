"""`toolstub doctor`: each fault that it knows is made, and found."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from proxy_processes import ran
from proxy_support import Start, asked, body_of, free_port, wrong_in

from toolstub_ext.settings import Settings, load_settings
from toolstub_proxy.admission import Admission
from toolstub_proxy.demo.upstream import Fault, UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.doctor import here, variables, way
from toolstub_proxy.doctor.finding import Finding
from toolstub_proxy.trust import trusted

NO_TOOLS = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
TOKEN = "correct-horse-battery"


async def _running(port: int, token: str | None = None) -> list[Finding]:
    return await asyncio.to_thread(lambda: list(way.running("127.0.0.1", port, token)))


async def test_where_all_is_well_it_says_so(start: Start, tmp_path: Path) -> None:
    """With status 0, as lines and as JSON."""
    behind = await start()
    await behind.post(body_of(asked("a")))
    args = ["--listen", behind.url.removeprefix("http://"), "--upstream", behind.upstream.url, "--store", "s.db"]
    more = {"OPENAI_BASE_URL": behind.url + "/v1"}
    code, out, _ = await ran("doctor", *args, cwd=tmp_path, **more)
    assert code == 0, out
    assert "ok  base URL: OPENAI_BASE_URL leads to the proxy" in out
    assert "ok  traffic: 1 request; tool results: 1 externalized" in out
    assert "can be reached" in out
    code, out, _ = await ran("doctor", "--json", *args, cwd=tmp_path, **more)
    told = json.loads(out)
    assert (code, told["ok"]) == (0, True)
    assert {"subject", "ok", "says", "do"} == set(told["findings"][0])


async def test_where_nothing_runs_it_says_what_to_start(tmp_path: Path) -> None:
    """With status 1; the upstream is looked at all the same."""
    where = f"127.0.0.1:{free_port()}"
    code, out, err = await ran("doctor", "--listen", where, "--upstream", "http://127.0.0.1:1", "--store", "s.db",
                               cwd=tmp_path)
    assert (code, err) == (1, "")
    assert f"!!  proxy: none on {where}: connection refused\n    -> start it: toolstub proxy\n" in out
    assert "!!  upstream: http://127.0.0.1:1 cannot be reached: connection refused\n    -> check" in out


@pytest.mark.parametrize("name", ["aiohttp", "prometheus_client"])
async def test_a_missing_library_is_a_finding_and_no_failure(tmp_path: Path, name: str) -> None:
    """It is what the doctor is asked about."""
    (tmp_path / f"{name}.py").write_text(f'raise ModuleNotFoundError("No module named {name!r}", name={name!r})')
    code, out, err = await ran("doctor", "--listen", f"127.0.0.1:{free_port()}", "--upstream", "http://127.0.0.1:1",
                               "--store", "s.db", cwd=tmp_path, PYTHONPATH=_paths(tmp_path))
    assert (code, err) == (1, "")
    assert f"!!  versions: {name} is missing, which `toolstub proxy` needs\n    -> pip install" in out


def _paths(first: Path) -> str:
    root = Path(__file__).parents[2]
    return os.pathsep.join(map(str, (first, root, root / "proxy")))


async def test_settings_that_cannot_be_read_end_the_search(tmp_path: Path) -> None:
    """With the line that every command gives."""
    (tmp_path / "toolstub.yaml").write_text("presett: saver\n")
    code, out, _ = await ran("doctor", cwd=tmp_path)
    assert code == 1
    assert "!!  settings: " in out
    assert "preset" in out
    assert "upstream:" not in out


@pytest.mark.parametrize(("variable", "value", "says"), [
    ("OPENAI_BASE_URL", "https://api.openai.com/v1", "the proxy is on 127.0.0.1:8788"),
    ("OPENAI_BASE_URL", "http://127.0.0.1:8787/v1", "the proxy is on 127.0.0.1:8788"),
    ("OPENAI_API_BASE", "https://127.0.0.1:8788/v1", "plain http"),
    ("ANTHROPIC_BASE_URL", "http://localhost:8788/v1", "append /v1 themselves -> export ANTHROPIC_BASE_URL=http://127"),
    ("ANTHROPIC_BASE_URL", "http://[bad", "no URL"),
])
def test_a_base_url_that_leads_elsewhere(variable: str, value: str, says: str) -> None:
    """The commonest reason why nothing arrives."""
    (line,) = wrong_in(variables.base_urls({variable: value}, "127.0.0.1", 8788))
    assert says in line


@pytest.mark.parametrize(("variable", "value"), [
    ("OPENAI_BASE_URL", "http://127.0.0.1:8788/v1"), ("OPENAI_BASE_URL", "http://localhost:8788"),
    ("ANTHROPIC_BASE_URL", "http://127.0.0.1:8788/"),
])
def test_a_base_url_that_leads_to_the_proxy(variable: str, value: str) -> None:
    """Whatever this machine is called in it."""
    (finding,) = variables.base_urls({variable: value}, "127.0.0.1", 8788)
    assert finding.ok


@pytest.mark.parametrize(("environment", "says"), [
    ({"HTTP_PROXY": "http://company:3128"}, "export NO_PROXY=127.0.0.1,localhost"),
    ({"all_proxy": "company:3128", "NO_PROXY": "company"}, "export NO_PROXY"),
    ({"all_proxy": "socks5://me:secret@company:1080", "NO_PROXY": "*"}, "ALL_PROXY is no HTTP proxy"),
    ({"https_proxy": "socks5h://company:1080"}, "HTTPS_PROXY is no HTTP proxy"),
    ({"https_proxy": "http://[::1"}, "HTTPS_PROXY is no HTTP proxy"),
    ({"https_proxy": "http://localhost:87880"}, "HTTPS_PROXY is no HTTP proxy"),
    ({"https_proxy": "http://localhost:8788"}, "unset HTTPS_PROXY: toolstub proxy is a base URL"),
    ({"HTTPS_PROXY": "http://127.0.0.1:1"}, "nothing listens there -> start mitmdump"),
])
def test_proxies_that_swallow_requests(environment: dict[str, str], says: str) -> None:
    """Some clients send even what is for this machine to a proxy."""
    (line,) = wrong_in(variables.proxies(environment, "127.0.0.1", 8788))
    assert says in line


async def test_mitmproxy_without_its_certificate() -> None:
    """A client that does not trust it sends nothing."""
    async with UpstreamApp() as anything:
        behind = {"https_proxy": anything.url}
        (line,) = wrong_in(variables.proxies(behind, "127.0.0.1", 8788))
        assert "SSL_CERT_FILE=~/.mitmproxy/mitmproxy-ca-cert.pem" in line
        assert wrong_in(variables.proxies(behind | {"NODE_EXTRA_CA_CERTS": "x"}, "127.0.0.1", 8788)) == []
    (line,) = wrong_in(variables.bundles({"SSL_CERT_FILE": "/no/such/file"}))
    assert "no such file -> unset SSL_CERT_FILE" in line


async def test_a_port_that_another_program_has() -> None:
    """Which answers something, and not what a proxy would."""
    async with UpstreamApp() as other:
        (line,) = wrong_in(await _running(int(other.url.rpartition(":")[2])))
    assert "taken by another program -> choose another port" in line


@asynccontextmanager
async def _server(status: int, told: dict[str, str]) -> AsyncIterator[tuple[int, list[web.BaseRequest]]]:
    """A server that always answers the same: its port, and what it was asked."""
    asked_for: list[web.BaseRequest] = []

    async def answer(request: web.Request) -> web.Response:
        asked_for.append(request)
        return web.json_response(told, status=status)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield runner.addresses[0][1], asked_for
    await runner.cleanup()


async def test_a_proxy_of_another_version() -> None:
    """It was started before an update."""
    async with _server(200, {"status": "ok", "version": "0.0.1"}) as (port, _):
        (line,) = wrong_in(await _running(port))
    assert "of version 0.0.1" in line
    assert line.endswith("-> start it again")


@pytest.mark.parametrize(("requests", "says"), [
    ([], "no request has arrived yet"),
    ([("/v1/embeddings", NO_TOOLS)], "none to a path that is read"),
    ([("/v1/chat/completions", NO_TOOLS)], "has tools, so nothing may be stubbed"),
    ([("/v1/chat/completions", body_of([*asked("a", results=False), {"role": "tool", "tool_call_id": "call_a",
                                                                     "content": "short"}]))],
     "none became shorter -> toolstub proxy --explain"),
])
async def test_what_a_proxy_has_seen_says_why_nothing_is_stubbed(
    start: Start, requests: list[tuple[str, dict[str, Any]]], says: str,
) -> None:
    """From nothing at all to nothing long."""
    behind = await start(script=lambda body: Reply("Fine."))
    for path, body in requests:
        await behind.post(body, path=path)
    lines = wrong_in(await _running(int(behind.url.rpartition(":")[2])))
    assert says in lines[0]


async def test_requests_that_fail_are_named(start: Start) -> None:
    """With what to do about the commonest."""
    behind = await start(fault=lambda body: Fault(status=401, body=b"{}"))
    await behind.post(body_of([{"role": "user", "content": "hi"}]))
    lines = wrong_in(await _running(int(behind.url.rpartition(":")[2])))
    assert lines[-1] == "traffic: 1 time: upstream answered 401 -> check the client's API key"


async def test_a_proxy_with_a_token_tells_only_who_has_it(start: Start) -> None:
    """The rest is said, and is no fault."""
    behind = await start(gateway={"admission": Admission(TOKEN)})
    port = int(behind.url.rpartition(":")[2])
    findings = await _running(port)
    assert wrong_in(findings) == []
    assert findings[0].do == "set TOOLSTUB_TOKEN"
    assert "no request has arrived yet" in wrong_in(await _running(port, TOKEN))[0]


@pytest.mark.parametrize(("status", "key", "says"), [
    (401, "sk-old", "refuses the key in OPENAI_API_KEY (401) -> correct OPENAI_API_KEY"), (401, "", ""),
    (200, "sk-new", ""), (404, "", ""), (503, "", "answers 503 -> wait"),
])
async def test_an_upstream_is_asked_with_the_key_of_this_shell(status: int, key: str, says: str) -> None:
    """For its models, which costs nothing."""
    async with _server(status, {}) as (port, seen):
        settings = load_settings(upstream=f"http://127.0.0.1:{port}/v1")
        lines = await asyncio.to_thread(lambda: wrong_in(way.upstreams(settings, {"OPENAI_API_KEY": key}, trusted)))
    (request,) = seen
    assert (request.path, request.headers.get("authorization")) == ("/v1/models", f"Bearer {key}" if key else None)
    assert lines == [line for line in lines if says and says in line]
    assert len(lines) == bool(says)


async def test_an_upstream_that_is_not_trusted(certificate: Any) -> None:
    """The authority can be named, for the doctor as for the proxy."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    settings = load_settings(upstream=upstream.url)
    lines = await asyncio.to_thread(lambda: wrong_in(way.upstreams(settings, {}, trusted)))
    trusting = await asyncio.to_thread(lambda: wrong_in(way.upstreams(
        settings, {}, partial(trusted, str(certificate.file)))))
    await upstream.stop()
    assert len(lines) == 1
    assert lines[0].endswith("(self-signed certificate) -> name the authority that signed it with --ca FILE")
    assert trusting == []


def test_the_defaults_are_well() -> None:
    """Of what needs nothing but a look."""
    assert wrong_in([*here.settings_of(Settings()), *variables.base_urls({}, "127.0.0.1", 8788)]) == []
