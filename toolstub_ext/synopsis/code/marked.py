"""What marks a source whatever its words are: how it is run, how it or its documentation is opened."""

from __future__ import annotations

from ..patterns import Pattern
from .reading import SEARCHED

_RUN_BY = {
    "python": "python", "ruby": "ruby", "perl": "perl", "node": "javascript", "bash": "shell", "zsh": "shell",
    "sh": "shell", "dash": "shell", "ksh": "shell", "lua": "lua", "tclsh": "tcl", "wish": "tcl", "Rscript": "r",
    "php": "php", "octave": "octave", "julia": "julia", "groovy": "groovy", "pwsh": "powershell", "swipl": "prolog",
    "escript": "erlang", "elixir": "elixir", "ocaml": "ocaml", "guile": "lisp", "make": "make", "runghc": "haskell",
    "runhaskell": "haskell",
}  # fmt: skip
"""Programs that a first line names, and the languages that they run."""
_SHEBANG = Pattern(rf"#!.{{0,40}}\b({'|'.join(_RUN_BY)})(?![A-Za-z-])")
_FIRST_LINES = 20
_COMPONENT = ("<template>", "<script>", "<script ")
_TYPED = ('<script lang="ts"', '<script setup lang="ts"', '<script context="module" lang="ts"')
"""How components of Vue and Svelte begin, and those whose scripts are TypeScript."""
_BRACKETED = Pattern(r"#\[=*+\[")
"""How a comment over several lines opens in CMake: its modules are documented so, at more length than they are long."""
_INSERTS = Pattern(r"(?i)insert into [\w.\"`\[\]]{1,120} ?(?:\([^)]{1,2000}\) ?)?values ?\(")
_POD = Pattern(r"=(?:head[1-4]|item|method|attr)[ \t]+\S|=(?:over|back|cut|pod)\b")
_LEAST_POD = 2
"""So many commands of Perl's documentation are what nothing else has."""


def marked(lines: list[str]) -> str:
    """The language whose mark the first line with anything in it is; else none."""
    first = next((line for line in lines[:_FIRST_LINES] if line and not line.isspace()), "")
    if first.startswith("#!") and (shebang := _SHEBANG.match(first)):
        return _RUN_BY[shebang[1]]
    if first.startswith("<?php"):
        return "php"
    if first.startswith(_COMPONENT):
        return "typescript" if any(line.startswith(_TYPED) for line in lines[:SEARCHED]) else "javascript"
    if first.startswith("#") and any(map(_BRACKETED.match, lines[:_FIRST_LINES])):
        return "cmake"
    return "sql" if _INSERTS.match(first) else ""


def has_pod(lines: list[str]) -> bool:
    """Whether there are commands of Perl's documentation."""
    commands = [line for line in lines[:SEARCHED] if line[:1] == "="]
    return len(commands) >= _LEAST_POD and sum(1 for line in commands if _POD.match(line)) >= _LEAST_POD
