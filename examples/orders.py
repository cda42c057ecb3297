"""Prints what a tool `list_orders` might answer: one line of JSON, 500 orders, and one that failed.
No line end behind it, so the text is that of the stub in README.md.

    python examples/orders.py | toolstub synopsize - --tool list_orders
"""

from __future__ import annotations

import json
import random


def orders(count: int = 500) -> str:
    """The same text on every machine."""
    chosen = random.Random(7)
    found: list[dict[str, object]] = [
        {
            "id": number,
            "customer": {"id": 1 + chosen.randrange(90), "tier": chosen.choice(["free", "pro", "team"])},
            "total": chosen.randrange(420, 99_900) / 100,
            "status": chosen.choices(["paid", "open", "refunded"], weights=[86, 12, 2])[0],
            "placed_at": f"2026-{chosen.randrange(1, 4):02}-{chosen.randrange(1, 29):02}",
        }
        for number in range(1, count + 1)
    ]
    found[317] = {"error": "quota exceeded", "code": 429}
    return json.dumps(found)


if __name__ == "__main__":
    print(orders(), end="")
