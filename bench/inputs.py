"""What is measured on: made up from a seed and the same in every run, but for source code: the standard library's."""

from __future__ import annotations

import csv
import io
import json
import random
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, cycle
from pathlib import Path

MB = 1_000_000

_LETTERS = "etaoinshrdlcumwfgypbvk"
_CHINESE = (
    "系统", "数据", "结果", "请求", "用户", "文件", "时间", "错误", "正常", "完成", "开始", "处理", "服务", "网络",
    "查询", "返回", "记录", "更新", "检查", "任务", "进程", "内存", "日志", "配置", "版本", "测试", "发现", "问题",
    "可以", "已经", "没有", "所有", "部分", "因为", "所以", "如果", "但是", "然后", "我们", "公司", "项目", "报告",
)  # fmt: skip


@cache
def words() -> tuple[str, ...]:
    """3,000 words that nobody uses."""
    chance = random.Random(7)
    return tuple("".join(chance.choices(_LETTERS, k=chance.randint(2, 10))) for _ in range(3000))


@cache
def phrases() -> tuple[str, ...]:
    """4,000 runs of 2 to 12 of them."""
    chance = random.Random(8)
    return tuple(" ".join(chance.choices(words(), k=chance.randint(2, 12))) for _ in range(4000))


def _filled(size: int, pieces: Iterator[str]) -> str:
    """As many of the pieces as fit into `size` characters, and one more."""
    parts, length = [], 0
    while length < size:
        parts.append(next(pieces))
        length += len(parts[-1])
    return "".join(parts)


def record(number: int, chance: random.Random) -> dict[str, object]:
    """One record of a service's answer; a few lack a field or have another type in it."""
    made: dict[str, object] = {
        "id": number,
        "name": chance.choice(phrases())[:24],
        "email": f"{chance.choice(words())}@example.com",
        "active": chance.random() < 0.5,
        "score": round(chance.random() * 100, 3),
        "tags": chance.choices(words(), k=4),
        "meta": {
            "created": f"2026-01-{number % 28 + 1:02d}T10:00:00Z",
            "revision": chance.randrange(10**6),
            "note": chance.choice(phrases()),
            "remark": "结果正常" if number % 9 == 0 else None,
        },
    }
    if number % 97 == 0:
        made["score"] = "n/a"
    if number % 61 == 0:
        made["error"] = chance.choice(phrases())
    return made


@cache
def json_text(size: int, seed: int = 1) -> str:
    """An object with a list of records in it, on one line."""
    chance = random.Random(seed)
    items = _filled(size, (json.dumps(record(number, chance), ensure_ascii=False) + ", " for number in count()))
    return f'{{"status": "ok", "next": null, "items": [{items.removesuffix(", ")}], "took_ms": 12}}'


@cache
def table(size: int, delimiter: str) -> str:
    """Eight columns; a value in seven holds the delimiter and is quoted in CSV."""
    chance = random.Random(2)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["id", "name", "email", "active", "score", "note", "city", "day"])
    for number in count():
        note = chance.choice(phrases())
        if delimiter == "," and number % 7 == 0:
            note += ", " + chance.choice(words())
        writer.writerow([
            number, chance.choice(words()), f"{chance.choice(words())}@example.com", chance.random() < 0.5,
            round(chance.random() * 100, 3), note, chance.choice(words()).title(), f"2026-01-{number % 28 + 1:02d}",
        ])
        if out.tell() >= size:
            return out.getvalue()
    raise AssertionError


@cache
def yaml_text(size: int) -> str:
    """A list of services below a few keys."""
    chance = random.Random(3)

    def pieces() -> Iterator[str]:
        yield "apiVersion: v1\nkind: List\nmetadata:\n  name: demo\n  labels:\n    app: web\nitems:\n"
        for number in count():
            yield (
                f"- name: {chance.choice(words())}-{number}\n"
                f"  image: registry.example.com/{chance.choice(words())}:{number}\n"
                f"  replicas: {number % 7}\n  env:\n    - name: {chance.choice(words()).upper()}\n"
                f'      value: "{chance.choice(phrases())}"\n  note: {chance.choice(phrases())}\n'
                f"  ports: [80, {8000 + number % 1000}]\n"
            )

    return _filled(size, pieces())


