"""compact: what stays whole says the same in fewer characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.policy import decide
from toolstub_ext.policy.compact import compacted
from toolstub_ext.policy.sources import Lines
from toolstub_ext.settings import Compact, Externalize, Settings
from toolstub_ext.store import ref_of, sha256_of

from .conversations import code, conversation, numbered, result

READ = numbered(code(30))
HITS = "".join(f"src/app.py:{n}:    value = {n}\n" for n in range(9, 40))


@pytest.mark.parametrize(("text", "shown", "what"), [
    ("     1\tdef f:\n     2\t    pass\n    10\tx ", "1\tdef f:\n2\t    pass\n10\tx ", "line numbers without padding"),
    ("   9→a\n  10→ b", "9→a\n10→ b", "line numbers without padding"),
    ("a.py:1:x\na.py:2: y\nb/c.py:7:z:\n", "a.py\n1:x\n2: y\nb/c.py\n7:z:\n", "each path once"),
    ("C:\\a.py:1:x\nC:\\a.py:2:y", "C:\\a.py\n1:x\n2:y", "each path once"),
    ("a-1-b.py-6-x\na-1-b.py:7:y\n--\na-1-b.py:9:\nc.py-1-\nc.py:2:z", "a-1-b.py\n6-x\n7:y\n--\n9:\nc.py\n1-\n2:z",
     "each path once"),
    ("src/a.py:1:x\n/home/src/a.py-2-y\nb.py:1:\nsrc/a.py-3-z",
     "/home/src/a.py\n1:x\n2-y\nb.py\n1:\n/home/src/a.py\n3-z", "each path once"),
    ("7-a.py:1:x\n7-a.py:2:y", "7-a.py:1:x\n7-a.py:2:y", ""),
    ("\x1b[32mok\x1b[0m  \n \x1b[1;31mbad\x1b[m", "ok  \n bad", "without terminal codes"),
    ("plain  \ntext", "plain  \ntext", ""),
])
def test_what_carries_nothing_goes(text: str, shown: str, what: str) -> None:
    """And what is left is as it was, blanks at the end of lines too."""
    assert compacted(text) == (shown, what)


def test_a_line_that_would_be_taken_for_a_hit_keeps_the_paths() -> None:
    """Nobody could tell in which file it is."""
    lines = ["a.py:1:x"] * 20 + ["7: no hit"]
    assert compacted("\n".join(lines))[0] == "\n".join(lines)


@given(st.lists(st.tuples(st.sampled_from(["a.py", "b/c.py", "b"]), st.integers(0, 10**6),
                          st.text(st.characters(codec=None, categories=None, exclude_characters="\n"))), min_size=2))
def test_hits_can_be_read_back(hits: list[tuple[str, int, str]]) -> None:
    """A number begins a hit; everything else is the path of those below it."""
    text = "\n".join(f"{path}:{line}:{said}" for path, line, said in hits)
    shown, what = compacted(text)
    assert what == "each path once"
    path, back = "", []
    for line in shown.split("\n"):
        if line[:1].isdigit():
            back.append(f"{path}:{line}")
        else:
            path = line
    assert "\n".join(back) == text


@given(st.lists(st.tuples(st.sampled_from(["a.py", "b/c.py", "b-1-"]), st.sampled_from(":-"), st.integers(0, 10**6),
                          st.text(st.characters(codec=None, categories=None, exclude_characters="\n:-"))), min_size=2))
def test_lines_around_hits_can_be_read_back(lines: list[tuple[str, str, int, str]]) -> None:
    """The mark behind the number says which of them is a hit."""
    lines = [("a.py", ":", 1, ""), ("b/c.py", ":", 2, ""), ("b-1-", ":", 3, ""), *lines]
    text = "\n".join(f"{path}{mark}{line}{mark}{said}" for path, mark, line, said in lines)
    path, back = "", []
    for line in compacted(text)[0].split("\n"):
        if line[:1].isdigit():
            mark = next(character for character in line if character in ":-")
            back.append(f"{path}{mark}{line}")
        else:
            path = line
    assert "\n".join(back) == text


@given(st.lists(st.text(st.characters(codec=None, categories=None, exclude_characters="\n"))), st.integers(0, 10**5))
def test_numbers_lose_nothing_but_blanks(lines: list[str], first: int) -> None:
    """The lines are the same lines."""
    text = numbered(lines, first)
    assert Lines.of(compacted(text)[0]) == Lines.of(text)


def test_what_was_kept_is_said_more_shortly_and_stored() -> None:
    """The reason says why it was kept, and what went."""
    (change,) = decide(conversation(result(READ)), Settings()).changes
    assert change.text == compacted(READ)[0]
    assert (change.decision.action, change.decision.ref) == ("compacted", ref_of(sha256_of(READ)))
    assert change.decision.reason == f"{len(READ):,} <= 3,000 chars; line numbers without padding"


def test_it_needs_no_other_policy() -> None:
    """With stubs switched off, everything is kept."""
    settings = Settings(externalize=Externalize(enabled=False))
    (change,) = decide(conversation(result(READ)), settings).changes
    assert change.decision.reason == "line numbers without padding"


def test_a_search_is_found_again() -> None:
    """What was shown more shortly is shown: the same result again points at it."""
    both = [result(HITS, "Grep", turn, pattern="value") for turn in (0, 1)]
    assert [change.decision.action for change in decide(conversation(*both), Settings()).changes] == [
        "compacted", "repeated"]


@pytest.mark.parametrize(("one", "settings"), [
    (result(READ), Settings(compact=Compact(enabled=False))), (result(READ, "Read"), Settings(exclude_tools=("Read",))),
    (result(READ[:250]), Settings()), (result(READ, exempt="own reply"), Settings()),
    (result("\n".join(code(30))), Settings()), (result("a\x1b[0m" + "x" * 700), Settings()),
])
def test_what_is_not_worth_it_or_not_allowed_stays(one: object, settings: Settings) -> None:
    """Switched off, excluded, short, our own, nothing to take away, too little."""
    assert decide(conversation(one), settings).changes == ()  # type: ignore[arg-type]
