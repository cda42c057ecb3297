"""Words that a model knows without having read them anywhere: they say nothing about what it has seen.

`known_words.txt` is frozen, so that a figure means the same everywhere. It holds the names that stand in three or more
modules of Python's standard library (3.11), or in the records of five or more unrelated sources, those common in Go, in
tests and in the tools of agents, and usual file names; a name that the dictionary has is not in it. The dictionary is
the English word list of pyspellchecker (MIT licence), which the extra `[replay]` installs.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.resources import files


@cache
def known_words() -> frozenset[str]:
    """Names and file names, as they are written."""
    return frozenset(files(__package__).joinpath("known_words.txt").read_text(encoding="utf-8").split())


@cache
def english() -> frozenset[str]:
    """The dictionary and the known words, in lower case. Raises ModuleNotFoundError without the extra."""
    listed = gzip.decompress(files("spellchecker").joinpath("resources", "en.json.gz").read_bytes())
    return frozenset(json.loads(listed)) | {word.lower() for word in known_words()}
