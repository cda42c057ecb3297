# ruff: noqa: T201
"""Texts that nobody would write, for as long as you like: no exception, no stub too long, no work that is not linear.

    python tests/fuzz.py linear                    families of texts: 10 times the size, how much longer?
    python tests/fuzz.py examples --minutes 10     Hypothesis puts pieces of all kinds of text together
    python tests/fuzz.py coverage --minutes 20     libFuzzer looks for branches that were not taken yet

`coverage` needs the package `atheris`, which is no dependency of the tests, and keeps what it found worth keeping in
the folder `--corpus`. Every finding is printed once, with the text that shows it, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    if sys.argv[1:2] == ["target"]:
        import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

        atheris.instrument_imports(include=["toolstub_ext"]).__enter__()

from fuzz_texts import FAMILIES, MIMES, PIECES, Make, families  # noqa: E402

import toolstub_ext.synopsis as synopses  # noqa: E402
from toolstub_ext.errors import ToolstubError  # noqa: E402
from toolstub_ext.querying import query  # noqa: E402
from toolstub_ext.retrieval import NAMES, run  # noqa: E402
from toolstub_ext.rewriting import rewrite  # noqa: E402
from toolstub_ext.settings import Settings  # noqa: E402
from toolstub_ext.store import Store, open_store, ref_of, sha256_of  # noqa: E402
from toolstub_ext.synopsis.wording import harmless  # noqa: E402
from toolstub_ext.tokens import estimate  # noqa: E402

STUB_CHARS, REPLY_CHARS = 2_300, 600
MOST_TIMES, LEAST_MS = 15.0, 4.0
"""What 10 times the size may cost, and what is too short to be told from noise."""

class Trial:
    """Everything that takes a text, with a store behind it. Each method raises if a promise is broken."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def stub(self, text: str, mime: str | None = None, budget: int = 1_000, rules: Any = "default") -> None:
        """A bounded stub, the same every time, and anchors that point into the text."""
        synopsis = synopses.synopsize(text, mime, budget=budget, rules=rules)
        stub = synopses.render(synopsis, sha256="0" * 64, ref="ts_" + "0" * 16, tool=text[:30], reason="over")
        assert len(stub) <= STUB_CHARS, f"a stub of {len(stub)} characters"
        assert synopses.is_stub(stub), "a stub that is not told to be one"
        assert harmless(stub) == stub, "a stub with characters that hide or turn others"
        assert synopses.synopsize(text, mime, budget=budget, rules=rules) == synopsis, "two synopses of one text"
        for anchor in synopsis.anchors:
            assert 0 <= anchor.offset <= anchor.offset + anchor.length <= len(text), f"{anchor} is not in the text"
            assert anchor.line == text.count("\n", 0, anchor.offset) + 1, f"{anchor} is on another line"
        assert estimate(text) >= 0

    def query(self, text: str, expression: str) -> None:
        """An answer, or one line that says why there is none."""
        self._store.put(text)
        try:
            answer = query(self._store, ref_of(sha256_of(text)), expression)
        except (ValueError, ToolstubError) as error:
            said = str(error)
        else:
            said = ""
            assert len(answer.reply(REPLY_CHARS)) <= REPLY_CHARS
        assert "\n" not in said, f"more than one line: {said}"

    def call(self, name: str, arguments: str) -> None:
        """A reply of bounded length, whatever a model sends."""
        reply = run(name, arguments, store=self._store, owner="local", session="s", reply_chars=REPLY_CHARS)
        assert reply.startswith("[toolstub] ")
        assert len(reply) <= REPLY_CHARS

    def body(self, body: bytes) -> None:
        """A body for the provider, whatever a client sends."""
        assert isinstance(rewrite(body, store=self._store, settings=Settings()).body, bytes)

    def any(self, data: bytes) -> None:
        """What a fuzzer's bytes mean: the first two choose what is tried, the others are the text."""
        choice, detail, data = data[:1], data[1:2], data[2:]
        number = detail[0] if detail else 0
        text = data.decode("utf-8", "surrogateescape")
        match choice[0] % 16 if choice else 0:
            case 0:
                expression, _, text = text.partition("\n")
                self.query(text, expression[:200])
            case 1:
                self.call(NAMES[number % len(NAMES)], text)
            case 2:
                self.body(data)
            case 3:
                self.body(_chat_body(text * (1 + number)))
            case 4:
                self.stub(text, rules="openviking")
            case 5:
                self.stub(text * (1 + number))
            case _:
                self.stub(text, MIMES[number % len(MIMES)], budget=200 + 10 * number)


def _chat_body(text: str) -> bytes:
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c", "content": text}]
    tools = [{"type": "function", "function": {"name": "bash"}}]
    return json.dumps({"model": "m", "messages": messages, "tools": tools}).encode()


