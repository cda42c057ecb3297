"""A real mitmdump with the add-on, from a clone, in the modes people use."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import openai
import pytest
from proxy_processes import MITMDUMP
from proxy_support import ANSWER, TOOL, asked, body_of, free_port

from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply

ROOT = Path(__file__).parents[2]
ADDON = ROOT / "proxy" / "toolstub_addon.py"


pytestmark = pytest.mark.skipif(MITMDUMP is None, reason="no mitmdump: set TOOLSTUB_MITMDUMP to the one to test with")


class Mitmdump:
    """A running mitmdump."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, folder: Path) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}"
        self.authority = folder / "conf" / "mitmproxy-ca-cert.pem"

    async def says(self, words: str) -> None:
        """Wait for a line of its log."""
        assert self.process.stdout is not None
        seen = []
        while line := (await self.process.stdout.readline()).decode():
            if words in line:
                return
            seen.append(line)
        pytest.fail("".join(seen))


@asynccontextmanager
async def _mitmdump(folder: Path, *args: str, addon: Path = ADDON, **more: str) -> AsyncIterator[Mitmdump]:
    assert MITMDUMP is not None
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | more
    process = await asyncio.create_subprocess_exec(
        MITMDUMP, "-s", str(addon), "--listen-host", "127.0.0.1", "--listen-port", str(port), "--set",
        f"confdir={folder / 'conf'}", *args, cwd=folder, env=environment | {"PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        yield Mitmdump(process, port, folder)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


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
    async with UpstreamApp() as upstream, _mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}") as mitm:
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


async def test_a_reload_of_the_script_changes_nothing(tmp_path: Path) -> None:
    """Mitmproxy loads a script again when its file changes."""
    script = tmp_path / "script.py"
    script.write_text(f"import sys\nsys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'proxy')!r}]\n"
                      "from toolstub_proxy.addon import ToolstubAddon\naddons = [ToolstubAddon()]\n")
    async with (
        UpstreamApp() as upstream,
        _mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}", addon=script) as mitm,
    ):
        await mitm.says("at work")
        os.utime(script, (script.stat().st_mtime + 10,) * 2)
        await mitm.says("at work")
        assert await _ask(mitm.url, stream=True) == ANSWER
        assert len(upstream.requests) > 1


@pytest.mark.parametrize("trust", ["ssl_verify_upstream_trusted_ca={certificate}", "ssl_insecure=true", ""])
async def test_regular_mode(tmp_path: Path, certificate: Any, trust: str) -> None:
    """A client behind HTTPS_PROXY that trusts mitmproxy's authority; whom mitmproxy trusts, the gateway trusts."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    options = ["--set", trust.format(certificate=certificate.file)] if trust else []
    # mitmproxy looks at the server's certificate before it answers a client; `lazy` leaves that to the gateway.
    async with _mitmdump(tmp_path, *options, "--set", "connection_strategy=lazy",
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
    async with _mitmdump(tmp_path, "--set", f"ssl_verify_upstream_trusted_ca={certificate.file}") as mitm:
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
        _mitmdump(tmp_path, "--mode", f"reverse:{upstream.url}") as mitm,
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
    async with _mitmdump(tmp_path, PYTHONPATH=str(tmp_path)) as mitm:
        await mitm.says("toolstub, in mitmproxy's environment: this needs aiohttp: pip install")
