"""Hidden rounds: put back where they took place, in that conversation and no other, the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext import wire
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
         before: str = BEFORE, calls: str = "", results: str = "", owner: str = "o", session: str = "s",
         behind: bool = False) -> None:
    """Remember what happened in answer to a request with the messages `seen`."""
    remember(store, chat.read(body(*seen)), owner=owner, session=session, visible_text=text,
             visible_calls=visible_calls, before=before, calls=calls, results=results, behind=behind)


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


@pytest.mark.parametrize("calls", [[THEIRS], [THEIRS, {**THEIRS, "id": "c8"}]])
def test_calls_of_ours_that_came_last_come_back_last(store: Store, calls: list[Any]) -> None:
    """Some providers sign the first of several calls, and miss the signature if it is not the first any more."""
    ids = tuple(call["id"] for call in calls)
    shown = {"role": "assistant", "content": None, "tool_calls": calls}
    keep(store, USER, text="", visible_calls=ids, calls=json.dumps(OURS), results=json.dumps(HIDDEN[1]), behind=True)
    results = [{"role": "tool", "tool_call_id": one, "content": "done"} for one in ids]
    assert restored(store, USER, shown, *results) == [
        USER, *HIDDEN, {**shown, "tool_calls": [*calls, OURS]}, HIDDEN[1], *results]


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


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s1"}
READ = {"type": "tool_use", "id": "t1", "name": "toolstub_read", "input": {}}
LOG = {"type": "tool_use", "id": "c9", "name": "get_log", "input": {}}
REPLY = {"type": "tool_result", "tool_use_id": "t1", "content": "lines 1-9"}
LOGGED = {"type": "tool_result", "tool_use_id": "c9", "content": "done"}
LOOK, FOUND = {"type": "text", "text": "Let me look. "}, {"type": "text", "text": "because"}
FIRST = [{"role": "assistant", "content": [THOUGHT, LOOK, READ]}, {"role": "user", "content": [REPLY]}]


def restored_blocks(store: Store, *messages: dict[str, Any], mixed: bool = False) -> list[dict[str, Any]]:
    """The Messages request with these messages, where the answer to `USER` was said in two rounds."""
    calls, ours, results = (("c9",), json.dumps(READ), json.dumps(REPLY)) if mixed else ((), "", "")
    asked, text = wire.messages.read(body(USER)), body(*messages)
    remember(store, asked, owner="o", session="s", visible_text="Let me look. because", visible_calls=calls,
             before=json.dumps(FIRST)[1:-1], calls=ours, results=results,
             shown=tuple(map(wire.messages.identity, (THOUGHT, LOOK))))
    edits = put_back(store, wire.messages.read(text), owner="o", session="s")
    whole: list[dict[str, Any]] = json.loads(splice(text, edits))["messages"]
    return whole


@pytest.mark.parametrize("sent_again", [[THOUGHT, LOOK], [LOOK], [THOUGHT, {**LOOK, "cache_control": {"type": "x"}}]])
def test_each_part_of_a_message_stands_in_the_round_it_was_said_in(store: Store, sent_again: list[Any]) -> None:
    """What a client saw of a hidden round is not said twice, whether it sends all of that again or not."""
    shown = {"role": "assistant", "content": [*sent_again, FOUND]}
    assert restored_blocks(store, USER, shown, USER) == [USER, *FIRST, {**shown, "content": [FOUND]}, USER]


def test_our_part_that_came_last_comes_back_last(store: Store) -> None:
    """Behind all that the client was shown."""
    asked = wire.messages.read(body(USER))
    remember(store, asked, owner="o", session="s", visible_text="because", visible_calls=("c9",), before="",
             calls=json.dumps(READ), results=json.dumps(REPLY), behind=True)
    text = body(USER, {"role": "assistant", "content": [THOUGHT, FOUND, LOG]}, {"role": "user", "content": [LOGGED]})
    edits = put_back(store, wire.messages.read(text), owner="o", session="s")
    assert json.loads(splice(text, edits))["messages"][1:] == [
        {"role": "assistant", "content": [THOUGHT, FOUND, LOG, READ]}, {"role": "user", "content": [REPLY, LOGGED]}]


def test_a_mixed_turn_of_parts_is_answered_in_one_message_ours_first(store: Store) -> None:
    """Our calls in front of the client's, the replies in front of its results."""
    shown = {"role": "assistant", "content": [THOUGHT, LOOK, FOUND, LOG]}
    assert restored_blocks(store, USER, shown, {"role": "user", "content": [LOGGED]}, mixed=True) == [
        USER, *FIRST,
        {"role": "assistant", "content": [FOUND, READ, LOG]}, {"role": "user", "content": [REPLY, LOGGED]},
    ]


