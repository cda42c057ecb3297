"""Results of made-up calls, for the tests of policies."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext.transcript import Said, Slot, ToolResult, Transcript


def result(text: str, tool: str = "Bash", turn: int = 0, place: int = 0, *, requests: int = 1, exempt: str = "",
           **arguments: Any) -> ToolResult:
    """A result of a call with these arguments."""
    return ToolResult(Slot(("messages", turn, place), 100 * turn + place, 100 * turn + place + 1), text, tool,
                      f"c{turn}", json.dumps(arguments), turn, requests, exempt=exempt)


def conversation(*results: ToolResult, said: tuple[Said, ...] = ()) -> Transcript:
    """A transcript of them."""
    return Transcript(results, said=said)


def numbered(lines: list[str], first: int = 1) -> str:
    """Lines as `cat -n` prints them."""
    return "".join(f"{number:6}\t{line}\n" for number, line in enumerate(lines, first))


def code(functions: int, name: str = "step") -> list[str]:
    """The lines of a Python file with so many functions."""
    return [line for number in range(functions)
            for line in (f"def {name}_{number}(value):", f"    total = value + {number}", "    return total", "")]
