"""Large outputs of a notebook's cells become stubs; the whole output is one click, or one line of code, away.

    %load_ext toolstub_ext
    print(big)                        # a few lines that say what it is, with a ref
    text = %toolstub get ts_1f9a0c3e77d2b481      # exactly what was printed

The kernel's messages pass one place (`kernel`), where a state machine for each cell (`cells`, `cell`) decides what
passes, what is held back (`segment`, on disk first: `spool`) and what becomes a stub (`desk`, `bundle`, `tracebacks`).
`runtime` answers clicks on stubs, `explorer` is the large view, `magics` and `commands` are what `%toolstub` does.
Loading imports nothing that a kernel does not have already, and prints nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

_NAME = "_toolstub_extension"  # on the shell, which outlives this module if somebody imports it anew


def load(shell: InteractiveShell) -> None:
    """Begin to stub the outputs of `shell`. A second call changes nothing."""
    if _NAME not in vars(shell):
        from .extension import Extension

        vars(shell)[_NAME] = Extension(shell)


def unload(shell: InteractiveShell) -> None:
    """Leave `shell` as it was before `load`; what it stored stays stored."""
    extension = vars(shell).pop(_NAME, None)
    if extension is not None:
        extension.remove()
