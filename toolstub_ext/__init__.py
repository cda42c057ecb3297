"""Large tool results and cell outputs become short, typed stubs; the originals stay readable.

    import toolstub_ext as toolstub

    with toolstub.open_store() as store:
        entry = store.put(text, tool="list_orders")
        print(toolstub.render(toolstub.synopsize(text), sha256=entry.sha256, ref=entry.ref))
        store.read(entry.ref, lines="1:20").text

In a notebook: `%load_ext toolstub_ext`. In the shell: `toolstub --help`.

Names are looked up when first used (PEP 562), so that loading the extension costs a kernel nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from . import errors
    from .rewriting import Rewriter, Rewritten, rewrite
    from .settings import Settings, load_settings
    from .store import Ref, Store, open_store
    from .synopsis import Anchor, Synopsis, render, synopsize

__version__ = "0.1.0"

__all__ = [
    "Anchor",
    "Ref",
    "Rewriter",
    "Rewritten",
    "Settings",
    "Store",
    "Synopsis",
    "__version__",
    "errors",
    "load_ipython_extension",
    "load_settings",
    "open_store",
    "render",
    "rewrite",
    "synopsize",
    "unload_ipython_extension",
]

_MODULE_OF = {
    "Anchor": ".synopsis",
    "Ref": ".store",
    "Rewriter": ".rewriting",
    "Rewritten": ".rewriting",
    "Settings": ".settings",
    "Store": ".store",
    "Synopsis": ".synopsis",
    "load_settings": ".settings",
    "open_store": ".store",
    "render": ".synopsis",
    "rewrite": ".rewriting",
    "synopsize": ".synopsis",
}


def __getattr__(name: str) -> Any:
    if name == "errors":
        return import_module(".errors", __name__)
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext toolstub_ext`: from the next cell on, a large output is shown as a stub."""
    from .notebook import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext toolstub_ext`: outputs are shown as they come again; stubs made so far can still be opened."""
    from .notebook import unload

    unload(shell)
