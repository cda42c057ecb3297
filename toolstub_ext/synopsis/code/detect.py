"""Whether lines are source code, and in which language: the weights of the words in them, and a few signs beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..patterns import Pattern
from . import tells
from .contained import narrowed
from .language import Language
from .languages import LANGUAGES
from .lists import listed
from .minified import minified_language
from .reading import SEARCHED, TELLING, WIDTH, commented, telling, telling_lines, words

_BY_NAME = {language.name: language for language in LANGUAGES}
_SHEBANG = Pattern(
    r"#!.{0,40}\b(python|ruby|perl|node|bash|zsh|sh|dash|ksh|lua|tclsh|wish|Rscript|php|octave|julia|groovy|pwsh|swipl"
    r"|escript|elixir|ocaml|guile|make|runghc|runhaskell)(?![A-Za-z-])"
)
_BY_SHEBANG = {"node": "javascript", "bash": "shell", "zsh": "shell", "sh": "shell", "dash": "shell", "ksh": "shell",
               "tclsh": "tcl", "wish": "tcl", "Rscript": "r", "pwsh": "powershell", "swipl": "prolog",
               "escript": "erlang", "guile": "lisp", "runghc": "haskell", "runhaskell": "haskell"}  # fmt: skip
_COMPONENT = ("<template>", "<script>", "<script ")
_TYPED = ('<script lang="ts"', '<script setup lang="ts"', '<script context="module" lang="ts"')
"""How components of Vue and Svelte begin, and those whose scripts are TypeScript."""
_CERTAIN = 0.95
_INSERTS = Pattern(r"(?i)insert into [\w.\"`\[\]]{1,120} ?(?:\([^)]{1,2000}\) ?)?values ?\(")
_POD = Pattern(r"=(?:head[1-4]|item|method|attr)[ \t]+\S|=(?:over|back|cut|pod)\b")
_LEAST_POD = 2
"""So many commands of Perl's documentation are what nothing else has."""
_EVEN = 0.3
"""How sure it is where as much speaks for source code as against it."""
_PER_FOLD = 0.12
_LIKELY = 2.0
EVIDENT_FOLDS = 12.0
"""Reports of failed tests are full of source code, and with fewer folds they may be taken for it."""
_ENOUGH = 36
_DOUBTFUL = 6.0
_FEW_OF = 5
"""If less speaks for a language, and so small a part of the lines tells something, they are read in other ways."""
_AHEAD = 3.0
"""So many telling lines that make a language evident, and others not nearly, need not be followed by others."""
_QUOTED = 0.4
_UNQUOTED = 1.0
"""With so large a share of lines with strings they are read without these, if that tells as much."""
_STRING = Pattern(r"(?<!\w)([\"'])(?:(?!\1)[^\\]|\\.){0,300}\1")
_LONG_STRING = Pattern(r"\"(?:[^\"\\]++|\\[\s\S]|(?!))*+(?:\"|\\?\Z)")
_FEW_LINES = 8
_FEW_WORDS = 2
_MONOTONOUS = 0.7
"""Signs alone are what data have as well: a few words of the language make it sure."""
_LED = Pattern(
    r"\n(?:\d{1,7}[:-](?! )|\+{1,4} (?![\"'`])"
    r"|[^\w\n]{0,4}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|(?:INFO|DEBUG|WARN|ERROR)\b))"
)
_DIAGNOSED = Pattern(
    r":\d{1,7}(?: -|:) (?:fatal |internal )?(?:error|warning|note|info)\b|^(?:error|warning)(?:\[\w+\])?: "
    r"|[\s\d|]{0,20}[~^][~^-]*(?: [A-Z]{2}\d{3,5} .*)?$"
)
_MAPPING = Pattern(r"[\w-]{1,40}:(?: .*[^,;{(\[]$|$)")
_OPENS_DATA = Pattern(
    r"(?:export )?(?:const |let |var |static |my |our )*[\w$@%.:]{1,60}(?:\[[\w'\"]{0,40}\])?"
    r"(?: ?: ?[\w\[\], ]{1,60})? ?=>? ?(?:dict|list|frozenset|Map)?[\[({]\s*(?:#.*)?$"
)
_OPENS_SOURCE = Pattern(
    r"from [\w.]+ import |import [\w.]+(?:, [\w.]+)*;?$|#include "
    r"|package [\w.]+;?$|import \($|use [\w:]+(?:::[\w*{]|;$)|module [A-Z]\w*$"
    r"|(?:import|export) (?:type )?(?:\w+(?:, )?)?(?:\{|\* as )|import \w+ from ['\"]|(?:const|let|var) [{\[]$"
    r"|(?:export |declare |public )*(?:interface|class|struct|enum|namespace) \w+[^.?!;]{0,120}\{\}?$"
    r"|(?:pub|export|static|public|private|constexpr) [\w$<>\[\]:;,'& ]{1,100} ?= ?[\[({]$"
    r"|[A-Z][A-Z0-9_]{3,60}(?: ?: ?[\w\[\], ]{1,60})? = [\[({]$"
    r"|\$\w+(?:->\w+|\[['\"]?\w{1,40}['\"]?\])+ *=[^=]"
    r"|(?:var |final |const |auto )?[A-Z][\w<>\[\], ]{0,60} [a-z]\w{0,40} = (?:new |await )?[\w.:<>]{1,80}\(.*\);$"
    r"|(?:return|print|cat) <<[-~]?['\"]?[A-Z]\w*['\"]?;?$|use strict|'use strict'"
    r"|class \w+\([\w., =\[\]]{0,100}\):$|function (?:\[[\w, ~]{1,100}\]|\w{1,40}) ?= ?\w"
)
_OPENING_LINES = 6
_OPENED_FOLDS = -2.5
_OPENS_SURELY = Pattern(r"from [\w.]+ import [\w(*]|#include [<\"]\w|\((?:def[a-z-]{1,20}|ns|in-package) [^()\s]")
_SURELY_FOLDS = -8.0
_OPENED = 0.35
"""How sure an opening makes it, if not much speaks against source code: of a table, or of a file of source."""
_SIGN = Pattern(r"[(){}\[\];=<>$@#`\\]|:$|['\"],$|\bend\b")
_SIGNED_SHARE = 0.1
_SIGN_CHARS = 3
"""What is left of a comment is no longer."""
_BARE_PACKAGE = Pattern(r"package [a-z_]\w{0,60}(?: //.*)?$")
"""What a package of Go has below its documentation, in a file of its own."""
_MARKED = 0.1
"""So much ahead of all others a language is put that an opening marks."""
_FUNCTION_THAT_GIVES = Pattern(r"function (?:\[[\w, ~]{1,100}\]|\w{1,40}) ?= ?\w+ ?(?:\(|$)")
"""How only Octave and Matlab begin a function: by what it gives."""
_ATTRIBUTE = Pattern(r":[a-z-]{2,30}:(?: |$)")
"""What documents in AsciiDoc begin with, in which `//` begins comments too."""
_MINIFIED_LINES = 6
_MINIFIED_SURE = 0.8
_REPORTED = Pattern(r"-- .{1,200} - (?:done|found|not found|skipped|works|yes|no|Success|Failed)$")
"""What CMake says that it looks for, behind what some languages begin comments with."""
_COMMENTS = ("//", "/*", "* ", "--", "#'", ";;")
_COMMENTED = 0.5
_NOTHING_ELSE = 0.9
_DOCUMENTED_FOLDS = -3.0
_LISTED = 0.95
"""How sure rows make it that only sources have, whatever stands in them."""
_STATED = 0.7
_STATED_FOLDS = 0.5
"""So many lines that end as statements do make an opening, if not much speaks against source code."""
_LED_SHARE = 0.2
_DIAGNOSED_SHARE = 0.1
class Told(NamedTuple):
    """The likeliest language, how sure it is, from 0.0 to 1.0, and how much more speaks for it than against it."""

    language: Language | None
    sure: float
    folds: float


