"""What a source of a language hardly does without: a language whose marks are all missing is not looked at further.

A mark is a piece of a line; one that begins or ends with a line end stands at the beginning or the end of a line.
"""

from __future__ import annotations

MARKS: dict[str, tuple[str, ...]] = {
    "python": ("def ", "import ", "class ", "self", "return", ":\n", "print(", "\n@", ">>> ", "assert ", "raise "),
    "typescript": (
        "interface ", "type ", "enum ", ": string", ": number", ": boolean", ": any", ": void", "private ", "public ",
        "readonly ", " as ", "): ", ": unknown",
    ),
    "javascript": ("function", "const ", "let ", "var ", "=>", "require(", "module.", "import ", "this.", "exports"),
    "go": ("func ", "package ", ":= ", "import (", "import \"", "type ", "if err", "const (", "var ", "struct {"),
    "rust": ("fn ", "let ", "impl", "use ", "pub ", "::", "match ", "mod ", "#["),
    "java": ("import java", "public ", "private ", "protected ", "package ", "class ", "@Override", "new ", "static "),
    "cpp": ("#include", "std::", "template", "namespace ", "class ", "virtual ", "::", "const ", "using ", "nullptr"),
    "c": ("#include", "#define", "#if", "typedef ", "struct ", "static ", "int ", "void ", "char ", "return", "->", "extern "),
    "csharp": ("using ", "namespace ", "public ", "private ", "internal ", "get;", "var ", "new "),
    "kotlin": ("fun ", "val ", "var ", "class ", "object ", "package "),
    "swift": ("func ", "let ", "var ", "import ", "struct ", "extension ", "guard "),
    "scala": ("def ", "val ", "object ", "trait ", "case class", "import "),
    "ruby": ("end\n", "def ", "require", "module ", " do\n", " do |"),
    "php": ("<?php", "$", "function "),
    "perl": ("use ", "my ", "sub ", "package ", "$", "=head", "our "),
    "shell": ("#!", "fi\n", "done\n", "then\n", "$", "echo ", "export ", "esac", "||", "&&", "\\\n", "exit", "="),
    "lua": ("local ", "function", "end\n", "then\n"),
    "r": ("<- ", "library(", "%>%", "|>", "#'"),
    "sql": ("select ", "create ", "insert ", "alter ", "drop ", "update ", "begin", "with ", "grant "),
    "css": ("{\n", "}\n", ";\n"),
    "tcl": ("proc ", "set ", "$", "package ", "namespace ", "} {"),
    "make": ("$(", ":=", ".PHONY", "\n\t", "endif", "?="),
    "dockerfile": ("\nFROM ", "\nRUN ", "\nCOPY ", "\nENV "),
    "protobuf": ("message ", "syntax =", "service ", "rpc "),
    "elixir": ("defmodule ", "def ", " do\n", "@doc", "|> "),
    "haskell": ("::", " -> ", "module ", "import ", "where\n", " where"),
}  # fmt: skip
"""Of SQL in lower case; the text is looked at in lower case too."""