class Findings:
    """Faults, each told once by the place in the code where it shows."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __len__(self) -> int:
        return len(self._known)

    def report(self, error: BaseException, data: bytes | str) -> None:
        """Print it, unless the same was printed before."""
        frames = traceback.extract_tb(error.__traceback__)
        place = [f"{frame.filename}:{frame.lineno}" for frame in frames if str(ROOT) in frame.filename][-1]
        name = f"{type(error).__name__} at {place.removeprefix(str(ROOT))}"
        if name not in self._known:
            self._known.add(name)
            print(f"FOUND {name}: {str(error)[:200]}\n  {data[:400]!r}")
            print("".join(traceback.format_exception(error)[-8:]), flush=True)


def reveal_faults() -> None:
    """`synopsize` has an answer to any fault of a kind; here the fault is wanted."""
    def reveal(_source: object, error: Exception) -> NoReturn:
        raise error

    synopses._without_kind = reveal  # type: ignore[assignment]


def examples(trial: Trial, seconds: float) -> int:
    """Hypothesis, in rounds with seeds 1, 2, 3 ... until the time is over; the number of findings."""
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as st

    anything = st.text(st.characters(exclude_categories=()), max_size=300)
    salad = st.lists(st.sampled_from(PIECES) | anything.map(lambda text: text[:8]), max_size=80).map("".join)
    lines = st.lists(salad.map(lambda text: text[:60].replace("\n", "")), max_size=40).map("\n".join)
    repeated = st.tuples(salad, st.integers(1, 600)).map(lambda pair: pair[0][:120] * pair[1])
    texts = anything | salad | lines | repeated
    findings, deadline, number, tried = Findings(), time.monotonic() + seconds, 0, 0

    @settings(max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck),
              phases=[Phase.generate])
    @given(st.integers(0, 15), st.integers(0, 255), texts)
    def one(choice: int, detail: int, text: str) -> None:
        nonlocal tried
        tried += 1
        data = bytes([choice, detail]) + text.encode("utf-8", "surrogatepass")
        try:
            trial.any(data)
            trial.stub(text, MIMES[detail % len(MIMES)])
        except Exception as error:  # noqa: BLE001 - any is a finding
            findings.report(error, data)

    while time.monotonic() < deadline:
        number += 1
        seed(number)(one)()
    print(f"{tried} examples, {len(findings)} findings")
    return len(findings)


def coverage(corpus: Path, seconds: float) -> int:
    """libFuzzer, in a process of its own because it never returns; 0 if it found nothing."""
    corpus.mkdir(parents=True, exist_ok=True)
    for number, golden in enumerate(sorted((ROOT / "tests" / "goldens").rglob("*.txt"))):
        text = golden.read_bytes().partition(b"---input---\n")[2].partition(b"---stub---")[0]
        (corpus / f"golden-{number}").write_bytes(b"\x0f\x50" + text[:6_000])
    words = corpus.parent / "pieces.dict"
    words.write_text("".join(map(_dictionary_line, PIECES)))
    command = [sys.executable, __file__, "target", str(corpus), f"-dict={words}", f"-max_total_time={seconds:.0f}",
               "-max_len=6000", "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"]
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    found = 0
    assert done.stdout is not None
    for line in done.stdout:
        found += line.startswith(("FOUND", "ALARM", "==")) and "ERROR: libFuzzer" not in line
        if "pulse" in line or ("NEW" not in line and "REDUCE" not in line):
            print(line, end="", flush=True)
    return found + (done.wait() != 0)


def _dictionary_line(piece: str) -> str:
    return '"' + "".join(f"\\x{byte:02x}" for byte in piece.encode("utf-8", "surrogatepass")) + '"\n'


def target(arguments: list[str]) -> None:
    """What `coverage` starts."""
    findings = Findings()
    folder = TemporaryDirectory(prefix="toolstub-fuzz-")
    trial = Trial(open_store(Path(folder.name, "store.db")))

    def one(data: bytes) -> None:
        try:
            trial.any(data)
        except Exception as error:  # noqa: BLE001 - any is a finding
            findings.report(error, data)

    atheris.Setup([__file__, *arguments], one)
    atheris.Fuzz()


def linear(seconds: float) -> int:
    """Every family at 20 KB and 200 KB and at 200 KB and 2 MB; then random repeats until the time is over."""
    slow, deadline, tried = 0, time.monotonic() + seconds, 0
    for name, make in families():
        for size in (20_000, 200_000):
            times, longest = _times_as_long(make, size)
            if times > MOST_TIMES and longest > LEAST_MS:
                slow += 1
                print(f"SLOW {name}: {longest:.1f} ms at {10 * size:,} chars, {times:.1f} times a tenth", flush=True)
        tried += 1
        if tried > len(FAMILIES) and time.monotonic() > deadline:
            break
    print(f"{tried} families, {slow} that grow faster than their size")
    return slow


def _times_as_long(make: Make, size: int) -> tuple[float, float]:
    """How many times as long 10 times the size takes, and how long in ms; looked at again before it counts."""
    small, large = make(size), make(10 * size)
    grown = len(large) / (10 * len(small))
    for rounds in (1, 3, 9):
        short, long = _milliseconds(small, rounds), _milliseconds(large, rounds)
        times = long / max(short, LEAST_MS / MOST_TIMES) / max(grown, 0.01)
        if times <= MOST_TIMES:
            break
    return times, long


def _milliseconds(text: str, rounds: int) -> float:
    """The CPU time of a stub, at best; of a fresh copy, so that nothing is known of it."""
    best = float("inf")
    for _ in range(rounds):
        fresh = (text + "x")[:-1]
        start = time.process_time()
        synopses.render(synopses.synopsize(fresh), sha256="0" * 64, ref="ts_" + "0" * 16)
        best = min(best, time.process_time() - start)
    return best * 1e3


def main() -> int:
    """Runs one of the three; the status is 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["linear", "examples", "coverage"])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--corpus", type=Path, help="where `coverage` keeps its texts (nowhere)")
    given = parser.parse_args()
    seconds = given.minutes * 60
    reveal_faults()
    if given.what == "linear":
        return int(linear(seconds) > 0)
    with TemporaryDirectory(prefix="toolstub-fuzz-") as folder:
        if given.what == "coverage":
            return int(coverage(given.corpus or Path(folder, "corpus"), seconds) > 0)
        with open_store(Path(folder, "store.db")) as store:
            return int(examples(Trial(store), seconds) > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["target"]:
        reveal_faults()
        target(sys.argv[2:])
    else:
        sys.exit(main())
