"""What in a model's answer shows that it has read something: literals that nobody guesses.

| kind | what | example |
|---|---|---|
| `id` | a name of several words, or with digits | `parse_header`, `retryLimit` |
| `name` | a rare word that is no English one | `kubectl` |
| `file` | a file name | `rotation.py` |
| `pair` | a name in a package, as Go writes it | `logging.Info` |
| `num` | a number of four digits or more, a decimal, a percentage; no years and round numbers | `48213` |
| `lineno` | the same, which only stood in front of a line | `1287` |
| `line` | a line that an edit replaces | `    return self._cache[key]` |

What a model knows anyway (`known`) is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from .known import english, known_words

_WORD = re.compile(r"[A-Za-z0-9_]+")
_SEVERAL_WORDS = re.compile(r"_|[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}")
_PLURAL = re.compile(r"[A-Z]?[a-z]*[A-Z]s")
_TOKEN = re.compile(r"[\w./\-]+")
_FILE = re.compile(
    r"[A-Za-z][\w\-]*\.(?:py|go|md|rs|js|ts|tsx|json|ya?ml|toml|txt|c|h|cc|cpp|html|css|csv|sh|cfg|ini|sql|png|jpg|ipynb"
    r"|xml|rst|so|pyx|jsonl|lock)(?!\w)"
)
_PAIR = re.compile(r"(?<![\w./-])([a-z]\w+)\.([A-Z][A-Za-z0-9]{2,})(?!\w)")
_NUMBER = re.compile(r"(?<![\w.\-/:])(?:\d{4,}|\d+\.\d{2,}|\d{1,3}(?:,\d{3})+|\d+\.\d+%|\d{2,}%)(?!\w)")
_OLD = re.compile(r'"(?:old_string|old_str)": ?"((?:[^"\\]|\\.)*)"')
_STRING = re.compile(r'"((?:[^"\\]|\\.){20,})"')
_MARGIN = re.compile(r"^\s*L?\d+[\t→:|]\s?|^[+\- ](?=\s)")

_SHORTEST = 5
_SHORTEST_RARE = 6
_SHORTEST_LINE = 16
_SHORTEST_EDITED = 24
_LETTERS_EDITED = 14
_FEWEST_DIGITS = 4
_MARKS = frozenset("\t→:|-")
_YEARS = range(1900, 2101)
_LONGEST_ROUND = 18
"""Digits: a longer number is no year, and hardly a round one."""
_USUAL_PACKAGES = frozenset((
    "self", "this", "http", "json", "strings", "filepath", "time", "errors", "testing", "bytes", "exec", "sync",
    "regexp", "context", "require", "assert",
))
_USUAL_NUMBERS = frozenset(("1234", "12345", "123456", "1234567", "9999", "99999", "8080", "3000", "5432"))
_ESCAPES = (("\\n", " "), ("\\t", " "), ("\\r", " "), ('\\"', '"'))


def unescaped(text: str) -> str:
    """The text with the escapes undone that JSON in it has."""
    for escape, meant in _ESCAPES:
        text = text.replace(escape, meant)
    return text


def literals(written: str) -> dict[str, str]:
    """The literals of what a model said or wrote as arguments, each with its kind."""
    text = unescaped(written)
    found: dict[str, str] = {}
    for word in sorted(set(_WORD.findall(text))):
        if kind := _kind_of(word):
            found[word] = kind
    for name in sorted(_file_names(text)):
        if name.rpartition(".")[0] not in found and name not in known_words() and len(name) >= _SHORTEST_RARE:
            found[name] = "file"
    for package, name in sorted(set(_PAIR.findall(text))):
        pair = f"{package}.{name}"
        if name not in found and not {name, pair} & known_words() and package not in _USUAL_PACKAGES:
            found[pair] = "pair"
    found |= dict.fromkeys((number for number in sorted(set(_NUMBER.findall(text))) if _is_telling(number)), "num")
    return found | dict.fromkeys(edited_lines(written), "line")


def lines_of(text: str, *, arguments: bool = False) -> frozenset[str]:
    """The longer lines of a text, also those in JSON strings within it, without margins and blanks around them.

    A text without `arguments` is searched for strings only if it has escaped line ends.
    """
    lines = set(_longer_lines(text))
    if arguments or "\\n" in text:
        for inner in _strings(_STRING, text):
            lines.update(_longer_lines(inner))
    return frozenset(lines)


def edited_lines(written: str) -> list[str]:
    """The telling lines of texts that an edit replaces, as `lines_of` would give them."""
    return sorted({
        line
        for old in _strings(_OLD, written)
        for line in (" ".join(raw.split()) for raw in old.split("\n"))
        if len(line) >= _SHORTEST_EDITED and sum(map(str.isalpha, line)) >= _LETTERS_EDITED
    })


def stands_alone(literal: str, text: str) -> bool:
    """Whether the literal is somewhere in the text without a letter, digit or underscore beside it."""
    return any(True for _ in places(literal, text))


def numbers_a_line(number: str, text: str) -> bool:
    """Whether the number stands nowhere in the text but in front of a line, with a mark behind it."""
    return all(
        text[at + len(number):at + len(number) + 1] in _MARKS and not text[text.rfind("\n", 0, at) + 1:at].strip()
        for at in places(number, text)
    )


def places(literal: str, text: str) -> Iterator[int]:
    """Where the literal stands alone."""
    at = text.find(literal)
    while at >= 0:
        end = at + len(literal)
        if not (_is_word(text[at - 1:at]) or _is_word(text[end:end + 1])):
            yield at
        at = text.find(literal, at + 1)


def _kind_of(word: str) -> str:
    """`id` or `name`, or nothing for what anybody may say."""
    bare = word.strip("_")
    if len(bare) < _SHORTEST or bare.isdigit() or {word, bare} & known_words():
        return ""
    if _SEVERAL_WORDS.search(bare):
        return "" if _PLURAL.fullmatch(bare) else "id"
    if len(bare) < _SHORTEST_RARE:
        return ""
    if any(map(str.isdigit, bare)):
        return "id"
    low = bare.lower()
    return "" if low in english() or low.rstrip("s") in english() else "name"


def _file_names(text: str) -> set[str]:
    """The last parts of paths that name files. An absolute path says where somebody worked, not what is there."""
    last = (token.rpartition("/")[2] for token in _TOKEN.findall(text) if not token.startswith("/"))
    return {match[0] for name in last if (match := _FILE.match(name))}


def _is_telling(number: str) -> bool:
    """Whether a number is not a year, a round one or a power of two."""
    digits = number.replace(",", "").rstrip("%")
    if "." in digits:
        return len(digits) >= _FEWEST_DIGITS and not re.fullmatch(r"\d\.0+|\d+\.00", digits)
    if len(digits) > _LONGEST_ROUND:
        return True
    value = int(digits)
    if len(digits) < _FEWEST_DIGITS and not number.endswith("%"):
        return False
    return not (value in _YEARS or value % 100 == 0 or value & (value - 1) == 0 or digits in _USUAL_NUMBERS)


def _longer_lines(text: str) -> Iterator[str]:
    for raw in text.split("\n"):
        line = _MARGIN.sub("", raw).strip()
        if len(line) >= _SHORTEST_LINE:
            yield " ".join(line.split())


def _strings(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """The JSON strings a pattern finds, decoded."""
    for inner in pattern.findall(text):
        try:
            yield json.loads(f'"{inner}"', strict=False)
        except ValueError:
            continue


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
