"""What a first request would have to wait for, made ready beforehand: modules, regular expressions, the store."""

from __future__ import annotations

import json
import logging

from toolstub_ext.errors import StoreError
from toolstub_ext.retrieval import definitions
from toolstub_ext.store.base import Store
from toolstub_ext.synopsis import render, synopsize
from toolstub_ext.wire import chat, messages, responses

log = logging.getLogger(__name__)

_LINES = 60
_SAMPLES = (
    json.dumps([{"id": number, "name": f"n{number}", "tags": ["a"]} for number in range(_LINES)]),
    "id,name\n" + "1,a\n" * _LINES,
    "<rows>" + '<row id="1">a</row>' * _LINES + "</rows>",
    "rows:\n" + "  - name: a\n    size: 1\n" * _LINES,
    "import os\n\n\n" + "def work(a):\n    return a\n\n\n" * _LINES,
    "2026-01-01 12:00:00 INFO served\n" * _LINES + "2026-01-01 12:00:01 ERROR failed\n",
    "# Title\n\n" + "Some words of a text.\n\n- and a list\n" * _LINES,
    "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n" + "-a\n+b\n" * _LINES,
    "src/a.py:12:import os\n" * _LINES,
)


def warm_up(store: Store) -> None:
    """Do once all that a first request does, and nothing that is kept. A fault shows when it matters, so not here."""
    for sample in _SAMPLES:
        synopsis = synopsize(sample, tool="Read", budget=1_000)
        render(synopsis, sha256="0" * 64, ref="ts_" + "0" * 16, tool="Read")
    for wire, member in ((chat, "messages"), (messages, "messages"), (responses, "input")):
        wire.read(json.dumps({member: [{"role": "user", "content": "hi"}]}))
        definitions(wire.name)
    try:
        store.rounds(owner="", session="")
    except StoreError as error:
        log.debug("the store is not ready: %s", error)
