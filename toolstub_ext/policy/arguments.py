"""An experiment: long texts that calls hand over are left out of them.

    {"file_path": "src/app.py", "old_string": "[toolstub] 812 characters left out; toolstub_read ts_1f9a0c3e77d2b481",
     "new_string": "    return total + tax"}

    replaced   what an edit replaces: it is not in the file any more
    others     anything else that is long: the text of a file, a command, a prompt

Keys, types and all shorter values stay, so the arguments are what the tool's schema asks for. It happens when a call
first comes back to the provider, with its result, and holds from then on: what was sent once does not change. A call
that failed stays, for the model will want to see what was wrong with it.
"""

from __future__ import annotations

from ..settings import Settings
from ..store.base import ref_of, sha256_of
from ..transcript import Change, Decision, ToolResult, Transcript, literal
from .externalize import kept, untouchable
from .history import ABRIDGED
from .stubs import takes_less

ARGUMENT = "argument"
"""The kind under which such a text is stored."""
REPLACED = ("old_string", "old_str", "old_text", "oldString", "oldText")
"""What tools that edit files call the text that is to be replaced."""


def abridge(turn: Transcript, settings: Settings) -> Transcript:
    """One turn, in which each long text that its calls hand over has a change or an explanation."""
    if not any(result.is_argument for result in turn.results):
        return turn
    failed = {result.call_id for result in turn.results if result.is_error}
    return turn.judged(lambda result: _judged(result, settings, failed=result.call_id in failed)
                       if result.is_argument else None)


def _judged(given: ToolResult, settings: Settings, *, failed: bool) -> Change | Decision:
    rule, size = settings.arguments, len(given.text)
    if not rule.enabled:
        return kept(given, "arguments stay")
    replaced = given.slot.path[-1] in REPLACED
    threshold = rule.replaced_chars if replaced else rule.threshold_chars
    if threshold is None:
        return kept(given, "not what an edit replaces")
    if reason := untouchable(given, settings) or ("its call failed" if failed else ""):
        return kept(given, reason)
    if size <= threshold:
        return kept(given, f"{size:,} <= {threshold:,} chars")
    sha256 = sha256_of(given.text)
    ref = ref_of(sha256)
    text = f"[toolstub] {size:,} characters left out; toolstub_read {ref}"
    written = literal(text)
    if not takes_less(text, written, given.text):
        return kept(given, "would not be smaller")
    reason = f"{size:,} > {threshold:,} chars ({'replaced by an edit' if replaced else ARGUMENT})"
    return Change(given, text, written, Decision(given.slot, given.tool, ABRIDGED, reason, ref, size, len(text)),
                  ARGUMENT, sha256)
