"""One trial: a client at work behind the proxy, and what there is to say against it afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from certificates import made_by

from toolstub_ext.settings import Settings
from toolstub_proxy.leading import environment_of

from . import logs, proxies
from .catalogue import Trial
from .environments import command_of
from .strict.house import House
from .tap import Exchange, Tap
from .views import GrammarError, View, view_of

PATIENCE = 300
"""Seconds that a trial may take."""


@dataclass
class Outcome:
    """What became of a trial."""

    faults: list[str] = field(default_factory=list)
    turns: int = 0
    hidden: int = 0


async def run(trial: Trial, place: Path) -> Outcome:
    """Try it. `place` is the environment of the client."""
    with tempfile.TemporaryDirectory(prefix="toolstub-trial-") as name:
        folder = Path(name)
        logs.write(folder, trial.client.lines)
        (folder / "home").mkdir()
        tried = (_script if not trial.client.commands else _program if trial.client.tools else _program_without_tools)
        try:
            return await tried(trial, place, folder)
        except proxies.NotReadyError as error:
            return Outcome([str(error)])


async def _script(trial: Trial, place: Path, folder: Path) -> Outcome:
    """A script, which talks to the proxy through a tap, or through a mitmdump that it has for its HTTPS proxy."""
    asked, expected = logs.questions(trial.client.call)
    async with AsyncExitStack() as stack:
        house, tap, variables = await stack.enter_async_context(_front(trial, folder))
        environment = {**proxies.CLEAN, **variables, "FORMAT": trial.format, "VARIANT": trial.variant,
                       "STREAM": str(int(trial.streamed)), "QUESTIONS": json.dumps(asked), "LOGS": str(folder),
                       "VIEW": str(folder / "view.json"), "HOME": str(folder / "home")}
        status, output = await _ended(command_of(trial.client, place), folder, environment)
    outcome = Outcome(turns=len(asked), hidden=len(house.hidden))
    seen = folder / "view.json"
    view = json.loads(seen.read_text()) if seen.exists() else {}
    ended = [f"ended with status {status}: {output.strip()[-400:]}"] if status else []
    outcome.faults += ended or _of_answers(view, expected)
    outcome.faults += [*_of_upstream(house, trial), *_of_traces(folder, view)]
    outcome.faults += _of_exchanges(tap.exchanges, house) if tap else []
    return outcome


@asynccontextmanager
async def _front(trial: Trial, folder: Path) -> AsyncIterator[tuple[House, Tap | None, dict[str, str]]]:
    """What stands between a script and the models: the upstream, a tap where there can be one, and variables."""
    settings, mitmdump = trial.client.settings, trial.mitmdump
    if mitmdump and trial.mode == "regular":
        certificate = made_by(mitmdump.with_name("python"), folder)
        trust = f"ssl_verify_upstream_trusted_ca={certificate.file}"
        async with (House(certificate.tls()) as house,
                    proxies.mitmdump(folder, mitmdump, "regular", settings, "--set", trust) as url):
            authority = str(folder / "conf" / "mitmproxy-ca-cert.pem")
            yield house, None, {"BASE_URL": house.url, "HTTPS_PROXY": url, "NO_PROXY": "", "SSL_CERT_FILE": authority}
        return
    async with House() as house:
        front = (proxies.mitmdump(folder, mitmdump, f"reverse:{house.url}", settings) if mitmdump
                 else proxies.proxy(folder, house.url, settings))
        async with front as base, Tap(base) as tap:
            yield house, tap, {"BASE_URL": tap.url}


async def _program(trial: Trial, place: Path, folder: Path) -> Outcome:
    """A program, asked one question after the other, each time behind a proxy of its own: `toolstub run`."""
    command = trial.client.commands[trial.format]
    asked, expected = logs.questions(trial.client.call)
    if not command.following:
        asked, expected = [f"{asked[0]} Read it."], expected[:1]
    async with House() as house:
        run = [*proxies.TOOLSTUB, "run", "--upstream", house.url, "--"]
        environment = {**proxies.environment_of(folder, trial.client.settings), **_of_user(trial, place, folder)}
        outcome = await _conversation(trial, run, asked, expected, folder, environment)
    outcome.hidden = len(house.hidden)
    outcome.faults += [*_of_upstream(house, trial), *_of_traces(folder, {})]
    return outcome


async def _program_without_tools(trial: Trial, place: Path, folder: Path) -> Outcome:
    """A program whose requests have to arrive as it wrote them."""
    asked, expected = (some[:2] for some in logs.questions(trial.client.call))
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(House())
        base = await stack.enter_async_context(proxies.proxy(folder, house.url, trial.client.settings))
        tap = await stack.enter_async_context(Tap(base))
        environment = environment_of({**proxies.CLEAN, **_of_user(trial, place, folder)}, tap.url,
                                     Settings(upstream=house.url))
        outcome = await _conversation(trial, [], asked, expected, folder, environment)
    sent = [exchange.sent for exchange in tap.exchanges if exchange.method == "POST"]
    outcome.faults += [] if sent == house.bodies else ["a request arrived as another one"]
    outcome.faults += [f"the API refused: {refusal}" for refusal in house.refusals]
    outcome.faults += [*_of_exchanges(tap.exchanges, house), *_of_traces(folder, {})]
    return outcome


def _of_user(trial: Trial, place: Path, folder: Path) -> dict[str, str]:
    """What the user of a program has in the environment."""
    path = os.pathsep.join([str(place / "node_modules" / ".bin"), str(place / "bin"), proxies.CLEAN["PATH"]])
    return {**trial.client.commands[trial.format].variables, "PATH": path, "PWD": str(folder),
            "HOME": str(folder / "home"), "TERM": "dumb"}


async def _conversation(trial: Trial, run: list[str], asked: list[str], expected: list[str], folder: Path,
                        environment: dict[str, str]) -> Outcome:
    """Ask a program everything, as long as it answers."""
    command, outcome = trial.client.commands[trial.format], Outcome()
    for number, (question, want) in enumerate(zip(asked, expected)):
        name, *more = command.following if number else command.first
        arguments = [*more, question] if trial.streamed else [*command.unstreamed, *more, question]
        status, output = await _ended([*run, name, *arguments], folder, environment)
        outcome.turns += 1
        if status or want not in output:
            outcome.faults.append(f"ended with status {status}, and said, for {want}: {output.strip()[-400:]}")
            break
    return outcome


async def _ended(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Status and output of a command that has ended, or was ended because it took too long."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT, start_new_session=True)
    try:
        async with asyncio.timeout(PATIENCE):
            output, _ = await process.communicate()
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = await process.communicate()
        return -1, f"took more than {PATIENCE} seconds; " + output.decode(errors="replace")
    return process.returncode or 0, output.decode(errors="replace")


def _of_answers(view: dict[str, Any], expected: list[str]) -> Iterator[str]:
    answers = view.get("answers", [])
    if len(answers) != len(expected):
        yield f"{len(answers)} answers to {len(expected)} questions"
    for answer, want in zip(answers, expected):
        if want not in answer:
            yield f"answered {answer!r:.200} for {want}"
    if view.get("called") not in (["alpha", "beta"], None):
        yield f"ran its tool for {view['called']}"


def _of_upstream(house: House, trial: Trial) -> Iterator[str]:
    yield from (f"the API refused: {refusal}" for refusal in house.refusals)
    yield from (f"asked for {stranger}" for stranger in house.strangers)
    originals = [logs.log_of(service, trial.client.lines)[2000:4000] for service in ("alpha", "beta")]
    if any(original.encode() in body.replace(b"\\n", b"\n") for body in house.bodies for original in originals):
        yield "an original was sent whole"
    if trial.client.tools and not {"toolstub_search", "toolstub_read"} <= set(house.hidden):
        yield f"the model called {house.hidden} of our tools"


def _of_exchanges(exchanges: list[Exchange], house: House) -> Iterator[str]:
    views: list[View] = []
    for exchange in exchanges:
        try:
            view = view_of(exchange)
        except (GrammarError, ValueError, LookupError, TypeError) as error:
            yield f"{exchange.path}: {error!r}"
            continue
        views += [view] if view else []
        if b"toolstub" in exchange.sent:
            yield f"the client sent a trace of us: {_around(exchange.sent)}"
        if b"toolstub" in exchange.got:
            yield f"the client got a trace of us: {_around(exchange.got)}"
    shown = {call: name for view in views for call, name in view.calls.items()}
    theirs = {call: name for call, name in house.calls.items() if not name.startswith("toolstub_")}
    if shown != theirs:
        yield f"the client saw the calls {shown}, of {theirs}"
    if views and all(view.usage for view in views):
        yield from _of_usage([view.usage or {} for view in views], house.usages)


def _of_usage(told: list[dict[str, Any]], usages: list[dict[str, Any]]) -> Iterator[str]:
    for key in sorted({key for usage in usages for key, count in usage.items() if isinstance(count, int)}):
        ours, theirs = (sum(usage.get(key) or 0 for usage in some) for some in (told, usages))
        if ours != theirs:
            yield f"{key}: {ours} told, {theirs} used"


def _of_traces(folder: Path, view: dict[str, Any]) -> Iterator[str]:
    """Traces of us in what the client keeps."""
    if "toolstub_" in (text := json.dumps(view.get("view"))):
        yield f"a trace of us in the client's own view: {_around(text.encode())}"
    for file in (folder / "home").rglob("*"):
        if file.is_file() and b"toolstub_" in (kept := file.read_bytes()):
            yield f"a trace of us in {file.relative_to(folder)}: {_around(kept)}"


def _around(text: bytes) -> str:
    at = text.find(b"toolstub")
    return text[max(0, at - 100):at + 100].decode(errors="replace")
