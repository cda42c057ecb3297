"""Large requests are rewritten in a process of their own, and what comes out is the same."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from apart_support import SMALL, Counted, large, pid_of, stubbed, told_of, under_way, until
from formats_support import FORMATS, PATHS
from proxy_processes import POSIX
from proxy_support import ANSWER, Start, body_of, log_of

from toolstub_ext.presets import PRESETS
from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store
from toolstub_proxy import workplaces
from toolstub_proxy.jobs import Job, opening, settings_in
from toolstub_proxy.workplaces import LARGE_BYTES, Workplaces

pytestmark = POSIX


@pytest.mark.parametrize("wire", PATHS)
async def test_what_is_made_apart_is_what_is_made_here(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    """Byte for byte and reason for reason, in every request of a conversation; both may take turns in it."""
    settings = load_settings(store=str(tmp_path / "store.db"))
    apart = Counted(settings)
    places = Workplaces(store, settings, apart)
    places.open()
    try:
        await until(lambda: apart.ready)
        member, tell, tool = FORMATS[wire]
        said = [([("Read", log_of(f"s{number % 3}", 200 + number), False)], "so") for number in range(6)]
        messages: list[Any] = [{"role": "user", "content": "What is it?"}]
        for number, more in enumerate(tell(said)):
            messages += more
            body = json.dumps({"tools": [tool], member: messages}).encode()
            monkeypatch.setattr(workplaces, "LARGE_BYTES", 0 if number % 3 else 10**9)
            done = await places.rewrite(body, Job("local", PATHS[wire], "s"))
            alone = rewrite(body, store=store, settings=settings, path=PATHS[wire], session="s")
            assert (done.body, done.decisions, done.reading) == (alone.body, alone.decisions, alone.reading)
            assert (done.understood, done.tokens_after) == (alone.understood, alone.tokens_after)
            assert apart.done == number + 1 - len(range(0, number + 1, 3))
        assert done.body != body
        assert not places.faults
    finally:
        places.close()


async def test_a_request_that_is_alone_stays_here_unless_it_would_keep_the_next_one_waiting(
    store: Store, tmp_path: Path
) -> None:
    """What comes out is the same."""
    settings = load_settings(store=str(tmp_path / "store.db"))
    places = Workplaces(store, settings, apart := Counted(settings))
    places.open()
    try:
        await until(lambda: apart.ready)
        for lines, alone, there in [(20_000, True, 0), (20_001, False, 1), (100_000, True, 1)]:
            body, before = json.dumps(body_of(told_of("a", lines))).encode(), apart.done
            done = await places.rewrite(body, Job("local", PATHS["chat"], "s"), alone=alone)
            assert apart.done - before == there
            assert done.body == rewrite(body, store=store, settings=settings, session="s").body
    finally:
        places.close()


@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_told_the_settings_as_they_are(preset: str) -> None:
    """Down to the rule for each kind and tool."""
    settings = load_settings(preset=preset, tools={"Read": {"threshold_chars": 60_000}})
    assert settings_in(opening(settings)) == settings


async def test_small_requests_are_answered_while_a_large_one_is_worked_on(apart_of: Any) -> None:
    """Stopped, the process works on it for as long as the test wants."""
    behind, apart = await apart_of()
    os.kill(pid_of(apart), signal.SIGSTOP)
    first = asyncio.create_task(behind.post(large()))
    await until(lambda: under_way(apart))
    for _ in range(5):
        assert (await behind.post(SMALL))[0] == 200
    assert under_way(apart) == 1
    os.kill(pid_of(apart), signal.SIGCONT)
    assert await stubbed(first)


async def test_what_is_to_be_remembered_comes_behind_the_answer(apart_of: Any) -> None:
    """So the next request of the conversation is a small one, which is rewritten here."""
    behind, apart = await apart_of()
    messages = [message for service, lines in zip("abcd", (9_000, 9_000, 10, 10), strict=True)
                for message in told_of(service, lines)]
    assert await stubbed(asyncio.create_task(behind.post(body_of(messages))))
    following = body_of([*messages, *told_of("e", 1_000)])
    rewriter = behind.gateway._workplaces._rewriter
    await until(lambda: rewriter.new_in(json.dumps(following).encode(), PATHS["chat"]) < LARGE_BYTES)
    assert await stubbed(asyncio.create_task(behind.post(following)))
    assert apart.done == 1


async def test_a_dry_run_tells_what_was_done_apart(apart_of: Any) -> None:
    """The same as ever: the request, and the reason for each result."""
    behind, apart = await apart_of()
    status, _, told = await behind.post(large(), headers={"x-toolstub-dry-run": "1"})
    assert (status, apart.done) == (200, 1)
    [decision] = json.loads(told)["decisions"]
    assert decision["action"] == "externalized"
    assert decision["ref"] in json.loads(told)["request"]["messages"][-1]["content"]


@pytest.mark.usefixtures("sooner")
async def test_a_hidden_round_behind_a_large_request_is_put_back(start: Start, tmp_path: Path) -> None:
    """What is known of the conversation is there when the model asks for a piece of it, and when the client returns."""
    settings = {"store": str(tmp_path / "store.db")}
    behind = await start(gateway={"apart": (apart := Counted(load_settings(**settings)))}, settings=settings)
    await until(lambda: apart.ready)
    request = large()
    status, _, answer = await behind.post(request)
    assert status == 200
    said = json.loads(answer)["choices"][0]["message"]
    assert ANSWER in said["content"]
    rounds = len(behind.upstream.bodies[-1]["messages"])
    assert rounds > len(request["messages"])
    await behind.post({**request, "messages": [*request["messages"], said, {"role": "user", "content": "Thanks."}]})
    assert behind.upstream.bodies[-1]["messages"][:rounds] == behind.upstream.bodies[-2]["messages"][:rounds]
    assert apart.done == 2
