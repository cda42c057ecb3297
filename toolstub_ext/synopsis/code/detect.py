"""Whether lines are source code, and in which language.

Marks decide it, else the weights of the words and signs in the first lines, and where these tell little, lists,
comments and endless lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..checked import CHECKED
from ..patterns import Pattern, holds
from . import tells
from .contained import narrowed
from .language import Language
from .languages import LANGUAGES
from .lists import listed
from .marked import has_pod, marked
from .minified import minified_language
from .reading import SEARCHED, TELLING, commented, telling, telling_lines, words
from .sureness import OPENED, OPENING_LINES, sureness

_BY_NAME = {language.name: language for language in LANGUAGES}
_CERTAIN = 0.95
"""How sure a mark makes it, or comments and hardly anything else."""
EVIDENT_FOLDS = 12.0
"""Reports of failed tests are full of source code, and with fewer folds they may be taken for it."""
_ENOUGH = 36
_AHEAD = 3.0
"""So many telling lines that make a language evident, and others not nearly, need not be followed by others."""
_LIKELY = 2.0
"""If less speaks for a language, the lines are read in other ways, too."""
_DOUBTFUL = 6.0
_FEW_OF, _FEW_LINES = 5, 8
"""So are they if so small a part of them tells something, or so few where as much speaks for a language."""
_QUOTED = 0.4
_UNQUOTED = 1.0
"""With so large a share of lines with strings they are read without these, if that tells as much."""
_STRING = Pattern(r"(?<!\w)(?:(\")(?:[^\"\\]++|\\.|(?!))*+\"|(')(?:[^'\\]++|\\.|(?!))*+')")
_LONG_STRING = Pattern(r"\"(?:[^\"\\]++|\\[\s\S]|(?!))*+(?:\"|\\?\Z)")
_FEW_WORDS = 2
"""Fewer different words of a language make it less sure."""
_SIGN_CHARS = 3
"""What is left of a comment is no longer."""
_BARE_PACKAGE = Pattern(r"package [a-z_]\w{0,60}(?: //.*)?$")
_BARE_LINES = 2
"""What a package of Go has below its documentation, in a file of its own, and hardly more."""
_MARKED = 0.1
"""So much ahead of all others a language is put that an opening marks."""
_FUNCTION_THAT_GIVES = Pattern(r"function (?:\[[\w, ~]{1,100}\]|\w{1,40}) ?= ?\w+ ?(?:\(|$)")
"""How only Octave and Matlab begin a function: by what it gives."""
_ATTRIBUTE = Pattern(r":[a-z-]{2,30}:(?: |$)")
"""What documents in AsciiDoc begin with, in which `//` begins comments too."""
_MINIFIED_LINES = 6
_MINIFIED_SURE = 0.8
_COMMENT = Pattern(r"\n[^\S\n]*+(?://|/\*|\* |--|#'|;;)")
_COMMENTED, _NOTHING_ELSE = 0.5, 0.9
"""With so large a share of comments it may be a source, and is one."""
_CLOSING = ('"""', "*/")
_DOCUMENTED_FOLDS = -3.0
"""If less speaks for a language, and not the comments alone are why, it is none."""
_LISTED = 0.95
"""How sure rows make it that only sources have, whatever stands in them."""


class Told(NamedTuple):
    """The likeliest language, how sure it is, from 0.0 to 1.0, and how much more speaks for it than against it."""

    language: Language | None
    sure: float
    folds: float


def language_of(lines: list[str]) -> Told:
    """What language a text with these lines is in."""
    if certain := marked(lines):
        return Told(_BY_NAME[certain], _CERTAIN, 0.0)
    told = _told(lines)
    return told if told.sure == 1.0 or not has_pod(lines) else Told(_BY_NAME["perl"], _CERTAIN, 0.0)


