"""A value of an answer, replaced where it stands."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext.wire import Edit
from toolstub_ext.wire.spans import Span

from .usage import added


def replaced(span: Span, text: str) -> Edit:
    """The edit that puts `text` in the place of a value."""
    return Edit(span.start, span.end, text)


def summed(span: Span | None, usage: dict[str, Any], before: dict[str, Any]) -> list[Edit]:
    """The edit that adds the usage of earlier rounds to that of an answer, if there is any of either."""
    return [replaced(span, json.dumps(added(before, usage)))] if before and span is not None else []
