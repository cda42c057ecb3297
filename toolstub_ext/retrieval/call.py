"""One call of a model: its arguments, taken as they are meant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..phrases import shown
from ..store import Store
from .tools import READ_CALL

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Call:
    """One call: whose it is, the characters a reply has below its first line, and the arguments."""

    name: str
    store: Store
    owner: str
    session: str
    room: int
    arguments: dict[str, Any]

    def text(self, name: str) -> str | None:
        """A string, or None if it was left out. ValueError for what is none."""
        value = self.arguments.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return str(value)
        raise ValueError(f"{name} has to be a string, not {shown(json.dumps(value))}")

    def number(self, name: str) -> int | None:
        """A whole number, also one written as a string, or None if it was left out. ValueError for what is none."""
        value = self.arguments.get(name)
        if value is None or value == "":
            return None
        try:
            return int(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{name} has to be a whole number, not {shown(json.dumps(value))}") from None

    def flag(self, name: str) -> bool:
        """Whether it is true, or means so."""
        value = self.arguments.get(name)
        return value.strip().lower() in ("true", "1", "yes") if isinstance(value, str) else bool(value)

    def ref(self) -> str | None:
        """The ref, without what a model may have put around it; else that of the call which the tool is named after.

        ValueError if no result of that call is stored in the session.
        """
        ref = self.text("ref")
        if ref is None and self.name.startswith(READ_CALL):
            return self._ref_of(self.name.removeprefix(READ_CALL))
        return None if ref is None else ref.strip(" \t\n\"'`<>")

    def _ref_of(self, call_id: str) -> str:
        cursor = None
        while True:
            entries = self.store.list(owner=self.owner, session=self.session, limit=_PAGE, cursor=cursor)
            for entry in entries.items:
                if entry.call_id == call_id:
                    return entry.ref
            cursor = entries.cursor
            if cursor is None:
                raise ValueError(f"no result of the call {shown(call_id)} is stored; toolstub_list shows what is")


def parse(arguments: str, example: str) -> dict[str, Any]:
    """The arguments from their JSON text. Raises ValueError, in one line with an example, if it is no object."""
    try:
        parsed = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        raise ValueError(f"the arguments are not JSON; send an object such as {example}") from None
    if parsed is None:
        return {}
    if not isinstance(parsed, dict):
        raise ValueError(  # noqa: TRY004, a model's mistake like the others
            f"the arguments have to be a JSON object such as {example}")
    return parsed
