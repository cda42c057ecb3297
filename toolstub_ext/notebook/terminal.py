"""Terminal IPython: the value of a cell, when it is large, is shown as a stub. What is printed cannot be taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .desk import Desk, Limits


class TerminalTap:
    """Wraps the display hook of one shell; `desk` is asked for at the first large value."""

    def __init__(self, shell: Any, limits: Limits, desk: Callable[[], Desk]) -> None:
        self._shell = shell
        self._hook = shell.displayhook
        self._limits = limits
        self._desk = desk
        self._write: Callable[..., None] = self._hook.write_format_data
        self._wrapper = self._on_write
        self._skipped = -1

    def install(self) -> None:
        """From now on large values are stored and described."""
        self._hook.write_format_data = self._wrapper

    def uninstall(self) -> None:
        """Step aside, unless somebody else has wrapped the hook since."""
        if self._hook.__dict__.get("write_format_data") is self._wrapper:
            del self._hook.write_format_data

    def flush(self) -> None:
        """Nothing is ever held back."""

    def skip_cell(self) -> None:
        """Show the value of the running cell whole."""
        self._skipped = self._shell.execution_count

    def _on_write(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        skip = self._skipped == self._shell.execution_count
        self._write(format_dict if skip else self._shortened(format_dict), md_dict)

    def _shortened(self, data: dict[str, Any]) -> dict[str, Any]:
        text = data.get("text/plain")
        limits = self._limits
        if not limits.enabled or not isinstance(text, str) or len(text) <= limits.threshold_chars:
            return data
        reason = f"{len(text):,} > {limits.threshold_chars:,} chars"
        try:
            made = self._desk().stub_of({"text/plain": text}, tool="result", reason=reason)
        except Exception as fault:  # noqa: BLE001 - whatever failed, outputs go on
            self._desk().sums.failed(fault)
            return data
        return {**data, "text/plain": made.plain}
