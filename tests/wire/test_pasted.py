"""Results pasted into what the user says, behind a marker with which such a text begins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.rewriting import Rewriter
from toolstub_ext.settings import load_settings
from toolstub_ext.store import open_store
from toolstub_ext.wire import Marks, Wire, chat, messages, responses

MARKS = Marks(("Observation:", "<output>"), ("New task:", "</output>"))
LONG = "\n".join(f"id_{n}=v{n * 7919 % 10007}" for n in range(2000))
WIRES = {
    "chat": (chat, "messages", "text", {"type": "function", "function": {"name": "t"}}),
    "responses": (responses, "input", "input_text", {"type": "function", "name": "t"}),
    "messages": (messages, "messages", "text", {"name": "t", "input_schema": {"type": "object"}}),
}


def body_of(form: str, content: Any, **more: Any) -> str:
    """A request in which the user says this last."""
    _, member, _, tool = WIRES[form]
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "I look."},
            {"role": "user", "content": content}]
    return json.dumps({member: said, "tools": [tool]}, **more)


@pytest.mark.parametrize("form", WIRES)
@pytest.mark.parametrize(("said", "result"), [
    ("Observation:\ntotal 48", "total 48"),
    ("\n  Observation: a\nObservation: b", "a\nObservation: b"),
    ('<output>é\ud83d \U0001f600"\\\n</output>', 'é\ud83d \U0001f600"\\'),
    ("Observation:", ""),
    ("Observation: a\nNew task: b", "a"),
    ("Observation: a New task: b\n\u00e9\nNew task:", "a New task: b\n\u00e9"),
    ("The log says Observation: x", None),
    ("observation: x", None),
    ("", None),
])
def test_a_text_that_begins_with_a_marker_is_a_result(form: str, said: str, result: str | None) -> None:
    """Behind the marker and the blanks that follow it; another text is what the user says."""
    wire: Wire
    wire, _, part, _ = WIRES[form]
    for content in (said, [{"type": part, "text": said}]):
        for body in (body_of(form, content), body_of(form, content, ensure_ascii=False, indent=1)):
            found = wire.read(body, marks=MARKS).transcript
            assert [one.text for one in found.results] == ([] if result is None else [result])
            assert [one.text for one in found.said] == (["hi", said] if result is None else ["hi"])
            assert not wire.read(body).transcript.results


@given(st.sampled_from(["", " ", "\n\t"]), st.sampled_from(MARKS.markers), st.text(st.characters(codec=None)),
       st.booleans())
def test_the_span_is_what_is_written_of_the_result(before: str, marker: str, result: str, ascii_only: bool) -> None:
    """Whatever is escaped in front of it and in it."""
    body = body_of("chat", before + marker + result, ensure_ascii=ascii_only)
    (found,) = chat.read(body, marks=MARKS).transcript.results
    assert found.text == result.lstrip()
    assert json.loads(f'"{body[found.slot.start:found.slot.end]}"') == found.text
    assert body[found.slot.end] == '"'


@pytest.mark.parametrize("form", WIRES)
def test_it_is_stubbed_behind_its_marker(form: str, tmp_path: Path) -> None:
    """The request stays a request, the marker stays where it was, and the original can be read."""
    path = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}[form]
    with open_store(str(tmp_path / "store.db")) as store:
        rewriter = Rewriter(store, load_settings(pasted={"markers": MARKS.markers}))
        rewritten = rewriter.rewrite(body_of(form, f"Observation:\n{LONG}").encode(), path=path)
        said = json.loads(rewritten.body)[WIRES[form][1]][-1]["content"]
        assert said.startswith("Observation:\n[toolstub] tool result externalized\n")
        assert [one.action for one in rewritten.decisions] == ["externalized"]
        ref = rewritten.decisions[0].ref
        assert ref is not None
        assert store.read(ref, limit=-1).text == LONG


def test_without_markers_the_user_is_left_alone(tmp_path: Path) -> None:
    """It is an opt-in."""
    with open_store(str(tmp_path / "store.db")) as store:
        rewritten = Rewriter(store, load_settings()).rewrite(body_of("chat", f"Observation:\n{LONG}").encode())
        assert json.loads(rewritten.body)["messages"][-1]["content"] == f"Observation:\n{LONG}"
