"""HTML, which need not be well-formed: title, outline, and how much of what."""

from __future__ import annotations

from ..facts import Facts
from ..model import Source, Synopsis
from ..patterns import Pattern
from ..wording import count, one_line

_OPENING = Pattern(
    r"(?i)\s*+(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)?(?:<!doctype html|<html[\s>]|<head[\s>]|<body[\s>])"
)
_TEMPLATE = Pattern(r"\s*+(?:\{%|\{\{|\{#|<%)")
_PART = Pattern(
    r"(?i)\s*+<(?:div|p|span|table|thead|tbody|tr|td|th|ul|ol|li|dl|dt|dd|h[1-6]|nav|section|article|pre)\b"
    r"[^<>{}]{0,300}>"
)
"""What a page is cut out of a larger one with; components of programs have braces in their tags."""
_DOCUMENT = Pattern(r"(?m)^(?:#{1,4} |```|\.\. |[-*] )|\]\(http")
"""What a document in plain text has that begins with a picture or two."""
_LEAST_TAGS = 5
_TAG = Pattern(
    r"(?i)<(?:div|p|span|a|table|tr|td|th|ul|li|h[1-6]|form|input|button|script|style|body|section|nav|img|br|label|em"
    r"|strong)\b[^<>]{0,2000}>"
)
_HEADING = Pattern(r"(?i)<h(?P<level>[1-6])\b[^<>]{0,500}>(?P<text>(?:[^<]|<(?!/h)){0,400})")
_TITLE = Pattern(r"(?i)<title\b[^<>]{0,200}>(?P<text>[^<]{0,300})")
_MARKUP = Pattern(r"<[^<>]{0,1000}>")
_INVISIBLE = Pattern(r"(?is)<(script|style)\b.{0,20000}?</\1\s{0,4}>")
_COUNTED = ("a", "img", "table", "form", "input", "script", "style", "li", "iframe", "section")
_ID = Pattern(r"(?i)\bid=[\"'](?P<id>[\w:.-]{1,80})[\"']")


def looks_like(head: str) -> bool:
    """Whether the first 4,000 characters are HTML, a template of it included."""
    if _OPENING.match(head):
        return True
    if "</" not in head or not (_TEMPLATE.match(head) or (_PART.match(head) and not _DOCUMENT.search(head))):
        return False
    return len(_TAG.findall(head)) >= _LEAST_TAGS


def described(source: Source) -> Synopsis:
    """The synopsis of a page."""
    facts = Facts(source)
    head = source.head
    lower = source.clean.lower() if len(source.clean) < 1 << 22 else head.lower()
    title = _TITLE.search(head)
    facts.say(
        f"HTML{': ' + one_line(title['text'], 140) if title else ''}; {count(len(source.text), 'character')}, "
        f"{count(source.line_index.count, 'line')}"
    )
    counts = [
        (name, lower.count(f"<{name} ") + lower.count(f"<{name}>") + lower.count(f"<{name}/")) for name in _COUNTED
    ]
    lead = f"{source.part.strip()}: " if len(lower) < len(source.clean) else ""
    facts.dense("summary", [f"{name} {number}" for name, number in counts if number], rank=2, share=0.3, lead=lead)
    outline = [
        (head.count("\n", 0, m.start()) + 1, int(m["level"]), _MARKUP.sub(" ", m["text"]))
        for m in _HEADING.finditer(head)
    ]
    items = [
        f"{source.number(line)} {'#' * level} {one_line(text, 90)}" for line, level, text in outline if text.strip()
    ]
    facts.dense("structure", items, rank=4, share=0.6, of_head=True)
    for line, _, text in outline[:16]:
        facts.anchor_line(text, line)
    names = dict.fromkeys(match["id"] for match in _ID.finditer(head))
    facts.dense("structure", list(names), lead="ids: ", rank=9, share=0.4, of_head=True)
    text = " ".join(_MARKUP.sub(" ", _INVISIBLE.sub(" ", head[:30000])).split())
    if text:
        facts.notable("text begins: " + one_line(text, max(160, source.budget // 3)), rank=6)
    return facts.build("xml", "html")
