"""mitmproxy's transparent mode, in a network of its own: a router leads the client's traffic to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from proxy_processes import MITMDUMP
from proxy_support import ANSWER

_CAN = MITMDUMP and shutil.which("iptables") and shutil.which("unshare") and getattr(os, "geteuid", lambda: 1)() == 0
pytestmark = pytest.mark.skipif(not _CAN, reason="needs mitmdump, and root with iptables for a network of its own")


def test_a_client_that_knows_of_no_proxy(tmp_path: Path, certificate: Any) -> None:
    """It meets the provider by name, though mitmproxy knows but an address; its answer holds no trace of us."""
    room = Path(__file__).with_name("transparent_room.py")
    done = subprocess.run(
        ["unshare", "--net", "--mount", sys.executable, room, tmp_path, str(MITMDUMP), certificate.file,
         certificate.key], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert ANSWER.split("=")[1] in told["said"]
    assert "toolstub_" not in told["said"]
    assert told["requests"] > 1
