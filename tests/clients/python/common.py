"""What the scripts of the Python clients share. They know nothing of toolstub.

`BASE_URL` is where the API is, without `/v1`; `FORMAT` is chat, responses or messages; `STREAM` is 1 or 0. What the
client saw goes to the file `VIEW`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

BASE = os.environ["BASE_URL"]
FORMAT = os.environ["FORMAT"]
STREAM = os.environ["STREAM"] == "1"
LOGS = Path(os.environ["LOGS"])
MODEL, KEY = "stand-in", "any-key"
SYSTEM = "You read logs, and answer with ANSWER NAME=VALUE."
QUESTIONS = json.loads(os.environ["QUESTIONS"])
SCHEMA = {"type": "object", "properties": {"service": {"type": "string", "description": "The name of a service."}},
          "required": ["service"], "additionalProperties": False}
DESCRIPTION = "The whole log of a service."
CALLED: list[str] = []
ANSWERS: list[str] = []


def get_log(service: str) -> str:
    """The whole log of a service.

    Args:
        service: The name of a service.

    """
    CALLED.append(service)
    return (LOGS / f"{service}.log").read_text(encoding="utf-8")


def run(name: str, arguments: Any) -> str:
    """What a tool that was called gives."""
    if name != "get_log":
        raise AssertionError(f"called for {name}, which this client does not have")
    return get_log(**(json.loads(arguments) if isinstance(arguments, str) else arguments))


def answered(text: Any) -> None:
    """Keep an answer."""
    ANSWERS.append(str(text))


def finish(view: Any) -> None:
    """Tell what was seen: everything the client keeps of the conversation."""
    seen = {"answers": ANSWERS, "called": CALLED, "view": view}
    told = json.dumps(seen, default=lambda thing: getattr(thing, "__dict__", None) or repr(thing))
    Path(os.environ["VIEW"]).write_text(told, encoding="utf-8")