def _told(lines: list[str]) -> Told:
    """What the words in the lines tell, and the comments where they tell little."""
    telling, known, scores = _weighed(lines)
    if len(telling) <= _MINIFIED_LINES and (minified := minified_language(lines)):
        return Told(_BY_NAME[minified], _MINIFIED_SURE, 0.0)
    if not scores:
        return Told(None, 0.0, 0.0)
    other = scores.pop(tells.OTHER)
    said = [line for line in telling if len(line) > _SIGN_CHARS]
    if len(said) <= _BARE_LINES and any(map(_BARE_PACKAGE.match, said)):
        scores["go"] = max(scores.values()) + _MARKED
    if any(map(_FUNCTION_THAT_GIVES.match, said[:OPENING_LINES])):
        scores["octave"] = max(scores.values()) + _MARKED
    name = max(scores, key=scores.__getitem__)
    folds = scores[name] - other
    doubtful = folds < _DOCUMENTED_FOLDS and 2 * len(said) > len(telling)
    sure = 0.0
    if not doubtful:
        name = narrowed(name, scores, lines)
        sure = sureness(folds, telling, said or telling, few=tells.speaking(known, name) < _FEW_WORDS)
    if sure < OPENED and (names := listed(said)):
        return Told(_BY_NAME[max(names, key=scores.__getitem__)], _LISTED, folds)
    if sure < OPENED and not doubtful:
        sure = max(sure, _documented(lines))
    return Told(_BY_NAME[name], sure, folds)


def _documented(lines: list[str]) -> float:
    """How sure it is because of the comments: a documentation with a little source in between, or with none."""
    if not _COMMENT.search("\n".join(["", *lines[:SEARCHED]])):
        return 0.0
    if sum(1 for line in lines[:SEARCHED] if line[:1] == ":" and _ATTRIBUTE.match(line)) > 1:
        return 0.0
    if sum(1 for line in lines[:SEARCHED] if line[:3] == "-- " and CHECKED.match(line)) > 1:
        return 0.0
    share = commented(lines)
    return _CERTAIN if share >= _NOTHING_ELSE else OPENED if share >= _COMMENTED else 0.0


def _weighed(lines: list[str]) -> tuple[list[str], Counter[str], dict[str, float]]:
    """The telling lines, the words in them that tell something, and what they tell; the first lines if that is enough.

    A part of a file may begin in the middle of a documentation, so that what closes it seems to open one; it is read
    so if that tells more of source code.
    """
    reading = telling(lines)
    said = [*islice(reading, _ENOUGH)]
    known, scores = _read(said)
    if _margin(scores) >= EVIDENT_FOLDS and _lead(scores) >= _AHEAD:
        return said, known, scores
    if rest := [*reading]:
        said += rest
        known.update(tells.known(words(rest)))  # sooner done than to add counts
        scores = tells.weighed(known)
    margin = _margin(scores)
    few = _FEW_LINES if margin >= _DOUBTFUL else min(TELLING, len(lines) / _FEW_OF)
    if margin < _LIKELY or len(said) < few < len(lines) / 4:
        for other, least in _otherwise(lines, said):
            within, again = _read(other)
            if _margin(again) > max(least, _margin(scores)):
                said, known, scores = other, within, again
    return said, known, scores


def _otherwise(lines: list[str], telling: list[str]) -> Iterator[tuple[list[str], float]]:
    """Other lines to read where the telling ones tell little, each with what they have to tell at least.

    Those in a documentation are left out where a part of a file begins within one, and what stands in strings.
    """
    closing = _closing(lines[:SEARCHED])
    if closing is not None and (inner := telling_lines(lines[closing + 1 :])):
        yield inner, 0.0
    if telling and telling[0][0] == "(" and (outer := telling_lines(_without_long_strings(lines))):
        yield outer, 0.0
    if sum(1 for line in telling if '"' in line or "'" in line) >= _QUOTED * len(telling):
        yield [_STRING.sub(r"\1\1\2\2", line) for line in telling], _UNQUOTED


def _closing(lines: list[str]) -> int | None:
    """The place of the first line that may close a documentation, which in most texts none does."""
    if not holds("\n".join(lines), *_CLOSING):
        return None
    return next((place for place, line in enumerate(lines) if _CLOSING[0] in line or line.strip() == _CLOSING[1]), None)


def _without_long_strings(lines: list[str]) -> list[str]:
    """The lines without what stands in strings, which in Lisp go over several of them."""
    return _LONG_STRING.sub('""', "\n".join(lines[:SEARCHED])).split("\n")


def _read(telling: list[str]) -> tuple[Counter[str], dict[str, float]]:
    found = words(telling) if telling else []
    known = Counter(tells.known(found))
    return known, tells.weighed(known) if found else {}


def _margin(scores: dict[str, float]) -> float:
    """How much more speaks for one of the languages than for none."""
    return max((score for name, score in scores.items() if name != tells.OTHER), default=0.0) - scores.get(
        tells.OTHER, 0.0
    )


def _lead(scores: dict[str, float]) -> float:
    """How much more speaks for the likeliest language than for the next one."""
    *_, second, first = sorted(scores.values())
    return first - second
