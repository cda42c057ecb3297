"""The documents say what there is, all of it, and nothing else."""

from __future__ import annotations

import argparse
import dataclasses
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext import Settings
from toolstub_ext.cli.commandline import build_parser
from toolstub_ext.synopsis.code.languages import LANGUAGES
from toolstub_ext.synopsis.text.kind import SHAPES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = ("synopsize", "list", "read", "search", "query", "export", "gc", "pin", "unpin", "verify", "stats", "proxy",
            "run", "doctor", "demo", "replay")
EVERYWHERE = {"--help", "--store"}


def option_names(command: str) -> set[str]:
    """The long options of a command."""
    return {flag for flag in build_parser().command(command).flags if flag.startswith("--")} - EVERYWHERE


def leaves(settings: Any, path: str = "") -> Iterator[str]:
    """The dotted names of all settings."""
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if dataclasses.is_dataclass(value):
            yield from leaves(value, f"{path}{field.name}.")
        else:
            yield path + field.name


def test_the_readme_can_be_read_in_one_sitting() -> None:
    """What is longer belongs in docs/."""
    assert README.count("\n") <= 200


def test_all_commands_are_known() -> None:
    """The list below is the list there is."""
    (subparsers,) = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    assert set(subparsers.choices) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_documented(command: str) -> None:
    """In the README's table, or for the proxy's commands in docs/proxy.md."""
    text = README
    if command in ("proxy", "run", "doctor"):
        text += (ROOT / "docs/proxy.md").read_text(encoding="utf-8")
    assert f"toolstub {command}" in README
    assert {name for name in option_names(command) if name not in text} == set()


def test_the_readme_names_no_option_that_does_not_exist() -> None:
    """In the table of commands."""
    rows = re.findall(r"^\| `toolstub (\w+)(.*?)` \|", README, re.MULTILINE)
    assert rows
    for command, rest in rows:
        for part in rest.split("`toolstub "):
            first, known = part.partition(" ")[0], option_names(command)
            if first in COMMANDS:
                known |= option_names(first)
            assert set(re.findall(r"--[a-z][a-z-]+", part)) <= known


@pytest.mark.parametrize("name", list(leaves(Settings())))
def test_every_setting_is_documented(name: str) -> None:
    """By its dotted name."""
    assert f"`{name}`" in (ROOT / "docs/settings.md").read_text(encoding="utf-8") or name == "tools"


def test_the_languages_of_code_are_those_of_the_package() -> None:
    """docs/kinds.md names each once, and CHANGELOG.md says how many there are."""
    paragraph = (ROOT / "docs/kinds.md").read_text(encoding="utf-8").partition("The languages of code: ")[2]
    assert re.findall("`(\\w+)`", paragraph.partition("\n\n")[0]) == sorted(language.name for language in LANGUAGES)
    assert f"code in {len(LANGUAGES)} languages" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_shapes_of_text_are_those_of_the_package() -> None:
    """docs/kinds.md names each once, beside what any text may be."""
    row = (ROOT / "docs/kinds.md").read_text(encoding="utf-8").partition("| `text` | ")[2].partition(" | ")[0]
    assert sorted(re.findall("`([\\w-]+)`", row)) == sorted({*(shape.name for shape in SHAPES), "ansi", "numbered"})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    """Those to files of this repository."""
    text = re.sub(r"^(`{3,}).*?^\1", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert target.startswith("http") or (document.parent / target).exists(), target


def test_the_extras_are_those_of_the_package() -> None:
    """The README's table and pyproject.toml name the same."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    table = README.partition("| extra |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) | {"all"} == set(extras)


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """With a text of one's own."""
    (code,) = re.findall(r"```python\n(import .*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {"text": "first line\n" + "more\n" * 2_000})
    shown = capsys.readouterr().out
    assert shown.startswith("[toolstub] tool result externalized\ntool_name: list_orders\n")
    assert "\nfirst line\n" in shown


def test_the_python_of_the_store_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Character by character."""
    text = (ROOT / "docs/store.md").read_text(encoding="utf-8")
    ((code, shown),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "store.md", "exec"), {})
    assert capsys.readouterr().out == shown
