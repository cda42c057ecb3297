"""The representation of a value as Python (or a kin of it) prints it."""

from __future__ import annotations

import re
from collections import Counter

from ..facts import Facts
from ..magic import named
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import count, ending, excerpt, one_line
from .findings import say_findings
from .shape import Shape, share

_START = re.compile(
    r"\s*(?:(?P<call>(?:array|tensor|Tensor|\w+(?:Dict|Set|Counter|deque|Array|Index|Series|Frame|Result|Response"
    r"|Message|Model|Config|tuple)|[A-Z]\w{1,60}|namespace|set|frozenset|dict|datetime|tf\.Tensor)\((?=\S|$)"
    r"(?![^)\n]{0,200}\)\s*[:{]))|(?P<angle><(?:[\w.]+ (?:object|at|instance)|tf\.|bound method |coroutine |built-in "
    r"|class '|function |generator "
    r"|module ))"
    r"|(?P<bracket>[\[({]{1,4}\s{0,12}(?:'|\(|b'|-?\d+: "
    r"|None\b|True\b|False\b|array\(|\w+\(|-?\d[\d.]*(?:e[-+]?\d+)?[\s,\]]"
    r"|<\w|[A-Za-z_]\w{0,60}: (?:'|\[|\{|-?\d|null|undefined))))"
)
_MANUAL = re.compile(r"\s*[A-Z][\w.-]{0,60}\((?:\d\w{0,4}\) |\) {3})")
_JSON = re.compile(r"\s*[\[{]\s*(?:[\[{]\s*)*\"")
_SPLIT = re.compile(r"[\[({]")
_DTYPE = re.compile(
    r"\b(?:dtype|shape|requires_grad|grad_fn|device|Length|Name)[=:] ?(?:\([^)\n]{0,80}\)|torch\.\w+|<[^>\n]{0,60}>"
    r"|[\w'.]{1,40})"
)
_DTYPE_NAMES = ("dtype", "shape", "requires_grad", "grad_fn", "device", "Length", "Name")
_KEYED = re.compile(r"\s*\[\{(?:\}|\s*(?:'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|[^\s'\",:{}]{1,80})\s*:)")
_QUOTED = re.compile(r"(?<=[\[(, ])'([^'\n]{1,80})'(?=[\]),])")
_SIGNATURE = 32
_FIGURE = re.compile(r"-?\d{1,30}(?:\.\d{0,30})?(?:e[+-]?\d{1,3})?")
_DIGITS = b"0123456789"
_OF_FIGURES = _DIGITS + b".,+-e[]() \n\t"
_FIGURES_SHARE = 0.05
_LEAST_ITEMS = 20
_MOST_STATEMENTS = 0.4
_ROWS = 0.9
_PRINTED_ROWS = 0.86
"""Objects of one class, each printed on a line of its own."""
_FUNCTIONS = ("(function", "(()=>", "((e,", "!function")
_IN_NODE = Pattern(
    r"\s{1,40}(?:[A-Za-z_$][\w$]{0,60}|'[^'\n]{1,80}'): (?:\[(?:Function|AsyncFunction|Getter|Object\]|Array\])"
    r"|(?:Map|Set|\w{1,20}Array)\(\d{1,9}\) [\[{]|\d{4}-\d\d-\d\dT[\d:.]{8,12}Z,?$|<(?:Buffer|ref) |Symbol\()"
    r"|\s{1,40}\.\.\. \d{1,9} more items?$|\s{2,40}\(\w{1,40}\): [A-Z]\w{1,40}\("
)
"""What `util.inspect` writes for a function, a map, a date or what it leaves out; the layers of a model in PyTorch."""
_CERTAIN = 0.95
_READ_CHARS = 1 << 15
_WORDS = re.compile(r"'(?P<key>[^'\n]{1,60})': ")


def _score(source: Source) -> float:
    head = source.clean[:600]
    start = _START.match(head)
    if not start or _JSON.match(head) or _MANUAL.match(head) or "](" in head.partition("\n")[0]:
        return 0.0
    if share(source.probe, lambda line: line.endswith((";", "{"))) > _MOST_STATEMENTS or head.startswith(_FUNCTIONS):
        return 0.0
    last = source.clean[-200:].rstrip()[-1:]
    closed = 0.12 if last in ")]}>" else 0.0
    if start["call"]:
        name = _SPLIT.split(start["call"])[0]
        if share(source.probe, lambda line: line.startswith(name) and line.endswith(")") and "=" in line) > _ROWS:
            return _PRINTED_ROWS
        statements = sum(
            1
            for line in source.probe
            if re.match(r"[A-Za-z_]\w*(?:\.\w+)* ?(?:=|\()|(?:def|class|if|for|import) ", line)
        )
        fields = source.clean[:4000].count("=") + source.clean[:4000].count(",")
        return 0.74 + closed if fields >= 2 and statements <= 3 else 0.0
    if start["angle"]:
        return 0.72 + closed
    odd = holds(head, "('", "['", "{'", ": '", "None", "True", "False", "array(", "...", "(", ". ")
    rows = head.count("\n") == 0 or head.startswith((" ", "[", "(", "{"))
    return 0.8 + closed if rows and (odd or closed) else 0.55


