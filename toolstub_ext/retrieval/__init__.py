"""The tools a model reads originals with: their definitions, and their answers.

A model is the reader here. Every reply begins with a line that says what it covers and how to go on, and none is longer
than `reply_chars`; what goes wrong is one line that says what to do instead. `run` is total: whatever a model sends as
arguments, it gets an answer. So it takes a number written as a string, null or "" for what is left out, and "10-20" for
lines, and does not mind arguments that it does not know.

    tools                 the definitions, and which tools there are
    running               from a call to a reply; `reading` and `searching` are the larger two of the four
    call                  the arguments of a call, taken as they are meant
"""

from __future__ import annotations

from .running import run
from .tools import NAMES, PREFIX, READ_CALL, allowance, definitions, meant

__all__ = ["NAMES", "PREFIX", "READ_CALL", "allowance", "definitions", "meant", "run"]
