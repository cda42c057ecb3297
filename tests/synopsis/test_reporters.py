"""Reports of tests by the tools of many languages: what failed is named, and the verdict is the tool's own."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import synopsize

NAMES = [f"pier{n:02}" for n in range(30)]
RULE, LINE = "=" * 78 + "\n", "-" * 78 + "\n"


def _told(good: str, bad: str) -> str:
    """A line or more of each test; every ninth one fails."""
    return "".join((bad if n % 9 == 4 else good).format(n=n, w=w) for n, w in enumerate(NAMES))


REPORTS = {
    "GoogleTest": (
        "[==========] Running 30 tests from 1 test suite.\n[----------] 30 tests from Tide\n"
        + _told(
            "[ RUN      ] Tide.{w}\n[       OK ] Tide.{w} (0 ms)\n",
            "[ RUN      ] Tide.{w}\ntide_test.cc:{n}: Failure\nExpected equality of these values:\n  low\n  4\n"
            "[  FAILED  ] Tide.{w} (0 ms)\n",
        )
        + "[==========] 30 tests from 1 test suite ran. (12 ms total)\n[  PASSED  ] 27 tests.\n"
        + "[  FAILED  ] 3 tests, listed below:\n[  FAILED  ] Tide.pier04\n\n 3 FAILED TESTS\n",
        "[ PASSED ] 27 tests · [ FAILED ] 3 tests · 3 FAILED TESTS",
        ("FAILED Tide.pier04, line 12: tide_test.cc:4: Failure", "FAILED Tide.pier22"),
    ),
    "Catch2": (
        "~" * 79
        + "\ntides is a Catch host application.\n\n"
        + "".join(f"{LINE}{w} is low\n{LINE}tides.cpp:{n}\n{'.' * 79}\n\ntides.cpp:{n}: FAILED:\n  REQUIRE( low == 4 )\n\n"
                  for n, w in enumerate(NAMES[3:6]))
        + RULE
        + "test cases: 30 | 27 passed | 3 failed\nassertions: 60 | 57 passed | 3 failed\n",
        "test cases: 30 | 27 passed | 3 failed",
        ("FAILED tides.cpp:0, line 11: REQUIRE( low == 4 )",),
    ),
    "CTest": (
        "Test project /tides\n"
        + _told(
            "      Start {n}: {w}\n{n}/30 Test #{n}: {w} ......   Passed    0.01 sec\n",
            "      Start {n}: {w}\n{n}/30 Test #{n}: {w} ......***Failed    0.01 sec\n",
        )
        + "\n90% tests passed, 3 tests failed out of 30\n",
        "90% tests passed, 3 tests failed out of 30",
        ("FAILED pier04, line 11", "FAILED pier13"),
    ),
    "Surefire": (
        "[INFO] Scanning for projects...\n[INFO]  T E S T S\n"
        + _told(
            "[INFO] Running tides.{w}\n[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n",
            "[INFO] Running tides.{w}\n[ERROR] tides.{w}.low -- Time elapsed: 0.1 s <<< FAILURE!\n"
            "org.tides.WetError: expected: <3> but was: <4>\n\tat tides.{w}.low({w}.java:20)\n",
        )
        + "[INFO] Results:\n[ERROR] Tests run: 120, Failures: 3, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
        "Tests run: 120, Failures: 3, Errors: 0, Skipped: 0",
        ("FAILED tides.pier04.low, line 13: org.tides.WetError: expected: <3> but was: <4>",),
    ),
    "Gradle": (
        "> Task :test\n\n"
        + _told(
            "TideTest > {w}() PASSED\n\n", "TideTest > {w}() FAILED\n    org.tides.WetError: too high\n        at x.T.a(T.java:{n})\n\n"
        )
        + "30 tests completed, 3 failed\n\n> Task :test FAILED\n",
        "30 tests completed, 3 failed",
        ("FAILED TideTest > pier04(), line 12: org.tides.WetError: too high", "FAILED TideTest > pier22()"),
    ),
    "Vitest": (
        "\n RUN  v1.6.0 /tides\n\n"
        + _told(" ✓ src/{w}.test.ts (3 tests) 4ms\n", " ❯ src/{w}.test.ts (3 tests | 1 failed) 8ms\n   × {w} is low\n")
        + "\n FAIL  src/pier04.test.ts > tide\nAssertionError: expected 3 to be 4\n\n"
        + " Test Files  3 failed | 27 passed (30)\n      Tests  3 failed | 87 passed (90)\n",
        "Test Files 3 failed | 27 passed (30) · Tests 3 failed | 87 passed (90)",
        ("FAILED pier04 is low", "FAILED src/pier04.test.ts, line 39: AssertionError: expected 3 to be 4"),
    ),
    "Bun": (
        "bun test v1.1\n\n"
        + _told("(pass) {w} is low [0.1ms]\n", "(fail) {w} is low [0.1ms]\n")
        + "\n 27 pass\n 3 fail\nRan 30 tests across 30 files. [20.00ms]\n",
        "27 pass · 3 fail · Ran 30 tests across 30 files. [20.00ms]",
        ("FAILED pier04 is low [0.1ms], line 7",),
    ),
    "Deno": (
        "running 30 tests from ./tide_test.ts\n"
        + _told("{w} is low ... ok ({n}ms)\n", "{w} is low ... FAILED ({n}ms)\n")
        + "\nFAILED | 27 passed | 3 failed (120ms)\n",
        "FAILED | 27 passed | 3 failed (120ms)",
        ("FAILED pier04 is low, line 6",),
    ),
    "Playwright": (
        "Running 30 tests using 4 workers\n\n"
        + _told("  ✓  {n} tide.spec.ts:{n}:1 › {w} (4ms)\n", "  ✘  {n} tide.spec.ts:{n}:1 › {w} (4ms)\n")
        + "\n  3 failed\n    tide.spec.ts:4:1 › pier04\n  27 passed (2.1s)\n",
        "3 failed · 27 passed (2.1s)",
        ("FAILED 4 tide.spec.ts:4:1 › pier04 (4ms), line 7",),
    ),
    "Mocha": (
        "\n\n  Tides\n"
        + _told("    ✔ {w} is low\n", "    1) {w} is low\n")
        + "\n\n  27 passing (21ms)\n  2 failing\n\n"
        + "".join(f"  {n}) Tides\n       low\n         {w} is low:\n     WetError [LOW]: expected 3 to be 4\n\n"
                  for n, w in enumerate(NAMES[:2], 1)),
        "27 passing (21ms) · 2 failing",
        ("FAILED Tides › low › pier00 is low, line 42: WetError [LOW]: expected 3 to be 4", "pier01 is low"),
    ),
    "Jest, told twice": (
        "FAIL __tests__/tides.test.js\n  tides\n"
        + _told("    ✓ {w} is low (1 ms)\n", "    ✕ {w} is low (2 ms)\n")
        + "".join(f"\n  ● tides › {NAMES[n]} is low\n\n    expect(received).toBe({n})\n" for n in (4, 13, 22))
        + "\nTest Suites: 1 failed, 1 total\nTests:       3 failed, 27 passed, 30 total\n",
        "Test Suites: 1 failed, 1 total · Tests: 3 failed, 27 passed, 30 total",
        ("FAILED tides › pier04 is low, line 36: expect(received).toBe(4)", "FAILED tides › pier22 is low"),
    ),
    "XCTest": (
        _told(
            "Test Case '-[Tides test{w}]' started.\nTest Case '-[Tides test{w}]' passed (0.001 seconds).\n",
            "Test Case '-[Tides test{w}]' started.\n/tides/Tides.swift:{n}: error: too high\n"
            "Test Case '-[Tides test{w}]' failed (0.001 seconds).\n",
        )
        + "\t Executed 30 tests, with 3 failures (0 unexpected) in 0.030 (0.032) seconds\n",
        "Executed 30 tests, with 3 failures (0 unexpected) in 0.030 (0.032) seconds",
        ("FAILED -[Tides testpier04], line 10: /tides/Tides.swift:4: error: too high",),
    ),
    "Minitest": (
        "Run options: --seed 123\n\n# Running:\n\n....F....\n\nFinished in 0.01s, 2000 runs/s.\n\n"
        + "".join(f"  {n}) Failure:\nTideTest#test_{w} [tide_test.rb:{n}]:\nExpected: 3\n  Actual: 4\n\n"
                  for n, w in enumerate(NAMES[:4], 1))
        + "22 runs, 22 assertions, 4 failures, 0 errors, 0 skips\n",
        "22 runs, 22 assertions, 4 failures, 0 errors, 0 skips",
        ("FAILED TideTest#test_pier00 [tide_test.rb:1], line 11: Expected: 3",),
    ),
    "ExUnit": (
        "Running ExUnit with seed: 1, max_cases: 4\n\n....\n\n"
        + "".join(f"  {n}) test {w} is low (TidesTest)\n     test/tides_test.exs:{n}\n     Assertion with == failed\n"
                  f"     left:  3\n     right: 4\n\n" for n, w in enumerate(NAMES[:5], 1))
        + "Finished in 0.05 seconds (0.00s async, 0.05s sync)\n30 tests, 5 failures\n",
        "30 tests, 5 failures",
        ("FAILED test pier00 is low (TidesTest), line 7: Assertion with == failed",),
    ),
    "Robot": (
        RULE
        + _told("{w:60}| PASS |\n" + LINE, "{w:60}| FAIL |\n3 != 4\n" + LINE)
        + "30 tests, 27 passed, 3 failed\n",
        "30 tests, 27 passed, 3 failed",
        ("FAILED pier04, line 10",),
    ),
    "behave": (
        "Feature: tides # features/tides.feature:1\n\n"
        + "".join(f"  Scenario: {w}  # features/tides.feature:{n}\n    Given the pier {w} # steps/tides.py:3 0.000s\n\n"
                  for n, w in enumerate(NAMES))
        + "Failing scenarios:\n  features/tides.feature:20  pier04 is low\n\n27 scenarios passed, 1 failed, 0 skipped\n",
        "27 scenarios passed, 1 failed, 0 skipped",
        ("FAILED features/tides.feature:20 pier04 is low, line 94",),
    ),
    "nextest": (
        "    Starting 30 tests across 2 binaries\n"
        + _told("        PASS [   0.003s] tides low::{w}\n", "        FAIL [   0.003s] tides low::{w}\n")
        + "     Summary [   0.030s] 30 tests run: 27 passed, 3 failed, 0 skipped\n",
        "30 tests run: 27 passed, 3 failed, 0 skipped",
        ("FAILED tides low::pier04, line 6",),
    ),
    "doctest": (
        "".join(f'{"*" * 70}\nFile "tides.py", line {n}, in tides.{w}\nFailed example:\n    {w}()\nExpected:\n    3\nGot:\n    4\n'
                for n, w in enumerate(NAMES[:5]))
        + f"{'*' * 70}\n***Test Failed*** 5 failures.\n",
        "***Test Failed*** 5 failures",
        ('FAILED File "tides.py", line 0, in tides.pier00, line 2',),
    ),
    "workers of pytest": (
        "============================= test session starts ==============================\n2 workers [30 items]\n\n"
        + _told("[gw0] [ 10%] PASSED tests/test_t.py::test_{w} \n", "[gw1] [ 10%] FAILED tests/test_t.py::test_{w} \n")
        + "========================= 3 failed, 27 passed in 0.40s =========================\n",
        "3 failed, 27 passed in 0.40s",
        ("FAILED tests/test_t.py::test_pier04, line 8", "FAILED tests/test_t.py::test_pier13"),
    ),
    "TAP with long diagnostics": (
        "TAP version 13\n1..2\n"
        + "".join(f"not ok {n} - {w}.js\n  ---\n  message: too high\n  data:\n" + f"    line: {n}\n" * 90 + "  ...\n"
                  for n, w in enumerate(NAMES[:2], 1)),
        "test report, 2 failures named",
        ("FAILED pier00.js, line 5: too high", "FAILED pier01.js"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTS)
def test_failures_and_verdict_are_told(name: str) -> None:
    """The verdict in the summary, failed tests with their line and what was wrong among the notable items."""
    text, verdict, failures = REPORTS[name]
    found = synopsize(text, budget=2000)
    assert found.variant == "test-report"
    assert any(line.startswith(verdict) for line in found.summary), found.summary
    for failure in failures:
        assert any(failure in item for item in found.notable_items), found.notable_items


def test_a_failure_that_is_told_twice_is_named_once() -> None:
    """By the name that has what was wrong."""
    found = synopsize(REPORTS["Jest, told twice"][0], budget=2000)
    assert sum("is low" in item for item in found.notable_items) == 3
