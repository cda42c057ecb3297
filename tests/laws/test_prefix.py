"""Law 3: a byte once sent does not change."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laws_support import PRESETS, body_of, pieces, slow, turns

from toolstub_ext import hidden_rounds
from toolstub_ext.policy.history import AGED, FOLDED
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store
from toolstub_ext.transcript import Slot, literal


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, str]:
    """What a gateway remembers of one turn: messages in front, and for a mixed turn our calls and their results."""
    def call(number: int) -> str:
        return json.dumps({"id": f"t{number}", "type": "function", "function": {"name": "toolstub_read"}})

    def reply(number: int) -> str:
        return f'{{"role":"tool","tool_call_id":"t{number}","content":{literal(draw(pieces))}}}'

    before = [f'{{"role": "assistant","tool_calls":[{call(n)}]}},{reply(n)}' for n in range(draw(st.integers(0, 2)))]
    mixed = range(7, 7 + draw(st.integers(0, 2)))
    return {"before": ",".join(before), "calls": ",".join(map(call, mixed)), "results": ",".join(map(reply, mixed))}


@slow
@given(turns(most=5), st.lists(rounds() | st.none(), min_size=6, max_size=6), st.sampled_from(PRESETS), st.uuids())
def test_law_3_a_byte_once_sent_does_not_change(
    store: Store, conversation: list[Any], hidden: list[dict[str, str] | None], preset: Settings, session: Any
) -> None:
    """As a conversation grows, each request begins with the one before it: tools, results, and rounds put back.

    Only what is old may change, when a boundary moves: never back, and by no less than its step.
    """
    rewriter = Rewriter(store, preset)
    sent, cleared = "", set[tuple[Slot, int]]()
    for count in range(1, len(conversation) + 1):
        body = body_of(conversation[:count])
        done = rewriter.rewrite(body, session=str(session))
        assert done.body == rewrite(body, store=store, settings=preset, session=str(session)).body
        slots = [d.slot for d in done.decisions if d.action == FOLDED]
        gone = {(d.slot, d.chars_before) for d in done.decisions if d.action in (*AGED, FOLDED)}
        cleared = {(old, size) for old, size in cleared
                   if not any(slot != old and slot.start <= old.start < slot.end for slot in slots)}
        if gone == cleared:
            assert done.text.startswith(sent)
        else:
            assert gone > cleared
            assert not preset.clear.enabled or 2 * sum(size for _, size in gone - cleared) >= preset.clear.step_tokens
        sent, cleared = done.text[:done.messages_end], gone
        shown = conversation[count][0] if count < len(conversation) else None
        if done.injected and done.reading and shown and (secret := hidden[count]):
            calls = tuple(call["id"] for call in shown.get("tool_calls", ()))
            if not calls:
                secret = {**secret, "calls": "", "results": ""}
            hidden_rounds.remember(store, done.reading, owner="local", session=done.session,
                                   visible_text=shown["content"] or "", visible_calls=calls, **secret)
    assert not rewriter.faults
