"""compress and reclaim: Gliding Horse's rules by their names, and what both do in one conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext.errors import SettingsError
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of

TOOL = {"type": "function", "function": {"name": "Bash"}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def only(**stages: Any) -> Settings:
    """These stages, without what is decided when a result is new."""
    return load_settings(dedupe={"enabled": False}, compact={"enabled": False}, externalize={"threshold_chars": 10**6},
                         **stages)


def compressing(**rule: Any) -> Settings:
    """Only `compress`."""
    return only(compress={"enabled": True, **rule})


def reclaiming(**rule: Any) -> Settings:
    """Only `reclaim`; every result weighs the same."""
    return only(reclaim={"enabled": True, "step_tokens": 0, **rule})


def turns(*outputs: list[str]) -> list[dict[str, Any]]:
    """One turn after another, each with the outputs of parallel calls."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number, texts in enumerate(outputs):
        ids = [f"c{number}_{place}" for place in range(len(texts))]
        calls = [{"id": each, "type": "function", "function": {"name": "Bash", "arguments": '{"command": "ls"}'}}
                 for each in ids]
        messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": each, "content": text} for each, text in zip(ids, texts)]
    return messages


def sent(messages: list[dict[str, Any]], store: Store, settings: Settings) -> list[str]:
    """The results as the provider gets them."""
    body = json.dumps({"tools": [TOOL], "messages": messages}).encode()
    done = json.loads(rewrite(body, store=store, settings=settings).body)
    return [message["content"] for message in done["messages"] if message["role"] == "tool"]


def text(number: int, lines: int = 40) -> str:
    """A text of its own."""
    return "".join(f"{number}: line {line} of the output\n" for line in range(lines))


def test_gliding_horse_of_more_than_ten_results_the_older_keep_their_first_lines(store: Store) -> None:
    """Ten are not too many; of eleven the newest two stay."""
    ten = turns(*([text(number)] for number in range(10)))
    assert sent(ten, store, compressing()) == [text(number) for number in range(10)]
    eleven = sent(turns(*([text(number)] for number in range(11))), store, compressing())
    assert eleven[9:] == [text(9), text(10)]
    assert eleven[3] == (
        "3: line 0 of the output\n3: line 1 of the output\n3: line 2 of the output\n"
        f"[toolstub] begins so; 40 lines in all. ref: {ref_of(sha256_of(text(3)))}"
    )
    assert store.read(ref_of(sha256_of(text(3))), limit=-1).text == text(3)


def test_gliding_horse_fault_one_long_line_is_shortened_too(store: Store) -> None:
    """There it stayed as long as it was."""
    settings = compressing(max_tool_messages=2, keep=1)
    first = sent(turns(["x" * 9_000], ["y"], ["z"]), store, settings)[0]
    assert first.startswith("x" * 200 + "…\n[toolstub] begins so; 1 line in all. ref: ")
    assert len(first) < 300


def test_gliding_horse_short_results_stay(store: Store) -> None:
    """Up to 200 characters, and wherever nothing would be gained."""
    outputs = [["a" * 200], ["b" * 230], ["c"], ["d"]]
    assert sent(turns(*outputs), store, compressing(max_tool_messages=2, keep=1)) == [each[0] for each in outputs]


def test_gliding_horse_under_pressure_whole_results_become_references(store: Store) -> None:
    """Not before; and never those of the newest turn."""
    messages = turns([text(0)], [text(1)], [text(2)])
    assert sent(messages, store, reclaiming()) == [text(0), text(1), text(2)]
    assert sent(messages, store, reclaiming(max_tokens=100)) == [
        f"[toolstub] Bash(ls): {len(text(n)):,} characters were here; toolstub_read {ref_of(sha256_of(text(n)))}"
        for n in (0, 1)] + [text(2)]


def test_gliding_horse_what_is_short_is_not_reclaimed(store: Store) -> None:
    """`min_bytes` counts bytes in UTF-8."""
    outputs = [["a" * 500], ["\u4e2d" * 167], ["b" * 501], ["end"]]
    after = sent(turns(*outputs), store, reclaiming(max_tokens=1))
    assert [before == now for (before,), now in zip(outputs, after)] == [True, False, False, True]


@pytest.mark.parametrize("settings", [compressing(max_tool_messages=2, keep=1), reclaiming(max_tokens=1)])
def test_gliding_horse_fault_parallel_results_are_not_gone_before_they_are_seen(
    store: Store, settings: Settings
) -> None:
    """There the second of two took the first away."""
    outputs = [[text(0)], [text(1), text(2), text(3)]]
    assert sent(turns(*outputs), store, settings)[1:] == outputs[1]


def test_boundaries_move_in_steps_and_never_back(store: Store) -> None:
    """With both policies on, a result stays as the first of them left it."""
    settings = only(compress={"enabled": True, "max_tool_messages": 5, "keep": 2},
                    reclaim={"enabled": True, "max_tokens": 3_000, "step_tokens": 1_500})
    rewriter = Rewriter(store, settings)
    messages = turns(*([text(number)] for number in range(40)))
    before, moves, old = "", 0, dict[str, str]()
    for end in range(3, len(messages) + 1, 2):
        body = json.dumps({"tools": [TOOL], "messages": messages[:end]}).encode()
        done = rewriter.rewrite(body)
        assert done.body == rewrite(body, store=store, settings=settings).body
        now = {str(d.slot): d.action for d in done.decisions if d.action != "kept"}
        assert old.items() <= now.items()
        assert done.text.startswith(before) is (old == now)
        moves += old != now
        before, old = done.text[:done.messages_end], now
    assert 5 < moves < 20
    assert set(old.values()) == {"compressed", "reclaimed"}


def test_what_leaves_nothing_to_compress_is_refused() -> None:
    """By the names of both settings."""
    with pytest.raises(SettingsError, match=r"compress\.keep \(9\) and compress\.max_tool_messages \(9\)"):
        compressing(keep=9, max_tool_messages=9)


def test_a_turn_that_was_taken_back_leaves_no_trace(store: Store) -> None:
    """The request in front of it was one, and is none when the user went on there: no boundary moved with it."""
    settings = reclaiming(max_tokens=7_000, step_tokens=2_000)
    said = turns(*([text(number, lines=160)] for number in range(9)))
    rewriter = Rewriter(store, settings)

    def same(messages: list[dict[str, Any]]) -> bool:
        body = json.dumps({"tools": [TOOL], "messages": messages}).encode()
        return rewriter.rewrite(body).body == rewrite(body, store=store, settings=settings).body

    taken_back = len(said) - 10
    assert all(same(said[:end]) for end in range(3, taken_back + 3, 2))
    otherwise = [*said[:taken_back], {"role": "user", "content": "stop. " + "do otherwise " * 900}]
    for end in range(taken_back + 2, len(said), 2):
        assert same(otherwise + said[taken_back + 2:end + 2])
