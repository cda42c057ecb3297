"""Texts inside texts: output in a tool's own frame, lines with something in front, and what stands below what a tool
said first or between what it has left out.

A wrapping is taken off before the kinds look, and put back into the anchors and the summary afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from re import Match

from .cuts import without_marks
from .lines import LineIndex
from .look import look
from .model import HEAD_CHARS, Anchor, KindName, Source, Synopsis
from .numbering import NUMBERED_LINE, are_numbers, taken_off
from .patterns import Pattern
from .wording import count, first_word, one_line

_RETURN_CODE = Pattern(
    r"\s{0,20}<returncode>(-?\d{1,10})</returncode>\s{0,20}"
    r"(?:<warning>(?P<warning>[^<]{0,3000})</warning>\s{0,20})?<(?:output_head|output)>\n?"
)
_CUT = Pattern(r"</output_head>\n<elided_chars>\n(\d{1,12}) characters elided\n</elided_chars>\n<output_tail>\n")
_NOT_LINE_ENDS = Pattern(r"[^\n]")
_VIEWED = Pattern(
    r"(?:The file (?P<edited>\S{1,300}) has been \w{1,20}\. )?"
    r"Here's the result of running `cat -n` on (?P<viewed>\S{1,300}|a snippet of [^:\n]{1,100}):\n"
)
_PERSISTED = Pattern(
    r"\s{0,20}<persisted-output>\s{0,20}Output too large \((?P<size>[^)\n]{1,20})\)\. Full output saved to: "
    r"(?P<path>[^\n]{1,400})\n\s{0,20}(?:Preview[^\n]{0,60}:\n)?"
)
_OPENINGS = ("<returncode>", "<persisted-output>", "The file ", "Here's the result ")
"""What a frame begins with, behind a few blanks."""
_LONGEST_OPENING = 40
_FRAME_CHARS = 4096
"""What opens a frame is no longer."""
_SAID_CHARS = 400
_LEAST_OF_FEW = 3
_FIRST_LINES = ("     1\t", "     1→", "    1→", "1→")
"""How the first of so few lines is numbered that they could be rows of a table."""
_BEHIND = 0.9
"""So many lines have an object of JSON behind a prefix, where that was put in front of all."""
_MOST_BEFORE = 100
_PREFIX_CHARS = 120
_EVENT_FIELDS = ("data:", "event:", "id:", "retry:")
"""What begins the lines of a stream of events, which has a form of its own."""
_BEGINS_JSON = ("{", "[")
_OPENS = (*_BEGINS_JSON, "")
_CLOSES = ("}", "]", ">")
_VALUE_BELOW = Pattern(
    r"(?:\n|\A[A-Za-z][\w ]{0,40}: ?)"
    r"(?:(?P<json>\{\s{0,20}\"|\[\s{0,20}[\[{\"\d])|(?P<xml><\?xml |<!(?i:doctype) [A-Za-z]|<html[ >]))"
)
_BEFORE_CHARS, _LINES_BEFORE = 2048, 12
"""More than that above a value is no word of a tool about it."""
_BLANKS_BEHIND = 40


@dataclass(frozen=True, slots=True)
class Wrapping:
    """What was taken off: the text inside, its first line in the whole, and what to say.

    `by_line` says that something was in front of lines or instead of some, so that places agree by line only; `title`
    is what to call it where that was no number.
    """

    inner: Source
    offset: int
    line: int
    said: tuple[str, ...]
    by_line: bool
    title: str = ""


def unwrapped(source: Source) -> Wrapping | None:
    """The text inside the frame of `source`, or None if there is no frame."""
    if source.clean is source.text and source.text.startswith(_BEGINS_JSON) and len(source.probe) == 1:
        return None  # mostly so: JSON on one line
    return _framed(source) or _numbered(source) or _prefixed(source) or _preceded(source) or _shortened(source)


def _framed(source: Source) -> Wrapping | None:
    """What an agent's tools put around a whole output."""
    if not source.text[:_LONGEST_OPENING].lstrip().startswith(_OPENINGS):
        return None
    return _returned(source) or _viewed(source) or _persisted(source)


