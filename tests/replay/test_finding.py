"""Which files of a folder are looked at, and who reads them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
from replay_support import RECORDED, read

from toolstub_ext.replay import Conversation, Item, Trace
from toolstub_ext.replay.traces import finding
from toolstub_ext.replay.traces.finding import READERS


def test_a_folder_is_walked_and_other_files_in_it_are_no_fault(tmp_path: Path) -> None:
    """Files are named from the folder on, in the order of their names."""
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "a.json").write_bytes((RECORDED / "chat.json").read_bytes())
    (tmp_path / "b" / "c" / "d.traj").write_bytes((RECORDED / "swe_agent.traj").read_bytes())
    (tmp_path / "b" / "package.json").write_text('{"name": "job"}', encoding="utf-8")
    (tmp_path / "b" / "open.json").write_text('{"messages": [{"role": "user", "content": "?"}]}', encoding="utf-8")
    (tmp_path / "b" / "notes.txt").write_text("not looked at", encoding="utf-8")
    several, found = read(tmp_path)
    assert [one.name for one in several] == ["a.json", str(Path("b/c/d.traj"))]
    assert (found.files, found.others, found.faults) == (2, 2, [])


@pytest.mark.skipif(sys.platform == "win32", reason="makes a pipe")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """One that is named is told, since files are read twice; one in a folder holds no conversation."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    several, found = read(pipe)
    assert (several, found.faults) == ([], [f"{pipe}: a file that can be read more than once expected"])
    several, found = read(tmp_path)
    assert (several, found.others, found.faults) == ([], 1, [])


class Diary:
    """A reader as a package may bring one: every line a word of the model's."""

    suffixes = (".diary",)

    def reads(self, trace: Trace) -> bool:
        """By the name."""
        return trace.path.name.endswith(self.suffixes)

    def read(self, trace: Trace) -> Iterator[Conversation]:
        """One conversation."""
        yield Conversation(trace.name, (Item("assistant", trace.path.read_text(encoding="utf-8")),))


def test_a_package_adds_a_kind_and_one_that_is_broken_costs_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:
    """By an entry point; its files are looked for in folders."""
    module = ModuleType("diaries")
    module.__dict__["reader"] = Diary()
    monkeypatch.setitem(sys.modules, "diaries", module)
    points = [EntryPoint("a", "diaries:missing", finding.GROUP), EntryPoint("b", "diaries:reader", finding.GROUP)]
    monkeypatch.setattr(finding, "entry_points", lambda group: points if group == finding.GROUP else [])
    finding.readers.cache_clear()
    (tmp_path / "monday.diary").write_text("well", encoding="utf-8")
    try:
        (conversation,), _ = read(tmp_path)
    finally:
        finding.readers.cache_clear()
    assert conversation.items[0].text == "well"
    assert "diaries:missing" in caplog.text


def test_every_reader_is_looked_for_in_folders() -> None:
    """By the ends of file names."""
    assert all(reader.suffixes and all(suffix.startswith(".") for suffix in reader.suffixes) for reader in READERS)
