"""Pieces of foreign text made fit to stand in a stub: one line, bounded, harmless, without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .patterns import Pattern, Words

MASK = "[masked]"

_SECRET = Pattern(
    r"\b(?:sk|pk|rk)(?:-[A-Za-z0-9_-]{16,}|_(?:live|test)_[A-Za-z0-9_-]{10,})"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeoprs]-[\w-]{10,}|\bA[KS]IA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-]{0,4000}+"
    r"(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
    r"|\b[Bb]earer[ \t]+(?P<bearer>[\w.~+/=-]{12,})"
    r"|://[^\s/:@'\"]{0,80}:(?P<userinfo>[^\s/@'\"]{1,200})@"
    r"|(?P<name>(?:[Pp]ass(?:word|wd|phrase)?|PASS(?:WORD|WD|PHRASE)?|[Ss]ecret|SECRET|[Tt]oken|TOKEN"
    r"|[Aa]pi[_-]?[Kk]ey|API[_-]?K(?:EY|ey)|[Aa]ccess[_-]?[Kk]ey|ACCESS[_-]?KEY|[Pp]rivate[_-]?[Kk]ey|PRIVATE[_-]?KEY"
    r"|[Cc]redentials?|CREDENTIALS?|[Aa]uthorization)\\?[\"']?[ \t]{0,4}(?::=|[:=])[ \t]{0,4})"
    r"(?:\\?[\"'](?P<quoted>[^\"'\s\\]{6,300})|(?P<bare>(?=[^\s\"',;)]{0,60}\d)[A-Za-z0-9+/_=.~-]{8,300}))"
)

_SECRET_NAME = Pattern(
    r"(?i:pass(?:words?|wd|phrases?)|secrets?|token|credentials?|authorization"
    r"|(?:api|access|private)[ _-]?key)(?![a-z])|(?i:(?<![a-z])pass\Z)"
)
_ABOUT_A_SECRET = Pattern(
    r"[ _.-]?(?:count|type|name|ids?|length|limit|usage|used|expir(?:y|es|ed|ation|es_at|es_in)|ttl|at|ur[il]|policy"
    r"|status|enabled|total|version)\Z", re.IGNORECASE
)
"""How a name ends that has the word of a secret in it and tells something else: `token_type`, `secret_name`."""

_NAMES = ("pass", "secret", "token", "api", "access", "private", "credential", "authorization", "://")
_MARKED = ("sk-", "pk-", "rk-", "xox", "glpat-", "-----BEGIN")
_JOINED = ("sk_", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "hf_", "npm_")
_BARE = ("AKIA", "ASIA", "AIza", "eyJ", "Bearer", "bearer")
_OPENINGS = tuple(dict.fromkeys(map(str.lower, (*_NAMES, *_MARKED, *_JOINED, *_BARE))))
"""What a match of _SECRET begins with, in lower case: found far sooner than the pattern is tried everywhere. The
first go with a `:` or `=` and are written in any way, the next with a `-`, those joined with a `_`; the others may do
without any of these."""
_ANY_OPENING = Words(_OPENINGS)
_LONG = 2_000
"""Openings are looked for all at once in what is longer, one by one in what is not."""

_LONGEST_KEY = 4_200  # what a private key takes, its first line included
_SHORTEST = 19  # a secret that holds none of `-:=` is at least this long
_SHORTEST_NAMED = 6  # `://:x@`
_LONGEST_OPENING = 32  # what of a secret has to be seen to look for it

_HARMFUL = Pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"  # the last are tags: letters that nobody sees
)


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 row`, `2 rows`: a number with its noun."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def clip(text: str, most: int) -> str:
    """At most `most` characters of `text`, with an ellipsis in place of the rest."""
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"


def clip_front(text: str, most: int) -> str:
    """The last of `text`, at most `most` characters, with an ellipsis in place of what is before it."""
    return text if len(text) <= most else "…" + text[len(text) - max(0, most - 1) :]


def ending(text: str, most: int) -> str:
    """The end of `text` as one harmless line of at most `most` characters, secrets masked."""
    return clip_front(" ".join(excerpt(text, max(0, len(text) - most), len(text)).split()), most)


def first_word(line: str) -> str:
    """The first word of a line; nothing of one that is all blanks."""
    return next(iter(line.split(None, 1)), "")


def harmless(text: str) -> str:
    """`text` with control, direction and invisible characters and lone surrogates written as escapes."""
    return text if text.isprintable() else _HARMFUL.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str, most: int = 120) -> str:
    """The beginning of `text` as one harmless line of at most `most` characters, secrets masked."""
    if len(text) < _SHORTEST and text.isalnum() and len(text) <= most:
        return text  # a word
    shown = text[: most + 400] if len(text) > most + 400 else text
    if may_hold_secret(shown[: most + _LONGEST_OPENING]):
        shown = masked(shown)
    if not shown.isprintable() or "  " in shown or shown.strip() is not shown:
        shown = harmless(" ".join(shown.split()))
    return clip(shown, most)


def excerpt(text: str, start: int, end: int) -> str:
    """`text[start:end]` without secrets and made harmless; line breaks are kept."""
    return harmless(without_secrets(text, start, end))


def without_secrets(text: str, start: int, end: int) -> str:
    """`text[start:end]` without the parts of a secret, however the cut falls through it."""
    opened = text.rfind("-----BEGIN ", max(0, start - _LONGEST_KEY), start)
    before, after = max(0, min(start - 300, opened if opened >= 0 else start)), end + 300
    window = text[before:after]
    pieces: list[str] = []
    at = start - before
    last = min(end, len(text)) - before
    for first, behind in _secret_spans(window):
        if behind <= at or first >= last:
            continue
        pieces += [window[at : max(at, first)], MASK]
        at = behind
    pieces.append(window[at:last])
    return "".join(pieces)


def masked(text: str) -> str:
    """`text`, which is short, with everything that looks like a secret replaced."""
    pieces: list[str] = []
    at = 0
    for first, behind in _secret_spans(text):
        pieces += [text[at:first], MASK]
        at = behind
    return "".join([*pieces, text[at:]]) if pieces else text


def names_secret(name: str) -> bool:
    """Whether a text under this name, such as `password` or `api_key`, is a secret because of it."""
    return may_name_secret(name) and bool(_SECRET_NAME.search(name)) and not _ABOUT_A_SECRET.search(name)


def may_name_secret(names: str) -> bool:
    """Whether one of several names may be such; none is for which this is false of all in one string."""
    return _holds(names.lower(), _NAMES)


def may_hold_secret(text: str) -> bool:
    """Whether something in it is what a secret begins with, where the signs are that go with it."""
    size = len(text)
    if size < _SHORTEST_NAMED:
        return False
    if (":" in text or "=" in text) and may_name_secret(text):
        return True
    if "-" in text and _holds(text, _MARKED):
        return True
    return size >= _SHORTEST and (_holds(text, _BARE) or ("_" in text and _holds(text, _JOINED)))


def _holds(text: str, openings: tuple[str, ...]) -> bool:
    for opening in openings:  # noqa: SIM110 - `any` takes twice as long, and every item of a stub is asked
        if opening in text:
            return True
    return False


def _secret_spans(text: str) -> list[tuple[int, int]]:
    """Where the secrets of a text stand; of `password = "x"` only the x."""
    long = len(text) > _LONG
    if not long and not may_hold_secret(text):
        return []
    low = text.lower()
    if len(low) != len(text):
        starts = list(range(len(text)))
    else:
        openings = _ANY_OPENING.within(low) if long else [opening for opening in _OPENINGS if opening in low]
        starts = sorted(at for opening in openings for at in _places(low, opening))
    spans: list[tuple[int, int]] = []
    behind = 0
    for start in starts:
        found = _SECRET.match(text, start) if start >= behind else None
        if found:
            group = found.lastgroup
            spans.append(found.span(group) if group and group != "name" else found.span())
            behind = found.end()
    return spans


def _places(text: str, piece: str) -> Iterator[int]:
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)
