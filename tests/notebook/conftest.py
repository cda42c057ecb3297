"""Real kernels, each in a process of its own, and rooms without a kernel; each with its own store and settings."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import Any

import pytest

pytest.importorskip("ipykernel", reason="pip install 'toolstub[notebook]' ipykernel")
from jupyter_client.manager import KernelManager
from notebook_room import Room

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60


@dataclass(frozen=True)
class Outcome:
    """What a front-end received for one cell, in order, and the reply."""

    messages: list[tuple[str, dict[str, Any]]]
    reply: dict[str, Any]

    def outputs(self) -> list[tuple[str, dict[str, Any]]]:
        """What is left in the cell: updates in place, streams joined, clearing obeyed."""
        shown: list[tuple[str, dict[str, Any]]] = []
        clear = False
        for kind, content in self.messages:
            if kind == "clear_output":
                clear = True
                continue
            if clear:
                shown, clear = [], False
            if kind == "stream" and shown and shown[-1][1].get("name") == content["name"]:
                shown[-1] = (kind, {**content, "text": shown[-1][1]["text"] + content["text"]})
            elif kind == "update_display_data":
                shown = [(each, content if _display_id(old) == _display_id(content) else old) for each, old in shown]
            elif kind in ("stream", "display_data", "execute_result", "error"):
                shown.append((kind, content))
        return shown

    def texts(self) -> list[str]:
        """What a reader of text takes in, output by output."""
        return [_text(kind, content) for kind, content in self.outputs()]

    @property
    def text(self) -> str:
        """All of it as one text."""
        return "".join(self.texts())

    def stubs(self) -> list[dict[str, Any]]:
        """The contents of the stubs that remain."""
        return [content for _, content in self.outputs() if "ref" in content.get("metadata", {}).get("toolstub", {})]

    def refs(self) -> list[str]:
        """The refs of those stubs."""
        return [stub["metadata"]["toolstub"]["ref"] for stub in self.stubs()]


def _display_id(content: dict[str, Any]) -> str | None:
    return content.get("transient", {}).get("display_id")


def _text(kind: str, content: dict[str, Any]) -> str:
    if kind == "stream":
        return str(content["text"])
    if kind == "error":
        return "\n".join(content["traceback"])
    return str(content["data"].get("text/plain", ""))


class Kernel:
    """A kernel process and a client of it, as a front-end has one."""

    def __init__(self, directory: Path, environment: dict[str, str]) -> None:
        self._log = (directory / "kernel.log").open("ab")
        self._manager = KernelManager(kernel_name="python3")
        self._manager.start_kernel(env=environment, cwd=directory, stdout=self._log, stderr=self._log)
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=PATIENCE)

    def run(self, code: str, *, wait_for: Callable[[Outcome], bool] | None = None, interrupt_at: str = "",
            allow: bool = False) -> Outcome:
        """Run a cell to its end, and further until `wait_for`. A cell that fails is a failure unless `allow`.

        It is interrupted when `interrupt_at` stands in one of its messages.
        """
        request = self._client.execute(code)
        messages: list[tuple[str, dict[str, Any]]] = []
        reply: dict[str, Any] = {}
        until = time.monotonic() + PATIENCE
        idle = False
        while time.monotonic() < until:
            if idle and (wait_for is None or wait_for(Outcome(messages, reply))):
                return Outcome(messages, reply)
            try:
                message = self._client.get_iopub_msg(timeout=0.2)
            except Empty:
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                idle = True
                reply = self._reply(request)
                assert allow or interrupt_at or reply["status"] == "ok", reply
            elif kind not in ("status", "execute_input"):
                messages.append((kind, content))
                if interrupt_at and interrupt_at in str(content):
                    self._manager.interrupt_kernel()
                    interrupt_at = ""
                    allow = True
        pytest.fail(f"the cell did not come to its end: {messages!r}")

    def value(self, expression: str) -> Any:
        """The value of an expression, which must have a literal as its repr."""
        request = self._client.execute("", silent=True, user_expressions={"value": expression})
        found = self._reply(request)["user_expressions"]["value"]
        assert found["status"] == "ok", found
        import ast

        return ast.literal_eval(found["data"]["text/plain"])

    def start(self, code: str, until: str) -> list[tuple[str, dict[str, Any]]]:
        """Run a cell and come back when `until` is in one of its messages: those so far."""
        self._client.execute(code)
        messages: list[tuple[str, dict[str, Any]]] = []
        while not messages or until not in str(messages[-1]):
            message = self._client.get_iopub_msg(timeout=PATIENCE)
            messages.append((message["msg_type"], message["content"]))
        return messages

    def kill(self) -> None:
        """End the process without giving it a chance."""
        os.kill(self._manager.provisioner.process.pid, signal.SIGKILL)  # type: ignore[union-attr]
        self.close()

    def close(self) -> None:
        """End it, and let go of all its resources."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._client.context.destroy(linger=0)
        self._log.close()

    def _reply(self, request: str) -> dict[str, Any]:
        while True:
            message = self._client.get_shell_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == request:
                return dict(message["content"])


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables for a kernel that sees this clone, and nobody's settings, history or store."""
    home = tmp_path_factory.mktemp("home")
    paths = [str(REPOSITORY), str(REPOSITORY / "proxy"), os.environ.get("PYTHONPATH", "")]
    private = {"IPYTHONDIR": "ipython", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data",
               "JUPYTER_RUNTIME_DIR": "runtime", "XDG_CONFIG_HOME": "xdg"}
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("TOOLSTUB_", "PYTEST_"))},
        **{name: str(home / place) for name, place in private.items()},
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "TOOLSTUB_STORE": str(home / "store.db"),
    }


@pytest.fixture
def new_kernel(tmp_path: Path, environment: dict[str, str]) -> Iterator[Callable[..., Kernel]]:
    """Starts kernels with a store in `tmp_path`, the extension loaded, and ends them after the test."""
    started: list[Kernel] = []

    def start(load: str = "%load_ext toolstub_ext", **variables: str) -> Kernel:
        kernel = Kernel(tmp_path, {**environment, "TOOLSTUB_STORE": str(tmp_path / "store.db"), **variables})
        started.append(kernel)
        kernel.run(load)
        return kernel

    yield start
    for kernel in started:
        kernel.close()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Iterator[Kernel]:
    """One kernel for the tests of a module, the extension loaded."""
    directory = tmp_path_factory.mktemp("kernel")
    started = Kernel(directory, {**environment, "TOOLSTUB_STORE": str(directory / "store.db")})
    try:
        started.run("%load_ext toolstub_ext")
        yield started
    finally:
        started.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A room with the limits that users have."""
    made = Room(tmp_path)
    yield made
    made.cells.close()
    made.originals.close()
