"""The demo's notebook: a cell that prints a real table of 3.7 MB, run in a real kernel, saved with its stub.

The table is the character database of Unicode 3.2, which every Python carries unchanged: the same text, and so the
same stub, on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from .failure import DemoFailed

REF = "ts_5aac9d8a48074ac8"
TITLE = """\
# A cell that prints 3.7 MB

Every character of Unicode 3.2, which comes with every Python. The output is kept, whole, in the store; the notebook
gets a stub that says what is in it. Open it in place, with `%toolstub get REF`, or from a shell with
`toolstub read REF`."""
PRINT = """\
from unicodedata import ucd_3_2_0 as unicode

rows = ["code,name,category,direction"]
for code in range(0x110000):
    if name := unicode.name(chr(code), ""):
        rows.append(f"{code},{name},{unicode.category(chr(code))},{unicode.bidirectional(chr(code))}")
print("\\n".join(rows))"""
COMPARE = f"""\
import hashlib

original = %toolstub get {REF}
assert original == "\\n".join(rows) + "\\n"
print(len(original), hashlib.sha256(original.encode()).hexdigest())"""


@dataclass(frozen=True, slots=True)
class SavedNotebook:
    """What was saved, and what the kernel says about the text it printed."""

    path: Path
    ref: str
    stub: str
    printed_chars: int
    printed_sha256: str


def example() -> NotebookNode:
    """The notebook, not yet run."""
    cells = [
        new_markdown_cell(TITLE, id="title"),
        new_code_cell("%load_ext toolstub_ext", id="load"),
        new_code_cell(PRINT, id="print"),
        new_code_cell(COMPARE, id="compare"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook: NotebookNode = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    return notebook


def run(path: Path) -> SavedNotebook:
    """Run the example in a kernel of its own and save it. Raises DemoFailed."""
    notebook = example()
    quiet = ["--IPKernelApp.log_level=ERROR"]
    try:
        NotebookClient(notebook, timeout=120, record_timing=False, extra_arguments=quiet).execute()
    except CellExecutionError as error:
        raise DemoFailed(f"a cell of the notebook raised {error.ename}: {error.evalue}") from error
    notebook.metadata.pop("language_info")  # the only part that differs from one Python to the next
    nbformat.write(notebook, path)
    output = notebook.cells[2].outputs[0]
    chars, sha256 = notebook.cells[3].outputs[0].text.split()
    return SavedNotebook(path, output.metadata["toolstub"]["ref"], output.data["text/plain"], int(chars), sha256)


def bytes_without_stub(path: Path, original: str) -> int:
    """How large the same notebook would have been."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].outputs = [new_output("stream", name="stdout", text=original)]
    return len(nbformat.writes(notebook).encode("utf-8", "surrogatepass"))
