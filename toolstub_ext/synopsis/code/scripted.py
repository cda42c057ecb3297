"""The languages that run from source."""

from __future__ import annotations

from .language import MODIFIERS, WORD, language

PYTHON = language(
    "python",
    r"(?:async )?def \w+\(.{0,300}|class \w+(?:\(.{0,200}\))?:\s{0,4}(?:#|$)|from [\w.]+ import \S"
    r"|import [a-z_][\w.]*(?: as \w+)?\s*$"
    r"|(?:if|elif|for|while|with|except|try|else|finally)\b[^\n]{0,200}:\s*(?:#.*)?$|return(?: [\w\[({\"'-].*)?$"
    r"|raise \w+|@\w[\w.]*(?:\(|$)"
    r"|self\.\w+|assert \w|yield \w|[a-z_]\w* = [\w\[({\"']|print\(|(?:f|r|b)?\"\"\"|\"\"\"|>>> |pass$"
    r"|[a-z_]\w{0,40}(?:\.\w{1,40})+\(.{0,200}\)$",
    r"(?P<what>class)[ ]+(?P<name>\w{1,120})|(?:async[ ]+)?def[ ]+(?P<function>\w{1,120})"
    r"|(?<=\n)(?P<constant>[A-Z][A-Z0-9_]{2,60})[ ]?(?::[^=\n]{1,80})?=(?!=)",
    r"(?:import[ ]+[\w.]+[^\n]{0,80}|from[ ]+[\w.]+[ ]+import\b[^\n]{0,80})",
    quotes=('"""', "'''"),
)
JAVASCRIPT = language(
    "javascript",
    r"(?:export )?(?:default )?(?:async )?function\*? ?\w*\(|(?:export )?(?:const|let|var) [\w${\[].{0,200}[=;]"
    r"|import .{1,200} from ['\"]"
    r"|import ['\"]|(?:module\.)?exports\b|.{0,200}=> ?[{(]|.{0,80}\brequire\(['\"]|return .{0,200};$|(?:if|for"
    r"|while|switch) ?\(.{0,200}\{$"
    r"|\}(?: else.{0,80}\{|\)?[;,]?)$|this\.\w+|class \w+ (?:extends \w[\w.]* )?\{|await |case .{1,80}:$"
    r"|['\"]use strict|[\w$.]+\(.{0,200}\);$|[\w.$]+ = .{1,200};$",
    r"(?:export[ ]+)?(?:default[ ]+)?(?P<what>class)[ ]+"
    + WORD
    + r"|(?:export[ ]+)?(?:default[ ]+)?(?:async[ ]+)?function\*?[ ]+(?P<function>[\w$]{1,120})"
    r"|(?:export[ ]+)?(?:const|let|var)[ ]+(?P<bound>[\w$]{1,120})[^=\n]{0,120}=[ ]?(?:async\b[ ]?)?(?:function\b"
    r"|\([^)\n]{0,200}\)[^=\n]{0,80}=>|[\w$]{1,60}[ ]?=>)"
    r"|(?<=\n)(?:export[ ]+)?(?:const|let|var)[ ]+(?P<constant>[\w$]{1,120})"
    r"|(?:(?:static|async|get|set)[ ]+|\*[ ]?){0,3}(?!if\b|for\b|while\b|switch\b|catch\b|function\b|return\b"
    r"|super\b)(?P<method>#?[\w$]{1,80})\([^\n;(){}]{0,200}\)[ ]?\{[ \t]*(?=\n)"
    r"|(?:module\.)?exports\.(?P<exported>[\w$]{1,80})[ ]?=",
    r"(?:import\b[^\n]{0,160}|(?:const|let|var)[ ]+[^\n=]{1,100}=[ ]?require\([^\n)]{0,100}\))",
)
TYPESCRIPT = language(
    "typescript",
    r"(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|enum|namespace) \w+|import type "
    r"|(?:public|private|protected|readonly) (?:async )?\w+[(?:=]"
    r"|(?:export )?(?:async )?function \w+(?:<.{1,80}>)?\(.{0,200}\): |\w+\??: (?:string|number|boolean|any|unknown"
    r"|void|[A-Z]\w*)(?:\[\])?(?: \|.{0,80})?[;,]?$"
    r"|(?:const|let) \w+: \w|.{0,120}\bas (?:const|any|unknown|string|[A-Z]\w+)\b|.{0,120}\): (?:Promise<|string"
    r"|void|boolean|number|[A-Z]\w+).{0,60}(?:\{|=>)",
    r"(?:export[ ]+)?(?:default[ ]+)?(?:declare[ ]+)?(?:abstract[ ]+)?(?P<what>class|interface|enum|namespace|type)[ ]+"
    + WORD
    + r"|(?:export[ ]+)?(?:default[ ]+)?(?:declare[ ]+)?(?:async[ ]+)?function\*?[ ]+(?P<function>[\w$]{1,120})"
    r"|(?:export[ ]+)?(?:const|let|var)[ ]+(?P<bound>[\w$]{1,120})[^=\n]{0,120}=[ ]?(?:async\b[ ]?)?(?:function\b"
    r"|(?:<[^>\n]{1,80}>)?\([^)\n]{0,200}\)[^=\n]{0,80}=>|[\w$]{1,60}[ ]?=>)"
    r"|(?<=\n)(?:export[ ]+)?(?:declare[ ]+)?(?:const|let|var)[ ]+(?P<constant>[\w$]{1,120})"
    r"|(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set)[ ]+){0,5}(?!if\b|for\b"
    r"|while\b|switch\b|catch\b|function\b|return\b|super\b)"
    r"(?P<method>#?[\w$]{1,80})(?:<[^>\n]{1,80}>)?\([^\n;{}]{0,200}\)(?::[^\n{;]{1,100})?[ ]?\{[ \t]*(?=\n)",
    r"import\b[^\n]{0,160}",
)
RUBY = language(
    "ruby",
    r"(?:class|module) [A-Z][\w:]*(?: < [\w:]+)?$|def (?:self\.)?\w+[?!=]?(?:\(.*\)|$)|end$"
    r"|require(?:_relative)? ['\"]|attr_(?:reader|accessor|writer) |.{0,160}\bdo(?: \|.{1,60}\|)?$|(?:if|unless"
    r"|elsif|case|when) .{1,160}$|@\w+ = |describe ['\"]|it ['\"]|puts ",
    r"(?P<what>class|module)[ ]+(?P<name>[\w:]{1,120})|def[ ]+(?P<function>[\w.?!=]{1,120})"
    r"|(?<=\n)(?P<constant>[A-Z][A-Z0-9_]{2,60})[ ]?=(?!=)",
    r"require(?:_relative)?[ ]+[^\n]{1,120}",
)
PHP = language(
    "php",
    r"<\?php|\$\w+ ?(?:=|->|\[)|(?:public|private|protected|static|abstract|final)? ?function \w+\("
    r"|namespace [\w\\]+;|use [\w\\]+(?: as \w+)?;|echo |return \$",
    MODIFIERS
    + r"{0,4}(?P<what>class|interface|trait|enum)[ ]+"
    + WORD
    + "|"
    + MODIFIERS
    + r"{0,4}function[ ]+&?(?P<function>\w{1,120})",
    r"(?:use|require|include)(?:_once)?\b[^\n;]{1,120}",
)
SHELL = language(
    "shell",
    r"#!.{0,40}\b(?:ba|z|k|da)?sh\b|(?:el)?if (?:\[|!|test |command |grep |which )|(?:then|fi|done|esac|else|do)$"
    r"|(?:export|local|readonly|declare) \w+=?|\w+=(?:\$|\"|'|`|[\w/.-]+$)|(?:function )?[\w-]+ ?\(\) ?\{|echo "
    r"|for \w+ in |while (?:read|\[|true)|case .{1,60} in$|set -[a-z]+|\S.{0,160}; then$|(?:exit|shift"
    r"|return)(?: \d+)?$|.{0,160}\$(?:\{|[A-Za-z_@#*?]|[1-9]\b)|[\w*|.?\"-]+\)$|;;$|.{0,160}\|\| |.{0,160} \\$",
    r"(?:function[ ]+)?(?P<function>[\w:-]{1,120})[ ]?\([ ]?\)[ \t]*(?=\{|\n)|function[ ]+(?P<method>[\w:-]{1,120})"
    r"|(?<=\n)(?:export[ ]+|readonly[ ]+)?(?P<constant>[A-Z][A-Z0-9_]{2,60})=",
    r"(?:source|\.)[ ]+[^\n]{1,120}",
)
PERL = language(
    "perl",
    r"#!.{0,40}\bperl|use (?:strict|warnings|[A-Z][\w:]+|\d|v5|lib|constant|vars|utf8|parent|base)\b.{0,120}|(?:my"
    r"|our|local) [\$@%(].{0,200}|sub \w+|package [\w:]+;|[\$@%]\w+.{0,160}[;{]$|=(?:head\d|item|cut|over|back"
    r"|pod)\b|.{0,120}=~ |(?:if|elsif|unless|foreach|while) ?\(.{0,160}\{$|__(?:END|DATA)__|return\b.{0,120};$|\}$"
    r"|require .{1,80};|print |push @|.{0,160}->\{?\w+",
    r"(?P<what>package)[ ]+(?P<name>[\w:]{1,120})|sub[ ]+(?P<function>[\w:]{1,120})",
    r"(?:use|require)[ ]+[A-Z][^\n;]{0,120}",
)
LUA = language(
    "lua",
    r"local (?:function )?\w+.{0,160}|function [\w.:]+\(|end[,)]?$|(?:if|elseif) .{1,160} then$|for .{1,120} do$"
    r"|return\b.{0,120}$|--\[\[|require ?\(?['\"]",
    r"(?:local[ ]+)?function[ ]+(?P<function>[\w.:]{1,120})|(?:local[ ]+)?(?P<bound>[\w.]{1,80})[ ]?=[ ]?function\b",
    r"(?:local[ ]+\w+[ ]?=[ ]?)?require\b[^\n]{1,120}",
)
R = language(
    "r",
    r"[\w.]+ <- .{1,200}|library\(|require\(|[\w.]+ ?<- ?function\(|.{0,160}%>%|.{0,160}\|>$|#'",
    r"(?P<function>[\w.]{1,120})[ ]?(?:<-|=)[ ]?function\b",
    r"(?:library|require)\([^\n)]{1,80}\)",
)
TCL = language(
    "tcl",
    r"proc [\w:]+ \{|set [\w:()$]+ .{0,160}|package (?:require|provide) |namespace (?:eval|export|import)"
    r"|if \{.{0,160}\} \{$|\} else(?:if .{0,100})? \{$|\}$|foreach .{1,120} \{$"
    r"|variable \w+|\$[\w.:]+ \w.{0,160}|method \w+ |(?:return|upvar|global"
    r"|bind|catch|switch|expr|winfo|pack|grid) [\[\w$\"{-].{0,120}|[\w:.]+ .{0,60}\$\w+.{0,60}",
    r"proc[ ]+(?P<function>[\w:]{1,120})|(?P<what>namespace)[ ]+eval[ ]+(?P<name>[\w:]{1,120})",
    r"package[ ]+require[ ]+[^\n]{1,80}",
)
ELIXIR = language(
    "elixir",
    r"defmodule [\w.]+ do|defp? \w+.{0,160}(?:do$|, do: )|@(?:doc|spec|moduledoc|type)\b|\|> |end$|(?:alias|import"
    r"|use) [A-Z]",
    r"(?P<what>defmodule)[ ]+(?P<name>[\w.]{1,120})|def(?:p|macro)?[ ]+(?P<function>[\w?!]{1,120})",
    r"(?:alias|import|use)[ ]+[A-Z][^\n]{1,100}",
)
