"""A network of its own in which all of one client's traffic is led to mitmproxy, as a router does.

    unshare --net --mount python transparent_room.py FOLDER MITMDUMP CERTIFICATE KEY    # as root

It prints what the client got, and how many requests reached the provider, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "proxy"), str(ROOT / "tests")]

from proxy_support import asked, body_of  # noqa: E402

from toolstub_proxy.demo.upstream import UpstreamApp  # noqa: E402

PROVIDER, PORT, REDIRECTED = "10.99.0.1", 8080, 65534
"""The provider's address, mitmproxy's port, and the group whose traffic is redirected: the client's."""
CLIENT = """
import json, sys, urllib.request
request = urllib.request.Request("https://api.example/v1/chat/completions", data=sys.stdin.buffer.read(),
                                 headers={"Content-Type": "application/json"})
sys.stdout.write(urllib.request.urlopen(request, timeout=60).read().decode())
"""


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def _furnish(folder: Path) -> None:
    """Addresses, a name, and the rule of the router."""
    (folder / "hosts").write_text(f"127.0.0.1 localhost\n{PROVIDER} api.example\n")
    _run("mount", "--bind", str(folder / "hosts"), "/etc/hosts")
    _run("ip", "link", "set", "lo", "up")
    _run("ip", "address", "add", f"{PROVIDER}/32", "dev", "lo")
    _run("iptables", "-t", "nat", "-A", "OUTPUT", "-p", "tcp", "--dport", "443", "-m", "owner", "--gid-owner",
         str(REDIRECTED), "-j", "REDIRECT", "--to-ports", str(PORT))


async def _main(folder: Path, mitmdump: str, certificate: str, key: str) -> None:
    _furnish(folder)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    upstream = UpstreamApp(host=PROVIDER)
    await upstream.start(443, tls)
    mitm = await asyncio.create_subprocess_exec(
        mitmdump, "-s", str(ROOT / "proxy" / "toolstub_addon.py"), "--mode", "transparent", "--listen-port", str(PORT),
        "--set", f"confdir={folder / 'conf'}", "--set", "toolstub_hosts=api.example", "--set",
        f"ssl_verify_upstream_trusted_ca={certificate}", "--set", f"toolstub_store={folder / 'store.db'}",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert mitm.stdout is not None
    while b"at work" not in (line := await mitm.stdout.readline()):
        assert line, "mitmdump ended"
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CLIENT, group=REDIRECTED, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "SSL_CERT_FILE": str(folder / "conf" / "mitmproxy-ca-cert.pem")})
    said, _ = await client.communicate(json.dumps(body_of(asked("a"), stream=True)).encode())
    mitm.terminate()
    await mitm.communicate()
    await upstream.stop()
    print(json.dumps({"said": said.decode(), "requests": len(upstream.requests)}))  # noqa: T201 - for the test


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), *sys.argv[2:]))
