"""All languages, in the order in which equal scores are tried."""

from __future__ import annotations

from .compiled import CPP, CSHARP, GO, HASKELL, JAVA, KOTLIN, OBJECTIVEC, RUST, SCALA, SWIFT, C
from .declared import CMAKE, CSS, DOCKER, MAKE, PROTO, SQL
from .language import Language
from .scripted import ELIXIR, JAVASCRIPT, LUA, PERL, PHP, PYTHON, RUBY, SHELL, TCL, TYPESCRIPT, R
from .seldom import ERLANG, FORTRAN, LISP, OCAML, VIM

LANGUAGES: tuple[Language, ...] = (
    PYTHON, TYPESCRIPT, JAVASCRIPT, GO, RUST, JAVA, CPP, C, CSHARP, KOTLIN, SWIFT, SCALA, RUBY, PHP, PERL, SHELL, LUA,
    R, SQL, CSS, TCL, MAKE, DOCKER, PROTO, ELIXIR, HASKELL, OBJECTIVEC, CMAKE,
    LISP, OCAML, ERLANG, FORTRAN, VIM,
)  # fmt: skip
