"""The text of a stub: header, sections, fences, and how to go on."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import HEADER_CELL, HEADER_TOOL, is_stub, render, synopsize
from toolstub_ext.synopsis.render import fenced

DIGEST = "0123456789abcdef" * 4
LOG = "INFO fine\n" * 200 + "ERROR it broke\n" + "INFO fine\n" * 200


def test_the_header_has_its_fields_in_order() -> None:
    """One field a line, sixteen digits of the digest, at most 300 characters."""
    stub = render(synopsize(LOG), sha256=DIGEST, ref="ts_0123456789abcdef", tool="shell", reason="4015 > 4000 chars")
    header = stub.split("\n\n")[0]
    assert header.split("\n") == [
        HEADER_TOOL,
        "tool_name: shell",
        "kind: text (log)",
        f"original_chars: {len(LOG)}",
        "lines: 401",
        "ref: ts_0123456789abcdef",
        "sha256: 0123456789abcdef",
        "reason: 4015 > 4000 chars",
    ]


def test_long_names_and_reasons_do_not_make_the_header_long() -> None:
    """They are clipped, and a line break in them cannot forge a field."""
    stub = render(synopsize(LOG), sha256=DIGEST, ref="ts_1", tool="x\nref: ts_2" * 50, reason="y\nref: ts_3" * 50)
    header = stub.split("\n\n")[0]
    assert len(header) <= 300
    assert [line for line in header.split("\n") if line.startswith("ref")] == ["ref: ts_1"]


@pytest.mark.parametrize(
    ("face", "header", "ways"),
    [
        ("tool", HEADER_TOOL, ("toolstub_read(ref, lines=", "toolstub_search(query, ref)")),
        ("cell", HEADER_CELL, ("%toolstub get ts_1", "toolstub read ts_1")),
    ],
)
def test_each_face_says_how_its_reader_goes_on(face: str, header: str, ways: tuple[str, ...]) -> None:
    """A model has tools, a person a magic and a command."""
    stub = render(synopsize(LOG), sha256=DIGEST, ref="ts_1", face="cell" if face == "cell" else "tool")
    assert stub.startswith(header + "\n")
    assert all(way in stub for way in ways)
    assert "original intact and stored" in stub


def test_the_first_place_to_read_is_the_error() -> None:
    """The first anchor gives the lines of the suggested call."""
    assert 'toolstub_read(ref, lines="201:260")' in render(synopsize(LOG), sha256=DIGEST, ref="ts_1")


def test_without_a_ref_nothing_is_promised() -> None:
    """No ref, no Explore, no word about a stored original."""
    stub = render(synopsize(LOG), sha256=DIGEST)
    assert "Explore" not in stub
    assert "stored" not in stub
    assert "ref:" not in stub


def test_without_tools_the_ref_stays_and_the_calls_go() -> None:
    """`explore=False` is for readers that cannot call anything."""
    stub = render(synopsize(LOG), sha256=DIGEST, ref="ts_1", explore=False)
    assert stub.endswith("original intact and stored")
    assert "toolstub_read" not in stub


@pytest.mark.parametrize("limit", range(400, 2300, 100))
def test_every_limit_is_kept(limit: int) -> None:
    """What is placed last goes first; the first line of the synopsis stays as long as anything."""
    stub = render(synopsize(LOG, budget=2000), sha256=DIGEST, ref="ts_1", tool="shell", limit=limit)
    assert len(stub) <= limit
    assert "- log, 401 lines" in stub


@pytest.mark.parametrize("text", ["a", "```", "a ```` b", "`" * 9 + "\n" + "`" * 4])
def test_a_fence_is_longer_than_any_in_the_text(text: str) -> None:
    """So that the text cannot close it."""
    fence = fenced(text).split("\n")[0]
    assert fence not in text
    assert len(fence) >= 3


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (HEADER_TOOL + "\nkind: x", True),
        (HEADER_CELL + "\n", True),
        (HEADER_TOOL, False),
        (" " + HEADER_TOOL + "\n", False),
        (HEADER_TOOL + "!\n", False),
        ("", False),
    ],
)
def test_a_stub_is_known_by_its_first_line(text: str, answer: bool) -> None:
    """Exactly one of the two headers, and something below."""
    assert is_stub(text) is answer
