"""What ends the demo before its checks."""

from __future__ import annotations


class DemoFailed(Exception):
    """A step of the demo did not work; the message says which and why."""
