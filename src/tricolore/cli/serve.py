"""`tricolore serve`: the explorer and the JSON API."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tricolore.cli.options import Device, Jobs
from tricolore.cli.output import print_lines

if TYPE_CHECKING:
    from tricolore.web.server import WebServer

EXAMPLES = """
tricolore serve

tricolore serve --port 9000 --jobs 2 --permalinks off
"""

_NETWORK, _MODELS, _LIMITS = "Network", "Models", "Limits"


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on. Any but a loopback address needs a token.",
            rich_help_panel=_NETWORK,
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65535,
            metavar="N",
            help="Port to listen on; 0 takes a free one.",
            rich_help_panel=_NETWORK,
        ),
    ] = 8000,
    token_env: Annotated[
        str,
        typer.Option(
            "--token-env",
            metavar="NAME",
            help="Environment variable with the bearer token that requests must have.",
            rich_help_panel=_NETWORK,
        ),
    ] = "TRICOLORE_TOKEN",
    token_file: Annotated[
        str,
        typer.Option(
            "--token-file",
            metavar="FILE",
            show_default=False,
            help="File with the token, instead of the environment variable.",
            rich_help_panel=_NETWORK,
        ),
    ] = "",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAMES",
            show_default=False,
            help="Name that requests may use for this server, such as that of a proxy before it; "
            "may be given several times.",
            rich_help_panel=_NETWORK,
        ),
    ] = None,
    allow_model: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-model",
            metavar="MODEL",
            show_default=False,
            help="Model on this machine that requests may name, besides the default ones of the "
            "measures; may be given several times.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    warm: Annotated[
        str | None,
        typer.Option(
            "--warm",
            metavar="SPECS",
            show_default="all that have a model on this machine",
            help="Measures whose models are loaded at the start, separated by commas.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    jobs: Jobs = 1,
    device: Device = "",
    permalinks: Annotated[
        str,
        typer.Option(
            metavar="FILE|off",
            show_default="in the user's data directory",
            help="SQLite file in which permalinks are kept.",
        ),
    ] = "",
    max_examples: Annotated[
        int,
        typer.Option(
            "--max-examples",
            min=1,
            max=100_000,
            metavar="N",
            help="The most examples of a request.",
            rich_help_panel=_LIMITS,
        ),
    ] = 256,
    max_characters: Annotated[
        int,
        typer.Option(
            "--max-characters",
            min=1,
            max=1_000_000_000,
            metavar="N",
            help="The most characters in the texts of a request.",
            rich_help_panel=_LIMITS,
        ),
    ] = 1_000_000,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit",
            min=1,
            max=86400,
            metavar="SECONDS",
            help="Seconds that a request may take.",
            rich_help_panel=_LIMITS,
        ),
    ] = 60,
    queue: Annotated[
        int,
        typer.Option(
            min=1,
            max=10_000_000,
            metavar="N",
            help="The most scores that wait to be computed.",
            rich_help_panel=_LIMITS,
        ),
    ] = 20_000,
    requests_per_client: Annotated[
        int,
        typer.Option(
            "--requests-per-client",
            min=1,
            max=1_000_000,
            metavar="N",
            help="The most requests of one client at the same time.",
            rich_help_panel=_LIMITS,
        ),
    ] = 16,
    shutdown_seconds: Annotated[
        float,
        typer.Option(
            "--shutdown-seconds",
            min=0,
            max=86400,
            metavar="SECONDS",
            help="Seconds that requests under way may take after SIGTERM or Ctrl-C.",
            rich_help_panel=_LIMITS,
        ),
    ] = 20,
) -> None:
    """Serve the explorer and a JSON API over HTTP.

    The server can be reached from this machine only, unless you name another
    address with --host. Requests can name no files, only models that are on this
    machine, and the server downloads nothing. It logs JSON lines to standard
    error, without any text of a user. SIGTERM or Ctrl-C ends it.
    """
    _check_installed()
    from tricolore.models.placement import Placement
    from tricolore.web.config import ServerConfig
    from tricolore.web.limits import Limits
    from tricolore.web.logs import log_as_json
    from tricolore.web.server import serve as serve_forever

    config = ServerConfig(
        host=host,
        port=port,
        token=_token(token_env, token_file),
        hosts=allow_host or (),
        models=allow_model or (),
        warm=None if warm is None else [warm],
        workers=jobs,
        permalinks=_permalinks(permalinks),
        placement=Placement(device=device, offline=True),
        limits=Limits(
            rows=max_examples,
            characters=max_characters,
            body=max(1_000_000, 8 * max_characters),  # JSON may write a character as six bytes
            seconds=time_limit,
            queue=queue,
            client_requests=requests_per_client,
        ),
        shutdown_seconds=shutdown_seconds,
    )
    log_as_json()
    serve_forever(config, _announce)


def _check_installed() -> None:
    from tricolore.errors import TricoloreError

    try:
        import fastapi  # noqa: F401
        import prometheus_client  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        words = f"a server needs {error.name}: pip install 'tricolore[web]'"
        raise TricoloreError(words) from None


def _token(variable: str, file: str) -> str:
    """The token from a file or the environment; it is never an argument, which others can see."""
    from tricolore.errors import TricoloreError

    if not file:
        return os.environ.get(variable, "").strip()
    try:
        token = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise TricoloreError(f"the token cannot be read from {file}: {reason}") from error
    if not token:
        raise TricoloreError(f"{file} has no token")
    return token


def _permalinks(given: str) -> Path | None:
    if given == "off":
        return None
    if given:
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("tricolore") / "permalinks.sqlite"


def _announce(server: WebServer) -> None:
    print_lines([f"Serving on {server.url} (Ctrl-C ends it)"], "", stderr=True)
