"""What a query means: a matcher finds its occurrences in UTF-8 bytes, in time linear in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from .base import encode


class Matcher(Protocol):
    """Occurrences from `start` on, in order, not overlapping and never empty, as spans of bytes."""

    def __call__(self, data: bytes, start: int) -> Iterator[tuple[int, int]]: ...


def matchers(query: str, *, regex: bool, ignore_case: bool) -> list[Matcher]:
    """The forms of a query, best first: as given and, for a literal one, as it stands escaped inside a JSON string."""
    if not query:
        raise ValueError("query is empty; give the text to look for")
    if regex:
        return [_regex(query, ignore_case)]
    return [_literal(form, ignore_case) for form in _forms(query)]


def longest_match(query: str, *, regex: bool) -> int | None:
    """How many code points a match can have at most; None if the query does not say."""
    return None if regex else max(map(len, _forms(query)))


def _forms(query: str) -> list[str]:
    escaped = (json.dumps(query, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))
    return list(dict.fromkeys([query, *escaped]))


def _literal(form: str, ignore_case: bool) -> Matcher:
    if not ignore_case:
        return partial(_find, encode(form))
    if form.isascii() or encode(form).decode("utf-8", "ignore") != form:  # RE2 knows no lone surrogates
        return partial(_find_lower, encode(form).lower())
    return _regex(re.escape(form), True)


def _find(needle: bytes, data: bytes, start: int) -> Iterator[tuple[int, int]]:
    while (at := data.find(needle, start)) >= 0:
        start = at + len(needle)
        yield at, start


def _find_lower(needle: bytes, data: bytes, start: int) -> Iterator[tuple[int, int]]:
    return _find(needle, data.lower(), start)


def _regex(pattern: str, ignore_case: bool) -> Matcher:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        compiled = re2.compile("(?m)" + pattern, options)
    except UnicodeEncodeError:
        raise ValueError("a regex cannot hold half of a surrogate pair; search for it without regex") from None
    except re2.error as error:
        raise ValueError(f"bad regex: {_said(error)} (RE2 syntax: no look-around, no back-references)") from None
    return partial(_find_regex, compiled.finditer)


def _find_regex(finditer: Callable[[bytes, int], Iterator[Any]], data: bytes, start: int) -> Iterator[tuple[int, int]]:
    for match in finditer(data, start):
        begin, end = match.span()
        if begin < end and data[begin] & 0xC0 != 0x80:  # after an empty match RE2 goes on at the next byte
            yield begin, end


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else "it does not compile"
    return " ".join((said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)).split())
