"""Recorded conversations, sent as they grew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from toolstub_ext.policy.history import AGED, FOLDED
from toolstub_ext.retrieval import definitions
from toolstub_ext.rewriting import Rewritten

from .judging import MARK, Compared, Place, compared, lost
from .recordings import PATHS, Conversation
from .room import Room, opened

_EVERY = 3
"""Of so many answers, one begins with a call of ours."""
_CALLS = {
    "chat": '{"id":"r0","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"call_t#","type":"function","function":'
            '{"name":"toolstub_list","arguments":"{}"}}]}}]}',
    "messages": '{"id":"m0","type":"message","role":"assistant","stop_reason":"tool_use","content":'
                '[{"type":"tool_use","id":"toolu_t#","name":"toolstub_list","input":{}}]}',
    "responses": '{"id":"resp_0","object":"response","status":"completed","store":false,"output":[{"type":'
                 '"function_call","id":"fc_t#","call_id":"call_t#","name":"toolstub_list","arguments":"{}"}]}',
}


async def resent(preset: str, store: Path, conversations: list[Conversation], counts: Counter[str]) -> list[str]:
    """Send all under one preset, and say what was found wrong. In every other one, the model calls our tools."""
    findings: dict[tuple[str, str], str] = {}  # what is wrong with one request is mostly so with all that follow
    async with opened(preset, store) as room:
        equipped = [conversation for conversation in conversations if conversation.tools_at is not None]
        for number, conversation in enumerate(conversations):
            counts["conversations"] += 1
            course = _Course(room, conversation, str(number), counts, reads=conversation in equipped[::2])
            for items in conversation.requests:
                counts["requests"] += 1
                for finding in await course.send(items):
                    where = f"{conversation.name}, {items} messages"
                    findings.setdefault((conversation.name, finding), f"{where}: {finding}")
        failures = room.gateway.counts.all_failures()
    return [*findings.values(), *(f"{number} times: {what}" for what, number in failures.items())]


class _Course:
    """One conversation on its way, with what was sent last up to the end of its messages, what had aged in it, and the
    rounds behind its answers, by the number of items in front of them."""

    def __init__(self, room: Room, conversation: Conversation, session: str, counts: Counter[str], *,
                 reads: bool) -> None:
        self._room = room
        self._conversation = conversation
        self._session = session
        self._counts = counts
        self._reads = reads
        self._sent = ""
        self._offered: bool | None = None
        self._aged: set[tuple[int, int]] = set()
        self._rounds: dict[int, str] = {}

    async def send(self, items: int) -> list[str]:
        """Send one request; what is wrong with what the upstream and the client got."""
        conversation, player = self._conversation, self._room.player
        client, said = conversation.request(items), conversation.answer(items)
        ours = _CALLS[conversation.format].replace("#", str(items)).encode()
        reads = self._reads and self._offered is True and conversation.requests.index(items) % _EVERY == 1
        reads = reads and b'thinking"' not in said  # of a later round, the client would not be shown it
        player.answers.extend([ours, said] if reads else [said])
        body = client.encode("utf-8", "surrogatepass")
        answer = await self._room.post(body, PATHS[conversation.format], session=self._session)
        player.answers.clear()
        sent = [received.decode("utf-8", "surrogatepass") for received in player.received]
        rewritten = self._room.rewritten[0]
        seen = compared(client, sent[0], self._places(items, rewritten))
        self._counts["replaced"] += len(seen.replaced)
        if seen.wrong:
            return [seen.wrong]
        findings = [*lost(client, seen, self._room.store), *self._unlike_before(seen, sent[0], rewritten)]
        if reads:
            findings += self._hidden(items, sent, seen)
        elif answer != said:
            findings.append(f"the answer {said[:80]!r} came as {answer[:80]!r}")
        return findings

    def _places(self, items: int, rewritten: Rewritten) -> Iterator[Place]:
        """Where the request may differ."""
        conversation = self._conversation
        for item in conversation.items[:items]:
            yield from (Place(start, end, "result") for start, end in item.results)
        yield from (Place(conversation.items[at].start, conversation.items[at].start, hidden + ",")
                    for at, hidden in self._rounds.items())
        yield from (Place(d.slot.start, d.slot.end, "history") for d in rewritten.decisions if d.action == FOLDED)
        end = conversation.items[items - 1].end
        yield Place(end, end, MARK)
        if (place := conversation.tools_at) is not None:
            place -= conversation.items[-1].end - end if place > end else 0
            yield Place(place, place, definitions(conversation.format) + ",")

    def _unlike_before(self, seen: Compared, sent: str, rewritten: Rewritten) -> Iterator[str]:
        """How the request does not begin as the one before, though no policy for what is old says that it moved."""
        folded = [d.slot for d in rewritten.decisions if d.action == FOLDED]
        aged = {(d.slot.start, d.slot.end) for d in rewritten.decisions if d.action in (*AGED, FOLDED)}
        known = {(start, end) for start, end in self._aged
                 if not any((slot.start, slot.end) != (start, end) and slot.start <= start < slot.end
                            for slot in folded)}
        if aged == known and not sent.startswith(self._sent):
            yield f"it does not begin as the one before: {compared(self._sent, sent[:len(self._sent)], ()).wrong}"
        elif not aged >= known:
            yield "what had aged is new again"
        self._counts["moves"] += aged != known
        offered = definitions(self._conversation.format) + "," in seen.added
        if offered is not (offered if self._offered is None else self._offered):
            yield "the tools are others than in the request before"
        missing = [at for at, hidden in self._rounds.items() if hidden + "," not in seen.added
                   and not any(slot.start <= self._conversation.items[at].start < slot.end for slot in folded)]
        if missing:
            yield f"the rounds behind {missing} are not in it"
        self._sent, self._aged, self._offered = sent[:seen.mark], aged, offered

    def _hidden(self, items: int, sent: list[str], seen: Compared) -> Iterator[str]:
        """What is wrong with a hidden round, which is to be found in every later request."""
        opening, closing = sent[0][:seen.mark], sent[0][seen.mark:]
        if len(sent) != 2 or not (sent[1].startswith(opening) and sent[1].endswith(closing)):
            yield f"after a call of ours, {len(sent)} requests arrived, and not the same with what followed"
            return
        self._counts["rounds"] += 1
        if items < len(self._conversation.items):
            self._rounds[items] = sent[1][len(opening):len(sent[1]) - len(closing)].lstrip(" \t\r\n,")
