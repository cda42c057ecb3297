"""`toolstub proxy` and `toolstub run` as a shell sees them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
import textwrap
from pathlib import Path

import aiohttp
import openai
import pytest
from proxy_processes import POSIX, ROOT, environment, ran, serving, toolstub
from proxy_support import ANSWER, TOOL, asked, body_of

from toolstub_proxy.demo.upstream import UpstreamApp


@pytest.mark.parametrize("stream", [False, True])
async def test_a_client_of_the_proxy_gets_the_hidden_answer(tmp_path: Path, stream: bool) -> None:
    """With nothing changed but its base URL; `--explain` says what was done."""
    async with UpstreamApp() as up, serving("--upstream", up.url, "--explain", cwd=tmp_path) as (proxy, url):
        async with openai.AsyncOpenAI(base_url=url, api_key="any", max_retries=0) as client:
            answer = await client.chat.completions.create(model="m", messages=asked("a"), tools=[TOOL], stream=stream)
            text = "".join([c.choices[0].delta.content or "" async for c in answer]) if stream \
                else answer.choices[0].message.content
        assert text == ANSWER
        assert proxy.stderr is not None
        explained = (await proxy.stderr.readline()).decode()
        assert re.search(r"/messages/2/content get_log: \w+: .* chars\) as ts_[0-9a-f]{16}", explained)


async def test_a_proxy_starts_without_a_store_and_uses_it_when_it_can(tmp_path: Path) -> None:
    """Until then requests go on untouched; the user is told at the start, and once when it first mattered."""
    (tmp_path / "folder").touch()
    where = str(tmp_path / "folder" / "store.db")
    async with (
        UpstreamApp() as up,
        serving("--upstream", up.url, "--store", where, cwd=tmp_path) as (proxy, url),
        aiohttp.ClientSession() as http,
    ):
        for _ in range(2):
            async with http.post(url + "/chat/completions", json=body_of(asked("a"))) as answer:
                assert answer.status == 200
            assert up.bodies[-1]["messages"][2]["content"] == asked("a")[2]["content"]
        (tmp_path / "folder").unlink()
        async with http.post(url + "/chat/completions", json=body_of(asked("a"))) as answer:
            assert answer.headers["x-toolstub"].startswith("stubs=1")
        proxy.terminate()
        said = (await proxy.communicate())[1].decode()
        assert said.count("check the path") == 2


@pytest.mark.parametrize(("args", "status", "says"), [
    (["--upstream", "ftp://x"], 2, "http"),
    (["--listen", "0.0.0.0:0"], 2, "per-credential"),
    (["--listen", "nowhere"], 2, "listen"),
    (["--preset", "defualt"], 2, "default"),
    (["--config", "missing.yaml"], 2, "missing.yaml"),
    (["--owners", "everybody"], 2, "--owners"),
    (["--store", "mysql://x"], 1, "mysql"),
    (["--config", "counter.yaml"], 2, "clear.token_counter: no.such:count cannot be imported"),
])
async def test_what_cannot_be_is_said_in_one_line(tmp_path: Path, args: list[str], status: int, says: str) -> None:
    """With what to do about it."""
    (tmp_path / "counter.yaml").write_text("clear: {enabled: true, token_counter: 'no.such:count'}\n")
    code, out, err = await ran("proxy", "--listen", "127.0.0.1:0", *args, cwd=tmp_path)
    assert (code, out) == (status, "")
    assert err.count("\n") == 1
    assert says in err


async def test_a_port_that_is_taken_is_named_with_the_flag_to_choose_another(tmp_path: Path) -> None:
    """The commonest fault of all."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = await ran("proxy", "--listen", f"127.0.0.1:{port}", cwd=tmp_path)
    assert code == 1
    assert err == f"toolstub: port {port} of 127.0.0.1 is taken; choose another with --listen HOST:PORT\n"


async def test_without_the_http_library_one_line_says_what_to_install(tmp_path: Path) -> None:
    """The command is there all the same, with its help."""
    (tmp_path / "aiohttp.py").write_text("raise ModuleNotFoundError(\"No module named 'aiohttp'\", name='aiohttp')")
    paths = os.pathsep.join((str(tmp_path), str(ROOT), str(ROOT / "proxy")))
    code, _, err = await ran("proxy", cwd=tmp_path, PYTHONPATH=paths)
    assert code == 1
    assert re.fullmatch(r'toolstub: this needs aiohttp: pip install .*\[gateway\]"\n', err)
    code, out, _ = await ran("proxy", "--help", cwd=tmp_path, PYTHONPATH=paths)
    assert code == 0
    assert "--upstream" in out


SHOW = "import json, os; print(json.dumps({k: v for k, v in os.environ.items() if k.endswith(('_URL', '_BASE'))}))"


