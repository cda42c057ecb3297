"""What to type when a library is missing."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit

_CLONE = Path(__file__).resolve().parent.parent
"""The repository, where this is run from one that is not installed."""
_EXTRA_OF = {
    "aiohttp": "gateway",
    "certifi": "gateway",
    "mitmproxy": "proxy",
    "prometheus_client": "gateway",
    "IPython": "notebook",
    "anywidget": "notebook",
    "ipywidgets": "notebook",
    "nbformat": "notebook",
    "ipykernel": "demo",
    "nbclient": "demo",
    "openai": "demo",
    "spellchecker": "replay",
}


def how_to_install(error: ModuleNotFoundError) -> str:
    """One line with the command. What is missing of our own is no matter of installing: that error is raised again."""
    missing = (error.name or "").partition(".")[0]
    if not missing or missing.startswith("toolstub"):
        raise error
    extra = _EXTRA_OF.get(missing)
    return f"this needs {missing}: pip install {_package(f'[{extra}]' if extra else '')}"


def _package(extra: str) -> str:
    """The package with an extra, from where it came from: a folder, or the package index."""
    try:
        origin = json.loads(distribution("toolstub").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {"url": _CLONE.as_uri()} if (_CLONE / "pyproject.toml").is_file() else {}
    from urllib.request import url2pathname  # brings HTTP and TLS along, which nothing else here needs

    url = urlsplit(origin.get("url", ""))
    if url.scheme != "file":
        return f'"toolstub{extra}"'
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f'{editable}"{url2pathname(url.path)}{extra}"'
