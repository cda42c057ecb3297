"""arguments: long texts are left out of the calls that handed them over, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext import retrieval
from toolstub_ext.policy import decide
from toolstub_ext.rewriting import Rewriter, Rewritten
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of

from .conversations import code, numbered

FILE = "\n".join(code(30))
OLD, NEW = "\n".join(code(5)), "\n".join(code(5, "other"))
ON = load_settings(arguments={"enabled": True})
ALL = load_settings(arguments={"enabled": True, "threshold_chars": 300})
EDIT = {"file_path": "a.py", "old_string": OLD, "new_string": NEW}


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """One for each test."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def body(*calls: tuple[str, Any, str], failed: bool = False) -> bytes:
    """A request in which each call is a turn of its own: tool, input, result."""
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (tool, given, result) in enumerate(calls):
        said += [
            {"role": "assistant", "content": [{"type": "tool_use", "id": f"c{number}", "name": tool, "input": given}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{number}", "content": result,
                                          "is_error": failed}]},
        ]
    return json.dumps({"tools": [{"name": "Edit"}], "messages": said}).encode()


def rewritten(store: Store, sent: bytes, settings: Settings) -> Rewritten:
    """What becomes of a request."""
    rewriter = Rewriter(store, settings)
    done = rewriter.rewrite(sent, path="/v1/messages")
    assert not rewriter.faults
    return done


def inputs(done: Rewritten) -> list[Any]:
    """What the calls hand over as the provider gets it."""
    return [block["input"] for message in json.loads(done.body)["messages"] if message["role"] == "assistant"
            for block in message["content"]]


def left_out(text: str) -> str:
    """What stands in place of a text."""
    return f"[toolstub] {len(text):,} characters left out; toolstub_read {ref_of(sha256_of(text))}"


def judged(done: Rewritten) -> list[tuple[str | int, str, str]]:
    """Name, action and reason for each text of a call."""
    return [(d.slot.path[-1], d.action, d.reason) for d in done.decisions if "input" in d.slot.path]


def test_what_an_edit_replaces_is_left_out(store: Store) -> None:
    """The rest stays, and what is left out can be read and searched by the model."""
    done = rewritten(store, body(("Edit", EDIT, "done")), ON)
    assert inputs(done) == [{**EDIT, "old_string": left_out(OLD)}]
    assert judged(done) == [("old_string", "abridged", f"{len(OLD)} > 200 chars (replaced by an edit)"),
                            ("new_string", "kept", "not what an edit replaces")]
    about = {"store": store, "owner": "local", "session": done.session}
    read = retrieval.run("toolstub_read", json.dumps({"ref": ref_of(sha256_of(OLD))}), **about)
    assert read.endswith(OLD)
    assert ref_of(sha256_of(OLD)) in retrieval.run("toolstub_search", '{"query": "step_3"}', **about)
    assert "Edit argument" in retrieval.run("toolstub_list", "{}", **about)


@pytest.mark.parametrize("name", ["old_string", "old_str", "old_text", "oldString", "oldText"])
def test_every_name_for_what_an_edit_replaces_is_known(store: Store, name: str) -> None:
    """Also where one call makes several edits."""
    done = rewritten(store, body(("multi_edit", {"edits": [{name: OLD, "x": OLD}]}, "done")), ON)
    assert inputs(done) == [{"edits": [{name: left_out(OLD), "x": OLD}]}]


def test_any_other_long_text_is_left_out_if_a_threshold_is_set(store: Store) -> None:
    """Of more characters than that, not of as many."""
    given = {"content": FILE, "a": "x" * 300, "b": "x" * 301}
    done = rewritten(store, body(("Write", given, "done")), ALL)
    assert inputs(done) == [{"content": left_out(FILE), "a": "x" * 300, "b": left_out("x" * 301)}]
    assert judged(done)[0] == ("content", "abridged", f"{len(FILE):,} > 300 chars (argument)")


@pytest.mark.parametrize(("tool", "given", "settings"), [
    ("Edit", EDIT, load_settings()),
    ("Edit", EDIT, load_settings(exclude_tools=["Ed*"], arguments={"enabled": True})),
    ("Edit", EDIT, load_settings(tools={"Edit": {"exclude": True}}, arguments={"enabled": True})),
    ("mcp__x__toolstub_query", EDIT, ON),
    ("Edit", {"old_string": "[toolstub] " + OLD}, ON),
    ("Edit", {"old_string": left_out(OLD)}, load_settings(arguments={"enabled": True, "replaced_chars": 100})),
    ("Edit", {"old_string": OLD[:200]}, ON),
    ("Write", {"content": FILE}, ON),
])
def test_what_stays(store: Store, tool: str, given: Any, settings: Settings) -> None:
    """Where it is off; of excluded tools, and of ours; what is left out already; what is short; what is no edit."""
    assert inputs(rewritten(store, body((tool, given, "done")), settings)) == [given]


def test_a_call_that_failed_stays(store: Store) -> None:
    """The model looks at it to see what was wrong."""
    done = rewritten(store, body(("Edit", EDIT, "not found"), failed=True), ON)
    assert inputs(done) == [EDIT]
    assert judged(done)[0] == ("old_string", "kept", "its call failed")


@pytest.mark.parametrize("calls", [
    [("Write", {"file_path": "a.py", "content": FILE}, "done"), ("Read", {"file_path": "a.py"}, numbered(code(30)))],
    [("Write", {"file_path": "a.py", "content": FILE}, numbered(code(30)))],
])
def test_nothing_points_at_what_is_left_out(store: Store, calls: list[Any]) -> None:
    """A file that is shown after it was written is said by what the model wrote, as long as that is there."""
    assert rewritten(store, body(*calls), ON).decisions[-1].action == "reduced"
    assert rewritten(store, body(*calls), ALL).decisions[-1].action == "compacted"


def test_a_turn_is_no_longer_by_what_its_calls_hand_over(store: Store) -> None:
    """The budget of a turn is for results."""
    settings = load_settings(arguments={"enabled": True}, externalize={"turn_inline_budget_chars": 1_000})
    done = rewritten(store, body(("Edit", {"new_string": FILE}, "x y\n" * 200)), settings)
    assert [decision.action for decision in done.decisions] == ["kept", "kept"]


def test_without_the_stage_it_costs_nothing(store: Store) -> None:
    """No text of a call is even looked for."""
    done = rewritten(store, body(("Edit", EDIT, "done")), load_settings())
    assert done.reading is not None
    assert not any(result.is_argument for result in done.reading.transcript.results)
    on = rewritten(store, body(("Edit", EDIT, "done")), ON)
    assert on.reading is not None
    stays = decide(on.reading.transcript, load_settings())
    assert {decision.reason for decision in stays.decisions if decision.slot.path[-1] == "old_string"} == {
        "arguments stay"}
