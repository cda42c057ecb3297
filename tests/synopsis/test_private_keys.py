"""No piece of a private key is shown, wherever in a text the key stands and whatever the text is taken for."""

from __future__ import annotations

import base64
import random

import pytest

from toolstub_ext.synopsis import render, synopsize

DRAWN = random.Random(7)
LINES = [base64.b64encode(DRAWN.randbytes(48)).decode() for _ in range(40)]
KEY = ["-----BEGIN RSA PRIVATE KEY-----", *LINES, "-----END RSA PRIVATE KEY-----"]
SAID = [f"{number} orders are late at the desk, says {number * 7 % 13}" for number in range(30)]
PIECE = 16

TEXTS = {
    "alone": KEY,
    "below a text": SAID + KEY,
    "above a text": KEY + SAID,
    "its end": LINES[20:] + KEY[-1:] + SAID,
    "its beginning": SAID + KEY[:30],
    "of a diff": ["--- a/key", "+++ b/key", f"@@ -0,0 +1,{len(KEY)} @@", *[f"+{line}" for line in KEY]],
    "numbered": [f"{number:6}\t{line}" for number, line in enumerate(KEY, 1)],
    "found by grep": [f"desk/key.pem:{number}:{line}" for number, line in enumerate(KEY, 1)],
    "of YAML": ["late: true", "desk: |", *[f"  {line}" for line in KEY], "due: [1, 2]", *[f"n{n}: {n}" for n in range(20)]],
    "of PGP": [*SAID, "-----BEGIN PGP PRIVATE KEY BLOCK-----", "", *LINES, "=aB3d", "-----END PGP PRIVATE KEY BLOCK-----"],
    "of PGP, its end": [*LINES, "=aB3d", "-----END PGP PRIVATE KEY BLOCK-----", *SAID],
    "too long for one look": [KEY[0], *LINES, *LINES, *LINES, KEY[-1]],
    "in a file of names": [f"name{number}" for number in range(60)] + KEY,
}


@pytest.mark.parametrize("budget", [1000, 2000])
@pytest.mark.parametrize("lines", TEXTS.values(), ids=TEXTS.keys())
def test_no_piece_of_a_key_is_shown(lines: list[str], budget: int) -> None:
    """Neither a line of it nor a part of one."""
    synopsis = synopsize("\n".join(lines) + "\n", budget=budget)
    stub = render(synopsis, sha256="0" * 64, ref="ts_0000000000000000", tool="t")
    shown = stub + "".join(anchor.label for anchor in synopsis.anchors)
    pieces = [line[at : at + PIECE] for line in LINES for at in range(0, len(line) - PIECE, 4)]
    assert [piece for piece in pieces if piece in shown] == []
