"""Conditions on the rows of a table, as a person writes them: `country == 'DE' and (amount > 100 or note is empty)`.

Operators: = == != <> < <= > >= contains, in ('a', 'b'), is empty, is not empty; and or not, also && || !. A number
compares as a number, where the cell is one; quoted text as text. Names of columns may be quoted, and need not be.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from ..phrases import shown

Cells = Sequence[str]
Condition = Callable[[Cells], bool]
_Operand = Callable[[Cells], "str | int | float"]

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[-+]?\d{1,300}(?:\.\d{0,300})?(?:[eE][-+]?\d{1,3})?(?![\w.])")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.|'')*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")
_OPERATOR = re.compile(r"===?|!=|<>|<=|>=|=|<|>|(?:not\s+)?(?:contains|in)\b|is(?:\s+not)?\s+(?:empty|null|none)\b|~",
                       re.IGNORECASE)
_BARE = re.compile(r"[^\s()'\"`=!<>&|,;]+")
_Comparison = Callable[[Any, Any], bool]
_COMPARISONS: dict[str, _Comparison] = {
    "=": operator.eq, "==": operator.eq, "===": operator.eq, "!=": operator.ne, "<>": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_DEEPEST = 40


class Parser:
    """Reads one condition. `begin` is where it stands in the whole expression, for messages."""

    def __init__(self, text: str, names: Sequence[str], find: Callable[[str], int], begin: int) -> None:
        self._text = text
        self._at = 0
        self._begin = begin
        self._find = find
        self._names = sorted(names, key=len, reverse=True)
        self._depth = 0

    def parse(self) -> Condition:
        """The condition. Raises ValueError, in one line with the position, if the text is none."""
        condition = self._any()
        self._skip()
        if self._at < len(self._text):
            raise self._error("'and', 'or' or the end was expected")
        return condition

    def _any(self) -> Condition:
        parts = [self._all()]
        while self._word(r"or\b|\|\|?"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else lambda cells: any(part(cells) for part in parts)

    def _all(self) -> Condition:
        parts = [self._one()]
        while self._word(r"and\b|&&?"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda cells: all(part(cells) for part in parts)

    def _one(self) -> Condition:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error("the condition nests too deeply")
        if self._word(r"not\b|!(?!=)"):
            inner = self._one()
            condition: Condition = lambda cells: not inner(cells)  # noqa: E731
        elif self._word(r"\("):
            condition = self._any()
            if not self._word(r"\)"):
                raise self._error("')' was expected")
        else:
            condition = self._comparison()
        self._depth -= 1
        return condition

    def _comparison(self) -> Condition:
        left = self._operand(column=True)
        self._skip()
        found = _OPERATOR.match(self._text, self._at)
        if found is None:
            raise self._error("a comparison was expected: == != < <= > >= contains, in (...), is empty")
        self._at = found.end()
        words = found[0].lower().split()
        negated = "not" in words
        if words[0] == "is":
            return lambda cells: (not str(left(cells)).strip()) != negated
        if words[-1] in ("contains", "~"):
            part = self._operand(column=False)
            return lambda cells: (str(part(cells)) in str(left(cells))) != negated
        if words[-1] == "in":
            values = self._several()
            return lambda cells: any(_compared(operator.eq, left(cells), value(cells)) for value in values) != negated
        right = self._operand(column=False)
        compare = _COMPARISONS[words[0]]
        return lambda cells: _compared(compare, left(cells), right(cells))

    def _several(self) -> list[_Operand]:
        if not self._word(r"\(|\["):
            raise self._error("'(' was expected")
        values = [self._operand(column=False)]
        while self._word(","):
            values.append(self._operand(column=False))
        if not self._word(r"\)|\]"):
            raise self._error("')' was expected")
        return values

    def _operand(self, *, column: bool) -> _Operand:
        """A column or a value. In front of a comparison a quoted word is a column, behind it a text."""
        self._skip()
        begin = self._at
        quoted = _QUOTED.match(self._text, begin)
        if quoted is not None:
            self._at = quoted.end()
            word = next(group for group in quoted.groups() if group is not None)
            if column:
                return self._column(word, begin)
            word = word.replace("''", "'") if quoted[1] is not None else word
            word = re.sub(r"\\(.)", r"\1", word)
            if quoted[3] is not None and _NUMBER.fullmatch(word):
                return _constant(_number(word))
            return _constant(word)
        for name in self._names:
            if self._text.startswith(name, begin) and not self._text[begin + len(name):begin + len(name) + 1].isalnum():
                self._at = begin + len(name)
                return self._column(name, begin)
        number = _NUMBER.match(self._text, begin)
        if number is not None:
            self._at = number.end()
            return _constant(_number(number[0]))
        bare = _BARE.match(self._text, begin)
        if bare is None:
            raise self._error("a column or a value was expected")
        self._at = bare.end()
        if column:
            return self._column(bare[0], begin)
        return _constant(bare[0])

    def _column(self, name: str, begin: int) -> _Operand:
        try:
            place = self._find(name)
        except ValueError as error:
            raise ValueError(f"{error} (character {self._begin + begin})") from None
        return lambda cells: cells[place]

    def _word(self, pattern: str) -> bool:
        self._skip()
        found = re.compile(pattern, re.IGNORECASE).match(self._text, self._at)
        if found is not None:
            self._at = found.end()
        return found is not None

    def _skip(self) -> None:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at

    def _error(self, said: str) -> ValueError:
        rest = self._text[self._at:self._at + 20]
        return ValueError(f"{said} at character {self._begin + self._at}" + (f" ({shown(rest)})" if rest else ""))


def _constant(value: str | float) -> _Operand:
    return lambda _: value


def _number(text: str) -> int | float:
    return float(text) if re.search(r"[.eE]", text) else int(text)


def _as_number(value: str | float) -> int | float | None:
    if not isinstance(value, str):
        return value
    text = value.strip()
    return _number(text) if _NUMBER.fullmatch(text) else None


def _compared(compare: _Comparison, left: str | float, right: str | float) -> bool:
    """Numbers where a number is asked for or both are, else texts; a text is never equal to a number, nor ordered."""
    if isinstance(right, str) and compare in (operator.eq, operator.ne):
        return compare(str(left), right)
    numbers = _as_number(left), _as_number(right)
    if numbers[0] is not None and numbers[1] is not None:
        return compare(*numbers)
    if isinstance(left, str) and isinstance(right, str):
        return compare(left, right)
    return compare is operator.ne
