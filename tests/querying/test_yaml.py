"""YAML is read as YAML 1.2 means it, by its events, so that no document can grow beyond what it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.querying import Answer, yaml_tree
from toolstub_ext.querying.jmes import Expression
from toolstub_ext.querying.meter import Meter
from toolstub_ext.querying.yaml_tree import read_yaml

Ask = Callable[[str, str], Answer]

SERVICES = """services:
  web:
    image: nginx:1.2
    ports: [80, 443]
    on: yes
  db: &db
    image: pg
    retries: 3
  copy:
    <<: *db
    retries: 4
"""
words = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]))
plain = st.none() | st.booleans() | st.integers() | words.filter(  # 0E0 is a number in YAML 1.2; the writer knows 1.1
    lambda word: not re.fullmatch(r"-?\d+[eE]-?\d+", word))
trees = st.recursive(plain, lambda children: st.lists(children, max_size=4) | st.dictionaries(
    st.text("abc", min_size=1, max_size=3), children, max_size=4), max_leaves=12)


@given(trees, st.booleans())
def test_what_was_written_is_read(value: Any, flow: bool) -> None:
    """In either style, with the quotes that the writer thinks it needs."""
    assert read_yaml(yaml.safe_dump(value, default_flow_style=flow, version=(1, 2)), Meter()).value == value


@pytest.mark.parametrize(("text", "value"), [
    ("a: yes\non: 2001-01-01", {"a": "yes", "on": "2001-01-01"}),
    ("- 010\n- 0x1F\n- 1_000\n- 12\n- -3\n- 1.5\n- 1e3\n- .5\n- '12'",
     ["010", "0x1F", "1_000", 12, -3, 1.5, 1e3, .5, "12"]),
    ("- ~\n- null\n-\n- true\n- 'true'\n- !!str 5", [None, None, None, True, "true", "5"]),
    ("1: a\n? [b, c]\n: d", {"1": "a", '["b", "c"]': "d"}),
    ("a: &x {k: 1}\nb: *x", {"a": {"k": 1}, "b": {"k": 1}}),
    ("a: &x {k: 1, l: 2}\nb: {<<: [*x, {k: 3}], m: 4}\nc: {'<<': 1}",
     {"a": {"k": 1, "l": 2}, "b": {"k": 1, "l": 2, "m": 4}, "c": {"<<": 1}}),
    ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
    ("", []),
])
def test_plain_scalars_are_what_they_look_like(text: str, value: Any) -> None:
    """Numbers, truth values and null as in YAML 1.2; `on` and `yes` and dates are text."""
    assert read_yaml(text, Meter()).value == value


def test_parts_know_their_lines(ask: Ask) -> None:
    """A value has the line that it begins on."""
    assert ask(SERVICES, "services.web").reply(300).partition("\n")[0].endswith("line 3: one value from YAML")
    assert ask(SERVICES, "services.copy").value == {"image": "pg", "retries": 4}
    assert ask(SERVICES, "services.*.image").value == ["nginx:1.2", "pg", "pg"]
    assert ask(SERVICES, "/services/web/ports/1").value == 443


def test_a_bomb_of_aliases_stays_small() -> None:
    """Aliases share what they name; only who asks for all of it is refused."""
    text = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20))
    tree = read_yaml(text, Meter())
    assert Expression("length(u)").evaluate(tree.value, Meter()) == 9
    assert Expression("u[0][0][0] | length(@)").evaluate(tree.value, Meter()) == 9
    for expression in ("to_string(u)", "u == t", "contains(u, t)"):
        with pytest.raises(ValueError, match="builds too much"):
            Expression(expression).evaluate(tree.value, Meter())


@pytest.mark.parametrize("text", [
    "a0: &a0 {k: 1}\n" + "".join(f"a{n}: &a{n}\n  <<: [*a{n - 1}, *a{n - 1}]\n  k{n}: 1\n" for n in range(1, 2_500)),
    "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(12)) + "? *k\n: 1\n",
])
def test_a_bomb_of_merges_or_keys_ends(text: str) -> None:
    """What a merge copies is counted, and so is what a key is made of."""
    with pytest.raises(ValueError, match="builds too much"):
        read_yaml(text, Meter())


@pytest.mark.parametrize(("text", "said"), [
    ("a: [1, 2\nb: 3\n", "not whole YAML: .* in line "), ("a: *nope", r"not whole YAML: \*nope names nothing"),
    ("a: &x [*x]", r"\*x names nothing"), ("[" * 300, "not whole YAML|deeper than 200"),
    ("[" * 300 + "]" * 300, "nests deeper than 200 levels"), ("a: \x00", "not whole YAML"),
])
def test_what_is_no_yaml_is_named(text: str, said: str) -> None:
    """One line, with the line where there is one."""
    with pytest.raises(ValueError, match=said) as caught:
        read_yaml(text, Meter())
    assert "\n" not in str(caught.value)


def test_a_tree_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above it the answer says what to use instead."""
    monkeypatch.setattr(yaml_tree, "TREE_CHARS", 10)
    with pytest.raises(ValueError, match="this YAML has 11 chars, and up to 10 can be queried"):
        read_yaml("a: 12345678", Meter())
