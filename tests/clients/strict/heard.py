"""What the stand-ins have in common: a conversation as the model reads it, and what any API refuses of a schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toolstub_proxy.demo.upstream_rules import RefusedError

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PASTED = "Observation:"
"""What agents without tool messages write in front of a result."""
NEXT = "New task:"
"""And in front of what they say behind it."""


@dataclass(frozen=True)
class Heard:
    """One thing in a conversation. A result has the id of its call; a call has its tool's name and its arguments."""

    kind: Literal["system", "user", "assistant", "call", "result"]
    text: str
    id: str = ""
    name: str = ""


@dataclass
class Asked:
    """A request that was taken: what was said, which tools there are with their schemas, and what limits the answer."""

    heard: list[Heard] = field(default_factory=list)
    tools: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    forced: bool = False
    parallel: bool = True
    shape: Mapping[str, Any] | None = None
    """The JSON schema that a text has to fit."""

    def hear(self, role: str, text: str) -> None:
        """A message. What a user's message holds behind the mark of a pasted result is a result."""
        kind = {"developer": "system", "function": "result", "tool": "result"}.get(role, role)
        said, mark, pasted = text.partition(PASTED) if kind == "user" else (text, "", "")
        if said.strip() or not mark:
            self.heard.append(Heard(kind, said))  # type: ignore[arg-type]
        pasted, more, asked = pasted.partition(NEXT)
        if mark:
            self.heard.append(Heard("result", pasted))
        if more:
            self.heard.append(Heard("user", asked))


def refuse(unless: bool, why: str, param: str | None = None) -> None:
    """Refuse the request, unless something holds. Raises RefusedError."""
    if not unless:
        raise RefusedError(why, param)


def only(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Refuse members that the API does not know, unless they say nothing. Raises RefusedError."""
    more = sorted({name for name, value in given.items() if value is not None} - set(known))
    refuse(not more, f"unknown parameter: {where}{', '.join(more)}", where)


def check_schema(tool: str, schema: Any, *, strict: bool) -> None:
    """Refuse what is no schema of an object. Raises RefusedError."""
    refuse(isinstance(schema, dict) and schema.get("type") == "object", f"the parameters of {tool} are no object")
    for part in _parts(schema):
        names = part.get("properties", {})
        required = part.get("required", [])
        refuse(isinstance(names, dict) and isinstance(required, list), f"malformed schema of {tool}: {part}")
        bare = part.get("type") == "array" and not {"items", "prefixItems"} & set(part)
        refuse(not bare, f"an array without items: {tool}")
        if strict and (part.get("type") == "object" or names):
            whole = part.get("additionalProperties") is False and set(required) == set(names)
            refuse(whole, f"{tool} is strict: every property is required and no other allowed")


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all in it."""
    refuse(isinstance(schema, dict | bool), f"this is no schema: {schema!r}")
    if isinstance(schema, dict):
        yield schema
        inner = [*(schema.get("properties") or {}).values(), *(schema.get("anyOf") or ()), *(schema.get("allOf") or ())]
        inner += [schema["items"]] if "items" in schema else []
        for part in inner:
            yield from _parts(part)


def text_of(content: Any, kinds: Iterable[str]) -> str:
    """The text of a content that is one, or a list of parts of these kinds. Raises RefusedError for another part."""
    if isinstance(content, str):
        return content
    refuse(isinstance(content, list), f"this is no content: {content!r}")
    for part in content:
        refuse(isinstance(part, dict) and part.get("type") in kinds, f"this part does not belong here: {part!r:.200}")
    return "\n".join(part["text"] for part in content if "text" in part)