def test_our_calls_do_not_come_back_where_nothing_can_answer_them(store: Store) -> None:
    """A call without its result would be refused."""
    shown = {"role": "assistant", "content": [THOUGHT, LOOK, FOUND, LOG]}
    whole = restored_blocks(store, USER, shown, {"role": "user", "content": "never mind"}, mixed=True)
    assert whole[3:] == [{"role": "assistant", "content": [FOUND, LOG]}, {"role": "user", "content": "never mind"}]


@pytest.mark.parametrize("sent_again", [[THOUGHT, LOOK], [LOOK], []])
def test_what_was_not_shown_of_a_message_stands_in_front_of_the_rest(store: Store, sent_again: list[Any]) -> None:
    """The thought of the last round, in front of our calls of that round as well."""
    again = {"type": "thinking", "thinking": "so", "signature": "s2"}
    asked = wire.messages.read(body(USER))
    remember(store, asked, owner="o", session="s", visible_text="Let me look. because" if sent_again else "because",
             visible_calls=("c9",), before=json.dumps(FIRST)[1:-1], calls=json.dumps(READ), results=json.dumps(REPLY),
             first=json.dumps(again), shown=tuple(map(wire.messages.identity, (THOUGHT, LOOK))))
    came = {"role": "assistant", "content": [*sent_again, FOUND, LOG]}
    text = body(USER, came, {"role": "user", "content": [LOGGED]})
    edits = put_back(store, wire.messages.read(text), owner="o", session="s")
    assert json.loads(splice(text, edits))["messages"][3:] == [
        {"role": "assistant", "content": [again, FOUND, READ, LOG]}, {"role": "user", "content": [REPLY, LOGGED]}]


def test_the_only_part_of_a_message_stays(store: Store) -> None:
    """A message without any would be refused; so what was said is said twice."""
    whole = restored_blocks(store, USER, {"role": "assistant", "content": [
        {"type": "text", "text": "Let me look. because"}]})
    assert whole == [USER, *FIRST, {"role": "assistant", "content": [{"type": "text", "text": "Let me look. because"}]}]


def continued(store: Store, answer: str, *items: dict[str, Any], owner: str = "o") -> dict[str, Any]:
    """A Responses request that continues an answer, after one was put together from `r1` and `r2`."""
    asked = wire.responses.read(json.dumps({"input": "why?"}))
    remember(store, asked, owner="o", session="s", visible_text="", visible_calls=("c9",), before="", calls="{}",
             results=json.dumps(OUTPUT), answers=("r1", "r2"))
    text = json.dumps({"previous_response_id": answer, "input": items})
    edits = put_back(store, wire.responses.read(text), owner=owner, session="another")
    whole: dict[str, Any] = json.loads(splice(text, edits))
    return whole


OUTPUT = {"type": "function_call_output", "call_id": "t1", "output": "lines 1-9"}
LOGS = {"type": "function_call_output", "call_id": "c9", "output": "done"}


@pytest.mark.parametrize("answer", ["r1", "r2"])
def test_a_kept_conversation_goes_on_from_the_last_round(store: Store, answer: str) -> None:
    """By whichever id the client knows the answer; the reply to our call in it comes first."""
    assert continued(store, answer, LOGS) == {"previous_response_id": "r2", "input": [OUTPUT, LOGS]}


@pytest.mark.parametrize(("answer", "owner"), [("r3", "o"), ("r1", "somebody")])
def test_another_answer_is_continued_as_it_is(store: Store, answer: str, owner: str) -> None:
    """And nobody gets what was read for somebody else."""
    assert continued(store, answer, LOGS, owner=owner) == {"previous_response_id": answer, "input": [LOGS]}


def test_where_a_client_only_refers_to_an_answer_its_rounds_are_found_by_that(store: Store) -> None:
    """The text is not in the request then."""
    before, thought = json.dumps([THOUGHT, OUTPUT])[1:-1], {"type": "item_reference", "id": "rs_1"}
    reference = {"type": "item_reference", "id": "msg_1"}
    remember(store, wire.responses.read(json.dumps({"input": "why?"})), owner="o", session="s", visible_text="because",
             visible_calls=(), before=before, calls="", results="", shown=(wire.responses.identity(thought),),
             last=wire.responses.identity(reference))
    text = json.dumps({"input": [USER, thought, reference, USER]})
    whole = splice(text, put_back(store, wire.responses.read(text), owner="o", session="s"))
    assert json.loads(whole)["input"] == [USER, THOUGHT, OUTPUT, reference, USER]
