"""The languages that are compiled."""

from __future__ import annotations

from .language import ANNOTATIONS, MODIFIERS, TESTS, WORD, Language

GO = Language(
    "go",
    r"func[ ]+\([^)\n]{1,80}\)[ ]+(?P<method>\w{1,120})|func[ ]+(?P<function>\w{1,120})"
    r"|(?P<what>type)[ ]+(?P<name>\w{1,120})"
    r"|(?<=\n)(?:const|var)[ ]+(?P<constant>\w{1,120})",
    r"(?:import[ ]+\"[^\"\n]{1,160}\"|(?:[\w.]+[ ]+)?\"[\w./-]{1,160}\"(?=\n))",
)
RUST = Language(
    "rust",
    r"(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?:default[ ]+|async[ ]+|unsafe[ ]+|const[ ]+"
    r"|extern[ ]+\"\w{1,10}\"[ ]+){0,4}fn[ ]+(?P<function>\w{1,120})"
    r"|(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?P<what>struct|enum|trait|union|mod|type|macro_rules!)[ ]+(?P<name>\w{1,120})"
    r"|(?:unsafe[ ]+)?(?P<block>impl)\b(?:<[^>\n]{0,80}>)?[ ]+(?P<target>[^\n{]{1,100})"
    r"|(?<=\n)(?:pub(?:\([^)\n]{1,40}\))?[ ]+)?(?:const|static)[ ]+(?:mut[ ]+)?(?P<constant>\w{1,120})",
    r"(?:pub[ ]+)?use[ ]+[^\n;]{1,160}",
    openings="acdefimpstu",
)
JAVA = Language(
    "java",
    ANNOTATIONS
    + MODIFIERS
    + r"{0,6}(?P<what>class|interface|enum|record|@interface)[ ]+"
    + WORD
    + r"|(?!return\b|throw\b|else\b|new\b)"
    + ANNOTATIONS
    + MODIFIERS
    + r"{1,6}(?:<[^>\n]{1,80}>[ ]+)?(?:[\w.<>\[\],?]{1,100}+[ ]+){0,3}(?P<method>\w{1,120}+)[ "
    r"]?\((?=[^;\n]{0,300}(?:\n|$))",
    r"import[ ]+[^\n;]{1,160}",
    openings="@acdefilmnoprsuvw",
)
KOTLIN = Language(
    "kotlin",
    ANNOTATIONS
    + MODIFIERS
    + r"{0,6}(?P<what>class|interface|object|enum class)[ ]+"
    + WORD
    + "|"
    + ANNOTATIONS
    + MODIFIERS
    + r"{0,6}fun[ ]+(?:<[^>\n]{1,60}>[ ]+)?(?:[\w<>?]{1,60}\.)?(?P<function>[\w`]{1,120})"
    r"|(?<=\n)" + MODIFIERS + r"{0,3}(?:const[ ]+)?va[lr][ ]+(?P<constant>\w{1,120})",
    r"import[ ]+[^\n]{1,160}",
    openings="@acdefilmnoprsuvw",
)
SCALA = Language(
    "scala",
    ANNOTATIONS
    + MODIFIERS
    + r"{0,6}(?:(?P<what>class|object|trait|enum)[ ]+"
    + WORD
    + r"|def[ ]+(?P<function>[\w$+*/<>=!~:-]{1,80}))"
    rf"|{TESTS}",
    r"import[ ]+[^\n]{1,160}",
    openings="@acdefilmnoprstuvw",
)
CSHARP = Language(
    "csharp",
    MODIFIERS + r"{0,6}(?P<what>class|interface|enum|struct|record|namespace)[ ]+(?P<name>[\w.]{1,120})"
    r"|(?!return\b|throw\b|else\b|new\b)"
    + MODIFIERS
    + r"{1,6}(?:[\w.<>\[\],?]{1,100}+[ ]+){0,2}(?P<method>\w{1,120}+)[ ]?"
    r"(?:<[^>\n]{1,40}>)?\((?=[^;\n]{0,300}(?:\n|$))",
    r"using[ ]+[^\n;(]{1,160};",
    openings="acdefilmnoprsuvw",
)
SWIFT = Language(
    "swift",
    ANNOTATIONS
    + MODIFIERS
    + r"{0,6}(?:(?P<what>class|struct|enum|protocol|extension|actor)[ ]+(?P<name>[\w.]{1,120})"
    r"|func[ ]+(?P<function>\w{1,120}|[^\s(\w]{1,4})|(?P<method>init)(?=[?!]?[(<])"
    r"|(?<=\n)(?:let|var)[ ]+(?P<constant>\w{1,120}))",
    r"import[ ]+\w{1,100}",
    openings="@acdefilmnoprsuvw",
)
_C_TYPE = (
    r"(?<=\n)(?!(?:if|for|while|return|else|switch|case|goto|do|typedef|using|throw|new|delete|assert)\b)"
    r"[A-Za-z_][\w \t*&:<>,]{0,100}?(?:[ \t*&]|(?<=[\w*&>])[ \t]{0,4}\n(?=[A-Za-z_]))"
)
"""What is in front of a function's name, on its line or on one of its own."""
_C_NAME = r"~?[A-Za-z_]\w{0,80}+(?:::(?:operator[^\s\w(]{1,3}|~?\w{1,80}+)){0,4}"
_C_FUNCTION = (
    f"(?:{_C_TYPE}|(?<=\\n)(?=[A-Za-z_]\\w{{0,80}}+::))(?P<name>{_C_NAME})"
    r"[ \t]?\((?:(?=[^;{]{0,400}(?:\{|$)|[^;\n]{0,300}\)[ \t]*\n[ \t]*\w[^;{()\n]{0,100};)"
    r"|(?=[^;{]{0,400};)(?P<declared>))"
)
_CPP_METHOD = (
    r"|(?:(?<=\n\t)|(?<=\n  )|(?<=\n    )|(?<=\n\t\t))"
    r"(?!(?:if|for|while|return|else|switch|case|goto|do|using|throw|new|delete|catch)\b)"
    r"(?:[A-Za-z_][\w:<>,*& ]{0,100}[ *&])?(?P<method>~?[A-Za-z_]\w{0,80}+|operator[^\s\w(]{1,3})[ ]?"
    r"\([^;{}\[\]\n]{0,200}\)(?=[^;{}()\n=]{0,60}(?:\{|\n[ \t]{0,8}\{))"
)
"""A member that a class defines in itself, which is indented but not deeply."""
C = Language(
    "c",
    _C_FUNCTION + r"|(?:typedef[ ]+)?(?P<what>struct|union|enum)[ ]+(?P<type>\w{1,120})(?=[ \t]*\n?[ \t]*\{)"
    r"|#[ \t]*define[ \t]+(?P<constant>\w{1,120})(?=[ \t(][^\n])",
    r"#[ \t]*include[ \t]*[<\"][^\n>\"]{1,160}[>\"]",
    openings="#A-Z_a-z~",
)
CPP = Language(
    "cpp",
    r"(?:template[ ]?<[^\n]{0,120}>[ ]?)?(?P<what>class|struct|union|enum class|enum"
    r"|namespace)[ ]+(?P<type>[\w:]{1,120})(?=[^;\n]{0,200}(?:\n|$))|"
    + _C_FUNCTION
    + _CPP_METHOD
    + r"|(?P<block>TEST)(?:_F|_P|_CASE)?\([ ]?\"?(?P<target>[^\"\n)]{1,80})"
    r"|#[ \t]*define[ \t]+(?P<constant>\w{1,120})(?=[ \t(][^\n])",
    r"#[ \t]*include[ \t]*[<\"][^\n>\"]{1,160}[>\"]",
    openings="#A-Z_a-z~",
)
HASKELL = Language(
    "haskell",
    r"(?P<what>data|newtype|class|instance|type)[ ]+(?P<name>[\w. ]{1,80})|(?<=\n)(?P<function>[a-z][\w']{0,80})[ ]+::",
    r"import[ ]+[^\n]{1,100}",
)
OBJECTIVEC = Language(
    "objectivec",
    r"@(?P<what>interface|implementation|protocol)[ ]+(?P<name>\w{1,120}[^\n<{:;]{0,60})"
    r"|[-+][ ]?\([^)\n]{1,80}\)[ ]*(?P<method>\w{1,120})"
    r"|(?:static[ ]+)?(?:[A-Za-z_]\w{0,60}[ *]{1,8}){1,3}(?P<function>\w{1,120})\((?=[^;\n]{0,200}[{\n])",
    r"(?:#(?:import|include)[ ]+[<\"][^>\"\n]{1,120}[>\"]|@import[ ]+[\w.]{1,80})",
)
ZIG = Language(
    "zig",
    r"(?:pub[ ]+)?(?:(?:export|inline|noinline|extern)[ ]+(?:\"\w{1,20}\"[ ]+)?){0,2}fn[ ]+(?P<function>\w{1,120})"
    r"|(?:pub[ ]+)?const[ ]+(?=\w{1,120}[ ]*=[ ]*(?:(?:packed|extern)[ ]+)?(?P<what>struct|enum|union|opaque|error)\b)"
    r"(?P<name>\w{1,120})|(?P<block>test)[ ]+\"?(?P<target>[^\"\n{]{1,80})"
    r"|(?<=\n)(?:pub[ ]+)?(?:const|var)[ ]+(?P<constant>\w{1,120})",
    r"(?:pub[ ]+)?const[ ]+\w{1,80}[ ]*=[ ]*@import\(\"[^\"\n]{1,80}\"\)[^\n]{0,60}",
    openings="cefintpv",
)
DART = Language(
    "dart",
    r"(?:(?:abstract|base|sealed|final|interface)[ ]+){0,3}(?P<what>class|mixin|enum|extension|typedef)[ ]+"
    + WORD
    + r"|(?:static[ ]+)?(?:[\w<>?,.]{1,60}[ ]+)?get[ ]+(?P<bound>\w{1,80})(?=[ ]*(?:=>|\{|async))"
    r"|(?!(?:return|else|new|await|throw|case|assert|yield|in|as|is|const|import|export)\b)"
    r"[A-Za-z_][\w<>,?.() ]{0,100}?[ ](?P<method>\w{1,80})\((?=[^\n]{0,300}(?:[{,(]|=>[^\n]{0,200})[ \t]*(?:\n|$))",
    r"(?:import|export|part)[ ]+[^\n;]{1,160}",
)
