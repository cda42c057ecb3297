"""The languages that run from source."""

from __future__ import annotations

from .language import ASSIGNED, MODIFIERS, TESTS, WORD, Language

PYTHON = Language(
    "python",
    r"(?P<what>class)[ ]+(?P<name>\w{1,120})|(?:async[ ]+)?def[ ]+(?P<function>\w{1,120})"
    r"|(?<=\n)(?P<constant>[A-Z][A-Z0-9_]{2,60})[ ]?(?::[^=\n]{1,80})?=(?!=)",
    r"(?:import[ ]+[\w.]+[^\n]{0,80}|from[ ]+[\w.]+[ ]+import\b[^\n]{0,80})",
    quotes=('"""', "'''"),
    openings="A-Zacdfi",
)
JAVASCRIPT = Language(
    "javascript",
    r"(?:export[ ]+)?(?:default[ ]+)?(?P<what>class)[ ]+"
    + WORD
    + r"|(?:export[ ]+)?(?:default[ ]+)?(?:async[ ]+)?function\*?[ ]+(?P<function>[\w$]{1,120})"
    r"|(?:export[ ]+)?(?:const|let|var)[ ]+(?P<bound>[\w$]{1,120}+)[^=\n]{0,120}=[ ]?(?:async\b[ ]?)?(?:function\b"
    r"|\([^)\n]{0,200}\)[^=\n]{0,80}=>|[\w$]{1,60}[ ]?=>)"
    r"|(?<=\n)(?:export[ ]+)?(?:const|let|var)[ ]+(?P<constant>[\w$]{1,120})"
    r"|(?:(?:static|async|get|set)[ ]+|\*[ ]?){0,3}(?!if\b|for\b|while\b|switch\b|catch\b|function\b|return\b"
    r"|super\b)(?P<method>#?[\w$]{1,80}+)\([^\n;(){}]{0,200}\)[ ]?\{[ \t]*(?=\n)"
    r"|(?:module\.)?exports\.(?P<exported>[\w$]{1,80})[ ]?="
    rf"|{TESTS}|{ASSIGNED}",
    r"(?:import\b[^\n]{0,160}|(?:const|let|var)[ ]+[^\n=]{1,100}=[ ]?require\([^\n)]{0,100}\))",
)
TYPESCRIPT = Language(
    "typescript",
    r"(?:export[ ]+)?(?:default[ ]+)?(?:declare[ ]+)?(?:abstract[ ]+)?(?P<what>class|interface|enum|namespace|type)[ ]+"
    + WORD
    + r"|(?:export[ ]+)?(?:default[ ]+)?(?:declare[ ]+)?(?:async[ ]+)?function\*?[ ]+(?P<function>[\w$]{1,120})"
    r"|(?:export[ ]+)?(?:const|let|var)[ ]+(?P<bound>[\w$]{1,120}+)[^=\n]{0,120}=[ ]?(?:async\b[ ]?)?(?:function\b"
    r"|(?:<[^>\n]{1,80}>)?\([^)\n]{0,200}\)[^=\n]{0,80}=>|[\w$]{1,60}[ ]?=>)"
    r"|(?<=\n)(?:export[ ]+)?(?:declare[ ]+)?(?:const|let|var)[ ]+(?P<constant>[\w$]{1,120})"
    r"|(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set)[ ]+){0,5}(?!if\b|for\b"
    r"|while\b|switch\b|catch\b|function\b|return\b|super\b)"
    r"(?P<method>#?[\w$]{1,80}+)\??(?:<[^>\n]{1,80}>)?\((?:[^\n;{}]{0,200}\)(?:(?::[^\n{;]{1,100})?[ ]?\{[ \t]*(?=\n)"
    r"|:[ ][^\n;=]{1,120};[ \t]*(?=\n))"
    r"|(?=\n[ \t]+(?:@\w{1,40}\([^)\n]{0,60}\)[ ]+)?(?:(?:public|private|protected|readonly)[ ]+){0,2}"
    r"\.{0,3}\w{1,60}\??:[ ]))"
    r"|(?:(?:public|private|protected|static|readonly)[ ]+){0,3}"
    rf"(?:{ASSIGNED})|{TESTS}",
    r"import\b[^\n]{0,160}",
)
RUBY = Language(
    "ruby",
    r"(?P<what>class|module)[ ]+(?P<name>[\w:]{1,120})|def[ ]+(?P<function>[\w.?!=<>\[\]+*/%~-]{1,120})"
    r"|(?:RSpec\.)?(?P<block>describe|context|feature|scenario|specify|it|test|task|namespace)[ ]+"
    r"(?=[^\n]{0,200}[ ]do\b)['\":]?(?P<target>[^'\",\n]{1,80}?)(?=['\",]|[ ]do\b|:[ ]|[ ]=>)"
    r"|(?<=\n)(?P<constant>[A-Z][A-Z0-9_]{2,60})[ ]?=(?!=)",
    r"require(?:_relative)?[ ]+[^\n]{1,120}",
    openings="A-Zcdfimnrst",
)
PHP = Language(
    "php",
    MODIFIERS
    + r"{0,4}(?P<what>class|interface|trait|enum)[ ]+"
    + WORD
    + "|"
    + MODIFIERS
    + r"{0,4}function[ ]+&?(?P<function>\w{1,120})",
    r"(?:use|require|include)(?:_once)?\b[^\n;]{1,120}",
    openings="acdefilmnoprstuvw",
)
SHELL = Language(
    "shell",
    r"(?:function[ ]+)?(?P<function>[\w:-]{1,120})[ ]?\([ ]?\)[ \t]*(?=\{|\n)|function[ ]+(?P<method>[\w:-]{1,120})"
    r"|(?<=\n)(?:export[ ]+|readonly[ ]+)?(?P<constant>[A-Z][A-Z0-9_]{2,60})=",
    r"(?:source|\.)[ ]+[^\n]{1,120}",
)
PERL = Language(
    "perl",
    r"(?P<what>package)[ ]+(?P<name>[\w:]{1,120})|sub[ ]+(?P<function>[\w:]{1,120})"
    r"|(?P<block>subtest)[ ]+['\"](?P<target>[^'\"\n]{1,80})",
    r"(?:use|require)[ ]+[A-Z][^\n;]{0,120}",
    openings="prsu",
)
LUA = Language(
    "lua",
    r"(?:local[ ]+)?function[ ]+(?P<function>[\w.:]{1,120})|(?:local[ ]+)?(?P<bound>[\w.]{1,80})[ ]?=[ ]?function\b"
    rf"|{TESTS}",
    r"(?:local[ ]+\w+[ ]?=[ ]?)?require\b[^\n]{1,120}",
)
R = Language(
    "r",
    r"[`\"]?(?P<function>[\w.%<+-]{1,120})[`\"]?[ ]?(?:<-|=)[ ]?(?:function\b|\\\()"
    r"|(?P<what>set(?:Class|RefClass|Generic|Method))\([ ]?['\"](?P<name>[^'\"\n]{1,80})"
    r"|(?P<block>test_that|describe|it)\([ ]?['\"](?P<target>[^'\"\n]{1,80})",
    r"(?:library|require)\([^\n)]{1,80}\)",
)
TCL = Language(
    "tcl",
    r"proc[ ]+(?P<function>[\w:]{1,120})|(?P<what>namespace)[ ]+eval[ ]+(?P<name>[\w:]{1,120})",
    r"package[ ]+require[ ]+[^\n]{1,80}",
    openings="np",
)
ELIXIR = Language(
    "elixir",
    r"(?P<what>defmodule)[ ]+(?P<name>[\w.]{1,120})|def(?:p|macro)?[ ]+(?P<function>[\w?!]{1,120})"
    r"|(?P<block>describe|test)[ ]+\"(?P<target>[^\"\n]{1,80})\"",
    r"(?:alias|import|use)[ ]+[A-Z][^\n]{1,100}",
    openings="aditu",
    clauses=True,
)
JULIA = Language(
    "julia",
    r"(?:@\w{1,40}[ ]+){0,3}(?:function|(?P<what>macro))[ ]+(?P<function>[\w.!]{1,120})"
    r"|(?:mutable[ ]+)?(?P<block>struct|module|baremodule|abstract type|primitive type)[ ]+(?P<target>\w{1,120})"
    r"|(?<=\n)(?P<bound>[\w.!]{1,80})\([^=\n]{0,200}\)[^=\n]{0,60}=(?!=)|(?<=\n)const[ ]+(?P<constant>\w{1,120})",
    r"(?:using|import)[ ]+[A-Z.][^\n]{0,120}|include\([^)\n]{1,80}\)",
    quotes=('"""',),
)
OCTAVE = Language(
    "octave",
    r"function[ ]+(?:(?:\[[^\]\n]{0,120}\]|\w{1,60})[ ]*=[ ]*)?(?P<function>[\w.]{1,120})"
    r"|(?P<what>classdef)[ ]+(?:\([^)\n]{0,60}\)[ ]*)?(?P<name>\w{1,100})",
    r"pkg[ ]+load[ ]+[^\n]{1,80}",
    openings="cfp",
)
GROOVY = Language(
    "groovy",
    MODIFIERS
    + r"{0,5}(?P<what>class|interface|trait|enum)[ ]+"
    + WORD
    + r"|(?P<block>task|stage)[ ]?(?:\([ ]?)?['\"]?(?P<target>[\w./-][\w ./-]{0,80})"
    + r"|(?!return\b|else\b|new\b)"
    + MODIFIERS
    + r"{0,4}[\w<>\[\],.?]{1,60}[ ]+(?P<method>\w{1,100}|\"[^\"\n]{1,100}\"|'[^'\n]{1,100}')"
    r"[ ]?\((?=[^;=\n]{0,200}\{[ \t]*(?:\n|$))"
    r"|(?<=\n)(?P<section>[a-z]\w{1,60})[ ]\{",
    r"(?:import[ ]+[^\n]{1,160}|apply[ ]+plugin:[^\n]{1,80})",
)
POWERSHELL = Language(
    "powershell",
    r"(?i:function|filter|workflow)[ ]+(?P<function>[\w:-]{1,120})"
    r"|(?i:(?P<what>class|enum|configuration))[ ]+(?P<name>\w{1,120})(?=[^=\n]{0,80}(?:\{|\n))"
    r"|(?i:(?P<block>describe|context|it))[ ]+['\"](?P<target>[^'\"\n]{1,80})"
    r"|(?<=\n)\$(?:\w{1,20}:)?(?P<constant>[A-Za-z]\w{2,60})[ ]*=",
    r"(?i:import-module|using[ ]+(?:module|namespace)|#requires)[ ]+[^\n]{1,100}",
)
