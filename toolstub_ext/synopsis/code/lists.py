"""Lists as only sources have them: a part of a file may hold nothing else, and no word of its language."""

from __future__ import annotations

from ..patterns import Pattern

_AT_LEAST = 6
_SHARE = 0.8
_FEW_ROWS = 0.4
_OF_STRINGS = 0.5
"""What is left may be strings that go on from the line before."""
_FIGURES = Pattern(
    r"(?:[{(\[]?-?0[xX][0-9a-fA-F]+[uUlL]*[)}\]]*[,;\s]*){2,}\s*(?:(?://|/\*).*)?$"
    r"|(?=.{1,20}, )(?:-?\d[\d.]{0,30}(?:[eE][-+]?\d{1,3})?[fFlLuUj]{0,3},\s*){3,}$"
)
"""Numbers in hexadecimal, or with blanks between them and a comma behind the last."""
_STRING = Pattern(r"(?:\"[^\"]{1,150}\"|'[^']{1,150}'),$")
_TUPLE = Pattern(r"\((?:\"|'|\d).{1,150}\),$")
_INSIDE = (_FIGURES, _STRING, _TUPLE)
"""What a class prints as well, and settings hold: rows of a source only if nothing of the kind opens them."""
_LISTS: tuple[tuple[tuple[str, ...], Pattern], ...] = (
    (("c", "cpp"), Pattern(r"\{(?!.*\"\s{0,3}:)(?=.{1,150},)(?:.{1,159}\},\s*(?:(?://|/\*).*)?$|.{150})")),
    (("c", "cpp", "rust"), _FIGURES),
    (("c", "cpp"), Pattern(r".{1,158}\\n\\$")),
    (("javascript", "java", "rust"), Pattern(r"\.\w{1,40}\(.{0,150}\)[;,]?$")),
    (("php", "perl"), Pattern(r"\$\w+(?:->\w+|\[[^\]]{1,60}\]){0,4} *=>? *[^=].{0,150};$")),
    (("perl", "php", "ruby"), Pattern(r"(?:'[^']{0,100}'|\"[^\"]{0,100}\") +=> .{0,100}[,{(\[]$")),
    (("javascript", "go", "typescript", "python"), Pattern(r"[A-Za-z_$][\w$.]{0,60}:[ \t].{1,150},$")),
    (("c", "cpp", "javascript"), Pattern(r"(?!.*\)\s+= )[A-Za-z_][\w.:>-]{2,60}\((?:.{0,158}\)(?:;| *\\)$|.{120})")),
    (("python", "javascript"), _STRING),
    (("python", "sql"), _TUPLE),
    (("make", "shell"), Pattern(r"[\w./$(){}@%+*,=:-]{1,150}[ \t]{1,40}\\$")),
    (("make",), Pattern(
        r"\w{1,60}_(?:SOURCES|LDADD|LIBADD|LDFLAGS|C(?:PP|XX)?FLAGS|DEPENDENCIES|DATA|SCRIPTS|HEADERS|PROGRAMS|MANS)"
        r"[ \t]{0,20}\+?=.*$"
    )),
    (("prolog", "erlang"), Pattern(r"[a-z]\w{0,60}\(.{0,150}\)\.$")),
    (("ocaml",), Pattern(r"(?:\\\d{3}){4,40}\\?$")),
    (("haskell",), Pattern(r", ?\(\".{1,150}\)$")),
    (("haskell", "sql"), Pattern(r",[ \t]?-?\d[\d.]{0,30}(?:, ?-?\d[\d.]{0,30}){1,40},?$")),
)
"""The languages that have such lists, and the rows of one."""
_GOES_ON = Pattern(r"[\w(]{0,9}\".{0,150}\"[,;)}\s]{0,9}$")


def listed(said: list[str]) -> tuple[str, ...]:
    """The languages of which most lines may be rows of a list; none if they are nothing of the kind."""
    if not said:
        return ()
    few = said[:: max(1, len(said) // _AT_LEAST)]
    for names, row in _LISTS:
        if row in _INSIDE and not row.match(said[0]):
            continue
        if len([*filter(row.match, few)]) < _FEW_ROWS * len(few):
            continue
        rows = sum(1 for line in said if row.match(line))
        if rows < _SHARE * len(said) and rows >= _OF_STRINGS * len(said):
            rows += sum(1 for line in said if _GOES_ON.match(line))
        if rows >= max(_AT_LEAST, _SHARE * len(said)):
            return names
    return ()


def are_figures(few: list[str]) -> bool:
    """Whether these lines are nothing but numbers, written as no table writes its cells."""
    if len(few) < _AT_LEAST or "," not in few[0] or not _FIGURES.match(few[0].strip()):
        return False
    return sum(1 for line in few if _FIGURES.match(line.strip())) >= _SHARE * len(few)
