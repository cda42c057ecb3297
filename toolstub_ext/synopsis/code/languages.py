"""All languages, in the order in which equal scores are tried."""

from __future__ import annotations

from .compiled import CPP, CSHARP, DART, GO, HASKELL, JAVA, KOTLIN, OBJECTIVEC, RUST, SCALA, SWIFT, ZIG, C
from .declared import CMAKE, CSS, DOCKER, GRAPHQL, MAKE, NIX, PROTO, SQL, TERRAFORM
from .language import Language
from .scripted import (
    ELIXIR,
    GROOVY,
    JAVASCRIPT,
    JULIA,
    LUA,
    OCTAVE,
    PERL,
    PHP,
    POWERSHELL,
    PYTHON,
    RUBY,
    SHELL,
    TCL,
    TYPESCRIPT,
    R,
)
from .seldom import ASSEMBLY, ERLANG, FORTRAN, LISP, OCAML, PROLOG, VIM

LANGUAGES: tuple[Language, ...] = (
    PYTHON, TYPESCRIPT, JAVASCRIPT, GO, RUST, JAVA, CPP, C, CSHARP, KOTLIN, SWIFT, SCALA, RUBY, PHP, PERL, SHELL, LUA,
    R, SQL, CSS, TCL, MAKE, DOCKER, PROTO, ELIXIR, HASKELL, OBJECTIVEC, CMAKE,
    LISP, OCAML, ERLANG, FORTRAN, VIM,
    ASSEMBLY, GROOVY, OCTAVE, PROLOG, POWERSHELL, NIX, ZIG, JULIA, DART, TERRAFORM, GRAPHQL,
)  # fmt: skip
