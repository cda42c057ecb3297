"""Every kind of trace is read, and one conversation recorded in all of them is one conversation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_support import RECORDED, read

from toolstub_ext.replay.traces import base, claude_code, finding

FIRST = {"command": "cat report.py"}
SECOND = {"command": "sed -i 's/\\[:0\\]//' report.py && echo done"}
SOURCE = "def render(rows):\n    return collect_rows(rows)[:0]\n"
WITHOUT_SYSTEM = {"claude_code.jsonl"}
LOOSE_ARGUMENTS = {"openhands.json": {"is_input": False}}

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A file of JSON lines; a text is written as it is."""
    def made(name: str, *records: object) -> Path:
        lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path
    return made


@pytest.mark.parametrize("name", sorted(path.name for path in RECORDED.iterdir() if "output" not in path.name))
def test_the_same_conversation_is_read_from_every_kind_of_trace(name: str) -> None:
    """The same turns, calls and results; what only some record (system text, thoughts around a command) may differ."""
    (conversation,), found = read(RECORDED / name)
    system, items = conversation.items[:-6], conversation.items[-6:]
    assert [item.kind for item in items] == ["user", "assistant", "result", "assistant", "result", "assistant"]
    assert [item.text for item in system] == ([] if name in WITHOUT_SYSTEM else ["You fix programs."])
    assert items[0].text == "The report of the nightly job is empty. Find out why."
    assert items[1].text.startswith("I look at what makes the report.")
    assert items[2].text == SOURCE
    assert items[4].text == "done"
    assert items[5].text == "It was `collect_rows` whose last slice left nothing."
    extra = LOOSE_ARGUMENTS.get(name, {})
    for item, result, arguments in ((items[1], items[2], FIRST), (items[3], items[4], SECOND)):
        (call,) = item.calls
        assert json.loads(call.arguments.replace("\\n", "")) == {**arguments, **extra}
        assert call.call_id == result.call_id
    assert (found.files, found.others, found.faults) == (1, 0, [])


@pytest.mark.parametrize("name", ["chat.json", "responses.json", "messages.json", "requests.jsonl", "archive.har"])
def test_the_tools_of_a_request_are_kept(name: str) -> None:
    """They stand in front of everything, and cost what they cost."""
    (conversation,), _ = read(RECORDED / name)
    assert '"bash"' in conversation.tools


def test_an_evaluation_holds_a_conversation_in_every_line() -> None:
    """Events, or in older ones pairs of an action and an observation."""
    several, _ = read(RECORDED / "openhands_output.jsonl")
    assert [len(conversation.turns) for conversation in several] == [3, 2]
    assert [conversation.name.rpartition(":")[2] for conversation in several] == ["1", "2"]


def test_only_the_longest_of_requests_that_grow_is_replayed(write: Write) -> None:
    """A client sends its history again; two conversations at the same time stay two."""
    def body(*said: str) -> dict[str, object]:
        roles = ("user", "assistant")
        return {"messages": [{"role": roles[at % 2], "content": text} for at, text in enumerate(said)]}

    path = write("log.jsonl", body("a", "1"), body("b", "2"), body("a", "1", "c", "3"), body("b", "2", "d", "4"))
    several, _ = read(path)
    assert [[item.text for item in one.items] for one in several] == [["a", "1", "c", "3"], ["b", "2", "d", "4"]]


def test_a_branch_is_a_conversation_of_its_own(write: Write) -> None:
    """What went on differently from the same beginning is not a part of the other."""
    def body(second: str) -> dict[str, object]:
        return {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "1"},
                             {"role": "user", "content": second}, {"role": "assistant", "content": "2"}]}

    several, _ = read(write("log.jsonl", body("left"), body("right")))
    assert [one.items[2].text for one in several] == ["left", "right"]


def test_a_sub_agent_has_a_conversation_of_its_own(write: Write) -> None:
    """In the file of the session that started it, with or without a name."""
    def line(uuid: str, parent: str | None, role: str, text: str, **more: object) -> dict[str, object]:
        return {"type": role, "uuid": uuid, "parentUuid": parent, "isSidechain": bool(more.pop("side", False)),
                "message": {"role": role, "content": text}, **more}

    path = write(
        "session.jsonl",
        line("1", None, "user", "do it"), line("2", "1", "assistant", "I ask"),
        line("3", None, "user", "older", side=True), line("4", "3", "assistant", "found", side=True),
        line("5", None, "user", "newer", side=True, agentId="a1"),
        line("6", "5", "assistant", "seen", side=True, agentId="a1"),
        line("7", "2", "user", "go on"), line("8", "7", "assistant", "done"),
    )
    several, _ = read(path)
    assert [[item.text for item in one.items] for one in several] == [
        ["do it", "I ask", "go on", "done"], ["older", "found"], ["newer", "seen"],
    ]


