"""The languages that are met more seldom: Lisp in its dialects, OCaml, Erlang, Fortran, Vim's, Prolog, assembly."""

from __future__ import annotations

from .language import Language

LISP = Language(
    "lisp",
    r"\((?:[a-z]{1,3}+/)?(?P<what>(?:cl-)?def(?!ault\b|er\b|ine-key\b)[\w*+!-]{0,30}|ns)"
    r"[ ]+(?:\^(?::[\w-]{1,40}|\{[^}\n]{0,100}\}|\w{1,40})[ ]+){0,2}[('(]{0,2}(?P<name>[^\s()']{1,100})",
    r"\((?:require|use-modules|import|:require|:use)[ ]+[^\n]{1,100}",
    openings="(",
)
OCAML = Language(
    "ocaml",
    r"(?<=\n)(?:let(?:[ ]+rec)?|and|val|external)[ ]+(?P<function>[a-z_][\w']{0,100})"
    r"|(?P<what>module(?:[ ]+type)?|type|exception|class)[ ]+(?:(?:nonrec|rec)[ ]+)?(?:'\w{1,20}[ ]+"
    r"|\([^)\n]{1,60}\)[ ]+)?(?P<name>[\w']{1,100})",
    r"open!?[ ]+[\w.]{1,100}",
    openings="acelmotv",
)
ERLANG = Language(
    "erlang",
    r"-(?P<what>module|record|define|type|opaque|behaviou?r)\([ ]*(?P<name>\w{1,100})"
    r"|(?<=\n)(?P<function>[a-z][\w@]{0,100})\((?=[^\n]{0,300}->)",
    r"-(?:include|include_lib|import)\([^\n]{1,120}",
    clauses=True,
)
FORTRAN = Language(
    "fortran",
    r"(?!(?i:end)\b)(?:[\w*()]{1,30}[ ]+){0,3}(?P<what>(?i:subroutine|function|module|program|interface|block data))"
    r"[ ]+(?P<name>\w{1,100})",
    r"(?i:use|include)[ ]+[^\n]{1,80}",
)
VIM = Language(
    "vim",
    r"(?:function|func|fu|def)!?[ ]+(?P<function>[\w:#.]{1,100})(?=\()"
    r"|(?P<what>command|augroup)!?[ ]+(?:-\S{1,40}[ ]+){0,6}(?P<name>\w{1,100})",
    r"(?:runtime|source)!?[ ]+[^\n]{1,100}",
    openings="acdfrs",
)
PROLOG = Language(
    "prolog",
    r":-[ ]*(?P<what>module)\([ ]*(?P<name>\w{1,100})"
    r"|(?<=\n)(?P<function>[a-z]\w{0,80})(?=\(|[ ]*(?::-|-->))",
    r":-[ ]*(?:use_module|ensure_loaded|include)\([^\n]{1,100}",
    clauses=True,
)
ASSEMBLY = Language(
    "assembly",
    r"(?<=\n)(?!\.?L\w{0,9}\d)(?P<name>[A-Za-z_.$?@][\w.$?@]{0,100}):(?![:=])"
    r"|(?:PROLOGUE|EPILOGUE|ENTRY|FUNC\w{0,20}|GLOBAL\w{0,20})[ ]?\((?P<function>[\w.$]{1,100})\)"
    r"|(?P<what>\.?(?:proc|macro)|%i?macro)[ \t]+(?P<type>[\w.$]{1,100})"
    r"|(?<=\n)(?P<method>[A-Za-z_]\w{0,100})[ \t]+(?i:proc|macro)\b",
    r"[%.#]?(?i:include)[ \t]+[^\n]{1,80}",
)
