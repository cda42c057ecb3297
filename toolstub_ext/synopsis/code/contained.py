"""Languages that contain another: what they alone have decides which of the two it is."""

from __future__ import annotations

from dataclasses import dataclass

from ..patterns import Pattern, holds
from .reading import SEARCHED


@dataclass(frozen=True, slots=True)
class _Own:
    """What a language has that the `small` one, which it contains, has not: `lines` that begin so, or `pieces`.

    In front of each piece stands what it begins with or holds: most texts have none of it, which is far sooner told.
    Pieces begin with letters or signs, for which all of a text is searched far sooner; what stands
    in front of these is looked at from behind.
    """

    small: str
    lines: Pattern
    pieces: tuple[tuple[str, Pattern], ...]

    def stands_in(self, text: str) -> bool:
        """Whether something of the kind is in a text, a line end in front of each line."""
        return self.lines.search(text) is not None or any(
            holds(text, mark) and piece.search(text) for mark, piece in self.pieces
        )


_OWN = {
    "cpp": _Own(
        "c",
        Pattern(
            r"\n[ \t]{0,20}+(?:namespace \w|template ?<|class \w+(?: final)?(?: ?[:{]|(?=\n))|using namespace "
            r"|public:|private:|(?:virtual|constexpr|explicit) \w"
            r"|#[ \t]{0,8}include ?<(?:\w{1,40}>|boost/|\w[\w/]{0,60}\.hpp>))"
        ),
        (
            ("::", Pattern(r"::(?:(?<=\bstd::)|(?<=\w::)~?\w+\()")),
            ("nullptr", Pattern(r"nullptr\b(?<!\wnullptr)")),
            ("_cast<", Pattern(
                r"_cast<(?:(?<=\bstatic_cast<)|(?<=\bconst_cast<)|(?<=\bdynamic_cast<)|(?<=\breinterpret_cast<))"
            )),
            ("operator", Pattern(r"operator(?<!\woperator) ?[=+<>!(\[*-]")),
        ),
    ),
    "objectivec": _Own(
        "c",
        Pattern(
            r"\n(?:[-+] ?\([\w *<>]{1,60}\) ?\w"
            r"|[ \t]{0,8}+@(?:end(?=\n)|interface|implementation|property|synthesize|class)\b"
            r"|[ \t]{1,40}+\[\w{1,40} \w{1,60}(?:\]|:\S))"
        ),
        (
            ('@"', Pattern(r"@\"(?:(?<=[(=:,]@\")|(?<=[(=:,] @\"))")),
            ("NS", Pattern(r"NS(?<!\wNS)(?:String|Array|Dictionary|Log|Object|Error|Number|URL|Data)\b")),
            ("[", Pattern(r"\[(?:(?<=[=(]\[)|(?<=[=(] \[)|(?<=return \[))\w{1,40} \w{1,60}(?:\]|:\S)")),
        ),
    ),
    "typescript": _Own(
        "javascript",
        Pattern(
            r"\n[ \t]{0,20}+(?:(?:export )?(?:declare )?(?:interface|type|enum|namespace|abstract class) \w+"
            r"|(?:export )?(?:declare )?(?:const|let) \w{1,60}: ?[A-Za-z{]"
            r"|(?:export )?(?:default |declare )?(?:async )?function \w{1,60}[^\n'\"]{0,100}\w\??: ?[A-Za-z]"
            r"|(?<=\n)import type "
            r"|(?<=[ \t])(?:(?:public|private|protected|readonly) \w"
            r"|\w{1,60}\??: (?:string|number|boolean|any|unknown)(?:\[\])?[;,]?(?=\n)))"
        ),
        (("): ", Pattern(r"\): (?:void|string|boolean|number|Promise<)")),),
    ),
}  # fmt: skip
"""Of a language that contains another: what it alone has."""
_OWN_FOLDS = 3.0


def narrowed(name: str, scores: dict[str, float], lines: list[str]) -> str:
    """The language `name`, or the one that it contains or is contained in; that one has its score in `scores`, too."""
    told, text = name, ""
    for large, own in _OWN.items():
        small = own.small
        if told not in (small, large) or (told == large and scores[large] - scores[small] > _OWN_FOLDS):
            continue
        text = text or "\n".join(["", *lines[:SEARCHED]])
        if own.stands_in(text):
            told = large
            break
        told = small
    scores[told] = max(scores[told], scores[name])
    return told
