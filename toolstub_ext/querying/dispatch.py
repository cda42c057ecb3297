"""`query`: reads the original, tells what kind it is, and asks what knows that kind."""

from __future__ import annotations

import re
from dataclasses import replace

from ..store import Store
from . import documents, selection, sparql
from .answer import Answer, Listing, Passage
from .code import Outline
from .envelope import inner_text
from .meter import Meter
from .sections import find_sections, section
from .subject import Subject, subject_of
from .table import Rows

EXPRESSION_CHARS = 1_000
"""The longest expression."""

MOST_CHARS = 32 << 20
"""The longest original that is queried; a plain path into JSON works in longer ones too."""

TEXT_CHARS = 8 << 20
"""The longest code or Markdown."""

_IS_JMESPATH = re.compile(r"[\[@{`]|[a-z_]+\(|\*\s*\.")


def query(store: Store, ref: str, expression: str, *, owner: str = "local") -> Answer:
    """What the expression selects from an original of `owner`.

    Raises ValueError, in one line that says what to do, for an expression that does not parse or does not fit the
    original; RefNotFound and StoreError as the store does.
    """
    expression = expression.strip()
    if not expression:
        raise ValueError("expression is empty; JSON and YAML take JMESPath, a table columns and rows, code a name, "
                         "Markdown a heading, and * lists")
    if len(expression) > EXPRESSION_CHARS:
        raise ValueError(f"expression has {len(expression):,} chars; at most {EXPRESSION_CHARS:,} are read")
    head = store.read(ref, owner=owner, limit=64)
    if head.total_chars <= MOST_CHARS:
        text = store.read(ref, owner=owner, limit=-1).text
        if sparql.is_sparql(expression):
            return sparql.select(ref, text, expression)
        return _asked(subject_of(ref, text), expression)
    pointer = documents.pointer_of(expression) if head.text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") else None
    if not pointer:
        raise ValueError(f"{ref} has {head.total_chars:,} chars; up to {MOST_CHARS:,} can be queried, and in larger "
                         "JSON a plain path such as items[0].id; use toolstub_search or toolstub_read")
    part = store.read(ref, owner=owner, pointer=pointer, limit=MOST_CHARS)
    return Passage(ref, f"JSON at {pointer}", part.text, part.offset, part.first_line)


def _asked(subject: Subject, expression: str) -> Answer:
    kind = subject.synopsis.kind
    if kind == "json":
        return _json(subject, expression)
    if kind == "yaml":
        return documents.in_yaml(subject, expression)
    if kind in ("csv", "tsv"):
        rows = Rows(subject)
        if _IS_JMESPATH.match(expression):
            meter = Meter()
            return documents.selected(subject, expression, rows.tree(meter), meter)
        return selection.select(subject, rows, expression)
    if kind in ("code", "text") and len(subject.text) > TEXT_CHARS:
        raise ValueError(f"{subject.ref} has {len(subject.text):,} chars; code and Markdown can be queried up to "
                         f"{TEXT_CHARS:,}; use toolstub_search or toolstub_read")
    if kind == "code":
        return Outline(subject).answer(expression)
    found = find_sections(subject) if kind == "text" else []
    if found:
        return section(subject, found, expression)
    detail = f" ({subject.synopsis.variant})" if subject.synopsis.variant else ""
    raise ValueError(f"{subject.ref} is {kind}{detail}, and query knows JSON, YAML, tables, code and Markdown; use "
                     "toolstub_search, with regex if need be, or toolstub_read")


def _json(subject: Subject, expression: str) -> Answer:
    """The value in the JSON itself; if there is none, what is asked for in a long text inside it."""
    try:
        answer = documents.in_json(subject, expression)
    except ValueError:
        if subject.synopsis.variant != "enveloped":
            raise
    else:
        if not isinstance(answer, Listing) or answer.value is not None:
            return answer
    inside = inner_text(subject.source.clean)
    if inside is None:
        return documents.in_json(subject, expression)
    path, text = inside
    try:
        found = _asked(subject_of(subject.ref, text), expression)
    except ValueError as error:
        raise ValueError(f"in the text at {path}: {error}") from None
    return _moved(found, path)


def _moved(found: Answer, path: str) -> Listing:
    """The answer, without places that would be taken for those of the original."""
    if isinstance(found, Listing):
        return replace(found, what=f"{found.what}, in the text at {path}, lines its own")
    last = found.first_line + found.text.count("\n", 0, -1)
    what = f"{found.what}, lines {found.first_line}..{last} of the text at {path}"
    return Listing(found.ref, what, (found.text,), found.value, lambda _: "a narrower expression")
