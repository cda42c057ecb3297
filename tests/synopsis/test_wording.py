"""What foreign text looks like in a stub."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext import graph
from toolstub_ext.synopsis import Rules, render, synopsize, wording
from toolstub_ext.synopsis.wording import (
    MASK,
    clip,
    count,
    excerpt,
    first_word,
    harmless,
    masked,
    names_secret,
    one_line,
)

ANY = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("number", "noun", "plural", "said"),
    [(0, "row", None, "0 rows"), (1, "row", None, "1 row"), (2, "entry", "entries", "2 entries")],
)
def test_numbers_agree_with_their_nouns(number: int, noun: str, plural: str | None, said: str) -> None:
    """One is singular, all else is not."""
    assert count(number, noun, plural) == said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\0b", "a\\x00b"),
        ("a\x1b[31m", "a\\x1b[31m"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("a\n\tb", "a\n\tb"),
        ("é漢", "é漢"),
    ],
)
def test_invisible_characters_become_escapes(text: str, shown: str) -> None:
    """What could move the cursor, turn the direction or break an encoder is written out."""
    assert harmless(text) == shown


@pytest.mark.parametrize(("line", "word"), [("a bc", "a"), ("  a", "a"), ("", ""), (" \t\x1f", "")])
def test_the_first_word_of_a_line_without_any_is_nothing(line: str, word: str) -> None:
    """A line may be all blanks, of which Unicode has many."""
    assert first_word(line) == word


SECRETS = [
    "sk-abcdefghijklmnopqrstuvwx",
    "ghp_" + "a1B2" * 9,
    "AKIAABCDEFGHIJKLMNOP",
    "xoxb-1234567890-abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_tokens_of_known_form_are_masked(secret: str) -> None:
    """Wherever they stand in a line."""
    assert masked(f"see {secret} there") == f"see {MASK} there"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('password: "hunter22"', f'password: "{MASK}"'),
        ("API_KEY=abc123def456ghi", f"API_KEY={MASK}"),
        ('APIKey = "correctHorse"', f'APIKey = "{MASK}"'),
        ("Authorization: Bearer abcdef123456789", f"Authorization: Bearer {MASK}"),
        ("postgres://me:pa55w0rd@host/db", f"postgres://me:{MASK}@host/db"),
        ("def reset(token: str) -> None:", "def reset(token: str) -> None:"),
        ("token = get_token(request)", "token = get_token(request)"),
        ("max_tokens: 4096", "max_tokens: 4096"),
        ("sk_test_" + "a1B2" * 6, MASK),
        ("sk_X509_NAME_ENTRY_num(entries)", "sk_X509_NAME_ENTRY_num(entries)"),
    ],
)
def test_only_the_value_is_masked_and_code_is_left_alone(text: str, shown: str) -> None:
    """The name stays, and so does code that only speaks of secrets."""
    assert masked(text) == shown


@pytest.mark.parametrize("name", [
    "password", "passwd", "db_password", "PGPASSWORD", "userPassword", "passwordHash", "password_hash", "user.pass",
    "secret", "client_secret", "secretAccessKey", "token", "access_token", "authToken", "API_KEY", "apikey", "x-api-key",
    "private key", "credentials", "Authorization",
])
def test_some_names_say_that_a_text_is_secret(name: str) -> None:
    """However they are spelled."""
    assert names_secret(name)


@pytest.mark.parametrize("name", [
    "passed", "pass_rate", "passenger", "bypass_reason", "compass", "access", "access_level", "accessible", "private",
    "api", "api_version", "apiVersion", "tokens", "token_type", "tokenType", "token_count", "tokenizer", "secretary",
    "secret_name", "access_key_id", "private_key_id", "accreditation", "password_expires_at", "authorization_url",
])
def test_other_names_only_look_like_those(name: str) -> None:
    """What stands under them is what a reader looks for."""
    assert not names_secret(name)


def test_a_cut_through_a_secret_shows_no_part_of_it() -> None:
    """An excerpt that begins or ends in the middle of a secret leaves all of it out."""
    secret = "sk-" + "a1b2c3d4" * 6
    text = f"key {secret} end"
    for start in range(len(text)):
        assert "c3d4a1b2" not in excerpt(text, start, start + 20)


@given(ANY, st.integers(1, 80))
def test_one_line_is_one_bounded_line(text: str, most: int) -> None:
    """Whatever the text."""
    shown = one_line(text, most)
    assert len(shown) <= most
    assert "\n" not in shown


def test_clip_says_that_it_cut() -> None:
    """An ellipsis takes the place of what is missing."""
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcd", 4) == "abcd"


@given(
    st.lists(
        st.sampled_from(
            [
                *SECRETS,
                "password",
                "token",
                "=",
                ":",
                " ",
                "'",
                "hunter2hunter2",
                "sk-",
                "A",
                "x",
                "://",
                "u:p4ss@h",
                "Bearer ",
                "-----BEGIN PRIVATE KEY-----",
                "\n",
                "é",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_secret_is_missed_for_want_of_a_sign(text: str) -> None:
    """The quick look at what secrets begin with lets through whatever the pattern would find."""
    found = wording._SECRET.search(text)
    assert (found is not None) == bool(wording._secret_spans(text))


@given(ANY, st.integers(1, 60))
def test_one_line_is_the_same_however_short_the_way(text: str, most: int) -> None:
    """Text that needs no change is returned at once, and is what the long way gives."""
    assert one_line(text, most) == clip(harmless(" ".join(masked(text[: most + 400]).split())), most)


PRIVATE_KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + "".join(
    f"MIIEowIBAAKCAQEA{number:02}abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL\n" for number in range(25)
) + "-----END RSA PRIVATE KEY-----\n"
WORDS = "several words of prose stand in front of it\n" * 60


@pytest.mark.parametrize("rules", ["default", "openviking"])
@pytest.mark.parametrize("text", [
    json.dumps([{"id": number, "password": "hunter2hunter2", "name": "x"} for number in range(30)]),
    json.dumps({"rows": [{"api_key": f"hunter2hunter2{number}", "name": "x"} for number in range(30)]}, indent=1),
    "id,password\n" + "".join(f"{number},hunter2hunter2\n" for number in range(30)),
    "id;api_key\n" + "".join(f'{number};"hunter2hunter2{number}"\n' for number in range(30)),
    'id,password,note\n1,hunter2hunter2,"two\nlines"\n' + "".join(f"{n},hunter2hunter2{n},-\n" for n in range(2, 30)),
    "id,password\n" + "".join(f'{number},"hunter2hunter2""{number}"\n' for number in range(30)),
    str([{"id": number, "password": "hunter2hunter2", "name": "x"} for number in range(30)]),
    "| user | password |\n|---|---|\n" + "".join(f"| u{number} | hunter2hunter2 |\n" for number in range(30)),
    "USER   PASSWORD        HOST\n" + "".join(f"u{n:<6}hunter2hunter2  h{n}\n" for n in range(30)),
    "api_key: hunter2hunter2\n" + "".join(f"key_{number}:\n  - a\n  - b\n" for number in range(30)),
    WORDS + PRIVATE_KEY.replace("abcdefghij", "hunter2hunter2"),
    WORDS + PRIVATE_KEY.replace("abcdefghij", "hunter2hunter2") + "the end\n",
])
def test_a_secret_shows_nowhere(text: str, rules: Rules) -> None:
    """Not where its name stands in another place, nor where the text was cut inside of it."""
    assert "hunter2hunter2" in text
    for told, budget in ((synopsize, 1_000), (graph.synopsize, 1_000), (synopsize, 2_000)):
        stub = render(told(text, rules=rules, budget=budget), sha256="0" * 64)
        assert "hunter2hunter2" not in stub
