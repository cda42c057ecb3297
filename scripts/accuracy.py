"""Prints how often the kind and the variant of real outputs are told right, and which are mistaken for which.

    python scripts/accuracy.py CORPUS [--code DIRECTORY ...] [--wrong]

CORPUS holds an `index.jsonl` whose lines have `file`, `accept` (the kinds that are right) and, where there is one,
`variant` (the variants that are right). Files under `--code` are source code, tried plain and with line numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolstub_ext.synopsis import synopsize

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


def corpus(folder: Path) -> Iterator[Case]:
    """The cases of an index."""
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = (folder / row["file"]).read_bytes().decode("utf-8", "replace")
        yield Case(row["file"], text, tuple(row["accept"]), tuple(row.get("variant") or ()))


def code(folder: Path, most: int) -> Iterator[Case]:
    """Source files of at least 2 KB, evenly over the folder, plain and numbered in two ways."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in CODE and path.is_file())
    files = [path for path in files if SMALLEST < path.stat().st_size < LARGEST]
    for path in files[:: max(1, len(files) // most)]:
        text = path.read_bytes().decode("utf-8", "replace")
        lines = text.split("\n")
        yield Case(str(path), text, ("code",), ())
        yield Case(
            f"{path} (cat -n)", "\n".join(f"{n:6}\t{line}" for n, line in enumerate(lines, 1)), ("code",), ("numbered",)
        )
        yield Case(
            f"{path} (arrow)", "\n".join(f"{n:5}→{line}" for n, line in enumerate(lines, 1)), ("code",), ("numbered",)
        )


def main() -> int:
    """Prints the table; the status is 1 if fewer than `--at-least` per cent of the kinds are right."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--code", type=Path, action="append", default=[])
    parser.add_argument("--most", type=int, default=60, help="source files of each folder")
    parser.add_argument("--wrong", action="store_true", help="name the files that are mistaken")
    parser.add_argument("--at-least", type=float, default=0.0)
    given = parser.parse_args()
    cases = list(corpus(given.corpus)) if given.corpus and given.corpus.exists() else []
    for folder in given.code:
        cases += code(folder, given.most)
    if not cases:
        print("no cases: name a corpus or a folder of source code", file=sys.stderr)
        return 2
    confusion: Counter[tuple[str, str]] = Counter()
    right = varied = variants_right = 0
    for case in cases:
        found = synopsize(case.text)
        good = found.kind in case.kinds
        right += good
        confusion[case.kinds[0] if not good else found.kind, found.kind] += 1
        if case.variants:
            varied += 1
            variants_right += found.variant in case.variants
        if given.wrong and (not good or (case.variants and found.variant not in case.variants)):
            print(
                f"{case.name}: {found.kind} ({found.variant}), not {'/'.join(case.kinds)} ({'/'.join(case.variants)})"
            )
    names = sorted({name for pair in confusion for name in pair})
    print("right \\ told".ljust(14) + "".join(name.rjust(9) for name in names))
    for name in names:
        print(name.ljust(14) + "".join(str(confusion[name, told] or "·").rjust(9) for told in names))
    print(f"kinds {right}/{len(cases)} = {right / len(cases):.1%}; variants {variants_right}/{varied}")
    return 0 if 100 * right / len(cases) >= given.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
