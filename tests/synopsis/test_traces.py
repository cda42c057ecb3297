"""Traces of many languages: what was raised with its line, and the frames."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import render, synopsize

PIERS = [(n, f"pier{n * 7 % 40:02}") for n in range(40)]

TRACES: dict[str, tuple[str, tuple[str, ...]]] = {
    "a group of exceptions": (
        '  + Exception Group Traceback (most recent call last):\n  |   File "tides.py", line 9, in run\n  |     read()\n'
        "  | ExceptionGroup: two piers (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n"
        + "".join(f'    |   File "{name}.py", line {n}, in read\n    |     low()\n' for n, name in PIERS)
        + "    | OSError: [Errno 5] too wet\n    +------------------------------------\n",
        ("line 86: OSError: [Errno 5] too wet", "line 4: ExceptionGroup: two piers", "41 frames"),
    ),
    "threads of a process that died": (
        "Fatal Python error: Segmentation fault\n\nThread 0x00007f0000000001 (most recent call first):\n"
        + "".join(f'  File "{name}.py", line {n} in read\n' for n, name in PIERS),
        ("line 1: Fatal Python error: Segmentation fault", "40 frames"),
    ),
    "an error in Perl": (
        "too wet at tides.pl line 3.\n"
        + "".join(f"\tTides::{name}({n}, 'low') called at lib/{name}.pm line {n}\n" for n, name in PIERS),
        ("line 1: too wet at tides.pl line 3.", "40 frames", "2 lib/pier00.pm:0 in Tides::pier00"),
    ),
    "an error in Lua": (
        "lua: tides.lua:3: too wet\nstack traceback:\n\t[C]: in function 'error'\n"
        + "".join(f"\t{name}.lua:{n}: in upvalue '{name}'\n" for n, name in PIERS),
        ("line 1: lua: tides.lua:3: too wet", "40 frames"),
    ),
    "an error in Tcl": (
        'too wet\n    while executing\n"error wet"\n'
        + "".join(f'    (procedure "{name}" line {n})\n    invoked from within\n"{name} low"\n' for n, name in PIERS),
        ("line 1: too wet", "40 frames"),
    ),
    "an error in Elixir": (
        "** (ArgumentError) too wet\n    (stdlib 4.2) erl_eval.erl:744: :erl_eval.do_apply/7\n"
        + "".join(f"    (tides 0.1.0) lib/{name}.ex:{n}: Tides.{name}/2\n" for n, name in PIERS),
        ("line 1: ** (ArgumentError) too wet", "41 frames"),
    ),
    "an error in a frame": (
        "╭───── Traceback (most recent call last) ─────╮\n"
        + "".join(f"│ lib/{name}.py:{n} in read │\n│ ╭─ locals ─╮ │\n│ │ n = {n} │ │\n│ ╰──╯ │\n" for n, name in PIERS)
        + "╰─────────────────────────────────────────────╯\nOSError: too wet\n",
        ("OSError: too wet", "40 frames", "2 lib/pier00.py:0 in read"),
    ),
    "what Valgrind finds": (
        "==7== Memcheck, a memory error detector\n==7== Command: ./tides\n==7== \n"
        + "".join(f"==7== Invalid read of size 4\n==7==    at 0x10918D: {name} (tides.c:{n})\n==7== \n" for n, name in PIERS)
        + "==7== 40 bytes in 1 blocks are definitely lost in loss record 1 of 1\n==7==    at 0x1091: low (tides.c:3)\n",
        ("line 124: ==7== 40 bytes in 1 blocks are definitely lost", "41 frames, 41 errors"),
    ),
    "an error inside of Node": (
        "[eval]:1\nlow(\n\nSyntaxError: missing ) after argument list\n"
        + "".join(f"    at {name} (node:internal/vm:{n}:14)\n" for n, name in PIERS),
        ("line 4: SyntaxError: missing ) after argument list", "40 frames"),
    ),
}


@pytest.mark.parametrize("name", TRACES)
def test_they_are_told_with_what_was_raised(name: str) -> None:
    """In the sections, at a large budget."""
    text, says = TRACES[name]
    found = synopsize(text, budget=2000)
    assert (found.kind, found.variant) == ("text", "traceback")
    shown = render(found, sha256="0" * 64, ref="ts_" + "0" * 16)
    assert not [said for said in says if said not in shown]
