"""Source code and documents that are told before the other kinds are asked are what these would say together."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolstub_ext.synopsis import kinds, synopsize
from toolstub_ext.synopsis.code import evident
from toolstub_ext.synopsis.kinds import KINDS, Later
from toolstub_ext.synopsis.model import Source
from toolstub_ext.synopsis.text import titled

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("toolstub_ext/synopsis/*/*.py"), *ROOT.glob("docs/*.md"), ROOT / "README.md"])
EARLY = ("evident", "titled")


def _texts() -> list[str]:
    """Files of our own, and what is left of them behind their first third."""
    whole = [path.read_text(encoding="utf-8") for path in FILES]
    return whole + [text[len(text) // 3 :] for text in whole]


def test_who_is_asked_early_says_what_all_would_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one synopsis is another one if nobody is asked early."""
    early = [synopsize(text) for text in _texts()]
    monkeypatch.setattr(kinds, "KINDS", tuple(k for k in KINDS if not isinstance(k, Later) or k.instance not in EARLY))
    assert [synopsize(text) for text in _texts()] == early


@pytest.mark.parametrize(("kind", "ending"), [(evident, ".py"), (titled, ".md")])
def test_most_files_are_told_early(kind: kinds.Kind, ending: str) -> None:
    """Of their own kind, and none of the other."""
    told = [path.suffix for path in FILES if kind.score(Source(path.read_text(encoding="utf-8"))) > 0]
    assert set(told) == {ending}
    assert len(told) > len([path for path in FILES if path.suffix == ending]) / 2
