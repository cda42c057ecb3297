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


def is_loopback(host: str) -> bool:
    """Whether a host name or address can only mean this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
