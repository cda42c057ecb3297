"""What a query means: a matcher finds its occurrences in UTF-8 bytes, in time linear in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from .base import encode
from .regexes import compiled

_CONTINUATION = 0b10
_ESCAPES = re.compile(r'\\.|"', re.DOTALL)
_ESCAPED = {'"': r'\\"', r"\"": r'\\"', r"\\": r"\\\\"}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds one form of a query in bytes.

    `occurs` is whether there is anything to find, at the least cost: most originals are passed over. `spans` are the
    occurrences from a place on, in order and not overlapping; a regex also has empty ones.
    """

    occurs: Callable[[bytes], bool]
    spans: Callable[[bytes, int], Iterator[tuple[int, int]]]


def matchers(query: str, *, regex: bool, ignore_case: bool) -> list[Matcher]:
    """The forms of a query, best first: as given, and as it stands escaped inside a JSON string."""
    if not query:
        raise ValueError("query is empty; give the text to look for")
    if regex:
        return [_regex(form, ignore_case=ignore_case) for form in dict.fromkeys((query, _inside_string(query)))]
    return [_literal(form, ignore_case=ignore_case) for form in _forms(query)]


def longest_form(query: str) -> int:
    """How many code points an occurrence of a literal query has at most."""
    return max(map(len, _forms(query)))


def _forms(query: str) -> list[str]:
    escaped = (json.dumps(query, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))
    return list(dict.fromkeys([query, *escaped]))


def _inside_string(pattern: str) -> str:
    """A regex for what it means where that stands escaped: another backslash is before each quote and backslash."""
    return _ESCAPES.sub(lambda found: _ESCAPED.get(found[0], found[0]), pattern)


def _literal(form: str, *, ignore_case: bool) -> Matcher:
    needle = encode(form)
    if not ignore_case:
        return Matcher(lambda data: needle in data, partial(_find, needle))
    if form.isascii() or _LONE_SURROGATE.search(form):  # RE2 knows no lone surrogates
        lower = needle.lower()
        return Matcher(lambda data: lower in data.lower(), partial(_find_lower, lower))
    return _regex(re.escape(form), ignore_case=True)


def _find(needle: bytes, data: bytes, start: int) -> Iterator[tuple[int, int]]:
    while (at := data.find(needle, start)) >= 0:
        start = at + len(needle)
        yield at, start


def _find_lower(needle: bytes, data: bytes, start: int) -> Iterator[tuple[int, int]]:
    return _find(needle, data.lower(), start)


def _regex(pattern: str, *, ignore_case: bool) -> Matcher:
    regex = compiled(pattern, ignore_case=ignore_case)
    return Matcher(lambda data: regex.search(data) is not None, partial(_find_regex, regex.finditer))


def _find_regex(finditer: Callable[[bytes, int], Iterator[Any]], data: bytes, start: int) -> Iterator[tuple[int, int]]:
    for match in finditer(data, start):
        begin, end = match.span()
        if not _splits_character(data, begin) and not _splits_character(data, end):
            yield begin, end


def _splits_character(data: bytes, at: int) -> bool:
    return at < len(data) and data[at] >> 6 == _CONTINUATION
