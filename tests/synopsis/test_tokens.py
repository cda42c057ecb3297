"""Tokens, estimated and counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources import SOURCES

from toolstub_ext.tokens import Count, count, estimate

FOLDER = Path(__file__).parents[1] / "goldens"
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


@pytest.mark.skipif(not count("x").exact, reason="needs the extra `tokens`")
@pytest.mark.parametrize("kind", sorted(folder.name for folder in FOLDER.iterdir()))
def test_the_estimate_of_a_kind_is_within_an_eighth(kind: str) -> None:
    """Of all that tools print of one kind together, against what o200k_base counts."""
    files = [path.read_text(encoding="utf-8") for path in FOLDER.glob(f"{kind}/*.txt")]
    texts = [file.partition("---input---\n")[2].partition("\n---stub---\n")[0] for file in files]
    if kind == "code":
        texts += SOURCES.values()
    counted = sum(count(text).tokens for text in texts)
    assert abs(sum(map(estimate, texts)) / counted - 1) <= 0.12


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
