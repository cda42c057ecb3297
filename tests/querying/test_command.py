"""`toolstub query`, and what keeps an original from being collected."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from toolstub_ext.cli import main
from toolstub_ext.store import Ref, open_store


@pytest.fixture
def stored() -> Callable[[str], Ref]:
    """Puts a text into the store that the command will open."""

    def put(text: str) -> Ref:
        with open_store() as store:
            return store.put(text).ref

    return put


@pytest.mark.parametrize(("expression", "status", "shown"), [
    ("items[?id > `1`].name", 0, '"b"\n'), ("items[0]", 0, '{"id": 1, "name": "a\\u00e9"}\n'),
    ("items[0].name", 0, "aé\n"),
    ("items[?id > `9`]", 1, "\n"), ("nothing", 1, "null\n"),
])
def test_query_selects_by_structure(stored: Callable[[str], Ref], capfdbinary: pytest.CaptureFixture[bytes],
                                    expression: str, status: int, shown: str) -> None:
    """All of it on stdout, what it is on stderr; exit status 1 if there is nothing."""
    ref = stored('{"items": [{"id": 1, "name": "a\\u00e9"}, {"id": 2, "name": "b"}]}')
    assert main(["query", ref, expression]) == status
    captured = capfdbinary.readouterr()
    assert captured.out.decode() == shown
    assert captured.err.startswith(b"toolstub: ")


def test_query_speaks_json_and_names_a_mistake(
    stored: Callable[[str], Ref], capsys: pytest.CaptureFixture[str],
) -> None:
    """Rows of a table as objects; an expression that does not parse is wrong usage."""
    ref = stored("id,name\n" + "".join(f"{n},n{n}\n" for n in range(20)))
    assert main(["query", ref, "name where id = 7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"name": "n7"}]
    assert main(["query", ref, "name where id"]) == 2
    assert capsys.readouterr().err.startswith("toolstub query: a comparison was expected")


def test_a_hint_names_what_a_shell_has(stored: Callable[[str], Ref], capsys: pytest.CaptureFixture[str]) -> None:
    """Not the names that a model calls; and a name that is suggested is suggested once."""
    classes = "".join(f"class A{n}:\n    def opened(self):\n        return {n}\n\n\n" for n in range(9))
    ref = stored(f"import os\n\n{classes}")
    assert main(["query", ref, "*"]) == 0
    assert "read one with toolstub read REF --lines A:B" in capsys.readouterr().err
    assert main(["query", ref, "opned"]) == 2
    assert "did you mean opened? *" in capsys.readouterr().err
    assert main(["query", stored("[1, 2]"), "*"]) == 1
    assert "[*] the items of an array" in capsys.readouterr().err


def test_what_is_pinned_stays(stored: Callable[[str], Ref], capsys: pytest.CaptureFixture[str]) -> None:
    """Until it is unpinned."""
    ref = stored("kept")
    stored("dropped")
    assert main(["pin", ref]) == 0
    assert main(["gc", "--older-than", "0"]) == 0
    assert main(["read", ref]) == 0
    assert main(["unpin", ref]) == 0
    assert main(["gc", "--older-than", "0"]) == 0
    assert main(["read", ref]) == 1
    assert main(["pin", ref]) == 1
    assert "expired" in capsys.readouterr().err
