"""A real mitmdump with the add-on, from a clone, in the modes people use."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import openai
import pytest
from aiohttp import web
from http_proxy import HttpProxy
from mitmdump_process import MITMDUMP, mitmdump
from proxy_support import ANSWER, TOOL, asked, body_of, log_of
from responses_upstream import ResponsesUpstream
from spoken import FORMATS

from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(MITMDUMP is None, reason="no mitmdump: set TOOLSTUB_MITMDUMP to the one to test with")


async def _ask(base: str, *, stream: bool) -> str:
    async with openai.AsyncOpenAI(base_url=base + "/v1", api_key="any", max_retries=0) as client:
        answer: Any = await client.chat.completions.create(
            model="m", messages=asked("a"), tools=[TOOL], stream=stream)  # type: ignore[list-item]
        if not stream:
            assert "toolstub_" not in answer.model_dump_json()
            return str(answer.choices[0].message.content)
        chunks = [chunk async for chunk in answer]
        assert not any("toolstub_" in chunk.model_dump_json() for chunk in chunks)
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


async def test_reverse_mode(tmp_path: Path) -> None:
    """A base URL that points at mitmdump; text arrives while the upstream holds back the rest."""
    async with UpstreamApp() as upstream, mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}") as mitm:
        await mitm.says("at work")
        assert await _ask(mitm.url, stream=False) == ANSWER
        assert await _ask(mitm.url, stream=True) == ANSWER
        upstream.gate = asyncio.Event()
        request = body_of([{"role": "user", "content": "hi"}], stream=True)
        url = mitm.url + "/v1/chat/completions"
        async with aiohttp.ClientSession() as http, http.post(url, json=request) as answer:
            seen = b""
            while b"Hello" not in seen:
                seen += await answer.content.readany()
            upstream.gate.set()
            assert (seen + await answer.read()).endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize("trust", ["ssl_verify_upstream_trusted_ca={certificate}", "ssl_insecure=true", ""])
async def test_regular_mode(tmp_path: Path, certificate: Any, trust: str) -> None:
    """A client behind HTTPS_PROXY that trusts mitmproxy's authority; whom mitmproxy trusts, the gateway trusts."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    options = ["--set", trust.format(certificate=certificate.file)] if trust else []
    # mitmproxy looks at the server's certificate before it answers a client; `lazy` leaves that to the gateway.
    async with mitmdump(tmp_path, *options, "--set", "connection_strategy=lazy",
                         "--set", "upstream_cert=false") as mitm:
        await mitm.says("at work")
        trusting = ssl.create_default_context(cafile=str(mitm.authority))
        async with aiohttp.ClientSession() as http:
            url = upstream.url + "/v1/chat/completions"
            async with http.post(url, json=body_of(asked("a"), stream=True), proxy=mitm.url, ssl=trusting) as answer:
                status, said = answer.status, await answer.read()
    await upstream.stop()
    if trust:
        assert (status, upstream.url) == (200, upstream.url)
        assert b"toolstub_" not in said
        assert len(upstream.requests) > 1
    else:
        assert (status, json.loads(said)["error"]["type"]) == (502, "api_connection_error")


