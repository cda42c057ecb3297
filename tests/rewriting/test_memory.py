"""What is remembered of a conversation changes the time that is taken, and nothing else."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from rewriting_support import LARGE, USER, request, turn

from toolstub_ext.policy import make_stub
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store


def test_a_second_list_of_messages_is_rewritten_as_if_nothing_was_known(store: Store) -> None:
    """The last of two members counts, also where the first is a conversation that went before."""
    rewriter = Rewriter(store, Settings())
    before = request(*turn(LARGE), *turn(LARGE + "2", start=1))
    rewriter.rewrite(before)
    other = json.dumps([USER, *turn(LARGE + "3"), *turn(LARGE + "4")]).encode()
    body = before.removesuffix(b"}") + b', "messages": ' + other + b"}"
    done = rewriter.rewrite(body)
    assert done.body == rewrite(body, store=store, settings=Settings()).body
    assert len(done.decisions) == 2
    assert rewriter.rewrite(before).body == rewrite(before, store=store, settings=Settings()).body


@pytest.mark.parametrize("policy", [
    {"compress": {"enabled": True, "max_tool_messages": 3, "keep": 1}},
    {"reclaim": {"enabled": True, "max_tokens": 6_000, "step_tokens": 3_000}},
    {"clear": {"enabled": True, "tool_result_token_threshold": 5_000, "keep_recent_tokens": 500, "step_tokens": 3_000}},
])
def test_what_is_old_wants_our_tools_while_it_goes_as_it_was_sent(store: Store, policy: dict[str, Any]) -> None:
    """Between two steps of a boundary nothing new is replaced, and a placeholder leads nowhere without them."""
    settings = load_settings(inject="when_stubbed", **policy)
    rewriter, said, offered = Rewriter(store, settings), [], []
    for number in range(15):
        said += turn("".join(f"{number} {line * 7919 % 1000}\n" for line in range(300)), start=number)
        done = rewriter.rewrite(request(*said))
        assert done.body == rewrite(request(*said), store=store, settings=settings).body
        offered.append(bool(done.offered))
    assert offered == sorted(offered)
    assert not offered[0]
    assert offered[-1]


def test_a_turn_may_get_another_result_when_what_followed_it_is_gone(store: Store) -> None:
    """Results of one turn are judged together, also those whose call a client has dropped."""
    rewriter = Rewriter(store, Settings())
    begun = [*turn("first " * 99), *turn("one of two " * 99, start=1)]
    rewriter.rewrite(request(*begun, *turn("third " * 99, start=2)))
    _, added = turn("one of two " * 99, start=2)
    body = request(*begun, added, *turn("fourth " * 99, start=3))
    assert rewriter.rewrite(body).body == rewrite(body, store=store, settings=Settings()).body


def test_a_history_sent_again_is_stored_and_described_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """From then on only what is new costs a synopsis and a write."""
    puts: list[str] = []
    made: list[str] = []
    put, make = store.put, make_stub
    monkeypatch.setattr(store, "put", lambda text, **more: puts.append(text) or put(text, **more))
    monkeypatch.setattr("toolstub_ext.rewriting.memory.make_stub",
                        lambda text, **more: made.append(text) or make(text, **more))
    rewriter = Rewriter(store, Settings())
    history = turn(LARGE)
    for _ in range(3):
        rewriter.rewrite(request(*history))
    rewriter.rewrite(request(*history, *turn(LARGE + "new", start=1)))
    assert puts == made == [LARGE, LARGE + "new"]


def test_many_threads_may_use_one_rewriter(store: Store) -> None:
    """Each gets what it would get alone."""
    rewriter = Rewriter(store, Settings())
    bodies = [request(*turn(LARGE + str(number % 3)), user=str(number)) for number in range(12)]
    alone = [rewrite(body, store=store, settings=Settings()).body for body in bodies]
    together: dict[int, bytes] = {}

    def work(number: int) -> None:
        together[number] = rewriter.rewrite(bodies[number]).body

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(bodies))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[number] for number in range(len(bodies))] == alone
    assert not rewriter.faults
