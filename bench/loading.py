"""What `%load_ext toolstub_ext` costs a kernel."""

from __future__ import annotations

import json
import os
import queue
import subprocess
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from .measuring import Figure

_CELL = """
import json, sys, time
before, start = set(sys.modules), time.process_time()
get_ipython().run_line_magic("load_ext", "toolstub_ext")
spent = time.process_time() - start
packages = {name.partition(".")[0] for name in set(sys.modules) - before} - {name.partition(".")[0] for name in before}
print(json.dumps({"ms": spent * 1e3, "others": sorted(packages - set(sys.stdlib_module_names) - {"toolstub_ext"})}))
"""
_WAIT_SECONDS = 60


def figures(*, full: bool) -> Iterator[Figure]:
    """Medians over fresh kernels, after one in which everything is compiled, as it is when a package is installed."""
    with TemporaryDirectory(prefix="toolstub-bench-") as folder:
        _, *answers = [_answer(Path(folder)) for _ in range(10 if full else 6)]
    others = answers[0]["others"]
    yield Figure("%load_ext, CPU time", median(answer["ms"] for answer in answers), "ms", 6)
    yield Figure("%load_ext, third-party modules loaded", len(others), "", 0, note=" ".join(others))


def _answer(folder: Path) -> dict[str, Any]:
    from jupyter_client.manager import start_new_kernel

    environment = os.environ | {
        "IPYTHONDIR": str(folder), "TOOLSTUB_STORE": str(folder / "store.db"),
        "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }  # fmt: skip
    manager, client = start_new_kernel(
        kernel_name="python3", cwd=str(Path(__file__).parent.parent), stderr=subprocess.DEVNULL,
        env=environment,
    )
    try:
        return _run(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _run(client: Any) -> dict[str, Any]:
    asked = client.execute(_CELL)
    while True:
        try:
            message = client.get_iopub_msg(timeout=_WAIT_SECONDS)
        except queue.Empty as error:
            raise TimeoutError("the kernel does not answer") from error
        if message["parent_header"].get("msg_id") != asked:
            continue
        if message["msg_type"] == "error":
            raise RuntimeError(f"{message['content']['ename']}: {message['content']['evalue']}")
        if message["msg_type"] == "stream" and message["content"]["text"].startswith("{"):
            answer: dict[str, Any] = json.loads(message["content"]["text"])
            return answer
