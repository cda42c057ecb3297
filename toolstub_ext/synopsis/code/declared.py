"""The languages that declare: schemas, styles and recipes."""

from __future__ import annotations

from .language import WORD, Language

SQL = Language(
    "sql",
    r"(?i:create)[ ]+(?:(?i:or[ ]+replace|temp|temporary|unique|materialized)[ ]+){0,3}(?P<what>(?i:table|view|index"
    r"|function|procedure|trigger|schema|type))[ ]+(?:(?i:if[ ]+not[ ]+exists)[ ]+)?(?P<name>[\w.\"`\[\]]{1,120})",
    r"(?!)",
    openings="Cc",
)
CSS = Language(
    "css",
    r"(?P<rule>[.#@:*\w][^{};\n]{0,100})[ ]?\{",
    r"@(?:import|use)[ ]+[^\n;]{1,100}",
)
MAKE = Language(
    "make",
    r"(?<=\n)(?!\.[A-Z])(?P<rule>[\w./%$(){}-]{1,80})[ ]?:(?!=)",
    r"-?include[ ]+[^\n]{1,80}",
)
DOCKER = Language(
    "dockerfile",
    r"(?P<what>FROM)[ ]+(?P<name>\S{1,120})",
    r"(?!)",
    openings="F",
)
PROTO = Language(
    "protobuf",
    r"(?P<what>message|service|enum|rpc)[ ]+" + WORD,
    r"import[ ]+[^\n;]{1,120}",
    openings="eimrs",
)
CMAKE = Language(
    "cmake",
    r"(?P<what>(?i:function|macro|add_library|add_executable|add_custom_target))[ ]?\([ ]*(?P<name>[\w.:${}-]{1,120})",
    r"(?i:include|find_package|add_subdirectory)[ ]?\([^)\n]{1,120}",
    openings="AFIMafim",
)
TERRAFORM = Language(
    "terraform",
    r"(?:resource|data)[ ]+\"(?P<what>\w{1,80})\"[ ]+\"(?P<name>[\w-]{1,80})\""
    r"|(?P<block>provider|module|variable|output)[ ]+\"(?P<target>[^\"\n]{1,80})\""
    r"|(?P<section>locals|terraform)[ ]*\{",
    r"(?!)",
    openings="dlmoprtv",
)
GRAPHQL = Language(
    "graphql",
    r"(?:extend[ ]+)?(?P<what>type|input|enum|interface|union|scalar|directive|query|mutation|subscription|fragment)"
    r"[ ]+@?(?P<name>\w{1,100})",
    r"(?!)",
    quotes=('"""',),
    openings="defimqstu",
)
NIX = Language(
    "nix",
    r"(?P<section>[\w.'\"-]{1,80})[ ]*=(?!=)(?=[^;\n]{0,160}(?:\n|$))",
    r"import[ ]+[./<][^\n;]{1,80}",
    quotes=("''",),
)
