"""One store, one ref: what one face keeps, every other face opens."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from toolstub_ext import Rewriter, Settings, open_store, retrieval

SECRET = "the needle is 8472"
LONG = "\n".join([f"straw {n}" for n in range(4_000)] + [SECRET] + [f"hay {n}" for n in range(4_000)]) + "\n"
PRINT = f"""\
lines = [f"straw {{n}}" for n in range(4_000)] + [{SECRET!r}] + [f"hay {{n}}" for n in range(4_000)]
print("\\n".join(lines))"""


def run_cells(*sources: str) -> list[NotebookNode]:
    """The cells, run in a real kernel that has the extension."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in ("%load_ext toolstub_ext", *sources)])
    quiet = ["--IPKernelApp.log_level=ERROR"]
    NotebookClient(notebook, timeout=60, kernel_name="python3", extra_arguments=quiet).execute()
    ran: list[NotebookNode] = notebook.cells[1:]
    return ran


def in_notebook() -> str:
    """A cell prints it."""
    (cell,) = run_cells(PRINT)
    ref: str = cell.outputs[0].metadata["toolstub"]["ref"]
    return ref


def through_proxy() -> str:
    """A tool answers with it, in a conversation that the proxy rewrites."""
    call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    body = {
        "model": "m",
        "tools": [{"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}],
        "messages": [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": LONG},
        ],
    }
    with open_store() as store:
        rewritten = Rewriter(store, Settings()).rewrite(json.dumps(body).encode())
    (ref,) = [decision.ref for decision in rewritten.decisions if decision.ref]
    return ref


def by_hand() -> str:
    """`Store.put`."""
    with open_store() as store:
        return store.put(LONG).ref


def by_shell(ref: str) -> str:
    """`toolstub read REF`, as the digest of what it prints."""
    command = [sys.executable, "-m", "toolstub_ext", "read", ref]
    return hashlib.sha256(subprocess.run(command, capture_output=True, check=True).stdout).hexdigest()


def by_magic(ref: str) -> str:
    """`%toolstub get REF` in a new kernel, as a digest that this kernel makes."""
    (cell,) = run_cells(f"text = %toolstub get {ref}\nimport hashlib\nprint(hashlib.sha256(text.encode()).hexdigest())")
    shown: str = cell.outputs[0].text
    return shown.strip()


MAKERS = [in_notebook, through_proxy, by_hand]


@pytest.mark.parametrize("reader", [by_shell, by_magic], ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_an_original_opens_elsewhere(maker: Callable[[], str], reader: Callable[[str], str]) -> None:
    """Byte for byte, in another process."""
    assert reader(maker()) == hashlib.sha256(LONG.encode()).hexdigest()


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_a_model_finds_and_reads_what_any_face_kept(maker: Callable[[], str]) -> None:
    """The retrieval tools search the original and read the lines around the match."""
    ref = maker()
    with open_store() as store:
        def call(name: str, **arguments: object) -> str:
            return retrieval.run(name, json.dumps(arguments), store=store, owner="local", session="any")

        assert "line 4001" in call("toolstub_search", ref=ref, query="needle is")
        assert SECRET in call("toolstub_read", ref=ref, lines="4000:4002")


def test_every_face_gives_the_same_ref() -> None:
    """It is the content's, not the place's."""
    assert len({maker() for maker in MAKERS}) == 1
