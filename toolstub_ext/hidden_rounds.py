"""Retrieval rounds that the client did not see, put back where they took place.

When the model asks for a part of an original, the gateway answers and asks again; the client sees only the message
that this led to. On the client's next request the provider must find the whole conversation, or its prefix cache is
lost from there on. So each round is kept in the store under the conversation up to and including the visible message,
and put back byte for byte in every later request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any

from .store.base import Store, encode
from .wire.base import Continued, Edit, Message, Piece, Reading

_BEFORE, _CALLS, _RESULTS, _SHOWN, _FIRST = "before", "calls", "results", "shown", "first"
_LAST, _BEHIND, _ROUNDS, _UNRUN = "last", "behind", "rounds", "unrun"


def remember(store: Store, reading: Reading, *, owner: str, session: str, visible_text: str,
             visible_calls: tuple[str, ...], before: str, calls: str, results: str, first: str = "",
             shown: tuple[str, ...] = (), answers: tuple[str, ...] = (), last: str = "", behind: bool = False,
             unrun: str = "") -> None:
    """Keep what stood before, in and behind the assistant message that the client was shown in answer to `reading`.

    `before` is the JSON of the messages in front of it, `calls` that of our tool calls made in it and `results` that
    of the messages (or parts of one) answering them; each comma-joined, or empty. Our calls stood `behind` all
    others, or in front. `first` are the parts that it began with and that were not shown. `shown` are the identities
    of those pieces of the visible message that are said in `before`. `answers` are the provider's ids of the answers
    that the visible one was put together from, if it keeps them; then `last` is the identity by which a client may
    refer to the last piece of it. `unrun` are our calls that ended it without being run, and what answers those, where
    a message may not go without. Raises StoreError if it cannot be kept.
    """
    visible = Message("assistant", visible_text, 0, 0, calls=visible_calls)
    key = _key((*reading.messages, visible))
    value = json.dumps({_BEFORE: before, _CALLS: calls, _RESULTS: results, _FIRST: first,
                        _SHOWN: [*map(_digest, shown)]} | ({_BEHIND: True} if behind else {})
                       | ({_UNRUN: unrun} if unrun else {}))
    store.put_rounds(key, value, owner=owner, session=session)
    if last:
        store.put_rounds(_digest(last), value, owner=owner, session=session)
    for answer in dict.fromkeys((answers[0], answers[-1]) if answers else ()):
        kept = json.dumps({_LAST: answers[-1], _RESULTS: results, _ROUNDS: [*dict.fromkeys(answers)]})
        store.put_rounds(_digest(answer), kept, owner=owner, session=_continuing(answer))


class Keys:
    """Under which keys there may be a round for a message of a conversation, as far as that was asked for.

    It grows with the conversation, so that of a long one only what is new is hashed.
    """

    def __init__(self) -> None:
        self._conversation = hashlib.sha256()
        self._told = 0
        self._names: dict[int, tuple[str, str]] = {}
        self._places: dict[str, list[int]] = {}
        self._restored: dict[int, tuple[str, tuple[Edit, ...]]] = {}

    def tell(self, messages: Sequence[Message], until: int) -> None:
        """Go on up to so many messages; those told before have to be the same."""
        for place in range(self._told, until):
            message = messages[place]
            _hash(self._conversation, message)
            if message.role == "assistant":
                self._note(place, self._conversation.hexdigest(), message)
        self._told = max(self._told, until)

    def __reduce__(self) -> tuple[type[Keys], tuple[()]]:
        """What was told cannot be taken to another process; there it is told anew."""
        return Keys, ()

    def copy(self) -> Keys:
        """The same, to grow on its own."""
        other = Keys()
        other._conversation, other._told = self._conversation.copy(), self._told
        return other

    def edits(self, rounds: Mapping[str, str], messages: Sequence[Message]) -> Iterator[tuple[int, tuple[Edit, ...]]]:
        """The places of messages for which there is a round, and the edits that restore it. What was restored before is
        not read again."""
        for place in {place for name in rounds for place in self._places.get(name, ())}:
            key, last = self._names[place]
            hidden = rounds.get(key) or rounds[last]
            known = self._restored.get(place)
            if known is None or known[0] != hidden:
                self._restored[place] = known = hidden, tuple(_restore(messages, place, json.loads(hidden)))
            yield place, known[1]

    def _note(self, place: int, key: str, message: Message) -> None:
        last = _digest(message.pieces[-1].identity) if message.pieces else ""
        self._names[place] = key, last
        for name in filter(None, (key, last)):
            self._places.setdefault(name, []).append(place)


def put_back(store: Store, reading: Reading, *, owner: str, session: str, keys: Keys | None = None) -> tuple[Edit, ...]:
    """The edits that restore the hidden rounds of this very conversation. Raises StoreError.

    `keys` are of an earlier request with which this one begins, and go on to where this one's next will begin.
    """
    if reading.terms.continues is not None:
        return tuple(_continue(store, reading, reading.terms.continues, owner))
    rounds = store.rounds(owner=owner, session=session)
    if not rounds:
        return ()
    keys = Keys() if keys is None else keys
    keys.tell(reading.messages, reading.beginning.whole.turn_before.messages if reading.beginning else 0)
    rest = keys.copy()
    rest.tell(reading.messages, len(reading.messages))
    found = sorted((*keys.edits(rounds, reading.messages), *rest.edits(rounds, reading.messages)), key=itemgetter(0))
    return tuple(chain.from_iterable(edits for _, edits in found))


def last_round(store: Store, answer: str, *, owner: str) -> str:
    """The provider's id of the last round of the answer that a client knows by the id `answer`. Raises StoreError."""
    kept = store.rounds(owner=owner, session=_continuing(answer)).values()
    return next((str(json.loads(value)[_LAST]) for value in kept), answer)


