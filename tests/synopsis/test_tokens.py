"""Tokens, estimated and counted."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.tokens import Count, count, estimate

KNOWN = {
    "english": ("The ships come in with the tide, and nobody on the pier looks up from the paper. " * 20, 381),
    "python": ("def total(items):\n    return sum(item.count for item in items if item.count > 0)\n" * 20, 400),
    "json": ('{"id": 12, "name": "nail", "price": 0.25, "tags": ["iron", "small"]}\n' * 20, 600),
    "digits": ("1234567890" * 50, 167),
}


@pytest.mark.parametrize(("text", "tokens"), KNOWN.values(), ids=KNOWN.keys())
def test_the_estimate_is_near_the_count(text: str, tokens: int) -> None:
    """Within a third of what o200k_base gives, even for texts that repeat one line."""
    assert 0.66 * tokens <= estimate(text) <= 1.34 * tokens


@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_text_has_an_estimate(text: str) -> None:
    """At least zero, and the same each time, whatever the kind is said to be."""
    assert estimate(text) == estimate(text, "json") >= 0


def test_a_long_text_is_estimated_from_windows() -> None:
    """A thousand times the text is about a thousand times the tokens."""
    text = KNOWN["english"][0]
    assert estimate(text * 1000) == pytest.approx(estimate(text) * 1000, rel=0.1)


def test_a_count_says_what_it_is() -> None:
    """Exact with the tokenizer of the extra, else the estimate."""
    found = count("hello world <|endoftext|> \ud800")
    assert isinstance(found, Count)
    assert found.method == ("o200k_base" if found.exact else "estimate")
    assert found.tokens > 0


def test_the_estimate_loads_no_tokenizer() -> None:
    """Decisions must not depend on what is installed, nor wait for it."""
    script = "import sys; from toolstub_ext.tokens import estimate; estimate('a b c'); print('quicktok' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
        == "False"
    )
