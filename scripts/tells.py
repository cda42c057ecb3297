"""Weighs the words of sources, and prints paragraphs for `toolstub_ext/synopsis/code/tells.txt`.

    python scripts/tells.py SOURCES [--words 1000] > weighed.txt

SOURCES is a folder with a folder for each language, named as in `toolstub_ext/synopsis/code/languages.py`, and one
named `-` with texts that are not source code. A hundred files of each, of many hands, make it good: a word counts only
if it stands in several packages, which are the folders one level down. Needs scikit-learn. What it prints does
not know of the weights in `tells.txt` that were given by hand: put these back into the paragraphs that are replaced.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from toolstub_ext.synopsis.code.reading import telling_lines, words
from toolstub_ext.synopsis.code.tells import BEFORE, OTHER, damped

_FEWEST_PACKAGES = 5
_FEWEST_LINES = 3
_SIGN_CHARS = 3  # what is left of a comment is no longer
_LIGHTEST = 12
_WINDOWS = (8, 15, 40, 80, 200)
_WIDTH = 118


@dataclass(frozen=True)
class Sample:
    """The words of a part of a file."""

    language: str
    package: str
    counts: Counter[str]


def samples(folder: Path) -> Iterator[Sample]:
    """Of each file the whole, its beginning and three parts of it, as readers of files ask for them."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        language, package = (*path.relative_to(folder).parts, "")[:2]
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        chance = random.Random(str(path.relative_to(folder)))  # noqa: S311 - the same parts every time
        starts = [0, *(chance.randrange(max(1, len(lines) - 8)) for _ in range(3))]
        parts = [lines, *(lines[start : start + chance.choice(_WINDOWS)] for start in starts)]
        for telling in map(telling_lines, parts):
            if sum(1 for line in telling if len(line) > _SIGN_CHARS) >= _FEWEST_LINES:
                yield Sample(language, package, Counter(words(telling)))


def vocabulary(found: list[Sample]) -> list[str]:
    """The words that stand in several packages; numbers are none."""
    packages: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for sample in found:
        for word in sample.counts:
            packages[word].add((sample.language, sample.package))
    return sorted(
        word
        for word, places in packages.items()
        if len(places) >= _FEWEST_PACKAGES and BEFORE not in word and not word.strip("\0\n:(!?.#$%&@").isdigit()
    )


def matrix(found: list[Sample], vocabulary: list[str]) -> csr_matrix:
    """How often each word stands in each sample, damped as it is when a text is told."""
    places = {word: place for place, word in enumerate(vocabulary)}
    rows = [
        (row, places[word], damped(times))
        for row, sample in enumerate(found)
        for word, times in sample.counts.items()
        if word in places
    ]
    row, column, value = zip(*rows, strict=True)
    return csr_matrix((value, (row, column)), shape=(len(found), len(vocabulary)))


def fitted(found: list[Sample], vocabulary: list[str], strength: float) -> LogisticRegression:
    """A logistic regression in which every language weighs about the same."""
    sizes = Counter(sample.language for sample in found)
    weights = [1.3 if each.language == OTHER else min(3.0, 1000 / sizes[each.language]) for each in found]
    model = LogisticRegression(C=strength, max_iter=150, tol=1e-3)
    return model.fit(matrix(found, vocabulary), [sample.language for sample in found], sample_weight=weights)


def main() -> int:
    """Prints the paragraphs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--words", type=int, default=1000, help="how many words are kept (1000)")
    given = parser.parse_args()
    found = list(samples(given.sources))
    known = vocabulary(found)
    spread = np.ptp(fitted(found, known, 0.05).coef_, axis=0)
    often = np.sqrt(np.asarray(matrix(found, known).mean(0)).ravel() + 0.003)
    kept = [known[place] for place in np.argsort(-spread * often)[: given.words]]
    model = fitted(found, kept, 0.15)
    weights = np.rint((model.coef_ - np.median(model.coef_, 0)) * 100).astype(int)
    before = np.rint((model.intercept_ - model.intercept_.mean()) * 100).astype(int)
    print("\n\n".join(map(paragraph, model.classes_, before, weights, [kept] * len(before))))
    return 0


def paragraph(name: str, before: int, weights: np.ndarray, kept: list[str]) -> str:
    """The words of a language that weigh something, the heaviest first."""
    told = sorted((-weight, word) for weight, word in zip(weights, kept, strict=True) if abs(weight) >= _LIGHTEST)
    entries = [f"{BEFORE} {before}"]
    entries += [f"{word.replace(chr(0), '⇥').replace(chr(10), '↵')} {-weight}" for weight, word in told]
    lines = [name]
    for entry in entries:
        if len(lines[-1]) + 2 + len(entry) > _WIDTH:
            lines.append("")
        lines[-1] += "  " + entry
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
