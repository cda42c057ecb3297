"""`toolstub proxy`, `toolstub run` and `toolstub doctor`.

    toolstub proxy                        then set OPENAI_BASE_URL=http://127.0.0.1:8788/v1 for a client
    toolstub run -- python agent.py       the same for the life of one command, with the variable set for it

`proxy` ends with status 0 on SIGTERM and 130 on Ctrl-C, after the answers under way. `run` ends as COMMAND does (128
and the number of the signal that killed it), or with 125 if COMMAND could not be started.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from toolstub_ext.errors import ToolstubError, explained
from toolstub_ext.installing import how_to_install
from toolstub_ext.presets import PRESETS
from toolstub_ext.settings import Settings, load_settings

from .demo import command as demo
from .doctor import command as doctor

if TYPE_CHECKING:
    from argparse import _SubParsersAction

NOT_STARTED = 125


def register(subparsers: _SubParsersAction[Any]) -> None:
    """Add the parsers of this package. Nothing is imported here that a command does not need to be described."""
    proxy = subparsers.add_parser("proxy", help="shrink tool results between an agent and its API",
                                  description="A proxy for OpenAI-style and Anthropic APIs: large tool results become "
                                              "short stubs.")
    proxy.add_argument("--listen", metavar="HOST:PORT", help="where clients connect to (default 127.0.0.1:8788)")
    _add_options(proxy)
    proxy.add_argument("--token-file", metavar="FILE", help="a token that every client has to show (or set "
                                                            "TOOLSTUB_TOKEN); needed to listen beyond this machine")
    proxy.add_argument("--drain", metavar="SECONDS", type=_seconds, default=10.0,
                       help="how long answers under way may go on after SIGTERM or Ctrl-C (default 10)")
    proxy.set_defaults(run=_proxy)
    run = subparsers.add_parser("run", help="run a command behind a proxy of its own",
                                description="A proxy on a free port for the life of COMMAND, its base URLs set.")
    _add_options(run)
    run.add_argument("arguments", nargs=argparse.REMAINDER, metavar="-- COMMAND ...")
    run.set_defaults(run=_run)
    doctor.register(subparsers)
    demo.register(subparsers)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--upstream", metavar="URL", help="the API behind the proxy, as a client's base URL, for all paths")
    add("--openai-upstream", metavar="URL",
        help="for everything but Anthropic's paths (default https://api.openai.com)")
    add("--anthropic-upstream", metavar="URL", help="for /v1/messages and below (default https://api.anthropic.com)")
    add("--config", metavar="FILE", help="settings (default: toolstub.yaml from here upwards)")
    add("--preset", metavar="NAME", help=f"a set of policies: {', '.join(PRESETS)}")
    add("--store", metavar="URL", default=argparse.SUPPRESS, help="where the originals are: a path or sqlite:///PATH")
    add("--owners", choices=("single", "per-credential"), help="whose originals they are (default single)")
    add("--ca", metavar="FILE", help="authorities (PEM) to trust upstream, beside the system's and certifi's")
    add("--client-cert", metavar="FILE", help="a certificate with its key (PEM) to show upstream")
    add("--access-log", metavar="FILE", help="a JSON line for every request, without bodies; - is standard output")
    add("--explain", action="store_true", help="say for each tool result what was done and why")


def settings_of(args: argparse.Namespace, **more: str | None) -> Settings:
    """The settings in force for a command line, with `more` where it says nothing. Raises SettingsError."""
    names = ("listen", "upstream", "openai_upstream", "anthropic_upstream", "store", "owners")
    given = {name: getattr(args, name, None) or more.get(name) for name in names}
    return load_settings(args.config, preset=args.preset, **given)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return seconds


def _proxy(args: argparse.Namespace) -> int:
    from .serving import Operation, serve, token_of

    return serve(settings_of(args), Operation(explain=args.explain, access_log=args.access_log, cafile=args.ca,
                                              certificate=args.client_cert, token=token_of(args.token_file),
                                              drain=args.drain))


def _run(args: argparse.Namespace) -> int:
    command = args.arguments[1:] if args.arguments[:1] == ["--"] else args.arguments
    if not command:
        sys.stderr.write("toolstub run: which command? toolstub run -- COMMAND ...\n")
        return 2
    try:
        from .leading import upstreams_of
        from .running import run_behind
        from .serving import Operation

        return run_behind(command, settings_of(args, **upstreams_of(os.environ)),
                          Operation(explain=args.explain, access_log=args.access_log, cafile=args.ca,
                                    certificate=args.client_cert))
    except ModuleNotFoundError as error:
        sys.stderr.write(f"toolstub run: {how_to_install(error)}\n")
    except ToolstubError as error:
        sys.stderr.write(f"toolstub run: {error}\n")
    except OSError as error:
        sys.stderr.write(f"toolstub run: {error.filename or command[0]}: {explained(error)}\n")
    return NOT_STARTED
