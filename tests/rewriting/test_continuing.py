"""Whatever a client makes of a conversation, what is remembered of it changes the time taken and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from formats_support import FORMATS, PATHS, Turns
from formats_support import turns as told
from hypothesis import given
from hypothesis import strategies as st
from laws_support import PRESETS, slow, turns
from rewriting_support import LARGE, USER, turn

from toolstub_ext.rewriting import Rewriter, Rewritten, rewrite
from toolstub_ext.rewriting.handing import packed, unpacked
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store
from toolstub_ext.wire import chat

Message = dict[str, Any]
STEPS = ["grow", "grow", "grow", "cut", "edit", "instruct", "mark", "insert", "tools", "stream"]
steps = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 40)), min_size=3, max_size=9)


@pytest.fixture(autouse=True)
def _remember_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conversations as short as those of tests are remembered as well as long ones."""
    monkeypatch.setattr("toolstub_ext.rewriting.past._SHORTEST", 0)


class Client:
    """A client that does with its conversation what clients do: it goes on, goes back, edits, marks and instructs."""

    def __init__(self, member: str, opening: list[Message], rest: list[list[Message]], tool: Message) -> None:
        self._member = member
        self._messages = [*opening]
        self._rest = [*rest]
        self._tools = [tool]
        self._instructions = "Be brief. "
        self._stream = False
        self._marked = -1

    def do(self, step: str, number: int) -> None:
        """One step."""
        place = number % max(len(self._messages), 1)
        if step == "grow" and self._rest:
            self._messages += self._rest.pop(0)
        elif step == "cut":
            del self._messages[len(self._messages) - number % 3:]
        elif step == "edit" and self._messages:
            self._messages[place] = {**self._messages[place], "edited": number, "content": f"edited {number}"}
        elif step == "insert":
            self._messages.insert(place, {"role": "user", "content": f"inserted {number}"})
        elif step == "instruct":
            self._instructions = "Be brief, \u4e2d\u6587. " * (number % 4)
        elif step == "mark":
            self._marked = number % 3
        elif step == "tools":
            self._tools = self._tools[:1] * (number % 3 + 1)
        elif step == "stream":
            self._stream = not self._stream

    def body(self) -> bytes:
        """The request that is sent now; the newest messages bear a mark, which moves on with them."""
        messages = [{"role": "system", "content": self._instructions}, *self._messages]
        for at in range(len(messages) - 1 - self._marked, len(messages)):
            if self._marked >= 0 and at > 0:
                messages[at] = {**messages[at], "cache_control": {"type": "ephemeral"}}
        front = {"tools": self._tools, "system": self._instructions, "stream": self._stream}
        return json.dumps({**front, self._member: messages}).encode()


Rewrites = Callable[[Rewriter, bytes, str], Rewritten]


def here(rewriter: Rewriter, body: bytes, path: str) -> Rewritten:
    """What is usual."""
    return rewriter.rewrite(body, path=path, session="s")


def assert_no_memory_shows(client: Client, taken: list[tuple[str, int]], store: Store, preset: Settings,
                           path: str, rewritten: Rewrites = here) -> None:
    """Each request is rewritten as it would be alone."""
    rewriter = Rewriter(store, preset)
    for step, number in (("grow", 0), *taken):
        client.do(step, number)
        body = client.body()
        done = rewritten(rewriter, body, path)
        alone = rewrite(body, store=store, settings=preset, path=path, session="s")
        assert done.body == alone.body
        assert done.decisions == alone.decisions
        assert (done.messages_end, done.offered, done.reading) == (alone.messages_end, alone.offered, alone.reading)
    assert not rewriter.faults


@slow
@given(turns(most=6), steps, st.sampled_from(PRESETS))
def test_every_preset_rewrites_a_conversation_as_if_nothing_was_known(
    store: Store, conversation: list[list[Message]], taken: list[tuple[str, int]], preset: Settings
) -> None:
    """Growing, forked, edited, cut short, with marks that move and instructions that change."""
    opening, *rest = conversation
    client = Client("messages", opening, rest, {"type": "function", "function": {"name": "Bash"}})
    assert_no_memory_shows(client, taken, store, preset, PATHS["chat"])


@pytest.mark.parametrize("wire", PATHS)
@slow
@given(told, steps, st.sampled_from(PRESETS))
def test_every_format_is_rewritten_as_if_nothing_was_known(
    store: Store, wire: str, said: Turns, taken: list[tuple[str, int]], preset: Settings
) -> None:
    """The same in each format."""
    member, tell, tool = FORMATS[wire]
    client = Client(member, [{"role": "user", "content": "What is it?"}], [*tell(said)], tool)
    assert_no_memory_shows(client, taken, store, preset, PATHS[wire])


