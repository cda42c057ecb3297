"""The tree that an original holds, whatever kind it is of."""

from __future__ import annotations

from .envelope import inner_text
from .json_tree import read_json
from .meter import Meter
from .places import Tree
from .subject import subject_of
from .table import Rows
from .yaml_tree import read_yaml


def tree_of(text: str) -> Tree:
    """The tree of JSON, also of JSON in a long text of it, of YAML, or of a table with its rows as objects.

    Raises ValueError, in one line, for a text that holds none.
    """
    subject = subject_of("", text)
    kind, clean = subject.synopsis.kind, subject.source.clean
    if kind == "json":
        inside = inner_text(clean) if subject.synopsis.variant == "enveloped" else None
        if inside is not None:
            path, inner = inside
            tree = tree_of(inner)
            tree.what = f"{tree.what} in the text at {path}"
            return tree
        return read_json(clean, subject.synopsis.variant)
    if kind == "yaml":
        return read_yaml(clean, Meter())
    if kind in ("csv", "tsv"):
        return Rows(subject).tree(Meter())
    raise ValueError(f"this original is {kind}; there is a graph of JSON, YAML and tables")
