"""Follows the events of a YAML text without building anything, so that no alias or merge key can expand.

The events come from the first pages, a few more are checked, and what begins in the first column behind the events is
found by searching.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from .document import LONG, MOST_DEEP_PATHS, Branch, Document, Level, Scan, shown

CHECKED_CHARS = 16 * 1024
CHECKED_LINES = 1000
WHOLE_CHARS = 12 * 1024
FOLLOWED_CHARS = 4 * 1024
"""How much has to be valid; up to how much a text is followed to its end; how far a longer one of one document is."""
_NEAR = 1024
_MOST_EVENTS = 2000
_DEEPEST = 100
_MOST_BRANCHES = 200
_MOST_PATHS = 400
_BREAKS = ("\x85", "\u2028", "\u2029")
"""What ends a line in YAML 1.1, and in no other count of lines."""


def scan(text: str) -> Scan:
    """The documents in the first pages of `text`."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    checked = text[: _safe_end(text, CHECKED_CHARS)] if len(text) > CHECKED_CHARS else text
    if checked.count("\n") > CHECKED_LINES:
        checked = checked[: -len(checked.split("\n", CHECKED_LINES)[-1])]
    for ending in _BREAKS:  # each sooner looked for than all letters that are not ASCII are translated
        checked = checked.replace(ending, " ")
    followed = len(checked)
    if followed > WHOLE_CHARS and "\n---" not in checked:
        followed = _safe_end(checked, FOLLOWED_CHARS)
    part = followed < len(checked)
    walker = _Walker(yaml, followed if part else followed + 1)
    problem = _problem(
        yaml, loader(checked), walker, part=part, cut_at=len(checked) if len(checked) < len(text) else None
    )
    if walker.documents and (followed < len(text) or walker.stopped):
        walker.leave_open()
    return Scan(walker.documents, problem, walker.stopped or followed)


def _problem(yaml: Any, parser: Any, walker: _Walker, *, part: bool, cut_at: int | None) -> str:
    """What is wrong with a text, if anything: the end of one that is `cut_at` a place is not.

    Behind the `part` that is followed the parser goes on alone.
    """
    try:
        walker.follow(parser)
        if part and hasattr(parser, "raw_parse"):
            parser.raw_parse()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        if cut_at is not None and mark and mark.index >= cut_at - 1:
            return ""
        where = f" in line {mark.line + 1}" if mark else ""
        return f"{getattr(error, 'problem', None) or 'not YAML'}{where}"
    except ValueError as error:
        return str(error)
    finally:
        parser.dispose()
    return ""


def _safe_end(text: str, limit: int) -> int:
    """The last line end before the limit, if possible one behind which a line begins in the first column."""
    end = text.rfind("\n", 0, limit)
    at = end
    while at > limit - _NEAR:
        if text[at + 1 : at + 2] not in (" ", "\t", "\n", "#", "-", "}", "]"):
            return at + 1
        at = text.rfind("\n", 0, at)
    return end + 1 if end > 0 else limit


