"""The languages: what tells one, and what defines a name in it.

A cue is a line that hardly occurs outside the language. A definition pattern starts behind a line end; its group
`name` is the name defined and `what` the word to show with it. Every repetition is bounded or possessive, so that a
search is linear whatever the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_IN = r"\n(?P<indent>[ \t]*+)"
_WORD = r"(?P<name>[A-Za-z_$][\w$]{0,120})"


@dataclass(frozen=True, slots=True)
class Language:
    """A language: cues match a line from its beginning, `definitions` and `imports` are searched in the text."""

    name: str
    cues: re.Pattern[str]
    definitions: re.Pattern[str]
    imports: re.Pattern[str]


def _language(name: str, cues: str, definitions: str, imports: str) -> Language:
    return Language(
        name,
        re.compile(rf"[ \t]{{0,40}}+(?:{cues})"),
        re.compile(_IN + rf"(?:{definitions})"),
        re.compile(rf"\n[ \t]*+(?P<import>{imports})"),
    )


_C_FUNCTION = (
    r"(?<=\n)(?!(?:if|for|while|return|else|switch|case|goto|do|typedef|using|throw|new|delete|assert)\b)"
    r"[A-Za-z_][\w \t*&:<>,]{0,100}?[ \t*&](?P<name>~?[A-Za-z_]\w{0,80}(?:::~?\w{1,80}){0,4})[ \t]?\((?=[^;\n]{0,300}(?:\n|$))"
)
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed|synchronized|native"
    r"|open|data|inline|suspend|partial|readonly|extern|unsafe|default|implicit|case|lazy|mutating|fileprivate|inner"
    r"|operator|companion|required|convenience|weak|new)[ ]+)"
)

PYTHON = _language(
    "python",
    r"(?:async )?def \w+\(.{0,300}|class \w+(?:\(.{0,200}\))?:\s{0,4}(?:#|$)|from [\w.]+ import \S|import [a-z_][\w.]*(?: as \w+)?\s*$"
    r"|(?:if|elif|for|while|with|except|try|else|finally)\b[^\n]{0,200}:\s*(?:#.*)?$|return(?: [\w\[({\"'-].*)?$|raise \w+|@\w[\w.]*(?:\(|$)"
    r"|self\.\w+|assert \w|yield \w|[a-z_]\w* = [\w\[({\"']|print\(|(?:f|r|b)?\"\"\"|\"\"\"|>>> |pass$|[a-z_]\w{0,40}(?:\.\w{1,40})+\(.{0,200}\)$",
    r"(?P<what>class)[ ]+(?P<name>\w{1,120})|(?:async[ ]+)?def[ ]+(?P<function>\w{1,120})"
    r"|(?<=\n)(?P<constant>[A-Z][A-Z0-9_]{2,60})[ ]?(?::[^=\n]{1,80})?=(?!=)",
    r"(?:import[ ]+[\w.]+[^\n]{0,80}|from[ ]+[\w.]+[ ]+import\b[^\n]{0,80})",
)
JAVASCRIPT = _language(
    "javascript",
    r"(?:export )?(?:default )?(?:async )?function\*? ?\w*\(|(?:export )?(?:const|let|var) [\w${\[].{0,200}[=;]|import .{1,200} from ['\"]"
    r"|import ['\"]|(?:module\.)?exports\b|.{0,200}=> ?[{(]|.{0,80}\brequire\(['\"]|return .{0,200};$|(?:if|for|while|switch) ?\(.{0,200}\{$"
    r"|\}(?: else.{0,80}\{|\)?[;,]?)$|this\.\w+|class \w+ (?:extends \w[\w.]* )?\{|await |case .{1,80}:$|['\"]use strict|[\w$.]+\(.{0,200}\);$|[\w.$]+ = .{1,200};$",
    r"(?:export[ ]+)?(?:default[ ]+)?(?P<what>class)[ ]+"
    + _WORD
    + r"|(?:export[ ]+)?(?:default[ ]+)?(?:async[ ]+)?function\*?[ ]+(?P<function>[\w$]{1,120})"
    r"|(?:export[ ]+)?(?:const|let|var)[ ]+(?P<bound>[\w$]{1,120})[^=\n]{0,120}=[ ]?(?:async\b[ ]?)?(?:function\b|\([^)\n]{0,200}\)[^=\n]{0,80}=>|[\w$]{1,60}[ ]?=>)"
    r"|(?<=\n)(?:export[ ]+)?(?:const|let|var)[ ]+(?P<constant>[\w$]{1,120})"
    r"|(?:(?:static|async|get|set)[ ]+|\*[ ]?){0,3}(?!if\b|for\b|while\b|switch\b|catch\b|function\b|return\b|super\b)(?P<method>#?[\w$]{1,80})\([^\n;(){}]{0,200}\)[ ]?\{[ \t]*(?=\n)"
    r"|(?:module\.)?exports\.(?P<exported>[\w$]{1,80})[ ]?=",
    r"(?:import\b[^\n]{0,160}|(?:const|let|var)[ ]+[^\n=]{1,100}=[ ]?require\([^\n)]{0,100}\))",
)
TYPESCRIPT = _language(
    "typescript",
    r"(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|enum|namespace) \w+|import type |(?:public|private|protected|readonly) (?:async )?\w+[(?:=]"
    r"|(?:export )?(?:async )?function \w+(?:<.{1,80}>)?\(.{0,200}\): |\w+\??: (?:string|number|boolean|any|unknown|void|[A-Z]\w*)(?:\[\])?(?: \|.{0,80})?[;,]?$"
    r"|(?:const|let) \w+: \w|.{0,120}\bas (?:const|any|unknown|string|[A-Z]\w+)\b|.{0,120}\): (?:Promise<|string|void|boolean|number|[A-Z]\w+).{0,60}(?:\{|=>)",
    r"(?:export[ ]+)?(?:default[ ]+)?(?:declare[ ]+)?(?:abstract[ ]+)?(?P<what>class|interface|enum|namespace|type)[ ]+"
    + _WORD
    + r"|(?:export[ ]+)?(?:default[ ]+)?(?:declare[ ]+)?(?:async[ ]+)?function\*?[ ]+(?P<function>[\w$]{1,120})"
    r"|(?:export[ ]+)?(?:const|let|var)[ ]+(?P<bound>[\w$]{1,120})[^=\n]{0,120}=[ ]?(?:async\b[ ]?)?(?:function\b|(?:<[^>\n]{1,80}>)?\([^)\n]{0,200}\)[^=\n]{0,80}=>|[\w$]{1,60}[ ]?=>)"
    r"|(?<=\n)(?:export[ ]+)?(?:declare[ ]+)?(?:const|let|var)[ ]+(?P<constant>[\w$]{1,120})"
    r"|(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set)[ ]+){0,5}(?!if\b|for\b|while\b|switch\b|catch\b|function\b|return\b|super\b)"
    r"(?P<method>#?[\w$]{1,80})(?:<[^>\n]{1,80}>)?\([^\n;{}]{0,200}\)(?::[^\n{;]{1,100})?[ ]?\{[ \t]*(?=\n)",
    r"import\b[^\n]{0,160}",
)
GO = _language(
    "go",
    r"package \w+$|func (?:\(\w* ?\*?[\w.\[\]]+\) )?\w+.{0,300}\{$|type \w+ (?:struct|interface|func|map|\[\]|\w)|import (?:\(|\")|.{0,200}:= |if err != nil|\w+ (?:\*|\[\]|map\[)?\w+(?:\.\w+)? +`"
    r"|return (?:nil|err|\w+, (?:nil|err|true|false))|defer |go func|var \w+ |for .{0,100}\brange |\} else \{$|case .{1,100}:$|switch .{0,100}\{$|[a-z]\w{0,40}\.\w{1,40}\(.{0,200}\)$|\"[\w./-]+\"$",
    r"func[ ]+\([^)\n]{1,80}\)[ ]+(?P<method>\w{1,120})|func[ ]+(?P<function>\w{1,120})|(?P<what>type)[ ]+(?P<name>\w{1,120})"
    r"|(?<=\n)(?:const|var)[ ]+(?P<constant>\w{1,120})",
    r"(?:import[ ]+\"[^\"\n]{1,160}\"|(?:[\w.]+[ ]+)?\"[\w./-]{1,160}\"(?=\n))",
)
RUST = _language(
    "rust",
    r"(?:pub(?:\(\w+\))? )?(?:async |unsafe |const )*(?:fn \w+|struct \w+|enum \w+|trait \w+|mod \w+;?|impl\b|use [\w:{]+|type \w+ =|static \w+:|const \w+:)|let (?:mut )?[\w(].{0,200}[=;{]|#!?\[\w+"
    r"|match .{0,120}\{$|.{0,200}=> .{0,200}[,{]$|\}[,;)]*$|if let |.{0,120}\.unwrap\(|Some\(|Ok\(|Err\(|\w+: [\w:<>&\[\]]+,$|[\w.:!]+\(.{0,200}\)[;?]",
    r"(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?:default[ ]+|async[ ]+|unsafe[ ]+|const[ ]+|extern[ ]+\"\w{1,10}\"[ ]+){0,4}fn[ ]+(?P<function>\w{1,120})"
    r"|(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?P<what>struct|enum|trait|union|mod|type|macro_rules!)[ ]+(?P<name>\w{1,120})"
    r"|(?:unsafe[ ]+)?(?P<block>impl)\b(?:<[^>\n]{0,80}>)?[ ]+(?P<target>[^\n{]{1,100})"
    r"|(?<=\n)(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?:const|static)[ ]+(?:mut[ ]+)?(?P<constant>\w{1,120})",
    r"(?:pub[ ]+)?use[ ]+[^\n;]{1,160}",
)
JAVA = _language(
    "java",
    r"(?:package|import)(?: static)? [\w.*]+;$|(?:public|private|protected|static|final|abstract) .{0,200}[({;=]|@(?:Override|Test|\w+\()|return .{0,200};$|(?:if|for|while|switch|catch|synchronized) ?\(.{0,200}\{?$|\}(?: else.{0,80}\{| catch .{0,80}\{| finally \{)?[;)]*$"
    r"|(?:final )?[A-Z][\w<>\[\], ?]{0,80} \w+ = .{0,200}|throw new |this\.\w+|.{0,40}\bnew [A-Z]\w*[(<\[]|[\w.]+\(.{0,200}\);$|[\w.]+ = .{1,200};$|(?:int|long|boolean|double|String) \w+",
    r"(?:@\w+[ ]+)?"
    + _MODIFIERS
    + r"{0,6}(?P<what>class|interface|enum|record|@interface)[ ]+"
    + _WORD
    + r"|(?!return\b|throw\b|else\b|new\b)"
    + _MODIFIERS
    + r"{1,6}(?:<[^>\n]{1,80}>[ ]+)?(?:[\w.<>\[\],?]{1,100}[ ]+){0,3}(?P<method>\w{1,120})[ ]?\((?=[^;\n]{0,300}(?:\n|$))",
    r"import[ ]+[^\n;]{1,160}",
)
KOTLIN = _language(
    "kotlin",
    r"(?:"
    + _MODIFIERS
    + r"){0,4}(?:fun (?:<.{1,40}> )?[\w.`]+\(|va[lr] \w+(?::| =| by)|(?:data |sealed )?(?:class|object) \w+(?:<.{1,40}>)?(?: ?[({:].{0,160})?$)|package [\w.]+$|import [\w.*]+$|when ?\(",
    _MODIFIERS
    + r"{0,6}(?P<what>class|interface|object|enum class)[ ]+"
    + _WORD
    + "|"
    + _MODIFIERS
    + r"{0,6}fun[ ]+(?:<[^>\n]{1,60}>[ ]+)?(?:[\w<>?]{1,60}\.)?(?P<function>[\w`]{1,120})"
    r"|(?<=\n)" + _MODIFIERS + r"{0,3}(?:const[ ]+)?va[lr][ ]+(?P<constant>\w{1,120})",
    r"import[ ]+[^\n]{1,160}",
)
SCALA = _language(
    "scala",
    r"(?:"
    + _MODIFIERS
    + r"){0,4}(?:def \w+[\[(:= ].{0,200}|(?:case )?(?:class|object|trait) \w+.{0,120}[{(:]$|val \w+(?::| =).{0,200})|package [\w.]+$|import [\w.]+\.[\w{}_, ]+$|case .{1,100} =>",
    _MODIFIERS
    + r"{0,6}(?P<what>class|object|trait|enum)[ ]+"
    + _WORD
    + "|"
    + _MODIFIERS
    + r"{0,6}def[ ]+(?P<function>[\w$+*/<>=!~:-]{1,80})",
    r"import[ ]+[^\n]{1,160}",
)
CSHARP = _language(
    "csharp",
    r"using (?:static )?[\w.]+;$|namespace [\w.]+|(?:public|private|protected|internal) .{0,200}[({;=>]?|\[\w+(?:\(.{0,100}\))?\]$|var \w+ = |foreach ?\(|get;|\{ get; set; \}|/// <",
    _MODIFIERS + r"{0,6}(?P<what>class|interface|enum|struct|record|namespace)[ ]+(?P<name>[\w.]{1,120})"
    r"|(?!return\b|throw\b|else\b|new\b)"
    + _MODIFIERS
    + r"{1,6}(?:[\w.<>\[\],?]{1,100}[ ]+){0,2}(?P<method>\w{1,120})[ ]?(?:<[^>\n]{1,40}>)?\((?=[^;\n]{0,300}(?:\n|$))",
    r"using[ ]+[^\n;(]{1,160};",
)
SWIFT = _language(
    "swift",
    r"import (?:Foundation|UIKit|SwiftUI|\w+)$|(?:"
    + _MODIFIERS
    + r"){0,4}(?:func \w+|struct \w+.{0,80}\{|class \w+.{0,80}\{|extension \w+|protocol \w+|enum \w+.{0,80}\{)|(?:let|var) \w+(?:: \w.{0,80})?(?: = .{0,200}| \{)$|guard |if let |\w+\(.{0,100}\) -> ",
    _MODIFIERS
    + r"{0,6}(?P<what>class|struct|enum|protocol|extension|actor)[ ]+(?P<name>[\w.]{1,120})|"
    + _MODIFIERS
    + r"{0,6}func[ ]+(?P<function>\w{1,120})",
    r"import[ ]+\w{1,100}",
)
C = _language(
    "c",
    r"#[ \t]*(?:include|define|ifn?def|if|endif|undef|pragma|else|elif|error)\b|(?:static|extern|inline|struct|typedef|unsigned|const|enum|union)\b.{0,200}|(?:int|void|char|size_t|long|double|float|bool|u?int\d+_t)[ *]+\w+.{0,200}"
    r"|(?:if|for|while|switch) ?\(.{0,200}|return\b.{0,200};$|\}(?: \w+)?;?$|\{$|[\w.>*\[\]-]+ ?[-+|&]?= .{1,200};$|\w+\(.{0,200}\);?$|case \w+:|goto \w+;|break;$|.{0,120}->\w+.{0,100};$|[A-Z_0-9]{3,}\(.{0,100}\)",
    _C_FUNCTION
    + r"|(?:typedef[ ]+)?(?P<what>struct|union|enum)[ ]+(?P<type>\w{1,120})[ \t]*(?=\{|\n)|#[ \t]*define[ \t]+(?P<constant>\w{1,120})",
    r"#[ \t]*include[ \t]*[<\"][^\n>\"]{1,160}[>\"]",
)
CPP = _language(
    "cpp",
    r"(?:namespace|template ?<|using namespace|class \w+(?: final)?(?: ?: ?.{1,80})? ?[{;]?$|public:|private:|protected:)|.{0,160}\b(?:std::|nullptr|static_cast<|constexpr|noexcept|override;?|virtual |auto [&*]?\w+ =)|#include <\w+>$|[\w<>:]+::~?\w+\(|.{0,80}&& ",
    r"(?:template[ ]?<[^\n]{0,120}>[ ]?)?(?P<what>class|struct|union|enum class|enum|namespace)[ ]+(?P<type>[\w:]{1,120})(?=[^;\n]{0,200}(?:\n|$))|"
    + _C_FUNCTION
    + r"|#[ \t]*define[ \t]+(?P<constant>\w{1,120})",
    r"#[ \t]*include[ \t]*[<\"][^\n>\"]{1,160}[>\"]",
)
RUBY = _language(
    "ruby",
    r"(?:class|module) [A-Z][\w:]*(?: < [\w:]+)?$|def (?:self\.)?\w+[?!=]?(?:\(.*\)|$)|end$|require(?:_relative)? ['\"]|attr_(?:reader|accessor|writer) |.{0,160}\bdo(?: \|.{1,60}\|)?$|(?:if|unless|elsif|case|when) .{1,160}$|@\w+ = |describe ['\"]|it ['\"]|puts ",
    r"(?P<what>class|module)[ ]+(?P<name>[\w:]{1,120})|def[ ]+(?P<function>[\w.?!=]{1,120})|(?<=\n)(?P<constant>[A-Z][A-Z0-9_]{2,60})[ ]?=(?!=)",
    r"require(?:_relative)?[ ]+[^\n]{1,120}",
)
PHP = _language(
    "php",
    r"<\?php|\$\w+ ?(?:=|->|\[)|(?:public|private|protected|static|abstract|final)? ?function \w+\(|namespace [\w\\]+;|use [\w\\]+(?: as \w+)?;|echo |return \$",
    _MODIFIERS
    + r"{0,4}(?P<what>class|interface|trait|enum)[ ]+"
    + _WORD
    + "|"
    + _MODIFIERS
    + r"{0,4}function[ ]+&?(?P<function>\w{1,120})",
    r"(?:use|require|include)(?:_once)?\b[^\n;]{1,120}",
)
SHELL = _language(
    "shell",
    r"#!.{0,40}\b(?:ba|z|k|da)?sh\b|(?:el)?if (?:\[|!|test |command |grep |which )|(?:then|fi|done|esac|else|do)$|(?:export|local|readonly|declare) \w+=?|\w+=(?:\$|\"|'|`|[\w/.-]+$)|(?:function )?[\w-]+ ?\(\) ?\{|echo |for \w+ in |while (?:read|\[|true)|case .{1,60} in$|set -[a-z]+|\S.{0,160}; then$|(?:exit|shift|return)(?: \d+)?$|.{0,160}\$\{?\w+|[\w*|.?\"-]+\)$|;;$|.{0,160}\|\| |.{0,160} \\$",
    r"(?:function[ ]+)?(?P<function>[\w:-]{1,120})[ ]?\([ ]?\)[ \t]*(?=\{|\n)|function[ ]+(?P<method>[\w:-]{1,120})|(?<=\n)(?:export[ ]+|readonly[ ]+)?(?P<constant>[A-Z][A-Z0-9_]{2,60})=",
    r"(?:source|\.)[ ]+[^\n]{1,120}",
)
PERL = _language(
    "perl",
    r"#!.{0,40}\bperl|use (?:strict|warnings|[A-Z][\w:]+|\d|v5|lib|constant|vars|utf8|parent|base)\b.{0,120}|(?:my|our|local) [\$@%(].{0,200}|sub \w+|package [\w:]+;|[\$@%]\w+.{0,160}[;{]$|=(?:head\d|item|cut|over|back|pod)\b|.{0,120}=~ |(?:if|elsif|unless|foreach|while) ?\(.{0,160}\{$|__(?:END|DATA)__|return\b.{0,120};$|\}$|require .{1,80};|print |push @|.{0,160}->\{?\w+",
    r"(?P<what>package)[ ]+(?P<name>[\w:]{1,120})|sub[ ]+(?P<function>[\w:]{1,120})",
    r"(?:use|require)[ ]+[A-Z][^\n;]{0,120}",
)
LUA = _language(
    "lua",
    r"local (?:function )?\w+.{0,160}|function [\w.:]+\(|end[,)]?$|(?:if|elseif) .{1,160} then$|for .{1,120} do$|return\b.{0,120}$|--\[\[|require ?\(?['\"]",
    r"(?:local[ ]+)?function[ ]+(?P<function>[\w.:]{1,120})|(?:local[ ]+)?(?P<bound>[\w.]{1,80})[ ]?=[ ]?function\b",
    r"(?:local[ ]+\w+[ ]?=[ ]?)?require\b[^\n]{1,120}",
)
R = _language(
    "r",
    r"[\w.]+ <- .{1,200}|library\(|require\(|[\w.]+ ?<- ?function\(|.{0,160}%>%|.{0,160}\|>$|#'",
    r"(?P<function>[\w.]{1,120})[ ]?(?:<-|=)[ ]?function\b",
    r"(?:library|require)\([^\n)]{1,80}\)",
)
SQL = _language(
    "sql",
    r"(?i:create (?:or replace )?(?:unique )?(?:table|view|index|function|procedure|trigger|schema|type|database|temp|temporary|extension)\b|insert into \w|select .{0,200}$|from \w+.{0,120}$|where \w.{0,160}$|alter table |drop (?:table|view|index)|(?:left|right|inner|outer|cross)? ?join \w|group by|order by|update \w+ set|delete from|with \w+ as|primary key|begin;?$|commit;?$|\"?\w+\"? (?:integer|int|bigint|text|varchar|char|timestamp|boolean|numeric|serial|uuid|date|decimal|real|blob)\b.{0,120},?$)",
    r"(?i:create)[ ]+(?:(?i:or[ ]+replace|temp|temporary|unique|materialized)[ ]+){0,3}(?P<what>(?i:table|view|index|function|procedure|trigger|schema|type))[ ]+(?:(?i:if[ ]+not[ ]+exists)[ ]+)?(?P<name>[\w.\"`\[\]]{1,120})",
    r"(?!)",
)
CSS = _language(
    "css",
    r"(?:[.#@:*][^{}\n]{0,160}|(?:body|html|a|div|ul|li|h\d|p|img|table|input|button|span)\b[^{}\n]{0,100})[,{]$|(?:-?[a-z]+(?:-[a-z]+)*|--[\w-]+): ?[^;{}\n]{1,200};$|@(?:media|import|font-face|keyframes|charset|include|mixin)\b|\}$",
    r"(?P<name>[.#@:*\w][^{};\n]{0,100})[ ]?\{",
    r"@(?:import|use)[ ]+[^\n;]{1,100}",
)
TCL = _language(
    "tcl",
    r"proc [\w:]+ \{|set [\w:()$]+ .{0,160}|package (?:require|provide) |namespace (?:eval|export|import)|if \{.{0,160}\} \{$|\} else(?:if .{0,100})? \{$|\}$|foreach .{1,120} \{$|variable \w+|(?:return|upvar|global|bind|catch|switch|expr|winfo|pack|grid) [\[\w$\"{-].{0,120}|[\w:.]+ .{0,60}\$\w+.{0,60}",
    r"proc[ ]+(?P<function>[\w:]{1,120})|(?P<what>namespace)[ ]+eval[ ]+(?P<name>[\w:]{1,120})",
    r"package[ ]+require[ ]+[^\n]{1,80}",
)
MAKE = _language(
    "make",
    r"\.PHONY:|[A-Z_]+ ?[:?+]= ?|ifn?(?:eq|def) |endif$|include .*\.mk|@(?:echo|if|for)\b|.{0,100}\$\([A-Z\w@<^-]+|[\w./%-]+:(?: [\w./%-]+\.\w+)+$",
    r"(?<=\n)(?P<function>[\w./%-]{1,80})[ ]?:(?!=)",
    r"-?include[ ]+[^\n]{1,80}",
)
DOCKER = _language(
    "dockerfile",
    r"(?:FROM \S+(?: [Aa][Ss] \w+)?$|RUN |COPY (?:--\S+ )?\S+ |WORKDIR /|ENTRYPOINT \[?|CMD \[?|ENV \w+[= ]|EXPOSE \d|ARG \w+|USER \w+$|ADD \S+ /)",
    r"(?P<what>FROM)[ ]+(?P<name>\S{1,120})",
    r"(?!)",
)
PROTO = _language(
    "protobuf",
    r"syntax = \"proto|message \w+ \{|(?:repeated |optional )?[\w.<>, ]+ \w+ = \d+.{0,60};$|service \w+ \{|rpc \w+|enum \w+ \{|import \".*\.proto\"",
    r"(?P<what>message|service|enum|rpc)[ ]+" + _WORD,
    r"import[ ]+[^\n;]{1,120}",
)
ELIXIR = _language(
    "elixir",
    r"defmodule [\w.]+ do|defp? \w+.{0,160}(?:do$|, do: )|@(?:doc|spec|moduledoc|type)\b|\|> |end$|(?:alias|import|use) [A-Z]",
    r"(?P<what>defmodule)[ ]+(?P<name>[\w.]{1,120})|def(?:p|macro)?[ ]+(?P<function>[\w?!]{1,120})",
    r"(?:alias|import|use)[ ]+[A-Z][^\n]{1,100}",
)
HASKELL = _language(
    "haskell",
    r"module [\w.]+.{0,80}|import (?:qualified )?[A-Z][\w.]+|\w+ :: .{1,200}|data \w+ |newtype \w+|instance .{1,100} where|where$|\{-#",
    r"(?P<what>data|newtype|class|instance|type)[ ]+(?P<name>[\w. ]{1,80})|(?<=\n)(?P<function>[a-z][\w']{0,80})[ ]+::",
    r"import[ ]+[^\n]{1,100}",
)

LANGUAGES: tuple[Language, ...] = (
    PYTHON, TYPESCRIPT, JAVASCRIPT, GO, RUST, JAVA, CPP, C, CSHARP, KOTLIN, SWIFT, SCALA, RUBY, PHP, PERL, SHELL, LUA, R,
    SQL, CSS, TCL, MAKE, DOCKER, PROTO, ELIXIR, HASKELL,
)  # fmt: skip