def test_after_a_compaction_a_session_begins_anew(write: Write) -> None:
    """The model is sent the summary, and no more what it sums up."""
    def line(role: str, text: str, **more: object) -> dict[str, object]:
        return {"type": role, "uuid": text, "message": {"role": role, "content": text}, **more}

    path = write("session.jsonl", line("user", "a"), line("assistant", "b"),
                 line("user", "in short: a, b", isCompactSummary=True), line("assistant", "c"))
    several, _ = read(path)
    assert [[item.text for item in one.items] for one in several] == [["a", "b"], ["in short: a, b", "c"]]


def test_a_compacted_rollout_begins_anew(write: Write) -> None:
    """With the history that replaces the old one."""
    def message(role: str, text: str) -> dict[str, object]:
        return {"type": "message", "role": role, "content": [{"type": "output_text", "text": text}]}

    path = write(
        "rollout.jsonl", {"type": "session_meta", "payload": {"id": "1"}},
        *({"type": "response_item", "payload": message(*one)} for one in (("user", "a"), ("assistant", "b"))),
        {"type": "compacted", "payload": {"message": "", "replacement_history": [message("user", "in short")]}},
        {"type": "response_item", "payload": message("assistant", "c")},
    )
    several, _ = read(path)
    assert [[item.text for item in one.items] for one in several] == [["a", "b"], ["in short", "c"]]


def test_parallel_calls_recorded_one_by_one_are_one_turn(write: Write) -> None:
    """A session has each call of a message on a line of its own, and results in between."""
    def call(number: int) -> dict[str, object]:
        block = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"n": number}}
        message = {"role": "assistant", "id": "m", "content": [block]}
        return {"type": "assistant", "uuid": f"c{number}", "message": message}

    def result(number: int) -> dict[str, object]:
        block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"r{number}"}
        return {"type": "user", "uuid": f"r{number}", "message": {"role": "user", "content": [block]}}

    (conversation,), _ = read(write("session.jsonl", call(1), result(1), call(2), result(2)))
    assert [item.kind for item in conversation.items] == ["assistant", "result", "result"]
    assert [call.call_id for call in conversation.items[0].calls] == [item.call_id for item in conversation.items[1:]]


def test_a_file_that_is_none_says_what_was_expected(write: Write) -> None:
    """With its name and the line; all other files are read."""
    broken = write("broken.json", '{"messages": [', "  oops", "]}")
    missing = broken.with_name("missing.json")
    other = write("package.json", {"name": "job"})
    several, found = read(broken, missing, other, RECORDED / "chat.json")
    assert len(several) == 1
    first, second, third = found.faults
    assert first == f"{broken}, line 2: JSON expected: Expecting value"
    assert second == f"{missing}: a readable file expected: no such file or directory; check the path"
    assert third.startswith(f"{other}, line 1: HAR, SWE-agent, ")


def test_a_broken_line_costs_only_itself(write: Write) -> None:
    """A session whose last line was cut off is read up to there."""
    lines = (RECORDED / "claude_code.jsonl").read_text(encoding="utf-8").split("\n")
    path = write("session.jsonl", *lines[:8], lines[7][:100])
    (conversation,), found = read(path)
    assert len(conversation.turns) == 2
    (fault,) = found.faults
    assert fault.startswith(f"{path}, line 9: one JSON value on the line expected: ")


@pytest.mark.parametrize("first", ['age", "uuid": "1"}', '{"type": "user", "mess', "Log of Monday"])
def test_a_log_whose_first_line_is_broken_is_read_from_the_second_on(first: str, write: Write) -> None:
    """As it is where a log was cut by its size."""
    lines = (RECORDED / "claude_code.jsonl").read_text(encoding="utf-8").split("\n")
    path = write("session.jsonl", first, *lines[1:])
    (conversation,), found = read(path)
    assert len(conversation.turns) == 3
    (fault,) = found.faults
    assert fault.startswith(f"{path}, line 1: one JSON value on the line expected: ")


