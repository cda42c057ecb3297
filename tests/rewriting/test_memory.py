"""What is remembered of a conversation changes the time that is taken, and nothing else."""

from __future__ import annotations

import json
import threading

import pytest
from rewriting_support import LARGE, USER, request, turn

from toolstub_ext.policy import make_stub
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings
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
