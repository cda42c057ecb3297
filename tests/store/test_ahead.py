"""What was made ready before a text is stored changes the time that is taken, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from toolstub_ext.store import Store, ahead, sha256_of
from toolstub_ext.store.base import encode
from toolstub_ext.store.chunks import compress, pack

SHORT = "a line\n" * 9
LONG = "".join(f"{number} lines of wörk\n" for number in range(12_000))


@pytest.fixture(autouse=True)
def nothing_ready() -> Iterator[None]:
    """Each case begins and ends without a text."""
    ahead.forget()
    yield
    ahead.forget()


def test_a_digest_is_that_of_the_text() -> None:
    """Also of one that equals another, and the second time."""
    for text in ("", SHORT, SHORT[:-1], LONG, "\ud800"):
        assert [ahead.digest(text), ahead.digest(text)] == [sha256_of(text)] * 2


@pytest.mark.parametrize("text", ["wörk", LONG, "\ud800"])
def test_the_bytes_are_those_of_the_text_and_made_once(text: str) -> None:
    """Of one whose digest was asked for, that is; ASCII needs none."""
    assert ahead.encoded(text) is None
    ahead.digest(text)
    assert ahead.encoded(text) == encode(text)
    assert ahead.encoded(text) is ahead.encoded(text)
    ahead.digest(SHORT)
    assert ahead.encoded(SHORT) is None


@pytest.mark.parametrize("text", ["", SHORT, LONG])
def test_what_was_begun_is_what_is_stored(store: Store, text: str) -> None:
    """All of it, the chunks as they would be without that."""
    ahead.digest(text)
    ahead.compress(text)
    ahead.compress(text)
    assert ahead.ready(text).frames() == [compress(data) for _, data in pack(text).chunks]
    entry = store.put(text)
    assert entry.sha256 == sha256_of(text)
    assert store.read(entry.ref, limit=-1).text == text
    assert store.verify() == ()


def test_a_text_is_packed_once_until_it_is_forgotten(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    """By whoever asks for it in this thread; another text, though it be equal, is another one."""
    made: list[str] = []
    monkeypatch.setattr(ahead, "pack", lambda text: made.append(text) or pack(text))
    equal = "".join(LONG)
    assert ahead.digest(LONG) == ahead.digest(LONG) == store.put(LONG).sha256
    assert len(made) == 1
    assert ahead.digest(equal) == ahead.digest(LONG)
    assert len(made) == 2
    ahead.forget()
    store.put(LONG)
    store.put(LONG)
    assert len(made) == 4


def test_threads_know_nothing_of_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that forgets takes nothing from another."""
    ahead.digest(LONG)
    other = threading.Thread(target=ahead.forget)
    other.start()
    other.join()
    monkeypatch.setattr(ahead, "pack", lambda _: pytest.fail("it was packed already"))
    assert ahead.digest(LONG) == sha256_of(LONG)


def test_texts_that_are_kept_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that all go, and are made again when they are asked for."""
    monkeypatch.setattr(ahead, "_MOST_BYTES", 3 * len(SHORT))
    texts = [f"{number}{SHORT}" for number in range(9)]
    assert [*map(ahead.digest, texts)] == [*map(sha256_of, texts)]
    kept = [text for text in texts if ahead.ready(text) is ahead.ready(text)]
    assert 0 < len(kept) < 5
    assert kept == texts[-len(kept):]


class _NoThread:
    def submit(self, _: Any) -> Future[list[bytes]]:
        raise RuntimeError("cannot schedule new futures after shutdown")


class _NoTime:
    def submit(self, _: Any) -> Future[list[bytes]]:
        return Future()


@pytest.mark.parametrize("pool", [_NoThread(), _NoTime()])
def test_what_no_thread_has_begun_is_compressed_when_it_is_stored(monkeypatch: pytest.MonkeyPatch, store: Store,
                                                                  pool: Any) -> None:
    """Where none can be started, and where none got its turn, such as in a process that was forked."""
    monkeypatch.setattr(ahead, "_pool", pool)
    ahead.digest(LONG)
    ahead.compress(LONG)
    assert store.read(store.put(LONG).ref, limit=-1).text == LONG
