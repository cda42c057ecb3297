"""An agent as anybody writes one: the official openai SDK, streaming, and one tool. It knows nothing of toolstub.

    python agent.py "How many redirects does urllib follow? See FILE."                      # needs OPENAI_API_KEY
    toolstub run -- python agent.py "How many redirects does urllib follow? See FILE."      # the same, through toolstub
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from openai import OpenAI

TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "read_file",
            "description": "Read a text file. Lines come with their numbers.",
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}},
                "required": ["path"],
                "additionalProperties": False,
            },
        },
    },
]


def read_file(path: str) -> str:
    """The tool: what `cat -n` prints, or why it cannot."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return f"error: {error}"
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), start=1))


def ask(client: OpenAI, messages: list[Any]) -> dict[str, Any]:
    """One request; its text is shown as it comes. The assistant's message."""
    text = ""
    calls: dict[int, dict[str, Any]] = {}
    model = os.environ.get("MODEL", "gpt-4.1-mini")
    for chunk in client.chat.completions.create(model=model, messages=messages, tools=TOOLS, stream=True):
        for choice in chunk.choices:
            print(choice.delta.content or "", end="", flush=True)
            text += choice.delta.content or ""
            for part in choice.delta.tool_calls or ():
                call = calls.setdefault(part.index, {"id": part.id, "type": "function",
                                                     "function": {"name": "", "arguments": ""}})
                if part.function:
                    call["function"]["name"] += part.function.name or ""
                    call["function"]["arguments"] += part.function.arguments or ""
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls.values())} if calls else {})}


def main() -> None:
    """Ask, run the tools the model calls, and go on until it answers."""
    client = OpenAI()
    messages: list[Any] = [{"role": "user", "content": " ".join(sys.argv[1:])}]
    while True:
        messages.append(ask(client, messages))
        if not (calls := messages[-1].get("tool_calls")):
            print()
            return
        for call in calls:
            arguments = json.loads(call["function"]["arguments"])
            print(f"> {call['function']['name']}({arguments['path']})", file=sys.stderr)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": read_file(**arguments)})


if __name__ == "__main__":
    main()
