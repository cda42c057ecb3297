"""The languages that declare: schemas, styles and recipes."""

from __future__ import annotations

from .language import WORD, language

SQL = language(
    "sql",
    r"(?i:create (?:or replace )?(?:unique )?(?:table|view|index|function|procedure|trigger|schema|type|database"
    r"|temp|temporary|extension)\b|insert into \w|select .{0,200}$|from \w+.{0,120}$|where \w.{0,160}$|alter table "
    r"|drop (?:table|view|index)|(?:left|right|inner|outer|cross)? ?join \w|group by|order by"
    r"|alter \w|grant |revoke |comment on |returns |language |set \w+ to |update \w+ set"
    r"|delete from|with \w+ as|primary key|begin;?$|commit;?$|\"?\w+\"? (?:integer|int|bigint|text|varchar|char"
    r"|timestamp|boolean|numeric|serial|uuid|date|decimal|real|blob)\b.{0,120},?$)",
    r"(?i:create)[ ]+(?:(?i:or[ ]+replace|temp|temporary|unique|materialized)[ ]+){0,3}(?P<what>(?i:table|view|index"
    r"|function|procedure|trigger|schema|type))[ ]+(?:(?i:if[ ]+not[ ]+exists)[ ]+)?(?P<name>[\w.\"`\[\]]{1,120})",
    r"(?!)",
)
CSS = language(
    "css",
    r"(?:[.#@:*][^{}\n]{0,160}|(?:body|html|a|div|ul|li|h\d|p|img|table|input|button|span)\b[^{}\n]{0,100})[,{]$"
    r"|(?:-?[a-z]+(?:-[a-z]+)*|--[\w-]+): ?[^;{}\n]{1,200};$"
    r"|[\w.#*:>\[\]=\", -]{1,160}\{ ?[a-z-]+ ?: ?[^{}]{1,300}(?:\}|;)?$"
    r"|@(?:media|import|font-face|keyframes|charset|include"
    r"|mixin)\b|\}$",
    r"(?P<name>[.#@:*\w][^{};\n]{0,100})[ ]?\{",
    r"@(?:import|use)[ ]+[^\n;]{1,100}",
)
MAKE = language(
    "make",
    r"\.PHONY:|[A-Z_]+ ?[:?+]= ?|ifn?(?:eq|def) |endif$|include .*\.mk|@(?:echo|if|for)\b|.{0,100}\$\([A-Z\w@<^-]+"
    r"|[\w./%-]+:(?: [\w./%-]+\.[a-z]\w*)+$",
    r"(?<=\n)(?P<function>[\w./%-]{1,80})[ ]?:(?!=)",
    r"-?include[ ]+[^\n]{1,80}",
)
DOCKER = language(
    "dockerfile",
    r"(?:FROM \S+(?: [Aa][Ss] \w+)?$|RUN |COPY (?:--\S+ )?\S+ |WORKDIR /|ENTRYPOINT \[?|CMD \[?|ENV \w+[= ]"
    r"|EXPOSE \d|ARG \w+|USER \w+$|ADD \S+ /)",
    r"(?P<what>FROM)[ ]+(?P<name>\S{1,120})",
    r"(?!)",
)
PROTO = language(
    "protobuf",
    r"syntax = \"proto|message \w+ \{|(?:repeated |optional )?[\w.<>, ]+ \w+ = \d+.{0,60};$|service \w+ \{|rpc \w+"
    r"|enum \w+ \{|import \".*\.proto\"",
    r"(?P<what>message|service|enum|rpc)[ ]+" + WORD,
    r"import[ ]+[^\n;]{1,120}",
)
