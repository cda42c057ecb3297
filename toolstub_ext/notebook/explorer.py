"""`%toolstub show REF`: a large view of one original, in an output of its own."""

from __future__ import annotations

from ..installing import how_to_install
from .originals import Originals
from .replies import say


def explore(originals: Originals, ref: str) -> None:
    """Display the explorer of `ref`, or say in one line what it lacks."""
    originals.page(ref, chars=1)
    try:
        import ipywidgets  # noqa: F401
    except ModuleNotFoundError as error:
        say(f"{how_to_install(error)}; until then: %toolstub show {ref} --lines 1:100")
        return
    from IPython.display import display

    from .panes import explorer_of

    display(explorer_of(originals, ref))
