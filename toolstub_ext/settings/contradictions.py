"""Settings of which each is right and both together are not."""

from __future__ import annotations

from collections.abc import Iterator

from ..addresses import host_and_port, is_loopback
from ..presets import STAGES
from .values import Settings


def contradictions(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Two settings each, and why there is no telling which is meant."""
    limits, notebook = settings.externalize, settings.notebook
    for stage in STAGES:
        if settings.preset == "off" and getattr(settings, stage).enabled:
            yield "preset", f"{stage}.enabled", "the one switches off what the other switches on"
    if limits.min_preview_chars > limits.preview_chars:
        yield "externalize.min_preview_chars", "externalize.preview_chars", "the least is more than the most"
    if settings.route.pass_bytes > settings.route.truncate_bytes:
        yield "route.pass_bytes", "route.truncate_bytes", "what is to be truncated would pass"
    if settings.compress.keep >= settings.compress.max_tool_messages:
        yield "compress.keep", "compress.max_tool_messages", "there would be nothing left to compress"
    if notebook.stub_chars > notebook.cell_budget_chars:
        yield "notebook.stub_chars", "notebook.cell_budget_chars", "not even one stub would fit a cell"
    for name in ("openai_upstream", "anthropic_upstream"):
        if settings.upstream and getattr(settings, name) != settings.__dataclass_fields__[name].default:
            yield "upstream", name, "the first is for every request"
    if settings.window.keep_recent_messages >= settings.window.max_messages:
        yield "window.keep_recent_messages", "window.max_messages", "there would be nothing left to go"
    yield from _of_tools(settings)
    host, _ = host_and_port(settings.listen) or ("", 0)
    if settings.owners == "single" and not is_loopback(host):
        yield "listen", "owners", "others could reach the originals of a single owner; use owners: per-credential"


def _of_tools(settings: Settings) -> Iterator[tuple[str, str, str]]:
    for tool, rule in settings.tools.items():
        if rule.exclude and rule.threshold_chars is not None:
            yield f"tools.{tool}.exclude", f"tools.{tool}.threshold_chars", "an excluded tool has no threshold"
        if tool in settings.exclude_tools and rule.threshold_chars is not None:
            yield "exclude_tools", f"tools.{tool}.threshold_chars", "an excluded tool has no threshold"
