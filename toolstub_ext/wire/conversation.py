"""What all wire formats share: a conversation is collected message by message, and its turns are told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import WireError
from ..series import Series
from ..transcript import Said, Slot, ToolResult, Transcript
from .arguments import LongText
from .base import Beginning, Call, Closed, Counts, Ending, Message, Reading, ReadSoFar, Terms
from .body import START, Body, Place, Tail
from .pasted import Marks, pasted
from .spans import Shape, Span, further_items, further_members, scan

Path = tuple[str | int, ...]


class Conversation:
    """Collects messages and results in order, and knows the calls of the turn, which a result may answer.

    A turn is a maximal run of the model's messages and of what answers them. A result answers a call of its own turn;
    it cannot answer another one, and some providers number the calls of every turn from 0.
    """

    def __init__(self, request: Opened, marks: Marks, argument_chars: int | None) -> None:
        known = request.known or _NOTHING
        self._request = request
        self.argument_chars = argument_chars
        """Texts of more characters in the arguments of calls are told as well; None: none."""
        self._marks = marks
        self._known = known
        self._messages: list[Message] = []
        self._results: list[ToolResult] = []
        self._said: list[Said] = []
        self.items = known.counts.items
        """How many items of the array the messages are."""
        self._last_role = known.messages[-1].role if known.messages else ""
        self._requests = known.counts.requests
        self._turns = known.counts.turns
        self._turn_before, self._last_turn = known.turn_before, known.last_turn
        self._calls = {call_id: [*calls] for call_id, calls in known.calls.items()}

    @property
    def count(self) -> int:
        """How many messages there are."""
        return self._known.counts.messages + len(self._messages)

    def _here(self) -> Counts:
        """How much there is so far."""
        known = self._known.counts
        return Counts(self.count, known.results + len(self._results), known.said + len(self._said), self.items,
                      self._requests, self._turns)

    def add(self, message: Message, items: int = 1) -> None:
        """The next message, which so many items are; what it holds is told first."""
        self._messages.append(message)
        self._last_role = message.role
        self.items += items

    def answer(self, calls: Iterable[Call]) -> None:
        """A message of the model comes next, and makes these calls."""
        if self._last_role != "assistant":
            self._turn_before, self._last_turn = self._last_turn, self._here()
            self._turns += 1
            self._calls = {}
        self._requests += 1
        made: dict[str, list[Call]] = {}
        for call in calls:
            made.setdefault(call.call_id, []).append(call)
        self._calls.update(made)

    def arguments(self, call: Call, texts: Iterable[LongText]) -> None:
        """Long texts in the arguments of a call that the model's last message makes."""
        for path, text, inside in texts:
            self._results.append(ToolResult(
                slot=Slot(path, text.start, text.end, inside),
                text=text.value,
                tool=call.tool or None,
                call_id=call.call_id or None,
                arguments=call.arguments,
                turn=max(self._turns - 1, 0),
                requests=self._requests,
                is_argument=True,
            ))

    def result(self, call_id: str, texts: Iterable[tuple[Path, Span]], *, tool: str = "",
               is_error: bool = False, inside: bool = False) -> None:
        """The texts of one tool's output, each with its path in the body; `inside` a literal if they are parts."""
        call = self._answered(call_id or tool)
        for path, text in texts:
            self._results.append(ToolResult(
                slot=Slot(path, text.start, text.end, inside),
                text=text.value,
                tool=call.tool or tool or None,
                call_id=call_id or None,
                arguments=call.arguments,
                turn=max(self._turns - 1, 0),
                requests=self._requests,
                is_error=is_error,
            ))

    def user(self, texts: Sequence[tuple[Path, Span]]) -> None:
        """The user says something, or pastes what a tool gave."""
        said = [text.value for path, text in texts if not (self._marks.markers and self._pasted(path, text))]
        if said or not texts:
            self._said.append(Said("".join(said), self._known.counts.results + len(self._results)))

    def _pasted(self, path: Path, text: Span) -> bool:
        """Whether a text of the user is a result, which is added."""
        found = pasted(text, self._request.tail, self._marks)
        if found is not None:
            self.result("", [(path, found)], inside=True)
        return found is not None

    def reading(self, terms_of: Callable[[Mapping[str, Span]], Terms]) -> Reading:
        """The request, when all messages have been added. `terms_of` tells its terms by its members."""
        request, known, last = self._request, self._known, self._last_turn
        terms = request.terms or terms_of(request.members)
        calls = {call_id: tuple(calls) for call_id, calls in self._calls.items()}
        whole = ReadSoFar(self._place_behind(self._messages[-1]) if self._messages else known.end,
                          known.messages + self._messages, known.results + self._results, known.said + self._said,
                          self._here(), self._turn_before, last, calls)
        return Reading(
            source=request.source,
            tail=request.tail,
            members=request.front,
            closed=Closed(last.messages, last.results) if last.turns else Closed(0, 0),
            transcript=Transcript(whole.results, said=whole.said),
            messages=whole.messages,
            terms=terms,
            messages_end=request.end if request.bare else request.end - 1,
            bare=request.bare,
            beginning=self._beginning(whole, terms) if self._turn_before.turns else None,
        )

    def _beginning(self, whole: ReadSoFar, terms: Terms) -> Beginning:
        """What a longer body need not be read for again."""
        request = self._request
        end, tail = request.end, request.tail
        before = self._place_behind(whole.messages[self._turn_before.messages - 1])
        return Beginning(before, whole, self._last_role != "assistant", request.front,
                         Ending(end, tail.between(end, tail.end), terms))

    def _place_behind(self, message: Message) -> Place:
        return self._request.tail.place(message.end)

    def _answered(self, call_id: str) -> Call:
        """The call a result answers; of several with one id, each in its turn."""
        calls = self._calls.get(call_id)
        if not calls:
            return Call(call_id, "", "")
        return calls.pop(0) if len(calls) > 1 else calls[0]


