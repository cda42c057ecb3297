"""`toolstub synopsize`: what a stub would say about a text."""

from __future__ import annotations

import codecs
import errno
import hashlib
import sys
from typing import TYPE_CHECKING

from .arguments import count
from .console import print_json

if TYPE_CHECKING:
    import argparse

    from .arguments import Parser

_HEADER_CHARS = 300
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser("synopsize", help="show the stub of a file; nothing is stored")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    parser.add_argument("--mime", metavar="M", help="what the text is said to be, for example text/csv")
    parser.add_argument("--tool", metavar="T", help="the tool that gave it")
    parser.add_argument("--budget", metavar="N", type=count, default=1000, help="characters of the sections (1000)")
    parser.add_argument("--json", action="store_true", help="the synopsis as data")
    parser.set_defaults(run=_synopsize)


def _synopsize(args: argparse.Namespace) -> int:
    from ..synopsis import render, synopsize

    data = _read(args.file)
    text = decode(data)
    synopsis = synopsize(text, args.mime, tool=args.tool, budget=args.budget)
    if args.json:
        print_json(synopsis)
    else:
        digest = hashlib.sha256(data).hexdigest()
        print(render(synopsis, sha256=digest, tool=args.tool, limit=args.budget + 2 * _HEADER_CHARS))
    return 0


def _read(file: str) -> bytes:
    """All bytes of a file, or of standard input for `-`. OSError names the file."""
    if file == "-" and sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed", "standard input")
    try:
        if file == "-":
            return sys.stdin.buffer.read()
        with open(file, "rb") as source:  # noqa: PTH123 - Path("") would be the working directory
            return source.read()
    except OSError as error:
        error.filename = "standard input" if file == "-" else file or "''"
        raise


def decode(data: bytes) -> str:
    """UTF-8, or what a byte order mark says. Other bytes stand for one character each, as in Latin-1: what is binary
    shows as such, and a text in an old code page stays readable."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")
