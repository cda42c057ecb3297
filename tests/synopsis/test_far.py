"""What stands behind the part of a text that is read in detail: counted exactly or marked, and found where it alarms."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import Synopsis, synopsize

BOOKS = "".join(f'<book id="b{n}"><title>title {n}</title></book>\n' for n in range(40_000))
SERVICES = "".join(f"service_{n}:\n  image: shop/{n}\n  ports: [80, 443]\n" for n in range(2_000))
ITEMS = "".join(f"- name: item-{n}\n  size: {n}\n" for n in range(3_000))
TABLE = "id\tname\n" + "".join(f"{n}\tname {n}\n" for n in range(20_000))

FAR = {
    "rows of a table": (TABLE, "20000 rows, 2 columns"),
    "rows of a table with quoted line ends": (
        "id,name\n" + "".join(f'{n},"name\n{n}"\n' for n in range(20_000)), "20000 rows, 2 columns"),
    "keys of a mapping": (SERVICES, "mapping of 2000 keys"),
    "items of a list": (ITEMS, "list of 3000 items"),
    "elements are marked": (f"<shop>\n{BOOKS}</shop>", ">="),
    "a failure": (f'<shop>\n{BOOKS}<failure message="no stock"/></shop>', "failure, line 40002: <failure message="),
    "a wide row": (TABLE + "x\ty\tz\n" + TABLE, "line 20002"),
}  # fmt: skip


def said(synopsis: Synopsis) -> str:
    """All that the synopsis says."""
    return "\n".join((*synopsis.summary, *synopsis.structure, *synopsis.notable_items))


@pytest.mark.parametrize(("text", "expected"), FAR.values(), ids=FAR.keys())
def test_what_stands_far_behind_is_told(text: str, expected: str) -> None:
    """Counts are those of the whole text, and one of another kind among thousands is found."""
    assert expected in said(synopsize(text))


@pytest.mark.parametrize(
    "value",
    [
        {"a": float("nan"), "items": [{"n": n} for n in range(30_000)]},
        [[[{"n": n}]] for n in range(30_000)] + [float("nan")],
    ],
)
def test_a_long_value_that_is_whole_is_not_called_cut_short(value: object) -> None:
    """Also where only its beginning can be taken apart."""
    text = json.dumps(value)
    assert "cut short" not in said(synopsize(text))
    assert "cut short" in said(synopsize(text[: len(text) // 2]))


def test_elements_in_elements_without_end_are_not_followed_to_it() -> None:
    """The synopsis says where it stopped."""
    synopsis = synopsize("<a>" * 5_000 + "</a>" * 5_000)
    assert synopsis.kind == "xml"
    assert "nested too deeply to go on" in said(synopsis)


def test_frames_in_frames_are_taken_off_twice() -> None:
    """A third one is text."""
    frame = "<returncode>1</returncode>\n<output>\n"
    synopsis = synopsize(frame * 40)
    assert [line for line in synopsis.summary if line == "exit status 1"] == ["exit status 1"] * 2
