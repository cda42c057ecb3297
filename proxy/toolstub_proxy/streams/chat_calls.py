"""The tool calls of one streamed chat answer: which are ours, which the client's, and what it may see of them."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext.retrieval import PREFIX, READ_CALL

from ..turns import Call, Mine, arguments_in, repeated

_OURS = (PREFIX, READ_CALL)
"""What the names of our tools begin with; whether a whole name is ours, `Mine` says."""


class _Streamed:
    """One call as its pieces arrive. `theirs` is None while the name may still become one of ours."""

    def __init__(self, mine: Mine) -> None:
        self._mine = mine
        self.theirs: bool | None = None
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []
        self.further: dict[str, Any] = {}
        self.inside: dict[str, Any] = {}
        self.held: dict[str, Any] | None = None

    def add(self, piece: dict[str, Any]) -> None:
        function = piece.get("function")
        said = function if isinstance(function, dict) else {}
        named = str(said.get("name") or "")
        if self.theirs is None:
            self.name += named if named != self.name else ""  # some say all of it in every piece
            self.theirs = True if "custom" in piece else None
        self.arguments.append(arguments_in(said.get("arguments")))
        self.id = self.id or str(piece.get("id") or "")
        self.further |= {k: v for k, v in piece.items() if k not in ("index", "id", "type", "function")}
        self.inside |= {k: v for k, v in said.items() if k not in ("name", "arguments")}

    def is_followed_by(self, piece: dict[str, Any]) -> bool:
        """Whether a piece begins another call, though it may have the same index, as some providers number all calls,
        or neither an index nor an id."""
        function = piece.get("function")
        if not isinstance(function, dict) or not function.get("name"):
            return False
        if piece.get("id"):
            return bool(self.id) and piece["id"] != self.id
        return piece.get("index") is None and self._is_whole()

    def _is_whole(self) -> bool:
        last = next((piece for piece in reversed(self.arguments) if piece.strip()), "")
        if not last.rstrip().endswith("}"):
            return False  # without having put together what may be long
        try:
            return isinstance(json.loads("".join(self.arguments)), dict)
        except (ValueError, RecursionError):
            return False

    def decide(self, *, whole: bool) -> None:
        """See whose call it is; `whole` says that no more of the name can come."""
        if self.theirs is None and (whole or not self._may_become_ours()):
            self.theirs = not self._mine(self.name)

    def _may_become_ours(self) -> bool:
        return self.name.startswith(_OURS) or any(start.startswith(self.name) for start in _OURS)

    def hold(self, piece: dict[str, Any]) -> None:
        self.held = piece if self.held is None else _merged(self.held, piece)

    def taken(self, piece: dict[str, Any]) -> dict[str, Any]:
        """`piece`, with what was held before it."""
        held, self.held = self.held, None
        return piece if held is None else _merged(held, piece)

    def call(self, number: int) -> Call:
        arguments = "".join(self.arguments)
        call_id = self.id or f"call_{number}"
        function = {"name": self.name, "arguments": repeated(arguments), **self.inside}
        written = {"id": call_id, "type": "function", "function": function}
        return Call(call_id, self.name, arguments, json.dumps(written | self.further, separators=(",", ":")))


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two pieces of one call as one: strings of the function appended, of the rest the later one's. A name that is said
    again is the same one."""
    parts = [part if isinstance(part, dict) else {} for part in (one.get("function"), other.get("function"))]
    function = dict(parts[0])
    for key, value in parts[1].items():
        before = function.get(key)
        if not isinstance(value, str) or not isinstance(before, str):
            function[key] = value
        elif key != "name" or value != before:
            function[key] = before + value
    return {**one, **{k: v for k, v in other.items() if v is not None}, "function": function}


class Calls:
    """All calls of an answer, in order. A piece belongs to one by its index, by its id where a provider leaves out the
    index, or because it follows."""

    def __init__(self, mine: Mine) -> None:
        self._mine = mine
        self._calls: list[_Streamed] = []
        self._places: dict[int | str, int] = {}
        self._numbers: dict[int, int] = {}
        self._latest: int | None = None

    def filter(self, delta: dict[str, Any], *, last: bool) -> bool:
        """Leave in `delta` what the client may see of its tool calls; whether that changed it."""
        pieces = delta.get("tool_calls")
        before = pieces if isinstance(pieces, list) else []
        after: list[Any] = []
        for piece in before:
            after += self._seen(piece) if isinstance(piece, dict) else [piece]
        if last:
            after += self.settle()
        if after == before:
            return False
        if after:
            delta["tool_calls"] = after
        else:
            del delta["tool_calls"]
        return True

    def settle(self) -> list[dict[str, Any]]:
        """Decide what is still open, at the end of the answer; the pieces that turn out to be the client's."""
        return [piece for place in range(len(self._calls)) for piece in self._closed(place)]

    def ours(self) -> tuple[Call, ...]:
        """Our calls, in order."""
        return tuple(c.call(n) for n, c in enumerate(self._calls) if c.theirs is False)

    def theirs(self) -> tuple[str, ...]:
        """The ids of the client's calls, in order."""
        return tuple(call.id for call in self._calls if call.theirs)

    def any_of_ours(self) -> bool:
        """Whether a call is known to be ours."""
        return any(call.theirs is False for call in self._calls)

    def ours_last(self) -> bool:
        """Whether the last call is ours."""
        return bool(self._calls) and self._calls[-1].theirs is False

    def only_ours(self) -> bool:
        """Whether there are calls, and none of them is the client's."""
        return bool(self._calls) and not self.theirs_at_all()

    def theirs_at_all(self) -> bool:
        """Whether a call is known to be the client's."""
        return any(call.theirs for call in self._calls)

    def _seen(self, piece: dict[str, Any]) -> list[dict[str, Any]]:
        place = self._place_of(piece)
        out = [] if self._latest is None or self._latest == place else self._closed(self._latest)
        self._latest = place
        call = self._calls[place]
        call.add(piece)
        call.decide(whole=bool(call.arguments[-1]))
        if call.theirs:
            out.append(self._numbered(place, call.taken(piece)))
        elif call.theirs is None:
            call.hold(piece)
        return out

    def _closed(self, place: int) -> list[dict[str, Any]]:
        call = self._calls[place]
        if call.theirs is not None:
            return []
        call.decide(whole=True)
        return [self._numbered(place, call.taken({}))] if call.theirs and call.held is not None else []

    def _numbered(self, place: int, piece: dict[str, Any]) -> dict[str, Any]:
        """The piece as if there were no calls of ours; where there are none, as its provider numbered it."""
        number = piece.get("index")
        if place not in self._numbers:
            following = max(self._numbers.values(), default=-1) + 1
            self._numbers[place] = number if isinstance(number, int) and not self.any_of_ours() else following
        shown = self._numbers[place]
        return piece if number in (None, shown) else {**piece, "index": shown}

    def _place_of(self, piece: dict[str, Any]) -> int:
        """The place of the call that a piece belongs to, which it may begin."""
        given = piece.get("index"), piece.get("id")
        name = next((key for key in given if isinstance(key, int | str) and key != ""), None)
        place = self._latest if name is None else self._places.get(name)
        if place is None or self._calls[place].is_followed_by(piece):
            place = len(self._calls)
            self._calls.append(_Streamed(self._mine))
        if name is not None:
            self._places[name] = place
        return place
