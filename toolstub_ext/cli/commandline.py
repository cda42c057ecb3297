"""The parser of the whole command line, and how each sort of failure ends it."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import SettingsError, ToolstubError, in_one_line
from ..installing import how_to_install
from ..phrases import printable
from . import describing, originals, plugins, replaying, upkeep
from .arguments import STORE, Parser, UsageError, closest

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(argv: Sequence[str]) -> int:
    """Run one command; `argv` is without the program's name. The exit status."""
    if sys.stderr is None:  # `2>&-`; print would take None for stdout
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the life of the process
    if sys.stdout is None:
        return _fail("standard output is closed")
    _never_fail_to_print()
    try:
        status = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_stdout()  # the reader has had enough, which is no failure
        return 0
    except (UsageError, SettingsError) as error:
        return _fail(str(error), status=2)
    except ModuleNotFoundError as error:
        return _fail(how_to_install(error))
    except ToolstubError as error:
        return _fail(str(error))
    except MemoryError:
        return _fail("there is not enough memory for it")
    except OSError as error:
        _leave_stdout()
        return _fail(in_one_line(error))
    return status


def build_parser() -> Parser:
    """The whole command line, with the commands of installed plug-ins."""
    parser = Parser(prog="toolstub", description="Short stubs for large tool results; the originals stay readable.")
    parser.add_argument("--version", action="version", version=f"toolstub {__version__}")
    parser.add_argument("--store", metavar="URL", help=STORE)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for module in (describing, originals, upkeep, replaying):
        module.register(commands)
    plugins.register(commands)
    return parser


def _run(argv: Sequence[str]) -> int:
    parser = build_parser()
    if argv and argv[0].startswith("-") and argv[0].partition("=")[0] not in parser.flags:
        raise _unknown(parser, argv[0], parser.flags)
    try:
        args, unknown = parser.parse_known_args(argv)
    except SystemExit as finished:  # after --help and --version
        return int(finished.code or 0)
    if args.command is None:
        parser.print_help(sys.stderr)
        return 2
    if unknown:
        command = parser.command(args.command)
        raise _unknown(command, unknown[0], (*command.flags, *parser.flags))
    status: int = args.run(args)
    return status


def _unknown(parser: Parser, argument: str, flags: Sequence[str]) -> UsageError:
    others = [flag for flag in flags if flag != argument]  # --store of the whole is none of every command
    hint = closest(argument, others) if argument.startswith("-") else ""
    return UsageError(f"{parser.prog}: unknown argument {argument}{hint}; `{parser.prog} --help` lists them all")


def _fail(message: str, *, status: int = 1) -> int:
    line = printable(message)
    print(line if line.startswith("toolstub") else f"toolstub: {line}", file=sys.stderr)
    return status


def _never_fail_to_print() -> None:
    """Show a character that the terminal's encoding lacks as its escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_stdout() -> None:
    """Let go of what stdout cannot take, which the interpreter would try once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
