"""What is on this machine: versions, settings, and the store."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from toolstub_ext import __version__
from toolstub_ext.errors import SettingsError, StoreError, explained
from toolstub_ext.installing import how_to_install
from toolstub_ext.phrases import counted
from toolstub_ext.policy import check_token_counter
from toolstub_ext.settings import Settings
from toolstub_ext.store import open_store
from toolstub_ext.store.location import locate

from .finding import Finding, ill, said, well

_LIBRARIES = ("aiohttp", "certifi", "prometheus_client")
_OLDEST_MITMPROXY, _FIRST_UNKNOWN = (11, 0, 2), (13,)
_SCARCE_BYTES = 200 * 1024 * 1024
_HIGH_CHARS = 100_000
"""A threshold that few tool results reach."""


def versions() -> Iterator[Finding]:
    """What is installed."""
    yield well("versions", f"toolstub {__version__}, Python {platform.python_version()}")
    for name in _LIBRARIES:
        try:
            __import__(name)
        except ModuleNotFoundError as error:
            command = how_to_install(error).partition(": ")[2]
            yield ill("versions", f"{error.name} is missing, which `toolstub proxy` needs", command)
    try:
        found = version("mitmproxy")
    except PackageNotFoundError:
        return
    numbers = tuple(int(part) for part in found.split(".")[:3] if part.isdigit())
    if not _OLDEST_MITMPROXY <= numbers < _FIRST_UNKNOWN:
        yield said("versions", f"mitmproxy {found} is not one the add-on was tested with (11.0.2 to 12)")


def settings_of(settings: Settings) -> Iterator[Finding]:
    """Whether the settings let anything be stubbed."""
    if not settings.changes_anything:
        yield ill("settings", f"every policy is off (preset: {settings.preset})", "choose another preset, or switch "
                                                                                   "externalize.enabled on")
        return
    try:
        check_token_counter(settings)
    except SettingsError as error:
        yield ill("settings", str(error), "name a function that can be imported here, as package:function")
        return
    least = min(_thresholds(settings))
    if settings.externalize.enabled and least > _HIGH_CHARS and not settings.route.enabled:
        yield ill("settings", f"no result up to {least:,} characters is stubbed",
                  "lower externalize.threshold_chars, or by_kind")
    else:
        yield well("settings", f"preset {settings.preset}; {'; '.join(_done(settings))}")
    excluded = {*settings.exclude_tools, *(name for name, rule in settings.tools.items() if rule.exclude)}
    if excluded:
        yield said("settings", f"results of {', '.join(sorted(excluded))} are never stubbed")


def _thresholds(settings: Settings) -> list[int]:
    one = settings.externalize.threshold_chars
    return [one] if one is not None else [n for rule in settings.by_kind.values() for n in rule.threshold_chars]


def _done(settings: Settings) -> Iterator[str]:
    """What the policies that are on do, each with the size from which it does it."""
    least, most = min(_thresholds(settings)), max(_thresholds(settings))
    span = f"{least:,} characters" if least == most else f"{least:,} to {most:,} characters, by its kind,"
    clear, window = settings.clear, settings.window
    arguments = settings.arguments.least or 0
    lines = {
        "arguments": f"of calls, texts of more than {arguments:,} characters that an edit has replaced are left out",
        "externalize": f"a result of more than {span} becomes a stub",
        "route": f"of more than {settings.route.pass_bytes:,} bytes it is truncated or summarized",
        "dedupe": "a repeated one becomes a pointer",
        "compact": "padding is removed",
        "clear": f"above {clear.tool_result_token_threshold:,} tokens of results those older than the latest "
                 f"{clear.keep_recent_tokens:,} are cleared",
        "compress": f"of more than {counted(settings.compress.max_tool_messages, 'result')} the older keep "
                    f"{counted(settings.compress.lines, 'line')}",
        "reclaim": f"above {settings.reclaim.max_tokens:,} tokens results of {settings.reclaim.min_bytes:,} bytes "
                   "become references",
        "window": f"above {window.max_messages:,} messages or {window.max_tokens:,} tokens the older become a history",
    }
    return (line for stage, line in lines.items() if getattr(settings, stage).enabled)


def store_of(settings: Settings) -> Iterator[Finding]:
    """Whether originals can be kept. Nothing is stubbed whose original cannot."""
    try:
        path = locate(settings.store).path
        kept = _kept(settings) if path.exists() else _could_keep(path)
    except OSError as error:
        why = str(error) if isinstance(error, StoreError) else f"{path}: {explained(error)}"
        yield ill("store", why, "choose another place with --store or TOOLSTUB_STORE, or make room there")
        return
    free = shutil.disk_usage(_nearest_folder(path)).free
    if free < _SCARCE_BYTES:
        yield ill("store", f"{path}: only {free // 2**20} MB are free on that disk",
                  "make room (toolstub gc --older-than DAYS), or choose another place with --store")
    else:
        yield well("store", f"{path}: {kept}")


def _kept(settings: Settings) -> str:
    """What is in a store that can be written to."""
    with open_store(settings.store) as store:
        store.put_rounds("doctor", "", owner="doctor", session="doctor")
        return counted(store.stats()["originals"], "original")


def _could_keep(path: Path) -> str:
    """What to say of a place where a store could be made; the attempt is made beside it, and leaves nothing."""
    beside = TemporaryDirectory(prefix="toolstub-doctor-", dir=_nearest_folder(path))
    with beside as folder, open_store(Path(folder, "store.db")) as store:
        store.put_rounds("doctor", "", owner="doctor", session="doctor")
    return "there is none yet, and one can be made"


def _nearest_folder(path: Path) -> Path:
    """The folder of a file, or the nearest above it that is there."""
    return next(folder for folder in path.absolute().parents if folder.exists())
