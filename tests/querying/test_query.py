"""Which kinds can be queried, whose originals, and how large."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.errors import RefExpired, RefNotFound
from toolstub_ext.querying import Answer, dispatch, query
from toolstub_ext.querying.meter import Meter
from toolstub_ext.querying.paths import as_path, as_pointer
from toolstub_ext.store import Store

Ask = Callable[[str, str], Answer]

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6) | st.sampled_from(["a/b", "m~n", "é"])


@pytest.mark.parametrize("text", [
    "", "just text\n" * 50, "<a><b>1</b></a>" * 30, "10:00:01 ERROR x\n10:00:02 INFO y\n" * 40, "\x00\x01\x02" * 100])
def test_what_has_no_structure_says_what_to_use(ask: Ask, text: str) -> None:
    """One line."""
    with pytest.raises(ValueError, match="use toolstub_search, with regex if need be, or toolstub_read") as caught:
        ask(text, "a.b")
    assert "\n" not in str(caught.value)


def test_nobody_queries_anothers_original(store: Store) -> None:
    """A foreign ref is unknown, and an expired one says so."""
    ref = store.put('{"a": 1}', owner="alice").ref
    assert str(query(store, ref, "a", owner="alice")) == "1"
    with pytest.raises(RefNotFound):
        query(store, ref, "a", owner="bob")
    store.gc(older_than_days=0)
    with pytest.raises(RefExpired):
        query(store, ref, "a", owner="alice")


def test_a_plain_path_works_in_what_is_too_large_for_a_tree(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other expressions say what to do instead."""
    monkeypatch.setattr(dispatch, "MOST_CHARS", 1_000)
    ref = store.put(json.dumps({"items": [{"id": n} for n in range(1_000)]})).ref
    assert str(query(store, ref, "items[999].id")) == "999"
    assert str(query(store, ref, "$.items[7]")) == '{"id": 7}'
    for expression in ("items[?id]", "length(@)"):
        with pytest.raises(ValueError, match="up to 1,000 can be queried, and in larger JSON a plain path"):
            query(store, ref, expression)


@given(st.lists(names | st.integers(0, 99), min_size=1, max_size=5))
def test_a_path_is_a_pointer_and_back(steps: list[str | int]) -> None:
    """Whatever the names are, as long as they are not written like an index."""
    steps = [f"x{step}" if isinstance(step, str) and step.isdecimal() else step for step in steps]
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)
    assert as_pointer(as_path(pointer)) == pointer


@pytest.mark.parametrize(
    "expression", ["a[*]", "a[-1]", "a | b", "length(a)", "a[?b]", "a.*", "@", "a b", "[]", "a.[b]"])
def test_more_than_a_path_is_none(expression: str) -> None:
    """It needs a tree."""
    assert as_pointer(expression) is None


def test_a_meter_counts_shared_parts_each_time() -> None:
    """That is what writing them costs."""
    value: object = "x"
    for _ in range(10):
        value = [value, value]
    Meter(5_000).weigh(value)
    with pytest.raises(ValueError, match="builds too much"):
        Meter(1_000).weigh(value)


@settings(max_examples=80)
@given(st.text(st.sampled_from("ab,\n\t;:{}[]\"'#- 1.<>/\r\ud800\ufeff\x1b[|="), max_size=200),
       st.text(st.characters(exclude_categories=()), min_size=1, max_size=30), st.integers(0, 400))
def test_any_text_and_expression_have_an_answer_or_one_line(
    ask: Ask, text: str, expression: str, limit: int,
) -> None:
    """Nothing else is ever raised, a reply fits, and asking twice answers twice the same."""
    said = []
    for _ in range(2):
        try:
            answer = ask(text, expression)
        except ValueError as error:
            said.append(["error", str(error)])
        else:
            json.dumps(answer.value)
            said.append([answer.reply(limit), str(answer)])
            assert len(said[-1][0]) <= limit
    assert said[0] == said[1]
    assert said[0][0] != "error" or "\n" not in said[0][1]
