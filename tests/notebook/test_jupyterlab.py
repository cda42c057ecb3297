"""A person's view: JupyterLab, a browser, a click."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

pytest.importorskip("jupyterlab", reason="pip install jupyterlab")
sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")

PATIENCE_MS = 60_000
CELL_CHARS = 10_000
READY = """() => {
  const kernel = window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel;
  return kernel?.connectionStatus === "connected" && kernel.status === "idle";
}"""
BIG = "print('\\n'.join(f'order {i:06} of the list, thirty-two characters' for i in range(45_000)))"
CELLS = ("%load_ext toolstub_ext", BIG, "ref = '{ref}'\ntext = %toolstub get {ref}\n"
         "text == '\\n'.join(f'order {{i:06}} of the list, thirty-two characters' for i in range(45_000)) + '\\n'",
         "import pathlib, time\nwhile not pathlib.Path('go').exists(): time.sleep(.1)")
CHROMIUM = os.environ.get("TOOLSTUB_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A chromium: $TOOLSTUB_CHROMIUM, the one on PATH, or Playwright's own."""
    sync_api.expect.set_options(timeout=PATIENCE_MS)
    with sync_api.sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except sync_api.Error as fault:
            pytest.skip(f"no chromium to drive: `playwright install chromium`, or set TOOLSTUB_CHROMIUM ({fault})")
        yield chromium
        chromium.close()


@pytest.fixture
def lab(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of a JupyterLab that serves `tmp_path`."""
    _write_notebook(tmp_path / "demo.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
        "--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.expose_app_in_browser=True",
    ]
    variables = {**environment, "TOOLSTUB_STORE": str(tmp_path / "store" / "store.db")}
    with (tmp_path / "lab.log").open("wb") as log:
        server = subprocess.Popen(command, env=variables, stdout=log, stderr=log, cwd=tmp_path)
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(address, server)
            yield address
        finally:
            _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(timeout=60)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _write_notebook(path: Path) -> None:
    cells = [{"cell_type": "code", "id": f"cell{i}", "source": source, "outputs": [], "metadata": {},
              "execution_count": None} for i, source in enumerate(CELLS)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.write_text(json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4,
                                "nbformat_minor": 5}), encoding="utf-8")


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(address + "/api/status", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"JupyterLab did not start (exit status {server.poll()})")


class Lab:
    """One open notebook."""

    def __init__(self, page: Any, address: str, workspace: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}/lab/workspaces/{workspace}/tree/demo.ipynb?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        self.ready()

    def ready(self) -> None:
        """Wait until the kernel is connected and idle."""
        self.page.wait_for_function(READY)

    def run(self, cell: int) -> None:
        """Run one cell and wait for its end."""
        self.page.evaluate(
            """async cell => {
              window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell;
              await window.jupyterapp.commands.execute("notebook:run-cell");
            }""", cell)
        self.ready()

    def start(self, cell: int) -> None:
        """Run one cell and do not wait for its end."""
        self.page.evaluate(
            """cell => {
              window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell;
              window.jupyterapp.commands.execute("notebook:run-cell");
            }""", cell)
        self.expect_running(cell)

    def expect_running(self, cell: int) -> None:
        """The cell has begun and not ended; the kernel's status would not tell, it is that of the last subshell."""
        sync_api.expect(self.page.locator(".jp-CodeCell .jp-InputPrompt").nth(cell)).to_contain_text("[*]")

    def write(self, cell: int, source: str) -> None:
        """Replace the source of a cell."""
        self.page.evaluate(
            "([cell, source]) => window.jupyterapp.shell.currentWidget.content.widgets[cell].model.sharedModel"
            ".setSource(source)", [cell, source])

    def command(self, name: str) -> None:
        """Run a command of JupyterLab."""
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def restart(self) -> None:
        """Restart the kernel: all that it knew is gone."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
        self.ready()


def test_a_large_print_becomes_a_stub_that_a_click_opens_also_after_a_restart(
    lab: str, browser: Any, tmp_path: Path
) -> None:
    """Two megabytes are a few lines in the notebook; a click shows them by pages, in any kernel that has the store."""
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    notebook = Lab(page, lab, "one")
    notebook.run(0)
    notebook.run(1)
    summary = page.locator("details.toolstub summary")
    summary.click()
    text = page.locator("details.toolstub .toolstub-text")
    sync_api.expect(text).to_contain_text("order 000000 of the list")
    _screenshot(page, "open")
    page.get_by_role("button", name="Last").click()
    sync_api.expect(text).to_contain_text("order 044999 of the list")
    search = page.get_by_role("searchbox", name="Search the whole output")
    search.fill("order 022222")
    search.press("Enter")
    page.locator(".toolstub-hits button").click()
    sync_api.expect(text).to_contain_text("order 022222 of the list")
    _screenshot(page, "found")

    ref = page.locator("details.toolstub summary code").inner_text()
    notebook.write(2, CELLS[2].format(ref=ref))
    notebook.run(2)
    sync_api.expect(page.locator(".jp-OutputArea-output").last).to_have_text("True")
    notebook.command("docmanager:save")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = json.loads((tmp_path / "demo.ipynb").read_text(encoding="utf-8"))
    assert ref in json.dumps(saved)
    assert max(len(json.dumps(cell["outputs"])) for cell in saved["cells"]) < CELL_CHARS
    assert "widgets" not in saved["metadata"]

    notebook.restart()
    page.close()
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    notebook = Lab(page, lab, "two")
    page.locator("details.toolstub summary").click()
    sync_api.expect(page.locator("details.toolstub pre")).to_contain_text(f"%toolstub get {ref}")
    _screenshot(page, "static")
    notebook.run(0)
    sync_api.expect(page.locator("details.toolstub .toolstub-text")).to_contain_text("order 000000 of the list")
    notebook.start(3)
    page.get_by_role("button", name="Next").click()
    sync_api.expect(page.locator(".toolstub-where")).not_to_contain_text("lines 1-")
    notebook.expect_running(3)
    (tmp_path / "go").touch()
    notebook.ready()
    page.close()


def _screenshot(page: Any, name: str) -> None:
    """Kept only for someone who wants to look, in $SCREENSHOTS."""
    directory = os.environ.get("SCREENSHOTS")
    if directory:
        page.screenshot(path=Path(directory) / f"{name}.png")
