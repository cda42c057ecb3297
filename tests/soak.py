# ruff: noqa: T201
"""What a store promises about processes, put to the test for as long as you like.

    python tests/soak.py writers --each 10000     two processes write at once: no error, nothing missing
    python tests/soak.py kills --rounds 200       two writers are killed, time and again: what was acknowledged is there

Needs nothing but the package; the test suite runs the same in small. The exit status is 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from toolstub_ext.errors import StoreError, ToolstubError  # noqa: E402
from toolstub_ext.store import open_store, sha256_of  # noqa: E402

_WORDS = ("error", "worker", "request", "timeout", "retry", "connection closed", "日本語", "café", "\n", "\t")


def original(writer: str, number: int) -> str:
    """A text of 200 to 20,000 characters, the same for the same name and number."""
    chance = random.Random(f"{writer} {number}")
    line = " ".join(chance.choices(_WORDS, k=30)) + "\n"
    return f"{writer} {number}\n" + line * chance.randint(1, 100)


@dataclass
class Report:
    """What came of it: originals acknowledged, and each way in which a promise can be broken."""

    acknowledged: int = 0
    errors: int = 0
    lost: int = 0
    damaged: int = 0
    slowest_ms: float = 0.0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether all promises were kept."""
        return self.acknowledged > 0 and not (self.errors or self.lost or self.damaged)


def write(path: str, writer: str, count: int) -> None:
    """What each writing process does: put, and say so once `put` has returned. `count` 0 goes on until it is killed."""
    with open_store(path) as store:
        number = 0
        while count == 0 or number < count:
            start = time.perf_counter()
            try:
                said = f"{number} {store.put(original(writer, number)).sha256}"
            except StoreError as error:
                said = f"{number} ERROR {error}"
            taken = (time.perf_counter() - start) * 1e3
            os.write(1, f"{said} {taken:.1f}\n".encode())
            number += 1


def writers(path: Path, *, processes: int = 2, each: int) -> Report:
    """Several processes write at once, each its own originals."""
    start, report = time.monotonic(), Report()
    names = [f"writer {number}" for number in range(processes)]
    with _running([(name, each) for name in names], path) as running:
        outputs = [process.communicate()[0] for process in running]
    for name, output in zip(names, outputs):
        _count(report, _acknowledged(output, report), path, name)
        report.lost += each - output.count("\n")
    _verify(report, path)
    report.seconds = time.monotonic() - start
    return report


def kills(path: Path, *, rounds: int, processes: int = 2, seed: int = 1) -> Report:
    """In each round several processes write until all are killed, at a moment that nobody chose."""
    start, report, chance = time.monotonic(), Report(), random.Random(seed)
    for number in range(rounds):
        names = [f"round {number} writer {writer}" for writer in range(processes)]
        with _running([(name, 0) for name in names], path) as running:
            firsts = [process.stdout.readline() for process in running if process.stdout is not None]
            time.sleep(chance.random() * 0.2)
            for process in running:
                process.kill()
            outputs = [first + process.communicate()[0] for first, process in zip(firsts, running)]
        for name, output in zip(names, outputs):
            _count(report, _acknowledged(output.rpartition("\n")[0], report), path, name)
        if (number + 1) % 20 == 0 or number + 1 == rounds:
            _verify(report, path)
    report.seconds = time.monotonic() - start
    return report


@contextmanager
def _running(jobs: list[tuple[str, int]], path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    running = [
        subprocess.Popen([sys.executable, __file__, "write", str(path), name, str(count)], stdout=subprocess.PIPE,
                         text=True, encoding="utf-8")
        for name, count in jobs]
    try:
        yield running
    finally:
        for process in running:
            process.kill()
            process.wait()


def _acknowledged(output: str, report: Report) -> dict[int, str]:
    """Number and digest of what a writer had put when it said so."""
    digests = {}
    for line in output.split("\n"):
        number, _, said = line.partition(" ")
        said, _, taken = said.rpartition(" ")
        if said.startswith("ERROR"):
            report.errors += 1
            print(line, file=sys.stderr)
        elif said:
            digests[int(number)] = said
            report.slowest_ms = max(report.slowest_ms, float(taken))
    return digests


def _count(report: Report, digests: dict[int, str], path: Path, writer: str) -> None:
    """Reads back everything that was acknowledged."""
    report.acknowledged += len(digests)
    with open_store(path) as store:
        for number, digest in digests.items():
            text = original(writer, number)
            try:
                kept = store.read(f"ts_{digest[:16]}", limit=-1).text
            except ToolstubError as error:
                print(f"{writer} {number}: {error}", file=sys.stderr)
                report.lost += 1
            else:
                report.damaged += kept != text or digest != sha256_of(text)


def _verify(report: Report, path: Path) -> None:
    with open_store(path) as store:
        findings = store.verify()
    report.damaged += len(findings)
    for finding in findings:
        print(finding, file=sys.stderr)


def main() -> int:
    """Runs one of the two in a folder of its own, and prints the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("writers").add_argument("--each", type=int, default=10_000)
    commands.add_parser("kills").add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with TemporaryDirectory(prefix="toolstub-soak-") as folder:
        path = Path(folder, "store.db")
        report = writers(path, each=given.each) if given.command == "writers" else kills(path, rounds=given.rounds)
    print(json.dumps(asdict(report) | {"ok": report.ok}))
    return 0 if report.ok else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(main())
