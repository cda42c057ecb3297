"""What a browser shows to those who cannot see, and to agents: the nodes of a page with their role, name and id.

[846] heading "Latest work"                        - heading "Latest work" [level=2] [ref=e12]
  [865] checkbox "Research"  [checked: false]        - checkbox "Research" [ref=e13]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from re import Match

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape

_ROLE = Pattern(r"[ \t]{0,160}(?:- )?'?(?:\[\w{1,12}\] |uid=\w{1,24} )?([A-Za-z]{2,24})")
"""How a node begins; most lines of other texts have no role there."""
_NODE = Pattern(
    r"[ \t]{0,160}(?:- )?'?(?:\[(?P<number>\w{1,12})\] |uid=(?P<uid>\w{1,24}) )?(?P<role>[A-Za-z]{2,24})"
    r"(?: (?P<quote>[\"'])(?P<name>.{0,400}?)(?P=quote))?(?=[\s:,'\[]|$)(?P<rest>.*)$"
)
_BESIDE = Pattern(r"[ \t]{0,160}- /\w+:|```|#{2,4} |(?:- )?Page |$")
"""Addresses of links, and what a browser's server puts around the tree."""
_REF = Pattern(r"\[ref=(\w{1,16})\]")
_TITLE = Pattern(r"(?:- )?Page Title: (.{1,200})$")
_ADDRESS = Pattern(r"(?:- )?Page URL: (.{1,300})$")
_CONTROLS = (
    "button", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton", "listbox",
    "menuitem", "tab", "option",
)  # fmt: skip
_CALLS = ("alert", "alertdialog", "dialog", "status")
_PARTS = (
    "article", "banner", "cell", "columnheader", "complementary", "contentinfo", "definition", "figure", "form",
    "generic", "grid", "gridcell", "group", "iframe", "image", "img", "LabelText", "link", "list", "listitem", "main",
    "menu", "menubar", "navigation", "none", "paragraph", "presentation", "progressbar", "region", "RootWebArea", "row",
    "rowgroup", "rowheader", "search", "separator", "StaticText", "strong", "emphasis", "tablist", "tabpanel", "table",
    "term", "text", "toolbar", "tooltip", "tree", "treeitem", "WebArea", "LineBreak", "code", "blockquote", "document",
    "application", "log", "marquee", "math", "note", "time", "timer", "DisclosureTriangle", "InlineTextBox",
)  # fmt: skip
_ROLES = frozenset(("heading", *_CONTROLS, *_CALLS, *_PARTS))
_TEXTS = ("StaticText", "text", "InlineTextBox", "paragraph")
_LISTED = (
    ("headings: ", ("heading",), 0.45), ("controls: ", _CONTROLS, 0.6), ("links: ", ("link",), 0.6),
    ("text: ", _TEXTS, 1.0),
)  # fmt: skip
_SHARE = 0.75
_LEAST_LINES = 4
_LEAST_ROLES = 3
_LEAST_NAMED = 0.4
_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class _Node:
    """A node with its line: what an agent needs to point at it."""

    line: int
    role: str
    id: str
    name: str


def _matched(line: str) -> Match[str] | None:
    role = _ROLE.match(line)
    return _NODE.match(line) if role and role[1] in _ROLES else None


def _score(source: Source) -> float:
    seen = look(source)
    if not seen.has('"', "'", "[ref=") or not sum(1 for line in seen.few if _matched(line)) * 3 > len(seen.few):
        return 0.0
    if not any("[ref=" in line or "] " in line or "uid=" in line for line in seen.lines):
        return 0.0
    lines = [line for line in seen.lines if not _BESIDE.match(line)]
    if len(lines) < _LEAST_LINES:
        return 0.0
    found = [match for line in lines if (match := _matched(line))]
    told = sum(1 for match in found if match["name"] is not None or match["number"] or match["uid"])
    marked = sum(1 for match in found if match["number"] or match["uid"] or "[ref=" in match["rest"])
    sure = len(found) >= _SHARE * len(lines) and len({match["role"] for match in found}) >= _LEAST_ROLES
    return 0.95 if sure and max(told, marked) >= _LEAST_NAMED * len(found) and marked else 0.0


def _node(line: int, match: Match[str]) -> _Node:
    ref = _REF.search(match["rest"])
    said = match["rest"].partition("]: " if "]: " in match["rest"] else ": ")[2].strip("\"'")
    name = match["name"] or (said if ref or match["role"] in _TEXTS else "")
    return _Node(line, match["role"], match["number"] or match["uid"] or (ref[1] if ref else ""), name)


def _tell(source: Source, facts: Facts) -> str:
    nodes = [_node(line, match) for line, text in enumerate(source.lines, 1) if (match := _matched(text))]
    roles = Counter(node.role for node in nodes)
    facts.say(f"tree of a page: {count(len(nodes), 'node')}{source.part}, {count(source.line_index.count, 'line')}")
    for what, text in (("title", _title(source, nodes)), ("address", _first(source, _ADDRESS))):
        if text:
            facts.say(f"{what}: {one_line(text, 160)}", rank=1)
    facts.dense("summary", [f"{role} {number}" for role, number in roles.most_common()], rank=2, share=0.25)
    calls = [node for node in nodes if node.role in _CALLS]
    facts.dense("notable", calls, rank=3, share=0.3, of_head=True, tell=partial(_told, source))
    for lead, chosen, share in _LISTED:
        listed = [node for node in nodes if node.role in chosen and (node.name or chosen == _CONTROLS)]
        tell = partial(_told if chosen == _CONTROLS else _named, source)
        facts.dense("structure", listed, rank=4, lead=lead, share=share, of_head=True, tell=tell)
    say_findings(source, facts, most=2, rank=6)
    for node in nodes:
        if node.role in ("heading", *_CALLS):
            facts.anchor_line(f"{node.role} {node.name}", node.line)
    return ""


def _title(source: Source, nodes: list[_Node]) -> str:
    root = next((node.name for node in nodes[:3] if node.role.endswith("WebArea")), "")
    return _first(source, _TITLE) or root


def _first(source: Source, pattern: Pattern) -> str:
    return next((found[1] for line in source.lines[:12] if (found := pattern.match(line))), "")


def _told(source: Source, node: _Node) -> str:
    """`31 [875] textbox "Search"`."""
    return f"{_number(source, node)}{node.role}" + (f' "{one_line(node.name, _NAME_CHARS)}"' if node.name else "")


def _named(source: Source, node: _Node) -> str:
    """`12 [846] Latest work`."""
    return _number(source, node) + one_line(node.name, _NAME_CHARS)


def _number(source: Source, node: _Node) -> str:
    return f"{source.number(node.line)} " + (f"[{node.id}] " if node.id else "")


shape = Shape("ui-tree", _score, _tell, early=True)
