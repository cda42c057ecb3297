"""Laws 4 and 5: untouched bytes stay untouched, and no request grows beyond our definitions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laws_support import PRESETS, TIGHT, Failing, body_of, shown, slow, texts_of, turns

from toolstub_ext import retrieval
from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store
from toolstub_ext.wire import chat

DEFINITIONS = retrieval.definitions("chat") + ","
spaces = st.sampled_from(["", " ", "\n", "\t ", "\r\n"])
scalars = st.sampled_from([
    "1.0", "1e5", "1E+05", "-0", "-0.0", "0.1e-7", "1234567890123456789012345678901234567890", "true", "null",
    r'"\ud83d"', r'"\ud83d\ude00"', r'"\/\u0041\u0000"', '"\u2028\x7f\U0001f600"', '""', "[ ]", "{ }",
])
names = st.sampled_from([
    '"a"', '"a"', '"content"', '"role"', r'"\u0061"', '"messages "', '"unknown"', '"cache_control"', '"x\U0001f600"',
])


def written(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """JSON objects and arrays of `values` as a person with bad habits would write them."""
    member = st.builds("{}{}{}:{}{}{}".format, spaces, names, spaces, spaces, values, spaces)
    return st.lists(member, max_size=3).map(lambda members: "{" + ",".join(members) + "}") | st.lists(
        st.builds("{}{}{}".format, spaces, values, spaces), max_size=3).map(lambda items: "[" + ",".join(items) + "]")


odd = st.recursive(scalars, written, max_leaves=8)


@st.composite
def odd_requests(draw: st.DrawFn, tools_written: st.SearchStrategy[str | None]) -> str:
    """A chat request in odd JSON with nothing large in it."""
    messages = [
        draw(st.builds('{{{}"role":{}"{}","content":{},"extra"{}:{}}}'.format, spaces, spaces,
                       st.sampled_from(["user", "tool", "assistant", "function", "other"]), odd, spaces, odd))
        for _ in range(draw(st.integers(0, 3)))
    ]
    members = [f'"messages":{draw(spaces)}[{",".join(messages)}{draw(spaces)}]', f"{draw(names)} : {draw(odd)}"]
    if (written_tools := draw(tools_written)) is not None:
        members.append(f'"tools"{draw(spaces)}:{draw(spaces)}{written_tools}')
    return "{" + draw(spaces) + ",".join(draw(st.permutations(members))) + "}" + draw(spaces)


@slow
@given(odd_requests(st.sampled_from([None, "[]", "[ ]", "null", "{}", "[1]"])), st.sampled_from(PRESETS))
def test_law_4_a_request_without_tools_leaves_byte_for_byte(store: Store, text: str, preset: Settings) -> None:
    """It is the very same object."""
    body = text.encode()
    done = rewrite(body, store=store, settings=preset)
    assert done.body is body
    assert done.reading is not None


@slow
@given(odd_requests(st.sampled_from(["[{}]", '[ {"function":{"name":"a"},"x":1e5} ,{"b":1.0}]'])),
       st.sampled_from(PRESETS[:-1]))
def test_law_4_with_nothing_large_only_our_definitions_are_added(store: Store, text: str, preset: Settings) -> None:
    """Take them out and it is what the client sent: key order, whitespace, numbers, escapes, duplicate keys."""
    body = text.encode()
    done = rewrite(body, store=store, settings=preset)
    assert done.injected == retrieval.NAMES
    assert done.body.replace(DEFINITIONS.encode(), b"", 1) == body


@slow
@given(turns(), st.booleans())
def test_law_4_around_a_stub_every_byte_stays(store: Store, conversation: list[Any], ascii_only: bool) -> None:
    """Put each original's literal back in place of its stub, and it is what the client sent."""
    conversation = json.loads(json.dumps(conversation).replace("\\ud", "\\uc"))
    body = body_of(conversation, ascii_only=ascii_only, odd=[1.0, 1e5, 10**40])
    done = rewrite(body, store=store, settings=TIGHT)
    client, provider = chat.read(body.decode()), chat.read(done.body.decode())
    text = done.text
    for before, after in reversed([*zip(client.transcript.results, provider.transcript.results, strict=True)]):
        theirs = client.body[before.slot.start:before.slot.end]
        if before.text == after.text:
            assert text[after.slot.start:after.slot.end] == theirs
        text = text[:after.slot.start] + theirs + text[after.slot.end:]
    assert text.replace(DEFINITIONS, "", 1) == client.body


@slow
@given(turns(), st.booleans(), st.sampled_from(PRESETS), st.sampled_from(["always", "when_stubbed"]),
       st.sampled_from(["preserve_raw", "preview_only"]), st.integers(0, 3))
def test_law_5_a_request_grows_by_our_definitions_at_most(
    store: Store, conversation: list[Any], ascii_only: bool, preset: Settings, inject: Any, mode: Any, puts: int
) -> None:
    """In bytes, however the client writes its texts and whether or not the store works."""
    chosen = replace(preset, inject=inject, externalize=replace(preset.externalize, failure_mode=mode))
    conversation = json.loads(json.dumps(conversation).replace("\\ud", "\\uc"))
    body = body_of(conversation, ascii_only=ascii_only)
    done = rewrite(body, store=Failing(store, puts, StoreError("full")), settings=chosen)  # type: ignore[arg-type]
    assert len(done.body) <= len(body) + len(DEFINITIONS.encode())
    for before, after in zip(shown(body, done), texts_of(done.body), strict=True):
        assert before == after or len(after) < len(before)


def test_law_5_our_definitions_are_small() -> None:
    """2,000 bytes together, and the same in every request."""
    assert len(retrieval.definitions("chat").encode()) <= 2_000
    assert retrieval.definitions("chat") == DEFINITIONS[:-1]
