"""What mitmweb shows of a request in which something was stubbed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mitmproxy import contentviews, http
from mitmproxy.test import tflow, tutils
from proxy_support import asked, body_of, log_of

from toolstub_ext.rewriting import Rewriter
from toolstub_ext.settings import Settings
from toolstub_ext.store import open_store
from toolstub_proxy import contentview
from toolstub_proxy.changes import changes_in

PATH = "/v1/chat/completions"


def _shown(flow: http.HTTPFlow, message: http.Message) -> tuple[str, str]:
    """The name of the view that mitmproxy chooses for a message, and its text, by the way of its version."""
    if hasattr(contentviews, "Contentview"):
        shown: Any = contentviews.prettify_message(message, flow)
        return shown.view_name, shown.text
    title, lines, _ = contentviews.get_message_content_view("auto", message, flow)
    return title, "\n".join("".join(text for _, text in line) for line in lines)


@pytest.fixture
def changes(tmp_path: Path) -> str:
    """Of a request with one long result and one short."""
    messages = [*asked("a", "b", results=False), {"role": "tool", "tool_call_id": "call_a", "content": log_of("a")},
                {"role": "tool", "tool_call_id": "call_b", "content": "short"}]
    with open_store(tmp_path / "store.db") as store:
        return changes_in(Rewriter(store, Settings()).rewrite(json.dumps(body_of(messages)).encode()), PATH)


def _flow(changes: str) -> http.HTTPFlow:
    flow = tflow.tflow(req=tutils.treq(content=b'{"a": 1}', headers=http.Headers(content_type="application/json")),
                       resp=tutils.tresp(content=b'{"b": 2}'))
    flow.metadata[contentview.CHANGES] = changes
    return flow


def test_each_result_is_shown_before_and_after(changes: str) -> None:
    """With the reason and the ref."""
    head, first, before, after, second = changes.split("\n\n== ", maxsplit=1)[0], *_parts(changes)
    assert head.startswith("1 of 2 tool results shortened: ")
    assert first.startswith("get_log: externalized: ")
    assert ", ref ts_" in first
    assert before.startswith(log_of("a")[:1000])
    assert before.endswith("more characters")
    assert after.startswith("[toolstub] tool result externalized\n")
    assert second.startswith("get_log: kept: ")


def _parts(changes: str) -> tuple[str, str, str, str]:
    first, second = changes.split("\n\n== ", 1)[1].rsplit("\n\n== ", 1)
    told, rest = first.split("\n\n-- before\n", 1)
    before, after = rest.split("\n\n-- after\n", 1)
    return told, before, after, second


def test_the_view_is_chosen_where_something_was_changed(changes: str) -> None:
    """By itself, for the request alone; loaded twice, it is there once."""
    for _ in range(2):
        contentview.show()
    flow = _flow(changes)
    name, text = _shown(flow, flow.request)
    assert (name.lower(), text) == ("toolstub", changes)
    assert flow.response is not None
    assert _shown(flow, flow.response)[0].lower() != "toolstub"
    nothing = _flow("")
    assert _shown(nothing, nothing.request)[0].lower() != "toolstub"


def test_changes_are_saved_with_a_flow(changes: str) -> None:
    """So that they can be looked at later, without the store."""
    state = _flow(changes).get_state()
    assert http.HTTPFlow.from_state(state).metadata[contentview.CHANGES] == changes
