"""Addresses to listen on: what they are made of, and whether others can reach them."""

from __future__ import annotations

import re
from ipaddress import ip_address

HIGHEST_PORT = 65_535


def host_and_port(listen: str) -> tuple[str, int] | None:
    """The two parts of `HOST:PORT` (an IPv6 host in brackets), or None if it is not that."""
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s]+)):([0-9]{1,5})", listen)
    if match is None or int(match[3]) > HIGHEST_PORT:
        return None
    return match[1] or match[2], int(match[3])


_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing is bound to it here
"""What stands for every address of a machine, with the one at which the machine itself can be asked."""


def is_any(host: str) -> bool:
    """Whether to listen on a host is to listen on every address of this machine."""
    return host in _ANY


def url_from_here(host: str, port: int) -> str:
    """The URL at which this machine itself reaches what listens on a host and port."""
    at = _ANY.get(host, host)
    return f"http://{f'[{at}]' if ':' in at else at}:{port}"


def is_loopback(host: str) -> bool:
    """Whether a host name or address can only mean this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
