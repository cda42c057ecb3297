"""Describes YAML: documents, keys with their lines, and how large each branch is."""

from __future__ import annotations

from dataclasses import replace

from ..facts import Facts
from ..look import look
from ..model import KindName, Source, Synopsis
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .document import Branch, Document, Scan
from .far import far_items, far_keys
from .scan import scan
from .template import Template

_KEY = Pattern(
    r"[ ]*(?:- )*(?P<key>[\w.$/@*<-][\w.$/@* +-]{0,80}|\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'):(?P<gap>[ ]+(?=\S)|[ ]*$)"
)
_ITEM = Pattern(r"[ ]*- \S")
_BEGINNING = 56
"""So many lines of a probe follow one another; of those further down nobody knows whether they are in a text."""
_CLOSED = Pattern(r"(?<!\\)\"\s*\Z")
_TEMPLATED = Pattern(r"\{\{|\{%|\$\{\{|<%")
_ASIDE = Pattern(r"[ ]*#|\s*\{[{%].{0,400}[}%]\}\s*\Z")
"""A comment, or a line that is a template's alone."""
_LEAST_KEYS = 0.15
_MOST_STATEMENTS = 0.5
_MARKS = ("---", "...", "]", "}")
_PATH = Pattern(r"[A-Za-z_]\w*(?:\[\d+\])*(?:\.[A-Za-z_]\w*(?:\[\d+\])*)*\Z")
_WORDS = 7
_SENTENCE = Pattern(r"(?:\S+ ){7,}")


class YamlKind:
    """Mappings and lists in block style, one document or several."""

    name: KindName = "yaml"

    def score(self, source: Source) -> float:
        """By the share of lines that are keys and items, and by whether they nest."""
        if source.mime and "yaml" in source.mime.lower():
            return 0.95
        seen = look(source)
        folded = holds(seen.text, ': "') and _KEY.match(seen.lines[0]) is not None
        if not folded and not _has_keys(seen.firsts):
            return 0.0
        lines = [line for line in source.probe if not (("#" in line or "{" in line) and _ASIDE.match(line))]
        lines = _unfolded(lines) if folded else lines
        if not lines or lines[0][:1] in "{[(<":
            return 0.0
        if sum([line.endswith(";") for line in lines]) > _MOST_STATEMENTS * len(lines):
            return 0.0
        marked = sum(1 for line in source.probe if line.startswith("---"))
        return _share_score(lines, opened=lines[0].startswith("---") and marked < 20)

    def describe(self, source: Source) -> Synopsis:
        """Keys, lines and sizes; raises ValueError if it does not parse, or is one scalar."""
        found = scan(source.clean)
        if found.problem and _is_template(source):
            template = Template(source.clean)
            filled = scan(template.filled)
            if not filled.problem:
                template.restore(filled)
                found = replace(filled, problem=found.problem)
        documents = found.documents
        if found.problem and not (len(documents) > 0 and len(documents[0].branches) > 1 and _is_template(source)):
            raise ValueError(found.problem)
        if not any(document.branches for document in documents):
            raise ValueError("neither keys nor items")
        facts = Facts(source)
        further = source.clean.count("\n---\n", max(0, found.end - 1)) if found.end < len(source.clean) else 0
        several = len(documents) > 1 or further > 0
        if found.problem:
            facts.say(f"a template; not valid YAML as it stands ({one_line(found.problem, 100)})", rank=1)
        if several:
            _tell_documents(source, facts, documents, further)
        else:
            _tell_one(source, facts, documents[0], found)
        braced = any(document.braced for document in documents) and _is_template(source)
        variant = "templated" if found.problem or braced else "multi-document" if several else None
        return facts.build("yaml", variant)


def _has_keys(firsts: list[str]) -> bool:
    """Whether enough lines begin with what may be a key or the mark of an item."""
    told = sum(1 for word in firsts if word[-1] == ":" or (word[0] in "-\"'#" and word[:2] != "##"))
    return told > _LEAST_KEYS * len(firsts)


def _unfolded(lines: list[str]) -> list[str]:
    """The first lines but for those that go on with a text in quotes, as documents in a value are; all if none do."""
    kept: list[str] = []
    within = False
    for line in lines[:_BEGINNING]:
        if not within:
            kept.append(line)
            key = _KEY.match(line)
            value = line[key.end() :] if key else ""
            within = value[:1] == '"' and (len(value) == 1 or value.rstrip()[-1:] != '"')
        elif not line.startswith(" "):
            within = False
            kept.append(line)
        else:
            within = not _CLOSED.search(line)
    return kept if len(kept) < len(lines[:_BEGINNING]) else lines


def _is_template(source: Source) -> bool:
    return _TEMPLATED.search(source.head) is not None


kind = YamlKind()


