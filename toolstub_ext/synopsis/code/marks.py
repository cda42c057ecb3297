"""What a source of a language hardly does without: a language whose marks are all missing is not looked at further.

The lines stand without what they are indented by, each behind a line end, so a mark can be the beginning or the end
of a line.
"""

from __future__ import annotations

MARKS: dict[str, tuple[str, ...]] = {
    "python": ("\ndef ", "\nimport ", "\nfrom ", "\nclass ", "self", "\nreturn", ":\n", "print(", "\n@", "\n>>> ", "\nassert ",
               "\nraise ", "\nasync "),
    "typescript": ("interface ", "\ntype ", "enum ", ": string", ": number", ": boolean", ": any", ": void", "private ",
                   "\npublic ", "readonly ", " as ", "): ", ": unknown"),
    "javascript": ("function", "\nconst ", "\nlet ", "\nvar ", "=>", "require(", "module.", "\nimport ", "this.", "export", ");\n"),
    "go": ("\nfunc ", "\npackage ", " := ", "\nimport (", "\nimport \"", "\ntype ", "\nif err", "\nconst (", "\nvar ", "struct {"),
    "rust": ("fn ", "\nlet ", "\nimpl", "\nuse ", "\npub ", "::", "\nmatch ", "\nmod ", "\n#["),
    "java": ("\nimport ", "\npublic ", "\nprivate ", "\nprotected ", "\npackage ", "class ", "\n@", " new ", "\nstatic "),
    "cpp": ("#include", "std::", "\ntemplate", "\nnamespace ", "class ", "virtual ", "::", "\nconst ", "\nusing ", "nullptr"),
    "c": ("#include", "#define", "#if", "\ntypedef ", "struct ", "\nstatic ", "\nint ", "\nvoid ", "char ", "\nreturn", "->", "\nextern ",
          ");\n"),
    "csharp": ("\nusing ", "\nnamespace ", "\npublic ", "\nprivate ", "\ninternal ", "get;", "\nvar "),
    "kotlin": ("fun ", "\nval ", "\nvar ", "class ", "\nobject "),
    "swift": ("func ", "\nlet ", "\nvar ", "\nimport ", "struct ", "\nextension ", "\nguard "),
    "scala": ("\ndef ", "\nval ", "\nobject ", "\ntrait ", "\ncase class"),
    "ruby": ("\nend\n", "\ndef ", "\nrequire", " do\n", " do |"),
    "php": ("<?php", "$"),
    "perl": ("\nuse ", "\nmy ", "\nsub ", "\npackage ", "$", "\nour "),
    "shell": ("#!", "\nfi\n", "\ndone", "then\n", "$", "\necho ", "\nexport ", "\nesac", "||", "\\\n", "\nexit", "=\"", ";;\n"),
    "lua": ("\nlocal ", "function", "\nend\n", "then\n"),
    "r": ("<- ", "library(", "%>%", "|>\n", "\n#'"),
    "sql": ("\nselect ", "\ncreate ", "\ninsert ", "\nalter ", "\ndrop ", "\nupdate ", "\nbegin", "\nwith ", "\ngrant "),
    "css": ("{\n", ";\n", "}\n"),
    "tcl": ("\nproc ", "\nset ", "\npackage ", "\nnamespace ", "} {"),
    "make": ("$(", " := ", ".PHONY", "\nendif", " ?= ", "\n@"),
    "dockerfile": ("\nFROM ", "\nRUN ", "\nCOPY ", "\nENV "),
    "protobuf": ("\nmessage ", "\nsyntax =", "\nservice ", "\nrpc "),
    "elixir": ("\ndefmodule ", "\ndef ", "\n@doc", "\n|> "),
    "haskell": (" :: ", "\nmodule ", " where\n"),
}  # fmt: skip
"""Those of SQL in lower case: it is looked at in lower case."""
