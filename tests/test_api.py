"""What `import toolstub_ext` offers, and what it costs."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import toolstub_ext

NAMES = [
    "Anchor", "Ref", "Rewriter", "Rewritten", "Settings", "Store", "Synopsis", "__version__", "errors",
    "load_ipython_extension", "load_settings", "open_store", "render", "rewrite", "synopsize",
    "unload_ipython_extension",
]

SIGNATURES = {
    "synopsize": "text, mime=None, *, tool=None, budget=1000, rules='default'",
    "render": "synopsis, *, sha256, ref=None, tool=None, reason='', face='tool', explore=True, limit=2300",
    "open_store": "url=None, *, timeout=2.0, eager=True",
    "load_settings": "path=None, *, preset=None, **overrides",
    "Rewriter": "store, settings",
    "rewrite": "body, *, store, settings, owner='local', path='/v1/chat/completions', session=None",
    "Store.put": "self, text, *, owner='local', session=None, tool=None, call_id=None, mime=None, kind=None",
    "Store.read": "self, ref, *, owner='local', offset=0, limit=20000, lines=None, pointer=None",
    "Store.search": "self, query, *, owner='local', ref=None, regex=False, ignore_case=False, limit=20,"
                    " context_chars=300, cursor=None",
    "Store.list": "self, *, owner='local', session=None, tool=None, limit=50, cursor=None",
    "Store.export": "self, ref, directory, *, owner='local'",
}


def test_the_public_names_are_these() -> None:
    """A new name in the façade is a promise, so it has to be made on purpose."""
    assert toolstub_ext.__all__ == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_exists(name: str) -> None:
    """All of them can be looked up and show in `dir`."""
    assert getattr(toolstub_ext, name) is not None
    assert name in dir(toolstub_ext)


@pytest.mark.parametrize(("name", "expected"), list(SIGNATURES.items()))
def test_signatures_are_kept(name: str, expected: str) -> None:
    """Parameters may be added by keyword, never renamed, reordered or given another default."""
    first, *rest = name.split(".")
    found = getattr(toolstub_ext, first)
    for part in rest:
        found = getattr(found, part)
    bare = [parameter.replace(annotation=inspect.Parameter.empty)
            for parameter in inspect.signature(found).parameters.values()]
    assert str(inspect.Signature(bare)) == f"({expected})"


def test_an_unknown_name_is_an_attribute_error() -> None:
    """Looking up lazily does not change what a typo costs."""
    with pytest.raises(AttributeError, match="synopsise"):
        _ = toolstub_ext.synopsise


@pytest.mark.parametrize("statement", ["import toolstub_ext", "import toolstub_ext.cli"])
def test_importing_loads_nothing_third_party(statement: str) -> None:
    """Neither a kernel nor `toolstub --help` waits for libraries that it may not use."""
    code = f"""
import sys
before = set(sys.modules)
{statement}
print(sorted({{m.partition('.')[0] for m in set(sys.modules) - before}} - set(sys.stdlib_module_names)))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "['toolstub_ext']"
