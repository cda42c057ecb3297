"""All that `%load_ext` adds to a shell, and how it is taken away again."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from .cells import Cells
from .desk import Desk
from .idle import Idle
from .kernel import Tap
from .magics import ToolStub, skip_transform
from .originals import Originals
from .terminal import TerminalTap


class Extension:
    """The magics, the tap on the outputs, and the runtime that answers clicks, of one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        kernel = getattr(shell, "kernel", None)
        session = getattr(kernel, "session", None)
        self.originals = Originals(lambda: self.magics.place, getattr(session, "session", None))
        self.magics = ToolStub(shell, self)
        self.desk = Desk(self.magics, self.originals)
        self.tap: Tap | TerminalTap = (
            TerminalTap(shell, self.desk) if session is None else Tap(kernel, Cells(self.desk))
        )
        self.runtime: Any = None
        self._idle = Idle(shell, self._settle) if session is not None else None
        shell.register_magics(self.magics)
        shell.input_transformers_cleanup.append(skip_transform)
        shell.set_hook("complete_command", self.magics.complete, str_key="%toolstub")
        self.tap.install()

    def remove(self) -> None:
        """Take away all that was added."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self.tap.uninstall()
        if self._idle is not None:
            self._idle.cancel()
        if self.runtime is not None:
            self.runtime.close()
        shell = self._shell
        with suppress(ValueError):
            shell.input_transformers_cleanup.remove(skip_transform)
        with suppress(ValueError):
            shell.configurables.remove(self.magics)
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop("toolstub", None)
        shell.magics_manager.registry.pop("ToolStub", None)
        shell.strdispatchers["complete_command"].strs.pop("%toolstub", None)
        self.originals.close()

    def start_runtime(self) -> bool:
        """Make the widget that answers clicks, if it can be made; whether it is there."""
        if self.runtime is None:
            from .runtime import make_runtime

            self.runtime = make_runtime(self.originals)
        return self.runtime is not None

    def _settle(self) -> None:
        """What can wait until the kernel has nothing to do."""
        try:
            self.originals.recover()
        except Exception as fault:  # noqa: BLE001 - whatever failed, outputs go on
            self.desk.sums.faults.append(str(fault))
        self.start_runtime()