@pytest.mark.parametrize(("name", "turns"), [("chat.json", 2), ("openhands.json", 2), ("swe_agent.traj", 2)])
def test_a_document_that_was_cut_off_is_read_up_to_there(name: str, turns: int, write: Write) -> None:
    """With the line at which it ends."""
    text = (RECORDED / name).read_text(encoding="utf-8")
    cut = text[:text.rindex("It was `collect_rows`")]
    path = write(name, cut)
    (conversation,), found = read(path)
    assert len(conversation.turns) == turns
    (fault,) = found.faults
    assert fault.startswith(f"{path}, line {cut.count(chr(10)) + 1}: JSON expected: ")


def test_what_stands_behind_a_document_is_told(write: Write) -> None:
    """Two documents one behind another are no lines of JSON."""
    text = (RECORDED / "chat.json").read_text(encoding="utf-8")
    path = write("twice.json", text, text)
    several, found = read(path)
    assert len(several) == 1
    line = text.rstrip().count("\n") + 1
    assert found.faults == [f"{path}, line {line}: one JSON value or one on each line expected; the first is read"]


def test_of_many_faults_in_a_file_only_the_first_are_told(write: Write) -> None:
    """And how many there are."""
    good = (RECORDED / "claude_code.jsonl").read_text(encoding="utf-8")
    path = write("session.jsonl", good, *("oops" for _ in range(1_000)))
    several, found = read(path)
    assert len(several) == 1
    assert len(found.faults) == finding.MOST_FAULTS + 1
    assert found.faults[-1] == f"{path}: {1_000 - finding.MOST_FAULTS:,} more faults in it"


def test_a_line_that_is_too_long_costs_only_itself(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of it is read than is needed to pass it."""
    lines = (RECORDED / "claude_code.jsonl").read_text(encoding="utf-8").split("\n")
    monkeypatch.setattr(base, "LONGEST", 2_000)
    path = write("session.jsonl", lines[0], json.dumps("x" * 9_000), *lines[1:])
    (conversation,), found = read(path)
    assert len(conversation.turns) == 3
    assert found.faults == [f"{path}, line 2: a line of at most 2,000 characters expected"]


def test_many_sub_agents_do_not_wait_for_the_end(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The main conversation goes on whatever they say."""
    def line(agent: int | None, role: str, text: str) -> dict[str, object]:
        return {"type": role, "uuid": f"{agent}{text}", "message": {"role": role, "content": text},
                **({} if agent is None else {"isSidechain": True, "agentId": f"a{agent}"})}

    monkeypatch.setattr(claude_code, "MOST_CHARS", 1_000)
    agents = [line(agent, role, "x" * 100) for agent in range(50) for role in ("user", "assistant")]
    main = [line(None, role, role) for role in ("user", "assistant")]
    several, _ = read(write("session.jsonl", *main, *agents, *main))
    assert [len(one.items) for one in several] == [2] * 46 + [4] + [2] * 4
    assert several[46].name.endswith("session.jsonl")


@pytest.mark.parametrize("text", ["9" * 5_000, '{"messages": %s}' % ("9" * 5_000), "[" * 200_000], ids=len)
@pytest.mark.parametrize("name", ["any.json", "any.jsonl"])
def test_what_json_cannot_hold_here_is_a_line(tmp_path: Path, name: str, text: str) -> None:
    """In a document and in lines: a number that is too long for an integer, and nesting that is too deep."""
    path = tmp_path / name
    path.write_text(f"{text}\n", encoding="utf-8")
    several, found = read(path)
    assert not several
    assert [line.startswith(f"{path}, line 1: ") for line in found.faults] == [True]


KEYS = ("messages", "input", "role", "content", "type", "message", "uuid", "payload", "history", "trajectory", "log",
        "entries", "request", "response", "tool_calls", "function", "args", "action", "observation", "source", "output",
        "trajectory_format", "system", "tools", "id", "choices", "text", "name", "arguments")
WORDS = st.sampled_from(("user", "assistant", "tool", "message", "function_call", "tool_use", "tool_result", "system",
                         "mini-swe-agent", "response_item", "run", "agent", "\ud800", ""))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_no_value_breaks_a_reader(tmp_path_factory: pytest.TempPathFactory, values: list[object]) -> None:
    """Whatever stands where something else is expected, it is read, left out or complained about."""
    path = tmp_path_factory.mktemp("any") / "any.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    several, found = read(path)
    assert all(one.turns for one in several)
    assert bool(several) or found.files + len(found.faults) == 1
