"""What is left out of a call: the model reads it back, and the provider sees one conversation that grows."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from proxy_support import Start, body_of, deltas_of

from toolstub_ext.store import ref_of, sha256_of
from toolstub_proxy.demo.upstream_model import Reply

OLD = "".join(f"def step_{number}(rows):\n    return rows[{number}]\n\n" for number in range(20))
EDIT = {"file_path": "src/app.py", "old_string": OLD, "new_string": "", "replace_all": False}
LEFT_OUT = f"[toolstub] {len(OLD)} characters left out; toolstub_read {ref_of(sha256_of(OLD))}"


def _model(body: dict[str, Any]) -> Reply | None:
    """Asked what it has removed, it looks that up."""
    last = body["messages"][-1]
    if last["role"] == "tool" and "step_19" in last["content"]:
        return Reply("I removed step_19.")
    refs = re.findall(r"left out; toolstub_read (ts_\w+)", json.dumps(body["messages"]))
    return Reply(calls=(("toolstub_read", json.dumps({"ref": refs[0]})),)) if refs else None


def _edited() -> list[dict[str, Any]]:
    function = {"name": "get_log", "arguments": json.dumps(EDIT)}
    return [
        {"role": "user", "content": "What did you remove?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]


@pytest.mark.parametrize("stream", [False, True])
async def test_the_model_reads_back_what_was_left_out_of_its_call(start: Start, stream: bool) -> None:
    """In a round that the client does not see; the same bytes stand in every later request."""
    behind = await start(script=_model, settings={"arguments": {"enabled": True}})
    messages = _edited()
    status, headers, answer = await behind.post(body_of(messages, stream=stream))
    said = "".join(delta["choices"][0]["delta"].get("content") or "" for delta in deltas_of(answer)) if stream \
        else json.loads(answer)["choices"][0]["message"]["content"]
    assert (status, said) == (200, "I removed step_19.")
    assert b"toolstub_" not in answer
    assert headers["x-toolstub"].startswith("stubs=1")
    messages += [{"role": "assistant", "content": said}, {"role": "user", "content": "What did you remove?"}]
    await behind.post(body_of(messages, stream=stream))
    for body in behind.upstream.bodies:
        (call,) = body["messages"][1]["tool_calls"]
        assert json.loads(call["function"]["arguments"]) == {**EDIT, "old_string": LEFT_OUT}
    first, second, third, *_ = (json.dumps(body["messages"])[:-1] for body in behind.upstream.bodies)
    assert second.startswith(first)
    assert third.startswith(second)
