"""What users of tools of this sort have complained about, with where they did, does not happen here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rewriting_support import LARGE, request, sent, turn

from toolstub_ext import presets, retrieval
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import Store, open_store, ref_of, sha256_of
from toolstub_ext.synopsis import is_stub

ONE_LINE = "word " * 40_000
DEFAULT = Settings()
PRESETS = [load_settings(preset=name) for name in presets.PRESETS]
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 100_000}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def results(store: Store, *messages: dict[str, Any], settings: Settings = DEFAULT, **more: Any) -> list[Any]:
    """What the provider gets as the contents of the tool messages."""
    done = rewrite(request(*messages, **more), store=store, settings=settings)
    return [message["content"] for message in sent(done)["messages"] if message["role"] == "tool"]


def read(store: Store, **arguments: Any) -> str:
    """A reply of `toolstub_read`."""
    return retrieval.run("toolstub_read", json.dumps(arguments), store=store, owner="local", session=None)


@pytest.mark.parametrize("settings", PRESETS, ids=list(presets.PRESETS))
@pytest.mark.parametrize("wrapped", ["{}", '{{"result": {}}}'], ids=["as it is", "in a wrapper"])
def test_what_is_read_back_is_not_put_away_again(store: Store, settings: Settings, wrapped: str) -> None:
    """A loop of reading and evicting: cloudwego/eino#860, #1093, deepagentsjs#82, lossless-claw#946, nanobot#4153,
    strands harness-sdk#2162. Also where another tool handed the reply on: openhuman#6297."""
    ref = store.put(ONE_LINE).ref
    reply = read(store, ref=ref, offset=100_000)
    answer = reply if wrapped == "{}" else wrapped.format(json.dumps(reply))
    tool = "toolstub_read" if wrapped == "{}" else "Bash"
    assert results(store, *turn(answer, tool=tool), *turn("ok", start=9), settings=settings)[0] == answer


def test_one_long_line_can_be_read_to_its_end(store: Store) -> None:
    """Paging by lines gives all of it or nothing: eino#1093, deepagentsjs#172, Gliding Horse. Characters do not."""
    (stub,) = results(store, *turn(ONE_LINE))
    assert is_stub(stub)
    seen, offset = "", 0
    while offset < len(ONE_LINE):
        part = store.read(ref_of(sha256_of(ONE_LINE)), offset=offset, limit=6_000)
        seen, offset = seen + part.text, part.next_offset or len(ONE_LINE)
    assert seen == ONE_LINE


@pytest.mark.parametrize("name", ["default", "openviking", "eino", "gliding-horse"])
def test_what_was_put_away_names_the_tool_that_reads_it_and_that_tool_is_offered(store: Store, name: str) -> None:
    """Else the model guesses: eino#1110, #1118. In the same request, not in the next: roomkit#17."""
    text = LARGE * 5
    done = rewrite(request(*turn(text)), store=store, settings=load_settings(preset=name))
    assert "toolstub_read" in sent(done)["messages"][-1]["content"]
    assert "toolstub_read" in [tool["function"]["name"] for tool in sent(done)["tools"]]


@pytest.mark.parametrize("call_id", ["again", "", "x" * 1_500, "../../etc/cron.d/x", "a/b\\c:d\u4e2d"])
def test_no_call_id_can_lose_or_overwrite_a_result(store: Store, call_id: str) -> None:
    """Repeated: eino#990. Empty: deepagents#6302. Too long for a file: deepagents#5560. A path: deer-flow#3303."""
    texts = [f"{place} {LARGE}" for place in range(3)]
    messages = [{**message, "tool_call_id": call_id} if message["role"] == "tool" else
                {**message, "tool_calls": [{**call, "id": call_id} for call in message["tool_calls"]]}
                for text in texts for message in turn(text)]
    assert all(is_stub(content) for content in results(store, *messages))
    assert [store.read(ref_of(sha256_of(text)), limit=-1).text for text in texts] == texts


def test_results_in_another_order_than_their_calls_go_by_the_id(store: Store) -> None:
    """eino#1091: with rules by tool, the wrong tool's was taken."""
    assistant, first, second = turn(LARGE, "#" + LARGE)
    assistant["tool_calls"][0]["function"]["name"] = "keep"
    settings = Settings(exclude_tools=("keep",))
    swapped = results(store, assistant, second, first, settings=settings)
    assert [is_stub(content) for content in swapped] == [True, False]


@pytest.mark.parametrize(("settings", "stubbed"), [
    ({"exclude_tools": ["get_*"]}, {"Bash": True, "get_status": False}),
    ({"tools": {"*": {"exclude": True}, "Bash": {"exclude": False}}}, {"Bash": True, "get_status": False}),
])
def test_tools_may_be_left_out_or_be_the_only_ones(store: Store, settings: Any, stubbed: dict[str, bool]) -> None:
    """A list of what to exclude: eino#946. One of what to include: langchain#34145."""
    found = {tool: is_stub(results(store, *turn(LARGE, tool=tool), settings=load_settings(**settings))[0])
             for tool in stubbed}
    assert found == stubbed


