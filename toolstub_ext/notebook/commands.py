"""What each `%toolstub` line does."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from IPython.core.error import UsageError

from ..errors import RefNotFound, ToolstubError
from . import replies
from .desk import Desk, Limits

if TYPE_CHECKING:
    from .kernel import Tap
    from .originals import Originals
    from .terminal import TerminalTap

COMMANDS = ("on", "off", "status", "get", "search", "query", "list", "show", "stats")
READS = ("get", "show", "search", "query")
_WRAPPED = re.compile(r"'([^']+)'|\"([^\"]*[\[\]{}|=<>@*,#][^\"]*)\"")
_OPTIONS = {"lines": ("get", "show"), "regex": ("search",), "ignore_case": ("search",), "cell": ("off",)}


class Switches(Limits, Protocol):
    """The limits in force, in which shell, where the store is (None: the default place), and what `-h` shows."""

    @property
    def shell(self) -> Any: ...  # noqa: D102  as the class says

    @property
    def place(self) -> str | None: ...  # noqa: D102

    @property
    def usage(self) -> str: ...  # noqa: D102


class Workplace(Protocol):
    """What the commands work on: the switches, where outputs pass, where they are kept, where stubs are made."""

    @property
    def magics(self) -> Switches: ...  # noqa: D102  as the class says

    @property
    def tap(self) -> Tap | TerminalTap: ...  # noqa: D102

    @property
    def originals(self) -> Originals: ...  # noqa: D102

    @property
    def desk(self) -> Desk: ...  # noqa: D102

    def flush(self) -> None:
        """What was printed so far goes its way before anything changes."""


def obey(line: str, workplace: Workplace) -> str | None:
    """Do what `line`, all behind `%toolstub`, says; the text that `get` asks for.

    Raises UsageError, a line that says what to do, for everything that cannot be done.
    """
    command, _, rest = line.strip().partition(" ")
    asks = command == "query" and rest.strip() not in ("-h", "--help")
    try:
        words = [command] if asks else shlex.split(line, posix=False)  # an expression has quotes of its own
    except ValueError as fault:
        raise UsageError(f"{fault} in {line!r}") from None
    arguments = line_parser().parse_intermixed_args(words)
    arguments.question = rest.split(None, 1)
    if arguments.help:
        replies.say(workplace.magics.usage)
        return None
    if arguments.command not in COMMANDS:
        raise UsageError(replies.nearest(arguments.command, COMMANDS))
    _refuse_what_is_not_meant(arguments)
    try:
        return _run(arguments, workplace)
    except RefNotFound as fault:
        raise UsageError(str(fault).replace("`toolstub list`", "`%toolstub list`")) from None
    except (ToolstubError, ValueError) as fault:
        raise UsageError(replies.in_a_cell(str(fault))) from None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def line_parser() -> _Parser:
    """The words of a line; what they mean to a reader stands in the docstring of the magic."""
    parser = _Parser(prog="%toolstub", add_help=False, allow_abbrev=False)
    parser.add_argument("command", nargs="?", default="status")
    parser.add_argument("values", nargs="*")
    parser.add_argument("--lines")
    parser.add_argument("-e", "--regex", action="store_true")
    parser.add_argument("-i", "--ignore-case", action="store_true")
    parser.add_argument("--cell", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    return parser


def _run(arguments: Any, workplace: Workplace) -> str | None:
    values = [_unquoted(value) for value in arguments.values]
    originals, magics = workplace.originals, workplace.magics
    match arguments.command:
        case "get":
            workplace.desk.returned = text = originals.text(_one(values, "get REF"), arguments.lines)
            return text
        case "show":
            _show(_one(values, "show REF"), arguments.lines, originals, magics.shell)
        case "search":
            pattern, *refs = values or [""]
            if not pattern or len(refs) > 1:
                raise UsageError("write %toolstub search PATTERN [REF]")
            hits = originals.search(pattern, *refs, regex=arguments.regex, ignore_case=arguments.ignore_case)
            replies.say(replies.matches(hits, pattern))
        case "query":
            if len(arguments.question) != 2:  # noqa: PLR2004
                raise UsageError("write %toolstub query REF EXPR; of code and Markdown * lists what there is")
            ref, expression = arguments.question
            replies.say(replies.selected(originals.query(ref, _unwrapped(expression.strip()))))
        case "list":
            originals.recover()
            replies.say(replies.listing(originals.store.list(limit=20)))
        case "stats":
            replies.say(replies.statistics(workplace.desk.sums, originals.store.stats()))
        case "status":
            replies.say(replies.status(magics, workplace.desk.sums, magics.place))
        case "off" if arguments.cell:
            workplace.tap.skip_cell()
        case switch:
            workplace.flush()
            magics.enabled = switch == "on"
    return None


def _show(ref: str, lines: str | None, originals: Originals, shell: Any) -> None:
    if lines is not None:
        replies.say(originals.text(ref, lines))
    elif getattr(shell, "kernel", None) is None:
        from IPython.core.page import page

        page(originals.text(ref))
    else:
        from .explorer import explore

        explore(originals, ref)


def _one(values: list[str], usage: str) -> str:
    if len(values) != 1:
        raise UsageError(f"write %toolstub {usage}; `%toolstub list` shows the refs")
    return values[0]


def _refuse_what_is_not_meant(arguments: Any) -> None:
    """Words and options that the command does not take: `off SOMETHING` is probably not meant as `off`."""
    command = arguments.command
    if arguments.values and command not in READS:
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
