"""The logs that clients are asked about, and the facts in them that only the whole log tells."""

from __future__ import annotations

import hashlib
from pathlib import Path

FACTS = ("id_21", "id_33", "id_44", "id_53")
LINES = 900


def value(service: str, name: str) -> str:
    """What `name` is in the log of a service."""
    return "v" + hashlib.sha256(f"{service} {name}".encode()).hexdigest()[:8]


def log_of(service: str, lines: int = LINES) -> str:
    """A log in which no line stands out."""
    return "\n".join(f"2026-01-02 10:{n // 60 % 60:02}:{n % 60:02} INFO {service} request "
                     f"id_{n}={value(service, f'id_{n}')} done" for n in range(lines))


def write(folder: Path, lines: int = LINES) -> None:
    """The logs of two services, as files."""
    for service in ("alpha", "beta"):
        (folder / f"{service}.log").write_text(log_of(service, lines), encoding="utf-8")


def questions(call: str) -> tuple[list[str], list[str]]:
    """What is asked, with `call` for the words that name a log, and the answers.

    The first answer needs a call, the second what came of it, the third another call while the model looks through the
    first log once more, the fourth what came of that one.
    """
    first, second, third, fourth = FACTS
    asked = [f"What is {first}? {call.format('alpha')}", f"What is {second}? Read it.",
             f"What is {third}? {call.format('beta')} Do both at once.", f"What is {fourth}?"]
    services = ("alpha", "alpha", "beta", "beta")
    return asked, [f"ANSWER {name}={value(service, name)}" for name, service in zip(FACTS, services)]