def _returned(source: Source) -> Wrapping | None:
    """`<returncode>0</returncode><output>...</output>`, as some shells of agents answer."""
    found = _RETURN_CODE.match(source.text[:_FRAME_CHARS])
    if not found:
        return None
    end = source.text.rfind("</output", len(source.text) - 200)
    said = "exit status " + found[1]
    if found["warning"]:
        said += "; the tool cut the output (head and tail only)"
    cut = _CUT.search(source.text, found.end())
    if cut:
        said += f": {cut[1]} characters are missing behind line {source.text.count(chr(10), 0, cut.start())}"
    wrapping = _slice(source, found.end(), end if end > found.end() else len(source.text), (said,))
    if cut:
        inner = replace(wrapping.inner, text=_CUT.sub(_blank, wrapping.inner.text))
        wrapping = replace(wrapping, inner=inner)
    return wrapping


def _blank(marks: Match[str]) -> str:
    """As many blank lines and blanks, so that all places stay."""
    return _NOT_LINE_ENDS.sub(" ", marks[0])


def _viewed(source: Source) -> Wrapping | None:
    found = _VIEWED.match(source.text[:_FRAME_CHARS])
    if not found:
        return None
    said = f"edited file {found['edited']}, a part of it" if found["edited"] else f"file {found['viewed']}"
    return _slice(source, found.end(), len(source.text), (said,))


def _persisted(source: Source) -> Wrapping | None:
    """The first lines of an output that was too large, and where the agent has put all of it."""
    found = _PERSISTED.match(source.text[:_FRAME_CHARS])
    if not found:
        return None
    end = source.text.rfind("</persisted-output>")
    said = f"a preview only: the whole output ({found['size']}) was saved to {one_line(found['path'], 200)}"
    return _slice(source, found.end(), end if end > found.end() else len(source.text), (said,))


def _slice(source: Source, start: int, end: int, said: tuple[str, ...]) -> Wrapping:
    """A part of the text as it stands, whose lines have the numbers that they have in the whole."""
    text = source.text[start:end]
    first = source.text.count("\n", 0, start) + 1
    numbers = range(first, first + text.count("\n") + 1)
    inner = Source(text, None, source.tool, source.budget, source.rules, numbers)
    return Wrapping(inner, start, first, said, False)


def _numbered(source: Source) -> Wrapping | None:
    """Lines as `cat -n`, `nl` and the readers of agents print them."""
    probe = source.probe
    least = min(_LEAST_OF_FEW, len(probe)) if source.clean.startswith(_FIRST_LINES) else _LEAST_OF_FEW
    if sum(1 for line in look(source).few if NUMBERED_LINE.match(line)) < least:
        return None
    found = [NUMBERED_LINE.match(line) for line in probe]
    if not are_numbers([each for each in found if each], probe, least):
        return None
    text, numbers = taken_off(source.clean)
    if source.clean.endswith("\n"):
        numbers.pop()
    elif text.endswith("\n"):
        text += "\n"  # the last line has a number and nothing else
    inner = Source(text, None, source.tool, source.budget, source.rules, tuple(numbers))
    blamed = any(each and each.lastgroup == "blame" for each in found)
    return Wrapping(inner, 0, 1, (*_numbering(numbers), *(_blamed(source) if blamed else ())), True)


def _blamed(source: Source) -> tuple[str, ...]:
    """The commits that most lines of the head are from."""
    commits = Counter(filter(None, map(first_word, source.lines)))
    most = ", ".join(f"{one_line(commit, 16)} {number}" for commit, number in commits.most_common(4))
    return (f"git blame: lines of {count(len(commits), 'commit')}{source.part}, most of {most}",)


def _prefixed(source: Source) -> Wrapping | None:
    """Objects of JSON, one a line, each behind what `docker compose logs` or a collector of logs puts there."""
    seen = look(source)
    if "{" not in seen.text or seen.first in _EVENT_FIELDS or seen.lines[0].startswith('["'):
        return None
    behind = [line[:at] for line in seen.few if (at := line.find('{"', 0, _PREFIX_CHARS)) > 0 and at == line.find("{")]
    if len(seen.lines) < _LEAST_OF_FEW or len(behind) < _BEHIND * len(seen.few) or len(set(behind)) > len(behind) // 2:
        return None
    befores: Counter[str] = Counter()
    lines: list[str] = []
    for line in source.clean.split("\n"):
        at = line.find('{"', 0, _PREFIX_CHARS)
        lines.append(line[at:] if at > 0 else line)
        if at > 0 and len(befores) < _MOST_BEFORE:
            befores[line[:at]] += 1
    inner = Source("\n".join(lines), None, source.tool, source.budget, source.rules, range(1, len(lines) + 1))
    shown = ", ".join(repr(one_line(before, 40)) for before, _ in befores.most_common(3))
    more = "" if len(befores) <= 3 else " and others"
    return Wrapping(inner, 0, 1, (f"in front of each line: {shown}{more}",), True, "behind a prefix")


