"""The languages that are compiled."""

from __future__ import annotations

from .language import MODIFIERS, WORD, language

GO = language(
    "go",
    r"package \w+$|func (?:\(\w* ?\*?[\w.\[\]]+\) )?\w+.{0,300}\{$|type \w+ (?:struct|interface|func|map|\[\]|\w)"
    r"|import (?:\(|\")|.{0,200}:= |if err != nil|\w+ (?:\*|\[\]|map\[)?\w+(?:\.\w+)? +`"
    r"|return (?:nil|err|\w+, (?:nil|err|true|false))|defer |go func|var \w+ |for .{0,100}\brange |\} else \{$"
    r"|case .{1,100}:$|switch .{0,100}\{$|[a-z]\w{0,40}\.\w{1,40}\(.{0,200}\)$|\"[\w./-]+\"$",
    r"func[ ]+\([^)\n]{1,80}\)[ ]+(?P<method>\w{1,120})|func[ ]+(?P<function>\w{1,120})"
    r"|(?P<what>type)[ ]+(?P<name>\w{1,120})"
    r"|(?<=\n)(?:const|var)[ ]+(?P<constant>\w{1,120})",
    r"(?:import[ ]+\"[^\"\n]{1,160}\"|(?:[\w.]+[ ]+)?\"[\w./-]{1,160}\"(?=\n))",
)
RUST = language(
    "rust",
    r"(?:pub(?:\(\w+\))? )?(?:async |unsafe |const )*(?:fn \w+|struct \w+|enum \w+|trait \w+|mod \w+;?|impl\b"
    r"|use [\w:{]+|type \w+ =|static \w+:|const \w+:)|let (?:mut )?[\w(].{0,200}[=;{]|#!?\[\w+"
    r"|match .{0,120}\{$|.{0,200}=> .{0,200}[,{]$|\}[,;)]*$|if let |.{0,120}\.unwrap\(|Some\(|Ok\(|Err\("
    r"|\w+: [\w:<>&\[\]]+,$|[\w.:!]+\(.{0,200}\)[;?]",
    r"(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?:default[ ]+|async[ ]+|unsafe[ ]+|const[ ]+"
    r"|extern[ ]+\"\w{1,10}\"[ ]+){0,4}fn[ ]+(?P<function>\w{1,120})"
    r"|(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?P<what>struct|enum|trait|union|mod|type|macro_rules!)[ ]+(?P<name>\w{1,120})"
    r"|(?:unsafe[ ]+)?(?P<block>impl)\b(?:<[^>\n]{0,80}>)?[ ]+(?P<target>[^\n{]{1,100})"
    r"|(?<=\n)(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?:const|static)[ ]+(?:mut[ ]+)?(?P<constant>\w{1,120})",
    r"(?:pub[ ]+)?use[ ]+[^\n;]{1,160}",
)
JAVA = language(
    "java",
    r"(?:package|import)(?: static)? [\w.*]+;$|(?:public|private|protected|static|final|abstract) .{0,200}[({;=]"
    r"|@(?:Override|Test|\w+\()|return .{0,200};$|(?:if|for|while|switch|catch|synchronized) ?\(.{0,200}\{?$"
    r"|\}(?: else.{0,80}\{| catch .{0,80}\{| finally \{)?[;)]*$"
    r"|(?:final )?[A-Z][\w<>\[\], ?]{0,80} \w+ = .{0,200}|throw new |this\.\w+|.{0,40}\bnew [A-Z]\w*[(<\[]"
    r"|[\w.]+\(.{0,200}\);$|[\w.]+ = .{1,200};$|(?:int|long|boolean|double|String) \w+",
    r"(?:@\w+[ ]+)?"
    + MODIFIERS
    + r"{0,6}(?P<what>class|interface|enum|record|@interface)[ ]+"
    + WORD
    + r"|(?!return\b|throw\b|else\b|new\b)"
    + MODIFIERS
    + r"{1,6}(?:<[^>\n]{1,80}>[ ]+)?(?:[\w.<>\[\],?]{1,100}[ ]+){0,3}(?P<method>\w{1,120})[ "
    r"]?\((?=[^;\n]{0,300}(?:\n|$))",
    r"import[ ]+[^\n;]{1,160}",
)
KOTLIN = language(
    "kotlin",
    r"(?:" + MODIFIERS + r"){0,4}(?:fun (?:<.{1,40}> )?[\w.`]+\(|va[lr] \w+(?::| =| by)|(?:data |sealed )?(?:class"
    r"|object) \w+(?:<.{1,40}>)?(?: ?[({:].{0,160})?$)|package [\w.]+$|import [\w.*]+$|when ?\(",
    MODIFIERS
    + r"{0,6}(?P<what>class|interface|object|enum class)[ ]+"
    + WORD
    + "|"
    + MODIFIERS
    + r"{0,6}fun[ ]+(?:<[^>\n]{1,60}>[ ]+)?(?:[\w<>?]{1,60}\.)?(?P<function>[\w`]{1,120})"
    r"|(?<=\n)" + MODIFIERS + r"{0,3}(?:const[ ]+)?va[lr][ ]+(?P<constant>\w{1,120})",
    r"import[ ]+[^\n]{1,160}",
)
SCALA = language(
    "scala",
    r"(?:"
    + MODIFIERS
    + r"){0,4}(?:def \w+[\[(:= ].{0,200}|(?:case )?(?:class|object|trait) \w+.{0,120}[{(:]$|val \w+(?::| =).{0,200})"
    r"|package [\w.]+$|import [\w.]+\.[\w{}_, ]+$|case .{1,100} =>",
    MODIFIERS
    + r"{0,6}(?P<what>class|object|trait|enum)[ ]+"
    + WORD
    + "|"
    + MODIFIERS
    + r"{0,6}def[ ]+(?P<function>[\w$+*/<>=!~:-]{1,80})",
    r"import[ ]+[^\n]{1,160}",
)
CSHARP = language(
    "csharp",
    r"using (?:static )?[\w.]+;$|namespace [\w.]+|(?:public|private|protected|internal) .{0,200}[({;=>]?"
    r"|\[\w+(?:\(.{0,100}\))?\]$|var \w+ = |foreach ?\(|get;|\{ get; set; \}|/// <",
    MODIFIERS + r"{0,6}(?P<what>class|interface|enum|struct|record|namespace)[ ]+(?P<name>[\w.]{1,120})"
    r"|(?!return\b|throw\b|else\b|new\b)"
    + MODIFIERS
    + r"{1,6}(?:[\w.<>\[\],?]{1,100}[ ]+){0,2}(?P<method>\w{1,120})[ ]?(?:<[^>\n]{1,40}>)?\((?=[^;\n]{0,300}(?:\n|$))",
    r"using[ ]+[^\n;(]{1,160};",
)
SWIFT = language(
    "swift",
    r"import (?:Foundation|UIKit|SwiftUI|\w+)$|(?:"
    + MODIFIERS
    + r"){0,4}(?:func \w+|struct \w+.{0,80}\{|class \w+.{0,80}\{|extension \w+|protocol \w+|enum \w+.{0,80}\{)"
    r"|(?:let|var) \w+(?:: \w.{0,80})?(?: = .{0,200}| \{)$|guard |if let |\w+\(.{0,100}\) -> ",
    MODIFIERS
    + r"{0,6}(?P<what>class|struct|enum|protocol|extension|actor)[ ]+(?P<name>[\w.]{1,120})|"
    + MODIFIERS
    + r"{0,6}func[ ]+(?P<function>\w{1,120})",
    r"import[ ]+\w{1,100}",
)
_C_FUNCTION = (
    r"(?<=\n)(?!(?:if|for|while|return|else|switch|case|goto|do|typedef|using|throw|new|delete|assert)\b)"
    r"[A-Za-z_][\w \t*&:<>,]{0,100}?[ \t*&](?P<name>~?[A-Za-z_]\w{0,80}(?:::~?\w{1,80}){0,4})[ "
    r"\t]?\((?=[^;\n]{0,300}(?:\n|$))"
)
C = language(
    "c",
    r"#[ \t]*(?:include|define|ifn?def|if|endif|undef|pragma|else|elif|error)\b|(?:static|extern|inline|struct"
    r"|typedef|unsigned|const|enum|union)\b.{0,200}|(?:int|void|char|size_t|long|double|float|bool"
    r"|u?int\d+_t)[ *]+\w+.{0,200}"
    r"|(?:if|for|while|switch) ?\(.{0,200}|return\b.{0,200};$|\}(?: \w+)?;?$|\{$|[\w.>*\[\]-]+ ?[-+|&]?= .{1,200};$"
    r"|\w+\(.{0,200}\);?$|case \w+:|goto \w+;|break;$|.{0,120}->\w+.{0,100};$|[A-Z_0-9]{3,}\(.{0,100}\)",
    _C_FUNCTION + r"|(?:typedef[ ]+)?(?P<what>struct|union|enum)[ ]+(?P<type>\w{1,120})[ \t]*(?=\{|\n)"
    r"|#[ \t]*define[ \t]+(?P<constant>\w{1,120})",
    r"#[ \t]*include[ \t]*[<\"][^\n>\"]{1,160}[>\"]",
)
CPP = language(
    "cpp",
    r"(?:namespace|template ?<|using namespace|class \w+(?: final)?(?: ?: ?.{1,80})? ?[{;]?$|public:|private:"
    r"|protected:)|.{0,160}\b(?:std::|nullptr|static_cast<|constexpr|noexcept|override;?|virtual |auto [&*]?\w+ =)"
    r"|#include <\w+>$|[\w<>:]+::~?\w+\(|.{0,80}&& ",
    r"(?:template[ ]?<[^\n]{0,120}>[ ]?)?(?P<what>class|struct|union|enum class|enum"
    r"|namespace)[ ]+(?P<type>[\w:]{1,120})(?=[^;\n]{0,200}(?:\n|$))|"
    + _C_FUNCTION
    + r"|#[ \t]*define[ \t]+(?P<constant>\w{1,120})",
    r"#[ \t]*include[ \t]*[<\"][^\n>\"]{1,160}[>\"]",
)
HASKELL = language(
    "haskell",
    r"module [\w.]+.{0,80}|import (?:qualified )?[A-Z][\w.]+|\w+ :: .{1,200}|data \w+ |newtype \w+"
    r"|instance .{1,100} where|where$|\{-#",
    r"(?P<what>data|newtype|class|instance|type)[ ]+(?P<name>[\w. ]{1,80})|(?<=\n)(?P<function>[a-z][\w']{0,80})[ ]+::",
    r"import[ ]+[^\n]{1,100}",
)
