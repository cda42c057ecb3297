"""`%toolstub`: switch stubs on and off, and read what was stored.

What a line of it does is in `commands`, imported with the first one: loading an extension is to cost a kernel nothing.
"""

from __future__ import annotations

from inspect import getdoc
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class
from traitlets import Bool, Int, Unicode, default, observe

from ..errors import ToolstubError

if TYPE_CHECKING:
    from ..settings import Settings
    from .commands import Workplace

SKIP = "%%toolstub off"


def skip_transform(lines: list[str]) -> list[str]:
    """`%%toolstub off` above a cell: the cell runs as it would without the line, and is shown whole."""
    if not lines or lines[0].split() != SKIP.split():
        return lines
    from IPython.core.inputtransformer2 import cell_magic

    return ["%toolstub off --cell\n", *cell_magic(lines[1:])]


@magics_class
class ToolStub(Magics):
    """Large outputs become stubs; `%config ToolStub.threshold_chars = 4000` says what is large."""

    enabled = Bool(True, help="Whether large outputs become stubs.").tag(config=True)
    threshold_chars = Int(min=1, help="One output longer than this becomes a stub.").tag(config=True)
    cell_budget_chars = Int(min=1, help="A cell may show this much; what follows goes into one stub.").tag(config=True)
    stub_chars = Int(min=400, help="The text of a stub is at most this long.").tag(config=True)
    store = Unicode(help="Path or URL of the store; empty: as toolstub.yaml or $TOOLSTUB_STORE says.").tag(config=True)

    def __init__(self, shell: Any, workplace: Workplace) -> None:
        self._workplace = workplace
        self._settings: Settings | None = None
        super().__init__(shell)

    @property
    def settings(self) -> Settings:
        """The settings in force, read when first needed. Raises SettingsError each time until they can be read."""
        if self._settings is None:
            from ..settings import load_settings

            self._settings = load_settings()
        return self._settings

    @property
    def place(self) -> str | None:
        """Where the store is; None for the default place."""
        return self.store or self.settings.store

    @property
    def usage(self) -> str:
        """What `%toolstub` takes, as its docstring says."""
        return str(getdoc(type(self).toolstub))

    @default("threshold_chars")
    def _threshold_chars(self) -> int:
        return self.settings.notebook.threshold_chars

    @default("cell_budget_chars")
    def _cell_budget_chars(self) -> int:
        return self.settings.notebook.cell_budget_chars

    @default("stub_chars")
    def _stub_chars(self) -> int:
        return self.settings.notebook.stub_chars

    @observe("store")
    def _moved(self, _change: Any) -> None:
        self._workplace.flush()
        self._workplace.originals.close()

    @line_magic
    def toolstub(self, line: str) -> str | None:
        """Read what stubs stand for, and switch them on and off.

        %toolstub get REF                the whole original, exactly as it was printed (a str)
        %toolstub show REF               look through it: pages, search, tree, table
        %toolstub show REF --lines A:B   some lines of it
        %toolstub search PATTERN [REF]   where PATTERN stands, in one original or in all
        %toolstub query REF EXPR         by structure: JMESPath, columns and rows, a symbol, a heading
        %toolstub list                   what is stored, newest first
        %toolstub on | off               stub large outputs, or show them all
        %toolstub status | stats         what is in force; what was saved
        %%toolstub off                   above a cell: show its outputs whole

        --lines A:B         from 1, both inclusive (get and show)
        -e, --regex         PATTERN is a regular expression (search)
        -i, --ignore-case   upper and lower case are the same (search)
        --cell              only for the cell that runs (off)
        -h, --help          show this
        """
        from . import commands

        return commands.obey(line, self._workplace)

    def toolstub_cell(self, line: str, _cell: str) -> None:
        """`%%toolstub off` above a cell shows its outputs whole; the input transformer has handled it before this."""
        raise UsageError(f"{line.strip()!r} cannot stand above a cell, only `{SKIP}` can")

    def complete(self, _shell: Any, event: Any) -> list[str]:
        """Commands, then the refs of the newest originals."""
        from .commands import COMMANDS, READS

        words = event.line.split()[1:]
        if not words or (len(words) == 1 and not event.line.endswith(" ")):
            return [command for command in COMMANDS if command.startswith(event.symbol)]
        if words[0] not in READS:
            return []
        try:
            return [str(entry.ref) for entry in self._workplace.originals.store.list().items]
        except ToolstubError:
            return []
