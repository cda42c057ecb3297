"""The command: every look in turn, as lines for a person or as JSON. Status 1 if anything is wrong."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from toolstub_ext.addresses import host_and_port
from toolstub_ext.errors import SettingsError
from toolstub_ext.settings import load_settings

from ..trust import trusted
from . import here, variables, way
from .finding import Finding, ill

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_MARKS = {True: "ok", False: "!!", None: "--"}


def register(subparsers: _SubParsersAction[Any]) -> None:
    """Add the parser."""
    parser = subparsers.add_parser("doctor", help="find why nothing is stubbed, or why nothing arrives",
                                   description="Looks at this shell, the settings, the store, the running proxy and "
                                               "the upstream, and says what to do.")
    add = parser.add_argument
    add("--config", metavar="FILE", help="settings (default: toolstub.yaml from here upwards)")
    add("--preset", metavar="NAME", help="a set of policies")
    add("--store", metavar="URL", default=argparse.SUPPRESS, help="where the originals are")
    add("--listen", metavar="HOST:PORT", help="where the proxy is (default 127.0.0.1:8788)")
    add("--upstream", metavar="URL", help="the API behind it")
    add("--ca", metavar="FILE", help="authorities (PEM) to trust upstream")
    add("--client-cert", metavar="FILE", help="a certificate to show upstream")
    add("--json", action="store_true", help="as data")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    findings = list(_findings(args))
    if args.json:
        print(json.dumps({"ok": _is_well(findings), "findings": [asdict(f) for f in findings]}, indent=2))
    else:
        for finding in findings:
            print(f"{_MARKS[finding.ok]}  {finding.subject}: {finding.says}")
            if finding.do:
                print(f"    -> {finding.do}")
    return 0 if _is_well(findings) else 1


def _is_well(findings: list[Finding]) -> bool:
    return all(finding.ok is not False for finding in findings)


def _findings(args: argparse.Namespace) -> Iterator[Finding]:
    environment = os.environ
    yield from here.versions()
    try:
        settings = load_settings(args.config, preset=args.preset, store=getattr(args, "store", None),
                                 listen=args.listen, upstream=args.upstream)
    except SettingsError as error:
        yield ill("settings", str(error), "correct them; nothing else can be looked at before")
        return
    yield from here.settings_of(settings)
    yield from here.store_of(settings)
    host, port = host_and_port(settings.listen) or ("127.0.0.1", 0)
    yield from variables.base_urls(environment, host, port)
    yield from variables.proxies(environment, host, port)
    yield from variables.bundles(environment)
    yield from way.running(host, port, environment.get("TOOLSTUB_TOKEN"))
    yield from way.upstreams(settings, environment, partial(trusted, args.ca, certificate=args.client_cert))
