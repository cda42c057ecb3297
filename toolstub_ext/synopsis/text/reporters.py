"""What the reporters of tests print: signs of a report, verdicts, failures by name, and what was wrong.

A group of a failure is its name: `before_...` of tools that say what went wrong first, and then which test it was;
`goes_on` where it may go on in the lines below; `tap` where it is no name of a class or a function.

Of the tools for Python, JavaScript, Go, Rust, Java, C and C++, C#, Ruby, PHP, Swift and Elixir, and of CMake, Robot,
Cucumber and TAP.
"""

from __future__ import annotations

from ..patterns import Pattern

SIGN = Pattern(
    r"=+ (?:test session starts|FAILURES|ERRORS|short test summary info|warnings summary|\d+ (?:passed|failed|error"
    r"|skipped).{0,120}) =+"
    r"|(?:FAILED|PASSED|ERROR|SKIPPED|XFAIL) \S+::|(?>\S+?::)\S++ (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)"
    r"|\[gw\d+\] \[ {0,2}\d+%\] [A-Z]+ |\S+\.py [.FEsxX]{3,}"
    r"|Ran \d+ tests? (?:in|across) |(?:FAIL|ERROR): \w+ \(|(?:OK|FAILED) ?(?:\((?:failures|errors|skipped)=|$)"
    r"|\w+ \(\w+(?:\.\w+)+\)(?: \.\.\. |$)|.{0,200} \.\.\. (?:ok|FAIL|ERROR|FAILED|skipped|ignored)\b"
    r"|Failed example:$|File \".{1,200}\", line \d+, in \S+$|\*{3}Test Failed\*{3} \d|\d+ passed and \d+ failed\.$"
    r"|=== RUN |\s*+--- (?:PASS|FAIL|SKIP): |(?:ok|FAIL|PASS)\s++[\w./-]+(?:\s++[\d.]+s|\s++\(cached\)|\s*+$)"
    r"|Benchmark\w+(?:-\d+)?\s++\d+\s++[\d.]+ ns/op"
    r"|test \S+ \.\.\. |test result: |running \d+ tests?|\s++(?:PASS|FAIL|SLOW|LEAK) \[ *[\d.]+s\] "
    r"|(?:PASS|FAIL)\s++\S+\.(?:test|spec)\.|Tests?(?: Suites| Files)?:?\s++\d+ |\s++[✓✔✕✗✘✖×] "
    r"|\s++\d+ (?:passing|failing|pending)|\d+ examples?, \d+ failures?|\s*+(?:not )?ok \d+ (?![=!<>])"
    r"|\s*+# (?:Subtest: |(?:tests|pass|fail) \d)"
    r"|TAP version \d+$|1\.\.\d+$|\((?:pass|fail|skip)\) .{1,200}|[✔✖] "
    r"|rspec \./\S+:\d+ # |\s++Failure/Error: |PHPUnit \d|Tests: \d+, Assertions: \d"
    r"|OK \(\d+ tests?, |[.FEWRSI]{10,80} +\d+ / \d+ |There (?:was|were) \d+ (?:failure|error)s?:$"
    r"|(?:Passed|Failed)! +- Failed: "
    r"|\s++(?:Failed|Passed) [\w.]+(?:\(.{0,200}\))? \[[\d.,< ]+ ?m?s\]$|\s++Error Message:$"
    r"|\d+\.\d\ds (?:call|setup|teardown) +\S+::"
    r"|\[(?:={10}|-{10}|  PASSED  |  FAILED  | RUN      |       OK |  SKIPPED )\] "
    r"|(?:test cases|assertions): +\d+ \| "
    r"|\s*+\d+/\d+ Test +#\d+: |\d+% tests passed, "
    r"|(?:\[\w+\] +)?Tests run: \d+, Failures: |\[INFO\] Running \S+$"
    r"|\d+ tests? completed, \d+ failed"
    r"|Run options: --seed |\s++\d+\) (?:Failure|Error):$|\d+ (?:runs|tests), \d+ (?:assertions|failures?)"
    r"|(?:Failure|Error): test\w*\(|\s++\d+\) test .{1,200} \(\w+(?:\.\w+)*\)$|Running ExUnit "
    r"|Test (?:Case|Suite) '.{1,200}' (?:passed|failed|started)"
    r"|\s++(?:Given|When|Then|And|But) .{1,200} # \S+:\d+|\d+ (?:scenarios?|steps?) (?:passed|\(\d)"
    r"|[\w./\\-]{1,200}+:\d+: FAILED:$|[\w.$]{1,200}+ > .{1,200} (?:PASSED|FAILED|SKIPPED)$"
    r"|[^|\n]{1,200}+\| (?:PASS|FAIL|SKIP) \|$"
    r"|Testing against Django|System check identified"
)
VERDICT = Pattern(
    r"(?=\s*+[=#*\[\dEFOPRSTot])"  # how any of these begins: most lines do not
    r"(?:=+ (?P<a>(?:\d+ [a-z]\w*+(?:, )?){1,12} in [\d.:() ]{1,30}s?.{0,20}?) =+$"
    r"|(?P<b>Ran \d+ tests? (?:in [\d.]+s|across .{1,60}))"
    r"|(?P<c>(?:OK|FAILED)(?: \([\w=, ]{1,80}\)| \| \d+ passed.{0,80})?)$|(?P<m>ok \| \d+ passed.{0,80})"
    r"|(?P<d>test result: .{1,120})|\s{0,8}+(?P<e>Tests?(?: Suites| Files)?:?\s++\d+ .{1,80})"
    r"|(?P<f>\s++\d+ (?:passing|failing|pending)\b.{0,20}"
    r"|\s++\d+ (?:passed|failed|flaky|skipped|did not run|pass|fail)(?: \([\d.]+m?s\))?$)"
    r"|(?P<g>\d+ (?:examples?|runs|(?:doctests?, \d+ )?tests?), (?:\d+ passed, |\d+ assertions, )?\d+ fail(?:ures?|ed)"
    r".{0,80})"
    r"|(?P<h>(?:FAIL|ok)\s++[\w./-]+\s++[\d.]+s)"
    r"|(?P<k>Tests: \d+, Assertions: .{1,100})|(?P<l>(?:Passed|Failed)! +- Failed: .{1,120})"
    r"|# (?P<j>(?:tests|pass|fail) \d{1,9})$"
    r"|(?P<n>\[  (?:PASSED|FAILED)  \] \d+ tests?)|\s*+(?P<o>\d+ FAILED TESTS?)$|(?P<p>test cases: +\d+ \| .{1,80})"
    r"|(?P<q>\d+% tests passed, .{1,80})|(?:\[\w+\] +)?(?P<r>Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$"
    r"|(?P<s>\d+ tests? completed, \d+ failed.{0,40})|\s++(?P<t>Executed \d+ tests?, with .{1,100})"
    r"|(?P<u>\d+ (?:scenarios?|steps?) (?:passed|\(\d).{0,80})|(?P<v>\*{3}Test Failed\*{3} \d+ failures?)"
    r"|\s++Summary \[ *[\d.]+s\] (?P<w>\d+ tests? run: .{1,80})"
    r"|(?P<i>(?:\d{1,9} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun)(?:, )?){1,9}"
    r" in [\d.]+s.{0,40})$)"
)
FAILED = Pattern(
    r"(?:\[gw\d+\] \[ {0,2}\d+%\] )?(?:FAILED|ERROR) (?P<a>\S+::.{1,300})|(?P<b>(?:FAIL|ERROR): \w+ \(.{1,200}\))"
    r"|\s*+--- FAIL: (?P<before_go>\S+)"
    r"|test (?P<d>\S+) \.\.\. FAILED|\s*+not ok (?:\d+ (?:- )?)?(?P<tap>\S.{0,200})"
    r"|\s?FAIL\s++(?P<f>\S+\.(?:test|spec)\.\S+)|\s++[✕✗×] (?P<g>.{1,200})|(?P<h>(?>\S+?::)\S++) (?:FAILED|ERROR)\b"
    r"|(?P<i>\w+ \([\w.]+\)(?: \[.{0,200}\])?) \.\.\. (?:FAIL|ERROR)\b"
    r"|_{4,} (?P<j>(?:ERROR at \w+ of )?[\w.\[\]-]{1,200}) _{4,}"
    r"|\s++\d+\) (?!Failure:|Error:)(?P<goes_on>(?:[A-Z]|test ).{1,160})"
    r"|rspec (?P<m>\./\S+:\d+ # .{1,200})|\s++Failed (?P<n>[\w.]+(?:\(.{0,200}\))?) \[[\d.,< ]+ ?m?s\]$"
    r"|\d+\) (?P<o>[\w\\]+::\w.{0,200})|\s++● (?P<l>\S.{0,160} › .{1,160})"
)
SELDOM = Pattern(
    r"\[  FAILED  \] (?P<before_gtest>[\w/]+\.[\w/]+)|\(fail\) (?P<r>.{1,200})"
    r"|\s*+[✘✖] +(?P<p>(?!failing tests).{1,200})"
    r"|(?P<t>\w[^.\n]{1,200}+)\.\.\. FAILED \(|(?P<u>[\w./\\-]{1,200}+:\d+): FAILED:$"
    r"|(?P<v>[\w.$]{1,200}+ > .{1,200}) FAILED$|(?P<aa>[^|\n]{1,200}+)\| FAIL \|$"
    r"|\s*+\d+/\d+ Test +#\d+: (?P<s>\S+) \.+\*{3}(?:Failed|Timeout|Exception|Not Run)"
    r"|(?P<w>[A-Z][\w:]+#test\w* \[.{1,200}\]):$"
    r"|(?:Failure|Error): (?P<x>test\w*\(.{1,100}\))|\s++(?:FAIL|SIGABRT|TIMEOUT) \[ *[\d.]+s\] (?P<y>.{1,200})"
    r"|Test Case '(?P<before_xctest>.{1,200})' failed"
    r"|\[ERROR\] +(?P<ab>[\w.$]{1,200}) +(?:-- )?Time elapsed: .{1,40} <<< (?:FAILURE|ERROR)!"
    r"|(?P<ac>File \".{1,200}\", line \d+, in \S+)$"
    r"|\s++(?:cucumber )?(?P<ad>[^\s:]{1,300}+(?<=\.feature):\d+ .{1,200})$"
)
"""More of the same, of tools that are told by `SELDOM_MARKS`: no line need be looked at if none is in the text."""
SELDOM_MARKS = (
    "[  FAILED", "\n(fail) ", "✘ ", "✖ ", " FAILED (", ": FAILED:", " FAILED\n", "| FAIL |", "***Failed", "***Timeout",
    "***Exception", "***Not Run", "#test", "Failure: test", "\nError: test", " FAIL [", "' failed (", " <<< ",
    '\nFile "', ".feature:",
)  # fmt: skip
MESSAGE = Pattern(
    r"E  +(?P<a>\S.{0,300})|(?P<b>[\w.]*(?:Error|Exception|Failure)(?:: .{0,300})?$)"
    r"|\s++(?P<c>\w+_test\.go:\d+: .{1,300})|thread '.{1,80}' panicked at (?P<d>.{1,300})"
    r"|\s*+(?P<e>(?:Assertion)?Error: .{1,300})|\s++(?P<f>expect\(\S.{1,300})"
    r"|\s++Failure/Error: (?P<i>.{1,300})|(?P<j>Failed asserting .{1,300})|\s++(?P<k>Assert\.\w.{1,300})"
    r"|\s++(?:error|message): (?P<g>[^|>\s].{0,300})|\s++(?P<h>Expected values .{1,300})"
    r"|(?P<l>Expected: .{1,300})"
    r"|\s{4,12}+(?P<m>[\w.]{3,200}(?:Error|Exception)(?: \[\w+\])?: .{1,300})"
    r"|\s++(?P<n>Assertion (?:Failed|with).{1,200})"
    r"|\s++(?P<o>(?:REQUIRE|CHECK)\w*\(.{1,200})"
)
LOGGED = Pattern(
    r"\s*+(?P<text>\w+_test\.go:\d+: .{1,300}|\S{1,200}\.(?:cc|cpp|cxx|h|swift):\d+: (?:Failure$|error: .{1,300}))"
)
LOGGED_MARKS = ("_test.go:", ": Failure", ": error: ")
"""Whatever LOGGED finds holds one of these, which are sooner looked for."""
NEXT = ("=== RUN", "--- PASS", "--- SKIP", "[ RUN ", "[       OK ", "Test Case ")
NAMING = (
    "FAILED ", " FAILED", "FAIL: ", "... FAIL", "not ok ", " ✕ ", " ✗ ", " × ", " ✘ ", "✖ ", "  ● ", "\nFAIL ",
    "(fail) ", "***Failed", "<<< FAIL", "' failed (", "| FAIL |", " FAIL [",
)  # fmt: skip
"""How failures begin; what is between the head and the last part of a long report is searched for these alone."""
