"""The reports: for a terminal, for a program, and as a page."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from toolstub_ext.cli import main
from toolstub_ext.replay.curve import curves
from toolstub_ext.replay.known import english

FILE = "\n".join(f"def step_{number}(rows): pass  # {'#' * 40}" for number in range(800))
MARKUP = "<script>alert('&')</script>"


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A session in which a large file is read, and something from its middle is used."""
    call = {"id": "1", "function": {"name": "Read", "arguments": json.dumps({"path": MARKUP})}}
    messages = [
        {"role": "user", "content": "go"}, {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": FILE}, {"role": "assistant", "content": "step_400 is wrong"},
        {"role": "user", "content": "and?"}, {"role": "assistant", "content": "that is all"},
    ]
    path = tmp_path / "session.json"
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """What the command prints."""
    assert main(["replay", *arguments]) == status
    return capsys.readouterr().out


def test_the_table_has_a_row_for_each_policy(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what it saves, before and after what was missed is read again, and the decisions behind it."""
    text = shown(capsys, str(recorded), "--preset", "openviking", "--preset", "off")
    assert text.startswith("1 conversation in 1 file; 3 requests, 1 tool result\n")
    off = next(line for line in text.split("\n") if line.startswith("off "))
    assert off.split() == ["off", "0.0", "%", "0.00", "%", "0.0", "%", "1.00x", "1.00x", "+0.0", "%", "0",
                           off.split()[-1]]
    (row,) = (line for line in text.split("\n") if str(recorded)[-40:] in line and "x  " in line)
    assert row.split()[1:3] == ["3", "1"]
    assert row.split()[-3:] == ["1.00x", "1.00x", "0"]
    assert "\nopenviking: largest savings\n" in text
    assert "\nopenviking: worst decisions\n" in text
    assert "\nopenviking: missed 1 id; for example\n  id step_400  (turn 2 of " in text
    assert "\noff: " not in text


def test_the_json_has_everything(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Costs by all cache models, misses with literal and turn, and the rankings."""
    data = json.loads(shown(capsys, str(recorded), "--preset", "openviking", "--format", "json"))
    (policy,) = data["policies"]
    assert data["conversations"] == 1
    assert set(policy["saved"]) == {"none", "prefix", "openai", "openai-5.6", "anthropic"}
    assert 0 < policy["saved"]["prefix"] < 1
    assert policy["net_saved"] < policy["saved"]["prefix"]
    assert policy["misses"]["events"] == [
        {"conversation": str(recorded), "turn": 2, "kind": "id", "literal": "step_400"}]
    (saving,) = policy["largest_savings"]
    assert (saving["turn"], saving["tool"], saving["chars_before"]) == (1, "Read", len(FILE))
    assert saving["net"] == pytest.approx(saving["saved"] - saving["rereads"])
    assert data["curves"][0]["cost"].keys() == {"off", "openviking"}
    (row,) = data["largest_conversations"]
    assert (row["conversation"], row["turns"], row["results"]) == (str(recorded), 3, 1)
    assert {name: row["baseline"][name] for name in data["baseline"]} == data["baseline"]
    assert row["policies"]["openviking"] == {name: policy[name] for name in row["policies"]["openviking"]}
    assert row["policies"]["openviking"]["costs"].keys() == policy["saved"].keys()


class Page(HTMLParser):
    """Collects the tags of a page, and whatever they would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        self.tags.add(tag)
        self.loaded += [str(value) for name, value in attrs if name in ("src", "href", "srcset", "data")]


def test_the_page_stands_alone(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs nothing and loads nothing, also if a conversation holds markup; the cost is drawn."""
    target = tmp_path / "report.html"
    assert shown(capsys, str(recorded), "--preset", "openviking", "--format", "html", "--output", str(target)) == ""
    text = target.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert {"svg", "polyline", "table"} <= page.tags
    assert "script" not in page.tags
    assert page.loaded == []
    assert "url(" not in text
    assert "&lt;script&gt;" in text


def test_without_a_conversation_it_is_said_what_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Zeros alone would not tell a wrong folder from one in which nothing can be saved."""
    (tmp_path / "notes.json").write_text("{}")
    assert main(["replay", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("0 conversations in 0 files; ")
    assert said.err.startswith("toolstub: no recorded conversation was found; name ")


def test_a_settings_file_is_a_policy(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside presets, under its own name."""
    file = tmp_path / "mine.yaml"
    file.write_text("preset: openviking\nexternalize: {threshold_chars: 1000000}\n", encoding="utf-8")
    given = ("--config", str(file), "--preset", "openviking", "--format", "json")
    data = json.loads(shown(capsys, str(recorded), *given))
    assert [(policy["name"], policy["changed_results"]) for policy in data["policies"]] == [
        ("openviking", 1), (str(file), 0)]


def test_without_a_policy_the_settings_in_force_are_one(recorded: Path, tmp_path: Path,
                                                        capsys: pytest.CaptureFixture[str],
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """As a proxy started here would have them."""
    (tmp_path / "toolstub.yaml").write_text("preset: 'off'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    data = json.loads(shown(capsys, str(recorded), "--format", "json"))
    assert [policy["name"] for policy in data["policies"]] == ["off"]


def test_what_cannot_be_read_ends_in_status_1(recorded: Path, tmp_path: Path,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    """After everything else has been replayed."""
    assert main(["replay", str(tmp_path / "none.json"), str(recorded), "--preset", "off"]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("1 conversation in 1 file")
    assert re.fullmatch(r"toolstub: \S+none\.json: a readable file expected: .*\n", shown.err)


def test_without_its_extra_it_says_what_to_install(recorded: Path, capsys: pytest.CaptureFixture[str],
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it reads anything."""
    monkeypatch.setitem(sys.modules, "spellchecker", None)
    english.cache_clear()
    assert main(["replay", str(recorded)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "this needs spellchecker: " in shown.err
    assert "[replay]" in shown.err


def test_wrong_usage_ends_in_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown preset, or no path."""
    assert main(["replay", "x", "--preset", "unknown"]) == 2
    assert main(["replay"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("costs", [{}, {"off": []}, {"off": [0]}, {"off": [1, 2, 3], "on": [1, 1, 1]},
                                   {"off": [*range(5_000)], "same": [*range(5_000)]}])
def test_any_curve_can_be_drawn(costs: dict[str, list[int]]) -> None:
    """With few points, and labels that do not cover each other."""
    drawn = curves(costs, "a & b")
    assert len(drawn) < 30_000
    assert "nan" not in drawn
    labels = [float(y) for y in re.findall(r'<text x="\d+" y="([\d.]+)" fill', drawn)]
    assert all(abs(one - other) >= 15 for at, one in enumerate(labels) for other in labels[:at])
