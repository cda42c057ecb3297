"""A synopsis as the text that stands in place of the original.

    [toolstub] tool result externalized
    tool_name: list_orders
    kind: json (array of objects)
    original_chars: 61204
    ...

    Synopsis
    - array of 500 ...

The whole stub always fits the limit: what matters least is left out first, a header line never.
"""

from __future__ import annotations

import json
import re
from typing import Literal

from .model import Anchor, Synopsis
from .wording import clip, one_line

HEADER_TOOL = "[toolstub] tool result externalized"
HEADER_CELL = "[toolstub] cell output externalized"
_FIRST_LINES = HEADER_TOOL + "\n", HEADER_CELL + "\n"

Face = Literal["tool", "cell"]

SHOWN_ANCHORS = 2
"""How many of the anchors a stub needs at most."""

_HEADER_CHARS = 300
_STORED = "original intact and stored"
_WINDOW = 60
_LEAST_WINDOW = 20
_LONG_LINES = 400
_HEADING_CHARS = 40
_quoted = json.JSONEncoder(ensure_ascii=False).encode
_NAME_AT_END = re.compile(r"[A-Za-z_]\w*$")


def is_stub(text: str) -> bool:
    """Whether `text` is a stub: its first line is exactly one of the two headers."""
    return text.startswith(_FIRST_LINES)


def render(
    synopsis: Synopsis,
    *,
    sha256: str,
    ref: str | None = None,
    tool: str | None = None,
    reason: str = "",
    face: Face = "tool",
    explore: bool = True,
    limit: int = 2300,
) -> str:
    """The stub, at most `limit` characters (at least 400 make sense).

    `sha256` is the hexadecimal digest of the original, of which 16 digits are shown. Without `ref` the stub promises
    nothing; with one it says that the original is intact and stored and, where `explore` is true, how to go on.
    """
    head = _header(synopsis, sha256, ref, tool, reason, face)
    tail = _tail(synopsis, ref, face) if ref and explore else (f"\n{_STORED}" if ref else "")
    if len(head) + len(tail) > limit:
        tail = f"\n{_STORED}" if ref and len(head) + len(_STORED) + 1 <= limit else ""
    return head + _body(synopsis, limit - len(head) - len(tail)) + tail


def _header(synopsis: Synopsis, sha256: str, ref: str | None, tool: str | None, reason: str, face: Face) -> str:
    detail = synopsis.title or synopsis.variant
    fields = [
        ("tool_name", one_line(tool or "tool", 64)),
        ("kind", synopsis.kind + (f" ({one_line(detail, 60)})" if detail else "")),
        ("original_chars", str(synopsis.chars)),
        ("lines", str(synopsis.lines)),
        ("ref", one_line(ref, 40) if ref else ""),
        ("sha256", sha256[:16]),
    ]
    lines = [HEADER_TOOL if face == "tool" else HEADER_CELL]
    lines += [f"{name}: {value}" for name, value in fields if value]
    room = _HEADER_CHARS - sum(map(len, lines)) - len(lines) - len("reason: ")
    if reason and room >= 8:
        lines.append("reason: " + one_line(reason, room))
    return "\n".join(lines)


def _body(synopsis: Synopsis, room: int) -> str:
    """The sections, the least important lines left out until they fit."""
    sections = {
        "Synopsis": list(synopsis.summary),
        "Structure": list(synopsis.structure),
        "Notable items": list(synopsis.notable_items),
    }
    sample = synopsis.sample
    while (body := _sections(sections, sample)) and len(body) > room:
        if sample is not None:
            over = len(body) - room
            sample = clip(sample, len(sample) - over - 1) if len(sample) - over > 60 else None
            continue
        over = len(body) - room
        name = next((name for name in ("Structure", "Notable items", "Synopsis") if sections[name]), None)
        if name is None:
            return ""
        line = sections[name].pop()
        if len(line) - over > 60:
            sections[name].append(clip(line, len(line) - over))
    return body


def _sections(sections: dict[str, list[str]], sample: str | None) -> str:
    blocks = [f"{name}\n" + "\n".join(f"- {line}" for line in lines) for name, lines in sections.items() if lines]
    if sample is not None:
        blocks.append("Sample\n" + fenced(sample))
    return "".join("\n\n" + block for block in blocks)


def fenced(text: str) -> str:
    """`text` between fences longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _tail(synopsis: Synopsis, ref: str | None, face: Face) -> str:
    if face == "cell":
        return f"\n\nExplore\n- {_STORED}: %toolstub get {ref}{_DOT}toolstub read {ref}"
    anchor = next(iter(synopsis.first_anchors(1)), None)
    read = f"toolstub_read(ref, {_range(synopsis, anchor)})"
    asked = _asked(synopsis, anchor)
    query = f"{_DOT}toolstub_query(ref, {_quoted(asked)})" if asked else ""
    return f"\n\nExplore\n- {_STORED}. {read}{_DOT}toolstub_search(query, ref){query}"


_DOT = " · "


def _asked(synopsis: Synopsis, anchor: Anchor | None) -> str:
    """An expression that selects something from the original: what the kind asks, or what is at the first anchor."""
    if synopsis.query:
        return synopsis.query
    if synopsis.kind == "code":
        name = _NAME_AT_END.search(anchor.label if anchor else "")
        return name[0] if name else ""
    if synopsis.variant == "markdown" or (synopsis.kind == "text" and synopsis.title.startswith("markdown")):
        headings = [anchor.label for anchor in synopsis.first_anchors(SHOWN_ANCHORS)]  # the first may be all of it
        return clip(headings[-1], _HEADING_CHARS).rstrip("…") if headings else ""
    return ""


def _range(synopsis: Synopsis, anchor: Anchor | None) -> str:
    """Where to read first: the lines from the first anchor on, or offsets where lines are long."""
    if synopsis.lines < 2 or synopsis.chars > synopsis.lines * _LONG_LINES:
        offset = anchor.offset if anchor else 0
        return f"offset={offset}, limit={max(400, min(anchor.length, 4000)) if anchor else 4000}"
    first = anchor.line if anchor else 1
    first = max(1, min(first, synopsis.lines - _LEAST_WINDOW))
    return f'lines="{first}:{min(synopsis.lines, first + _WINDOW - 1)}"'
