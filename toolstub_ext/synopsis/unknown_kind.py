"""Nothing to read: an empty text, bytes that are not text, or what its MIME type says it is and is not."""

from __future__ import annotations

from base64 import b64decode

from .clean import BOM
from .facts import Facts
from .magic import named
from .model import KindName, Source, Synopsis
from .patterns import Pattern
from .wording import clip_front, count, excerpt, one_line

_SHOWN = 240
_CONTROL = Pattern("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_RUN = Pattern(r"(?s)([^\s\w])\1{7,}")
_BASE64 = Pattern(r"(?:data:[\w/+.;=-]{0,100},)?[A-Za-z0-9+/_-]{40,}={0,2}")


class UnknownKind:
    """Empty, binary and base64 text."""

    name: KindName = "unknown"

    def score(self, source: Source) -> float:
        """Certain of an empty text, of one with several NULs or many control characters, and of base64."""
        if _empty(source.clean):
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
    return not text[:1000].strip().strip(BOM) and not text.strip().strip(BOM)


def _binary(source: Source) -> bool:
    """By the control characters at the beginning and the NULs of the head."""
    start = source.clean[:1000]
    plain = start.replace("\n", "").replace("\t", "")
    if not plain.isprintable() and len(_CONTROL.findall(plain)) > len(start) * 0.05:
        return True
    encoded = source.encoded(source.clean)
    if encoded is not None and b"\0" not in encoded:  # which is sooner told than of text
        return False
    return "\0" in source.head and source.head.count("\0") > 1 + len(source.head) // 5000


def _base64(source: Source) -> bool:
    """Whether the text is one long run of base64, or lines of it."""
    lines = source.probe
    if len(source.clean) < 200 or not all(map(_BASE64.fullmatch, lines[:-1] or lines)):
        return False
    head = "".join(lines)[:2000] if len(lines) > 1 else source.clean[:2000]
    return (
        len(set(head)) > 24
        and any(map(str.isdigit, head))
        and any(map(str.isupper, head))
        and any(map(str.islower, head))
    )


def _shortened(text: str) -> str:
    """An excerpt on one line, in which a character that comes many times in a row stands once, with how often."""
    return " ".join(_RUN.sub(lambda run: f"{run[1]}×{len(run[0])}", text).split())


def _decoded(text: str) -> str:
    """What the beginning of base64 stands for, its bytes as code points."""
    start = "".join(text[:200].split())[:64].replace("-", "+").replace("_", "/")
    try:
        return b64decode(start[: len(start) // 4 * 4]).decode("latin-1")
    except ValueError:
        return ""


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
    if _empty(source.clean):
        facts.say(f"empty but for {count(len(text), 'character')} that a terminal does not show")
        return facts.build("unknown", "empty")
    binary = _binary(source)
    if why:
        facts.say(one_line(why, 200))
    if binary:
        name = named(text[:32])
        nuls = text.count("\0")
        others = 0 if nuls else len(_CONTROL.findall(source.head))
        marks = count(others, "control character") + source.part if others else count(nuls, "NUL")
        facts.say(f"binary data{': ' + name if name else ''}; {marks}")
    if not binary and not why and _base64(source):
        start, _, body = source.clean.partition(",") if source.clean.startswith("data:") else ("", "", source.clean)
        what = one_line(start, 80) or named(_decoded(body)) or ""
        facts.say(f"base64, about {len(body) * 3 // 4} bytes{': ' + what if what else ''}")
        facts.notable("begins: " + one_line(source.clean[:80], 80))
        return facts.build("unknown", "base64")
    half = 300
    if len(text) <= 2 * half:
        facts.sample(text)
    else:
        facts.notable("begins: " + one_line(_shortened(excerpt(text, 0, half)), _SHOWN))
        facts.ends(clip_front(_shortened(excerpt(text, len(text) - half, len(text))), _SHOWN), rank=10)
    return facts.build("unknown", "binary" if binary else None)
