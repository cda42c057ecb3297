"""All that `%load_ext` adds to a shell, and how it is taken away again."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .idle import Idle
from .kernel import Tap
from .magics import ToolStub, skip_transform

if TYPE_CHECKING:
    from .cells import Cells
    from .desk import Desk
    from .originals import Originals
    from .terminal import TerminalTap


class Extension:
    """The magics, the tap on the outputs, and the runtime that answers clicks, of one shell.

    What is not needed to load is imported when the first output passes.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        kernel = getattr(shell, "kernel", None)
        self._session = getattr(kernel, "session", None)
        self.magics = ToolStub(shell, self)
        self.tap: Tap | TerminalTap = self._terminal_tap() if self._session is None else Tap(kernel, self._cells)
        self.runtime: Any = None
        self._idle = Idle(shell, self._settle) if self._session is not None else None
        shell.register_magics(self.magics)
        shell.register_magic_function(self.magics.toolstub_cell, "cell", "toolstub")
        shell.input_transformers_cleanup.append(skip_transform)
        shell.set_hook("complete_command", self.magics.complete, str_key="%toolstub")
        self.tap.install()

    @cached_property
    def originals(self) -> Originals:
        """The originals of this shell."""
        from .originals import Originals

        return Originals(lambda: self.magics.place, getattr(self._session, "session", None))

    @cached_property
    def desk(self) -> Desk:
        """Where the stubs of this shell are made."""
        from .desk import Desk

        return Desk(self.magics, self.originals)

    def _terminal_tap(self) -> TerminalTap:
        from .terminal import TerminalTap

        return TerminalTap(self._shell, self.magics, lambda: self.desk)

    def _cells(self) -> Cells:
        from .cells import Cells

        return Cells(self.desk)

    def flush(self) -> None:
        """What was printed so far goes its way before anything changes."""
        sys.stdout.flush()
        sys.stderr.flush()
        self.tap.flush()

    def remove(self) -> None:
        """Take away all that was added."""
        self.flush()
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
            self.desk.sums.failed(fault)
        self.start_runtime()
