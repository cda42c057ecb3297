"""`toolstub synopsize`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from toolstub_ext.cli import main

Shell = Callable[..., subprocess.CompletedProcess[bytes]]
ORDERS = json.dumps([{"id": number, "status": "paid" if number % 7 else "open"} for number in range(2_000)])


def test_synopsize_shows_the_stub_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it would stand in a conversation, but for a ref, since nothing is stored."""
    path = tmp_path / "orders.json"
    path.write_text(ORDERS)
    assert main(["synopsize", str(path), "--tool", "list_orders"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("[toolstub] tool result externalized\ntool_name: list_orders\nkind: json")
    assert "ref:" not in shown
    assert main(["synopsize", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chars"] == len(ORDERS)


@pytest.mark.parametrize(
    ("data", "kind", "chars"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xff\xfe" * 20, "unknown (binary)", 400),
        ("Grüße\r\n".encode("utf-16"), "text", 7),
        ("naïve café\n".encode("latin-1") * 30, "text", 330),
        (b"", "unknown (empty)", 0),
    ],
    ids=["png", "utf-16", "latin-1", "empty"],
)
def test_bytes_that_are_not_utf_8_are_described_all_the_same(shell: Shell, data: bytes, kind: str, chars: int) -> None:
    """Binary data says so; text in another encoding is read."""
    shown = shell("synopsize", "-", stdin=data).stdout.decode()
    assert f"\nkind: {kind}" in shown
    assert f"\noriginal_chars: {chars}\n" in shown


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("", "toolstub: '': no such file or directory; check the path\n"),
        (".", "toolstub: .: is a directory; name a file in it\n"),
        ("/proc/self/mem", "toolstub: /proc/self/mem: input/output error\n"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the words are Linux's")
def test_a_file_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str], file: str, said: str) -> None:
    """Whether it cannot be opened, or fails half-way."""
    assert main(["synopsize", file]) == 1
    assert capsys.readouterr() == ("", said)


def test_too_little_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What does not fit is no bug of the program."""

    def huge(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("toolstub_ext.synopsis.synopsize", huge)
    assert main(["synopsize", __file__]) == 1
    assert capsys.readouterr().err == "toolstub: there is not enough memory for it\n"
