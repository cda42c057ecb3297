"""Events come out of a stream whole, in their own bytes, however the stream is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_proxy.sse import Splitter, data_of, event_of

STREAMS = [
    (b"data: 1\n\ndata: 2\n\n", [b"data: 1\n\n", b"data: 2\n\n"]),
    (b"data: 1\r\n\r\ndata: 2\r\n\r\n", [b"data: 1\r\n\r\n", b"data: 2\r\n\r\n"]),
    (b"data: 1\r\rdata: 2\r\r", [b"data: 1\r\r", b"data: 2\r\r"]),
    (b": ping\n\nevent: x\ndata: a\ndata: b\n\n", [b": ping\n\n", b"event: x\ndata: a\ndata: b\n\n"]),
    (b"data: open", []),
    (b"", []),
]


@pytest.mark.parametrize(("stream", "events"), STREAMS)
def test_a_stream_is_cut_after_every_blank_line(stream: bytes, events: list[bytes]) -> None:
    """All three line ends are understood."""
    assert Splitter().feed(stream) == events


@pytest.mark.parametrize(("stream", "events"), STREAMS)
def test_one_byte_at_a_time_gives_the_same_events(stream: bytes, events: list[bytes]) -> None:
    """The pieces in which a stream arrives mean nothing."""
    splitter = Splitter()
    assert [e for n in range(len(stream)) for e in splitter.feed(stream[n:n + 1])] == events


@given(st.lists(st.sampled_from([b"\n", b"\r\n", b"data: x", b"data: ", b"\x85", b": c"]), max_size=40), st.data())
def test_nothing_is_lost_and_no_cut_matters(parts: list[bytes], data: st.DataObject) -> None:
    """What comes out is what went in, and the same events whatever the pieces."""
    stream = b"".join(parts)
    whole = Splitter()
    expected = whole.feed(stream)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    splitter = Splitter()
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    events = [event for piece in pieces for event in splitter.feed(piece)]
    assert events == expected
    assert b"".join(events) + splitter.flush() == stream


def test_an_endless_event_comes_out_in_pieces() -> None:
    """Memory is bounded, whatever an upstream sends."""
    splitter = Splitter(limit=10)
    assert splitter.feed(b"data: 1234567890") == [b"data: 1234567890"]
    assert splitter.feed(b"\n\n") == [b"\n\n"]


@pytest.mark.parametrize(("event", "data"), [
    (b"data: a\n\n", b"a"),
    (b"data:a\r\n\r\n", b"a"),
    (b"data:  a\n\n", b" a"),
    (b"data: a\ndata: b\n\n", b"a\nb"),
    (b"event: x\rdata: a\r\r", b"a"),
    (b": comment\n\n", None),
    (b"event: ping\n\n", None),
    (b"data:\n\n", b""),
])
def test_the_data_of_an_event_is_all_its_data_lines(event: bytes, data: bytes | None) -> None:
    """One blank after the colon belongs to the syntax; an event may have no data at all."""
    assert data_of(event) == data


def test_an_event_of_ours_is_read_back() -> None:
    """What we write, we can read."""
    assert data_of(event_of(b'{"a":1}')) == b'{"a":1}'
