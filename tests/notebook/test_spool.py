"""Text on disk before it is held back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.notebook.spool import Spool, orphans, read

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@given(st.lists(ANY_TEXT, min_size=1))
def test_what_is_appended_is_read_back(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    """Any text, lone surrogates included, comes back as it was, from this process and through the file."""
    directory = tmp_path_factory.mktemp("spool")
    spool = Spool(directory)
    for piece in pieces:
        spool.append(piece)
    assert spool.text() == "".join(pieces)
    assert read(directory, spool.name) == "".join(pieces)
    spool.remove()
    assert list(directory.iterdir()) == []


def test_a_spool_is_for_its_user_alone(tmp_path: Path) -> None:
    """Nobody else can read the file or list its directory."""
    spool = Spool(tmp_path / "new")
    spool.append("secret")
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0 or os.name == "nt"
    assert spool.path.stat().st_mode & 0o077 == 0 or os.name == "nt"
    spool.remove()


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    """A piece that the disk takes in part only is not part of the text."""
    spool = Spool(tmp_path)
    spool.append("kept")
    with spool.path.open("ab") as file:
        file.write(b"half a piece")
    assert spool.text() == "kept"
    spool.append(", more")
    assert spool.text() == "kept, more"
    spool.remove()


def test_the_tail_is_the_end(tmp_path: Path) -> None:
    """The last characters, never half of one."""
    spool = Spool(tmp_path)
    spool.append("a" * 100 + "€" * 100)
    assert spool.tail(10) == "€" * 10
    spool.remove()


def test_a_growing_spool_is_nobodys_orphan(tmp_path: Path) -> None:
    """What a living kernel writes is left to it."""
    spool = Spool(tmp_path)
    spool.append("alive")
    assert list(orphans(tmp_path)) == []
    spool.remove()


@pytest.mark.parametrize(("written", "found"), [
    ("'whole'", "whole"),
    ("'caf\\u00e9 \\ud800 x'", "café \ud800 x"),
])
def test_the_spool_of_a_killed_process_is_found_once(tmp_path: Path, written: str, found: str) -> None:
    """The text of a process that ended without a word is there for the next, which then owns it."""
    code = (f"import os; from pathlib import Path; from toolstub_ext.notebook.spool import Spool\n"
            f"s = Spool(Path({str(tmp_path)!r})); s.append({written}); print(s.name, flush=True); os._exit(9)")
    root = str(Path(__file__).parents[2])
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                         env={**os.environ, "PYTHONPATH": root})
    assert run.returncode == 9, run.stderr
    assert list(orphans(tmp_path)) == [(run.stdout.strip(), found)]
    assert list(orphans(tmp_path)) == []


def test_the_character_that_was_being_written_is_left_out(tmp_path: Path) -> None:
    """A kernel that dies inside a character loses that one alone."""
    (tmp_path / "live_000000000000").write_bytes("café".encode()[:-1])
    assert list(orphans(tmp_path)) == [("live_000000000000", "caf")]


def test_a_name_is_no_path(tmp_path: Path) -> None:
    """A request for another file finds nothing."""
    (tmp_path / "spools").mkdir()
    (tmp_path / "secret").write_text("secret")
    assert read(tmp_path / "spools", "../secret") is None
