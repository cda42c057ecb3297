"""clear: the rules of eino as its design states them, each by its name, and none of its faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext.errors import SettingsError
from toolstub_ext.policy.counting import counter
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Clear, Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of
from toolstub_ext.tokens import estimate

TOOL = {"type": "function", "function": {"name": "Bash"}}
COUNT = "toolstub_ext.policy.counting:quarter"
"""As eino counts: four characters are a token."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture(autouse=True)
def quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter that a user has written."""
    monkeypatch.setattr("toolstub_ext.policy.counting.quarter", lambda text: len(text) // 4, raising=False)
    counter.cache_clear()


def text_of(number: int, tokens: int) -> str:
    """A text of so many tokens that is nobody else's."""
    return f"{number:04}" + "abc " * (tokens - 1)


def rounds(*tokens: int, tool: str = "Bash", same_id: bool = False) -> list[dict[str, Any]]:
    """One call and its result after another, of so many tokens each."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number, size in enumerate(tokens):
        call_id = "c" if same_id else f"c{number}"
        call = {"id": call_id, "type": "function", "function": {"name": tool, "arguments": ""}}
        messages += [{"role": "assistant", "content": "", "tool_calls": [call]},
                     {"role": "tool", "tool_call_id": call_id, "content": text_of(number, size)}]
    return messages


def eino(**changes: Any) -> Settings:
    """The preset, counting as eino counts, without steps unless there are some."""
    settings = load_settings(preset="eino", clear__token_counter=COUNT)
    return replace(settings, clear=replace(settings.clear, **{"step_tokens": 0, **changes}))


def sent(messages: list[dict[str, Any]], store: Store, settings: Settings) -> list[str]:
    """The results as the provider gets them."""
    body = json.dumps({"tools": [TOOL], "messages": messages}).encode()
    done = json.loads(rewrite(body, store=store, settings=settings).body)
    return [message["content"] for message in done["messages"] if message["role"] == "tool"]


def cleared(messages: list[dict[str, Any]], store: Store, settings: Settings) -> list[int]:
    """The numbers of the results that are gone."""
    before = [message["content"] for message in messages if message["role"] == "tool"]
    return [number for number, pair in enumerate(zip(before, sent(messages, store, settings))) if pair[0] != pair[1]]


def test_eino_the_preset_has_its_numbers() -> None:
    """20,000 tokens of results, the newest 40,000 kept, and a single result offloaded above four times 20,000."""
    settings = load_settings(preset="eino")
    assert (settings.clear.tool_result_token_threshold, settings.clear.keep_recent_tokens) == (20_000, 40_000)
    assert settings.externalize.threshold_chars == 80_000
    assert settings.externalize.turn_inline_budget_chars is None
    assert not settings.dedupe.enabled


@pytest.mark.parametrize(("threshold", "gone"), [(399, [0, 1]), (400, [])])
def test_eino_clears_above_a_threshold_of_result_tokens(store: Store, threshold: int, gone: list[int]) -> None:
    """Exactly so many stay."""
    settings = eino(tool_result_token_threshold=threshold, keep_recent_tokens=150)
    assert cleared(rounds(100, 100, 100, 100), store, settings) == gone


@pytest.mark.parametrize(("keep", "gone"), [(0, [0, 1, 2]), (99, [0, 1, 2]), (100, [0, 1]), (250, [0]), (400, [])])
def test_eino_keeps_the_newest_and_the_message_that_overflows(store: Store, keep: int, gone: list[int]) -> None:
    """Whatever role it has."""
    settings = eino(tool_result_token_threshold=0, keep_recent_tokens=keep)
    assert cleared(rounds(100, 100, 100, 100), store, settings) == gone


def test_eino_what_users_and_the_model_say_counts_as_recent(store: Store) -> None:
    """A long user message alone fills the budget."""
    settings = eino(tool_result_token_threshold=0, keep_recent_tokens=150)
    said = [*rounds(100, 100), {"role": "assistant", "content": "so"}, {"role": "user", "content": "x" * 800}]
    assert cleared(said, store, settings) == [0, 1]


def test_eino_an_excluded_tool_counts_and_stays(store: Store) -> None:
    """By a pattern too."""
    settings = eino(tool_result_token_threshold=150, keep_recent_tokens=0, exclude_tools=("Ba*",))
    assert cleared(rounds(100, 100, 100), store, settings) == []
    mixed = [*rounds(100, 100), *rounds(60, tool="grep")[1:], *rounds(10, tool="ls")[1:]]
    assert cleared(mixed, store, settings) == [2]


def test_eino_a_placeholder_says_where_the_original_is(store: Store) -> None:
    """And it is there, whole."""
    settings = eino(tool_result_token_threshold=0, keep_recent_tokens=0)
    messages = rounds(100, 50)
    ref = ref_of(sha256_of(messages[2]["content"]))
    assert sent(messages, store, settings)[0] == f"[Old tool result content cleared; toolstub_read {ref}]"
    assert store.read(ref, limit=-1).text == messages[2]["content"]
    own = replace(settings, clear=replace(settings.clear, placeholder="gone"))
    assert sent(messages, store, own)[0] == "gone"


def test_eino_clears_only_where_enough_is_gained(store: Store) -> None:
    """`clear_at_least`: a broken cache has to be worth it."""
    for least, gone in ((200, [0, 1]), (201, [])):
        settings = eino(tool_result_token_threshold=0, keep_recent_tokens=150, clear_at_least=least)
        assert cleared(rounds(100, 100, 100, 100), store, settings) == gone


def test_the_boundary_moves_in_steps(store: Store) -> None:
    """Between two moves each request begins with the one before it; what is cleared stays cleared."""
    settings = eino(tool_result_token_threshold=300, keep_recent_tokens=200, step_tokens=400)
    rewriter = Rewriter(store, settings)
    messages = rounds(*[100] * 40)
    moves, before, gone = 0, "", 0
    for end in range(3, len(messages) + 1, 2):
        body = json.dumps({"tools": [TOOL], "messages": messages[:end]}).encode()
        done = rewriter.rewrite(body)
        assert done.body == rewrite(body, store=store, settings=settings).body
        now = sum(decision.action == "cleared" for decision in done.decisions)
        assert now == gone or now >= gone + 4
        assert done.text.startswith(before) is (now == gone)
        moves += now != gone
        gone, before = now, done.text[:done.messages_end]
    assert moves == 9
    assert not rewriter.faults


def test_eino_fault_a_second_pass_over_a_plain_answer_loses_nothing(store: Store) -> None:
    """There the file of a cleared result was overwritten by its own placeholder."""
    messages = [*rounds(100, 100), {"role": "assistant", "content": "so far"}, {"role": "user", "content": "on"},
                *rounds(100, 100, 100)[1:]]
    originals = [message["content"] for message in messages if message["role"] == "tool"]
    rewriter = Rewriter(store, eino(tool_result_token_threshold=0, keep_recent_tokens=150))
    for end in range(3, len(messages) + 1):
        rewriter.rewrite(json.dumps({"tools": [TOOL], "messages": messages[:end]}).encode())
    assert all(store.read(ref_of(sha256_of(text)), limit=-1).text == text for text in originals[:-2])


def test_eino_fault_repeated_call_ids_do_not_overwrite_each_other(store: Store) -> None:
    """Originals go by their content; an id is never a path."""
    settings = eino(tool_result_token_threshold=0, keep_recent_tokens=0)
    messages = rounds(100, 100, 100, same_id=True)
    refs = {text.rpartition(" ")[2].rstrip("]") for text in sent(messages, store, settings)[:2]}
    assert {store.read(ref, limit=-1).text for ref in refs} == {messages[2]["content"], messages[4]["content"]}


def test_eino_fault_what_is_short_does_not_grow(store: Store) -> None:
    """There two bytes became 93."""
    settings = eino(tool_result_token_threshold=0, keep_recent_tokens=0)
    assert cleared(rounds(1, 5, 100, 100), store, settings) == [2]


def test_what_was_a_stub_is_cleared_to_the_same_ref(store: Store) -> None:
    """Offloaded at first, a placeholder later."""
    settings = eino(tool_result_token_threshold=0, keep_recent_tokens=100)
    messages = rounds(30_000, 200, 200)
    ref = ref_of(sha256_of(messages[2]["content"]))
    assert sent(messages[:3], store, settings)[0].startswith("[toolstub] tool result externalized")
    assert ref in sent(messages, store, settings)[0]
    assert len(sent(messages, store, settings)[0]) < 100


def test_tokens_are_counted_by_the_estimate_or_by_what_the_user_names() -> None:
    """`package:function`, wherever it stands in the package."""
    assert counter(None) is estimate
    assert counter("toolstub_ext.tokens:estimate") is estimate
    assert counter("builtins:str.__len__")("abc") == 3


@pytest.mark.parametrize("name", ["no_such_package:count", "math:nothing", "math:pi"])
def test_a_counter_that_is_not_there_is_named(store: Store, name: str) -> None:
    """At once, and not by each request, which would only be forwarded as it came."""
    with pytest.raises(SettingsError, match=name):
        Rewriter(store, load_settings(preset="eino", clear__token_counter=name))


def test_switched_off_nothing_is_cleared(store: Store) -> None:
    """However much there is."""
    assert cleared(rounds(*[900] * 60), store, replace(eino(), clear=Clear())) == []