def _preceded(source: Source) -> Wrapping | None:
    """JSON or a document of XML below the first few lines, as warnings and the echo of a command stand above it."""
    text = source.text
    closing = text[-_BLANKS_BEHIND:].rstrip()[-1:]
    if closing not in _CLOSES or text[:1] in _OPENS or (text[:1] == "<" and closing == ">"):
        return None
    found = _VALUE_BELOW.search(text, 0, _BEFORE_CHARS)
    if not found or text.count("\n", 0, found.start()) >= _LINES_BEFORE:
        return None
    start = found.start(found.lastgroup or 0)
    if not (closing == ">" if found["xml"] else _is_json(text[start:])):
        return None
    before = count(text.count("\n", 0, start), "line") if "\n" in text[:start] else "a word"
    first = one_line(text[:start].strip()[:400], 160)
    return _slice(source, start, len(text), (f"{before} above the {'XML' if found['xml'] else 'JSON'}: {first}",))


def _shortened(source: Source) -> Wrapping | None:
    """A text of which a tool has left out parts and says so; whoever describes the rest sees blank lines there."""
    text, said = without_marks(source.text)
    return Wrapping(replace(source, text=text), 0, 1, said, True, "shortened") if said else None


def _is_json(text: str) -> bool:
    """Whether this is one value of JSON that a person could read, or one on each line as far as its ends say."""
    from .json.tokens import nests_deeply  # here, because hardly any text needs it before its kind is known
    from .json.whole import is_whole

    ends = text.partition("\n")[0], text.rstrip().rpartition("\n")[2]
    lined = all(end[:1] in _OPENS and end.rstrip()[-1:] in _CLOSES for end in ends)
    pieces = [piece.encode("utf-8", "replace") for piece in ({*ends} if lined else {text})]
    return not any(nests_deeply(piece[:HEAD_CHARS]) for piece in pieces) and all(map(is_whole, pieces))


def _numbering(numbers: list[int]) -> tuple[str, ...]:
    first, last = numbers[0], numbers[-1]
    if first == 1:
        return ()
    if last - first == len(numbers) - 1 and first:
        return (f"file lines {first}-{last}: line N of the file is line N-{first - 1} here",)
    return (f"file lines {first}-{last}, not all of them; numbers below are the file's",)


def described(source: Source, wrapping: Wrapping, describe: Callable[[Source], Synopsis]) -> Synopsis:
    """The description of the text inside, with its places those of the whole."""
    said = tuple([one_line(line, _SAID_CHARS) for line in wrapping.said])
    cost = sum(len(line) + 3 for line in said)
    inside = describe(replace(wrapping.inner, budget=wrapping.inner.budget - cost))
    index = source.line_index
    kind: KindName = "text" if inside.kind == "unknown" else inside.kind
    variant, title = inside.variant, inside.title
    if wrapping.title:
        title = f"{title or variant}, {wrapping.title}" if title or variant else wrapping.title
    elif wrapping.by_line:
        numbers = wrapping.inner.numbers or (1,)
        span = f"numbered {numbers[0]}-{numbers[-1]}"
        title = f"{title}, {span}" if title else span
        variant = "numbered" if kind != "text" or not variant else variant
    return replace(
        inside,
        kind=kind,
        variant=variant,
        title=title,
        summary=(*said, *inside.summary),
        anchors=inside.moved_anchors(lambda anchor: _moved(anchor, wrapping, index)),
        chars=len(source.text),
        lines=index.count,
    )


def _moved(anchor: Anchor, wrapping: Wrapping, index: LineIndex) -> Anchor:
    line = anchor.line + wrapping.line - 1
    if wrapping.by_line:
        start = index.start_of(line)
        return Anchor(anchor.label, start, index.end_of(line) - start, line)
    return Anchor(anchor.label, anchor.offset + wrapping.offset, anchor.length, line)
