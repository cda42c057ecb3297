"""What a thread is about to put into a store, made ready: whoever makes a stub asks for the digest first, and a long
text is compressed in another thread while that stub is made.

    sha256 = ahead.digest(text)         # as `sha256_of`
    data = ahead.encoded(text)          # as `encode`, where that is not what the text is
    ahead.compress(text)                # begins, if that is worth it
    ...
    store.put(text)                     # takes what is there
    ahead.forget()

Nothing but time depends on it, and no thread knows of another's texts.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property

from .chunks import pack

_LONG_BYTES = 128 * 1024
"""To compress less takes no longer than to have another thread do it."""
_MOST_BYTES = 64 * 1024 * 1024
_THREADS = 4

_pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="toolstub-compress")


class Ready:
    """A text as it is stored, compressed when that is asked for or before."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.packed = pack(text)
        self._begun: Future[list[bytes]] | None = None

    @cached_property
    def data(self) -> bytes:
        """All of it as bytes; of a single chunk without a copy."""
        chunks = self.packed.chunks
        return chunks[0][1] if len(chunks) == 1 else b"".join([data for _, data in chunks])

    def compress(self) -> None:
        """Begin with it, if the text is long."""
        if self.packed.size >= _LONG_BYTES and self._begun is None:
            with suppress(RuntimeError):  # no thread can be started any more
                self._begun = _pool.submit(self.packed.frames)

    def frames(self) -> list[bytes]:
        """All chunks, compressed."""
        if self._begun is None or self._begun.cancel():  # no thread has had the time, or a fork has left it behind
            return self.packed.frames()
        return self._begun.result()


class _Texts(threading.local):
    def __init__(self) -> None:
        self.ready: dict[int, Ready] = {}
        self.bytes = 0


_texts = _Texts()


def digest(text: str) -> str:
    """As `sha256_of`, and remembered with the text until `forget`."""
    known = _texts.ready.get(id(text))
    if known is None:
        known = Ready(text)
        if _texts.bytes > _MOST_BYTES:
            forget()
        _texts.ready[id(text)] = known
        _texts.bytes += known.packed.size
    return known.packed.sha256


def encoded(text: str) -> bytes | None:
    """The bytes of a text whose digest was asked for, and of no other; nor of ASCII, which is as good as its bytes."""
    known = None if text.isascii() else _texts.ready.get(id(text))
    return None if known is None else known.data


def compress(text: str) -> None:
    """Begin to compress a text whose digest was asked for: it is likely to be stored."""
    if known := _texts.ready.get(id(text)):
        known.compress()


def ready(text: str) -> Ready:
    """What is there of a text, else made now."""
    return _texts.ready.get(id(text)) or Ready(text)


def forget() -> None:
    """Let go of this thread's texts."""
    _texts.ready, _texts.bytes = {}, 0