async def test_an_agent_behind_https_proxy_gets_the_hidden_answer(
    tmp_path: Path, certificate: Any,
) -> None:
    """A process of its own, as an agent is, with the two variables that the documentation names."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    request = {"model": "m", "messages": asked("a"), "tools": [TOOL]}
    agent = tmp_path / "agent.py"
    agent.write_text(f"import openai\nanswer = openai.OpenAI().chat.completions.create(**{request!r})\n"
                     "print(answer.choices[0].message.content)\n")
    async with mitmdump(tmp_path, "--set", f"ssl_verify_upstream_trusted_ca={certificate.file}") as mitm:
        await mitm.says("at work")
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(agent), stdout=asyncio.subprocess.PIPE, env=os.environ | {
                "HTTPS_PROXY": mitm.url, "SSL_CERT_FILE": str(mitm.authority), "OPENAI_API_KEY": "any",
                "OPENAI_BASE_URL": upstream.url + "/v1", "NO_PROXY": ""})
        out, _ = await process.communicate()
    await upstream.stop()
    assert out.decode().strip() == ANSWER
    assert len(upstream.requests) > 1


async def test_when_the_client_leaves_the_upstream_request_ends(tmp_path: Path) -> None:
    """Through mitmproxy as well."""
    async with (
        UpstreamApp(script=lambda body: Reply("word " * 20)) as upstream,
        mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}") as mitm,
    ):
        await mitm.says("at work")
        upstream.gate = asyncio.Event()
        request, url = body_of(asked("a"), stream=True), mitm.url + "/v1/chat/completions"
        async with aiohttp.ClientSession() as http, http.post(url, json=request) as answer:
            await answer.content.readany()
        await upstream.until(lambda: upstream.cancelled == 1)


async def test_a_missing_library_is_named_with_what_to_install(tmp_path: Path) -> None:
    """In one line; mitmproxy's environment is often not the user's own."""
    (tmp_path / "aiohttp.py").write_text("raise ModuleNotFoundError(\"No module named 'aiohttp'\", name='aiohttp')")
    async with mitmdump(tmp_path, PYTHONPATH=str(tmp_path)) as mitm:
        await mitm.says("toolstub, in mitmproxy's environment: this needs aiohttp: pip install")


async def test_upstream_mode(tmp_path: Path, certificate: Any) -> None:
    """A proxy behind mitmproxy, with a password: hidden rounds go through it, too."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    async with (
        HttpProxy(upstream.url, credentials="me:pass") as company,
        mitmdump(tmp_path, "--mode", f"upstream:{company.url}", "--set", "upstream_auth=me:pass", "--set",
                  "toolstub_hosts=api.example", "--set", f"ssl_verify_upstream_trusted_ca={certificate.file}") as mitm,
    ):
        await mitm.says("at work")
        trusting = ssl.create_default_context(cafile=str(mitm.authority))
        async with aiohttp.ClientSession() as http, http.post(
                "https://api.example/v1/chat/completions", json=body_of(asked("a"), stream=True), proxy=mitm.url,
                ssl=trusting) as answer:
            status, said = answer.status, await answer.read()
    await upstream.stop()
    assert (status, ANSWER.split("=")[1].encode() in said) == (200, True), said
    assert b"toolstub_" not in said
    assert len(upstream.requests) > 1
    assert {head.split(" ")[0] for head in company.heads} == {"CONNECT"}


async def test_what_is_no_providers_is_not_decrypted(tmp_path: Path, certificate: Any) -> None:
    """A bank's own certificate arrives at the client, who does not trust mitmproxy's there."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    async with HttpProxy(upstream.url) as company, mitmdump(tmp_path, "--mode", f"upstream:{company.url}") as mitm:
        await mitm.says("at work")
        trusting = ssl.create_default_context(cafile=str(certificate.file))
        async with aiohttp.ClientSession() as http, http.post(
                "https://api.example/v1/chat/completions", json=body_of([{"role": "user", "content": "hi"}]),
                proxy=mitm.url, ssl=trusting) as answer:
            assert answer.status == 200
    await upstream.stop()
    assert b"toolstub" not in upstream.requests[0]


async def test_websockets_pass(tmp_path: Path) -> None:
    """Untouched, whatever is said in them; also at a path whose POST requests are read."""

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        return socket

    app = web.Application()
    app.router.add_get("/v1/responses", talk)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    said = json.dumps({"type": "response.create", "tools": [TOOL], "input": asked("a")})
    async with mitmdump(tmp_path, "--mode", f"reverse:http://127.0.0.1:{runner.addresses[0][1]}") as mitm:
        await mitm.says("at work")
        async with aiohttp.ClientSession() as http, http.ws_connect(mitm.url + "/v1/responses") as socket:
            await socket.send_str(said)
            assert await socket.receive_str() == said
    await runner.cleanup()


@pytest.mark.parametrize("place", ["file", "folder"])
async def test_a_client_certificate_is_shown_in_every_round(tmp_path: Path, certificate: Any, place: str) -> None:
    """Mitmproxy's option names a file, or a folder with one for each host."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.mutual_tls())
    file = certificate.both(tmp_path)
    if place == "folder":
        (tmp_path / "certificates").mkdir()
        file = file.rename(tmp_path / "certificates" / "127.0.0.1.pem").parent
    async with mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}", "--set", f"client_certs={file}", "--set",
                        f"ssl_verify_upstream_trusted_ca={certificate.file}") as mitm:
        await mitm.says("at work")
        assert await _ask(mitm.url, stream=True) == ANSWER
    await upstream.stop()
    assert len(upstream.requests) > 1


