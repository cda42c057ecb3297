"""Headers that speak of a body: they stay true of what is sent, and what a client has signed is not changed."""

from __future__ import annotations

import json

import pytest
from proxy_support import ANSWER, Start
from spoken import FORMATS, Spoken

from toolstub_ext.synopsis import is_stub
from toolstub_proxy.demo.upstream import Fault

HIDDEN = ANSWER.split("=")[1].encode()
DIGESTS = {"Content-Digest": "sha-256=:x:", "Repr-Digest": "sha-256=:x:", "Digest": "sha-256=x", "Content-MD5": "x"}

spoken_in_all = pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)


@spoken_in_all
async def test_a_digest_goes_with_its_body_alone(start: Start, spoken: Spoken) -> None:
    """Of a body that was changed it would be false."""
    behind = await start(api=spoken.api)
    await behind.post(spoken.body(), spoken.path, headers={**spoken.headers, **DIGESTS})
    for head in behind.upstream.headers:
        assert not {*head} & {*DIGESTS}
    behind.upstream.headers.clear()
    plain = json.dumps({key: value for key, value in spoken.hello().items() if key != "tools"}).encode()
    await behind.post(plain, spoken.path, headers={**spoken.headers, **DIGESTS})
    (head,) = behind.upstream.headers
    assert {*DIGESTS} <= {*head}


@spoken_in_all
@pytest.mark.parametrize("signed", [
    {"Authorization": "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b"},
    {"Signature-Input": 'sig1=("content-digest")', "Signature": "sig1=:x:"},
])
async def test_what_a_client_has_signed_goes_as_it_came(start: Start, spoken: Spoken, signed: dict[str, str]) -> None:
    """Changed, it would be refused."""
    behind = await start(api=spoken.api)
    sent = json.dumps(spoken.body()).encode()
    await behind.post(sent, spoken.path, headers={**spoken.headers, **signed, **DIGESTS})
    assert behind.upstream.requests[0] == sent
    assert {*DIGESTS} <= {*behind.upstream.headers[0]}
    _, _, told = await behind.post(sent, spoken.path, headers={**spoken.headers, **signed, "x-toolstub-dry-run": "1"})
    assert b"the client has signed it" in told


@spoken_in_all
@pytest.mark.parametrize("stream", [False, True])
async def test_each_round_is_a_request_of_its_own(start: Start, spoken: Spoken, stream: bool) -> None:
    """Where requests are told by a key, a second one under the same would be answered as the first, or refused; sent
    again, each of them has its key again."""
    behind = await start(api=spoken.api)
    for _ in range(2):
        behind.upstream.headers.clear()
        status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path,
                                              headers={**spoken.headers, "Idempotency-Key": "k"})
        assert (status, HIDDEN in answer) == (200, True)
        keys = [head["Idempotency-Key"] for head in behind.upstream.headers]
        assert keys == ["k", *(f"k-{number}" for number in range(1, len(keys)))]
        assert len(keys) > 1


async def test_a_digest_of_an_answer_that_was_changed_is_left_out(start: Start) -> None:
    """The client's would not find it true."""
    (spoken,) = (spoken for spoken in FORMATS if spoken.name == "chat")
    called = {"id": "a", "type": "function", "function": {"name": "toolstub_list", "arguments": "{}"}}
    said = {"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [called]},
                         "finish_reason": "length"}]}
    for body, kept in ((said, False), ({"choices": [{"index": 0, "message": {"content": "hi"}}]}, True)):
        answer = Fault(headers={"Content-Type": "application/json", **DIGESTS}, body=json.dumps(body).encode())
        behind = await start(fault=lambda _, answer=answer: answer)
        _, head, _ = await behind.post(spoken.body(), spoken.path)
        assert ({*DIGESTS} <= {*head}) is kept
        assert is_stub(spoken.result_in(behind.upstream.bodies[0]))
