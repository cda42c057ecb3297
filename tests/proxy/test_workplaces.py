"""A request is rewritten where it belongs, and nothing that may take long is done in the event loop."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from proxy_support import asked, body_of, log_of

from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.rewriting.rewriter import QUICK_CHARS
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store, open_store
from toolstub_proxy.jobs import Job
from toolstub_proxy.workplaces import ALONE_BYTES, LITTLE_BYTES, SMALL_BYTES, Workplaces

JOB = Job("local", "/v1/chat/completions", None)
IN_PLACE, ELSEWHERE = True, False


def told(chars: int, *, result: bool = True) -> bytes:
    """A first request with a text of so many characters, which a tool gave or the user says."""
    text = (log_of("a", 2 + chars // 10) * 2)[:chars]
    user, call, answer = asked("a")
    messages = [user, call, {**answer, "content": text}] if result else [{**user, "content": text}]
    return json.dumps(body_of(messages)).encode()


@pytest.mark.parametrize(("alone", "body", "rewritten", "stored"), [
    (False, told(500), IN_PLACE, None),
    (False, told(QUICK_CHARS), IN_PLACE, ELSEWHERE),
    (False, told(QUICK_CHARS + 1), ELSEWHERE, ELSEWHERE),
    (False, told(LITTLE_BYTES), ELSEWHERE, ELSEWHERE),
    (False, told(SMALL_BYTES), ELSEWHERE, ELSEWHERE),
    (False, told(LITTLE_BYTES, result=False), IN_PLACE, None),
    (False, told(SMALL_BYTES, result=False), ELSEWHERE, None),
    (True, told(500), IN_PLACE, None),
    (True, told(SMALL_BYTES), IN_PLACE, IN_PLACE),
    (True, told(ALONE_BYTES), ELSEWHERE, ELSEWHERE),
    (True, told(ALONE_BYTES, result=False), ELSEWHERE, None),
])
async def test_what_keeps_nobody_waiting_is_done_in_place(
        store: Store, monkeypatch: pytest.MonkeyPatch, alone: bool, body: bytes, rewritten: bool,
        stored: bool | None) -> None:
    """Whatever is done where, the outcome is the same."""
    expected = rewrite(body, store=store, settings=Settings())
    here, seen = threading.get_ident(), {}
    work, put = Rewriter._rewrite, store.put

    def noted_work(*args: Any, **more: Any) -> Any:
        seen["rewritten"] = threading.get_ident() == here
        return work(*args, **more)

    def noted_put(*args: Any, **more: Any) -> Any:
        seen["stored"] = threading.get_ident() == here
        return put(*args, **more)

    monkeypatch.setattr(Rewriter, "_rewrite", noted_work)
    monkeypatch.setattr(store, "put", noted_put)
    places = Workplaces(store, Settings(), None)
    try:
        done = await places.rewrite(body, JOB, alone=alone)
    finally:
        places.close()
    assert (seen.get("rewritten"), seen.get("stored")) == (rewritten, stored)
    assert (done.body, done.decisions) == (expected.body, expected.decisions)


@pytest.mark.parametrize("lock", ["EXCLUSIVE", "IMMEDIATE"])
@pytest.mark.parametrize("used", [False, True])
async def test_a_locked_store_is_waited_for_elsewhere(tmp_path: Path, lock: str, used: bool) -> None:
    """Meanwhile the event loop serves others, and the request gets its stub as soon as the other program is done. That
    holds from the first use of the store on."""
    open_store(str(tmp_path / "store.db")).close()
    with (open_store(str(tmp_path / "store.db"), timeout=20, eager=used) as store,
          sqlite3.connect(tmp_path / "store.db", isolation_level=None) as other):
        places = Workplaces(store, Settings(), None)
        try:
            other.execute(f"BEGIN {lock}")
            waiting = asyncio.ensure_future(places.rewrite(told(SMALL_BYTES), JOB, alone=True))
            began = time.monotonic()
            await asyncio.sleep(0.1)
            assert time.monotonic() - began < 2
            assert not waiting.done()
            other.execute("ROLLBACK")
            assert (await waiting).decisions[0].action == "externalized"
        finally:
            places.close()
    other.close()


async def test_of_a_conversation_that_goes_on_what_is_new_counts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is rewritten in place however much stands above, as long as it is small as a whole."""
    history: list[dict[str, Any]] = []
    for number in range(12):
        _, call, answer = asked(f"s{number}")
        call_id = f"call_{number}"
        call = {**call, "tool_calls": [{**call["tool_calls"][0], "id": call_id}]}
        history += [call, {**answer, "tool_call_id": call_id, "content": log_of(f"s{number}", 40)}]
    body = json.dumps(body_of([{"role": "user", "content": "Look."}, *history])).encode()
    assert LITTLE_BYTES < len(body) < SMALL_BYTES
    places = Workplaces(store, Settings(), None)
    try:
        await places.rewrite(body, JOB)
        monkeypatch.setattr(places, "off_loop", lambda *_: pytest.fail("it went elsewhere"))
        longer = json.dumps(body_of([{"role": "user", "content": "Look."}, *history,
                                     {"role": "user", "content": "And?"}])).encode()
        done = await places.rewrite(longer, JOB)
    finally:
        places.close()
    assert done.body == rewrite(longer, store=store, settings=Settings()).body
