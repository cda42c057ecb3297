"""The document names every setting, as it is."""

from __future__ import annotations

import re
from dataclasses import MISSING
from pathlib import Path

from toolstub_ext.configuration import paths_of, variable_of
from toolstub_ext.settings import PREFIX, Settings

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_every_setting_is_documented_with_its_default_and_variable() -> None:
    """The page lists all there is, and nothing that is not."""
    rows = re.findall(r"^\| `([\w.*]+)` \| `([^`]*)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    expected = {
        ".".join(keys): "" if field.default in (MISSING, None) else _yaml(field.default)
        for keys, field in paths_of(Settings)
    }
    assert dict(rows) == {path: default or "-" for path, default in expected.items()}


def test_a_variable_is_the_path_in_capitals() -> None:
    """The name of a tool in the middle keeps its case."""
    assert variable_of(PREFIX, ("tools", "Read", "exclude")) == "TOOLSTUB_TOOLS__Read__EXCLUDE"
    assert variable_of(PREFIX, ("store",)) == "TOOLSTUB_STORE"


def _yaml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str([*value]) if isinstance(value, tuple) else str(value)
