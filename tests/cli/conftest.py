"""A store with something in it, and the command in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from toolstub_ext import Ref, open_store


@pytest.fixture
def stored() -> Callable[..., Ref]:
    """Puts a text into the store that the command will open."""

    def put(text: str, tool: str | None = None, session: str | None = None) -> Ref:
        with open_store() as store:
            return store.put(text, tool=tool, session=session, kind="text").ref

    return put


@pytest.fixture
def shell() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs the command in a process of its own."""

    def run(*argv: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "toolstub_ext", *argv], input=stdin, capture_output=True,
                              check=False)

    return run


@pytest.fixture
def empty_store() -> None:
    """A store, with nothing in it, where the command will look for one."""
    open_store().close()
