"""Upstreams behind TLS and behind proxies, with real servers of either sort."""

from __future__ import annotations

import json
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import certifi
import pytest
from http_proxy import HttpProxy
from proxy_support import ANSWER, Start, asked, body_of

from toolstub_ext.errors import SettingsError
from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.trust import trusted

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PROXIES, "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    trusted.cache_clear()


@pytest.fixture
async def secure(certificate: Any) -> AsyncIterator[UpstreamApp]:
    """An upstream with TLS, whose authority nobody knows."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.tls())
    yield upstream
    await upstream.stop()


def _ask(url: str, cafile: Path | None = None) -> dict[str, Any]:
    return {"settings": {"upstream": url}, "cafile": str(cafile) if cafile else None}


async def test_an_authority_of_ones_own_is_trusted_if_it_is_named(
    start: Start, secure: UpstreamApp, certificate: Any,
) -> None:
    """For the whole exchange, hidden rounds included."""
    behind = await start(**_ask(secure.url, certificate.file))
    status, _, answer = await behind.post(body_of(asked("a"), stream=True))
    assert (status, ANSWER.split("=")[1].encode() in answer) == (200, True)


async def test_otherwise_the_answer_says_what_to_do(start: Start, secure: UpstreamApp) -> None:
    """In one line that is true."""
    behind = await start(**_ask(secure.url))
    status, _, answer = await behind.post(body_of(asked("a")))
    message = json.loads(answer)["error"]["message"]
    assert status == 502
    assert message == (f"toolstub: cannot reach {secure.url}: its certificate is not trusted "
                       "(self-signed certificate); name the authority that signed it with --ca FILE")
    assert secure.requests == []


async def test_an_authority_of_ones_own_does_not_make_the_others_trusted(start: Start, secure: UpstreamApp) -> None:
    """To name one turned verification off: senrigan#47."""
    behind = await start(**_ask(secure.url, Path(certifi.where())))
    assert (await behind.post(body_of(asked("a"))))[0] == 502
    assert secure.requests == []


async def test_ssl_cert_file_is_honoured(
    start: Start, secure: UpstreamApp, certificate: Any, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It replaces all authorities but that of `--ca`."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    behind = await start(**_ask(secure.url))
    assert (await behind.post(body_of(asked("a"))))[0] == 200
    assert trusted().cert_store_stats()["x509_ca"] == 1


def test_the_authorities_of_certifi_are_there_as_well(certificate: Any) -> None:
    """A client trusts them, so a request that it could send without us is one that we can send."""
    alone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    alone.load_verify_locations(certifi.where())
    theirs = {authority["serialNumber"] for authority in alone.get_ca_certs()}
    ours = {authority["serialNumber"] for authority in trusted(str(certificate.file)).get_ca_certs()}
    assert theirs < ours


@pytest.mark.parametrize(("text", "says"), [(None, "no such file"), ("no certificate", "no certificates in it")])
def test_a_file_without_authorities_is_refused(tmp_path: Path, text: str | None, says: str) -> None:
    """At the start, not with the first request."""
    if text is not None:
        (tmp_path / "ca.pem").write_text(text)
    with pytest.raises(SettingsError, match=says):
        trusted(str(tmp_path / "ca.pem"))


async def test_a_certificate_for_another_name_is_not_accepted(
    start: Start, secure: UpstreamApp, certificate: Any,
) -> None:
    """Whoever signed it."""
    behind = await start(**_ask(secure.url.replace("127.0.0.1", "localhost"), certificate.file))
    status, _, answer = await behind.post(body_of(asked("a")))
    assert (status, b"not trusted (Hostname mismatch" in answer) == (502, True)


async def test_tls_with_a_server_that_has_none(start: Start) -> None:
    """A scheme mistyped."""
    async with UpstreamApp() as plain:
        behind = await start(**_ask(plain.url.replace("http:", "https:")))
        status, _, answer = await behind.post(body_of(asked("a")))
    assert status == 502
    assert "no TLS with it: " in json.loads(answer)["error"]["message"]


async def test_a_host_that_does_not_exist(start: Start) -> None:
    """A name mistyped."""
    behind = await start(**_ask("https://no-such-host.invalid"))
    status, _, answer = await behind.post(body_of(asked("a")))
    assert status == 502
    assert "there is no host no-such-host.invalid" in json.loads(answer)["error"]["message"]


@pytest.mark.parametrize("proxy_tls", [False, True])
async def test_https_proxy(
    start: Start, secure: UpstreamApp, certificate: Any, monkeypatch: pytest.MonkeyPatch, proxy_tls: bool,
) -> None:
    """Through a tunnel, with the password of its URL; the proxy itself may speak TLS."""
    async with HttpProxy(secure.url, credentials="me:pass", tls=certificate.tls() if proxy_tls else None) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("://", "://me:pass@"))
        behind = await start(**_ask("https://api.example/v1", certificate.file))
        status, _, answer = await behind.post(body_of(asked("a"), stream=True))
        assert (status, ANSWER.split("=")[1].encode() in answer) == (200, True), answer
    assert proxy.heads[0].startswith("CONNECT api.example:443 ")
    assert "Authorization" not in {name for head in secure.headers for name in head}


