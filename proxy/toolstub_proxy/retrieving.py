"""The loop, tied to the store: which tools are ours, who answers them, and where hidden rounds are kept."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from toolstub_ext import hidden_rounds, retrieval
from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewritten, Understood
from toolstub_ext.settings import Settings
from toolstub_ext.store.base import Store

from .record import current
from .rounds import Limits, Rounds
from .streams import Format
from .turns import Mine

log = logging.getLogger(__name__)

OTHER = "unknown"
"""What a call counts as whose tool there is not."""
_FAILED = "[toolstub] this call failed, for a fault of toolstub; go on without it, or try another one"


def is_mine(understood: Understood) -> Mine:
    """Tells our tools from the client's in a request, whatever a model makes of their names."""
    theirs = frozenset(understood.tool_names)
    return lambda name: name not in theirs and (retrieval.meant(name) is not None or name.startswith(retrieval.PREFIX))


def rounds_of(rewritten: Rewritten, fmt: Format, *, store: Store, settings: Settings, owner: str,
              limits: Limits) -> Rounds:
    """The rounds behind one rewritten request of `owner`, which was understood."""
    answered = partial(retrieval.run, store=store, owner=owner, session=rewritten.session,
                       reply_chars=settings.reply_chars)
    counted = current().retrievals

    def run(name: str, arguments: str) -> str:
        counted[retrieval.meant(name) or OTHER] += 1
        try:
            return answered(name, arguments)
        except Exception as error:  # noqa: BLE001  the answer goes on, whatever is wrong with one call
            log.warning("a call of %s failed, for a fault of toolstub: %s: %s", name, type(error).__name__, error)
            return _FAILED

    def remember(**round_: Any) -> None:
        try:
            if (reading := rewritten.reading) is None:
                return
            hidden_rounds.remember(store, reading, owner=owner, session=rewritten.session, **round_)
        except Exception as error:  # noqa: BLE001  the client has its answer, whatever becomes of the next request
            what = error if isinstance(error, StoreError) else f"{type(error).__name__}: {error}"
            log.warning("a retrieval round will be missing from the next request: %s", what)

    return Rounds(rewritten, fmt, run=run, remember=remember, offer=rewritten.offered,
                  one_text=lambda: fmt.wants_one_text(rewritten.text), limits=limits)
