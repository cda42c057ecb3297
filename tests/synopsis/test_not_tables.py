"""Lines with delimiters in them that are no rows of a table."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import synopsize


def lines(form: str, first: str = "", last: str = "", size: int = 60) -> str:
    """Lines of one form, in which `{n}` counts and `{w}` is a word."""
    words = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta")
    made = [form.format(n=n, m=n + 1, w=words[n % 7], v=words[n % 5]) for n in range(size)]
    return first + "".join(f"{line}\n" for line in made) + last


NO_TABLES = {
    "inserts": lines("INSERT INTO users VALUES ({n}, '{w} {v}', {m});"),
    "rows of an insert": lines("({n}, '{w} {v}', {m}),", "INSERT INTO users (id, name, age) VALUES\n"),
    "bytes in C": lines("  0x{n:02x}, 0x{m:02x}, 0x00, 0xff,", "static const unsigned char data[] = {\n", "};\n"),
    "a vector in R": lines("  {n}, {m}, 3,", "x <- c(\n", ")\n"),
    "calls": lines("draw({n}, {m}, {w})"),
    "a hash in Perl": lines("    {w}{n} => [{n}, '{v}', {m}],", "my %h = (\n", ");\n"),
    "lists of aliases": lines("a{m}: &a{m} [*a{n}, *a{n}, *a{n}]", "a0: &a0 [x]\n", size=20),
    "settings": lines("{w}_{n}={w},{v}"),
    "a disassembly": lines("  40{n:04x}:\t48 83 ec 08 \tsub $0x8,%rsp"),
    "a log of a workflow": lines("build\tSet up job\t2026-05-01T10:00:{n:02}.1234567Z {w} {v}, {w}: {n}"),
    "addresses": lines("{n} {w} Street, {v}, CA {n}000"),
    "figures with their names": lines("{w}: {n}, {v}: {m}, all: {n}"),
    "sentences": lines("The {w}, {v} and {w}, went to the {v} without a word."),
    "tabs in front": lines("\t{w} 'name {n}'", "Section {{\n", "}\n") + lines("\t\t{w}\n\t{v}"),
}
TABLES = {
    "a header and rows": (lines("{n},{w},{m}", "id,name,next\n"), "csv"),
    "no header": (lines("{n},{w},{m}.5"), "csv"),
    "blanks behind commas": (lines("{n}, {w}, {w} {v}", "id, name, note\n"), "csv"),
    "numbers with blanks": (lines("{n}.25, {m}.5, 3.75"), "csv"),
    "calls in quotes": (lines('"f({n}, {m})",{n}', "expression,value\n"), "csv"),
    "brackets in cells": (lines("{w} (old),{n}", "name,size\n"), "csv"),
    "an index without a name": (lines("{n}\t{w}\t{m}", "\tname\tsize\n"), "tsv"),
    "numbers of lines of files": (lines("{n}\t{m}\tsrc/{w}/{v}.py"), "tsv"),
    "years in the header": (lines("{w},{n},{m},3", "country,2019,2020,2021\n"), "csv"),
}


@pytest.mark.parametrize("text", NO_TABLES.values(), ids=NO_TABLES.keys())
def test_what_only_holds_delimiters_is_no_table(text: str) -> None:
    """Code, logs, settings and prose keep their kinds."""
    assert synopsize(text).kind not in ("csv", "tsv")


@pytest.mark.parametrize(("text", "kind"), TABLES.values(), ids=TABLES.keys())
def test_what_looks_a_little_like_it_is_still_a_table(text: str, kind: str) -> None:
    """Whatever its cells hold."""
    assert synopsize(text).kind == kind
