"""Where settings come from (a YAML file, the environment, arguments) and how they become a frozen dataclass.

Every source is turned into the same thing: leaves by their path, converted to the type the dataclass declares, each
with the place it was given at, so that a complaint can name it. Knows nothing of the settings themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from dataclasses import field as declared
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .errors import SettingsError, explained

T = TypeVar("T")
Keys: TypeAlias = tuple[str, ...]

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")
_NOTHING = ("", "~", "null")
_DEEPEST = 3
_SHOWN = 60
_MISSPELT = 0.7
_EXPECTED = {bool: "true or false", int: "a whole number", str: "a text"}


def whole(default: int | None, least: int = 0) -> Any:
    """A whole number of at least `least`."""
    return declared(default=default, metadata={
        "expected": f"a whole number of at least {least:,}", "accepts": lambda value: value >= least,
    })


def url(default: str | None) -> Any:
    """The address of a server."""
    return declared(default=default, metadata={
        "expected": "an http:// or https:// URL",
        "accepts": lambda value: value.startswith(("http://", "https://")) and len(value.partition("://")[2]) > 0,
    })


@dataclass(frozen=True, slots=True)
class Given:
    """One setting as somebody gave it: its value, and where."""

    value: Any
    where: str


@dataclass(frozen=True, slots=True)
class _Source:
    """A file, or variables with a prefix, or (both empty) arguments: how a setting is called there."""

    file: str = ""
    prefix: str = ""

    def name(self, keys: Keys) -> str:
        return variable_of(self.prefix, keys) if self.prefix else ".".join(keys)

    def where(self, keys: Keys) -> str:
        return ": ".join(part for part in (self.file, self.name(keys)) if part)


def from_file(path: Path, schema: type) -> dict[Keys, Given]:
    """What a YAML file sets. Raises SettingsError with file and line if it cannot be read."""
    import yaml

    try:
        tree = yaml.load(path.read_text(encoding="utf-8-sig"), Loader=yaml.BaseLoader)  # noqa: S506 - texts only
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        raise SettingsError(f"{path}{line}: not YAML: {error.problem or error.context}") from error
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {explained(error)}") from error
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise SettingsError(f"{path}: cannot be read: {' '.join(str(error).split())}") from error
    return dict(_leaves(tree, schema, (), _Source(file=str(path))))


def from_environment(environ: Mapping[str, str], prefix: str, schema: type) -> dict[Keys, Given]:
    """What the variables set whose names are `prefix` and a path joined by two underscores.

    A variable of one part that resembles no setting is somebody else's: Kubernetes, for one, sets `TOOLSTUB_PORT` and
    more like it wherever there is a service called toolstub.
    """
    given: dict[Keys, Given] = {}
    for variable in sorted(environ):
        keys = _ends(_split(variable.removeprefix(prefix)), str.lower)
        if variable.startswith(prefix) and (len(keys) > 1 or _nearest(keys[0], schema, _MISSPELT)):
            given.update(_leaves(_nested(keys, environ[variable]), schema, (), _Source(prefix=prefix)))
    return given


def from_arguments(arguments: Mapping[str, Any], schema: type) -> dict[Keys, Given]:
    """What a caller sets: nested mappings, and names with dots or two underscores. One that is None is not given."""
    given: dict[Keys, Given] = {}
    for argument, value in arguments.items():
        if value is not None:
            given.update(_leaves(_nested(_split(argument), value), schema, (), _Source()))
    return given


def build(schema: type[T], given: Mapping[Keys, Given]) -> T:
    """The dataclass with what is given, and its defaults for the rest."""
    hints = get_type_hints(schema)
    values: dict[str, Any] = {}
    for name in {keys[0] for keys in given}:
        inner = {keys[1:]: one for keys, one in given.items() if keys[0] == name}
        if is_dataclass(hints[name]):
            values[name] = build(hints[name], inner)
        elif (rule := _rule_of(hints[name])) is not None:
            values[name] = MappingProxyType({
                key: build(rule, {keys[1:]: one for keys, one in inner.items() if keys[0] == key})
                for key in dict.fromkeys(keys[0] for keys in inner)
            })
        else:
            values[name] = inner[()].value
    return schema(**values)


def paths_of(schema: type) -> Iterator[tuple[Keys, Field[Any]]]:
    """Every setting there is; `NAME` stands for the key of a mapping."""
    hints = get_type_hints(schema)
    for field in fields(schema):
        inner = hints[field.name] if is_dataclass(hints[field.name]) else _rule_of(hints[field.name])
        if inner is None:
            yield (field.name,), field
            continue
        key = () if is_dataclass(hints[field.name]) else ("NAME",)
        for keys, leaf in paths_of(inner):
            yield (field.name, *key, *keys), leaf


def variable_of(prefix: str, keys: Keys) -> str:
    """The environment variable of a setting. The key of a mapping keeps its case: it may be the name of a tool."""
    return prefix + "__".join(_ends(keys, str.upper))


def _ends(keys: Keys, change: Callable[[str], str]) -> Keys:
    """The path with its first and its last part changed."""
    return (change(keys[0]), *keys[1:-1], change(keys[-1]))[:len(keys)]


def _split(name: str) -> Keys:
    """The path a name means. What stands between its first and last part is one key, whatever is in it."""
    separator = "." if "." in name else "__"
    parts = name.split(separator)
    return tuple(parts) if len(parts) <= _DEEPEST else (parts[0], separator.join(parts[1:-1]), parts[-1])


def _nested(keys: Keys, value: Any) -> dict[str, Any]:
    for key in reversed(keys):
        value = {key: value}
    return dict(value)


def _leaves(tree: Any, schema: type, way: Keys, source: _Source) -> Iterator[tuple[Keys, Given]]:
    hints = get_type_hints(schema)
    declared = {field.name: field for field in fields(schema)}
    for key, value in _mapping(tree, way, source).items():
        keys = (*way, str(key))
        if key not in declared:
            raise SettingsError(_unknown(str(key), schema, way, source))
        if is_dataclass(hints[key]):
            yield from _leaves(value, cast("type", hints[key]), keys, source)
        elif (rule := _rule_of(hints[key])) is not None:
            names = declared[key].metadata.get("names")
            for given, inner in _mapping(value, keys, source).items():
                name = str(given).lower() if names and source.prefix else str(given)
                if names and name not in names:
                    raise SettingsError(_unlisted(name, names, source.where((*keys, str(given)))))
                yield from _leaves(inner, rule, (*keys, name), source)
        else:
            yield keys, Given(_converted(value, hints[key], declared[key], source.where(keys)), source.where(keys))


def _mapping(tree: Any, way: Keys, source: _Source) -> Mapping[Any, Any]:
    if tree is None or tree in _NOTHING:
        return {}
    if not isinstance(tree, Mapping):
        raise _wrong(source.where(way), "a mapping of settings", tree)
    return tree


def _unknown(key: str, schema: type, way: Keys, source: _Source) -> str:
    """The complaint about a name that does not exist, with the nearest that does: here, or further in."""
    said = f"{source.where((*way, key))}: no such setting"
    if meant := _nearest(key, schema):
        return f"{said}; did you mean {source.name((*way, *meant))}?"
    return f"{said}; there are {', '.join(field.name for field in fields(schema))}"


def _unlisted(name: str, names: Iterable[str], where: str) -> str:
    meant = _most_like(name.lower(), names)
    return f"{where}: there is no {name}; " + (f"did you mean {meant}?" if meant else f"there are {', '.join(names)}")


def _nearest(key: str, schema: type, likeness: float = 0.6) -> Keys | None:
    """The setting whose name is most like `key`, and like it enough: here, or further in."""
    here = {field.name: (field.name,) for field in fields(schema)}
    further = {keys[-1]: keys for keys, _ in reversed([*paths_of(schema)])}
    if key in here or key in further:
        return here.get(key) or further[key]
    near = _most_like(key, here, likeness) or _most_like(key, further, likeness)
    return {**further, **here}[near] if near else None


def _most_like(name: str, names: Iterable[str], likeness: float = 0.6) -> str | None:
    """The one of `names` that is most like `name`, and like it enough."""
    return next(iter(get_close_matches(name, list(names), 1, likeness)), None)


def _converted(value: Any, hint: Any, field: Field[Any], where: str) -> Any:
    """The value as the declared type, also from the strings of a file or a variable; SettingsError if it is none."""
    if get_origin(hint) in (Union, UnionType):
        if value is None or value in _NOTHING:
            return None
        hint = next(inner for inner in get_args(hint) if inner is not NoneType)
    if get_origin(hint) is Literal:
        return _one_of(value, get_args(hint), where)
    convert = {bool: _bool, int: _int, str: _str, tuple[int, int]: _pair}.get(hint, _strings)
    converted, expected = convert(value), field.metadata.get("expected", _EXPECTED.get(hint, "a list of names"))
    accepts = field.metadata.get("accepts")
    if converted is None or (accepts is not None and not accepts(converted)):
        raise _wrong(where, expected, value)
    return converted


def _one_of(value: Any, choices: tuple[str, ...], where: str) -> str:
    if not isinstance(value, str) or value not in choices:
        expected = f"one of {', '.join(choices)}" if len(choices) > 1 else f"{choices[0]}, the only one there is"
        raise _wrong(where, expected, value)
    return value


def _bool(value: Any) -> bool | None:
    if isinstance(value, str):
        return {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}.get(value.lower())
    return value if isinstance(value, bool) else None


def _int(value: Any) -> int | None:
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _pair(value: Any) -> tuple[int, int] | None:
    """Two numbers, or one for both."""
    if isinstance(value, str):
        value = value.split(",")
    numbers = [_int(item) for item in value] if isinstance(value, list | tuple) else [_int(value)]
    if len(numbers) not in (1, 2) or any(number is None for number in numbers):
        return None
    return cast("tuple[int, int]", (numbers[0], numbers[-1]))


def _str(value: Any) -> str | None:
    return os.fspath(value) if isinstance(value, str | os.PathLike) else None


def _strings(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, str):
        value = [name.strip() for name in value.split(",") if name.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(value)


def _wrong(where: str, expected: str, value: Any) -> SettingsError:
    shown = repr(value)
    return SettingsError(f"{where}: expected {expected}, not {shown[:_SHOWN] + '...' if shown[_SHOWN:] else shown}")


def _rule_of(hint: Any) -> type | None:
    """What a mapping from names to settings holds; None if the hint is no such mapping."""
    return cast("type", get_args(hint)[1]) if get_origin(hint) is Mapping else None
