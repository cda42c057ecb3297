"""What the page asks the kernel when a person opens a stub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext.errors import StoreError
from toolstub_ext.notebook.originals import Originals
from toolstub_ext.notebook.runtime import answer, make_runtime
from toolstub_ext.notebook.segment import Segment

TEXT = "".join(f"line {i:05}: caf\u00e9\n" for i in range(10_000))


@pytest.fixture
def originals(tmp_path: Path) -> Iterator[Originals]:
    """Originals in a store of their own."""
    made = Originals(lambda: str(tmp_path / "store.db"))
    yield made
    made.close()


@pytest.fixture
def ref(originals: Originals) -> str:
    """An original of ten thousand lines."""
    return str(originals.put(TEXT, tool="stdout").ref)


def page(originals: Originals, ref: str, offset: int) -> dict[str, Any]:
    """The answer to a request for a page."""
    return answer(originals, {"op": "page", "ref": ref, "offset": offset})


def test_the_pages_are_whole_lines_and_together_the_original(originals: Originals, ref: str) -> None:
    """Going on from page to page shows every character once, and the counts are right."""
    offset, seen, line = 0, "", 1
    while True:
        found = page(originals, ref, offset)
        assert (found["offset"], found["line"]) == (len(seen), line)
        assert (found["lines"], found["chars"]) == (10_000, len(TEXT))
        seen += found["text"]
        line += found["text"].count("\n")
        if found["next"] is None:
            break
        assert found["text"].endswith("\n")
        offset = found["next"]
    assert seen == TEXT


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1), ("\n\n", 2)])
def test_lines_are_counted_alike_while_a_text_grows_and_when_it_is_stored(originals: Originals, text: str,
                                                                         lines: int) -> None:
    """As `wc` and editors do: a closing line break ends the last line and opens none."""
    spool = originals.spool()
    spool.append(text)
    assert page(originals, spool.name, 0)["lines"] == lines
    spool.remove()
    assert page(originals, str(originals.put(text, tool="stdout").ref), 0)["lines"] == lines
    segment = Segment("stdout", originals)
    for character in text:
        segment.show(character)
    assert segment.lines == lines


@pytest.mark.parametrize("lines", ["x", "0:1", "5:2"])
def test_lines_of_a_growing_text_are_checked_like_those_of_a_stored_one(originals: Originals, lines: str) -> None:
    """With the same words."""
    spool = originals.spool()
    spool.append("a\nb\n")
    assert originals.text(spool.name, "2:9") == "b"
    with pytest.raises(ValueError, match="lines is"):
        originals.text(spool.name, lines)
    spool.remove()


def test_the_last_page_is_asked_for_from_the_end(originals: Originals, ref: str) -> None:
    """A negative offset counts from the end."""
    found = page(originals, ref, -1000)
    assert found["text"] == TEXT[-1000:]
    assert found["next"] is None


def test_a_line_longer_than_a_page_is_cut(originals: Originals) -> None:
    """Two megabytes on one line come by pages too."""
    ref = originals.put("x" * 50_000, tool="stdout").ref
    found = page(originals, ref, 0)
    assert (len(found["text"]), found["next"], found["lines"]) == (16_000, 16_000, 1)


def test_a_search_answers_with_lines_and_offsets(originals: Originals, ref: str) -> None:
    """Case does not matter; each line comes once, whole, with the offset of its page."""
    found = answer(originals, {"op": "search", "ref": ref, "query": "LINE 0777"})
    assert [(hit["line"], hit["text"]) for hit in found["hits"]][:2] == [
        (7771, "line 07770: caf\u00e9"), (7772, "line 07771: caf\u00e9")]
    assert found["total"] == 10
    assert page(originals, ref, found["hits"][0]["offset"])["text"].startswith("line 07770")


@pytest.mark.parametrize(("request_", "said"), [
    ({"op": "page", "ref": "ts_0000000000000000"}, {"unknown": True}),
    ({"op": "search", "ref": "ts_0000000000000000", "query": "a"}, {"unknown": True}),
    ({"op": "page", "ref": "live_000000000000"}, {"unknown": True}),
    ({}, None),
    ({"op": "page", "ref": "../../etc/passwd"}, None),
    ({"op": "page", "ref": None, "offset": "many"}, None),
    ({"op": "page", "ref": ["list"], "offset": {}}, None),
    ({"op": "search", "ref": "ts_0000000000000000", "query": None}, None),
])
def test_any_request_has_an_answer(originals: Originals, request_: dict[str, Any], said: dict[str, Any] | None) -> None:
    """What comes from a page may be anything; nothing raises, nothing foreign is read."""
    found = answer(originals, request_)
    assert set(found) <= {"unknown", "fault"}
    assert said is None or found == said


def test_a_store_that_fails_is_said(originals: Originals, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person who clicked reads why there is nothing to see."""
    def refuse(*_: object, **__: object) -> None:
        raise StoreError("the disk refused")

    monkeypatch.setattr(originals, "page", refuse)
    assert answer(originals, {"op": "page", "ref": "ts_0000000000000000"}) == {"fault": "the disk refused"}


def test_what_no_message_can_carry_is_replaced(originals: Originals) -> None:
    """Control characters and lone surrogates do not break the page; the original keeps them."""
    ref = originals.put("a\x00b\ud800c\ud83d\ude00", tool="stdout").ref
    assert page(originals, ref, 0)["text"] == "a\ufffdb\ufffdc\U0001f600"


def test_the_widget_answers_its_own_page_alone(originals: Originals, ref: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two notebooks on one page do not answer each other's clicks."""
    pytest.importorskip("anywidget")
    runtime = make_runtime(originals)
    sent: list[Any] = []
    monkeypatch.setattr(runtime, "send", sent.append)
    request = {"id": 7, "op": "page", "ref": ref, "offset": 0}
    for content in ({**request, "token": "another"}, request, "nonsense", {**request, "token": runtime.token}):
        runtime._handle_custom_msg(content, [])
    assert [answer_["id"] for answer_ in sent] == [7]
    runtime.close()


def test_the_code_of_the_page_shows_text_only() -> None:
    """Originals are never parsed as markup."""
    code = (Path(__file__).parents[2] / "toolstub_ext" / "notebook" / "runtime.js").read_text(encoding="utf-8")
    assert not any(word in code for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"))
