"""What a client that is started from this shell is told by its environment."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from toolstub_ext.addresses import is_any, is_loopback, url_from_here

from .finding import Finding, ill, said, well

BASES = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL")
_BUNDLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
_SECONDS = 2.0


def base_urls(environment: Mapping[str, str], host: str, port: int) -> Iterator[Finding]:
    """Whether base URLs lead to the proxy."""
    here = url_from_here(host, port)
    given = {name: environment[name] for name in BASES if environment.get(name)}
    if not given:
        yield said("base URL", "none is set in this shell, so clients started from it go straight to the provider",
                   f"export OPENAI_BASE_URL={here}/v1 ANTHROPIC_BASE_URL={here}, or toolstub run -- COMMAND")
    for name, value in given.items():
        wanted = here if name == "ANTHROPIC_BASE_URL" else here + "/v1"
        if problem := _wrong(name, value, host, port):
            yield ill("base URL", f"{name} is {value}: {problem}", f"export {name}={wanted}")
        else:
            yield well("base URL", f"{name} leads to the proxy")


def _wrong(name: str, value: str, host: str, port: int) -> str:
    try:
        url = urlsplit(value)
        if not _leads_to(url, host, port):
            return f"the proxy is on {host}:{port}"
    except ValueError:
        return "that is no URL"
    if url.scheme != "http":
        return "the proxy itself speaks plain http"
    if name == "ANTHROPIC_BASE_URL" and url.path.rstrip("/").endswith("/v1"):
        return "Anthropic's clients append /v1 themselves"
    return ""


def _leads_to(url: SplitResult, host: str, port: int) -> bool:
    """Whether a URL is that of what listens on a host and port. Raises ValueError for a port that is none."""
    at = url.hostname or ""
    same_host = at == host or (is_loopback(at) and (is_loopback(host) or is_any(host)))
    return same_host and port == (url.port or {"http": 80, "https": 443}.get(url.scheme, 0))


def proxies(environment: Mapping[str, str], host: str, port: int) -> Iterator[Finding]:
    """Whether requests are sent past the proxy, or to one that is not there or cannot be used."""
    plain, tls = _named(environment, "http_proxy"), _named(environment, "https_proxy")
    everything = _named(environment, "all_proxy")
    exempt = _named(environment, "no_proxy").replace(" ", "").split(",")
    if (plain or everything) and is_loopback(host) and not {"127.0.0.1", "*"}.intersection(exempt):
        yield ill("HTTP proxy", f"clients send requests for this machine to {plain or everything}, too",
                  "export NO_PROXY=127.0.0.1,localhost")
    if (used := tls or everything) and (url := _url_of(used)).scheme not in ("http", "https"):
        name = "HTTPS_PROXY" if tls else "ALL_PROXY"
        yield ill("HTTPS proxy", f"{name} is no HTTP proxy, and toolstub proxy can use no other",
                  "export HTTPS_PROXY=http://HOST:PORT, or NO_PROXY with the provider's host")
    elif tls and _leads_to(url, host, port):
        yield ill("HTTPS proxy", f"HTTPS_PROXY is {tls}, which opens no tunnels",
                  "unset HTTPS_PROXY: toolstub proxy is a base URL")
    elif tls:
        yield from _mitmproxy(tls, url, environment)


def _mitmproxy(tls: str, url: SplitResult, environment: Mapping[str, str]) -> Iterator[Finding]:
    if not is_loopback(url.hostname or ""):
        return
    if not _listens(url):
        yield ill("HTTPS proxy", f"HTTPS_PROXY is {tls}, and nothing listens there",
                  "start mitmdump -s proxy/toolstub_addon.py, or unset HTTPS_PROXY")
    elif not any(environment.get(name) for name in _BUNDLES):
        yield ill("certificate", "no client is told to trust mitmproxy's authority",
                  "export SSL_CERT_FILE=~/.mitmproxy/mitmproxy-ca-cert.pem (Python), NODE_EXTRA_CA_CERTS (Node) or "
                  "CURL_CA_BUNDLE to the same")
    else:
        yield well("HTTPS proxy", f"HTTPS_PROXY is {tls}, and something listens there")


def bundles(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Whether files of authorities that are named are there."""
    for name in _BUNDLES:
        value = environment.get(name)
        if value and not Path(value).expanduser().is_file():
            yield ill("certificate", f"{name} is {value}, and there is no such file", f"unset {name}, or correct it")


def _named(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name) or environment.get(name.upper()) or ""


def _url_of(proxy: str) -> SplitResult:
    """A proxy's URL, with or without a scheme; an empty one if it is none."""
    try:
        url = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        is_one = url.port != 0  # raises as well, for a port that is none
    except ValueError:
        is_one = False
    return url if is_one else urlsplit("")


def _listens(url: SplitResult) -> bool:
    try:
        socket.create_connection((url.hostname or "", url.port or 80), _SECONDS).close()
    except OSError:
        return False
    return True