def language_of(lines: list[str]) -> Told:
    """What language a text with these lines is in."""
    if certain := _marked(lines):
        return Told(_BY_NAME[certain], _CERTAIN, 0.0)
    told = _told(lines)
    return told if told.sure == 1.0 or not _has_pod(lines) else Told(_BY_NAME["perl"], _CERTAIN, 0.0)


def _told(lines: list[str]) -> Told:
    """What the words in the lines tell, and the comments where they tell little."""
    telling, known, scores = _weighed(lines)
    if len(telling) <= _MINIFIED_LINES and (minified := minified_language(lines)):
        return Told(_BY_NAME[minified], _MINIFIED_SURE, 0.0)
    if not scores:
        return Told(None, 0.0, 0.0)
    other = scores.pop(tells.OTHER)
    said = [line for line in telling if len(line) > _SIGN_CHARS]
    if len(said) <= _FEW_WORDS and any(map(_BARE_PACKAGE.match, said)):
        scores["go"] = max(scores.values()) + _MARKED
    if any(map(_FUNCTION_THAT_GIVES.match, said[:_OPENING_LINES])):
        scores["octave"] = max(scores.values()) + _MARKED
    name = max(scores, key=scores.__getitem__)
    folds = scores[name] - other
    doubtful = folds < _DOCUMENTED_FOLDS and 2 * len(said) > len(telling)
    sure = 0.0
    if not doubtful:
        name = narrowed(name, scores, lines)
        sure = _sureness(folds, telling, said or telling, few=tells.speaking(known, name) < _FEW_WORDS)
    if sure < _OPENED and (names := listed(said)):
        return Told(_BY_NAME[max(names, key=scores.__getitem__)], _LISTED, folds)
    if sure < _OPENED and not doubtful:
        sure = max(sure, _documented(lines))
    return Told(_BY_NAME[name], sure, folds)