def _share_score(lines: list[str], *, opened: bool) -> float:
    found = [_KEY.match(line) for line in lines]
    keys = [match for match in found if match]
    others = [line for line, match in zip(lines, found) if not match]
    size = len(lines)
    items = sum([_ITEM.match(line) is not None for line in lines if "- " in line])
    good = len(keys) + sum([line[:2] == "  " or line[:3] in _MARKS or _ITEM.match(line) is not None for line in others])
    firm = (len(keys) + items) / size
    if firm < 0.35 or good < 0.9 * size or (not keys and not opened):
        return 0.0
    names, gaps = [match["key"] for match in keys], [match["gap"] for match in keys]
    numbered = sum([name.isdigit() and key.string.count(" ", key.end()) >= 2 for name, key in zip(names, keys)])
    if numbered > 0.5 * len(keys):
        return 0.0  # a line of a file or of a log behind its number
    valued = [key.end() < len(key.string) for key in keys]
    opening = sum([not (follows or gap.strip()) for follows, gap in zip(valued, gaps)])
    indented = sum([line[:1] == " " for line in lines])
    spaced = sum([" " in name.strip() for name in names])
    aligned = sum([follows and len(gap) > 1 for follows, gap in zip(valued, gaps)])
    capital = sum([name[:1].isupper() for name in names])
    spoken = [line for line in lines if line[:2] != "  " and line.count(" ") >= _WORDS]
    sentences = sum([_SENTENCE.match(line.lstrip(" -")) is not None for line in spoken])
    score = 0.3 + 0.35 * firm + 0.1 * (opening > 0 and indented + items > 0) + 0.08 * (items > 1) + 0.15 * opened
    score -= 0.5 * spaced / size + 0.6 * aligned / size + 0.3 * sentences / size
    if not opening and not items:
        score -= 0.1 + 0.3 * capital / size
        if len(keys) < 2:
            return 0.0
    elif capital > 0.6 * len(keys):
        score -= 0.05
    return max(0.0, min(0.95, score + 0.1 * (firm > 0.7)))


def _tell_one(source: Source, facts: Facts, document: Document, found: Scan) -> None:
    branches, total = document.branches, len(document.branches)
    if found.end < len(source.clean):
        if document.is_list:
            total += far_items(source, found.end)
        else:
            far, further = far_keys(source, found.end, branches[-1])
            branches, total = [*branches, *far], total + further
    part = "" if document.complete else f" in the first {source.clean_index.line_of(found.end) - 1} lines"
    what = f"list of {count(total, 'item')}" if document.is_list else f"mapping of {count(total, 'key')}"
    facts.say(f"{what}, {count(source.line_index.count, 'line')}")
    shown = branches[:30] if source.rules == "openviking" else branches
    facts.dense(
        "structure", shown, tell=lambda branch: _shown(source, branch), rank=4, share=0.8, more=total == len(branches)
    )
    for branch in shown[:20]:
        facts.anchor_line(branch.key, branch.line)
    if document.is_list and document.item_keys:
        facts.dense(
            "summary",
            document.item_keys.most_common(20),
            tell=lambda pair: f"{one_line(pair[0], 40)} {pair[1]}",
            lead=f"keys of the items{part}: ",
            rank=2,
            share=0.4,
        )
    if document.complete and not found.problem:
        facts.ask(next((path for path, _, depth in document.paths if depth > 1 and _PATH.match(path)), ""))
    _tell_paths(source, facts, [document])


def _tell_paths(source: Source, facts: Facts, documents: list[Document]) -> None:
    """The first keys further down, the shallowest of them first."""
    paths = [path for document in documents for path in document.paths]
    facts.dense(
        "notable",
        paths,
        tell=lambda path: one_line(f"{source.number(path[1])} {path[0]}", 100),
        rank=10,
        ranks=[depth for _, _, depth in paths],
        more=all(document.all_paths for document in documents),
    )


def _shown(source: Source, branch: Branch) -> str:
    return f"{source.number(branch.line)} {one_line(branch.key, 60)} {branch.told}".rstrip()


def _tell_documents(source: Source, facts: Facts, documents: list[Document], further: int) -> None:
    facts.say(f"{count(len(documents) + further, 'document')}, {count(source.line_index.count, 'line')}")
    for document in documents[:24]:
        facts.anchor_line(_title(document), document.line)
    items = [(document.line, document) for document in documents]
    facts.dense(
        "structure",
        items,
        tell=lambda item: f"{source.number(item[0])} {one_line(_title(item[1]), 80)}",
        rank=4,
        share=0.7,
        more=further == 0,
    )
    _tell_paths(source, facts, documents)


def _title(document: Document) -> str:
    return document.title or f"{{{', '.join(one_line(branch.key, 24) for branch in document.branches[:4])}}}"
