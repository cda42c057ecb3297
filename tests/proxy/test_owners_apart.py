"""In a proxy for several, nobody reads another's originals."""

from __future__ import annotations

import json
from typing import Any

from proxy_support import ANSWER, Start, asked, body_of, log_of

from toolstub_ext.synopsis import is_stub
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.owners import per_credential


def _key(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}"}


def _spy(ref: str) -> Any:
    def script(body: dict[str, Any]) -> Reply:
        last = body["messages"][-1]
        if last.get("tool_call_id", "").startswith("call_x"):
            return Reply("", (("toolstub_read", json.dumps({"ref": ref})),))
        return Reply(last["content"][:200])

    return script


async def test_a_ref_of_one_is_unknown_to_another(start: Start) -> None:
    """The same words as for a ref that never was."""
    owners = {"gateway": {"owner_of": per_credential(b"k" * 32)}}
    behind = await start(**owners)
    _, _, answer = await behind.post(body_of(asked("a")), headers=_key("alice"))
    assert ANSWER in json.loads(answer)["choices"][0]["message"]["content"]
    stub = behind.upstream.bodies[0]["messages"][2]["content"]
    ref = next(line for line in stub.split("\n") if line.startswith("ref: ")).removeprefix("ref: ")

    for asked_for in (ref, "ts_0123456789abcdef"):
        spying = await start(script=_spy(asked_for), **owners)
        _, _, answer = await spying.post(body_of(asked("x")), headers=_key("bob"))
        said = json.loads(answer)["choices"][0]["message"]["content"]
        assert said.replace(asked_for, "REF").startswith('[toolstub] no such ref: "REF"')


async def test_without_a_credential_nothing_is_stubbed(start: Start) -> None:
    """There is nobody whose originals they would be."""
    behind = await start(gateway={"owner_of": per_credential(b"k" * 32)})
    await behind.post(body_of(asked("a")))
    assert behind.upstream.bodies[0]["messages"][2]["content"] == log_of("a")
    await behind.post(body_of(asked("a")), headers={"x-api-key": "alice"})
    assert is_stub(behind.upstream.bodies[1]["messages"][2]["content"])
