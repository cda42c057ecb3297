"""The expressions of a template, as `{{ name }}`: filled for the parser, and put back into what it found."""

from __future__ import annotations

from collections import Counter
from re import Match

from ..patterns import Pattern
from .document import Branch, Level, Scan

_EXPRESSION = Pattern(r"(?m)^(?P<alone>[ \t]*\{[{%][^\n]{0,400}[}%]\}[ \t]*)$|\{\{[^\n{}]{0,400}\}\}")
_FILLING = Pattern("[\ue000-\uf8fe]\uf8ff*")
_MOST = 0xF8FE - 0xE000


class Template:
    """A text with expressions. `filled` has a run of signs for private use in place of each, as long as it is.

    Lines of an expression alone are blank there. It is the text itself if that has such signs of its own.
    """

    def __init__(self, text: str) -> None:
        self._expressions: dict[str, str] = {}
        self.filled = text if _FILLING.search(text) or "\uf8ff" in text else _EXPRESSION.sub(self._filling, text)

    def _filling(self, found: Match[str]) -> str:
        expression = found[0]
        if found["alone"]:
            return " " * len(expression)
        if len(self._expressions) == _MOST:
            return "x" * len(expression)  # so far behind the beginning that nobody looks
        sign = chr(0xE000 + len(self._expressions))
        self._expressions[sign] = expression
        return sign + "\uf8ff" * (len(expression) - 1)

    def restore(self, scan: Scan) -> None:
        """Puts the expressions back into what was found in `filled`; what was cut stays cut."""
        for document in scan.documents:
            document.branches[:] = [self._branch(branch) for branch in document.branches]
            document.paths[:] = [(self._put_back(path), line, depth) for path, line, depth in document.paths]
            document.named = {key: self._put_back(value) for key, value in document.named.items()}
            document.item_keys = Counter({self._put_back(key): n for key, n in document.item_keys.items()})

    def _branch(self, branch: Branch) -> Branch:
        branch.key = self._put_back(branch.key)
        if isinstance(branch.value, Level):
            branch.value.names[:] = map(self._put_back, branch.value.names)
        else:
            branch.value = self._put_back(branch.value)
        return branch

    def _put_back(self, text: str) -> str:
        return _FILLING.sub(lambda found: self._expressions[found[0][0]][: len(found[0])], text)