@cache
def xml_text(size: int) -> str:
    """A catalogue of records of three kinds."""
    chance = random.Random(4)

    def pieces() -> Iterator[str]:
        for number in count():
            tag = ("book", "book", "magazine", "film")[number % 4]
            yield (
                f'  <{tag} id="b{number}" lang="en"><title>{chance.choice(phrases())}</title>'
                f'<price currency="USD">{number % 100}.50</price>'
                f"<note>{chance.choice(phrases())} &amp; more</note></{tag}>\n"
            )

    return f'<?xml version="1.0" encoding="UTF-8"?>\n<catalog version="2">\n{_filled(size, pieces())}</catalog>\n'


@cache
def code_text(size: int) -> str:
    """Modules of the standard library, one after the other, from the beginning again if there are not enough."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    files = sorted([*folder.glob("*.py"), *folder.glob("asyncio/*.py"), *folder.glob("email/*.py")])
    sources = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    return _filled(size, cycle(source for source in sources if source))[:size]


@cache
def log_text(size: int) -> str:
    """Lines of a service's log, one in four hundred of them a traceback's beginning."""
    chance = random.Random(5)
    levels = ("DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR")

    def pieces() -> Iterator[str]:
        for number in count():
            yield (
                f"2026-01-05T10:{number // 60 % 60:02d}:{number % 60:02d}.{number % 1000:03d}Z {chance.choice(levels)} "
                f"[worker-{number % 8}] {chance.choice(words())}.{chance.choice(words())}: {chance.choice(phrases())} "
                f"id={chance.getrandbits(64):x} took={number % 977}ms\n"
            )
            if number % 400 == 399:
                yield "Traceback (most recent call last):\n" + f'  File "{chance.choice(words())}.py", line {number}\n'

    return _filled(size, pieces())


@cache
def prose_text(size: int) -> str:
    """Paragraphs under headings."""
    return _filled(size, _paragraphs(phrases(), " ", ". "))


@cache
def chinese_text(size: int) -> str:
    """The same in Chinese words."""
    return _filled(size, _paragraphs(_CHINESE, "", "。"))


def _paragraphs(vocabulary: tuple[str, ...], between: str, stop: str) -> Iterator[str]:
    chance = random.Random(6)
    for number in count(1):
        sentences = (between.join(chance.choices(vocabulary, k=chance.randint(5, 14))) for _ in range(6))
        yield f"## {number} {chance.choice(vocabulary)}\n\n" + stop.join(sentences) + stop.strip() + "\n\n"


KINDS: dict[str, Callable[[int], str]] = {
    "json": json_text,
    "csv": lambda size: table(size, ","),
    "tsv": lambda size: table(size, "\t"),
    "yaml": yaml_text,
    "xml": xml_text,
    "code": code_text,
    "log": log_text,
    "text": prose_text,
    "chinese": chinese_text,
}
"""A text of each kind, of about as many characters as asked for."""


def tables_with_traps(number: int) -> Iterator[str]:
    """Small tables whose values hold quotes, delimiters and line ends."""
    chance = random.Random(9)
    traps = ('"', '""', ",", "\n", "\r\n", '",\n"', " ", "x")
    for _ in range(number):
        out, line_end = io.StringIO(), chance.choice(("\n", "\r\n"))
        writer = csv.writer(out, lineterminator=line_end, quoting=chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))
        writer.writerow(["id", "name", "note"])
        for row in range(chance.randint(12, 400)):
            trapped = row > 10 and chance.random() < 0.2
            end = "".join(chance.choices(traps, k=3)) if trapped else ""
            writer.writerow([row, chance.choice(words()), chance.choice(phrases()) + end])
        yield out.getvalue()


@cache
def results(size: int) -> tuple[str, ...]:
    """Tool results of all kinds and of many lengths, all different, together of about `size` characters."""
    chance = random.Random(10)
    sources = [text(3 * MB) for kind, text in KINDS.items() if kind not in ("json", "chinese")] + [json_text(3 * MB)]
    made: list[str] = []
    while sum(map(len, made)) < size:
        source, length = chance.choice(sources), chance.choice((800, 3_000, 12_000, 25_000, 40_000))
        start = chance.randrange(len(source) - length)
        made.append(source[start : start + length])
    return tuple(made)
