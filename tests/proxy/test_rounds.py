"""The loop behind one answer, without any network."""

from __future__ import annotations

import json
from typing import Any

import pytest
from proxy_support import TOOL, asked, body_of

from toolstub_ext.retrieval import definitions
from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store
from toolstub_proxy.rounds import Limits, Rounds
from toolstub_proxy.streams import chat
from toolstub_proxy.turns import Call, Turn


class Loop:
    """Rounds behind a real rewritten request, with what they ran and what they remembered."""

    def __init__(self, store: Store, body: str, **more: Any) -> None:
        self.ran: list[tuple[str, str]] = []
        self.remembered: list[dict[str, Any]] = []
        self.rewritten = rewrite(body.encode(), store=store, settings=load_settings())
        offer = (definitions("chat") + ",",)
        self.rounds = Rounds(self.rewritten, chat, run=self._run, remember=self._remember, offer=offer, **more)

    def _run(self, name: str, arguments: str) -> str:
        self.ran.append((name, arguments))
        return f"reply {len(self.ran)}"

    def _remember(self, **kept: Any) -> None:
        self.remembered.append(kept)


def _call(n: int, arguments: str = "{}", name: str = "toolstub_read") -> Call:
    written = {"id": f"o{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
    return Call(f"o{n}", name, arguments, json.dumps(written))


def _turn(n: int, text: str = "", **more: Any) -> Turn:
    return Turn(text=text, ours=(_call(n, f'{{"n": {n}}}'),), **more)


@pytest.fixture
def loop(store: Store) -> Loop:
    """Rounds behind a request with one stub."""
    return Loop(store, json.dumps(body_of(asked("a"))))


def test_an_answer_without_our_calls_is_the_clients(loop: Loop) -> None:
    """Nothing is run and nothing remembered."""
    assert loop.rounds.next(Turn("ANSWER", theirs=("t",))) is None
    assert (loop.ran, loop.remembered) == ([], [])


def test_a_round_goes_behind_the_last_message_and_nothing_else_changes(loop: Loop) -> None:
    """The next request begins with the bytes of this one, and ends with them."""
    following = loop.rounds.next(_turn(1, "Let me look."))
    assert following is not None
    before, after = loop.rewritten.text[:loop.rewritten.messages_end], loop.rewritten.text[loop.rewritten.messages_end:]
    text = following.decode()
    assert text.startswith(before)
    assert text.endswith(after)
    assistant, result = json.loads(text)["messages"][-2:]
    assert assistant["content"] == "Let me look."
    assert assistant["tool_calls"] == [json.loads(_call(1, '{"n": 1}').json)]
    assert result == {"role": "tool", "tool_call_id": "o1", "content": "reply 1"}


@pytest.mark.parametrize("spacing", [",", ", ", ",\n  "])
def test_messages_are_joined_as_the_client_joins_them(store: Store, spacing: str) -> None:
    """So that the same bytes come again when the client writes the message behind them."""
    messages = spacing.join(map(json.dumps, asked("a")))
    loop = Loop(store, f'{{"model": "m", "messages": [{messages} ], "tools": [{json.dumps(TOOL)}]}}')
    following = loop.rounds.next(_turn(1))
    assert following is not None
    assert f'}}{spacing}{{"role":"assistant","content":null' in following.decode()


def test_rounds_pile_up_and_are_remembered_before_the_answer(loop: Loop) -> None:
    """Under the text that the client has read, of all rounds."""
    loop.rounds.next(_turn(1, "One. "))
    following = loop.rounds.next(_turn(2, "Two. "))
    assert loop.rounds.next(Turn("Three.")) is None
    (kept,) = loop.remembered
    assert kept["visible_text"] == "One. Two. Three."
    assert (kept["visible_calls"], kept["calls"], kept["results"]) == ((), "", "")
    assert following is not None
    assert kept["before"] in following.decode()
    assert len(json.loads(f"[{kept['before']}]")) == 4


def test_a_structured_answer_is_the_last_text_alone(store: Store) -> None:
    """Two texts in a row are no JSON."""
    loop = Loop(store, json.dumps(body_of(asked("a"))), one_text=lambda: True)
    loop.rounds.next(_turn(1, "Let me look."))
    loop.rounds.next(Turn('{"a": 1}'))
    assert loop.rounds.text == loop.remembered[0]["visible_text"] == '{"a": 1}'


def test_a_mixed_turn_is_the_clients_and_our_replies_wait(loop: Loop) -> None:
    """They are put back when the client answers its own calls."""
    turn = _turn(1, "Both.", theirs=("t1",))
    assert loop.rounds.next(turn) is None
    (kept,) = loop.remembered
    assert (kept["visible_text"], kept["visible_calls"], kept["before"]) == ("Both.", ("t1",), "")
    assert kept["calls"] == turn.ours[0].json
    assert json.loads(kept["results"]) == {"role": "tool", "tool_call_id": "o1", "content": "reply 1"}


def test_a_cut_off_turn_is_the_clients(loop: Loop) -> None:
    """Half a call is not run."""
    assert loop.rounds.next(_turn(1, whole=False)) is None
    assert loop.ran == []


def test_equal_calls_of_one_turn_are_run_once(loop: Loop) -> None:
    """Each gets its reply all the same."""
    same = Turn("", ours=(_call(1), _call(1)))
    following = loop.rounds.next(same)
    assert following is not None
    assert len(loop.ran) == 1
    assert [m["content"] for m in json.loads(following)["messages"][-2:]] == ["reply 1", "reply 1"]


def _last_request(loop: Loop, turns: list[Turn]) -> dict[str, Any]:
    following = [loop.rounds.next(turn) for turn in turns][-1]
    assert following is not None
    body: dict[str, Any] = json.loads(following)
    return body


@pytest.mark.parametrize(("limits", "turns", "why"), [
    (Limits(), [_turn(1), _turn(1)], "the same call was answered above"),
    (Limits(rounds=2), [_turn(1), _turn(2), _turn(3)], "2 retrieval rounds were run"),
    (Limits(chars=10), [_turn(1), _turn(2), _turn(3)], "14 characters were read"),
    (Limits(seconds=-1), [_turn(1)], "took too long"),
])
def test_a_loop_that_leads_nowhere_gets_one_last_request(store: Store, limits: Limits, turns: list[Turn],
                                                          why: str) -> None:
    """With an error for a reply and without our tools, so that the model has to answer."""
    loop = Loop(store, json.dumps(body_of(asked("a"))), limits=limits)
    body = _last_request(loop, turns)
    assert why in body["messages"][-1]["content"]
    assert body["tools"] == [TOOL]
    assert loop.rounds.next(_turn(9)) is None


def test_the_last_request_is_whole_where_tools_come_first(store: Store) -> None:
    """The place of the messages moves when our tools are taken out in front of it."""
    request = {"tools": [TOOL], "model": "m", "messages": asked("a"), "user": "u"}
    loop = Loop(store, json.dumps(request), limits=Limits(rounds=0))
    body = _last_request(loop, [_turn(1)])
    assert (list(body), body["user"], body["tools"]) == (list(request), "u", [TOOL])
    assert len(body["messages"]) == 5
