"""mitmproxy is imported once, and what its own dependencies warn of at import is not ours to mend."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import mitmproxy.master  # noqa: F401
