"""`toolstub list`, `read`, `search`, `query` and `export`: what is stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..phrases import counted, in_columns, printable
from .arguments import (
    UsageError,
    add_store,
    chosen_place,
    count,
    count_or_all,
    has_no_store,
    line_range,
    open_chosen_store,
    positive,
)
from .console import note, print_json, write_text

if TYPE_CHECKING:
    import argparse

    from ..store import Hit, Slice, Store
    from .arguments import Parser

_PIECE_CHARS = 1 << 20
_SNIPPET_CHARS = 120


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the five commands."""
    _add_list(commands)
    _add_read(commands)
    _add_search(commands)
    _add_query(commands)
    parser = commands.add_parser("export", help="write an original to a new file")
    parser.add_argument("ref", metavar="REF", help="as a stub or `toolstub list` names it")
    parser.add_argument("directory", metavar="DIR", help="the folder for the file, which is made if it is not there")
    add_store(parser)
    parser.set_defaults(run=_export)


def _add_list(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("list", help="the stored originals, newest first")
    parser.add_argument("--session", metavar="S", help="only those of one conversation")
    parser.add_argument("--tool", metavar="T", help="only those of one tool")
    parser.add_argument("--limit", metavar="N", type=positive, default=50, help="at most so many (50)")
    parser.add_argument("--json", action="store_true", help="as data")
    add_store(parser)
    parser.set_defaults(run=_list)


def _add_read(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("read", help="print an original, byte for byte, or a part of it")
    parser.add_argument("ref", metavar="REF", help="as a stub or `toolstub list` names it")
    parser.add_argument("--offset", metavar="N", type=count, help="from this character on, counted from 0")
    parser.add_argument("--limit", metavar="N", type=count_or_all, help="at most so many characters; -1: all")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--lines", metavar="A:B", type=line_range,
                      help="these lines, from 1 and inclusive; also A:, :B and A alone")
    part.add_argument("--pointer", metavar="P", help="the value at a JSON pointer, for example /items/3/name")
    add_store(parser)
    parser.set_defaults(run=_read)


def _add_search(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("search", help="find a text in the originals; exit status 1 if it is nowhere")
    parser.add_argument("query", metavar="QUERY", help="the text as it stands there")
    parser.add_argument("--ref", metavar="REF", help="in one original only")
    parser.add_argument("--regex", action="store_true", help="the query is a regular expression (RE2)")
    parser.add_argument("-i", "--ignore-case", action="store_true", help="capitals match small letters")
    parser.add_argument("--limit", metavar="N", type=positive, default=20, help="at most so many matches (20)")
    parser.add_argument("--json", action="store_true", help="as data")
    add_store(parser)
    parser.set_defaults(run=_search)


def _add_query(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "query", help="select from an original by its structure; exit status 1 if there is nothing",
        description="JSON and YAML take JMESPath; a table columns, rows and a condition (id, amount where amount > 9 "
                    "rows 1:50); code a name; Markdown a heading; * lists those of both. What is nested "
                    "takes SPARQL as well (the extra graph).")
    parser.add_argument("ref", metavar="REF", help="as a stub or `toolstub list` names it")
    parser.add_argument("expression", metavar="EXPR", help="what to select")
    parser.add_argument("--json", action="store_true", help="as data")
    add_store(parser)
    parser.set_defaults(run=_query)


def _list(args: argparse.Namespace) -> int:
    if args.store is None and has_no_store(args):
        return _nothing_yet(args)
    with open_chosen_store(args) as store:
        entries = store.list(session=args.session, tool=args.tool, limit=args.limit)
    if args.json:
        print_json(entries)
    elif entries.items:
        rows = [(e.ref, e.kind or "-", e.chars, "chars", e.lines, "lines", e.created, e.tool or "-")
                for e in entries.items]
        print("\n".join(in_columns(rows)))
        if entries.total > len(entries.items):
            note(f"{entries.total - len(entries.items):,} more; --limit {entries.total} shows them all")
    elif args.session is None and args.tool is None:
        return _nothing_yet(args)
    else:
        note("nothing that is stored is of that session or tool; without --session and --tool, all is listed")
    return 0


def _nothing_yet(args: argparse.Namespace) -> int:
    if args.json:
        from ..store import Entries

        print_json(Entries((), 0, None))
    note(f"nothing is stored in {chosen_place(args)} yet")
    return 0


def _read(args: argparse.Namespace) -> int:
    place = next((name for name in ("lines", "pointer") if getattr(args, name) is not None), None)
    if place is not None and args.offset is not None:
        raise UsageError(f"toolstub read: --{place} and --offset both say where to begin; give one of them")
    with open_chosen_store(args) as store:
        if place is None and args.limit in (None, -1):
            _write_from(store, args.ref, args.offset or 0)
        else:
            _write_part(args, store)
    return 0


def _write_from(store: Store, ref: str, offset: int) -> None:
    """All from an offset on, in pieces, so that a large original needs little memory."""
    at: int | None = offset
    while at is not None:
        piece = store.read(ref, offset=at, limit=_PIECE_CHARS)
        if piece.offset >= piece.total_chars and offset:
            note(_end(piece))
        write_text(piece.text)
        at = piece.next_offset


def _write_part(args: argparse.Namespace, store: Store) -> None:
    limit = -1 if args.limit is None else args.limit
    part = _asked(store, args, limit)
    if part.offset >= part.total_chars:
        note(_end(part))
        return
    write_text(part.text)
    whole = args.lines is not None and not _cuts_lines(store, args, part)
    if whole and not part.text.endswith("\n"):
        write_text("\n")
    if part.next_offset is not None and not whole:
        end = part.offset + len(part.text)
        onward = "" if args.pointer is not None and args.limit in (None, -1) else f"; next: --offset {part.next_offset}"
        note(f"characters {part.offset:,} to {end:,} of {part.total_chars:,}{onward}")


def _cuts_lines(store: Store, args: argparse.Namespace, part: Slice) -> bool:
    """Whether the lines go on behind the limit."""
    return args.limit not in (None, -1) and len(_asked(store, args, args.limit + 1).text) > len(part.text)


def _end(part: Slice) -> str:
    return f"it ends before that: {counted(part.total_chars, 'character')}, {counted(part.total_lines, 'line')}"


def _asked(store: Store, args: argparse.Namespace, limit: int) -> Slice:
    try:
        return store.read(args.ref, offset=args.offset or 0, limit=limit, lines=args.lines, pointer=args.pointer)
    except ValueError as error:
        raise UsageError(f"toolstub read: {error}") from error


def _search(args: argparse.Namespace) -> int:
    with open_chosen_store(args) as store:
        hits, more = _found(store, args)
    if args.json:
        print_json({"items": [_as_dict(hit) for hit in hits], "more": more})
    else:
        for hit in hits:
            print(f"{hit.ref}:{hit.line}:{hit.offset}: {printable(hit.snippet)}")
        if more:
            note(f"there are more; --limit {args.limit * 10} shows them")
    return 0 if hits else 1


def _found(store: Store, args: argparse.Namespace) -> tuple[list[Hit], bool]:
    """One call searches a bounded amount; go on until there is enough or the end."""
    hits: list[Hit] = []
    cursor: str | None = None
    while True:
        try:
            found = store.search(args.query, ref=args.ref, regex=args.regex, ignore_case=args.ignore_case,
                                 limit=args.limit - len(hits), context_chars=_SNIPPET_CHARS, cursor=cursor)
        except ValueError as error:
            raise UsageError(f"toolstub search: {error}") from error
        hits.extend(found.items)
        cursor = found.cursor
        if cursor is None or len(hits) >= args.limit:
            return hits, cursor is not None or found.total > len(found.items)


def _query(args: argparse.Namespace) -> int:
    from ..querying import query

    with open_chosen_store(args) as store:
        try:
            answer = query(store, args.ref, args.expression)
        except ValueError as error:
            raise UsageError(f"toolstub query: {error}".replace("toolstub_", "toolstub ")) from error
    if args.json:
        print_json(answer.value)
    else:
        note(printable(answer.what.replace('toolstub_read lines="A:B"', "toolstub read REF --lines A:B")))
        write_text(f"{answer}\n")
    return 1 if answer.value in (None, []) else 0


def _as_dict(hit: Hit) -> dict[str, str | int]:
    return {"ref": hit.ref, "offset": hit.offset, "line": hit.line, "snippet": hit.snippet}


def _export(args: argparse.Namespace) -> int:
    folder = Path(args.directory)
    if not next(path for path in (folder, *folder.absolute().parents) if path.exists()).is_dir():
        raise UsageError(f"toolstub export: {args.directory} is a file, or lies in one; name a folder")
    with open_chosen_store(args) as store:
        print(store.export(args.ref, folder))
    return 0
