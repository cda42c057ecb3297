"""A replay from files to figures, through the rewriting that a proxy does."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.errors import StoreError
from toolstub_ext.replay import Builder, Conversation, Policy, Progress, Report, replay
from toolstub_ext.replay.caches import SIMPLE
from toolstub_ext.replay.measuring import Measure
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store, open_store

SOURCE = "\n".join(f"{number:>6}\tdef step_{number}(rows):  # {'#' * 40}" for number in range(500))
ANSWER = "done"
QUIET = "nothing to see"


def settings(threshold: int) -> Settings:
    """The rule of one threshold, and nothing else."""
    return load_settings(os.devnull, preset="openviking", externalize={"threshold_chars": threshold})


def session(answer: str = ANSWER, *, name: str = "c", more: int = 10) -> Conversation:
    """A file is read, then small commands follow; at last the model says something."""
    builder = Builder(name)
    builder.user(f"Read jobs.py for {name}.")
    builder.assistant("", [("1", "Read", '{"file_path": "jobs.py"}')])
    builder.result(SOURCE, "1")
    for number in range(more):
        builder.assistant("", [(f"n{number}", "Bash", '{"command": "true"}')])
        builder.result(QUIET, f"n{number}")
    builder.assistant(answer)
    (built,) = builder.finished()
    return built


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of its own."""
    return open_store(tmp_path / "store.db")


def body(conversation: Conversation) -> dict[str, object]:
    """The conversation as somebody keeps it."""
    messages = []
    for item in conversation.items:
        calls = [
            {"id": call.call_id, "function": {"name": call.tool, "arguments": call.arguments}} for call in item.calls
        ]
        messages.append({"role": "tool" if item.kind == "result" else item.kind, "content": item.text,
                         "tool_call_id": item.call_id, **({"tool_calls": calls} if calls else {})})
    return {"messages": messages}


def replayed(path: Path, *conversations: Conversation) -> Report:
    """A report on conversations in a file, with one policy."""
    path.write_text("".join(json.dumps(body(one)) + "\n" for one in conversations), encoding="utf-8")
    return replay([path], [Policy("4,000", settings(4_000))])


def test_doing_nothing_costs_each_text_once_in_full_and_then_a_tenth() -> None:
    """Every request sends all that stood before; the last answer was never sent."""
    conversation = session()
    run = Measure(conversation).baseline()
    sizes = [len(item.spoken) for item in conversation.items[:-1]]
    turns = conversation.turns
    first = [next(number for number, turn in enumerate(turns) if turn > place) for place in range(len(sizes))]
    times_sent = [len(turns) - number for number in first]
    assert run.spent.turns == len(turns) == 12
    assert run.spent.chars == sum(size * times for size, times in zip(sizes, times_sent, strict=True))
    assert run.spent.costs[SIMPLE] == pytest.approx(
        sum(size * (1 + 0.1 * (times - 1)) for size, times in zip(sizes, times_sent, strict=True)))
    assert run.curve[-1] == round(run.spent.costs[SIMPLE])
    assert run.misses == []


def test_a_stub_saves_in_every_request_from_the_first_on(store: Store) -> None:
    """What is saved is the difference in length, once in full and then at a tenth."""
    measure = Measure(session())
    baseline, run = measure.baseline(), measure.run(settings(4_000), store)
    (place,) = run.reasons
    shorter = len(SOURCE) - run.shown[place]
    assert place == 2
    assert baseline.spent.costs[SIMPLE] - run.spent.costs[SIMPLE] == pytest.approx(shorter * (1 + 0.1 * 10))
    assert baseline.spent.chars - run.spent.chars == shorter * 11
    assert run.reasons[place].startswith("externalized: ")


def test_tool_definitions_are_counted_apart(store: Store) -> None:
    """Ours stand in every request; the stand-in for tools that were not recorded is not counted."""
    measure = Measure(session())
    baseline, run = measure.baseline(), measure.run(settings(10**6), store)
    assert run.spent.costs == baseline.spent.costs
    assert baseline.spent.definitions[SIMPLE] == 0
    assert 1_000 < run.spent.definitions[SIMPLE] < 2_000 * (1 + 0.1 * 11)


