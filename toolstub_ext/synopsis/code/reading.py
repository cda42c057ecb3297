"""What of a text can tell a language: the lines that say something, and the words and signs in them.

Comments and documentation are left out: half of a well-documented file is prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from ..patterns import Pattern

TELLING = 45
SEARCHED = 600
_LONGEST = 2000
WIDTH = 160
"""Longer lines are cut; so much of one is looked through for what opens or closes a documentation."""

_COMMENT = Pattern(
    r"//!?|/\*|\*(?:[ />]|$)|--(?:[ \t\[-]|$)|;(?:[ \t;]|$)|%(?:[ \t%]|$)|dnl |REM |\{-(?![A-Za-z])|<!--"
    r"|\(\*+(?=[ )]|$)|!(?:[ !$-]|$)|\"(?=[ \t][^\"]*$)|[Cc](?= {3}|$)"
    r"|#'(?=[ \t@]|$)"
    r"|#(?![!\[]|[ \t]{0,8}(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|line|import)\b"
    r"|[\w-]{1,60}[^;\n]{0,100}[{,]$)"
)
_COMMENT_STARTS = frozenset('/*#-;%dR{<(!"Cc')
_BULLET = Pattern(r"\* \S")
_NEUTRAL = frozenset(
    f"{first}{then}" for first in ("{", "}", ")", "]", "(", "[", "});", "};", ");", "})") for then in ("", ",", ";")
)
_DOCUMENTS = ("=head", "=pod", "=over", "=item", "=begin", "=encoding")
_LINE_COMMENTS = ("//", "#'", ";;")
_DASHED = Pattern(r"--(?:[ -]|$)")
_BLOCK = Pattern(r"/\*(?:[\s*!]|$)")
_BRACKETED = ("--[", "#[")
_BRACKET = Pattern(r"(?:--|#)\[(=*)\[")
"""What opens a comment over several lines in Lua and CMake."""
_OPENERS = ("/*", "{-", "(*", *_BRACKETED, *_DOCUMENTS)
_HERE = Pattern(r"<<[-~]?['\"]?([A-Z_]{3,20})\b")
"""Text up to the line that is this word."""
_FENCES = ("```", "~~~")
"""What opens and closes a source inside of a document: it says nothing of what the document is."""
_READ = r" {0,32}+(\0?+[@#$%&.:]?+\w++[\n:(!?]?+|[^\w\s\0\x1c-\x1f]{1,3}+\n?+)"
_WORDS = Pattern(_READ)
_ASCII_WORDS = Pattern(_READ, re.ASCII)


def telling_lines(lines: list[str]) -> list[str]:
    """What `telling` finds, all of it."""
    return list(telling(lines))


def telling(lines: list[str]) -> Iterator[str]:
    """The first 45 lines that are neither blank nor comment nor brackets alone, without their indent.

    Of a comment only the sign that opens it is left, as a line that does not count.
    """
    closing = ""
    left = TELLING
    searched = lines[:SEARCHED]
    fenced = False
    for line in searched:
        bare = line.strip() if len(line) <= _LONGEST else line[:_LONGEST].strip()
        if closing:
            if closing in bare:
                closing = ""
            continue
        if not bare or bare in _NEUTRAL:
            continue
        if '"""' in bare or "'''" in bare or bare.startswith(_OPENERS) or ";/*" in bare:
            closing = _opened(bare)
        elif "<<" in bare and (here := _HERE.search(bare)) and here[1] in map(str.strip, searched):
            closing = here[1]
        bullet = line[0] == "*" and _BULLET.match(line)
        if bare[0] in _COMMENT_STARTS and not bullet and (comment := _COMMENT.match(bare)):
            yield ";;" if bare[0] == ";" else comment[0].rstrip()
            continue
        if closing and bare[0] in "\"'=":
            yield bare[:3]
            continue
        if line.startswith(_FENCES):
            fenced = fenced or not sum(1 for each in searched if each.startswith(_FENCES)) % 2
            closing = bare[:3] if fenced else ""
        yield bare[:WIDTH]
        left -= 1
        if not left:
            return


def commented(lines: list[str]) -> float:
    """The share of comments that begin with `//`, `--`, `#'`, `;;` or `/*` among the first lines that are not blank.

    A block that does not end in them counts only if nothing but comments stands before it. The lines of one that has
    begun before the first line are told by their stars, one of which stands alone.
    """
    filled = comments = open_since = 0
    starred = [bare for line in takewhile(_starred, filter(str.strip, lines[:SEARCHED])) if (bare := line.strip())]
    for line in lines[:SEARCHED]:
        bare = line.strip()
        if not bare or filled == TELLING:
            continue
        filled += 1
        if not open_since and (bare.startswith(_LINE_COMMENTS) or _DASHED.match(bare)):
            comments += 1
        if not open_since and _BLOCK.match(bare):
            open_since = filled
        if open_since and "*/" in bare:
            comments += filled - open_since + 1
            open_since = 0
    if open_since == comments + 1:
        comments = filled
    if "*" in starred:
        comments = min(filled, comments + len(starred))
    return comments / filled if filled else 0.0


def _starred(line: str) -> bool:
    return line[0] in " \t" and line.lstrip()[0] == "*"


def _opened(bare: str) -> str:
    """What will close the documentation that a line opens; nothing if it opens none, or closes it itself."""
    for quote in ('"""', "'''"):
        if quote in bare:
            return quote if bare.count(quote) % 2 else ""
    if bare.startswith("/*"):
        return "" if "*/" in bare else "*/"
    if bare.startswith(_BRACKETED) and (bracket := _BRACKET.match(bare)):
        closing = f"]{bracket[1]}]"
        return "" if closing in bare else closing
    if bare.startswith("{-") and not bare[2:3].isalpha():
        return "" if "-}" in bare else "-}"
    if bare.startswith("(*"):
        return "" if "*)" in bare else "*)"
    if ";/*" in bare:
        return "" if "*/" in bare.rpartition(";/*")[2] else "*/"
    if bare.startswith(_DOCUMENTS):
        return "=end" if bare.startswith("=begin") else "=cut"
    return ""


def words(telling: list[str]) -> list[str]:
    r"""Names and runs of signs; one that begins a line has a `\0` in front, one that ends it a `\n` behind.

    `é` stands for each line with letters that are not ASCII.
    """
    text = "\0" + "\n\0".join(telling) + "\n"
    if text.isascii():
        return _ASCII_WORDS.findall(text)
    return _WORDS.findall(text) + ["é" for line in telling if not line.isascii()]
