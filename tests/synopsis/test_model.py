"""A Synopsis is plain data, though its anchors are made when somebody looks at them."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from toolstub_ext.synopsis import Anchor, Synopsis, render, synopsize
from toolstub_ext.synopsis.model import Source, once

CODE = "".join(f"def step_{number}(value):\n    return value + {number}\n\n\n" for number in range(60))
NUMBERED = "".join(f"{number:6}\t{line}\n" for number, line in enumerate(CODE.split("\n"), 1))


@pytest.mark.parametrize("text", [CODE, NUMBERED, json.dumps([{"id": number} for number in range(99)]), "plain", ""])
def test_it_can_be_copied_compared_and_written(text: str) -> None:
    """By whatever takes a dataclass apart; the anchors are a tuple."""
    made = synopsize(text)
    assert isinstance(synopsize(text).anchors, tuple)
    assert made == synopsize(text)
    assert hash(made) == hash(synopsize(text))
    assert pickle.loads(pickle.dumps(synopsize(text))) == made
    assert copy.deepcopy(synopsize(text)) == made
    assert dataclasses.replace(synopsize(text), title="another").anchors == made.anchors
    assert Synopsis(**{each.name: getattr(made, each.name) for each in dataclasses.fields(made)}) == made
    assert json.loads(json.dumps(dataclasses.asdict(synopsize(text))))["chars"] == len(text)


def test_anchors_are_the_same_whoever_looks_first() -> None:
    """A stub that is rendered, and many threads at once."""
    made = synopsize(CODE)
    assert made.first_anchors(2) == synopsize(CODE).anchors[:2]
    assert render(made, sha256="0" * 64) == render(synopsize(CODE), sha256="0" * 64)
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: made.anchors, range(64)))
    assert all(anchors == synopsize(CODE).anchors for anchors in seen)
    assert len(made.anchors) > 10


@pytest.mark.parametrize("text", [CODE, "plain"])
def test_it_can_do_without_most_of_its_anchors(text: str) -> None:
    """Whether they were looked at before or not; the rest is the same."""
    made = synopsize(text)
    fewer = dataclasses.replace(made, anchors=made.anchors[:2])
    assert synopsize(text).with_first_anchors(2) == made.with_first_anchors(2) == fewer
    assert vars(synopsize(text).with_first_anchors(2)).keys() == vars(fewer).keys()


def test_what_it_does_not_have_is_an_attribute_error() -> None:
    """Named as ever."""
    with pytest.raises(AttributeError, match="colour"):
        _ = synopsize(CODE).colour  # type: ignore[attr-defined]


def test_anchors_may_be_moved() -> None:
    """Each when it is looked at."""
    made = synopsize(CODE)
    moved = dataclasses.replace(made, anchors=made.moved_anchors(lambda anchor: Anchor("x", anchor.offset + 7, 1, 1)))
    assert [anchor.offset - 7 for anchor in moved.anchors] == [anchor.offset for anchor in synopsize(CODE).anchors]


def test_a_function_may_be_asked_once_of_a_source() -> None:
    """What it returned is kept with that source and with no other one, even if they are equal."""
    asked = []

    @once
    def told(source: Source) -> str | None:
        asked.append(source.text)
        return source.text or None

    first, second, empty = Source("late"), Source("late"), Source("")
    assert [told(each) for each in (first, first, second, empty, empty)] == ["late", "late", "late", None, None]
    assert asked == ["late", "late", ""]


def test_what_fails_is_asked_again() -> None:
    """A fault is nothing that was returned."""
    faults = iter([ValueError("no table"), None])

    @once
    def told(_: Source) -> int:
        if fault := next(faults):
            raise fault
        return 3

    source = Source("late")
    with pytest.raises(ValueError, match="no table"):
        told(source)
    assert told(source) == 3
