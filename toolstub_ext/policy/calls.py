"""What a call asked for, as far as it matters for what becomes of its result."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..transcript import ToolResult

_CODE = r"\.(?:py|pyx|go|rs|jsx?|tsx?|c|h|cc|cpp|hpp|java|rb|php|cs|swift|kt|scala|lua|sh|pony)"
_CODE_FILE = re.compile(_CODE + r"$")
_SHOWS_CODE = re.compile(r"\b(?:cat|nl|sed|head|tail)\b[^|;&\n]{0,400}" + _CODE + r"\b")
_RUNS = re.compile(r"\b(?:pytest|python3?|node|go (?:test|run|build)|cargo|git)\b")
_PART = re.compile(r"\bsed -n|\bhead -|\btail -|\b[ez]?grep\b|\brg\b")
_INSTRUCTIONS = re.compile(r"(?:SKILL|CLAUDE|AGENTS|GEMINI|CONTRIBUTING)\.md|/skills?/", re.IGNORECASE)

_PATHS = ("file_path", "path", "filename", "file")
_COMMANDS = ("command", "cmd")
_PARTS = ("offset", "limit", "view_range", "line_number", "start_line", "lines")
_LOOKED_AT = 4_000
_SHOWN = 80
_SHORTEST_NAME = 5


@dataclass(frozen=True)
class Call:
    """The call that a result answers, by the name of its tool and the JSON text of its arguments."""

    tool: str
    text: str

    @classmethod
    def of(cls, result: ToolResult) -> Call:
        """The call behind a result."""
        return cls(result.tool or "", result.arguments)

    def __str__(self) -> str:
        """As one would write it: `Read(src/app.py)`."""
        said = self.path or self.command or self.text
        said = re.sub(r"\s+", " ", said[:2 * _SHOWN]).strip()
        return f"{self.tool or 'tool'}({said if len(said) <= _SHOWN else said[:_SHOWN - 1] + '…'})"

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The arguments by name; none if they are not a JSON object."""
        try:
            arguments = json.loads(self.text)
        except (ValueError, RecursionError):
            return {}
        return arguments if isinstance(arguments, dict) else {}

    @property
    def path(self) -> str:
        """The file it names, or nothing."""
        return self._first(_PATHS)

    @property
    def command(self) -> str:
        """The command it runs, or nothing."""
        return self._first(_COMMANDS)[:_LOOKED_AT]

    @property
    def file_name(self) -> str:
        """The name of the file without its folders; nothing where it is too short to tell files apart."""
        name = re.split(r"[/\\]", self.path)[-1]
        return name if len(name) >= _SHORTEST_NAME else ""

    @property
    def wants_part(self) -> bool:
        """Whether it asks for some lines and not for a whole file."""
        return any(self.arguments.get(name) for name in _PARTS) or bool(_PART.search(self.command))

    @property
    def reads_code(self) -> bool:
        """Whether what it names or prints is a file of code."""
        shows = _SHOWS_CODE.search(self.command) and not _RUNS.search(self.command)
        return bool(_CODE_FILE.search(self.path) or shows)

    @property
    def reads_instructions(self) -> bool:
        """Whether it reads what somebody wrote for agents to follow."""
        return bool(_INSTRUCTIONS.search(self.text[:_LOOKED_AT // 10]))

    def written(self, least: int) -> Iterator[str]:
        """The texts of at least so many characters that it hands over: what the assistant wrote into a file."""
        if len(self.text) >= least:
            yield from (value for value in self.arguments.values() if isinstance(value, str) and len(value) >= least)

    def _first(self, names: tuple[str, ...]) -> str:
        values = (self.arguments.get(name) for name in names)
        return next((value for value in values if isinstance(value, str)), "")
