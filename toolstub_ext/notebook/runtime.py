"""One invisible widget per kernel that answers the clicks on stubs, old and new.

It is never displayed: its code is run by the front-end when it hears of the widget, and then listens on the whole page.
A stub holds no trace of it, so a stub from before a restart is answered by the widget of the kernel after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

from ..errors import RefNotFound, ToolstubError
from .bundle import showable
from .originals import Originals, lines_of

_HITS = 20
_QUERY_CHARS = 500


def make_runtime(originals: Originals) -> Any:
    """The widget, or None where anywidget is not installed: stubs are then static."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        return None

    class Runtime(anywidget.AnyWidget):
        _esm = Path(__file__).with_name("runtime.js").read_text(encoding="utf-8")
        token = traitlets.Unicode().tag(sync=True)

    token = token_hex(8)
    runtime = Runtime(token=token)
    _answer_anywhere(runtime.comm)
    runtime.on_msg(lambda _widget, request, _buffers: _reply(runtime, token, originals, request))
    return runtime


def _reply(runtime: Any, token: str, originals: Originals, request: Any) -> None:
    """Answer a request that is meant for this kernel; others are for the kernel of another notebook on the page."""
    if isinstance(request, Mapping) and request.get("token") == token:
        runtime.send({"id": request.get("id"), **answer(originals, request)})
        _answer_anywhere(runtime.comm)


def _answer_anywhere(comm: Any) -> None:
    """Have requests handled where the front-end sends them, so that a click is answered while a cell runs.

    ipykernel 7.4 sends what comes for a comm to the subshell that last spoke on it: the main one, which is busy then.
    """
    getattr(comm, "__dict__", {}).pop("_reply_subshell_id", None)


def answer(originals: Originals, request: Mapping[str, Any]) -> dict[str, Any]:
    """What the store says to one request of the page: `{op: page, ref, offset}` or `{op: search, ref, query}`.

    Total: a ref that is not known here gives `{unknown: true}`, any other fault `{fault: ...}`.
    """
    try:
        ref = str(request.get("ref", ""))
        if request.get("op") == "search":
            return _search(originals, ref, str(request.get("query", ""))[:_QUERY_CHARS])
        return _page(originals, ref, int(request.get("offset") or 0))
    except RefNotFound:
        return {"unknown": True}
    except (ToolstubError, ValueError, TypeError, OSError) as fault:
        return {"fault": showable(str(fault))}


def _page(originals: Originals, ref: str, offset: int) -> dict[str, Any]:
    page = originals.page(ref, offset)
    return {
        "text": showable(page.text),
        "offset": page.offset,
        "next": page.next_offset,
        "line": page.first_line,
        "lines": page.total_lines,
        "chars": page.total_chars,
    }


def _search(originals: Originals, ref: str, query: str) -> dict[str, Any]:
    hits = originals.search(query, ref, ignore_case=True, limit=_HITS)
    items = [{"offset": hit.offset, "line": hit.line, "text": showable(line)} for hit, line in lines_of(hits)]
    return {"hits": items, "total": hits.total, "more": hits.cursor is not None, "query": query}
