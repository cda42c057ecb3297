"""externalize by kind: the table of thresholds and budgets, early and late."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolstub_ext.policy import Stub, externalize
from toolstub_ext.settings import Externalize, KindRule, Settings, ToolRule
from toolstub_ext.store import ref_of, sha256_of
from toolstub_ext.synopsis import is_stub
from toolstub_ext.transcript import Change, Decision, Said, ToolResult, literal

from .conversations import code, conversation, numbered, result


def cut(text: str, size: int) -> str:
    """Exactly so many characters."""
    return (text * (size // len(text) + 1))[:size]


CODE = "\n".join(code(2_400))
LOG = "".join(f"2026-01-01 10:00:{n % 60:02} INFO job {n} done\n" for n in range(2_000))


def outcome(one: ToolResult, settings: Settings | None = None, *said: str) -> Change | Decision:
    """What becomes of a single result."""
    done = externalize(conversation(one, said=tuple(Said(each, 0) for each in said)), settings or Settings())
    return (*done.changes, *done.decisions)[0]


@pytest.mark.parametrize(("requests", "size", "stubbed"), [
    (1, 6_000, False), (1, 6_001, True), (5, 6_001, True), (6, 6_001, False), (6, 10_000, False), (6, 10_001, True),
])
def test_code_may_be_longer_later(requests: int, size: int, stubbed: bool) -> None:
    """What comes in the first five requests is carried along in all that follow."""
    assert isinstance(outcome(result(cut(CODE, size), requests=requests)), Change) is stubbed


@pytest.mark.parametrize(("text", "call", "threshold", "budget"), [
    (CODE, {"path": "/src/app_main.py"}, 12_000, 1_700),
    (CODE, {"path": "/src/app_main.py", "requests": 6}, 60_000, 1_700),
    (CODE, {"path": "x.py", "limit": 100}, 8_000, 2_000),
    (CODE, {"path": "x.py", "limit": 100, "requests": 6}, 20_000, 2_000),
    (CODE, {"tool": "Task"}, 20_000, 2_000),
    (LOG, {}, 3_000, 1_700),
    ("one plain line of prose that says nothing much at all\n", {}, 4_000, 1_700),
])
def test_a_kind_has_its_threshold_and_its_budget(text: str, call: dict[str, Any], threshold: int, budget: int) -> None:
    """One of exactly the threshold stays."""
    said = "look at app_main.py"
    assert isinstance(outcome(result(cut(text, threshold), **call), None, said), Decision)
    above = outcome(result(cut(text, threshold + 1), **call), None, said)
    assert isinstance(above, Change)
    assert above.budget == budget
    assert is_stub(above.text)
    assert above.reason == f"over {threshold:,} chars"


@pytest.mark.parametrize(("one", "reason"), [
    (result("x" * 3_000), "3,000 <= 3,000 chars"),
    (result(cut(CODE, 5_000)), "5,000 <= 6,000 chars (code)"),
    (result(numbered(code(800)), path="main_app.py"), "26,780 > 12,000 chars (code named by the user)"),
    (result(LOG), f"{len(LOG):,} > 3,000 chars (log)"),
])
def test_the_reason_names_the_kind(one: ToolResult, reason: str) -> None:
    """Where the kind had to be known."""
    found = outcome(one, None, "main_app.py")
    explained = found.decision.reason if isinstance(found, Change) else found.reason
    assert explained.partition(" ")[2] == reason.partition(" ")[2]


def test_a_threshold_for_a_tool_goes_before_its_kind() -> None:
    """The budget stays that of the kind."""
    settings = replace(Settings(), tools={"Bash": ToolRule(threshold_chars=9_000)})
    assert isinstance(outcome(result(cut(LOG, 9_000)), settings), Decision)
    above = outcome(result(cut(LOG, 9_001)), settings)
    assert isinstance(above, Change)
    assert (above.budget, above.decision.reason) == (1_700, "9,001 > 9,000 chars")


def test_one_threshold_for_all_goes_before_every_kind() -> None:
    """As whoever sets it means it."""
    settings = Settings(externalize=Externalize(threshold_chars=30_000))
    assert isinstance(outcome(result(cut(LOG, 30_000)), settings), Decision)


@pytest.mark.parametrize(("size", "kept"), [(801, ["stub would save 199 of 1,000 chars"]), (800, [])])
def test_a_stub_by_kind_saves_a_fifth(size: int, kept: list[str]) -> None:
    """Less is not worth asking again."""
    def long(text: str, *, tool: str | None, budget: int, reason: str, rules: str, stored: bool = True) -> Stub:
        shown, sha256 = "x" * size, sha256_of(text)
        return Stub(shown, literal(shown), sha256, ref_of(sha256), "text")

    settings = Settings(by_kind={"text": KindRule((900, 900), 1_000)})
    text = cut("nothing to see here, as so often\n", 1_000)
    done = externalize(conversation(result(text)), settings, stubs=long)
    assert [decision.reason for decision in done.decisions] == kept


def test_a_kind_without_a_rule_has_the_usual_one() -> None:
    """4,000 characters, a budget of 1,000."""
    found = outcome(result(cut(LOG, 4_001)), Settings(by_kind={}))
    assert isinstance(found, Change)
    assert found.budget == 1_000
