"""`%toolstub`: switch stubs on and off, and read what was stored."""

from __future__ import annotations

import re
import shlex
import sys
from typing import TYPE_CHECKING, Any, Protocol

from IPython.core.error import UsageError
from IPython.core.inputtransformer2 import cell_magic as transform_cell_magic
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments
from traitlets import Bool, Int, Unicode, default, observe

from ..errors import RefNotFound, ToolstubError

if TYPE_CHECKING:
    from ..settings import Settings
    from .desk import Desk
    from .kernel import Tap
    from .originals import Originals
    from .terminal import TerminalTap

COMMANDS = ("on", "off", "status", "get", "search", "query", "list", "show", "stats")
_READS = ("get", "show", "search", "query")
_WRAPPED = re.compile(r"'([^']+)'|\"([^\"]*[\[\]{}|=<>@*,#][^\"]*)\"")
_OPTIONS = {"lines": ("get", "show"), "regex": ("search",), "ignore_case": ("search",), "cell": ("off",)}
_SKIP = "%%toolstub off"


def skip_transform(lines: list[str]) -> list[str]:
    """`%%toolstub off` above a cell: the cell runs as it would without the line, and is shown whole."""
    if not lines or lines[0].split() != _SKIP.split():
        return lines
    return ["%toolstub off --cell\n", *transform_cell_magic(lines[1:])]


class Workplace(Protocol):
    """What the commands work on: where outputs pass, where they are kept, and where their stubs are made."""

    @property
    def tap(self) -> Tap | TerminalTap: ...  # noqa: D102  as the class says

    @property
    def originals(self) -> Originals: ...  # noqa: D102

    @property
    def desk(self) -> Desk: ...  # noqa: D102


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
        _flush_streams()
        self._workplace.tap.flush()
        self._workplace.originals.close()

    @magic_arguments()
    @argument("command", nargs="?", default="status", help="on, off, status, get, search, query, list, show or stats")
    @argument("values", nargs="*", help="get REF; show REF; search PATTERN [REF]; query REF EXPR")
    @argument("--lines", help="A:B, from 1, both inclusive (get and show)")
    @argument("-e", "--regex", action="store_true", help="PATTERN is a regular expression (search)")
    @argument("-i", "--ignore-case", action="store_true", help="upper and lower case are the same (search)")
    @argument("--cell", action="store_true", help="only for the cell that runs (off)")
    @argument("-h", "--help", action="store_true", help="show this")
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
        """
        from . import replies

        command, _, rest = line.strip().partition(" ")
        asks = command == "query" and rest.strip() not in ("-h", "--help")
        try:
            words = [command] if asks else shlex.split(line, posix=False)  # an expression has quotes of its own
        except ValueError as fault:
            raise UsageError(f"{fault} in {line!r}") from None
        arguments = self.toolstub.parser.parse_intermixed_args(words)
        arguments.question = rest.split(None, 1)
        if arguments.help:
            replies.say(str(self.toolstub.__doc__).removeprefix("::").strip())
            return None
        if arguments.command not in COMMANDS:
            raise UsageError(replies.nearest(arguments.command, COMMANDS))
        _refuse_what_is_not_meant(arguments)
        try:
            return self._run(arguments)
        except RefNotFound as fault:
            raise UsageError(str(fault).replace("`toolstub list`", "`%toolstub list`")) from None
        except (ToolstubError, ValueError) as fault:
            raise UsageError(replies.in_a_cell(str(fault))) from None

    def toolstub_cell(self, line: str, _cell: str) -> None:
        """`%%toolstub off` above a cell shows its outputs whole; the input transformer has handled it before this."""
        raise UsageError(f"{line.strip()!r} cannot stand above a cell, only `{_SKIP}` can")

    def _run(self, arguments: Any) -> str | None:
        from . import replies

        workplace, values = self._workplace, [_unquoted(value) for value in arguments.values]
        match arguments.command:
            case "get":
                return self._get(_one(values, "get REF"), arguments.lines)
            case "show":
                self._show(_one(values, "show REF"), arguments.lines)
            case "search":
                pattern, *refs = values or [""]
                if not pattern or len(refs) > 1:
                    raise UsageError("write %toolstub search PATTERN [REF]")
                hits = workplace.originals.search(pattern, *refs, regex=arguments.regex,
                                                  ignore_case=arguments.ignore_case)
                replies.say(replies.matches(hits, pattern))
            case "query":
                if len(arguments.question) != 2:  # noqa: PLR2004
                    raise UsageError("write %toolstub query REF EXPR; * as EXPR lists what there is")
                ref, expression = arguments.question
                replies.say(replies.selected(workplace.originals.query(ref, _unwrapped(expression.strip()))))
            case "list":
                workplace.originals.recover()
                replies.say(replies.listing(workplace.originals.store.list(limit=20)))
            case "stats":
                replies.say(replies.statistics(workplace.desk.sums, workplace.originals.store.stats()))
            case "status":
                replies.say(replies.status(self, workplace.desk.sums, self.place))
            case "off" if arguments.cell:
                workplace.tap.skip_cell()
            case switch:
                _flush_streams()
                workplace.tap.flush()
                self.enabled = switch == "on"
        return None

    def _get(self, ref: str, lines: str | None) -> str:
        text = self._workplace.originals.text(ref, lines)
        self._workplace.desk.returned = text
        return text

    def _show(self, ref: str, lines: str | None) -> None:
        originals = self._workplace.originals
        if lines is not None:
            from .replies import say

            say(originals.text(ref, lines))
        elif getattr(self.shell, "kernel", None) is None:
            from IPython.core.page import page

            page(originals.text(ref))
        else:
            from .explorer import explore

            explore(originals, ref)

    def complete(self, _shell: Any, event: Any) -> list[str]:
        """Commands, then the refs of the newest originals."""
        words = event.line.split()[1:]
        if not words or (len(words) == 1 and not event.line.endswith(" ")):
            return [command for command in COMMANDS if command.startswith(event.symbol)]
        if words[0] not in _READS:
            return []
        try:
            return [str(entry.ref) for entry in self._workplace.originals.store.list().items]
        except ToolstubError:
            return []


def _one(values: list[str], usage: str) -> str:
    if len(values) != 1:
        raise UsageError(f"write %toolstub {usage}; `%toolstub list` shows the refs")
    return values[0]


def _refuse_what_is_not_meant(arguments: Any) -> None:
    """Words and options that the command does not take: `off SOMETHING` is probably not meant as `off`."""
    command = arguments.command
    if arguments.values and command not in _READS:
        raise UsageError(f"%toolstub {command} takes nothing more, so what is {' '.join(arguments.values)!r}?")
    for name, commands in _OPTIONS.items():
        if getattr(arguments, name) and command not in commands:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} goes with %toolstub {' and '.join(commands)} only")


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


def _unwrapped(expression: str) -> str:
    """An expression without the quotes that a shell would need around it; those of a field or a text stay."""
    wrapped = _WRAPPED.fullmatch(expression)
    return expression if wrapped is None else wrapped[1] or wrapped[2]


def _flush_streams() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
