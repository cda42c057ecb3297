"""What a model thought in one streamed chat answer, put together as some models want it back with their tool calls."""

from __future__ import annotations

from typing import Any

TEXTS = ("reasoning_content", "reasoning", "reasoning_text", "reasoning_opaque")
"""Fields of a message beside `content` that are one text, readable or sealed."""
LISTS = ("reasoning_details", "thinking_blocks")
"""The fields that are lists of thoughts, some with a signature."""
_STREAMED = ("text", "summary", "data", "thinking")
"""The members of a thought that come in pieces."""
_SIGNED = ("reasoning.text", "thinking")
"""The types of the thoughts that are a text, which may have a signature."""


class Thoughts:
    """The fields of the message as their pieces arrive."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._lists: dict[str, list[Any]] = {}

    def add(self, delta: dict[str, Any]) -> None:
        """Take in what a delta has of them."""
        for field in TEXTS:
            if isinstance(delta.get(field), str):
                self._texts.setdefault(field, []).append(delta[field])
        for field in LISTS:
            pieces = delta.get(field)
            for piece in pieces if isinstance(pieces, list) else ():
                self._add(self._lists.setdefault(field, []), piece)

    @staticmethod
    def _add(thoughts: list[Any], piece: Any) -> None:
        if thoughts and _goes_on(thoughts[-1], piece):
            thoughts[-1] = _joined(thoughts[-1], piece)
        else:
            thoughts.append(piece)

    @property
    def any_text(self) -> bool:
        """Whether one of the thoughts is a text, which may have a signature."""
        return any(map(_is_text, (thought for thoughts in self._lists.values() for thought in thoughts)))

    def whole(self) -> dict[str, Any]:
        """The fields there are, each as it is in an answer that comes whole."""
        fields: dict[str, Any] = {field: "".join(parts) for field, parts in self._texts.items()}
        return fields | self._lists


def keep_apart(delta: dict[str, Any]) -> bool:
    """Leave out the thoughts that a client would join to those it has, whose signature would not be true of both;
    whether there were any."""
    left_out = False
    for field in LISTS:
        thoughts = delta.get(field)
        if isinstance(thoughts, list) and any(map(_is_text, thoughts)):
            left_out = True
            delta[field] = [thought for thought in thoughts if not _is_text(thought)]
            if not delta[field]:
                del delta[field]
    return left_out


def _is_text(thought: Any) -> bool:
    return isinstance(thought, dict) and thought.get("type") in _SIGNED


def _goes_on(one: Any, other: Any) -> bool:
    """Whether a piece belongs to the thought before it: it has the same index and type, and no other id; or it is of
    those that have no index, each of which ends with its signature."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    if "index" not in other:
        return one.get("type") == other.get("type") == "thinking" and not one.get("signature")
    ids = {one.get("id"), other.get("id")} - {None}
    return all(one.get(key) == other.get(key) for key in ("index", "type")) and len(ids) < 2  # noqa: PLR2004


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = {key: one[key] + other[key] for key in _STREAMED
            if isinstance(one.get(key), str) and isinstance(other.get(key), str)}
    return {**one, **{key: value for key, value in other.items() if value is not None}, **both}