_NOTHING = ReadSoFar(START, Series(), Series(), Series(), Counts(), Counts(), Counts(), {})


class Opened(NamedTuple):
    """A request: its members, those of them in `front` of the messages, the items of the array that holds the messages,
    and the place just behind that.

    With a `known` part the items are those that follow it; the `tail`, in which they stand, is what follows the
    beginning. Where its `terms` are known, the members that say them are left out. A text in place of the array has no
    items; its length is `bare`.
    """

    source: Body
    tail: Tail
    members: Mapping[str, Span]
    front: Mapping[str, Span]
    items: list[Span]
    end: int
    known: ReadSoFar | None = None
    terms: Terms | None = None
    bare: int = 0


def opened(body: Body | str, name: str, item: Shape, others: dict[str, Shape], beginning: Beginning | None,
           is_models: Callable[[Span], bool], *, or_text: bool = False) -> Opened:
    """A request whose messages are its member `name`, in one pass over the text, or over what follows a known
    beginning.

    Raises WireError if it is none.
    """
    source = body if isinstance(body, Body) else Body(body)
    shape: dict[str, Shape] = {name: [item], **others}
    further = _further(source, name, item, shape, beginning, is_models) if beginning is not None else None
    if further is not None:
        return further
    tail = source.behind(START)
    members = scan(tail.text, shape).value
    if not isinstance(members, dict):
        raise WireError("a request is a JSON object")
    array = members.get(name)
    if array is None or not isinstance(array.value, (list, str) if or_text else list):
        raise WireError(f"a request of this format has an array of {name}")
    front = {key: span for key, span in members.items() if span.start < array.start}
    if isinstance(array.value, str):
        return Opened(source, tail, members, front, [], array.end, bare=array.end - array.start)
    return Opened(source, tail, members, front, array.value, array.end)


def _further(source: Body, name: str, item: Shape, shape: dict[str, Shape], beginning: Beginning,
             is_models: Callable[[Span], bool]) -> Opened | None:
    """The same over what follows a known beginning. None if that is no beginning of it: where something else than a
    message of the model follows, it belongs to the turn in front, of which little is known; and where there is a
    second array, that is the one that counts."""
    tail, known, front, ending = source.behind(beginning.end), beginning.known, beginning.members, beginning.ending
    behind = beginning.end.chars
    items, at = further_items(tail.text, known.end.chars - behind, item, behind)
    end = behind + at
    if not (beginning.goes_on or (items and is_models(items[0]))):
        return None
    if ending and len(tail.text) - at == len(ending.text) and tail.text.endswith(ending.text):
        return Opened(source, tail, front, front, items, end, known, ending.terms.moved(ending.at, end - ending.at))
    following = further_members(tail.text, at, shape, behind)
    return None if name in following else Opened(source, tail, {**front, **following}, front, items, end, known)


def is_assistants(message: Span) -> bool:
    """Whether the model said a message."""
    return isinstance(message.value, dict) and text_in(message.value, "role") == "assistant"


def objects(array: Span | None) -> tuple[dict[str, Any], ...]:
    """The items of an array of objects; none if anything else is in it, or if it is none."""
    items = array.value if array is not None and isinstance(array.value, list) else []
    return tuple(item.value for item in items) if all(isinstance(item.value, dict) for item in items) else ()


def texts(content: Span | None, kind: str, path: Path = ()) -> list[tuple[Path, Span]]:
    """The texts in a string, or in those parts of a list that are of type `kind`; each with its path."""
    if content is None or not isinstance(content.value, str | list):
        return []
    if isinstance(content.value, str):
        return [(path, content)]
    found = []
    for index, part in enumerate(content.value):
        if isinstance(part.value, dict) and text_in(part.value, "type") == kind:
            text = part.value.get("text")
            if text is not None and isinstance(text.value, str):
                found.append(((*path, index, "text"), text))
    return found


def plain(members: Mapping[str, Span], key: str) -> Any:
    """The value of a member, or None."""
    member = members.get(key)
    return None if member is None else member.value


def text_in(members: Mapping[str, Span], key: str) -> str:
    """The value of a member if it is a string, or an empty one."""
    member = members.get(key)
    return "" if member is None or not isinstance(member.value, str) else member.value


def string(value: Any) -> str:
    """`value` if it is a string, or an empty one."""
    return value if isinstance(value, str) else ""