def test_text_in_parts_is_put_away_and_images_stay(store: Store) -> None:
    """Parts were never evicted: deepagents#674. Images were counted as text, or dropped: deepagents#1672, #4954."""
    content, = results(store, *turn([{"type": "text", "text": LARGE}, IMAGE]))
    assert is_stub(content[0]["text"])
    assert content[1] == IMAGE
    alone, = results(store, *turn([{"type": "text", "text": "short"}, IMAGE]))
    assert alone == [{"type": "text", "text": "short"}, IMAGE]


def test_no_tool_is_exempt_because_its_results_are_thought_to_be_short(store: Store) -> None:
    """An exempt grep returned 772 KB: deepagentsjs#272."""
    listing = "".join(f"src/module_{number}/file_{number}.py:12:    value = {number}\n" for number in range(14_000))
    for tool in ("grep", "glob", "ls", "read_file"):
        assert is_stub(results(store, *turn(listing, tool=tool))[0])


@pytest.mark.parametrize("more", [{"tool_choice": "none"}, {"tools": []}])
def test_what_the_model_could_not_read_back_stays(store: Store, more: dict[str, Any]) -> None:
    """The reading tool was off: pulse-agent#850."""
    done = rewrite(request(*turn(LARGE), **more), store=store, settings=DEFAULT)
    forbidden = "tools" in more
    assert is_stub(sent(done)["messages"][-1]["content"]) is not forbidden
    assert bool(done.injected) is not forbidden


def test_what_was_cleared_is_not_cleared_anew_in_every_turn(store: Store) -> None:
    """One result cleared in each turn rewrites the provider's whole cache: langchain#37815, Acontext#130."""
    settings = load_settings(preset="eino", clear={"tool_result_token_threshold": 1_000, "keep_recent_tokens": 2_000,
                                                  "step_tokens": 8_000})
    rewriter, before, moved = Rewriter(store, settings), b"", 0
    messages: list[dict[str, Any]] = []
    for number in range(40):
        messages += turn(f"{number} " + LARGE[:4_000], start=number)
        body = rewriter.rewrite(request(*messages)).body
        moved += not body.startswith(before)
        before = body[:body.rindex(b"]")]
    assert 1 <= moved <= 8


def test_results_of_messages_that_say_nothing_count(store: Store) -> None:
    """Messages with tools alone were counted as none: OpenViking#1658."""
    settings = load_settings(preset="eino", clear={"tool_result_token_threshold": 1_000, "keep_recent_tokens": 1_000})
    messages = [message for number in range(12) for message in turn(f"{number} " + LARGE[:9_000], start=number)]
    assert results(store, *messages, settings=settings)[0].startswith("[Old tool result content cleared")


def test_a_failure_at_the_end_of_a_long_answer_is_told(store: Store) -> None:
    """`ok` and `error` behind a large member were lost: nanobot#5590. Colours made an error invisible: ha-mcp#2107."""
    answer = json.dumps({"rows": [{"id": number, "name": f"row {number}"} for number in range(3_000)], "ok": False,
                         "error": "quota exceeded"})
    log = LARGE + "\x1b[31mERROR\x1b[0m disk full\n" + LARGE
    assert "quota exceeded" in results(store, *turn(answer))[0]
    assert "disk full" in results(store, *turn(log))[0]


def test_a_stub_is_not_taken_for_cut_off_json(store: Store) -> None:
    """Sliced JSON made the model call again and again: sinas#104."""
    (stub,) = results(store, *turn(json.dumps([{"id": number} for number in range(5_000)])))
    assert stub.startswith("[toolstub] tool result externalized\n")
    assert "original intact and stored" in stub
    with pytest.raises(json.JSONDecodeError):
        json.loads(stub)


def test_what_was_put_away_is_found_by_searching(store: Store) -> None:
    """Search did not reach what was stored elsewhere: lossless-claw#945."""
    done = rewrite(request(*turn(LARGE + "the needle\n" + LARGE)), store=store, settings=DEFAULT)
    reply = retrieval.run("toolstub_search", '{"query": "the needle"}', store=store, owner="local",
                          session=done.session)
    assert "the needle" in reply


def test_a_stub_holds_no_clock(store: Store, tmp_path: Path) -> None:
    """Times in stubs broke the cache: lossless-claw#626, #628. A new process with a new store writes the same."""
    with open_store(tmp_path / "another.db") as another:
        assert results(store, *turn(LARGE)) == results(another, *turn(LARGE))
