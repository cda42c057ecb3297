"""Two originals, and a model that asks for them, for the tests of the retrieval tools."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext import retrieval
from toolstub_ext.store import Store

REPLY_CHARS = 6_000
LOG = "".join(f"10:00:{n % 60:02d} {'ERROR' if n % 400 == 7 else 'INFO'} worker {n}\n" for n in range(3_000))
ORDERS = json.dumps([{"id": n, "name": f"order {n}"} for n in range(2_000)])


def ask(store: Store, tool: str, reply_chars: int = REPLY_CHARS, /, *, owner: str = "local", session: str = "s",
        **arguments: Any) -> str:
    """The reply to a call, which fits."""
    reply = retrieval.run(f"toolstub_{tool}", json.dumps(arguments), store=store, owner=owner, session=session,
                          reply_chars=reply_chars)
    assert len(reply) <= reply_chars
    return reply
