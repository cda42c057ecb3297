"""What is refused, and in which words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from settings_support import write

from toolstub_ext.errors import SettingsError
from toolstub_ext.settings import Settings, load_settings


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
    ("pasted: {markers: ['a', ' ']}", "pasted.markers: expected a list of words that are not blank, not ['a', ' ']"),
    ("exclude_tools: {a: b}", "exclude_tools: expected a list of names, not {'a': 'b'}"),
    ("listen: '8788'",
     "listen: expected HOST:PORT (such as 127.0.0.1:8788; ports end at 65535), not '8788'"),
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
                                   "arguments, dedupe, route, compact, clear, compress, reclaim, window, tools, "
                                   "exclude_tools, pasted, notebook, reply_chars, inject, owners, listen, upstream, "
                                   "openai_upstream, anthropic_upstream"),
    ("TOOLSTUB_STOER", "x", "TOOLSTUB_STOER: no such setting; did you mean TOOLSTUB_STORE?"),
    ("TOOLSTUB_BY_KIND__LGO__BUDGET", "1", "TOOLSTUB_BY_KIND__LGO: there is no lgo; did you mean log?"),
    ("TOOLSTUB_EXTERNALIZE__AGGREGATE_SELECTION_STRATEGY", "oldest",
     "TOOLSTUB_EXTERNALIZE__AGGREGATE_SELECTION_STRATEGY: expected largest_first, the only one there is, not 'oldest'"),
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
