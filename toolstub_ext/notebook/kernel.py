"""The one place where a kernel's messages pass: its session's `send`, seen from every thread and subshell.

ipykernel's own hooks are lists per thread, do not see errors, and lose other threads' output when they hold something
back; `send` has none of these limits. It is wrapped on the instance, calls through to what was there before, and is
taken off again only if nobody has wrapped it since.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

from .interrupts import put_off

if TYPE_CHECKING:
    from .cells import Cells
    from .messages import Message

WATCHED = frozenset({
    "execute_input", "stream", "display_data", "update_display_data", "execute_result", "error", "clear_output",
    "execute_reply", "input_request", "comm_msg",
})
_TICK_SECONDS = 0.5
_TOPICS = {"stream": b"stream.", "display_data": b"display_data", "update_display_data": b"display_data"}


class Tap:
    """Puts the cells between a kernel and its front-ends; `cells` is asked for them at the first message."""

    def __init__(self, kernel: Any, cells: Callable[[], Cells]) -> None:
        self._kernel = kernel
        self._make_cells = cells
        self._lock = RLock()
        self._pid = os.getpid()
        self._ticking = False
        self._open = False
        self._before: Callable[..., Any] | None = None
        self._send: Callable[..., Any] = kernel.session.send
        self._wrapper = self._on_send

    @cached_property
    def _cells(self) -> Cells:
        return self._make_cells()

    def install(self) -> None:
        """From now on every message passes here."""
        session = self._kernel.session
        self._before = session.__dict__.get("send")
        self._send = session.send
        session.send = self._wrapper
        self._open = True

    def uninstall(self) -> None:
        """Send what is held, and step aside."""
        self.flush()
        self._open = False
        session = self._kernel.session
        if session.__dict__.get("send") is not self._wrapper:
            return
        if self._before is None:
            del session.send
        else:
            session.send = self._before

    def flush(self) -> None:
        """Send the stubs of all that is held."""
        with self._lock:
            self._emit_all(self._cells.close())

    def skip_cell(self) -> None:
        """Let the rest of the running cell pass."""
        header = self._kernel.get_parent().get("header", {})
        with self._lock:
            self._emit_all(self._cells.skip(header))

    def _on_send(self, stream: Any, msg_or_type: Any, content: Any = None, parent: Any = None, *args: Any,
                 **kwargs: Any) -> Any:
        kind = msg_or_type if isinstance(msg_or_type, str) else _kind(msg_or_type)
        if kind not in WATCHED or not self._open or os.getpid() != self._pid:
            return self._send(stream, msg_or_type, content, parent, *args, **kwargs)
        call = (stream, msg_or_type, content, parent, args, kwargs)
        if not isinstance(msg_or_type, str):
            content, parent = msg_or_type["content"], msg_or_type.get("parent_header")
        with put_off(), self._lock:
            message = self._cells.message(kind, content or {}, _header(parent), call)
            try:
                sent = self._cells.feed(message)
            except KeyboardInterrupt:
                self._emit_all(self._cells.interrupted(message))
                raise
            result = None
            for each in sent:
                answer = self._emit(each)
                result = answer if each.source is call else result
            self._keep_ticking()
            return result

    def _emit_all(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self._emit(message)

    def _emit(self, message: Message) -> Any:
        if message.source is None:
            topic = _TOPICS[message.type] + (message.content["name"].encode() if message.type == "stream" else b"")
            return self._send(self._kernel.iopub_socket, message.type, message.content, message.parent, topic)
        stream, msg_or_type, content, parent, args, kwargs = message.source
        if isinstance(msg_or_type, str):
            content = message.content
        else:
            msg_or_type = {**msg_or_type, "content": message.content}
        return self._send(stream, msg_or_type, content, parent, *args, **kwargs)

    def _keep_ticking(self) -> None:
        """Have `_tick` called on the thread that sends the streams, so that a display is sent before its update."""
        loop = getattr(self._kernel.iopub_thread, "io_loop", None)
        if loop is None or self._ticking or not self._cells.holding:
            return
        self._ticking = True
        loop.add_callback(loop.call_later, _TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        with self._lock:
            self._ticking = False
            if self._open and os.getpid() == self._pid:
                self._emit_all(self._cells.tick())
                self._keep_ticking()


def _kind(message: Any) -> str:
    return str(message["header"]["msg_type"]) if isinstance(message, Mapping) else ""


def _header(parent: Any) -> Mapping[str, Any]:
    """The header of a parent message, which callers give whole or as the header alone."""
    if not isinstance(parent, Mapping):
        return {}
    header = parent.get("header", parent)
    return header if isinstance(header, Mapping) else {}
