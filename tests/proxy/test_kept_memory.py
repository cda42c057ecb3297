"""What a proxy and its other process tell the C library is the same, and whoever sets something else is obeyed."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from toolstub_proxy.kept_memory import VARIABLES, keep_memory

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """What `mallopt` was told, in an environment that says nothing."""
    options: dict[int, int] = {}
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(mallopt=options.__setitem__))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return options


def test_this_process_is_told_what_the_other_is_started_with(told: dict[int, int]) -> None:
    """Each by its number in `malloc.h`."""
    keep_memory()
    assert told == {
        M_ARENA_MAX: int(VARIABLES["MALLOC_ARENA_MAX"]),
        M_MMAP_THRESHOLD: int(VARIABLES["MALLOC_MMAP_THRESHOLD_"]),
        M_TRIM_THRESHOLD: int(VARIABLES["MALLOC_TRIM_THRESHOLD_"]),
    }


def test_what_the_environment_says_holds(told: dict[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As it does for the other process."""
    monkeypatch.setenv("MALLOC_ARENA_MAX", "4")
    keep_memory()
    assert [*told] == [M_MMAP_THRESHOLD, M_TRIM_THRESHOLD]


def _no_library(_: Any) -> Any:
    raise OSError("no such library")


@pytest.mark.parametrize(("platform", "library"), [
    ("win32", None), ("darwin", None), ("linux", lambda _: SimpleNamespace()), ("linux", _no_library),
])
def test_elsewhere_nothing_is_told(told: dict[int, int], monkeypatch: pytest.MonkeyPatch, platform: str,
                                   library: Any) -> None:
    """Another system, a C library that knows no such thing, and none that can be loaded."""
    monkeypatch.setattr(sys, "platform", platform)
    if library is not None:
        monkeypatch.setattr(ctypes, "CDLL", library)
    keep_memory()
    assert not told
