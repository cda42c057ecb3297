"""Settings: where they come from, which source wins, and what is refused in which words."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import MISSING
from pathlib import Path

import pytest

from toolstub_ext.addresses import host_and_port
from toolstub_ext.configuration import paths_of, variable_of
from toolstub_ext.errors import SettingsError
from toolstub_ext.presets import KINDS, PRESETS
from toolstub_ext.settings import PREFIX, Externalize, KindRule, Settings, ToolRule, load_settings

DOCS = Path(__file__).parents[1] / "docs" / "settings.md"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty configuration directory of the user's, and a project to stand in."""
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(tmp_path / "config"))
    monkeypatch.delenv("TOOLSTUB_STORE", raising=False)
    project = tmp_path / "project" / "inner"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    return tmp_path


def write(path: Path, text: str) -> Path:
    """A settings file at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_source_the_defaults_hold() -> None:
    """Nothing given: the dataclass as it is declared."""
    assert load_settings() == Settings()


def test_a_file_is_found_from_the_working_directory_upwards(home: Path) -> None:
    """The nearest file above counts, the rest of its section keeps its defaults."""
    write(home / "project" / "toolstub.yaml", "externalize: {threshold_chars: 7}")
    assert load_settings().externalize == Externalize(threshold_chars=7)


def test_the_project_goes_over_the_users_own_file(home: Path) -> None:
    """Both files count; where both speak, the project's does."""
    write(home / "config" / "toolstub.yaml", "store: /own.db\nreply_chars: 1000\ninject: when_stubbed")
    write(home / "project" / "toolstub.yaml", "reply_chars: 2000")
    settings = load_settings()
    assert (settings.store, settings.reply_chars, settings.inject) == ("/own.db", 2000, "when_stubbed")


