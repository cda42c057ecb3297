"""The add-on for mitmproxy, also from a clone that is not installed.

    mitmdump -s proxy/toolstub_addon.py --mode reverse:https://api.openai.com
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
for _place in (str(_ROOT), str(_ROOT / "proxy")):
    if _place not in sys.path:
        sys.path.append(_place)

try:
    from toolstub_proxy.addon import ToolstubAddon
except ModuleNotFoundError as error:
    from toolstub_ext.installing import how_to_install

    _message = f"toolstub, in mitmproxy's environment: {how_to_install(error)}"
    logging.getLogger(__name__).error(_message)  # at its start, mitmdump ends for this; 11 would swallow a SystemExit
    addons = []
else:
    addons = [ToolstubAddon()]
