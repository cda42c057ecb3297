"""Flow files of mitmproxy as traces for `toolstub replay`.

    mitmdump -w session.flow
    toolstub replay session.flow

A reader of the entry-point group `toolstub.traces`; mitmproxy is imported when the first such file is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolstub_ext.installing import how_to_install
from toolstub_ext.replay import Conversation, Trace, TraceError
from toolstub_ext.replay.traces import longest, of_exchange

suffixes = (".flow", ".flows", ".mitm")

_BEGINNING = re.compile(rb"[0-9]{1,12}:[0-9]{1,12}:[a-z_]+;")
_LOOKED_AT = 64


def reads(trace: Trace) -> bool:
    """If the file begins as mitmproxy writes a flow: a length, and in it the name of an attribute."""
    with trace.open() as file:
        return _BEGINNING.match(file.read(_LOOKED_AT)) is not None


def read(trace: Trace) -> Iterator[Conversation]:
    """The longest of each conversation with a model, flow by flow."""
    return longest(_all(trace), expected=f"{trace.name}, flow 1: a request to a model, with its body,")


def _all(trace: Trace) -> Iterator[Conversation]:
    try:
        from mitmproxy.exceptions import FlowReadException
        from mitmproxy.http import HTTPFlow
        from mitmproxy.io import FlowReader
    except ModuleNotFoundError as error:
        raise TraceError(f"{trace.name}: {how_to_install(error)}") from error
    number = 0
    with trace.open() as file:
        try:
            for number, flow in enumerate(FlowReader(file).stream(), 1):
                if isinstance(flow, HTTPFlow):
                    sent, received = flow.request.get_text(strict=False), None
                    if flow.response:
                        received = flow.response.get_text(strict=False)
                    yield from of_exchange(sent or "", received or "", f"{trace.name}#{number}")
        except FlowReadException as error:
            trace.complain(f"{trace.name}, flow {number + 1}: a whole flow expected: {error}")
