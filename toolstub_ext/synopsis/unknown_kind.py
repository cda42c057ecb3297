"""Nothing to read: an empty text, bytes that are not text, or what its MIME type says it is and is not."""

from __future__ import annotations

from .facts import Facts
from .model import KindName, Source, Synopsis
from .patterns import Pattern
from .wording import count, excerpt, one_line

_CONTROL = Pattern("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BASE64 = Pattern(r"(?:data:[\w/+.;=-]{0,100},)?[A-Za-z0-9+/_-]{40,}={0,2}")
_MAGIC = {
    "\x89PNG": "PNG image",
    "%PDF-": "PDF document",
    "PK\x03\x04": "ZIP archive",
    "GIF8": "GIF image",
    "\x7fELF": "ELF executable",
    "bplist00": "binary property list",
    "\x1f\x8b": "gzip stream",
    "SQLite format 3": "SQLite database",
}


class UnknownKind:
    """Empty, binary and base64 text."""

    name: KindName = "unknown"

    def score(self, source: Source) -> float:
        """Certain of an empty text, of one with several NULs or many control characters, and of base64."""
        if _empty(source.text):
            return 1.0
        if _binary(source):
            return 0.99
        return 0.92 if _base64(source) else 0.0

    def describe(self, source: Source) -> Synopsis:
        """What can be said without reading."""
        return described(source, None)


kind = UnknownKind()


def _empty(text: str) -> bool:
    """Whether there are but blanks; a large text is rarely looked at as a whole."""
    blanks = "\ufeff \t\r\n"
    return not text[:1000].strip(blanks) and not text.strip(blanks)


def _binary(source: Source) -> bool:
    """By the control characters at the beginning and the NULs of the head."""
    start = source.clean[:1000]
    plain = start.replace("\n", "").replace("\t", "")
    if not plain.isprintable() and len(_CONTROL.findall(plain)) > len(start) * 0.05:
        return True
    return source.head.count("\0") > 1 + len(source.head) // 5000


def _base64(source: Source) -> bool:
    """Whether the text is one long run of base64, or lines of it."""
    lines = source.probe
    if len(source.clean) < 200 or not all(map(_BASE64.fullmatch, lines[:-1] or lines)):
        return False
    head = "".join(lines)[:2000]
    return (
        len(set(head)) > 24
        and any(map(str.isdigit, head))
        and any(map(str.isupper, head))
        and any(map(str.islower, head))
    )


def described(source: Source, why: str | None) -> Synopsis:
    """The synopsis of a text no kind can describe; `why` says what was tried."""
    facts = Facts(source)
    text = source.text
    if not text:
        facts.say("empty")
        return facts.build("unknown", "empty")
    if _empty(text):
        facts.say(f"empty but for {count(len(text), 'blank character')} in {count(source.line_index.count, 'line')}")
        return facts.build("unknown", "empty")
    binary = _binary(source)
    if why:
        facts.say(one_line(why, 200))
    if binary:
        name = next((name for magic, name in _MAGIC.items() if text.startswith(magic)), None)
        facts.say(f"binary data{': ' + name if name else ''}; {count(text.count(chr(0)), 'NUL')}")
    if not binary and not why and _base64(source):
        start = source.clean[:100].partition(",")[0] if source.clean.startswith("data:") else ""
        size = len(source.clean) * 3 // 4
        facts.say(f"base64, about {size} bytes{': ' + one_line(start, 80) if start else ''}")
        facts.notable("begins: " + one_line(source.clean[:80], 80))
        return facts.build("unknown", "base64")
    half = 300
    if len(text) <= 2 * half:
        facts.sample(text)
    else:
        facts.notable("begins: " + one_line(excerpt(text, 0, half), 240))
        facts.notable("ends: " + one_line(excerpt(text, len(text) - half, len(text)), 240))
    return facts.build("unknown", "binary" if binary else None)
