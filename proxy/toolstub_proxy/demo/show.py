"""What the demo shows, step by step, and the checks that make it more than a show."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toolstub_ext.store import open_store, sha256_of
from toolstub_ext.tokens import estimate

from . import notebook
from .conversation import SOURCE, Talk, talk_directly, talk_through_proxy
from .model import answer_from, question_about

Row = tuple[str, int, int, str]
_WIDTH = 110


class Checks:
    """Claims of the demo, each printed with whether it holds."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, claim: str, *, holds: bool) -> None:
        """Print one."""
        self.failed += not holds
        print(f"   {'ok    ' if holds else 'FAILED'} {claim}")


def show(output: Path) -> int:
    """Run all of it; 0 if every check holds, else 1."""
    began = time.monotonic()
    output = output.absolute()
    output.mkdir(parents=True, exist_ok=True)
    store = output / "demo-store.db"
    for old in output.glob(f"{store.name}*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    print(f"toolstub demo: offline; all that it makes is in {output}\n")
    checks = Checks()
    rows = [*_show_notebook(output, store, checks), *_show_agent(store, checks)]
    print("Measured in this run (tokens by the built-in estimate)\n")
    print(f"   {'':<18}{'before':>12}{'after':>12}")
    for name, before, after, unit in rows:
        print(f"   {name:<18}{before:>12,}{after:>12,}  {unit}".rstrip())
    _say_where_to_look(output, store)
    verdict = f"{checks.failed} checks FAILED" if checks.failed else "every check holds"
    print(f"\n{verdict}; {time.monotonic() - began:.0f} seconds")
    return 1 if checks.failed else 0


def _show_notebook(output: Path, store: Path, checks: Checks) -> Iterator[Row]:
    print("1. A notebook cell prints the character database of Unicode 3.2\n")
    with _waiting("running the notebook in a real kernel"), environment(output, store):
        saved = notebook.run(output / "notebook.ipynb")
    print(f"   saved {saved.path}; in place of the output it holds:\n")
    _quote(saved.stub)
    with open_store(str(store)) as originals:
        original = originals.read(saved.ref, limit=-1).text
    checks("the original, read back from the store, is what the cell printed",
           holds=sha256_of(original) == saved.printed_sha256 and len(original) == saved.printed_chars)
    size, whole = saved.path.stat().st_size, notebook.bytes_without_stub(saved.path, original)
    checks("the saved notebook is at most a hundredth of what it would have been", holds=size * 100 <= whole)
    print()
    yield "cell output", len(original), len(saved.stub), "characters"
    yield "", estimate(original), estimate(saved.stub), "tokens"
    yield "notebook file", whole, size, "bytes"


def _show_agent(store: Path, checks: Checks) -> Iterator[Row]:
    print(f"2. An agent reads {SOURCE}\n")
    print(f"   question: {question_about('that file')}\n")
    with _waiting("the agent, straight to the model"):
        direct = asyncio.run(talk_directly())
    print(f"   {direct.tools_seen}\n   {direct.answer}\n")
    with _waiting("the same agent, through `toolstub proxy`"):
        ours = asyncio.run(talk_through_proxy(store))
    print(f"   {ours.tools_seen}\n   {ours.answer}\n\n   what the model got in place of the file:\n")
    _quote(ours.stub)
    print(f"   and what it did: {', '.join(ours.retrievals)}\n")
    _check_agent(direct, ours, checks)
    print()
    yield "sent to the model", len(direct.sent), len(ours.sent), "characters"
    yield "", estimate(direct.sent), estimate(ours.sent), "tokens"
    yield "requests", len(direct.bodies), len(ours.bodies), ""
    yield "retrieval calls", len(direct.retrievals), len(ours.retrievals), ""


def _check_agent(direct: Talk, ours: Talk, checks: Checks) -> None:
    original = next(message["content"] for message in direct.messages if message["role"] == "tool")
    right = answer_from(original)
    checks("the answer is right, as the file itself says", holds=right is not None and ours.answer == right)
    checks("it is the answer given without toolstub", holds=ours.answer == direct.answer)
    checks("the stub alone does not hold it; the model had to read the original",
           holds=bool(ours.stub) and "max_redirections" not in ours.stub
           and {"toolstub_search", "toolstub_read"} <= set(ours.retrievals))
    checks("the agent saw its own tool and none of ours", holds="toolstub_" not in ours.tools_seen + ours.answer
           and ours.tools_seen == direct.tools_seen)


def _say_where_to_look(output: Path, store: Path) -> None:
    print("\nLook next\n")
    toolstub = _how_to_call_us()
    print(f"   {output / 'notebook.ipynb'}")
    print(f"   {toolstub} list --store {store}")
    print(f"   {toolstub} read {notebook.REF} --store {store} | tail")
    print(f"   {toolstub} search 'EURO SIGN' --store {store}")
    print(f"   {toolstub} query {notebook.REF} 'code, name where category = Sc' --store {store}")


def _how_to_call_us() -> str:
    """The command, as it can be typed in this shell."""
    script = Path(sys.executable).with_name("toolstub")
    if shutil.which("toolstub"):
        return "toolstub"
    return str(script) if script.exists() else f"{sys.executable} -m toolstub_ext"


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    print(f"   {what} ...", end="", flush=True)
    began = time.monotonic()
    yield
    print(f" {time.monotonic() - began:.1f} s\n")


@contextmanager
def environment(output: Path, store: Path) -> Iterator[None]:
    """What the kernel inherits: the demo's store, and none of the user's notebook configuration."""
    before = dict(os.environ)
    for name in list(os.environ):
        if name.startswith(("TOOLSTUB_", "JUPYTER_")):
            del os.environ[name]
    os.environ |= {"TOOLSTUB_STORE": str(store), "IPYTHONDIR": str(output / "ipython"),
                   "JUPYTER_DATA_DIR": str(output / "jupyter"), "JUPYTER_RUNTIME_DIR": str(output / "jupyter")}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ |= before


def _quote(text: str) -> None:
    """For the eye: lines are cut at the width of a terminal, with a mark."""
    for line in text.rstrip("\n").split("\n"):
        print(f"   | {line if len(line) <= _WIDTH else line[:_WIDTH] + ' …'}".rstrip())
    print()
