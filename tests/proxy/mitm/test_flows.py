"""Flow files are traces."""

from __future__ import annotations

import json
from pathlib import Path

from mitmproxy import http
from mitmproxy.io import FlowWriter
from mitmproxy.test import tflow, tutils

from toolstub_ext.replay import Trace
from toolstub_proxy import flows

CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}]}
ASKED = [{"role": "user", "content": "look"}]
WITH_RESULT = [*ASKED, CALL, {"role": "tool", "tool_call_id": "1", "content": "report.py"}]


def _flow(body: object, answer: bytes, encoding: str = "identity") -> http.HTTPFlow:
    flow = tflow.tflow(req=tutils.treq(method=b"POST", content=json.dumps(body).encode()),
                       resp=tutils.tresp(content=answer))
    flow.request.encode(encoding)
    return flow


def _write(path: Path, *written: http.HTTPFlow) -> Trace:
    with path.open("wb") as file:
        writer = FlowWriter(file)
        for flow in written:
            writer.add(flow)
    return Trace(path, path.name, [].append)


def test_a_session_is_read_from_its_last_request(tmp_path: Path) -> None:
    """Among other flows, compressed or not; a streamed answer is there, and what it said is in the next request."""
    answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": "one file"}}]}).encode()
    trace = _write(tmp_path / "s.flow", tflow.tflow(), _flow({"messages": ASKED}, b"data: {}\n\n"), tflow.ttcpflow(),
                   _flow({"messages": WITH_RESULT}, answer, "gzip"))
    assert flows.reads(trace)
    (conversation,) = flows.read(trace)
    assert [item.kind for item in conversation.items] == ["user", "assistant", "result", "assistant"]
    assert conversation.items[3].text == "one file"
    assert conversation.name == "s.flow#4"


def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """With a complaint about the flow that is not whole."""
    flow = _flow({"messages": WITH_RESULT}, b"")
    _write(tmp_path / "s.flow", flow, flow)
    data = (tmp_path / "s.flow").read_bytes()
    (tmp_path / "s.flow").write_bytes(data[:-20])
    complaints: list[str] = []
    (conversation,) = flows.read(Trace(tmp_path / "s.flow", "s.flow", complaints.append))
    assert len(conversation.turns) == 2
    (complaint,) = complaints
    assert complaint.startswith("s.flow, flow 2: a whole flow expected: ")


def test_other_files_are_none(tmp_path: Path) -> None:
    """Text, and nothing."""
    for text in ("", '{"messages": []}', "12:30 lunch"):
        path = tmp_path / "other.flow"
        path.write_text(text, encoding="utf-8")
        assert not flows.reads(Trace(path, path.name, [].append))
