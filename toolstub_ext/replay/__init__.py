"""Sends recorded conversations again and counts what a policy would have saved, and what it would have cost.

    from toolstub_ext.replay import Policy, replay

    report = replay(["~/.claude/projects"], [Policy("default", load_settings())])
    report.net(report.policies[0])            # the share of the cost saved, after what was missed has been read again

    traces/          the files people have, each kind read by a module of its own -> conversation
    sending          the conversation, turn by turn, through `toolstub_ext.rewriting` -> requests
    caches           what the requests cost
    literals, missing, rereading    what the model used of what it would not have been shown, and what that costs
    measuring        the above, for one conversation and one policy
    report           the sums; table, page and JSON show them

It replays what was; a model that sees a stub may act otherwise than the one that was recorded.
"""

from __future__ import annotations

from .conversation import Builder, Conversation, Item
from .measuring import Policy
from .replaying import Progress, replay
from .report import Report
from .traces import Reader, Trace, TraceError

__all__ = ["Builder", "Conversation", "Item", "Policy", "Progress", "Reader", "Report", "Trace", "TraceError", "replay"]