def test_what_is_left_out_of_a_call_is_counted(tmp_path: Path, store: Store) -> None:
    """What it saved, what is missed because of it, and what that costs, under the name of the call."""
    builder = Builder("c")
    builder.user("Write it.")
    builder.assistant("", [("1", "Read", '{"file_path": "a.py"}'),
                           ("2", "Write", json.dumps({"file_path": "jobs.py", "content": SOURCE}))])
    builder.result("empty", "1")
    builder.result("done", "2")
    builder.assistant("It is written.")
    builder.assistant("", [("3", "Bash", "{}")])
    builder.result(QUIET, "3")
    builder.assistant("I call step_41 again.")
    (written,) = builder.finished()
    chosen = load_settings(os.devnull, arguments={"enabled": True, "threshold_chars": 4_000})
    run = Measure(written).run(chosen, store)
    assert [(miss.literal, miss.sources) for miss in run.misses] == [("step_41", (1,))]
    assert run.spent.rereads == run.reread_costs[1] > 0
    (tmp_path / "c.jsonl").write_text(json.dumps(body(written)) + "\n", encoding="utf-8")
    (policy,) = replay([tmp_path / "c.jsonl"], [Policy("all", chosen)]).policies
    (outcome,) = policy.savings
    assert (outcome.tool, outcome.reason, outcome.misses) == (
        "Write", f"abridged: {len(SOURCE):,} > 4,000 chars (argument)", 1)
    assert outcome.saved == pytest.approx(Measure(written).baseline().spent.costs[SIMPLE] - run.spent.costs[SIMPLE])


@pytest.mark.parametrize(("answer", "missed"), [
    ("step_250 is wrong", ["step_250"]), ("step_0 is wrong", []), ("done", []),
])
def test_what_the_stub_does_not_show_is_missed(answer: str, missed: list[str], store: Store) -> None:
    """The last answer names a function from the middle of the file, or one that the stub has as well."""
    run = Measure(session(answer)).run(settings(4_000), store)
    assert [miss.literal for miss in run.misses] == missed
    assert run.spent.miss_turns == len(missed)
    assert bool(run.spent.rereads) == bool(missed)


WORDS = st.sampled_from(("go", "step_1", "", "\ud800\n", SOURCE))
ITEMS = st.lists(st.tuples(st.sampled_from(("user", "assistant", "call", "result")), WORDS), max_size=12)


@given(ITEMS)
def test_a_policy_that_changes_nothing_costs_what_doing_nothing_costs(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str]],
) -> None:
    """Whatever was said: each message goes through as the piece it was."""
    builder = Builder("c", tools='{"name":"read"}')
    for kind, text in said:
        if kind == "call":
            builder.assistant(text, [("", "read", text)])
        else:
            getattr(builder, kind)(text)
    with open_store(tmp_path_factory.mktemp("any") / "store.db") as store:
        for conversation in builder.finished():
            measure = Measure(conversation)
            run = measure.run(load_settings(os.devnull, preset="off"), store)
            assert run == measure.baseline()


def test_a_conversation_without_tools_costs_what_it_costs(store: Store) -> None:
    """Nothing is added to it."""
    builder = Builder("c")
    builder.user("hello")
    builder.assistant("hello")
    (conversation,) = builder.finished()
    measure = Measure(conversation)
    assert measure.run(settings(4_000), store).spent == measure.baseline().spent


def test_the_report_adds_up(tmp_path: Path) -> None:
    """Savings and misses, the best and the worst decision, and the conversation that fared worst."""
    report = replayed(tmp_path / "log.jsonl", session("step_250 is wrong"), session(name="d", more=3),
                      session(name="e", more=0))
    (policy,) = report.policies
    assert (report.conversations, report.files, report.faults) == (3, 1, ())
    assert report.saved(policy) > report.net(policy) > 0
    assert policy.miss_share == 1 / (12 + 5 + 2)
    assert [(event.turn, event.kind, event.literal) for event in policy.misses] == [(12, "id", "step_250")]
    assert [outcome.conversation.rpartition(":")[2] for outcome in policy.savings] == ["1", "2", "3"]
    assert [(outcome.turn, outcome.tool, outcome.misses) for outcome in policy.losses] == [(1, "Read", 1)]
    assert policy.worst_net.value > policy.worst.value > 0
    assert [row.baseline.turns for row in report.largest] == [12, 5, 2]


def test_a_store_that_fails_is_told(store: Store) -> None:
    """Figures of a policy that could not do its work would be wrong without a word about it."""
    store.close()
    run = Measure(session()).run(settings(4_000), store)
    assert run.faults == {StoreError.__name__: 12}
    report = Report(["4,000"])
    report.add(session(), Measure(session()).baseline(), [run])
    assert [*report.failures()] == ["4,000: sent as they were, for a fault of toolstub, 12 times: StoreError"]


def test_progress_is_told_while_a_file_is_read_and_after_each_request(tmp_path: Path) -> None:
    """Also within one long conversation, for each policy and for doing nothing."""
    path = tmp_path / "one.json"
    path.write_text(json.dumps(body(session(more=4))), encoding="utf-8")
    told: list[Progress] = []
    policies = [Policy(str(threshold), settings(threshold)) for threshold in (4_000, 8_000)]
    report = replay([path], policies, lambda progress: told.append(dataclasses.replace(progress)))
    requests = report.baseline.spent.turns * (1 + len(policies))
    assert {progress.file for progress in told} == {str(path)}
    assert [progress.requests for progress in told if progress.requests][:requests] == [*range(1, requests + 1)]
    assert told[-1].percent == 100
