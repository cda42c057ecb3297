"""How long a synopsis takes of a text made to be slow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from .measuring import Figure, milliseconds
from .synopses import stub

GOAL_MS = 5.0
_HOPELESS_SECONDS = 0.5

_ALIASES = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20))
_MERGES = "".join(f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}\n" for n in range(1, 26))
_ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))

FAMILIES: Mapping[str, Mapping[str, str]] = {
    "yaml bombs, 1 KB": {
        "aliases": f"a0: &a0 [x, x, x]\n{_ALIASES}",
        "merge keys": f"m0: &m0 {{k: v}}\n{_MERGES}",
        "brackets": "a: " + "[" * 1000,
        "question marks": "? " * 500,
        "indicators": "- " * 500 + "x",
        "tags": "".join(f"k{n}: !!python/object/apply:os.getcwd []\n" for n in range(20)),
    },
    "xml bombs, 1 KB": {
        "laughs": f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "ha">{_ENTITIES}]><r>&e9;</r>',
        "quadratic": f'<!DOCTYPE r [<!ENTITY e "{"a" * 500}">]><r>{"&e;" * 150}</r>',
        "external": '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///dev/zero">]><r>&e;</r>',
        "attributes": "<r " + " ".join(f'a{n}=""' for n in range(120)) + "/>",
        "comment": "<!-" + "-" * 1000,
        "doctype": "<!DOCTYPE " + "[" * 1000,
    },
    "20 KB of blank lines and the like": {
        "blank lines": "\n" * 20_000,
        "spaces": " " * 20_000,
        "carriage returns": "\r" * 20_000,
        "blank lines with blanks": " \n\t\n" * 5_000,
        "spaces before a letter": " " * 20_000 + "x",
        "windows blank lines": "\r\n" * 10_000,
    },
    "20 KB of one thing": {
        thing.encode("unicode_escape").decode(): thing * (20_000 // len(thing))
        for thing in (
            '"', "'", "{", "[", "(", "<", ">", "#", "*", "-", "- ", ": ", "|", ",", '",', "\t", "=", "1", "1 ", "A ",
            "A\n", "a.", "/", "\\", "\x1b", "\x1b[", "\x00", "\ud800", "&a ", "*a ", "<!--", "<a ", "```\n", "@@ ",
            "+\n", "1:\n", "Error ", "key=", "%", "\u3000", "中",
        )
    },
    "3,000 levels deep": {
        "json arrays": "[" * 3_000 + "]" * 3_000,
        "json objects": '{"a":' * 3_000 + "1" + "}" * 3_000,
        "yaml": "a: " + "[" * 3_000 + "]" * 3_000,
        "xml": "<a>" * 3_000 + "</a>" * 3_000,
        "repr": "(" * 3_000 + ")" * 3_000,
    },
    "100,000 levels deep": {
        "json arrays": "[" * 100_000 + "]" * 100_000,
        "json objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
        "json never closed": "[" * 100_000,
        "yaml": "a: " + "[" * 100_000 + "]" * 100_000,
        "xml": "<a>" * 100_000 + "</a>" * 100_000,
        "html never closed": "<div>" * 100_000,
        "repr": "(" * 100_000 + ")" * 100_000,
    },
    "one long line, 1 MB": {
        "letters": "x" * 1_000_000,
        "words": "word " * 200_000,
        "commas": "a,b," * 250_000,
        "quotes": 'a,"' * 333_333,
        "base64": "QUJD" * 250_000,
        "script": "if(a){b()}" * 100_000,
        "tags": "<b>x</b>" * 125_000,
    },
}  # fmt: skip


def figures(*, full: bool) -> Iterator[Figure]:
    """The slowest of each family."""
    for family, texts in FAMILIES.items():
        worst, name = max((_taken(text, 21 if full else 7), name) for name, text in texts.items())
        yield Figure(f"{family}: the slowest of {len(texts)}", worst, "ms", GOAL_MS, note=name)


def _taken(text: str, rounds: int) -> float:
    """The median, or the first time if that is hopeless."""
    start = time.process_time()
    stub(text)
    first = time.process_time() - start
    return milliseconds(_copies(text), stub, rounds=rounds) if first < _HOPELESS_SECONDS else first * 1e3


def _copies(text: str) -> Callable[[], str]:
    data = text.encode("utf-8", "surrogatepass")
    return lambda: data.decode("utf-8", "surrogatepass")
