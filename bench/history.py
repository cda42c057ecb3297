"""What it costs to rewrite a history that is sent again, as a client does with every turn."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from toolstub_ext.rewriting import Rewriter
from toolstub_ext.settings import Settings
from toolstub_ext.store import open_store

from . import inputs
from .measuring import Figure, ratio

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Use {name} to work with the project. " * 8,
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["path"],
            },
        },
    }
    for name in ("bash", "read_file", "write_file", "grep", "fetch", "list_orders")
]
_TURNS, _TURN_CHARS, _EVERY = 2_000, 25_000, 20
_WINDOWS = range(100, 140), range(_TURNS - 40, _TURNS)
"""Turns that are measured; of the others every twentieth is sent."""


def small_result(number: int) -> str:
    """A result of some 700 characters that is unlike those before it, and too small to be shortened."""
    return "".join(f"{number * 31 + line} files changed, {number + line * 7} insertions(+), {line} deletions(-)\n"
                   for line in range(12))


class Conversation:
    """A conversation in the chat format that grows by one call and its result at a time."""

    def __init__(self, system: str = "You are a careful engineer.", *, stream: bool = False) -> None:
        self._stream = stream
        self._messages: list[str] = []
        self._calls = 0
        self._say({"role": "system", "content": system * 20})
        self._say({"role": "user", "content": "Find out why the nightly job fails, and mend it."})

    def _say(self, message: dict[str, Any]) -> None:
        self._messages.append(json.dumps(message, ensure_ascii=False))

    def call(self, result: str, tool: str = "bash") -> None:
        """One assistant message with a call, and the result that answers it."""
        self._calls += 1
        call_id = f"call_{self._calls:06d}"
        arguments = json.dumps({"path": f"src/module_{self._calls}.py", "limit": 2000})
        function = {"name": tool, "arguments": arguments}
        call = {"id": call_id, "type": "function", "function": function}
        self._say({"role": "assistant", "content": f"Step {self._calls}.", "tool_calls": [call]})
        self._say({"role": "tool", "tool_call_id": call_id, "content": result})

    def body(self) -> bytes:
        """What the client sends now."""
        rest = json.dumps({"tools": TOOLS, "stream": self._stream})[1:]
        return f'{{"model": "gpt-5", "messages": [{", ".join(self._messages)}], {rest}'.encode()


def long_conversation(size: int, system: str = "You are a careful engineer.") -> Conversation:
    """One whose body is of about `size` bytes."""
    conversation = Conversation(system)
    for result in inputs.results(size):
        conversation.call(result)
    return conversation


def figures(*, full: bool) -> Iterator[Figure]:
    """A history that grew by a small result, and one that changed at its beginning."""
    rounds = 41 if full else 15
    with TemporaryDirectory(prefix="toolstub-bench-") as folder, open_store(str(Path(folder, "store.db"))) as store:
        rewriter = Rewriter(store, Settings())

        def rewrite(body: bytes) -> bytes:
            return rewriter.rewrite(body, session="bench").body

        following = _twice(growing(2 * inputs.MB))
        size = len(rewrite(following())) / inputs.MB
        measured = ratio(following, rewrite, bytearray, rounds=rounds)
        note = f"2 MB become {size:.1f} MB"
        yield Figure("re-sent history, 2 MB, against a copy of the bytes", measured, "x", 2, note=note)
        measured = ratio(_changed(2 * inputs.MB), rewrite, orjson.loads, rounds=rounds)
        yield Figure("the same changed at its beginning, against orjson.loads", measured, "x", 1.2)
    if full:
        yield _long_session()


def _long_session() -> Figure:
    """What a request costs at the end of a long session, against what it cost at its beginning. Each turn brings a new
    result. All that is done counts, but for one comparison of the bytes with others of the same kind: nobody can know a
    history again without having looked at it, and to receive it costs several times as much."""
    conversation, results = Conversation(), inputs.results(8 * inputs.MB)
    spent: dict[int, tuple[float, float, float]] = {}
    with TemporaryDirectory(prefix="toolstub-bench-") as folder, open_store(str(Path(folder, "store.db"))) as store:
        rewriter = Rewriter(store, Settings())
        for turn in range(_TURNS):
            kind = turn - _WINDOWS[1].start + _WINDOWS[0].start if turn in _WINDOWS[1] else turn
            conversation.call(f"{turn}\n{results[kind % len(results)].ljust(_TURN_CHARS)[:_TURN_CHARS]}")
            if turn in _WINDOWS[0] or turn in _WINDOWS[1] or turn % _EVERY == 0:
                body, same = conversation.body(), conversation.body()
                start = time.process_time()
                rewriter.rewrite(body, session="long")
                rewritten = time.process_time()
                body.startswith(same)
                compared = time.process_time()
                bytearray(body)
                spent[turn] = rewritten - start, compared - rewritten, time.process_time() - compared
    early, late = (median(spent[turn][0] - spent[turn][1] for turn in window) * 1e3 for window in _WINDOWS)
    compared, copied = (median(spent[turn][part] for turn in _WINDOWS[1]) * 1e3 for part in (1, 2))
    what = f"a request at turn {_TURNS:,} of a session of 50 MB, against turn {_WINDOWS[0][0]}"
    note = f"{early:.1f} and {late:.1f} ms, and {compared:.1f} ms for the bytes, which to copy takes {copied:.1f}"
    return Figure(what, late / early, "x", 1.2, note=note)


def growing(size: int) -> Callable[[], bytes]:
    """Makes the next request of a conversation."""
    conversation, numbers = long_conversation(size), count()

    def following() -> bytes:
        conversation.call(small_result(next(numbers)))
        return conversation.body()

    return following


def _twice(following: Callable[[], bytes]) -> Callable[[], bytes]:
    """Gives each request to both that are compared, as a text of its own: between two of ours there is one turn."""
    left: list[bytes] = []

    def given() -> bytes:
        if left:
            return bytes(bytearray(left.pop()))
        left.append(following())
        return left[0]

    return given


def _changed(size: int) -> Callable[[], bytes]:
    """Makes a request with the results of the last one and another system message."""
    conversation = long_conversation(size)
    body, number = conversation.body(), 0

    def changed() -> bytes:
        nonlocal number
        number += 1
        return body.replace(b"careful engineer", b"careful engineer of team %d" % number, 1)

    return changed
