"""JMESPath with a bound on its work, and with errors that say where and what.

The library evaluates; what it could be made to build without end is charged to a meter first. `$.` and a leading `.`
are taken off, a bare number or truth value behind a comparison is taken as the literal it is meant to be, and a word in
backticks as the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from jmespath import exceptions, functions, parser
from jmespath.visitor import Options, TreeInterpreter

from ..phrases import clipped, shown
from .meter import Meter

_ROOT = re.compile(r"\s*\$?\.(?=[\w\"*\[])|\s*\$(?=[\[\s|]|$)")
_BARE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`"
                   r"|(?P<operator>[=!<>]=|[<>])\s*(?P<literal>-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)(?![\w.])")
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?P<literal>(?:[^`\\]|\\.)*)`")
_DEEP = "the expression nests too deeply; write it in fewer steps"


class Expression:
    """A parsed expression. Raises ValueError, in one line with the position, if `text` is none."""

    def __init__(self, text: str) -> None:
        self.text = _ROOT.sub("", text, count=1).strip() if _ROOT.match(text) else text.strip()
        self.text = self.text or "@"
        rest = _LITERAL.sub(lambda match: " " * len(match[0]), self.text)
        if "`" in rest:
            raise ValueError(f"no JMESPath: the backtick at character {rest.index('`')} is never closed")
        self._tree = _parse(_LITERAL.sub(_as_json, self.text))

    def evaluate(self, value: Any, meter: Meter) -> Any:
        """What it selects from `value`. Raises ValueError, in one line, for a misused function and too much work."""
        try:
            return _Interpreter(meter).visit(self._tree, value)
        except exceptions.JMESPathTypeError as error:
            expected = " or ".join(error.expected_types).replace("array-", "array of ")
            given = functions.TYPES_MAP.get(error.actual_type, error.actual_type)
            raise ValueError(f"{error.function_name}() takes {expected}, not {given}") from None
        except exceptions.UnknownFunctionError as error:
            known = ", ".join(sorted(_Functions.FUNCTION_TABLE))
            raise ValueError(f"{clipped(str(error))}; there are {known}") from None
        except exceptions.JMESPathError as error:
            raise ValueError(clipped(str(error))) from None
        except RecursionError:
            raise ValueError(_DEEP) from None


def _parse(text: str) -> Any:
    try:
        return parser.Parser().parse(text).parsed
    except exceptions.JMESPathError as error:
        repaired = _BARE.sub(_quoted, text)
        if repaired != text:
            try:
                return parser.Parser().parse(repaired).parsed
            except exceptions.JMESPathError:
                pass  # the error of what was written is the one to tell
        raise ValueError(_said(text, error)) from None
    except RecursionError:
        raise ValueError(_DEEP) from None


def _as_json(match: re.Match[str]) -> str:
    if match["literal"] is None:
        return match[0]
    text = match["literal"].replace("\\`", "`")
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return "`" + json.dumps(text.strip()).replace("`", "\\`") + "`"
    return match[0]


def _quoted(match: re.Match[str]) -> str:
    return f"{match['operator']} `{match['literal']}`" if match["literal"] else match[0]


def _said(text: str, error: exceptions.JMESPathError) -> str:
    if not isinstance(error, exceptions.ParseError) or not isinstance(error.lex_position, int):
        return f"no JMESPath: {clipped(str(error))}"
    at = min(error.lex_position, len(text))
    if at == len(text):
        return f"no JMESPath: it ends too early, behind {shown(text[-20:])}"
    hint = ""
    if re.search(r"\bselect\(|\[\]\s*\|\s*\.", text):
        hint = "; this is jq, JMESPath is written items[?status=='failed'].id"
    return f"no JMESPath: error at character {at} ({shown(text[at:at + 20])}){hint}"


class _Functions(functions.Functions):
    """The standard functions, charged by the size of what they are given."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter = meter

    def call_function(self, function_name: Any, resolved_args: Iterable[Any]) -> Any:
        given = list(resolved_args)
        for argument in given if function_name not in ("length", "type", "not_null", "to_array") else ():
            if isinstance(argument, list | dict | str):
                self._meter.spend(len(argument) // (16 if isinstance(argument, str) else 1))
        if function_name in ("to_string", "contains"):
            self._meter.weigh(given)
        if function_name == "join" and all(isinstance(argument, str | list) for argument in given):
            self._meter.spend(_joined_chars(*given[:2]) // 16)
        return super().call_function(function_name, given)


def _joined_chars(separator: Any = "", parts: Any = ()) -> int:
    return sum(len(part) + len(separator) for part in parts if isinstance(part, str))


class _Interpreter(TreeInterpreter):
    """The library's, which pays for each step and for each list it builds."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(Options(custom_functions=_Functions(meter)))
        self._meter = meter

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        self._meter.spend(1)
        return super().visit(node, *args, **kwargs)

    def visit_comparator(self, node: Any, value: Any) -> Any:
        if node["value"] not in ("eq", "ne"):
            return super().visit_comparator(node, value)
        left, right = (self.visit(child, value) for child in node["children"])
        if isinstance(left, list | dict | str) and isinstance(right, type(left)):
            self._meter.weigh(left)
            self._meter.weigh(right)
        return self.COMPARATOR_FUNC[node["value"]](left, right)

    def visit_flatten(self, node: Any, value: Any) -> Any:
        merged = super().visit_flatten(node, value)
        self._meter.spend(len(merged or ()))
        return merged

    def visit_slice(self, node: Any, value: Any) -> Any:
        part = super().visit_slice(node, value)
        self._meter.spend(len(part or ()))
        return part
