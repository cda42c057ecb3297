"""All cells of a kernel that may still print: the running one, and those whose threads and tasks outlive them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from .cell import Cell
from .desk import Desk
from .messages import Message, stream

_REMEMBERED = 64


class Cells:
    """Messages in, messages out, by cell. No method raises for a fault of ours: the originals come out instead."""

    message = Message  # for the tap, which is loaded before there is anything to make one of

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._cells: OrderedDict[str, Cell] = OrderedDict()
        self._told: set[str] = set()

    @property
    def holding(self) -> bool:
        """Whether any cell has text on disk that is not stored yet."""
        return any(cell.holding for cell in self._cells.values())

    def feed(self, message: Message) -> list[Message]:
        """What is to be sent now that `message` was about to be."""
        if message.type == "comm_msg" and not _redirects(message):
            return [message]
        cell = None
        try:
            if not self._desk.limits.enabled:
                cell = self._cells.get(message.cell)
                return [message] if cell is None else [*self._closed(cell), message]
            cell, evicted = self._cell(message.parent, starting=message.type == "execute_input")
            return evicted + cell.feed(message)
        except Exception as fault:  # noqa: BLE001 - whatever failed, outputs go on
            return self._failed(cell or Cell(message.parent, self._desk), fault, message)

    def tick(self) -> list[Message]:
        """Called twice a second while something is held."""
        sent = []
        for cell in list(self._cells.values()):
            try:
                sent += cell.tick()
            except Exception as fault:  # noqa: BLE001 - whatever failed, outputs go on
                sent += self._failed(cell, fault)
        return sent

    def close(self) -> list[Message]:
        """End whatever is held, in all cells."""
        sent = []
        for cell in list(self._cells.values()):
            sent += self._closed(cell)
        return sent

    def skip(self, parent: Mapping[str, Any]) -> list[Message]:
        """Let the rest of this cell pass."""
        cell, sent = self._cell(parent)
        sent += self._closed(cell)
        cell.passing = True
        return sent

    def interrupted(self, message: Message) -> list[Message]:
        """The user interrupted us half-way: what the cell held comes out, and the rest of it passes."""
        cell = self._cells.get(message.cell)
        return [message] if cell is None else cell.give_up(message)

    def _cell(self, parent: Mapping[str, Any], *, starting: bool = False) -> tuple[Cell, list[Message]]:
        """The cell, and what had to be sent to make room for it."""
        key = str(parent.get("msg_id", ""))
        if key in self._cells:
            self._cells.move_to_end(key)
            return self._cells[key], []
        cell = self._cells[key] = Cell(parent, self._desk, over=not starting)
        if len(self._cells) <= _REMEMBERED:
            return cell, []
        _, oldest = self._cells.popitem(last=False)
        return cell, self._closed(oldest)

    def _closed(self, cell: Cell) -> list[Message]:
        try:
            return cell.close()
        except Exception as fault:  # noqa: BLE001 - whatever failed, outputs go on
            return self._failed(cell, fault)

    def _failed(self, cell: Cell, fault: Exception, message: Message | None = None) -> list[Message]:
        sent = cell.give_up(message)
        reason = self._desk.sums.failed(fault)
        if reason in self._told:
            return sent
        self._told.add(reason)
        return [*sent, stream("stderr", f"toolstub: {reason}; this output is shown in full\n", cell.parent)]


def _redirects(message: Message) -> bool:
    """Whether an Output widget begins or ends to catch the outputs of the cell."""
    data = message.content.get("data")
    state = data.get("state") if isinstance(data, Mapping) else None
    return isinstance(state, Mapping) and "msg_id" in state