async def test_a_limit_of_sizes_holds_for_requests_and_cuts_no_stream(tmp_path: Path) -> None:
    """What mitmproxy refuses does not get past it; a stream may be as long as it likes."""
    async with (
        UpstreamApp(script=lambda body: Reply("word " * 2_000)) as upstream,
        mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}", "--set", "body_size_limit=100k") as mitm,
    ):
        await mitm.says("at work")
        url = mitm.url + "/v1/chat/completions"
        hello = body_of([{"role": "user", "content": "hi"}], stream=True)
        async with aiohttp.ClientSession() as http:
            async with http.post(url, json=body_of(asked("a"))) as answer:
                assert (answer.status, upstream.requests) == (413, [])
            async with http.post(url, json=hello) as answer:
                said = await answer.read()
        assert len(said) > 150_000
        assert said.endswith(b"data: [DONE]\n\n")


class _Http2Only(ssl.SSLContext):
    """Offers HTTP/2 alone; httpx would offer HTTP/1.1 first, and mitmproxy take that."""

    def set_alpn_protocols(self, alpn_protocols: Iterable[str]) -> None:
        super().set_alpn_protocols(["h2"])


async def test_many_streams_of_one_http2_client_run_at_once(tmp_path: Path) -> None:
    """By itself, mitmproxy opens five connections to one address, and no more."""
    async with (
        UpstreamApp(script=lambda body: Reply("word " * 20)) as upstream,
        mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}", "--set", "connection_strategy=lazy") as mitm,
    ):
        await mitm.says("at work")
        upstream.gate = asyncio.Event()
        trusting = _Http2Only(ssl.PROTOCOL_TLS_CLIENT)
        trusting.load_verify_locations(mitm.authority)
        url = mitm.url.replace("http:", "https:") + "/v1/chat/completions"
        async with httpx.AsyncClient(http1=False, http2=True, verify=trusting, timeout=60) as http:
            request = body_of([{"role": "user", "content": "hi"}], stream=True)
            streams = [asyncio.create_task(http.post(url, json=request)) for _ in range(12)]
            await upstream.until(lambda: len(upstream.requests) == len(streams))
            upstream.gate.set()
            answers = await asyncio.gather(*streams)
        assert {answer.http_version for answer in answers} == {"HTTP/2"}
        assert all(answer.content.endswith(b"data: [DONE]\n\n") for answer in answers)


@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_is_asked_for_again_holds_nothing_of_ours(tmp_path: Path, stream: bool) -> None:
    """What a provider keeps is read here, too."""
    question = {"role": "user", "content": "What is id_1234?"}
    body = {"model": "m", "input": [question, *FORMATS[2].turn("call_a", log_of("a"))], "tools": [FORMATS[2].tool]}
    async with (
        ResponsesUpstream() as upstream,
        mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}") as mitm,
        aiohttp.ClientSession() as http,
    ):
        await mitm.says("at work")
        async with http.post(f"{mitm.url}/v1/responses", json={**body, "stream": stream}) as answer:
            said = await answer.text()
        known = "resp_000001" if stream else json.loads(said)["id"]
        async with http.get(f"{mitm.url}/v1/responses/{known}") as answer:
            again = await answer.text()
    assert len(upstream.requests) > 1
    assert ANSWER in again
    assert "toolstub_" not in again
