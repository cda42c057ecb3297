"""Errors of the proxy itself, in the shape that clients of the provider understand."""

from __future__ import annotations

from aiohttp import web

from .streams import chat, messages
from .upstreams import is_anthropic


def error_body(path: str, message: str, kind: str) -> bytes:
    """An error as JSON, in the shape of the provider whose path this is."""
    return messages.error(message, kind) if is_anthropic(path) else chat.error(message, kind)


def refusal(request: web.BaseRequest, status: int, message: str, kind: str = "toolstub_error") -> web.Response:
    """An answer of our own to a request that cannot go on."""
    body = error_body(request.raw_path, f"toolstub: {message}", kind)
    return web.Response(status=status, body=body, content_type="application/json")
