"""Languages that contain another: what they alone have decides which of the two it is."""

from __future__ import annotations

from ..patterns import Pattern
from .reading import SEARCHED

_OWN = {
    "cpp": ("c", Pattern(
        r"\n[ \t]{0,20}(?:namespace \w|template ?<|class \w+(?: final)?(?: ?[:{]|(?=\n))|using namespace |public:"
        r"|private:|(?:virtual|constexpr|explicit) \w)|\bstd::|\bnullptr\b|\b(?:static|dynamic|reinterpret|const)_cast<"
        r"|\w::~?\w+\(|\boperator ?[=+<>!(\[*-]"
        r"|\n[ \t]{0,8}#[ \t]{0,8}include ?<(?:\w{1,40}>|boost/|\w[\w/]{0,60}\.hpp>)")),
    "objectivec": ("c", Pattern(
        r"\n[-+] ?\([\w *<>]{1,60}\) ?\w|[(=:,] ?@\""
        r"|\n[ \t]{0,8}@(?:end(?=\n)|interface|implementation|property|synthesize|class)\b"
        r"|\bNS(?:String|Array|Dictionary|Log|Object|Error|Number|URL|Data)\b"
        r"|(?:\n[ \t]{1,40}|[=(] ?|return )\[\w{1,40} \w{1,60}(?:\]|:\S)")),
    "typescript": ("javascript", Pattern(
        r"\n[ \t]{0,20}(?:export )?(?:declare )?(?:interface|type|enum|namespace|abstract class) \w+|\nimport type "
        r"|\n[ \t]{1,20}(?:public|private|protected|readonly) \w"
        r"|\n[ \t]{0,20}(?:export )?(?:declare )?(?:const|let) \w{1,60}: ?[A-Za-z{]"
        r"|\n[ \t]{0,20}(?:export )?(?:default |declare )?(?:async )?function \w{1,60}[^\n'\"]{0,100}\w\??: ?[A-Za-z]"
        r"|\n[ \t]{1,20}\w{1,60}\??: (?:string|number|boolean|any|unknown)(?:\[\])?[;,]?(?=\n)"
        r"|\): (?:void|string|boolean|number|Promise<)")),
}  # fmt: skip
"""Of a language that contains another: the other, and what it alone has, wherever it stands."""
_OWN_FOLDS = 3.0


def narrowed(name: str, scores: dict[str, float], lines: list[str]) -> str:
    """The language `name`, or the one that it contains or is contained in; that one has its score in `scores`, too."""
    told, text = name, ""
    for large, (small, own) in _OWN.items():
        if told not in (small, large) or (told == large and scores[large] - scores[small] > _OWN_FOLDS):
            continue
        text = text or "\n".join(["", *lines[:SEARCHED]])
        if own.search(text):
            told = large
            break
        told = small
    scores[told] = max(scores[told], scores[name])
    return told
