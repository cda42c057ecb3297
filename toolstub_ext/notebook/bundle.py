"""What stands in a cell in place of a large output: text for every reader, and a few lines of static HTML.

Nothing else, because front-ends and agents prefer any other mime type to plain text, and a widget view is dead after a
restart. The HTML says no more than the text; a click on it is answered by the runtime widget, if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..store import Entry
    from ..synopsis import Synopsis

VERSION = 1
HTML_CHARS = 1_500
_HEADER_CHARS = 300
_SECTIONS = frozenset({"Synopsis", "Structure", "Notable items", "Sample", "Last lines"})
_PLACE = "border-left:3px solid rgba(127,127,127,.45);padding:.15em 0 .15em .8em;margin:.2em 0"
_MONO = "font-family:var(--jp-code-font-family,monospace);font-size:12px;line-height:1.45"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A mime bundle and its metadata."""

    data: Mapping[str, str]
    metadata: Mapping[str, Any]

    @property
    def plain(self) -> str:
        """The text every reader understands."""
        return self.data["text/plain"]


def synopsis_of(text: str, *, tool: str, mime: str | None, stub_chars: int) -> Synopsis:
    """The facts about `text` that fit into a cell."""
    from ..synopsis import synopsize

    return synopsize(text, mime, tool=tool, budget=max(200, stub_chars - _HEADER_CHARS))


def stub(synopsis: Synopsis, entry: Entry, *, tool: str, reason: str, stub_chars: int, extra: str = "") -> Bundle:
    """The stub of a stored original, its text at most `stub_chars` characters; `extra` is one more line for it."""
    from ..synopsis import render

    plain = render(synopsis, sha256=entry.sha256, ref=entry.ref, tool=tool, reason=reason, face="cell",
                   limit=stub_chars - len(extra) - bool(extra))
    if extra:
        plain += "\n" + extra
    kind = synopsis.kind if synopsis.variant is None else f"{synopsis.kind}, {synopsis.variant}"
    title = f"{tool}: {kind}, {synopsis.chars:,} characters, {synopsis.lines:,} line{'s' * (synopsis.lines != 1)}"
    metadata = {"ref": entry.ref, "kind": synopsis.kind, "chars": synopsis.chars, "lines": synopsis.lines}
    return _bundle(plain, title, entry.ref, metadata)


def growing(name: str, *, tool: str, chars: int, lines: int, tail: str) -> Bundle:
    """What is shown while an output still grows: how much it is so far, and its end."""
    plain = (f"[toolstub] cell output still growing\ntool_name: {tool}\nchars_so_far: {chars}\nlines_so_far: {lines}\n"
             f"ref: {name}\n\nLast lines\n{tail}")
    title = f"{tool}: still growing, {chars:,} characters, {lines:,} lines so far"
    return _bundle(plain, title, name, {"ref": name, "chars": chars, "lines": lines})


def _bundle(plain: str, title: str, ref: str, metadata: Mapping[str, Any]) -> Bundle:
    plain = showable(plain)
    _, _, body = plain.partition("\n\n")
    data = {"text/plain": plain, "text/html": _html(title, ref, body)}
    return Bundle(data, {"toolstub": {**metadata, "version": VERSION}})


def _html(title: str, ref: str, body: str) -> str:
    body, _, _ = body.partition("\n\nExplore\n")
    page = _markup(title, ref, body)
    while len(page) > HTML_CHARS and body:
        body = body[: min(len(body) - 1, len(body) * (HTML_CHARS - 2) // len(page))]
        page = _markup(title, ref, body + "…")
    return page


def _markup(title: str, ref: str, body: str) -> str:
    return (
        f'<div style="{_PLACE}"><div style="font-size:13px">{escape(title)}</div>'
        f'<pre style="{_MONO};white-space:pre-wrap;overflow-wrap:anywhere;margin:.4em 0;opacity:.85">'
        f"{_headed(body)}</pre>"
        f'<details class="toolstub"><summary style="font-size:12px;cursor:pointer">Whole output '
        f"<code>{escape(ref)}</code></summary>"
        f'<pre style="{_MONO};margin:.4em 0">in a cell:  %toolstub get {escape(ref)}\n'
        f"in a shell: toolstub read {escape(ref)}\nto open it here: %load_ext toolstub_ext</pre>"
        f"</details></div>"
    )


def _headed(body: str) -> str:
    """The sections, escaped, their names in bold."""
    blocks = (block.partition("\n") for block in body.split("\n\n"))
    return "\n\n".join(
        (f"<b>{head}</b>" if head in _SECTIONS else escape(head)) + gap + escape(rest) for head, gap, rest in blocks
    )


def showable(text: str) -> str:
    """`text` as a page can show it: as `sendable`, without terminal codes, other control characters replaced."""
    return sendable(text).translate(_CONTROLS)


def sendable(text: str) -> str:
    """`text` as a message can carry it: pairs of surrogates joined, lone ones replaced. Others are lost on the way."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_CONTROLS = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\x1b"} | {0x1B: "", 0x7F: "\ufffd"}
