"""The content blocks of one answer, put together from the pieces they are streamed in."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import takewhile
from typing import Any

from toolstub_ext.wire.messages import identity

from ..turns import Call, Mine, Part, Turn

THOUGHTS = ("thinking", "redacted_thinking")
"""With what an answer begins; seen of the first round alone, for not every client keeps two in one message apart."""
FAILED = "error"
"""Stands for a reason to stop where the answer ended with an error."""
CONTAINER = "container"
"""The member of an answer that says where the provider has run the model's code."""
_CUT_OFF = ("max_tokens", "model_context_window_exceeded", "refusal", FAILED)


class Block:
    """One block as its deltas arrive: texts are appended, citations collected, whatever else comes is taken over."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._start = start
        self._texts: dict[str, list[str]] = {}
        self._citations: list[Any] = []
        self._input: list[str] = []

    @property
    def is_call(self) -> bool:
        """Whether it calls a tool that is not the provider's own."""
        return self._start.get("type") == "tool_use"

    @property
    def is_thought(self) -> bool:
        """Whether it is sealed thinking."""
        return self._start.get("type") in THOUGHTS

    def is_ours(self, mine: Mine) -> bool:
        """Whether it calls one of our tools."""
        return self.is_call and mine(str(self._start.get("name") or ""))

    def add(self, delta: dict[str, Any]) -> None:
        """Take in one delta."""
        if delta.get("type") == "input_json_delta":
            self._input.append(str(delta.get("partial_json") or ""))
        elif delta.get("type") == "citations_delta":
            self._citations.append(delta.get("citation"))
        else:
            for key, value in delta.items():
                if isinstance(value, str) and key != "type":
                    self._texts.setdefault(key, []).append(value)

    def part(self, mine: Mine) -> tuple[Part, dict[str, Any], str]:
        """The whole block: as a part of the answer, its members, and the arguments of the call if it is one."""
        whole = {**self._start}
        for key, texts in self._texts.items():
            whole[key] = str(whole.get(key) or "") + "".join(texts)
        if self._citations:
            before = whole.get("citations")
            whole["citations"] = [*(before if isinstance(before, list) else ()), *self._citations]
        given = "".join(self._input)
        written = _with_input(whole, given) if given else _dumped(whole)
        return (Part(written, identity(whole), self.is_ours(mine)), whole,
                given or _dumped(whole.get("input") or {}))


def turn_of(blocks: list[tuple[Part, dict[str, Any], str]], stop: str | None, container: Any = None) -> Turn:
    """What the model did, from its blocks (each as `Block.part` gives it), its reason to stop, and the container in
    which the provider has run what it wrote."""
    thoughts = len([*takewhile(lambda told: told[1].get("type") in THOUGHTS, blocks)])
    return Turn(
        text="".join(str(block.get("text") or "") for _, block, _ in blocks if block.get("type") == "text"),
        ours=tuple(Call(str(block.get("id") or ""), str(block.get("name") or ""), given, part.json)
                   for part, block, given in blocks if part.ours),
        theirs=tuple(str(block.get("id") or "") for part, block, _ in blocks
                     if block.get("type") == "tool_use" and not part.ours),
        parts=tuple(replace(part, first_only=at < thoughts) for at, (part, _, _) in enumerate(blocks)),
        fields={CONTAINER: container} if isinstance(container, dict) and container.get("id") else {},
        whole=stop not in _CUT_OFF,
    )


def _with_input(block: dict[str, Any], given: str) -> str:
    """The block with the input as the model wrote it; what is no object is not repeated, the API would refuse it."""
    try:
        is_object = isinstance(json.loads(given), dict)
    except (ValueError, RecursionError):
        is_object = False
    opened = _dumped({key: value for key, value in block.items() if key != "input"})[:-1]
    return f'{opened},"input":{given if is_object else "{}"}}}'


def _dumped(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
