"""A view for mitmweb and mitmproxy of what was stubbed in a request: each result before and after.

mitmproxy 12 made views anew, so there are two ways to be one: a `Contentview` there, a `View` before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mitmproxy import contentviews, http
from mitmproxy.flow import Flow

NAME = "Toolstub"
CHANGES = "toolstub_changes"
"""Where a flow keeps what `changes_in` said, in its metadata, which is saved with it."""
_PRIORITY = 3.0
"""Above JSON: whoever opens a request that was changed wants to see that first."""


def _changes(flow: Any, message: Any) -> str:
    """What was changed in a message; only requests are."""
    if not isinstance(flow, Flow) or not isinstance(message, http.Request):
        return ""
    return str(flow.metadata.get(CHANGES, ""))


def _text(flow: Any, message: Any) -> str:
    return _changes(flow, message) or "toolstub changed nothing here."


class ToolstubContentview:
    """The view as mitmproxy 12 wants it."""

    name = NAME
    syntax_highlight = "none"

    def prettify(self, data: bytes, metadata: Any) -> str:
        """The changes, as text."""
        return _text(metadata.flow, metadata.http_message)

    def render_priority(self, data: bytes, metadata: Any) -> float:
        """Chosen by itself where something was changed, and never elsewhere."""
        return _PRIORITY if _changes(metadata.flow, metadata.http_message) else -1.0

    def __lt__(self, other: Any) -> bool:
        return bool(self.name.__lt__(other.name))


def _older_view() -> Any:
    """The view as mitmproxy 11 wants it."""
    views: Any = contentviews

    class ToolstubView(views.View):  # type: ignore[misc]
        name = NAME

        def __call__(self, data: bytes, *, flow: Any = None, http_message: Any = None,
                     **_: Any) -> tuple[str, Iterator[list[tuple[str, str]]]]:
            lines = _text(flow, http_message).split("\n")
            return NAME, ([("text", line)] for line in lines)

        def render_priority(self, data: bytes, *, flow: Any = None, http_message: Any = None, **_: Any) -> float:
            return _PRIORITY if _changes(flow, http_message) else -1.0

    return ToolstubView()


def view() -> Any:
    """The view for the mitmproxy that is installed."""
    return ToolstubContentview() if hasattr(contentviews, "Contentview") else _older_view()


def show() -> None:
    """Add the view, in place of one of an earlier load of the script."""
    views: Any = contentviews
    if not hasattr(views, "Contentview") and (old := views.get(NAME)) is not None:
        views.remove(old)
    views.add(view())
