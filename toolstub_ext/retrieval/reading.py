"""`toolstub_read`: a part of an original, and what part it is."""

from __future__ import annotations

import re

from ..phrases import counted
from ..store import Slice
from .call import Call


def read(call: Call) -> str:
    """The reply to a call."""
    ref = call.ref()
    if ref is None:
        raise ValueError("toolstub_read needs a ref, as the stub names it; toolstub_list shows those of this session")
    lines, pointer = call.text("lines"), call.text("pointer")
    limit, offset = call.number("limit"), call.number("offset") or 0
    limit = call.room if limit in (None, 0, -1) else min(limit, call.room)
    part = call.store.read(ref, owner=call.owner, offset=offset, limit=limit,
                           lines=None if lines is None else _as_lines(lines), pointer=None if lines else pointer)
    if not part.text and not 0 <= part.offset < part.total_chars:
        return (f"{ref} has {counted(part.total_chars, 'char')} and {counted(part.total_lines, 'line')}; nothing "
                "begins there (chars count from 0, lines from 1)")
    cut = len(part.text) == limit and part.next_offset == part.offset + limit
    text = _whole_lines(part.text) if cut and limit == call.room else part.text
    unused = _unused(lines, pointer, offset)
    return f"{ref} {_covered(part, text)}{_onward(part, text, lines or pointer, cut=cut)}{unused}\n{text}"


def _covered(part: Slice, text: str) -> str:
    last_line = part.first_line + text.count("\n", 0, -1)
    return (f"chars {part.offset}..{part.offset + len(text)} of {part.total_chars} "
            f"(lines {part.first_line}..{last_line} of {part.total_lines})")


def _onward(part: Slice, text: str, selected: str | None, *, cut: bool) -> str:
    end = part.offset + len(text)
    if end >= part.total_chars:
        return "; end of the original"
    if selected is not None and not cut:
        return "; all that was asked for"
    return f"; continue with offset={end}"


def _unused(lines: str | None, pointer: str | None, offset: int) -> str:
    """What of several places in one call has not counted."""
    places = [name for name, given in (("lines", lines), ("pointer", pointer), ("offset", offset)) if given]
    return f"; {places[0]} counted, and not {' or '.join(places[1:])}" if len(places) > 1 else ""


def _whole_lines(text: str) -> str:
    """Without a last line that is cut off, if that is not much."""
    end = text.rfind("\n") + 1
    return text[:end] if end > len(text) // 2 else text


def _as_lines(lines: str) -> str:
    """As `Store.read` takes them; models also write `L3-L9`, `3..9`, `3 to 9`, `3-` and `L3`."""
    return re.sub(r"^\s*L?([0-9]+)\s*(?:(:|-|\.\.|,|to)\s*(?:L?([0-9]+))?)?\s*$",
                  lambda found: found[1] + (":" if found[2] else "") + (found[3] or ""), lines, flags=re.IGNORECASE)