def test_each_source_goes_over_the_one_before(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Preset, file, environment, argument: each sets what the next leaves alone."""
    path = write(home / "named.yaml", "preset: openviking\nreply_chars: 1001\nexternalize: {preview_chars: 1500}")
    monkeypatch.setenv("TOOLSTUB_REPLY_CHARS", "1002")
    monkeypatch.setenv("TOOLSTUB_EXTERNALIZE__MIN_PREVIEW_CHARS", "900")
    settings = load_settings(path, externalize={"min_preview_chars": 800})
    assert (settings.preset, settings.reply_chars) == ("openviking", 1002)
    assert (settings.externalize.preview_chars, settings.externalize.min_preview_chars) == (1500, 800)


@pytest.mark.parametrize("overrides", [
    {"externalize": {"threshold_chars": 5}},
    {"externalize__threshold_chars": 5},
    {"externalize.threshold_chars": "5"},
])
def test_an_override_is_a_nested_mapping_or_a_full_name(overrides: dict[str, object]) -> None:
    """All three ways to say one thing."""
    assert load_settings(**overrides).externalize.threshold_chars == 5


def test_an_override_that_is_none_is_not_given() -> None:
    """So that a command can hand on the options it was not given."""
    assert load_settings(preset=None, owners=None) == Settings()


def test_rules_for_tools_come_from_every_source(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool's name keeps its case and may itself hold the separator."""
    path = write(home / "named.yaml", "tools:\n  Read: {threshold_chars: 60000}\n  'mcp__db__*': {exclude: true}\n")
    monkeypatch.setenv("TOOLSTUB_TOOLS__mcp__git__log__THRESHOLD_CHARS", "9")
    settings = load_settings(path, tools={"Bash": {"exclude": True}})
    assert dict(settings.tools) == {
        "Read": ToolRule(threshold_chars=60_000),
        "mcp__db__*": ToolRule(exclude=True),
        "mcp__git__log": ToolRule(threshold_chars=9),
        "Bash": ToolRule(exclude=True),
    }


@pytest.mark.parametrize(("text", "setting", "value"), [
    ("preset: off", "preset", "off"),
    ("store: ~", "store", None),
    ("store:", "store", None),
    ("externalize:", "externalize", Externalize()),
    ("exclude_tools: [get_status, 'web_*']", "exclude_tools", ("get_status", "web_*")),
    ("exclude_tools: get_status, other", "exclude_tools", ("get_status", "other")),
    ("reply_chars: 10_000", "reply_chars", 10_000),
    ("externalize: {enabled: no}", "externalize", Externalize(enabled=False)),
    ("\ufeffreply_chars: 700", "reply_chars", 700),
    ("", "reply_chars", 6000),
])
def test_a_file_means_what_a_person_meant(home: Path, text: str, setting: str, value: object) -> None:
    """`off` is a preset and no boolean, an empty section is empty, a byte order mark is nothing."""
    assert getattr(load_settings(write(home / "named.yaml", text)), setting) == value


def test_the_preset_off_switches_off() -> None:
    """Nothing is externalized under it."""
    assert load_settings(preset="off").externalize.enabled is False


def test_the_preset_openviking_has_its_numbers_and_its_rules() -> None:
    """20,000 for one result, 100,000 for a turn, its exact caps in the synopsis."""
    settings = load_settings(preset="openviking")
    limits = settings.externalize
    assert (limits.threshold_chars, limits.turn_inline_budget_chars, settings.rules) == (20_000, 100_000, "openviking")
    assert load_settings().rules == "default"


@pytest.mark.parametrize(("given", "meant"), [
    ("9000", (9_000, 9_000)), ("[1, 2]", (1, 2)), ("'1, 2'", (1, 2)), ("[7]", (7, 7)),
])
def test_a_kind_has_one_threshold_or_two(home: Path, given: str, meant: tuple[int, int]) -> None:
    """What is not said about it stays as the preset has it, and so does every other kind."""
    path = write(home / "named.yaml", f"preset: saver\nby_kind: {{log: {{threshold_chars: {given}}}}}")
    settings = load_settings(path)
    assert settings.by_kind["log"] == KindRule(meant, 2_000)
    assert settings.by_kind["grep"] == KindRule((2_500, 2_500), 2_000)
    assert set(settings.by_kind) == set(KINDS)


def test_a_kind_in_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two numbers are separated by a comma."""
    monkeypatch.setenv("TOOLSTUB_BY_KIND__code__THRESHOLD_CHARS", "5000, 9000")
    assert load_settings().by_kind["code"] == KindRule((5_000, 9_000), 1_000)


def test_careful_doubles_what_default_has() -> None:
    """Thresholds only."""
    default, careful = load_settings().by_kind, load_settings(preset="careful").by_kind
    assert {kind: tuple(2 * size for size in rule.threshold_chars) for kind, rule in default.items()} == {
        kind: rule.threshold_chars for kind, rule in careful.items()}
    assert all(default[kind].budget == careful[kind].budget for kind in KINDS)


def test_toolstub_store_is_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that every command reads is this very setting."""
    monkeypatch.setenv("TOOLSTUB_STORE", "sqlite:///elsewhere.db")
    assert load_settings().store == "sqlite:///elsewhere.db"


@pytest.mark.parametrize(("text", "complaint"), [
    ("externalize: {treshold_chars: 1}", "externalize.treshold_chars: no such setting; did you mean "
                                         "externalize.threshold_chars?"),
    ("threshold_chars: 1", "threshold_chars: no such setting; did you mean externalize.threshold_chars?"),
    ("tools: {Read: {exlude: true}}", "tools.Read.exlude: no such setting; did you mean tools.Read.exclude?"),
    ("notebook: {zzz: 1}", "notebook.zzz: no such setting; there are threshold_chars, cell_budget_chars, stub_chars"),
    ("preset: defualt", "preset: expected one of default, careful, saver, openviking, eino, gliding-horse, "
                               "off, not 'defualt'"),
    ("reply_chars: many", "reply_chars: expected a whole number of at least 500, not 'many'"),
    ("reply_chars: 499", "reply_chars: expected a whole number of at least 500, not '499'"),
    ("externalize: {threshold_chars: -1}", "externalize.threshold_chars: expected a whole number of at least 0, "
                                           "not '-1'"),
    ("externalize: {enabled: maybe}", "externalize.enabled: expected true or false, not 'maybe'"),
    ("externalize: 5", "externalize: expected a mapping of settings, not '5'"),
    ("exclude_tools: {a: b}", "exclude_tools: expected a list of names, not {'a': 'b'}"),
    ("listen: '8788'", "listen: expected HOST:PORT, not '8788'"),
    ("upstream: api.example", "upstream: expected an http:// or https:// URL, not 'api.example'"),
    ("clear: {token_counter: count}", "clear.token_counter: expected package:function, not 'count'"),
    ("store: [a]", "store: expected a text, not ['a']"),
    ("by_kind: {logs: {budget: 1000}}", "by_kind.logs: there is no logs; did you mean log?"),
    ("by_kind: {log: {threshold_chars: [1, 2, 3]}}",
     "by_kind.log.threshold_chars: expected a whole number, or two: for the first requests and for later, "
     "not ['1', '2', '3']"),
    ("by_kind: {log: {threshold_chars: -1}}",
     "by_kind.log.threshold_chars: expected a whole number, or two: for the first requests and for later, not '-1'"),
])
def test_what_is_wrong_in_a_file_is_named_in_one_line(home: Path, text: str, complaint: str) -> None:
    """File, path, value, and what was expected."""
    path = write(home / "named.yaml", text)
    with pytest.raises(SettingsError) as error:
        load_settings(path)
    assert str(error.value) == f"{path}: {complaint}"


@pytest.mark.parametrize(("text", "complaint"), [
    ("a: [1,\nb: }", r".*, line 2: not YAML: .*"),
    ("\tpreset: off", r".*, line 1: not YAML: .*"),
    ("- preset", r".*: expected a mapping of settings, not \['preset'\]"),
])
def test_a_file_that_is_not_yaml_is_named_with_its_line(home: Path, text: str, complaint: str) -> None:
    """The line is counted from 1."""
    with pytest.raises(SettingsError, match=complaint) as error:
        load_settings(write(home / "named.yaml", text))
    assert "\n" not in str(error.value)


def test_a_named_file_has_to_exist(home: Path) -> None:
    """A file that the user named and that is not there is no reason to go on with the defaults."""
    with pytest.raises(SettingsError, match=r"missing\.yaml: cannot be read"):
        load_settings(home / "missing.yaml")


def test_a_file_in_another_encoding_is_refused(home: Path) -> None:
    """Latin-1 is not read as if it were UTF-8."""
    path = home / "named.yaml"
    path.write_bytes(b"store: caf\xe9")
    with pytest.raises(SettingsError, match=r"named\.yaml: cannot be read"):
        load_settings(path)


@pytest.mark.parametrize(("variable", "value", "complaint"), [
    ("TOOLSTUB_EXTERNALIZE__TRESHOLD_CHARS", "1",
     "TOOLSTUB_EXTERNALIZE__TRESHOLD_CHARS: no such setting; did you mean TOOLSTUB_EXTERNALIZE__THRESHOLD_CHARS?"),
    ("TOOLSTUB_ZZZ__ENABLED", "x", "TOOLSTUB_ZZZ: no such setting; there are preset, store, externalize, by_kind, "
                                   "dedupe, route, compact, clear, compress, reclaim, window, tools, "
                                   "exclude_tools, notebook, reply_chars, inject, owners, listen, upstream, "
                                   "openai_upstream, anthropic_upstream"),
    ("TOOLSTUB_STOER", "x", "TOOLSTUB_STOER: no such setting; did you mean TOOLSTUB_STORE?"),
    ("TOOLSTUB_REPLY_CHARS", "x", "TOOLSTUB_REPLY_CHARS: expected a whole number of at least 500, not 'x'"),
])
def test_what_is_wrong_in_a_variable_is_named_as_the_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, complaint: str
) -> None:
    """The complaint speaks of variables to whoever set a variable."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert str(error.value) == complaint


@pytest.mark.parametrize("variable", ["TOOLSTUB_PORT", "TOOLSTUB_PORT_8788_TCP", "TOOLSTUB_SERVICE_HOST", "TOOLSTUB_"])
def test_a_variable_that_resembles_no_setting_is_somebody_elses(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """Where there is a service called toolstub, Kubernetes sets these for every program."""
    monkeypatch.setenv(variable, "tcp://10.0.0.1:8788")
    assert load_settings() == Settings()


@pytest.mark.parametrize("overrides", [{"reply_chars": True}, {"reply_chars": 700.0}, {"exclude_tools": [1]}])
def test_an_argument_of_another_type_is_refused(overrides: dict[str, object]) -> None:
    """True is not 1, and 700.0 not 700."""
    with pytest.raises(SettingsError, match="expected"):
        load_settings(**overrides)


@pytest.mark.parametrize(("overrides", "both"), [
    ({"preset": "off", "externalize": {"enabled": True}}, ("preset (off)", "externalize.enabled (True)")),
    ({"externalize": {"min_preview_chars": 3000}}, ("externalize.min_preview_chars (3000)",
                                                    "externalize.preview_chars")),
    ({"notebook": {"stub_chars": 9000}}, ("notebook.stub_chars (9000)", "notebook.cell_budget_chars")),
    ({"upstream": "http://a", "openai_upstream": "http://b"}, ("upstream (http://a)", "openai_upstream (http://b)")),
    ({"tools": {"Read": {"exclude": True, "threshold_chars": 5}}}, ("tools.Read.exclude",
                                                                    "tools.Read.threshold_chars")),
    ({"exclude_tools": ["Read"], "tools": {"Read": {"threshold_chars": 5}}}, ("exclude_tools",
                                                                             "tools.Read.threshold_chars")),
    ({"preset": "off", "compact": {"enabled": True}}, ("preset (off)", "compact.enabled (True)")),
    ({"preset": "off", "dedupe": {"enabled": True}}, ("preset (off)", "dedupe.enabled (True)")),
    ({"route": {"pass_bytes": 40_000}}, ("route.pass_bytes (40000)", "route.truncate_bytes")),
    ({"window": {"max_messages": 4}}, ("window.keep_recent_messages", "window.max_messages (4)")),
    ({"listen": "0.0.0.0:80"}, ("listen (0.0.0.0:80)", "owners")),
])
def test_settings_that_contradict_each_other_are_refused_by_both_names(
    overrides: dict[str, object], both: tuple[str, str]
) -> None:
    """Neither is silently preferred."""
    with pytest.raises(SettingsError, match="contradict each other") as error:
        load_settings(**overrides)
    assert all(name in str(error.value) for name in both)


def test_a_contradiction_names_the_file_it_stands_in(home: Path) -> None:
    """A setting is named with the place it was given at."""
    path = write(home / "named.yaml", "externalize: {preview_chars: 100}")
    with pytest.raises(SettingsError, match=re.escape(f"{path}: externalize.preview_chars (100)")):
        load_settings(path)


@pytest.mark.parametrize("line", [
    "store: /tmp/theirs.db", "owners: per-credential", "listen: 127.0.0.1:1", "upstream: http://theirs.example",
    "openai_upstream: http://theirs.example", "anthropic_upstream: http://theirs.example",
    "clear: {token_counter: 'theirs:count'}",
])
def test_a_project_cannot_redirect_originals_or_run_code(home: Path, line: str) -> None:
    """A cloned repository's file is refused what the user's own file, and one the user names, may set."""
    path = write(home / "project" / "toolstub.yaml", line)
    with pytest.raises(SettingsError, match="not for a project's file to set"):
        load_settings()
    assert load_settings(path) != Settings()
    path.rename(write(home / "config" / "toolstub.yaml", ""))
    assert load_settings() != Settings()


def test_the_users_own_file_is_no_projects_wherever_one_stands(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found upwards from inside the configuration directory, it is no project's."""
    write(home / "config" / "toolstub.yaml", "store: /own.db")
    monkeypatch.chdir(home / "config")
    assert load_settings().store == "/own.db"


