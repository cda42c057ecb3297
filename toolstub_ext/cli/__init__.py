"""The `toolstub` command.

    toolstub synopsize FILE|-            what a stub would say about a text
    toolstub list | read REF | search QUERY | query REF EXPR | export REF DIR
    toolstub gc | pin REF | unpin REF | verify | stats
    toolstub proxy | run | demo          from the entry points of the group `toolstub.commands`

Exit status 0, 1 for a finding or a failure, 2 for wrong usage; an error is one line on stderr that says what to do.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import SettingsError, ToolstubError
from . import describing, originals, plugins, replaying, upkeep
from .arguments import Parser, UsageError, closest
from .installing import how_to_install

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` is without the program's name and defaults to the process's. The exit status."""
    _never_fail_to_print()
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _leave_closed_pipe()
    except (UsageError, SettingsError) as error:
        return _fail(str(error), status=2)
    except ModuleNotFoundError as error:
        return _fail(how_to_install(error))
    except ToolstubError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    return status


def build_parser() -> Parser:
    """The whole command line, with the commands of installed plug-ins."""
    parser = Parser(prog="toolstub", description="Short stubs for large tool results; the originals stay readable.")
    parser.add_argument("--version", action="version", version=f"toolstub {__version__}")
    parser.add_argument("--store", metavar="URL", help="where the originals are: a path or sqlite:///PATH")
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
    hint = closest(argument, flags) if argument.startswith("-") else ""
    return UsageError(f"{parser.prog}: unknown argument {argument}{hint}; `{parser.prog} --help` lists them all")


def _fail(message: str, *, status: int = 1) -> int:
    line = message.replace("\n", " ")
    print(line if line.startswith("toolstub") else f"toolstub: {line}", file=sys.stderr)
    return status


def _never_fail_to_print() -> None:
    """Show a character that the terminal's encoding lacks as its escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_closed_pipe() -> int:
    """The reader has had enough, which is no failure; keep the interpreter from flushing into the pipe again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