def _marked(lines: list[str]) -> str:
    """The language whose mark stands there: how it is run or how it is opened; else none."""
    first = next((line for line in lines[:20] if line and not line.isspace()), "")
    if first.startswith("#!") and (shebang := _SHEBANG.match(first)):
        return _BY_SHEBANG.get(shebang[1], shebang[1])
    if first.startswith("<?php"):
        return "php"
    if first.startswith(_COMPONENT):
        return "typescript" if any(line.startswith(_TYPED) for line in lines[:SEARCHED]) else "javascript"
    return "sql" if _INSERTS.match(first) else ""


def _has_pod(lines: list[str]) -> bool:
    """Whether there are commands of Perl's documentation."""
    marked = [line for line in lines[:SEARCHED] if line[:1] == "="]
    return len(marked) >= _LEAST_POD and sum(1 for line in marked if _POD.match(line)) >= _LEAST_POD


def _documented(lines: list[str]) -> float:
    """How sure it is because of the comments: a documentation with a little source in between, or with none."""
    if not any(line.lstrip().startswith(_COMMENTS) for line in lines[:SEARCHED]):
        return 0.0
    if sum(1 for line in lines[:SEARCHED] if line[:1] == ":" and _ATTRIBUTE.match(line)) > 1:
        return 0.0
    if sum(1 for line in lines[:SEARCHED] if line[:3] == "-- " and _REPORTED.match(line)) > 1:
        return 0.0
    share = commented(lines)
    return _CERTAIN if share >= _NOTHING_ELSE else _OPENED if share >= _COMMENTED else 0.0


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
        known.update(tells.known(words(rest)))
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
    closing = next((n for n, line in enumerate(lines[:SEARCHED]) if '"""' in line or line.strip() == "*/"), None)
    if closing is not None and (inner := telling_lines(lines[closing + 1 :])):
        yield inner, 0.0
    if telling and telling[0][0] == "(" and (outer := telling_lines(_without_long_strings(lines))):
        yield outer, 0.0
    if sum(1 for line in telling if '"' in line or "'" in line) >= _QUOTED * len(telling):
        yield [_STRING.sub(r"\1\1", line) for line in telling], _UNQUOTED


def _without_long_strings(lines: list[str]) -> list[str]:
    """The lines without what stands in strings, which in Lisp go over several of them."""
    return _LONG_STRING.sub('""', "\n".join(lines[:SEARCHED])).split("\n")


def _read(telling: list[str]) -> tuple[Counter[str], dict[str, float]]:
    found = words(telling) if telling else []
    known = tells.known(found)
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


def _sureness(margin: float, telling: list[str], said: list[str], *, few: bool) -> float:
    """How sure it is that lines are source code, if so much more speaks for it than against it, in `few` words."""
    sure = min(1.0, _EVEN + _PER_FOLD * margin)
    opened = margin > _OPENED_FOLDS and any(map(_OPENS_DATA.match, said[:_OPENING_LINES]))
    opened = opened or (margin > _SURELY_FOLDS and _OPENS_SURELY.match(said[0]) is not None)
    sure = max(sure, _OPENED if opened else 0.0) * (_MONOTONOUS if few else 1.0)
    stated = margin > _STATED_FOLDS and sum([line.endswith((";", "{}")) for line in said]) >= _STATED * len(said)
    if stated or (margin > _OPENED_FOLDS and any(map(_OPENS_SOURCE.match, said[:_OPENING_LINES]))):
        opened, sure = True, max(sure, _OPENED)
    if sure <= 0:
        return 0.0
    text, size = "\n".join(["", *said]), len(said)
    if len(_LED.findall(text)) > _LED_SHARE * size:
        sure *= 0.3
    if not opened and list(map(len, said)).count(WIDTH) > 0.5 * size:
        sure *= 0.5
    if not opened and len([*islice(filter(_SIGN.search, said), int(_SIGNED_SHARE * size) + 1)]) < _SIGNED_SHARE * size:
        sure *= 0.3
    explained = [line for line in telling if ": " in line or line[0] in "^~"]
    if sum(1 for line in explained if _DIAGNOSED.search(line)) > _DIAGNOSED_SHARE * len(telling):
        sure *= 0.3
    fences = sum([line.startswith("```") for line in telling])
    if fences or _MAPPING.match(telling[0]):
        sure *= 0.5 if fences <= 1 else 0.3
    return sure
