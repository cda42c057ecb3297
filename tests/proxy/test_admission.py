"""Who may use a proxy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import openai
import pytest
from proxy_processes import ran, serving
from proxy_support import ANSWER, TOOL, Start, asked, body_of

from toolstub_proxy.admission import Admission
from toolstub_proxy.demo.upstream import UpstreamApp

TOKEN = "correct-horse-battery"
HELLO = body_of([{"role": "user", "content": "hi"}])
PAGE = {"Origin": "https://evil.example"}
ELECTRON = {"Origin": "null", "User-Agent": "Mozilla/5.0 Chrome/130.0 Electron/33.0 Safari/537.36"}


def _with_token(*, here: bool = True) -> dict[str, Any]:
    return {"gateway": {"admission": Admission(TOKEN, here=here)}}


@pytest.mark.parametrize(("path", "headers", "status"), [
    ("/v1", {}, 401),
    ("/v1", {"x-toolstub-token": "wrong-horse-battery"}, 401),
    ("/v1", {"Authorization": f"Bearer {TOKEN}"}, 401),
    ("/v1", {"x-toolstub-token": TOKEN, "Authorization": "Bearer sk-1"}, 200),
    (f"/toolstub-token/{TOKEN}/v1", {"Authorization": "Bearer sk-1"}, 200),
    ("/toolstub-token/wrong/v1", {"x-toolstub-token": TOKEN}, 401),
    ("/v1", {"x-toolstub-token": TOKEN} | PAGE, 403),
])
async def test_a_proxy_with_a_token_asks_for_it(start: Start, path: str, headers: dict[str, str], status: int) -> None:
    """In a header or in the base URL, beside the provider's own key; it goes no further than here."""
    behind = await start(**_with_token())
    got, _, answer = await behind.post(HELLO, path=path + "/chat/completions", headers=headers)
    assert got == status, answer
    assert len(behind.upstream.requests) == (status == 200)
    if status == 200:
        assert behind.upstream.headers[0]["Authorization"] == "Bearer sk-1"
        assert TOKEN not in str(behind.upstream.headers)


async def test_a_refusal_is_in_the_providers_shape(start: Start) -> None:
    """So that an SDK shows what it says."""
    behind = await start(**_with_token())
    sdk = openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0)
    with pytest.raises(openai.AuthenticationError, match="x-toolstub-token"):
        await sdk.models.list()
    await sdk.close()
    _, _, answer = await behind.post(b"{}", path="/v1/messages")
    assert b'{"type": "error", "error": {"type": "authentication_error"' in answer


async def test_websockets_and_unknown_paths_need_the_token_as_well(start: Start) -> None:
    """There is no way around it."""
    behind = await start(**_with_token())
    with pytest.raises(aiohttp.WSServerHandshakeError, match="401"):
        await behind.http.ws_connect(behind.url + "/v1/realtime")
    async with behind.http.get(behind.url + "/anything") as answer:
        assert answer.status == 401


@pytest.mark.parametrize(("headers", "status"), [
    ({}, 200), (PAGE, 403), ({"Origin": "null"}, 403), (ELECTRON, 200), ({"Origin": "app://obsidian.md"}, 200),
    ({"Origin": "http://tauri.localhost"}, 200), ({"Origin": "file://"}, 200),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
    ({"Sec-Fetch-Site": "none"}, 200), ({"Sec-Fetch-Site": "same-origin"}, 200),
    ({"Host": "evil.example:8788"}, 403), ({"Host": "evil.example"}, 403), ({"Host": "localhost:8788"}, 200),
    ({"Host": "127.0.0.1"}, 200), ({"Host": "[::1]:8788"}, 200), ({"Host": "host.docker.internal:8788"}, 200),
    ({"Host": "llm-proxy:8788"}, 200),
])
async def test_pages_of_web_sites_are_refused_and_applications_are_not(
    start: Start, headers: dict[str, str], status: int,
) -> None:
    """By what a page cannot leave out, and by names that a site could have pointed here."""
    behind = await start()
    got, _, _ = await behind.post(HELLO, headers=headers)
    assert got == status
    assert len(behind.upstream.requests) == (status == 200)


async def test_a_proxy_for_others_has_any_name(start: Start) -> None:
    """Which is its owners' to choose; the token is what keeps others out."""
    behind = await start(**_with_token(here=False))
    got, _, _ = await behind.post(HELLO, headers={"Host": "llm.example", "x-toolstub-token": TOKEN})
    assert got == 200


async def test_a_token_in_the_base_url_serves_a_whole_conversation(start: Start) -> None:
    """Streamed, with hidden rounds; the log of requests does not hold it."""
    behind = await start(**_with_token())
    base = f"{behind.url}/toolstub-token/{TOKEN}/v1"
    async with openai.AsyncOpenAI(base_url=base, api_key="any", max_retries=0) as sdk:
        answer: Any = await sdk.chat.completions.create(
            model="m", messages=asked("a"), tools=[TOOL], stream=True)  # type: ignore[list-item]
        assert "".join([chunk.choices[0].delta.content or "" async for chunk in answer]) == ANSWER


@pytest.mark.parametrize(("args", "more", "says"), [
    (["--owners", "per-credential"], {}, "--token-file"),
    (["--owners", "per-credential", "--token-file", "missing"], {}, "missing"),
    (["--owners", "per-credential"], {"TOOLSTUB_TOKEN": "short"}, "openssl rand"),
    (["--owners", "per-credential"], {"TOOLSTUB_TOKEN": "with a blank in the middle"}, "openssl rand"),
    ([], {"TOOLSTUB_TOKEN": TOKEN}, "per-credential"),
])
async def test_beyond_this_machine_owners_and_a_token_are_needed(
    tmp_path: Path, args: list[str], more: dict[str, str], says: str,
) -> None:
    """And a token that could be guessed is none."""
    code, _, err = await ran("proxy", "--listen", "0.0.0.0:0", *args, cwd=tmp_path, **more)
    assert (code, err.count("\n")) == (2, 1)
    assert says in err


async def test_with_both_it_listens(tmp_path: Path) -> None:
    """The token may come from a file, so that no process list shows it; it is told how it is shown, and not which.

    The URL that is named is one that works here.
    """
    (tmp_path / "token").write_text(TOKEN + "\n")
    async with (
        UpstreamApp() as upstream,
        serving("--listen", "0.0.0.0:0", "--owners", "per-credential", "--token-file", "token", "--upstream",
                upstream.url, cwd=tmp_path) as (process, url),
        aiohttp.ClientSession() as http,
    ):
        statuses = []
        for headers in ({}, {"x-toolstub-token": TOKEN}):
            async with http.post(url + "/chat/completions", json=HELLO, headers=headers) as answer:
                statuses.append(answer.status)
        assert statuses == [401, 200]
        assert process.stderr is not None
        assert b"other machines put this one's name in place of that address" in await process.stderr.readline()
        said = (await process.stderr.readline()).decode()
        assert said.endswith(f"{url.removesuffix('/v1')}/toolstub-token/TOKEN/v1\n")
