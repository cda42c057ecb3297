"""Regenerates what is shown to readers: the stubs in README.md, and examples/.

    python scripts/examples.py            # write them
    python scripts/examples.py --check    # exit status 1 if one is not what the code prints today

The stubs come from real runs: a notebook in a kernel, and a request body through the rewriting.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

import toolstub_ext
from toolstub_ext.synopsis import is_stub
from toolstub_proxy.demo import agent, notebook, show

ROOT = Path(__file__).parent.parent


def generated() -> Iterator[tuple[Path, str]]:
    """Every file that is made from others, with the text it should have."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        with show.environment(folder, folder / "store.db"):
            saved = notebook.run(folder / "notebook.ipynb")
        yield ROOT / "examples/notebook.ipynb", saved.path.read_text(encoding="utf-8")
        yield ROOT / "examples/agent.py", Path(agent.__file__).read_text(encoding="utf-8")
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        readme = _with_block(readme, "notebook", saved.stub)
        yield ROOT / "README.md", _with_block(readme, "proxy", stub_of_orders(folder))


def stub_of_orders(folder: Path) -> str:
    """What a model gets in place of the answer of `list_orders`."""
    orders: str = run_path(str(ROOT / "examples/orders.py"))["orders"]()
    call = {"id": "call_1", "type": "function", "function": {"name": "list_orders", "arguments": "{}"}}
    body = {
        "model": "any",
        "tools": [{"type": "function", "function": {"name": "list_orders", "parameters": {"type": "object"}}}],
        "messages": [
            {"role": "user", "content": "Which orders are open?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": orders},
        ],
    }
    with toolstub_ext.open_store(str(folder / "orders.db")) as store:
        sent = toolstub_ext.Rewriter(store, toolstub_ext.Settings()).rewrite(json.dumps(body).encode()).body
    stub: str = json.loads(sent)["messages"][-1]["content"]
    if not is_stub(stub):
        raise SystemExit("the answer of list_orders was forwarded as it is; is there a fault in the rewriting?")
    return stub


def _with_block(readme: str, name: str, text: str) -> str:
    """README.md with the fenced block below `<!-- name -->` replaced."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`{3,}", text)), default=2))
    block = f"<!-- {name} -->\n{fence}text\n{text.rstrip()}\n{fence}\n<!-- /{name} -->"
    before, found, rest = readme.partition(f"<!-- {name} -->\n")
    if not found:
        return readme
    return before + block + rest.partition(f"<!-- /{name} -->")[2]


def main() -> int:
    """Write, or check."""
    stale = [(path, text) for path, text in generated() if path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        print(f"{path.relative_to(ROOT)} is not what the code prints today; run: make examples")
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
