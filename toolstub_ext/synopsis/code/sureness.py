"""How sure it is that lines are source code: as the words say, and by a few signs that words cannot tell."""

from __future__ import annotations

from itertools import islice

from ..patterns import Pattern
from .reading import WIDTH

_EVEN = 0.3
"""How sure it is where as much speaks for source code as against it."""
_PER_FOLD = 0.12
"""How much surer each power of e makes it by which it is likelier."""
_MONOTONOUS = 0.7
"""Signs alone are what data have as well: a few words of the language make it sure."""
_LESS, _MUCH_LESS = 0.5, 0.3
"""By how much each thing that source code seldom has makes it less sure."""
_LED_SHARE = 0.2
_LED = Pattern(
    r"\n(?:\d{1,7}[:-](?! )|\+{1,4} (?![\"'`])"
    r"|[^\w\n]{0,4}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|(?:INFO|DEBUG|WARN|ERROR)\b))"
)
"""What stands in front of lines that a search found, a trace of a shell or a log."""
_DIAGNOSED_SHARE = 0.1
_DIAGNOSED = Pattern(
    r":\d{1,7}(?: -|:) (?:fatal |internal )?(?:error|warning|note|info)\b|^(?:error|warning)(?:\[\w+\])?: "
    r"|[\s\d|]{0,20}[~^][~^-]*(?: [A-Z]{2}\d{3,5} .*)?$"
)
"""What a compiler says of source code, and the marks that it puts below."""
_MAPPING = Pattern(r"[\w-]{1,40}:(?: .*[^,;{(\[]$|$)")
"""How settings and documents with a heading of their own begin."""
_CUT_SHARE = 0.5
"""So many lines that are longer than what is read of them are data or prose."""
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
OPENING_LINES = 6
"""Within so many lines stands what opens a source."""
_OPENED_FOLDS = -2.5
_OPENS_SURELY = Pattern(r"from [\w.]+ import [\w(*]|#include [<\"]\w|\((?:def[a-z-]{1,20}|ns|in-package) [^()\s]")
_SURELY_FOLDS = -8.0
OPENED = 0.35
"""How sure an opening makes it, if not much speaks against source code: of a table, or of a file of source."""
_SIGN = Pattern(r"[(){}\[\];=<>$@#`\\]")
_SIGNED_ENDS = (":", "',", '",')
_END = Pattern(r"end(?<!\wend)\b")
_SIGNED_SHARE = 0.1
"""In so few lines at least of a source there is a sign."""
_STATED = 0.7
_STATED_FOLDS = 0.5
"""So many lines that end as statements do make an opening, if not much speaks against source code."""


def sureness(margin: float, telling: list[str], said: list[str], *, few: bool) -> float:
    """How sure it is that lines are source code, if so much more speaks for it than against it, in `few` words.

    `said` are the `telling` lines without what is left of comments.
    """
    sure = min(1.0, _EVEN + _PER_FOLD * margin)
    opened = margin > _OPENED_FOLDS and any(map(_OPENS_DATA.match, said[:OPENING_LINES]))
    opened = opened or (margin > _SURELY_FOLDS and _OPENS_SURELY.match(said[0]) is not None)
    sure = max(sure, OPENED if opened else 0.0) * (_MONOTONOUS if few else 1.0)
    stated = margin > _STATED_FOLDS and sum([line.endswith((";", "{}")) for line in said]) >= _STATED * len(said)
    if stated or (margin > _OPENED_FOLDS and any(map(_OPENS_SOURCE.match, said[:OPENING_LINES]))):
        opened, sure = True, max(sure, OPENED)
    if sure <= 0:
        return 0.0
    text, size = "\n".join(["", *said]), len(said)
    if len(_LED.findall(text)) > _LED_SHARE * size:
        sure *= _MUCH_LESS
    if not opened and list(map(len, said)).count(WIDTH) > _CUT_SHARE * size:
        sure *= _LESS
    if not opened and len([*islice(filter(_signed, said), int(_SIGNED_SHARE * size) + 1)]) < _SIGNED_SHARE * size:
        sure *= _MUCH_LESS
    explained = [line for line in telling if ": " in line or line[0] in "^~"]
    if sum(1 for line in explained if _DIAGNOSED.search(line)) > _DIAGNOSED_SHARE * len(telling):
        sure *= _MUCH_LESS
    fences = sum([line.startswith("```") for line in telling])
    if fences or _MAPPING.match(telling[0]):
        sure *= _LESS if fences <= 1 else _MUCH_LESS
    return sure


def _signed(line: str) -> bool:
    """Whether there is a sign in a line, or at its end, that hardly any prose has."""
    return line.endswith(_SIGNED_ENDS) or bool(_SIGN.search(line) or ("end" in line and _END.search(line)))