def rounds_behind(store: Store, answer: str, *, owner: str) -> tuple[str, ...]:
    """The provider's ids of the other rounds of the answer that a client knows by the id `answer`.

    Raises StoreError.
    """
    kept = store.rounds(owner=owner, session=_continuing(answer)).values()
    rounds = chain.from_iterable(json.loads(value).get(_ROUNDS, ()) for value in kept)
    return tuple(dict.fromkeys(str(name) for name in rounds if name != answer))


def _restore(messages: Sequence[Message], place: int, hidden: dict[str, Any]) -> Iterator[Edit]:
    message = messages[place]
    following = messages[place + 1] if place + 1 < len(messages) else None
    if hidden[_BEFORE]:
        yield Edit(message.start, message.start, hidden[_BEFORE] + ",")
        seen = [*_without(message.pieces, hidden.get(_SHOWN, ()))]
        yield from seen
        if message.pieces and hidden.get(_FIRST):
            begins = message.pieces[len(seen)].start
            yield Edit(begins, begins, hidden[_FIRST] + ",")
    if hidden.get(_UNRUN):
        yield Edit(message.end, message.end, "," + hidden[_UNRUN])
    if not hidden[_CALLS] or message.calls_at is None:
        return
    behind = message.end_of_parts if hidden.get(_BEHIND) else None
    calls = (Edit(message.calls_at, message.calls_at, hidden[_CALLS] + ",") if behind is None
             else Edit(behind, behind, "," + hidden[_CALLS]))
    if not message.pieces:
        yield calls
        yield Edit(message.end, message.end, "," + hidden[_RESULTS])
    elif following is not None and following.answers_at is not None:
        yield calls
        yield Edit(following.answers_at, following.answers_at, hidden[_RESULTS] + ",")


def _continue(store: Store, reading: Reading, before: Continued, owner: str) -> Iterator[Edit]:
    """Where the provider keeps the conversation: go on from the last round of an answer, whichever of its ids the
    client knows it by, and answer our calls in it."""
    for kept in map(json.loads, store.rounds(owner=owner, session=_continuing(before.answer)).values()):
        if kept[_LAST] != before.answer:
            yield Edit(before.start, before.end, json.dumps(kept[_LAST]))
        if kept[_RESULTS]:
            yield from _in_front(reading, kept[_RESULTS])


def _in_front(reading: Reading, items: str) -> Iterator[Edit]:
    """Begin the input with further items; one that is a text becomes a message."""
    end = reading.messages_end
    if reading.bare:
        start = end - reading.bare
        yield Edit(start, start, f'[{items},{{"role":"user","content":')
        yield Edit(end, end, "}]")
    elif reading.messages:
        yield Edit(reading.messages[0].start, reading.messages[0].start, items + ",")
    else:
        yield Edit(end, end, items)


def _continuing(answer: str) -> str:
    """The session of what has to be known to continue an answer."""
    return f"answer {answer}"


def _without(pieces: tuple[Piece, ...], shown: Iterable[str]) -> Iterator[Edit]:
    """Take out the pieces at the beginning that were shown in earlier rounds, as far as the client sends them again;
    the last piece stays, for a message without any would be refused."""
    expected = iter(shown)
    for piece, following in pairwise(pieces):
        if _digest(piece.identity) not in expected:
            return
        yield Edit(piece.start, following.start, "")


def _digest(identity: str) -> str:
    return hashlib.sha256(encode(identity)).hexdigest()[:16]


def _key(messages: Iterable[Message]) -> str:
    """The digest of a conversation."""
    conversation = hashlib.sha256()
    for message in messages:
        _hash(conversation, message)
    return conversation.hexdigest()


def _hash(conversation: hashlib._Hash, message: Message) -> None:
    """Add a message to the digest of a conversation."""
    seen = json.dumps((message.role, message.calls, message.answers, len(message.text)))
    conversation.update(seen.encode())
    conversation.update(encode(message.text))