async def test_http_proxy(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a tunnel."""
    async with UpstreamApp() as upstream, HttpProxy(upstream.url) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        behind = await start(**_ask("http://api.example/v1"))
        assert (await behind.post(body_of(asked("a"))))[0] == 200
        await behind.gateway.stop()
    assert proxy.heads[0].startswith("POST http://api.example/v1/chat/completions ")


async def test_a_proxy_that_refuses_is_named_without_its_password(
    start: Start, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With its own words."""
    async with HttpProxy("http://127.0.0.1:1", credentials="me:right") as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("://", "://me:wrong@"))
        behind = await start(**_ask("https://api.example/v1"))
        status, _, answer = await behind.post(body_of(asked("a")))
    message = json.loads(answer)["error"]["message"]
    assert (status, "407" in message, proxy.url in message, "wrong" in message) == (502, True, True, False)


async def test_a_proxy_that_is_not_there_is_named(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the upstream that fails."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    behind = await start(**_ask("https://api.example/v1"))
    _, _, answer = await behind.post(body_of(asked("a")))
    assert "the proxy http://127.0.0.1:1 cannot be reached: connection refused" in answer.decode().lower()


@pytest.mark.parametrize(("proxy", "named"), [
    ("socks5://user:pass@127.0.0.1:1", "socks5://127.0.0.1:1"), ("socks5h://127.0.0.1:1", "socks5h://127.0.0.1:1"),
    ("http://[::1", "of the environment"), ("nonsense:abc", "of the environment"),
])
async def test_a_proxy_that_cannot_be_used_is_named_with_what_to_do(
    start: Start, monkeypatch: pytest.MonkeyPatch, proxy: str, named: str,
) -> None:
    """HTTP is not spoken with it, whoever listens there."""
    monkeypatch.setenv("ALL_PROXY", proxy)
    behind = await start(**_ask("https://api.example/v1"))
    status, _, answer = await behind.post(body_of(asked("a")))
    message = json.loads(answer)["error"]["message"]
    assert (status, "cannot reach https://api.example" in message) == (502, True)
    assert f"the proxy {named} is no HTTP proxy" in message
    assert "HTTPS_PROXY" in message


async def test_a_proxy_without_a_scheme_is_an_http_proxy(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """As other programs take it."""
    monkeypatch.setenv("HTTPS_PROXY", "127.0.0.1:1")
    behind = await start(**_ask("https://api.example/v1"))
    _, _, answer = await behind.post(body_of(asked("a")))
    assert "the proxy http://127.0.0.1:1 cannot be reached" in answer.decode()


@pytest.mark.parametrize("names", ["api.example", ".example", "*", "other,api.example:1234"])
async def test_no_proxy(start: Start, monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    """Hosts, domains, all, and a port of a host."""
    async with HttpProxy("http://127.0.0.1:1") as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        monkeypatch.setenv("NO_PROXY", names)
        behind = await start(**_ask("https://api.example:1234/v1"))
        await behind.post(body_of(asked("a")))
    assert proxy.heads == []


@pytest.mark.parametrize("shown", [True, False])
async def test_a_certificate_is_shown_to_an_upstream_that_asks_for_one(
    start: Start, certificate: Any, tmp_path: Path, shown: bool,
) -> None:
    """For every round; without one, there is no answer to pass on."""
    upstream = UpstreamApp()
    await upstream.start(tls=certificate.mutual_tls())
    behind = await start(settings={"upstream": upstream.url}, cafile=str(certificate.file),
                         certificate=str(certificate.both(tmp_path)) if shown else None)
    status, _, answer = await behind.post(body_of(asked("a"), stream=True))
    await behind.gateway.stop()
    await upstream.stop()
    assert (status, ANSWER.split("=")[1].encode() in answer) == ((200, True) if shown else (502, False)), answer
    assert shown or f"from {upstream.url}: " in json.loads(answer)["error"]["message"]
    assert bool(upstream.requests) is shown


@pytest.mark.parametrize(("content", "says"), [
    (None, "no such file"), ("no certificate", "no certificate with its key in it"), ("alone", "no certificate with"),
])
def test_a_file_that_cannot_be_shown_is_refused(tmp_path: Path, certificate: Any, content: str, says: str) -> None:
    """At the start."""
    if content is not None:
        (tmp_path / "client.pem").write_text(certificate.file.read_text() if content == "alone" else content)
    with pytest.raises(SettingsError, match=says):
        trusted(certificate=str(tmp_path / "client.pem"))


def test_a_key_with_a_password_is_refused(tmp_path: Path, certificate: Any) -> None:
    """Nobody sits in front of a proxy to be asked for it."""
    locked = subprocess.run(["openssl", "pkcs8", "-topk8", "-in", certificate.key, "-passout", "pass:secret"],
                            check=True, capture_output=True).stdout
    (tmp_path / "client.pem").write_bytes(certificate.file.read_bytes() + locked)
    with pytest.raises(SettingsError, match="has a password"):
        trusted(certificate=str(tmp_path / "client.pem"))


async def test_an_upstream_that_would_rather_speak_http_2_is_told_what_we_speak(
    start: Start, certificate: Any,
) -> None:
    """With the first word of TLS, so that it need not guess."""
    agreed: list[str | None] = []

    class Telling(ssl.SSLObject):
        def do_handshake(self) -> None:
            super().do_handshake()
            agreed.append(self.selected_alpn_protocol())

    tls = certificate.tls()
    tls.set_alpn_protocols(["h2", "http/1.1"])
    tls.sslobject_class = Telling
    upstream = UpstreamApp()
    await upstream.start(tls=tls)
    behind = await start(**_ask(upstream.url, certificate.file))
    status, _, _ = await behind.post(body_of(asked("a")))
    await behind.gateway.stop()
    await upstream.stop()
    assert (status, {*agreed}) == (200, {"http/1.1"})
