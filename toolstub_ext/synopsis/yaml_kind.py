"""Describes YAML: documents, keys with their lines, and how large each branch is."""

from __future__ import annotations

import re

from .facts import Facts
from .model import KindName, Source, Synopsis
from .wording import count, one_line
from .yaml_scan import Branch, Document, far_keys, scan

_KEY = re.compile(
    r"[ ]*(?:- )*(?P<key>[\w.$/@*<-][\w.$/@* +-]{0,80}|\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'):(?P<gap>[ ]+(?=\S)|[ ]*$)"
)
_ITEM = re.compile(r"[ ]*- \S")
_COMMENT = re.compile(r"[ ]*#")
_TEMPLATED = re.compile(r"\{\{|\{%|\$\{\{|<%")
_SENTENCE = re.compile(r"(?:\S+ ){7,}")


class YamlKind:
    """Mappings and lists in block style, one document or several."""

    name: KindName = "yaml"

    def score(self, source: Source) -> float:
        """By the share of lines that are keys and items, and by whether they nest."""
        if source.mime and "yaml" in source.mime.lower():
            return 0.95
        lines = [line for line in source.probe if not _COMMENT.match(line)]
        if not lines or lines[0][:1] in "{[(<":
            return 0.0
        marked = sum(1 for line in source.probe if line.startswith("---"))
        return _share_score(lines, lines[0].startswith("---") and marked < 20)

    def describe(self, source: Source) -> Synopsis:
        """Keys, lines and sizes; raises ValueError if it does not parse, or is one scalar."""
        documents, problem = scan(source.head)
        templated = _TEMPLATED.search(source.head) is not None
        if problem and not (templated and documents and len(documents[0].branches) > 1):
            raise ValueError(problem)
        if not any(document.branches for document in documents):
            raise ValueError("neither keys nor items")
        facts = Facts(source)
        several = len(documents) > 1 or source.clean.count("\n---\n", len(source.head)) > 0
        if problem:
            facts.say(f"a template; not valid YAML as it stands ({one_line(problem, 100)})", rank=1)
        if several:
            _tell_documents(source, facts, documents)
        else:
            _tell_one(source, facts, documents[0])
        variant = "templated" if problem else "multi-document" if several else None
        return facts.build("yaml", variant)


kind = YamlKind()


def _share_score(lines: list[str], opened: bool) -> float:
    keys = [match for line in lines if (match := _KEY.match(line))]
    items = sum(1 for line in lines if _ITEM.match(line))
    size = len(lines)
    opening = [match for match in keys if not match["gap"].strip() and match.end() == len(match.string)]
    indented = sum(1 for line in lines if line[:1] == " ")
    spaced = sum(1 for match in keys if " " in match["key"].strip())
    aligned = sum(1 for match in keys if len(match["gap"]) > 1 and match.end() < len(match.string))
    shouted = sum(1 for match in keys if match["key"][:1].isupper())
    sentences = sum(1 for line in lines if _SENTENCE.match(line.lstrip(" -")) and not line.startswith("  "))
    good = sum(
        1
        for line in lines
        if _KEY.match(line) or _ITEM.match(line) or line[:2] == "  " or line[:3] in ("---", "...", "]", "}")
    )
    share = good / size
    firm = (len(keys) + items) / size
    numbered = sum(1 for match in keys if match["key"].isdigit() and match.string.count(" ", match.end()) >= 2)
    if numbered > 0.5 * len(keys):
        return 0.0  # a line of a file or of a log behind its number
    if firm < 0.35 or share < 0.9 or (not keys and not opened):
        return 0.0
    score = 0.3 + 0.35 * firm + 0.1 * (len(opening) > 0 and indented + items > 0) + 0.08 * (items > 1) + 0.15 * opened
    score -= 0.5 * spaced / size + 0.6 * aligned / size + 0.3 * sentences / size
    if not opening and not items:
        score -= 0.1 + 0.3 * shouted / size
        if len(keys) < 2:
            return 0.0
    elif shouted > 0.6 * len(keys):
        score -= 0.05
    return max(0.0, min(0.95, score + 0.1 * (firm > 0.7)))


def _tell_one(source: Source, facts: Facts, document: Document) -> None:
    branches = [*document.branches]
    if source.partial and not document.is_list:
        branches += far_keys(source)
    part = "" if document.complete else ", sizes from the first part"
    if document.is_list:
        facts.say(
            f"list of {'at least ' if not document.complete else ''}{count(len(branches), 'item')}, "
            f"{count(source.line_index.count, 'line')}{part}"
        )
    else:
        facts.say(f"mapping of {count(len(branches), 'key')}, {count(source.line_index.count, 'line')}{part}")
    shown = branches[:30] if source.rules == "openviking" else branches
    items = [_shown(source, branch) for branch in shown]
    facts.dense("structure", items, rank=4, share=0.8)
    for branch in shown[:20]:
        facts.anchor_line(branch.key, branch.line)
    if document.is_list and document.item_keys:
        facts.dense(
            "summary",
            [f"{one_line(key, 40)} {number}" for key, number in document.item_keys.most_common(20)],
            lead="keys of the items: ",
            rank=2,
            share=0.4,
        )
    deeper = [f"{source.number(line)} {path}" for path, line in document.paths]
    facts.dense("notable", [one_line(item, 100) for item in deeper], rank=10, ranks=document.path_depths)


def _shown(source: Source, branch: Branch) -> str:
    return f"{source.number(branch.line)} {one_line(branch.key, 60)} {branch.told}".rstrip()


def _tell_documents(source: Source, facts: Facts, documents: list[Document]) -> None:
    total = len(documents) + source.clean.count("\n---\n", len(source.head)) if source.partial else len(documents)
    facts.say(f"{count(total, 'document')}, {count(source.line_index.count, 'line')}")
    items = []
    for document in documents:
        keys = ", ".join(one_line(branch.key, 24) for branch in document.branches[:4])
        title = document.title or f"{{{keys}}}"
        items.append(f"{source.number(document.line)} {one_line(title, 80)}")
        facts.anchor_line(title, document.line)
    facts.dense("structure", items, rank=4, share=0.7)
    deeper = [f"{source.number(line)} {path}" for document in documents for path, line in document.paths]
    depths = [depth for document in documents for depth in document.path_depths]
    facts.dense("notable", [one_line(item, 100) for item in deeper], rank=10, ranks=depths)
