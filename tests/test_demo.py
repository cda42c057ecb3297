"""`toolstub demo`, for real."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from toolstub_ext import open_store
from toolstub_ext.cli import main
from toolstub_ext.store import ref_of, sha256_of
from toolstub_proxy.demo import model, notebook


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """One run, and the folder it was given."""
    output = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "toolstub_ext", "demo", "--output", str(output)]
    return output, subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


def test_every_check_holds(demo: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """Six of them, and none is missing."""
    _, done = demo
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every check holds" in done.stdout
    assert len(re.findall(r"^   ok ", done.stdout, re.MULTILINE)) == 6


def test_it_shows_figures_of_both_faces(demo: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """Less was sent than without toolstub, retrieval included."""
    _, done = demo
    rows = dict(re.findall(r"^   (cell output|notebook file|sent to the model|retrieval calls) +([\d, ]+)",
                           done.stdout, re.MULTILINE))
    figures = {name: [int(number.replace(",", "")) for number in text.split()] for name, text in rows.items()}
    assert figures["cell output"][0] > 2_000_000
    assert figures["cell output"][1] < 4_000
    assert figures["sent to the model"][0] > 4 * figures["sent to the model"][1]
    assert figures["retrieval calls"] == [0, 2]


def test_what_the_cell_prints_is_the_same_on_every_machine() -> None:
    """A real table that no version of Python has changed, so that README's stub is everybody's."""
    printed = StringIO()
    with redirect_stdout(printed):
        exec(notebook.PRINT, {})
    assert str(ref_of(sha256_of(printed.getvalue()))) == notebook.REF


def test_it_leaves_what_it_says_it_leaves(demo: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """The saved notebook, and a store of its own with both originals."""
    output, done = demo
    assert (output / "notebook.ipynb").stat().st_size < 20_000
    assert f"--store {output / 'demo-store.db'}" in done.stdout
    with open_store(str(output / "demo-store.db")) as store:
        assert {entry.tool for entry in store.list().items} == {"stdout", "read_file"}


def test_the_users_own_store_is_left_alone(demo: tuple[Path, subprocess.CompletedProcess[str]],
                                           tmp_path: Path) -> None:
    """The demo's originals are not among theirs."""
    with open_store(str(tmp_path / "store.db")) as store:
        assert store.list().total == 0


def test_without_its_libraries_it_says_how_to_get_them_all(monkeypatch: pytest.MonkeyPatch,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    """One line that names one extra, not library after library."""
    monkeypatch.setattr("toolstub_proxy.demo.command.find_spec", lambda name: None)
    assert main(["demo"]) == 1
    assert "[demo]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("   7\t    max_repeats = 4\n  10\t    max_redirections = 10",
         "At most 4 to one URL (line 7) and 10 in all (line 10)."),
        ("   7\t    max_repeats = 4", None),
        ("max_repeats = 4\nmax_redirections = 10", None),
        ("", None),
    ],
)
def test_the_stand_in_answers_only_from_what_it_has_read(text: str, answer: str | None) -> None:
    """Both lines with their numbers, or nothing."""
    assert model.answer_from(text) == answer
