"""What one cell has shown and holds back: a state machine from messages to messages.

    feed(message) -> []            held back; it is on disk
                     [message]     passes
                     [stub, ...]   what was held is stored and stands here as a stub, then the message or its stub

It sends nothing itself. If anything of ours fails, what was held comes out again and the rest of the cell passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import bundle
from .desk import Desk
from .messages import Message, display, is_view, stream, texts
from .segment import Segment

_TAIL_CHARS = 300
_GROWTH = 1.25
_PIECE = 1 << 20


class Cell:
    """One execution of one cell. `passing` is true once nothing of it is to be held back."""

    def __init__(self, parent: Mapping[str, Any], desk: Desk, *, over: bool = False) -> None:
        self.parent = parent
        self.passing = False
        self.over = over
        self.visible = 0
        self.segment: Segment | None = None
        self._desk = desk

    @property
    def holding(self) -> bool:
        """Whether some text is on disk and not yet stored."""
        return self.segment is not None and self.segment.holding

    def feed(self, message: Message) -> list[Message]:
        """What is to be sent now that `message` was about to be."""
        if self.passing:
            return [message]
        match message.type:
            case "stream":
                return self._stream(message)
            case "display_data" | "update_display_data":
                return self._display(message)
            case "execute_result":
                return [*self.close(), self._result(message)]
            case "error":
                return [*self.close(), self._error(message)]
            case "execute_reply":
                self.over = True
                return [*self.close(), self._error(message) if "traceback" in message.content else message]
            case "clear_output":
                self.forget()
                return [message]
            case _:
                return [*self.close(), message]

    def _stream(self, message: Message) -> list[Message]:
        name, text = message.content["name"], message.content["text"]
        sent = [] if self.segment is None or self.segment.joins or name in self.segment.names else self.close()
        if self.segment is None:
            self.segment = Segment(name, self._desk.originals)
        if not self.segment.holding:
            chars = self.segment.screen.after(text)
            if chars <= self._desk.limits.threshold_chars and chars <= self._room:
                self.segment.show(text)
                return [*sent, message]
            limits = self._desk.limits
            self.segment.joins = chars <= limits.threshold_chars or self._room < limits.stub_chars
            self.segment.hold()
        self.segment.keep(message, text, name, self._desk.limits.stub_chars)
        return sent

    def _display(self, message: Message) -> list[Message]:
        data = message.content["data"]
        if "toolstub" in message.content.get("metadata", {}):
            return [*self.close(), message]
        found = {} if is_view(data) else texts(data)
        update = message.type == "update_display_data"
        alone = update or "display_id" in message.content.get("transient", {}) or set(found) != set(data)
        joins = self.segment is not None and self.segment.joins
        sent = [] if update or joins else self.close()
        if not alone and (joins or self._spent(found)):
            self._join(message, self._desk.transcript_of(found, tool="display"))
            return sent
        return [*sent, self._shown(message, found, "display", counts=not update)]

    def _result(self, message: Message) -> Message:
        data = message.content["data"]
        return self._shown(message, {} if is_view(data) else texts(data), "result")

    def _shown(self, message: Message, found: dict[str, str], tool: str, *, counts: bool = True) -> Message:
        """The message, its texts replaced by a stub if they are too long for the threshold or what is left."""
        chars = _chars(found)
        if reason := self._reason(found):
            made = self._desk.stub_of(found, tool=tool, reason=reason)
            if len(made.plain) < sum(map(len, found.values())):
                kept = {mime: value for mime, value in message.content["data"].items() if mime not in found}
                if "text/html" in kept:
                    made = bundle.Bundle({"text/plain": made.plain}, made.metadata)
                chars = len(made.plain)
                message = message.with_content(
                    data={**kept, **made.data}, metadata={**message.content.get("metadata", {}), **made.metadata}
                )
        self.visible += chars if counts else 0
        return message

    def _reason(self, found: dict[str, str]) -> str:
        limits = self._desk.limits
        chars, total = _chars(found), sum(map(len, found.values()))
        if chars > limits.threshold_chars:
            halved = all(len(text) < chars for mime, text in found.items() if mime != "text/html")
            return f"{chars:,} > {limits.threshold_chars:,} chars" + (", half of its HTML" if halved else "")
        if total > limits.cell_budget_chars:
            return f"{total:,} > {limits.cell_budget_chars:,} chars with its markup"
        if chars > max(self._room, limits.stub_chars):
            return f"cell budget of {limits.cell_budget_chars:,} chars"
        return ""

    def _error(self, message: Message) -> Message:
        evalue, traceback = str(message.content.get("evalue", "")), message.content.get("traceback") or []
        if len(evalue) + sum(map(len, traceback)) <= self._desk.limits.threshold_chars:
            return message
        ename = str(message.content.get("ename", "error"))
        short_message, short = self._desk.error(ename, evalue, traceback)
        return message.with_content(evalue=short_message, traceback=short)

    def _join(self, message: Message, text: str) -> None:
        if self.segment is None:
            self.segment = Segment("display", self._desk.originals)
        if not self.segment.holding:
            self.segment.joins = True
            self.segment.hold()
        self.segment.keep(message, text, "display", self._desk.limits.stub_chars)

    @property
    def _room(self) -> int:
        """Characters the cell may still show."""
        return self._desk.limits.cell_budget_chars - self.visible

    def _spent(self, found: dict[str, str]) -> bool:
        return min(_chars(found), self._desk.limits.stub_chars) > self._room

    def close(self) -> list[Message]:
        """End the run of text: the stub of what was held, or its messages if they are smaller than a stub."""
        segment = self.segment
        if segment is None:
            return []
        sent: list[Message] = []
        shown = segment.screen.chars
        if segment.holding:
            if segment.messages is not None and not segment.display_id:
                sent = segment.messages
                shown += segment.held_chars
            else:
                made = self._desk.stub(segment.text(), tool=segment.name, reason=self._why(segment),
                                       name=segment.seen_as)
                sent = [self._show(segment, made)]
                shown += len(made.plain)
        segment.discard()
        self.visible += shown
        self.segment = None
        return sent

    def _why(self, segment: Segment) -> str:
        limits = self._desk.limits
        reason = (f"cell budget of {limits.cell_budget_chars:,} chars" if segment.joins
                  else f"{segment.chars:,} > {limits.threshold_chars:,} chars")
        return reason + (f"; the first {segment.head_chars:,} are above" if segment.head_chars else "")

    def _show(self, segment: Segment, made: bundle.Bundle) -> Message:
        update = bool(segment.display_id)
        return display(made.data, made.metadata, self.parent, segment.display_id or None, update=update)

    def tick(self) -> list[Message]:
        """Called twice a second while something is held: show how it grows, and end it once the cell is over.

        The first time nothing is shown: most runs end before the second.
        """
        segment = self.segment
        if segment is None or not segment.holding:
            return []
        if not segment.ripe:
            segment.ripe = True
            return []
        if not segment.grown:
            if not self.over:
                return []
            return self._settle(segment) if segment.joins else self.close()
        segment.grown = False
        made = bundle.growing(segment.spool_name, tool=segment.name, chars=segment.chars, lines=segment.lines,
                              tail=segment.tail(_TAIL_CHARS))
        first = not segment.display_id
        display_id = segment.display_id or segment.begin_display()
        return [display(made.data, made.metadata, self.parent, display_id, update=not first)]

    def _settle(self, segment: Segment) -> list[Message]:
        """After its budget a cell has one stub; a thread that goes on printing now and then only makes it grow.

        To keep the work linear, it is stored again only once it has grown by a quarter.
        """
        if segment.chars < segment.settled_chars * _GROWTH:
            return []
        made = self._desk.stub(segment.text(), tool=segment.name, reason=self._why(segment), name=segment.seen_as)
        segment.settled_chars = segment.chars
        return [self._show(segment, made)]

    def forget(self) -> None:
        """The cell's output was cleared: drop what was held and begin to count anew."""
        if self.segment is not None:
            self.segment.discard()
            self.segment = None
        self.visible = 0

    def give_up(self, message: Message | None = None) -> list[Message]:
        """Something of ours failed: bring out all that was held, then `message`, and let the rest pass."""
        self.passing = True
        segment, self.segment = self.segment, None
        sent: list[Message] = []
        if segment is not None and segment.holding:
            sent = self._brought_out(segment)
        return sent if message is None else [*sent, message]

    def _brought_out(self, segment: Segment) -> list[Message]:
        messages = segment.messages
        if messages is None or segment.display_id:
            try:
                text = segment.held()
            except (OSError, ValueError):
                segment.leave()
                note = f"toolstub: the output could not be read back; it is in the spool {segment.spool_name}\n"
                return [stream("stderr", note, self.parent)]
            name = segment.names[0] if segment.names[0] in ("stdout", "stderr") else "stdout"
            text = bundle.sendable(text)
            messages = [stream(name, text[i : i + _PIECE], self.parent) for i in range(0, len(text), _PIECE)]
            if segment.display_id:
                data = {"text/plain": "[toolstub] not stored; the output follows in full"}
                messages.insert(0, display(data, {}, self.parent, segment.display_id, update=True))
        segment.discard()
        return messages


def _chars(found: dict[str, str]) -> int:
    """What a reader of the bundle takes in: its longest text, of which markup is taken to be half tags."""
    return max((len(text) // 2 if mime == "text/html" else len(text) for mime, text in found.items()), default=0)
