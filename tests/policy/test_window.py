"""window: Gliding Horse's third layer by its rules, and what is different here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of
from toolstub_ext.wire import wire_for

CHAT, MESSAGES, RESPONSES = "/v1/chat/completions", "/v1/messages", "/v1/responses"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def folding(**rule: Any) -> Settings:
    """Only `window`."""
    return load_settings(window={"enabled": True, "max_tokens": 10**6, **rule},
                         **{stage: {"enabled": False} for stage in ("dedupe", "externalize", "compact")})


def output(number: int) -> str:
    """A text of its own, long enough to have a ref."""
    return f"{number}: " + "a line of the output\n" * 20


def chat(turns: int, **more: Any) -> dict[str, Any]:
    """A conversation in which each turn has two messages: a call, and its result."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "be good"}, {"role": "user", "content": "go"}]
    for number in range(turns):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "Bash", "arguments": '{"command": "ls"}'}}
        messages.append({"role": "assistant", "content": f"look {number}", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": output(number)})
    return {"tools": [{"type": "function", "function": {"name": "Bash"}}], **more, "messages": messages}


def messages(turns: int) -> dict[str, Any]:
    """The same for Anthropic's messages, with two calls in each turn."""
    said: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number in range(turns):
        ids = [f"t{number}a", f"t{number}b"]
        said.append({"role": "assistant", "content": [
            {"type": "tool_use", "id": each, "name": "Bash", "input": {"command": "ls"}} for each in ids]})
        said.append({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": each, "content": output(number)} for each in reversed(ids)]})
    return {"tools": [{"name": "Bash", "input_schema": {"type": "object"}}], "messages": said}


def responses(turns: int) -> dict[str, Any]:
    """The same for OpenAI's responses, where a turn begins with reasoning."""
    items: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number in range(turns):
        ids = [f"r{number}a", f"r{number}b"]
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "x"})
        items += [{"type": "function_call", "call_id": each, "name": "Bash", "arguments": "{}"} for each in ids]
        items += [{"type": "function_call_output", "call_id": each, "output": output(number)} for each in ids]
    return {"tools": [{"type": "function", "name": "Bash"}], "input": items}


def sent(request: dict[str, Any], store: Store, settings: Settings) -> list[Any]:
    """The messages as the provider gets them."""
    messages: list[Any] = json.loads(
        rewrite(json.dumps(request).encode(), store=store, settings=settings).body)["messages"]
    return messages


def test_gliding_horse_above_thirty_messages_the_newest_four_stay(store: Store) -> None:
    """Thirty are not too many; of thirty-two all but the beginning and the last four become one."""
    assert sent(chat(14), store, folding()) == chat(14)["messages"]
    before, after = chat(15)["messages"], sent(chat(15), store, folding())
    assert after[:2] == before[:2]
    assert after[3:] == before[-4:]
    assert after[2]["role"] == "user"
    head, *lines = after[2]["content"].split("\n")
    assert head.startswith("[toolstub] 26 earlier messages, in short; all of them: toolstub_read ts_")
    assert lines == [line for number in range(13) for line in (
        f"assistant: look {number}",
        f"Bash(ls): {len(output(number))} characters, toolstub_read {ref_of(sha256_of(output(number)))}")]


def test_a_history_has_sixty_lines_at_most(store: Store) -> None:
    """The first and the last, and how many are between; all of them can be read."""
    head, *lines = sent(chat(60), store, folding(max_messages=110))[2]["content"].split("\n")
    assert "toolstub_read ts_" in head
    assert len(lines) == 60
    assert lines[0] == "assistant: look 0"
    assert [line for line in lines if line.endswith(" lines left out]")] == [lines[29]]


def test_what_went_can_be_read_back(store: Store) -> None:
    """The messages as the client wrote them by the ref of the history, each result by its own."""
    history = sent(chat(15), store, folding())[2]["content"]
    whole, *results = [line.rpartition(" ")[2] for line in history.split("\n") if "toolstub_read" in line]
    assert json.loads(f"[{store.read(whole, limit=-1).text}]") == chat(15)["messages"][2:28]
    assert [store.read(ref, limit=-1).text for ref in results] == [output(number) for number in range(13)]


def test_gliding_horse_fault_above_the_tokens_it_works_below_thirty_messages_too(store: Store) -> None:
    """There that did nothing. Here it does, once enough goes at a time."""
    assert len(sent(chat(8), store, folding(max_tokens=500, step_tokens=300))) < 12
    assert sent(chat(8), store, folding(max_tokens=500, step_tokens=30_000)) == chat(8)["messages"]


def test_gliding_horse_fault_the_user_s_words_and_short_results_are_in_the_history(store: Store) -> None:
    """There it named tools, in whatever order. Long words are cut, with their line breaks."""
    request = chat(15)
    request["messages"][3]["content"] = "exit 1"
    request["messages"].insert(4, {"role": "user", "content": "now\n the tests" + " please" * 90})
    lines = sent(request, store, folding())[2]["content"].split("\n")
    assert lines[1:3] == ["assistant: look 0", "Bash(ls): exit 1"]
    assert lines[3].startswith("user: now the tests please")
    assert lines[3].endswith("…")
    assert len(lines[3]) == len("user: ") + 201


@pytest.mark.parametrize(("path", "request_of", "key"), [
    (CHAT, chat, "messages"), (MESSAGES, messages, "messages"), (RESPONSES, responses, "input"),
])
@pytest.mark.parametrize("keep", [1, 2, 3, 4, 5])
def test_call_and_result_are_never_separated(
    store: Store, path: str, request_of: Callable[[int], dict[str, Any]], key: str, keep: int
) -> None:
    """In each format, wherever the newest messages begin: what is called is answered, and the other way round."""
    settings = folding(max_messages=8, keep_recent_messages=keep)
    folded = 0
    for turns in range(1, 16):
        body = json.dumps(request_of(turns)).encode()
        done = rewrite(body, store=store, settings=settings, path=path)
        wire = wire_for(path)
        assert wire is not None
        reading = wire.read(done.text)
        calls = [call for message in reading.messages for call in message.calls]
        answers = [result.call_id for result in reading.transcript.results]
        assert sorted(calls) == sorted(map(str, answers))
        assert json.loads(done.body)[key][-1] == request_of(turns)[key][-1]
        folded += sum(decision.action == "folded" for decision in done.decisions)
    assert folded > 3


def test_what_was_said_of_a_stretch_stays_when_the_next_one_goes(store: Store) -> None:
    """Between two moves every request begins with the one before it; a move changes nothing in front of it."""
    rewriter, before, moves = Rewriter(store, folding()), "", 0
    folds: list[Any] = []
    for turns in range(1, 60):
        done = rewriter.rewrite(body := json.dumps(chat(turns)).encode())
        assert done.body == rewrite(body, store=store, settings=folding()).body
        now = [decision for decision in done.decisions if decision.action == "folded"]
        assert now[:len(folds)] == folds
        assert done.text.startswith(before) is (now == folds)
        if len(now) > len(folds) > 0:
            history = done.text.index(str(now[-1].ref))
            assert done.text[:history - 300] == before[:history - 300]
        moves += now != folds
        folds, before = now, done.text[:done.messages_end]
    assert 3 < moves < 7
    assert not rewriter.faults


def test_the_steps_stay_large_however_long_a_conversation_gets(store: Store) -> None:
    """Histories are no messages of the client's: if they counted, the boundary would move with each turn in the end."""
    rewriter, lengths = Rewriter(store, folding(max_messages=15)), []
    for turns in range(100):
        done = rewriter.rewrite(json.dumps(chat(turns)).encode())
        lengths.append(len(json.loads(done.body)["messages"]))
    moves = [turns for turns in range(1, 100) if lengths[turns] < lengths[turns - 1]]
    assert len(moves) > 15
    assert {after - before for before, after in pairwise(moves)} == {5}


def test_gliding_horse_when_streaming_it_moves_every_third_turn_only(store: Store) -> None:
    """Wherever it would have moved, it waits; without streaming it does not."""
    def moved(**more: Any) -> list[int]:
        return [turns for turns in range(1, 20) if len(sent(chat(turns, **more), store, folding(max_messages=9))) < len(
            sent(chat(turns - 1, **more), store, folding(max_messages=9)))]

    assert [(turns + 1) % 3 for turns in moved(stream=True)] == [0] * len(moved(stream=True))
    assert moved(stream=True)
    assert any((turns + 1) % 3 for turns in moved())


def test_a_later_system_message_and_what_is_behind_it_stay(store: Store) -> None:
    """A history said by the user could not stand for it."""
    request = chat(30)
    request["messages"].insert(8, {"role": "system", "content": "from now on in French"})
    after = sent(request, store, folding())
    assert after[2]["content"].startswith("[toolstub] 4 earlier messages")
    assert after[3:] == request["messages"][6:]


def test_what_would_not_get_smaller_stays(store: Store) -> None:
    """Two messages of a few characters are shorter than a history of them."""
    request = {**chat(0), "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}] * 3
               + [{"role": "user", "content": "c"}]}
    settings = folding(max_messages=3, keep_recent_messages=2)
    assert sent(request, store, settings) == request["messages"]


def test_around_a_history_every_byte_stays(store: Store) -> None:
    """Put what was stored back in its place, and take our tools out: it is what the client sent."""
    body = json.dumps(chat(15, odd=[1.0, 1e5, 10**40]), indent=1)
    done = rewrite(body.encode(), store=store, settings=folding())
    (decision,) = (decision for decision in done.decisions if decision.action == "folded")
    start = done.text.index('{"role":"user","content":"[toolstub]')
    written = done.text[start:start + decision.chars_after]
    stored = store.read(str(decision.ref), limit=-1).text
    assert done.text.replace(written, stored).replace(done.offered[0], "", 1) == body


class Failing:
    """A store that fails from the n-th put on."""

    def __init__(self, store: Store, puts: int) -> None:
        self._store = store
        self._puts = puts

    def put(self, text: str, **more: Any) -> Any:
        """As the store's, or the fault."""
        self._puts -= 1
        if self._puts < 0:
            raise StoreError("disk full")
        return self._store.put(text, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@pytest.mark.parametrize("puts", [0, 5, 13])
def test_nothing_goes_before_all_of_it_is_stored(store: Store, puts: int) -> None:
    """Thirteen results and the messages: whichever could not be stored, everything stays."""
    done = Rewriter(Failing(store, puts), folding()).rewrite(json.dumps(chat(15)).encode())  # type: ignore[arg-type]
    assert json.loads(done.body)["messages"] == chat(15)["messages"]


def test_the_preset_gliding_horse_has_its_layers(store: Store) -> None:
    """Size routes, first lines, references and a history, with its numbers; and nothing of ours."""
    settings = load_settings(preset="gliding-horse")
    on = [stage for stage in ("dedupe", "externalize", "compact", "clear", "route", "compress", "reclaim", "window")
          if getattr(settings, stage).enabled]
    assert on == ["route", "compress", "reclaim", "window"]
    assert (settings.route.register_bytes, settings.compress.max_tool_messages, settings.window.max_messages) == (
        3_072, 10, 30)
    done = rewrite(json.dumps(chat(20)).encode(), store=store, settings=settings)
    assert {decision.action for decision in done.decisions} >= {"folded", "kept"}
