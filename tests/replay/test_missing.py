"""What is missed, on cases small enough to be sure of."""

from __future__ import annotations

import pytest

from toolstub_ext.replay import Builder, Conversation
from toolstub_ext.replay.missing import Evidence, Vocabulary
from toolstub_ext.replay.sending import Piece, Sent

NOTHING = Piece("")
STUB = "[toolstub] tool result externalized\nlines: 400"


def told(result: str, answer: str, *, user: str = "go", before: str = "", tools: str = "") -> Conversation:
    """A user asks, a tool gives a result, the model answers."""
    builder = Builder("c", tools=tools)
    builder.user(user)
    builder.assistant(before, [("1", "read", "{}")])
    builder.result(result, "1")
    builder.assistant(answer)
    (built,) = builder.finished()
    return built


def missed(conversation: Conversation, stub: str = STUB) -> list[tuple[str, str]]:
    """What the last turn misses if the result is replaced by `stub`."""
    pieces = [Piece(item.spoken, place) for place, item in enumerate(conversation.items[:-1])]
    pieces[2] = Piece(stub, replaces=2)
    sent = Sent(3, tuple(pieces), 2, NOTHING, NOTHING)
    return [(miss.kind, miss.literal) for miss in Evidence(conversation).misses(sent)]


@pytest.mark.parametrize(("result", "answer", "found"), [
    ("def collect_rows():", "I call collect_rows.", [("id", "collect_rows")]),
    ("def collect_rows():", "I call other_rows.", []),
    ("def recollect_rows():", "I call collect_rows.", []),
    ("src/jobs/rotation.py", "I open rotation.py", [("file", "rotation.py")]),
    ("exit code 48213", "It ended with 48213.", [("num", "48213")]),
    ("  48213\tpass", "It is in line 48213.", [("lineno", "48213")]),
    ("  9\treturn rows_of(cache)[key]", r'{"old_string": "\treturn rows_of(cache)[key]"}',
     [("id", "rows_of"), ("line", "return rows_of(cache)[key]")]),
    ("uses logging.Inform", "so does logging.Inform", [("pair", "logging.Inform")]),
    ("12.5% of all", "only 12.5%", [("num", "12.5%")]),
])
def test_a_literal_that_only_the_hidden_result_has_is_missed(result: str, answer: str,
                                                             found: list[tuple[str, str]]) -> None:
    """As a whole word; what nobody had shown was not read there."""
    assert missed(told(result, answer)) == found


@pytest.mark.parametrize("more", [
    {"user": "look at collect_rows"}, {"user": "look at recollect_rows_of"}, {"before": "collect_rows?"},
    {"tools": '{"name":"collect_rows"}'},
])
def test_what_is_visible_elsewhere_is_not_missed(more: dict[str, str]) -> None:
    """Even as a part of something longer."""
    assert missed(told("def collect_rows():", "I call collect_rows.", **more)) == []


def test_what_the_stub_says_is_not_missed() -> None:
    """That is what a stub is for."""
    conversation = told("def collect_rows(): ...", "I call collect_rows.")
    assert missed(conversation, STUB + "\nL1 def collect_rows()") == []


def test_nothing_is_missed_while_nothing_is_hidden() -> None:
    """And what is said later does not make it visible earlier."""
    conversation = told("def collect_rows():", "I call collect_rows.")
    pieces = tuple(Piece(item.spoken, place) for place, item in enumerate(conversation.items[:-1]))
    assert Evidence(conversation).misses(Sent(3, pieces, 2, NOTHING, NOTHING)) == []


def test_what_is_left_out_of_a_call_is_hidden_too() -> None:
    """As long as nothing else shows it, the rest of the call neither."""
    builder = Builder("c")
    builder.assistant("I write.", [("1", "write", '{"path": "rows.py", "content": "def collect_rows():"}')])
    builder.result("done", "1")
    builder.assistant("I call collect_rows of rows.py.")
    (conversation,) = builder.finished()
    pieces = (Piece('I write. write {"path": "rows.py", "content": "[toolstub] 19 characters"}', replaces=0),
              Piece("done", 1))
    (miss,) = Evidence(conversation).misses(Sent(2, pieces, 0, NOTHING, NOTHING))
    assert (miss.literal, miss.sources) == ("collect_rows", (0,))


def test_what_a_policy_took_away_altogether_is_hidden_too() -> None:
    """A message that is not sent any more shows nothing, also one of the user."""
    conversation = told("def collect_rows():", "I call collect_rows.", user="mind collect_rows")
    pieces = (Piece("In short: something was read."),)
    (miss,) = Evidence(conversation).misses(Sent(3, pieces, 0, NOTHING, NOTHING))
    assert (miss.literal, miss.sources, miss.turn) == ("collect_rows", (2,), 3)


def test_parts_of_words_are_found_in_the_vocabulary() -> None:
    """With every text that has the word, and never across two words."""
    vocabulary = Vocabulary(["alpha_beta gamma", "beta", "alp habet"])
    assert vocabulary.items_with("bet") == (0, 1, 2)
    assert vocabulary.items_with("beta") == (0, 1)
    assert vocabulary.items_with("gammabeta") == ()
