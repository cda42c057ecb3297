"""Prints how often the kind and the variant of real outputs are told right, and which are mistaken for which.

    python scripts/accuracy.py [CORPUS] [--code DIRECTORY ...] [--wrong] [--at-least PERCENT]

CORPUS is a folder of outputs of tools with an `index.jsonl`, whose lines have `file`, `accept` (the kinds that are
right), `hard` (whether it is easy to mistake) and, where there is one, `variant` (the variants that are right). Files
under `--code` are source code, tried plain and with line numbers; without any the standard library is taken.
"""

from __future__ import annotations

import argparse
import json
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolstub_ext.synopsis import Synopsis, synopsize

CODE = {
    ".py", ".js", ".mjs", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".rb", ".php",
    ".sh", ".pl", ".pm", ".lua", ".sql", ".css", ".tcl", ".kt", ".swift", ".scala", ".R",
}  # fmt: skip

SMALLEST, LARGEST = 2_000, 400_000


@dataclass(frozen=True)
class Case:
    """A text, what it may be called, and where it comes from."""

    name: str
    text: str
    kinds: tuple[str, ...]
    variants: tuple[str, ...]
    group: str


@dataclass
class Score:
    """How many of a group of cases are told right."""

    cases: int = 0
    kinds: int = 0
    varied: int = 0
    variants: int = 0

    def line(self, group: str) -> str:
        """One line of the report."""
        told = f"{group:22} kind {self.kinds}/{self.cases} = {self.kinds / self.cases:.1%}"
        return told + (
            f", variant {self.variants}/{self.varied} = {self.variants / self.varied:.1%}" if self.varied else ""
        )


def corpus(folder: Path) -> Iterator[Case]:
    """The cases of an index."""
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = (folder / row["file"]).read_bytes().decode("utf-8", "replace")
        group = "outputs, hard ones" if row.get("hard") else "outputs, others"
        yield Case(row["file"], text, tuple(row["accept"]), tuple(row.get("variant") or ()), group)


def code(folder: Path, most: int) -> Iterator[Case]:
    """Source files of at least 2 KB, evenly over the folder, plain and numbered in two ways."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in CODE and path.is_file())
    files = [path for path in files if SMALLEST < path.stat().st_size < LARGEST]
    for path in files[:: max(1, len(files) // most)]:
        text = path.read_bytes().decode("utf-8", "replace")
        lines = text.split("\n")
        yield Case(str(path), text, ("code",), (), "code")
        for group, form in (("code, numbered", "{:6}\t{}"), ("code, with arrows", "{:5}→{}")):
            numbered = "\n".join(form.format(n, line) for n, line in enumerate(lines, 1))
            yield Case(f"{path} ({group})", numbered, ("code",), ("numbered",), group)


def mistaken(case: Case, found: Synopsis) -> bool:
    """Whether the kind or the variant is wrong."""
    return found.kind not in case.kinds or (bool(case.variants) and found.variant not in case.variants)


def report(scores: dict[str, Score], confusion: Counter[tuple[str, str]]) -> None:
    """Prints which kind is told how often in place of which, and a line for each group."""
    names = sorted({name for pair in confusion for name in pair})
    print("right \\ told".ljust(14) + "".join(name.rjust(9) for name in names))
    for name in names:
        print(name.ljust(14) + "".join(str(confusion[name, told] or "·").rjust(9) for told in names))
    for group, score in scores.items():
        print(score.line(group))


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder of outputs with an index.jsonl")
    parser.add_argument("--code", type=Path, action="append", default=[], help="a folder of source code")
    parser.add_argument("--most", type=int, default=60, help="source files of each folder (60)")
    parser.add_argument("--wrong", action="store_true", help="name the files that are mistaken")
    parser.add_argument(
        "--at-least", type=float, default=0.0, help="exit with 1 if fewer per cent of the kinds are right"
    )
    return parser.parse_args()


def main() -> int:
    """Prints the table; the status is 1 if fewer than `--at-least` per cent of the kinds are right."""
    given = arguments()
    cases: list[Case] = []
    if given.corpus and (given.corpus / "index.jsonl").exists():
        cases += corpus(given.corpus)
    else:
        where = f"{given.corpus} has none" if given.corpus else "none was named"
        print(
            f"outputs of tools are not judged: that needs a folder of them with an index.jsonl, and {where}.\n"
            "`python scripts/accuracy.py --help` says what stands in it; `make accuracy CORPUS=FOLDER` names it.",
            file=sys.stderr,
        )
    for folder in given.code or [Path(sysconfig.get_paths()["stdlib"])]:
        cases += code(folder, given.most)
    confusion: Counter[tuple[str, str]] = Counter()
    scores: dict[str, Score] = {}
    for case in cases:
        found = synopsize(case.text)
        for group in (case.group, "all"):
            score = scores.setdefault(group, Score())
            score.cases += 1
            score.kinds += found.kind in case.kinds
            score.varied += bool(case.variants)
            score.variants += bool(case.variants) and found.variant in case.variants
        confusion[found.kind if found.kind in case.kinds else case.kinds[0], found.kind] += 1
        if given.wrong and mistaken(case, found):
            right = f"{'/'.join(case.kinds)} ({'/'.join(case.variants)})"
            print(f"{case.name}: {found.kind} ({found.variant}), not {right}")
    scores["all"] = scores.pop("all")
    report(scores, confusion)
    return 0 if 100 * scores["all"].kinds >= given.at_least * scores["all"].cases else 1


if __name__ == "__main__":
    sys.exit(main())
