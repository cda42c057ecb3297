"""What the store costs: to put, to read a part of something large, to search through everything."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import zstandard

from toolstub_ext.store import Store, open_store

from . import inputs
from .measuring import Figure

_PUT_CHARS = 50_000
_LARGE_CHARS = 100_000_000
_PART_CHARS = 20_000
_GIGABYTE = 1_000_000_000
_SAMPLE_CHARS = 20_000_000
_SEARCHES = 5
_NEEDLE = "a needle that stands in one original only"


def figures(*, full: bool) -> Iterator[Figure]:
    """Figures of one store in a folder of its own; searching is measured on a fifth of the size unless `full`."""
    with TemporaryDirectory(prefix="toolstub-bench-") as folder:
        with open_store(str(Path(folder, "many.db"))) as store:
            yield from _many(store, _GIGABYTE if full else _GIGABYTE // 5)
        with open_store(str(Path(folder, "large.db"))) as store:
            yield from _large(store)


def _many(store: Store, size: int) -> Iterator[Figure]:
    taken, chars = [], 0
    texts = _originals(size)
    store.put(f"{next(texts)} {_NEEDLE}")
    for text in texts:
        start = time.process_time()
        store.put(text, tool="bash", session="s", call_id="c")
        taken.append(time.process_time() - start)
        chars += len(text)
    yield Figure("put 50 KB", 1 / median(taken), "/s", 1500, at_least=True)
    stats = store.stats()
    yield Figure("size on disk", stats["stored_bytes"] / stats["bytes"], "x", 0.4)
    searches = [_searched(store, _NEEDLE) for _ in range(_SEARCHES)]
    if any(found != 1 for found, _, _ in searches):
        raise AssertionError(f"found {searches[0][0]} times instead of once")
    spent, waited = (median(times) for times in list(zip(*searches))[1:])
    bare = median(_bare(chars) for _ in range(_SEARCHES))
    note = f"{waited * _GIGABYTE / chars:.2f} s by the clock; {spent / chars / bare:.2f}x zstd and bytes.find alone"
    yield Figure("search 1 GB", spent / chars * _GIGABYTE, "s", 1.5, note=note)
    first_page = [_first_page(store) for _ in range(15)]
    yield Figure("first page of a common word", median(first_page) * 1e3, "ms", 5)


def _originals(size: int) -> Iterator[str]:
    """Different texts of 50,000 characters, in which kinds take turns."""
    sources = [inputs.KINDS[kind](2 * inputs.MB) for kind in ("log", "code", "json", "csv", "text")]
    for number in range(size // _PUT_CHARS):
        source = sources[number % len(sources)]
        start = number * 7_919 % (len(source) - _PUT_CHARS)
        yield f"{number}\n{source[start : start + _PUT_CHARS]}"


def _searched(store: Store, query: str) -> tuple[int, float, float]:
    """Matches in all pages, CPU seconds, seconds."""
    cpu, clock = time.process_time(), time.perf_counter()
    hits = store.search(query)
    found = len(hits.items)
    while hits.cursor is not None:
        hits = store.search(query, cursor=hits.cursor)
        found += len(hits.items)
    return found, time.process_time() - cpu, time.perf_counter() - clock


def _bare(chars: int) -> float:
    """CPU seconds for each character that a search cannot do without: to decompress frames in memory and to look."""
    needle = _NEEDLE.encode()
    texts = [text.encode() for text in _originals(min(chars, _SAMPLE_CHARS))]
    frames = [zstandard.ZstdCompressor(level=1, write_checksum=True).compress(text) for text in texts]
    decompress = zstandard.ZstdDecompressor().decompress
    start = time.process_time()
    for frame in frames:
        if needle in decompress(frame):
            raise AssertionError
    return (time.process_time() - start) / sum(map(len, texts))


def _first_page(store: Store) -> float:
    start = time.process_time()
    store.search("the")
    return time.process_time() - start


def _large(store: Store) -> Iterator[Figure]:
    text = _large_text()
    start = time.process_time()
    ref = store.put(text).ref
    yield Figure("put 100M characters", len(text) / 1e6 / (time.process_time() - start), "M/s", None)
    chance, taken = random.Random(11), []
    for _ in range(300):
        offset = chance.randrange(len(text) - _PART_CHARS)
        start = time.process_time()
        part = store.read(ref, offset=offset, limit=_PART_CHARS)
        taken.append(time.process_time() - start)
        if part.text != text[offset : offset + _PART_CHARS]:
            raise AssertionError(f"read something else at {offset}")
    yield Figure("read 20k of 100M characters: p50", median(taken) * 1e3, "ms", 0.3)
    yield Figure("read 20k of 100M characters: p99", quantiles(taken, n=100)[98] * 1e3, "ms", 1.0)


def _large_text() -> str:
    """Logs, JSON and Chinese, in which no two chunks are the same."""
    block = inputs.log_text(4 * inputs.MB) + inputs.json_text(4 * inputs.MB) + inputs.chinese_text(2 * inputs.MB)
    blocks = (f"{number}\n{block[number * 1_009 :]}" for number in range(_LARGE_CHARS // len(block) + 2))
    return "".join(blocks)[:_LARGE_CHARS]