@pytest.mark.parametrize("wire", PATHS)
@slow
@given(told, steps, st.sampled_from(PRESETS), st.lists(st.booleans(), min_size=10, max_size=10))
def test_what_is_read_elsewhere_is_remembered_as_well(
    store: Store, wire: str, said: Turns, taken: list[tuple[str, int]], preset: Settings, elsewhere: list[bool]
) -> None:
    """Some requests of a conversation are rewritten by one that remembers nothing, and handed over as bytes."""
    member, tell, tool = FORMATS[wire]
    client = Client(member, [{"role": "user", "content": "What is it?"}], [*tell(said)], tool)
    helper, turns = Rewriter(store, preset), iter(elsewhere)

    def rewritten(rewriter: Rewriter, body: bytes, path: str) -> Rewritten:
        assert 0 < rewriter.new_in(body, path) <= len(body)
        if not next(turns):
            return here(rewriter, body, path)
        return handed_over(helper, rewriter, body, path)

    assert_no_memory_shows(client, taken, store, preset, PATHS[wire], rewritten)


def test_what_was_read_elsewhere_is_not_read_again_here(store: Store) -> None:
    """What is remembered, and which originals are in the store, comes with the request."""
    puts = Counting(store)
    rewriter, helper = Rewriter(puts, Settings()), Rewriter(store, Settings())  # type: ignore[arg-type]
    body, more = (json.dumps({"tools": [{"function": {"name": "Bash"}}], "messages": [USER, *LONG, *rest]}).encode()
                  for rest in ((), turn("new", start=12)))
    path = "/v1/chat/completions"
    assert rewriter.new_in(body, path) == len(body)
    assert sum(len(packed(part, body)) for part in helper.hand_over(body, owner="local", path=path, session="s")
               if part) < 3 * len(body)
    handed_over(helper, rewriter, body, path)
    assert rewriter.new_in(more, path) < len(more) / 4
    assert helper.new_in(more, path) == len(more)
    rewriter.rewrite(more, session="s")
    assert puts.number == 0


def handed_over(helper: Rewriter, rewriter: Rewriter, body: bytes, path: str) -> Rewritten:
    """A request rewritten by a helper, and taken over and remembered by another one."""
    handover, past = helper.hand_over(body, owner="local", path=path, session="s")
    if past:
        rewriter.remember(unpacked(packed(past, body), body), body)
    return rewriter.take_over(unpacked(packed(handover, body), body), path)


class Counting:
    """A store, and how often something was put into it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.number = 0

    def put(self, text: str, **more: Any) -> Any:
        """As the store's."""
        self.number += 1
        return self._store.put(text, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


LONG = [message for number in range(12) for message in turn(f"{LARGE}{number}", start=number)]


def test_the_same_request_again_is_not_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that tries again costs a comparison; in another's name the same bytes are another request."""
    body = json.dumps({"tools": [{"function": {"name": "Bash"}}], "messages": [USER, *LONG]}).encode()
    puts = Counting(store)
    rewriter = Rewriter(puts, Settings())  # type: ignore[arg-type]
    done = rewriter.rewrite(body, session="s")
    with monkeypatch.context() as patched:
        patched.setattr(chat, "read", None)
        again = rewriter.rewrite(bytes(bytearray(body)), session="s")
    assert again == done
    assert again.reading == done.reading
    assert puts.number == 12
    rewriter.rewrite(body, session="s", owner="other")
    assert puts.number == 24
    assert not rewriter.faults


@pytest.mark.parametrize("change", [
    lambda body: body.replace(b"be brief", b"be as brief as can be"),
    lambda body: body.replace(b"be brief", b""),
    lambda body: body.replace(b"be brief", "be brief, \u4e2d\u6587".encode()),
    lambda body: body.replace(b'"Bash"}', b'"Bash", "strict": true}'),
    lambda body: b'{"model": "another", ' + body[1:],
    lambda body: body.replace(b'"tool_call_id": "c3"', b'"tool_call_id":  "c3"'),
])
@pytest.mark.parametrize("settings", [Settings(), load_settings(preset="eino")])
def test_a_conversation_that_begins_otherwise_is_not_read_anew(
    store: Store, change: Callable[[bytes], bytes], settings: Settings
) -> None:
    """Other instructions, another model, other tools: what follows is known, and stands elsewhere."""
    opening = [{"role": "system", "content": "be brief"}, USER]
    body, more = (json.dumps({"tools": [{"function": {"name": "Bash"}}], "messages": [*opening, *LONG, *rest]}).encode()
                  for rest in ((), turn("new", start=12)))
    rewriter = Rewriter(store, settings)
    rewriter.rewrite(body, session="s")
    done = rewriter.rewrite(change(more), session="s")
    assert done.reading is not None
    assert done.reading.tail.start.chars > 0
    assert done.body == rewrite(change(more), store=store, settings=settings, session="s").body
