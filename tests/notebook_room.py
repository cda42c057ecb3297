"""Cells with a store of their own and a front-end that sees what they let through, for the tests of the notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolstub_ext.notebook.cells import Cells
from toolstub_ext.notebook.desk import Desk
from toolstub_ext.notebook.messages import Message
from toolstub_ext.notebook.originals import Originals

PARENT = {"msg_id": "cell-1"}


@dataclass
class Limits:
    """The limits of a test."""

    enabled: bool = True
    threshold_chars: int = 4000
    cell_budget_chars: int = 8000
    stub_chars: int = 800


class Room:
    """Cells with a store of their own, and the front-end that sees what they let through."""

    def __init__(self, directory: Path, limits: Limits | None = None) -> None:
        self.originals = Originals(lambda: str(directory / "store.db"))
        self.desk = Desk(limits or Limits(), self.originals)
        self.cells = Cells(self.desk)
        self.seen: list[Message] = []
        self.feed("execute_input", code="")

    def feed(self, kind: str, **content: Any) -> list[Message]:
        """Have the kernel send something; what is really sent."""
        sent = self.cells.feed(Message(kind, content, PARENT, object()))
        self.seen += sent
        return sent

    def print(self, text: str, name: str = "stdout") -> list[Message]:
        """Have it print."""
        return self.feed("stream", name=name, text=text)

    def show(self, kind: str = "display_data", display_id: str = "", **data: Any) -> list[Message]:
        """Have it display a bundle; `_` in a name stands for `/`."""
        transient = {"display_id": display_id} if display_id else {}
        bundle = {name.replace("_", "/", 1): value for name, value in data.items()}
        return self.feed(kind, data=bundle, metadata={}, transient=transient)

    def tick(self) -> list[Message]:
        """Let half a second pass."""
        sent = self.cells.tick()
        self.seen += sent
        return sent

    def end(self) -> list[Message]:
        """The cell comes to its end."""
        return self.feed("execute_reply", status="ok")


def kinds(messages: list[Message]) -> list[str]:
    """What they are."""
    return [message.type for message in messages]


def plain(message: Message) -> str:
    """What a reader of text sees of a display."""
    return str(message.content["data"]["text/plain"])


def ref(message: Message) -> str:
    """Where a stub leads."""
    return str(message.content["metadata"]["toolstub"]["ref"])