def _inspected(source: Source) -> float:
    """Whether Node or PyTorch printed it: some of the values are written as no source has them."""
    if source.clean[:1] not in ("[", "{", "<") and not source.clean[:60].partition("\n")[0].endswith("("):
        return 0.0
    return _CERTAIN if any(map(_IN_NODE.match, source.probe)) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    text = source.clean
    start = _START.match(text[:600])
    opening = text.lstrip()[:60]
    name = ""
    if start and start["call"]:
        name = _SPLIT.split(start["call"])[0].strip()
    outer = name or {"[": "list", "(": "tuple", "{": "dict or set", "<": "object"}.get(opening[:1], "value")
    nested = {
        "[{": "list of dicts" if _KEYED.match(text[:400]) else "list of sets",
        "[(": "list of tuples",
        "[[": "list of lists",
        "({": "tuple of dicts",
        "((": "tuple of tuples",
    }
    outer = nested.get(opening[:2], outer) if not name else outer
    pieces = [
        f"about {joints + 1} {word}"
        for word, joints in (("tuples", text.count("), (")), ("dicts", text.count("}, {")))
        if joints > 2
    ]
    about = f", {' and '.join(pieces)}" if pieces else ""
    size = f"{count(len(source.text), 'character')} in {count(source.line_index.count, 'line')}"
    facts.say(f"printed {outer}, {size}{about}")
    _tell_items(source, facts)
    facts.dense("structure", _types(source.head[:20_000] + text[-300:]), rank=3, share=0.4)
    keys = dict.fromkeys(match["key"] for match in _WORDS.finditer(source.head))
    facts.dense(
        "structure",
        [one_line(key, 40) for key in list(keys)[:60]],
        lead=f"{len(keys)} keys{source.part}: ",
        rank=5,
        share=0.5,
    )
    say_findings(source, facts, most=2, rank=4)
    room = max(160, source.budget // 3)
    facts.notable("begins: " + one_line(text[: room + 400], room), rank=8)
    facts.ends(ending(text, room), rank=9)
    return ""


def _types(text: str) -> list[str]:
    """What the value says of its type and shape, each once."""
    return list(dict.fromkeys(_DTYPE.findall(text))) if holds(text, *_DTYPE_NAMES) else []


def _where_it_stands(text: str, word: str) -> str:
    """A word in quotes as it may be told: what is before it may say that it is a secret."""
    at = text.find(f"'{word}'") + 1
    return excerpt(text, at, at + len(word))


def _tell_items(source: Source, facts: Facts) -> None:
    """How many numbers there are and between which, or which of the words in quotes come most often."""
    start = source.head[:_READ_CHARS]
    part = "" if len(start) == len(source.clean) else f" in the first {len(start)} characters"
    words = _QUOTED.findall(start) if "'" in start else []
    if len(words) >= _LEAST_ITEMS:
        different = Counter(words)
        often = [(word, number) for word, number in different.most_common(4) if number > 1]
        most = ", ".join(f"{one_line(_where_it_stands(start, word), 30)} {number}" for word, number in often)
        told = f"{len(words)} words in quotes{part}, {len(different)} different"
        facts.say(told + (f" (most often: {most})" if most else ""), rank=2)
        return
    start = start.partition("=")[0]  # what follows is the type and the like
    written = start.encode("utf-8", "surrogatepass")
    others, signs = (len(written.translate(None, wanted)) for wanted in (_OF_FIGURES, _DIGITS))
    if others > _FIGURES_SHARE * len(start) or len(written) - signs + others < _LEAST_ITEMS:
        return
    figures = [*map(float, _FIGURE.findall(start)[: -1 if part else None])]
    if len(figures) >= _LEAST_ITEMS:
        first = figures[:_SIGNATURE]
        what = named("".join(map(chr, map(int, first)))) if _are_bytes(first) else ""
        what = what if what and _are_bytes(figures) else ""
        facts.say(
            f"{len(figures)} numbers{part}, {min(figures):g}..{max(figures):g}{f': bytes of a {what}' if what else ''}",
            rank=2,
        )


def _are_bytes(figures: list[float]) -> bool:
    return min(figures) >= 0 and max(figures) < 256 and all(map(float.is_integer, figures))


shape = Shape("repr", _score, _tell)
inspected = Shape("repr", _inspected, _tell, early=True)
