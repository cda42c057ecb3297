"""Retrieval rounds that the client did not see, put back where they took place.

When the model asks for a part of an original, the gateway answers and asks again; the client sees only the message
that this led to. On the client's next request the provider must find the whole conversation, or its prefix cache is
lost from there on. So each round is kept in the store under the conversation up to and including the visible message,
and put back byte for byte in every later request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

from .store.base import Store, encode
from .wire.base import Edit, Message, Reading

_BEFORE, _CALLS, _RESULTS = "before", "calls", "results"


def remember(store: Store, reading: Reading, *, owner: str, session: str, visible_text: str,
             visible_calls: tuple[str, ...], before: str, calls: str, results: str) -> None:
    """Keep what stood before, in and behind the assistant message that the client was shown in answer to `reading`.

    `before` is the JSON of the messages in front of it, `calls` that of our tool calls made in it and `results` that of
    the messages answering them; each comma-joined, or empty. Raises StoreError if it cannot be kept.
    """
    visible = Message("assistant", visible_text, 0, 0, calls=visible_calls)
    *_, (_, key) = _keys((*reading.messages, visible))
    value = json.dumps({_BEFORE: before, _CALLS: calls, _RESULTS: results})
    store.put_rounds(key, value, owner=owner, session=session)


def put_back(store: Store, reading: Reading, *, owner: str, session: str) -> tuple[Edit, ...]:
    """The edits that restore the hidden rounds of this very conversation. Raises StoreError."""
    rounds = store.rounds(owner=owner, session=session)
    if not rounds:
        return ()
    edits: list[Edit] = []
    for message, key in _keys(reading.messages):
        if message.role == "assistant" and key in rounds:
            edits.extend(_restore(message, json.loads(rounds[key])))
    return tuple(edits)


def _restore(message: Message, hidden: dict[str, str]) -> Iterator[Edit]:
    if hidden[_BEFORE]:
        yield Edit(message.start, message.start, hidden[_BEFORE] + ",")
    if hidden[_CALLS] and message.calls_at is not None:
        yield Edit(message.calls_at, message.calls_at, hidden[_CALLS] + ",")
        yield Edit(message.end, message.end, "," + hidden[_RESULTS])


def _keys(messages: Iterable[Message]) -> Iterator[tuple[Message, str]]:
    """Each message with the digest of the conversation up to and including it."""
    digest = hashlib.sha256()
    for message in messages:
        seen = json.dumps((message.role, message.calls, message.answers, len(message.text)))
        digest.update(seen.encode() + encode(message.text))
        yield message, digest.hexdigest()
