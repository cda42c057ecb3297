"""A path or a URL becomes a file; whatever else it is, the answer is one line."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from toolstub_ext.errors import StoreError
from toolstub_ext.store.location import Location, create_private, locate


@pytest.mark.parametrize(("url", "path"), [
    ("/data/store.db", "/data/store.db"),
    ("store.db", "{cwd}/store.db"),
    ("sqlite:///store.db", "{cwd}/store.db"),
    ("sqlite:////data/store.db", "/data/store.db"),
    ("SQLite:////data/my%20store.db", "/data/my store.db"),
    ("sqlite:///C:/data/store.db", "{cwd}/C:/data/store.db" if os.name != "nt" else "C:/data/store.db"),
    (r"C:\data\store.db", r"{cwd}/C:\data\store.db" if os.name != "nt" else r"C:\data\store.db"),
    ("~/store.db", "{home}/store.db"),
    ("sqlite:///~/store.db", "{home}/store.db"),
    ("/data/a?b.db", "/data/a?b.db"),
])
def test_paths_and_urls_name_a_file(url: str, path: str) -> None:
    """A path is taken as it is; a URL has three slashes before a relative path and four before an absolute one."""
    expected = Path(path.format(cwd=Path.cwd(), home=Path.home()))
    assert locate(url).path == (expected if expected.is_absolute() else expected.absolute())


@pytest.mark.parametrize(("query", "durability"), [
    ("", "process"), ("?durability=process", "process"), ("?durability=power-loss", "power-loss"),
])
def test_a_url_says_what_a_put_survives(query: str, durability: str) -> None:
    """By default the death of the process; on demand that of the machine."""
    assert locate("sqlite:////data/store.db" + query).durability == durability


@pytest.mark.parametrize(("url", "said"), [
    ("postgresql://host/db", "PostgreSQL stores are not available in this version"),
    ("postgres://host/db", "PostgreSQL stores are not available in this version"),
    ("redis://host", "no store speaks redis://"),
    ("sqlite://store.db", "names no file"),
    ("sqlite:///", "names no file"),
    (":memory:", "names no file"),
    ("sqlite:///store.db?mode=ro", "no option 'mode'"),
    ("sqlite:///store.db?durability=forever", "durability=forever is not known"),
    ("~nobody-of-that-name/store.db", "no home directory"),
])
def test_what_is_not_a_store_is_said_in_one_line(url: str, said: str) -> None:
    """The message names what was wrong."""
    with pytest.raises(StoreError, match=said) as caught:
        locate(url)
    assert "\n" not in str(caught.value)


def test_the_variable_counts_without_a_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """$TOOLSTUB_STORE is read when no URL is given, and a given one wins."""
    monkeypatch.setenv("TOOLSTUB_STORE", "sqlite:////data/team.db?durability=power-loss")
    assert locate(None) == Location(Path("/data/team.db").absolute(), "power-loss")
    assert locate("/data/own.db").path == Path("/data/own.db").absolute()


def test_the_platform_says_where_without_either(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The default is store.db in the user's data directory for toolstub."""
    monkeypatch.delenv("TOOLSTUB_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = locate(None).path
    assert path.name == "store.db"
    assert path.parent.name == "toolstub"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_a_new_file_is_private(tmp_path: Path) -> None:
    """Directory and file are for the user alone; a file that exists keeps its mode."""
    path = tmp_path / "own" / "store.db"
    create_private(path)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    create_private(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