class _Walker:
    """Takes events and keeps what the description needs, of what begins before the place `end`."""

    def __init__(self, yaml: Any, end: int) -> None:
        self.documents: list[Document] = []
        self.stopped = 0
        self._end = end
        self._stack: list[Level] = []
        self._branches: list[Branch] = []
        self._scalar, self._alias = yaml.ScalarEvent, yaml.AliasEvent
        self._mapping, self._sequence = yaml.MappingStartEvent, yaml.SequenceStartEvent
        self._ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
        self._starts_document, self._ends_document = yaml.DocumentStartEvent, yaml.DocumentEndEvent
        self._last = yaml.StreamEndEvent

    def follow(self, parser: Any) -> None:
        """Takes all events, or as many as it may. Raises ValueError where it nests too deeply."""
        stack, scalar, ends, last = self._stack, self._scalar, self._ends, self._end
        event: Any = None
        for event in islice(iter(parser.get_event, None), _MOST_EVENTS):
            kind, mark = type(event), event.start_mark
            if mark.index >= last:
                return
            if kind is scalar or kind is self._alias:
                if stack:
                    self._take(stack[-1], event.value if kind is scalar else f"*{event.anchor}", mark.line + 1)
            elif kind in ends:
                self._close()
            elif kind is self._mapping or kind is self._sequence:
                self._open(kind is self._mapping, mark.line + 1)
            elif kind is self._starts_document:
                self.documents.append(Document(mark.line + 1))
                self._branches = self.documents[-1].branches
            elif kind is self._ends_document:
                self.documents[-1].complete = True
            elif kind is self._last:
                return
            if len(self._branches) >= _MOST_BRANCHES:
                break
        self.stopped = event.end_mark.index

    def leave_open(self) -> None:
        """Notes that the last document, and the branch that is open, go on."""
        document = self.documents[-1]
        document.complete = False
        if len(self._stack) > 1:
            self._branch(self._stack[0], self._stack[1], self._stack[1].line)
        if document.branches:
            document.branches[-1].open = True

    def _open(self, mapping: bool, line: int) -> None:
        stack = self._stack
        if not stack:
            self.documents[-1].is_list = not mapping
            self.documents[-1].line = line
            stack.append(Level(mapping, "", line))
            return
        if len(stack) > _DEEPEST:
            raise ValueError("nested too deeply")
        parent = stack[-1]
        parent.nodes += 1
        hidden = parent.hidden
        if not parent.mapping:
            path = f"{parent.path}[{parent.nodes - 1}]"
        elif parent.nodes % 2:
            parent.key, parent.key_line = "?", line
            self.documents[-1].braced = hidden = True
            path = f"{parent.path}.?"
        else:
            path = f"{parent.path}.{parent.key}" if parent.path else parent.key
        stack.append(Level(mapping, path, line, hidden=hidden))

    def _close(self) -> None:
        level = self._stack.pop()
        if len(self._stack) == 1:
            self._branch(self._stack[0], level, level.line)

    def _branch(self, root: Level, value: str | Level, line: int) -> None:
        """Notes a value of the first level that is complete now with its key or place."""
        branches = self._branches
        if root.mapping and root.nodes % 2:
            return
        if root.mapping:
            branches.append(Branch(root.key, root.key_line, value))
        else:
            branches.append(Branch(f"[{root.nodes - 1}]", line, value))

    def _take(self, level: Level, value: str, line: int) -> None:
        """A key, a value or an item that is a scalar."""
        level.nodes += 1
        depth = len(self._stack)
        if level.mapping and level.nodes % 2:
            level.key = value
            if depth == 1:
                level.key_line = line
            elif not level.hidden:
                self._deeper_key(level, value, line, depth)
        elif depth == 1:
            self._named(level, value)
            shown = value if len(value) <= LONG and "\n" not in value else f"string {len(value)}"
            self._branch(level, shown, line)
        elif level.mapping and not level.hidden:
            self._deeper_value(level, value, depth)

    def _deeper_key(self, level: Level, value: str, line: int, depth: int) -> None:
        document = self.documents[-1]
        if depth == 2:
            level.names.append(value[:60])
            if document.is_list:
                document.item_keys[value] += 1
        level.key_line = 0  # what is not kept has no place for its value
        if len(document.paths) < (_MOST_PATHS if depth == 2 else MOST_DEEP_PATHS):
            level.key_line = line
            document.paths.append((f"{level.path}.{value[:60]}", line, depth))

    def _deeper_value(self, level: Level, value: str, depth: int) -> None:
        """Puts a short value behind the path of its key."""
        if depth == 2:
            self._named(level, value)
        paths = self.documents[-1].paths
        if paths and paths[-1][1] == level.key_line and len(value) <= LONG:
            path, line, _ = paths[-1]
            paths[-1] = (f"{path}: {shown(level.key, value)}", line, depth)

    def _named(self, level: Level, value: str) -> None:
        if level.mapping and level.key in ("kind", "name") and level.path in ("", "metadata"):
            self.documents[-1].named.setdefault(level.key, value)
