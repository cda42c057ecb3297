"""Hidden rounds: put back where they took place, in that conversation and no other, the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext.hidden_rounds import put_back, remember
from toolstub_ext.store import Store, open_store
from toolstub_ext.wire import chat, splice

OURS = {"id": "t1", "type": "function", "function": {"name": "toolstub_read", "arguments": '{"ref":"ts_0"}'}}
THEIRS = {"id": "c9", "type": "function", "function": {"name": "Bash", "arguments": "{}"}}
HIDDEN = [{"role": "assistant", "tool_calls": [OURS]}, {"role": "tool", "tool_call_id": "t1", "content": "lines 1-9"}]
BEFORE = json.dumps(HIDDEN)[1:-1]
USER = {"role": "user", "content": "why?"}
ANSWER = {"role": "assistant", "content": "because"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def body(*messages: dict[str, Any]) -> str:
    """A request's text."""
    return json.dumps({"messages": messages, "tools": [{"type": "function"}]})


def keep(store: Store, *seen: dict[str, Any], text: str = "because", visible_calls: tuple[str, ...] = (),
         before: str = BEFORE, calls: str = "", results: str = "", owner: str = "o", session: str = "s") -> None:
    """Remember what happened in answer to a request with the messages `seen`."""
    remember(store, chat.read(body(*seen)), owner=owner, session=session, visible_text=text,
             visible_calls=visible_calls, before=before, calls=calls, results=results)


def restored(store: Store, *messages: dict[str, Any], owner: str = "o", session: str = "s") -> list[dict[str, Any]]:
    """The messages of a request after the rounds were put back."""
    text = body(*messages)
    edits = put_back(store, chat.read(text), owner=owner, session=session)
    whole: list[dict[str, Any]] = json.loads(splice(text, edits))["messages"]
    return whole


def test_a_round_stands_in_front_of_the_message_it_led_to(store: Store) -> None:
    """Where the model had it, in the next request and in all after it."""
    keep(store, USER)
    assert restored(store, USER, ANSWER, USER) == [USER, *HIDDEN, ANSWER, USER]
    assert restored(store, USER, ANSWER, USER, ANSWER) == [USER, *HIDDEN, ANSWER, USER, ANSWER]


def test_a_mixed_turn_gets_our_calls_and_their_results_back(store: Store) -> None:
    """Ours in front of the client's in the message that was shown, the answers directly behind it."""
    shown = {"role": "assistant", "content": None, "tool_calls": [THEIRS]}
    result = {"role": "tool", "tool_call_id": "c9", "content": "done"}
    keep(store, USER, text="", visible_calls=("c9",), calls=json.dumps(OURS), results=json.dumps(HIDDEN[1]))
    assert restored(store, USER, shown, result) == [
        USER, *HIDDEN, {**shown, "tool_calls": [OURS, THEIRS]}, HIDDEN[1], result,
    ]


def test_rounds_of_several_messages_are_each_put_back(store: Store) -> None:
    """Also when the same words were said twice."""
    keep(store, USER)
    keep(store, USER, ANSWER, USER, before=BEFORE.replace("1-9", "10-19"))
    later = json.loads("[" + BEFORE.replace("1-9", "10-19") + "]")
    assert restored(store, USER, ANSWER, USER, ANSWER) == [USER, *HIDDEN, ANSWER, USER, *later, ANSWER]


@pytest.mark.parametrize("messages", [
    (USER,),
    (USER, {**ANSWER, "content": "because."}),
    ({**USER, "content": "why not?"}, ANSWER),
    (USER, {**USER, "content": "because"}),
    (USER, {**ANSWER, "tool_calls": [THEIRS]}),
    ({"role": "system", "content": ""}, USER, ANSWER),
])
def test_another_branch_of_the_conversation_gets_nothing(store: Store, messages: tuple[dict[str, Any], ...]) -> None:
    """Every message up to and including the one that was shown has to be the same."""
    keep(store, USER)
    assert restored(store, *messages) == list(messages)


@pytest.mark.parametrize("whose", [{"owner": "another"}, {"session": "another"}])
def test_another_owner_or_session_gets_nothing(store: Store, whose: dict[str, str]) -> None:
    """The same words said elsewhere are another conversation."""
    keep(store, USER)
    assert restored(store, USER, ANSWER, **whose) == [USER, ANSWER]


def test_how_a_client_writes_a_message_does_not_matter(store: Store) -> None:
    """A list of one text part is the same text, an absent content the same as an empty one."""
    keep(store, USER)
    as_parts = {"role": "assistant", "content": [{"type": "text", "text": "because"}]}
    assert restored(store, {**USER, "name": "u"}, as_parts) == [{**USER, "name": "u"}, *HIDDEN, as_parts]


def test_whatever_a_message_holds_it_can_be_remembered(store: Store) -> None:
    """Lone surrogates too."""
    odd = {"role": "user", "content": "\ud83d"}
    keep(store, odd, text="\udc00")
    answer = {"role": "assistant", "content": "\udc00"}
    assert restored(store, odd, answer) == [odd, *HIDDEN, answer]


def test_the_last_telling_of_one_message_counts(store: Store) -> None:
    """A request that was sent twice had its rounds twice; the later answer is the one the client has."""
    keep(store, USER, before=BEFORE.replace("1-9", "first"))
    keep(store, USER)
    assert restored(store, USER, ANSWER) == [USER, *HIDDEN, ANSWER]
