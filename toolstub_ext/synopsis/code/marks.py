"""What a source of a language hardly does without: a language whose marks are all missing is not looked at further."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marks:
    """First words of lines, and pieces of lines, one of which a source has; a piece may end with the line end."""

    words: frozenset[str]
    pieces: tuple[str, ...]

    def stand_in(self, words: frozenset[str], text: str) -> bool:
        """Whether one of them is among the first words of the lines, or in their text."""
        return not self.words.isdisjoint(words) or any(piece in text for piece in self.pieces)


def _marks(words: str, *pieces: str) -> Marks:
    return Marks(frozenset(words.split()), pieces)


MARKS: dict[str, Marks] = {
    "python": _marks(
        "def import from class return @property if for while with try: else: elif except"
        " raise assert async self pass >>> print",
        "self.",
        ":\n",
        "print(",
        "import ",
    ),
    "typescript": _marks(
        "interface type enum export public private readonly import const declare abstract",
        ": string",
        ": number",
        ": boolean",
        ": any",
        ": void",
        "): ",
        " as ",
        ": unknown",
    ),
    "javascript": _marks(
        "function const let var import export return if( async class module.exports 'use \"use",
        "=>",
        "require(",
        "this.",
        ");\n",
        "function",
        "= ",
    ),
    "go": _marks("func package import type var const if for return case defer", " := ", "struct {", "func("),
    "rust": _marks("fn let impl use pub match mod #[derive #[cfg #[test] struct enum trait", "::", "fn ", "let "),
    "java": _marks(
        "import package public private protected @Override class abstract final static return", "new ", "public "
    ),
    "cpp": _marks(
        "#include template namespace class virtual using struct public: private: #ifndef #define",
        "std::",
        "::",
        "nullptr",
        "const ",
    ),
    "c": _marks(
        "#include #define #if #ifdef #ifndef #endif typedef struct static int void char return extern"
        " unsigned enum if for",
        "->",
        ");\n",
        "char ",
        "struct ",
    ),
    "csharp": _marks("using namespace public private internal protected var [", "get;"),
    "kotlin": _marks("fun val var class object package data override private", "fun "),
    "swift": _marks("func let var import struct extension guard class @IBOutlet public private", "func "),
    "scala": _marks("def val object trait case import class package override"),
    "ruby": _marks(
        "end def require require_relative module class attr_reader attr_accessor describe it puts", " do\n", " do |"
    ),
    "php": _marks("<?php namespace use class function public private protected return echo", "$"),
    "perl": _marks("use my sub package our #!/usr/bin/perl =head1 return if foreach print", "$", "->"),
    "shell": _marks(
        "#! fi done then export esac echo set local case exit return if for while do",
        "$",
        "||",
        "\\\n",
        ";;\n",
        '="',
        "='",
        "; then",
    ),
    "lua": _marks("local function end end) return if for", "function", "then\n"),
    "r": _marks("library( #'", "<- ", "library(", "%>%", "|>\n"),
    "sql": _marks(
        "select create insert alter drop update begin with grant from where set comment"
        " SELECT CREATE INSERT ALTER DROP UPDATE BEGIN WITH GRANT FROM WHERE"
        " SET COMMENT Select Create DO"
    ),
    "css": _marks("} @media @import body html a :root", "{\n", ";\n", "}\n"),
    "tcl": _marks("proc set package namespace if foreach } return variable bind catch", "} {", " $"),
    "make": _marks("include -include ifeq ifdef ifndef endif .PHONY: @echo all:", "$(", " := ", " ?= "),
    "dockerfile": _marks("FROM RUN COPY ENV ENTRYPOINT CMD WORKDIR"),
    "protobuf": _marks("message syntax service rpc enum package"),
    "elixir": _marks("defmodule def defp @doc @moduledoc |> alias use", " do\n"),
    "haskell": _marks("module import data newtype instance where type", " :: ", " -> "),
}