@pytest.mark.parametrize(("listen", "parts"), [
    ("127.0.0.1:8788", ("127.0.0.1", 8788)), ("[::1]:0", ("::1", 0)), ("localhost:65535", ("localhost", 65535)),
    ("::1:80", None), ("host:65536", None), (":80", None), ("host:", None), ("a b:1", None), ("host:\uff11", None),
])
def test_an_address_is_a_host_and_a_port(listen: str, parts: tuple[str, int] | None) -> None:
    """An IPv6 host stands in brackets; a port fits 16 bits."""
    assert host_and_port(listen) == parts


def test_yaml_is_imported_only_for_a_file() -> None:
    """The defaults and the environment need nothing third-party."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys, toolstub_ext.settings; print('yaml' in sys.modules)"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1],
    )
    assert done.stdout.strip() == "False"


def test_every_setting_is_documented_with_its_default_and_variable() -> None:
    """The page lists all there is, and nothing that is not."""
    rows = re.findall(r"^\| `([\w.*]+)` \| `([^`]*)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    expected = {
        ".".join(keys): "" if field.default in (MISSING, None) else _yaml(field.default)
        for keys, field in paths_of(Settings)
    }
    assert dict(rows) == {path: default or "-" for path, default in expected.items()}


def test_every_preset_is_documented() -> None:
    """Each by its name, in code."""
    assert all(f"`{preset}`" in DOCS.read_text(encoding="utf-8") for preset in PRESETS)


def test_a_variable_is_the_path_in_capitals() -> None:
    """The name of a tool in the middle keeps its case."""
    assert variable_of(PREFIX, ("tools", "Read", "exclude")) == "TOOLSTUB_TOOLS__Read__EXCLUDE"
    assert variable_of(PREFIX, ("store",)) == "TOOLSTUB_STORE"


def _yaml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str([*value]) if isinstance(value, tuple) else str(value)
