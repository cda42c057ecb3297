"""What a model thought in one streamed chat answer, put together as some models want it back with their tool calls."""

from __future__ import annotations

from typing import Any

TEXTS = ("reasoning_content", "reasoning")
"""Fields of a message beside `content` that are one text."""
DETAILS = "reasoning_details"
"""The field that is a list of thoughts, some with a signature."""
_STREAMED = ("text", "summary", "data")
"""The members of a thought that come in pieces."""


class Thoughts:
    """The fields of the message as their pieces arrive."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._details: list[Any] = []

    def add(self, delta: dict[str, Any]) -> None:
        """Take in what a delta has of them."""
        for field in TEXTS:
            if isinstance(delta.get(field), str):
                self._texts.setdefault(field, []).append(delta[field])
        details = delta.get(DETAILS)
        for piece in details if isinstance(details, list) else ():
            if self._details and _goes_on(self._details[-1], piece):
                self._details[-1] = _joined(self._details[-1], piece)
            else:
                self._details.append(piece)

    @property
    def any_text(self) -> bool:
        """Whether one of the thoughts is a text, which may have a signature."""
        return any(map(_is_text, self._details))

    def whole(self) -> dict[str, Any]:
        """The fields there are, each as it is in an answer that comes whole."""
        fields: dict[str, Any] = {field: "".join(parts) for field, parts in self._texts.items()}
        return fields | {DETAILS: self._details} if self._details else fields


def keep_apart(delta: dict[str, Any]) -> bool:
    """Leave out the thoughts that a client would join to those it has, whose signature would not be true of both;
    whether there were any."""
    details = delta.get(DETAILS)
    if not isinstance(details, list) or not any(map(_is_text, details)):
        return False
    delta[DETAILS] = [detail for detail in details if not _is_text(detail)]
    if not delta[DETAILS]:
        del delta[DETAILS]
    return True


def _is_text(detail: Any) -> bool:
    return isinstance(detail, dict) and detail.get("type") == "reasoning.text"


def _goes_on(one: Any, other: Any) -> bool:
    """Whether a piece belongs to the thought before it: it has the same index and type, and no other id."""
    if not isinstance(one, dict) or not isinstance(other, dict) or "index" not in other:
        return False
    ids = {one.get("id"), other.get("id")} - {None}
    return all(one.get(key) == other.get(key) for key in ("index", "type")) and len(ids) < 2  # noqa: PLR2004


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = {key: one[key] + other[key] for key in _STREAMED
            if isinstance(one.get(key), str) and isinstance(other.get(key), str)}
    return {**one, **{key: value for key, value in other.items() if value is not None}, **both}