@pytest.mark.parametrize(("before", "suffix"), [({}, "/v1"), ({"OPENAI_BASE_URL": "http://127.0.0.1:9/api/v1"}, "/v1"),
                                                ({"OPENAI_BASE_URL": "http://127.0.0.1:9/api"}, "")])
async def test_a_command_gets_base_urls_of_its_own_proxy(tmp_path: Path, before: dict[str, str], suffix: str) -> None:
    """Written as the command's own were, so that its paths stay what they are."""
    code, out, _ = await ran("run", "--", sys.executable, "-c", SHOW, cwd=tmp_path, **before)
    assert code == 0
    told = json.loads(out)
    base = told["ANTHROPIC_BASE_URL"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", base)
    assert told["OPENAI_BASE_URL"] == told["OPENAI_API_BASE"] == base + suffix


async def test_an_agent_behind_run_gets_the_hidden_answer(tmp_path: Path) -> None:
    """The base URL it had becomes the upstream."""
    agent = tmp_path / "agent.py"
    request = {"model": "m", "messages": asked("a"), "tools": [TOOL]}
    agent.write_text(f"import openai\nanswer = openai.OpenAI().chat.completions.create(**{request!r})\n"
                     "print(answer.choices[0].message.content)\n")
    async with UpstreamApp() as upstream:
        code, out, err = await ran("run", "--", sys.executable, str(agent), cwd=tmp_path,
                                    OPENAI_BASE_URL=upstream.url + "/v1")
        assert (code, out.strip()) == (0, ANSWER), err
        assert len(upstream.requests) > 1


@pytest.mark.parametrize(("script", "status"), [
    ("raise SystemExit(0)", 0), ("raise SystemExit(7)", 7),
    pytest.param("import os; os.kill(os.getpid(), 15)", 128 + 15, marks=POSIX),
])
async def test_the_status_is_the_commands(tmp_path: Path, script: str, status: int) -> None:
    """Also that of a command that a signal killed, as shells write it."""
    code, _, _ = await ran("run", sys.executable, "-c", script, cwd=tmp_path)
    assert code == status


@POSIX
async def test_a_signal_that_comes_while_the_command_starts_is_handed_on(tmp_path: Path) -> None:
    """It may say that it is up before its start has returned, and whoever waits for that may signal at once."""
    script = textwrap.dedent("""
        import os, signal, sys
        from pathlib import Path
        from toolstub_proxy import running
        from toolstub_proxy.serving import Operation
        from toolstub_ext.settings import Settings

        start = running.asyncio.create_subprocess_exec

        async def slowly(*command, **more):
            child = await start(*command, **more)
            os.kill(os.getpid(), signal.SIGTERM)
            return child

        running.asyncio.create_subprocess_exec = slowly
        settings = Settings(store="store.db", upstream="http://127.0.0.1:1")
        sys.exit(running.run_behind([sys.executable, "-c", "import time; time.sleep(60)"], settings, Operation()))
    """)
    paths = os.pathsep.join((str(ROOT), str(ROOT / "proxy")))
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", script, cwd=tmp_path,
                                                   env=os.environ | {"PYTHONPATH": paths})
    assert await process.wait() == 128 + signal.SIGTERM


@POSIX
async def test_a_signal_is_handed_on_to_the_command(tmp_path: Path) -> None:
    """Which may deal with it as it likes."""
    script = ("import signal, sys, time\nsignal.signal(15, lambda *_: sys.exit(9))\n"
              "print('up', flush=True)\ntime.sleep(60)")
    process = await toolstub("run", "--", sys.executable, "-c", script, cwd=tmp_path)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"up\n"
    process.terminate()
    await process.communicate()
    assert process.returncode == 9


@pytest.mark.parametrize(("args", "status"), [
    (["no-such-command-anywhere"], 125), (["--store", "mysql://x", "--", "true"], 125),
    (["--upstream", "ftp://x", "--", "true"], 125), ([], 2), (["--"], 2),
])
async def test_a_command_that_could_not_start(tmp_path: Path, args: list[str], status: int) -> None:
    """In one line; 125 cannot be mistaken for the command's own status."""
    code, out, err = await ran("run", *args, cwd=tmp_path)
    assert (code, out, err.count("\n")) == (status, "", 1)
    assert err.startswith("toolstub run: ")


async def test_without_the_library_a_command_is_not_started(tmp_path: Path) -> None:
    """What to install is said, and the status is none of the command's."""
    (tmp_path / "aiohttp.py").write_text("raise ModuleNotFoundError(\"No module named 'aiohttp'\", name='aiohttp')\n")
    paths = os.pathsep.join((str(tmp_path), environment()["PYTHONPATH"]))
    code, out, err = await ran("run", "--", sys.executable, "-c", "print('started')", cwd=tmp_path, PYTHONPATH=paths)
    assert (code, out, err.count("\n")) == (125, "", 1)
    assert err.startswith("toolstub run: this needs aiohttp: pip install ")
