"""Recordings sent once more through the gateway arrive as they should, and what would not is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from resend import upstream
from resend.__main__ import main
from resend.conversations import resent
from resend.judging import Place, compared
from resend.recordings import found
from resend.streams import replayed

from toolstub_ext.presets import PRESETS
from toolstub_ext.rewriting import Rewritten
from toolstub_proxy.exchange import Exchange
from toolstub_proxy.workplaces import Workplaces

RECORDED = Path(__file__).parents[1] / "resend" / "recorded"
Tamper = Callable[[Rewritten, int], bytes]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_was_recorded_arrives_as_it_should(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All formats, streamed and not, with odd bytes, rounds that the client does not see, and texts replaced."""
    assert main(["--preset", preset, str(RECORDED)]) == 0
    head, row, last = capsys.readouterr().out.splitlines()
    counted = dict(zip(head.split()[1:], map(int, row.split()[1:])))
    assert last == "0 findings"
    assert counted["requests"] >= 20
    assert counted["streams"] >= 18
    assert bool(counted["rounds"]) is (preset != "off")


def _first_text(rewritten: Rewritten, to: bytes) -> bytes:
    return rewritten.body.replace(b"Which order failed?", to, 1)


@pytest.mark.parametrize(("tamper", "finding"), [
    (lambda done, number: _first_text(done, b"Which order  failed?"), "went out as"),
    (lambda done, number: done.original if number == 3 else done.body, "does not begin as the one before"),
    (lambda done, number: done.original if number == 2 else done.body, "the tools are others"),
    (lambda done, number: done.body.replace(b"Thanks", b"Thank you"), "went out as"),
    (lambda done, number: done.body.replace(b"1.0", b"1.00"), "went out as"),
    (lambda done, number: done.body[:-1], "went out as"),
    (lambda done, number: done.body.replace(b"ERROR shop order=31676", b"E", 1), "the original is not stored"),
])
async def test_a_gateway_that_did_otherwise_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tamper: Tamper, finding: str,
) -> None:
    """Bytes that differ, a beginning that changes, tools that come and go, originals that are gone."""
    rewrite, numbers = Workplaces.rewrite, Counter[str]()

    async def tampered(self: Workplaces, body: bytes, *given: Any, **more: Any) -> Rewritten:
        numbers["seen"] += 1
        done = await rewrite(self, body, *given, **more)
        return replace(done, body=tamper(done, numbers["seen"]))

    monkeypatch.setattr(Workplaces, "rewrite", tampered)
    conversations, _ = found([RECORDED / "chat.json"])
    preset = "off" if "stored" in finding else "default"
    findings = await resent(preset, tmp_path / "store.db", conversations, Counter())
    assert any(finding in said for said in findings), findings


async def test_a_stream_that_was_buffered_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next event is sent only when the one before has arrived."""
    kept: list[bytes] = []

    async def late(response: Any, data: bytes) -> None:
        kept.append(data)
        if len(kept) > 2:
            await response.write(b"".join(kept))
            kept.clear()

    monkeypatch.setattr(Exchange, "_write", staticmethod(late))
    monkeypatch.setattr(upstream, "SECONDS", 0.2)
    _, streams = found([RECORDED / "chat-crlf.sse"])
    (finding, *_) = await replayed("default", tmp_path / "store.db", streams, Counter())
    assert "held back until something else came" in finding


@pytest.mark.parametrize(("client", "sent", "places", "wrong"), [
    ('{"a": "x"}', '{"a": "x"}', [], ""),
    ('{"a": "x"}', '{"a": "y"}', [], "at 7"),
    ('{"a": "x"}', '{"a": "y"}', [Place(6, 9, "result")], ""),
    ('{"a": "x"}', '{"a": "\\"y"}', [Place(6, 9, "result")], ""),
    ('{"a": "x"}', '{"a": "y"} ', [Place(6, 9, "result")], "at 10"),
    ('{"a": "x"}', '{"a": 7}', [Place(6, 9, "result")], "at 9"),
    ("[1]", "[0,1]", [Place(1, 1, "0,")], ""),
    ("[1]", "[1]", [Place(1, 1, "0,")], ""),
    ("[1]", "[2,1]", [Place(1, 1, "0,")], "at 1"),
    ("[1,2,3]", '["1 to 2",3]', [Place(1, 4, "history"), Place(3, 4, "result")], ""),
])
def test_only_declared_places_may_differ(client: str, sent: str, places: list[Place], wrong: str) -> None:
    """A literal for a literal, a text that is known, a value for several."""
    seen = compared(client, sent, places)
    assert seen.wrong.startswith(wrong) if wrong else not seen.wrong
