"""What a whole request takes through the proxy, against the same through a plain aiohttp pass-through.

Requests go in pairs, the one after the other, now this way first and now that; the ratio is the median of the pairs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from statistics import median

from . import inputs, servers
from .history import Conversation, growing
from .measuring import Figure

_PATH = "/v1/chat/completions"
_HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer of-the-bench"}
_KB = 1_000
_WARM_UP = 3
_OK = 200

Address = tuple[str, int]


def figures(*, full: bool) -> Iterator[Figure]:
    """New results of three sizes, histories of two, clients beside a large request, and the first byte of a stream."""
    times = 3 if full else 1
    with servers.running() as at:
        for size, goal, pairs in ((50 * _KB, 3.0, 60), (500 * _KB, 3.5, 40), (5_000 * _KB, 4.0, 15)):
            yield _pairs(f"new JSON result of {size // _KB} KB", at, _new_results(size), pairs * times, goal)
        for size, pairs in ((500 * _KB, 40), (2_000 * _KB, 30)):
            what = f"re-sent history of {size // _KB} KB, a small new result"
            yield _pairs(what, at, growing(size), pairs * times, 1.6)
        for clients in (8, 32):
            yield _beside_a_large_one(at, 9 * times, clients)
        yield from _first_bytes(at, 60 * times)


class Client:
    """One client's connection."""

    def __init__(self, address: Address) -> None:
        self._connection = HTTPConnection(*address, timeout=60)

    def ask(self, body: bytes) -> float:
        """Seconds until the whole answer is there."""
        start = time.perf_counter()
        self._read(body, -1)
        return time.perf_counter() - start

    def first_byte(self, body: bytes) -> float:
        """Seconds until the answer begins; the rest is read, too."""
        start = time.perf_counter()
        rest = self._read(body, 1)
        began = time.perf_counter() - start
        rest()
        return began

    def _read(self, body: bytes, amount: int) -> Callable[[], bytes]:
        self._connection.request("POST", _PATH, body, _HEADERS)
        response = self._connection.getresponse()
        data = response.read(amount) if amount > 0 else response.read()
        if response.status != _OK or not data:
            raise RuntimeError(f"answered {response.status}: {data[:200]!r}")
        return response.read


def _pairs(what: str, at: dict[str, Address], following: Callable[[], bytes], pairs: int, goal: float) -> Figure:
    ours, plain = Client(at["ours"]), Client(at["plain"])
    taken: list[tuple[float, float]] = []
    for number in range(-_WARM_UP, pairs):
        body = following()
        if number % 2:
            mine, other = ours.ask(body), plain.ask(body)
        else:
            other, mine = plain.ask(body), ours.ask(body)
        if number >= 0:
            taken.append((mine, other))
    mine, other = (median(column) * 1e3 for column in zip(*taken, strict=True))
    return Figure(what, median(a / b for a, b in taken), "x", goal, note=f"{mine:.1f} ms, plain {other:.1f} ms")


def _new_results(size: int) -> Callable[[], bytes]:
    """Makes the first request of a conversation in which a tool has answered with JSON that nobody has seen."""
    result, number = inputs.json_text(size), 0

    def following() -> bytes:
        nonlocal number
        number += 1
        conversation = Conversation()
        conversation.call(result.replace('"status"', f'"request": {number}, "status"', 1), tool="fetch")
        return conversation.body()

    return following


def _beside_a_large_one(at: dict[str, Address], rounds: int, clients: int) -> Figure:
    large, small = _new_results(5_000 * _KB), _new_results(_KB)
    taken: list[tuple[float, float]] = []
    for number in range(-1, rounds):
        body = large()
        names = ("ours", "plain") if number % 2 else ("plain", "ours")
        slowest = {name: _slowest(at[name], body, small, clients) for name in names}
        if number >= 0:
            taken.append((slowest["ours"], slowest["plain"]))
    mine, other = (median(column) * 1e3 for column in zip(*taken, strict=True))
    what = f"the slowest small request of {clients} clients while another sends 5 MB"
    return Figure(what, median(a / b for a, b in taken), "x", 2.5, note=f"{mine:.1f} ms, plain {other:.1f} ms")


def _slowest(address: Address, large: bytes, small: Callable[[], bytes], number: int) -> float:
    """The longest that a small request took while the large one was under way."""
    done, taken = threading.Event(), []
    bodies = [small() for _ in range(number)]
    clients = [Client(address) for _ in range(number)]
    for client, body in zip(clients, bodies, strict=True):
        client.ask(body)

    def go_on(client: Client, body: bytes) -> None:
        while not done.is_set():
            taken.append(client.ask(body))

    threads = [threading.Thread(target=go_on, args=pair) for pair in zip(clients, bodies, strict=True)]
    for thread in threads:
        thread.start()
    try:
        Client(address).ask(large)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    return max(taken)


def _first_bytes(at: dict[str, Address], rounds: int) -> Iterator[Figure]:
    """Until a streamed answer begins, 10 KB asked that nobody has seen."""
    results = [result[:2_000] for result in inputs.results(10 * _KB)[:4]]
    clients = {name: Client(address) for name, address in at.items()}
    taken: dict[str, list[float]] = {name: [] for name in at}
    for number in range(-_WARM_UP, rounds):
        conversation = Conversation(f"You are engineer {number}.", stream=True)
        for result in results:
            conversation.call(result)
        body = conversation.body()
        for name, client in clients.items():
            began = client.first_byte(body)
            if number >= 0:
                taken[name].append(began * 1e3)
    direct, plain, ours = (median(taken[name]) for name in ("direct", "plain", "ours"))
    note = f"direct {direct:.1f} ms, plain {plain:.1f} ms"
    yield Figure("first byte of a stream", ours, "ms", None, note=note)
