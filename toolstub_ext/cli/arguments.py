"""An argument parser whose errors are one line and name what was probably meant."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from _typeshed import SupportsWrite

    from ..store import Store

T = TypeVar("T")

STORE = "where the originals are: a path or sqlite:///PATH"


class UsageError(Exception):
    """The command line asks for something that does not exist. Exit status 2."""


class _Formatter(argparse.HelpFormatter):
    """Names also what takes the rest of the line, which argparse shows as three dots."""

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if action.nargs == argparse.REMAINDER and isinstance(action.metavar, str):
            return action.metavar
        return super()._format_args(action, default_metavar)


class Parser(argparse.ArgumentParser):
    """Also the class of every subcommand's parser, so plug-ins get the same errors."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("allow_abbrev", False)
        kwargs.setdefault("formatter_class", _Formatter)
        super().__init__(*args, **kwargs)

    @property
    def flags(self) -> tuple[str, ...]:
        """All option strings, long and short."""
        return tuple(self._option_string_actions)

    def command(self, name: str) -> Parser:
        """The parser of one subcommand."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found: Parser = action.choices[name]
                return found
        raise LookupError(name)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """As argparse does, but it would say nothing of a full disk."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """One line, instead of the usage and an exit."""
        raise UsageError(f"{self.prog}: {message}; `{self.prog} --help` shows the usage")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            raise UsageError(
                f"{self.prog}: unknown command {value}{closest(value, action.choices)};"
                f" `{self.prog} --help` lists them all"
            )
        super()._check_value(action, value)


def closest(wrong: str, known: Iterable[str]) -> str:
    """`, did you mean X?` if one of the known names is near, else nothing. That two are options is no likeness."""
    names = {name.lstrip("-"): name for name in known}
    near = difflib.get_close_matches(wrong.partition("=")[0].lstrip("-"), list(names), n=1)
    return f", did you mean {names[near[0]]}?" if near else ""


def add_store(parser: argparse.ArgumentParser) -> None:
    """Allow `--store` behind the command as well as before it."""
    parser.add_argument("--store", metavar="URL", default=argparse.SUPPRESS, help=STORE)


def open_chosen_store(args: argparse.Namespace) -> Store:
    """The store of `--store`, else of the settings in force, if there is one: no command of this kind makes one."""
    from ..errors import StoreError
    from ..store import open_store

    if has_no_store(args):
        raise StoreError(f"there is no store at {chosen_place(args)}; check the path, if something was stored there")
    return open_store(_chosen(args))


def has_no_store(args: argparse.Namespace) -> bool:
    """Whether nothing has been stored in the chosen place; what cannot be looked at is left for the store to judge."""
    try:
        return chosen_place(args).stat().st_size == 0
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def chosen_place(args: argparse.Namespace) -> Path:
    """The file that `open_chosen_store` opens."""
    from ..store.location import locate

    return locate(_chosen(args)).path


def _chosen(args: argparse.Namespace) -> str | None:
    from ..settings import load_settings

    url: str | None = args.store or load_settings().store
    return url


def count(text: str) -> int:
    """A whole number from 0."""
    return _checked(text, int(text) if text.isdecimal() else None, "a whole number from 0")


def count_or_all(text: str) -> int:
    """A whole number from 0, or -1 for all there is."""
    return -1 if text == "-1" else _checked(text, int(text) if text.isdecimal() else None,
                                            "a whole number from 0, or -1 for all")


def positive(text: str) -> int:
    """A whole number from 1."""
    value = int(text) if text.isdecimal() else 0
    return _checked(text, value or None, "a whole number from 1")


def line_range(text: str) -> str:
    """Lines as `Store.read` takes them: from 1, inclusive."""
    from ..store.slices import parse_lines

    try:
        parse_lines(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def size(text: str) -> int:
    """A number of bytes, with K, M, G or T for powers of 1,024."""
    match = re.fullmatch(r"(\d+)([KMGT]?)B?", text.upper())
    value = int(match[1]) << 10 * " KMGT".index(match[2] or " ") if match else None
    return _checked(text, value, "a size such as 500M or 2G")


def _checked(text: str, value: T | None, wanted: str) -> T:
    if value is None:
        raise argparse.ArgumentTypeError(f"{text} is not {wanted}")
    return value
