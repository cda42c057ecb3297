"""What a text is searched for: pieces and words as they stand, and patterns, compiled when they are first used.

Compiling all patterns takes longer than most synopses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property


def holds(text: str, *pieces: str) -> bool:
    """Whether one of the pieces stands in a text of hundreds of characters or more.

    Where none does, as is mostly so, that is told far sooner by looking from the end: what `in` and `find`
    do with a piece of several characters is the slower search.
    """
    for piece in pieces:  # noqa: SIM110 - `any` takes twice as long
        if text.rfind(piece) >= 0:
            return True
    return False


class Pattern:
    """What `re.compile(source, flags)` gives, later; only the methods that are used here."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self._source, self._flags)

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """As `re.Pattern.match`."""
        return self.compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        """As `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """As `re.Pattern.search`."""
        return self.compiled.search

    @cached_property
    def finditer(self) -> Callable[..., Iterator[re.Match[str]]]:
        """As `re.Pattern.finditer`."""
        return self.compiled.finditer

    @cached_property
    def findall(self) -> Callable[..., list[str]]:
        """As `re.Pattern.findall`, of a pattern with at most one group."""
        return self.compiled.findall

    @cached_property
    def split(self) -> Callable[..., list[str]]:
        """As `re.Pattern.split`."""
        return self.compiled.split

    @cached_property
    def sub(self) -> Callable[..., str]:
        """As `re.Pattern.sub`."""
        return self.compiled.sub


class Words:
    """Words that are looked for all at once, which in a long text is far sooner than one by one."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    @cached_property
    def _match(self) -> Callable[[bytes], list[int] | None]:
        import re2  # type: ignore[import-untyped]  # here, because most stubs of values have no use for it

        found = re2.Set.SearchSet()
        for word in self._words:
            found.Add(re2.escape(word))
        found.Compile()
        match: Callable[[bytes], list[int] | None] = found.Match
        return match

    def within(self, text: str) -> list[str]:
        """Those that stand in a text, in their order; ASCII is looked at as if nothing else stood in between."""
        return [self._words[place] for place in sorted(self._match(text.encode("ascii", "ignore")) or ())]
