"""Laws 1 and 2: nothing is lost, and a stub depends on what it stands for alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laws_support import PRESETS, TIGHT, Failing, body_of, faults, results, shown, slow, texts_of, tools, turns

from toolstub_ext.policy import make_stub
from toolstub_ext.policy.history import FOLDED
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store, ref_of, sha256_of
from toolstub_ext.synopsis import is_stub

ROOT = Path(__file__).parents[2]


@slow
@given(turns(), st.sampled_from(PRESETS))
def test_law_1_every_text_that_was_replaced_can_be_read_back(
    store: Store, conversation: list[Any], preset: Settings
) -> None:
    """From the store, by the ref in the stub, to the last code point."""
    body = body_of(conversation)
    done = rewrite(body, store=store, settings=preset)
    for decision in done.decisions:
        assert decision.action != FOLDED or store.read(str(decision.ref), limit=-1).text == done.reading.body[
            decision.slot.start:decision.slot.end]
    one_by_one = [decision for decision in done.decisions
                  if decision.action != FOLDED and "arguments" not in decision.slot.path]
    for before, after, decision in zip(shown(body, done), texts_of(done.body), one_by_one, strict=False):
        if before == after:
            assert decision.action == "kept"
            assert decision.ref is None or store.read(decision.ref, limit=-1).text == before
            continue
        assert is_stub(after) or decision.action != "externalized"
        assert decision.ref is not None
        assert decision.ref in after or decision.action == "compacted"
        assert store.read(decision.ref, limit=-1).text == before


@slow
@given(turns(), st.integers(0, 3), faults)
def test_law_1_what_could_not_be_stored_goes_through_untouched(
    store: Store, conversation: list[Any], puts: int, fault: Exception
) -> None:
    """Whenever and however the store fails, a text is itself or can be read back."""
    body = body_of(conversation)
    done = rewrite(body, store=Failing(store, puts, fault), settings=TIGHT)  # type: ignore[arg-type]
    stubs = [(a, b) for a, b in zip(texts_of(done.body), texts_of(body), strict=True) if a != b]
    assert len({original for _, original in stubs}) <= puts
    for stub, original in stubs:
        found = re.findall(r"ref: (ts_[0-9a-f]{16})", stub)
        ref = found[0] if found else ref_of(sha256_of(original))
        assert store.read(ref, limit=-1).text == original


SAMPLES = {
    "json": json.dumps([{"id": n, "name": f"n{n}", "tags": {"b": 1, "a": [2]}} for n in range(900)]),
    "csv": "id,name,city\n" + "".join(f"{n},n{n},c{n % 7}\n" for n in range(2_000)),
    "yaml": "services:\n" + "".join(f"  s{n}:\n    image: i{n}\n" for n in range(900)),
    "xml": "<r>" + "".join(f'<i k="{n}"><j/></i>' for n in range(1_500)) + "</r>",
    "code": "import os\n\n" + "".join(f"def f{n}(x):\n    return x + {n}\n\n" for n in range(800)),
    "log": "".join(f"10:00:{n % 60:02},123 {'ERROR' if n == 777 else 'INFO'} job {n}\n" for n in range(1_200)),
    "diff": "".join(f"--- a/f{n}\n+++ b/f{n}\n@@ -1 +1 @@\n-a\n+b\n" for n in range(700)),
    "binary": "\x00\x01\udc00\ud83d" * 7_000,
    "cjk": "\u4e2d\u6587\u3002\n" * 7_000,
}
STUBS = """
import json, sys
from toolstub_ext.policy import make_stub
from toolstub_ext.policy.history import AGED
samples = json.load(sys.stdin)
for rules in ("default", "openviking"):
    for name in sorted(samples):
        print(json.dumps(make_stub(samples[name], tool=name, budget=1500, reason="r", rules=rules).text))
"""


def test_law_2_a_stub_is_the_same_in_every_process() -> None:
    """Whatever the hash seed, the locale, the time zone, and the optimisation level."""
    here = [
        make_stub(SAMPLES[name], tool=name, budget=1500, reason="r", rules=rules).text
        for rules in ("default", "openviking") for name in sorted(SAMPLES)
    ]
    for seed, locale, zone, flags in (("0", "C", "UTC", []), ("4242", "tr_TR.UTF-8", "Pacific/Apia", ["-O"])):
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        world = {"PYTHONPATH": path, "PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale, "TZ": zone}
        done = subprocess.run([sys.executable, *flags, "-c", STUBS], input=json.dumps(SAMPLES), env=os.environ | world,
                              text=True, capture_output=True, check=True)
        assert [json.loads(line) for line in done.stdout.split("\n")[:-1]] == here


@slow
@given(results, tools, st.integers(0, 3_000), st.sampled_from(["default", "openviking"]))
def test_law_2_a_stub_depends_on_its_arguments_alone(text: str, tool: str, budget: int, rules: Any) -> None:
    """Made twice it is the same, whatever was made in between."""
    first = make_stub(text, tool=tool, budget=budget, reason="r", rules=rules)
    make_stub(text[::-1] + "x", tool=None, budget=500, reason="other", rules="default")
    assert make_stub(text, tool=tool, budget=budget, reason="r", rules=rules) == first


@slow
@given(turns(), turns(), st.sampled_from(PRESETS[:-1]))
def test_law_2_a_result_is_judged_by_its_turn_alone(
    store: Store, one: list[Any], other: list[Any], preset: Settings
) -> None:
    """A conversation goes out the same before and after others went through the same rewriter."""
    rewriter = Rewriter(store, preset)
    first = rewriter.rewrite(body_of(one)).body
    rewriter.rewrite(body_of(other))
    assert rewriter.rewrite(body_of(one)).body == first == rewrite(body_of(one), store=store, settings=preset).body
