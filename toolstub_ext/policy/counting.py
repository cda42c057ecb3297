"""Which function counts tokens where a policy decides by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from importlib import import_module
from typing import Any, cast

from ..errors import SettingsError
from ..settings import Settings
from ..tokens import estimate


@cache
def counter(named: str | None) -> Callable[[str], int]:
    """The function called `package:function`, or the built-in estimate. Raises SettingsError if there is none."""
    if named is None:
        return estimate
    module, _, path = named.partition(":")
    try:
        found: Any = reduce(getattr, path.split("."), import_module(module))
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"clear.token_counter: {named} cannot be imported: {error}") from error
    if not callable(found):
        raise SettingsError(f"clear.token_counter: {named} is not a function")
    return cast("Callable[[str], int]", found)


def check_token_counter(settings: Settings) -> None:
    """Raise SettingsError if the one they name cannot be imported, which else shows only once something is cleared."""
    counter(settings.clear.token_counter)
