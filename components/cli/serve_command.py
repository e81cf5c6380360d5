"""The command `serve`."""

from pathlib import Path

import typer

from ..conversations.configuration import SERVE, configure, read_settings
from ..runs.run_settings import SERVE_OPTIONS, read_table
from ..shared.extras import EXTRAS, ExtraError, load_extra
from .options import CONFIG
from .stopping import ending_cleanly
from .terminal import wrong_usage

EXTRA = "serve"
HOST = typer.Option(
    "127.0.0.1", help="Address to listen at; another than this machine's own is seen by all"
)
PORT = typer.Option(8000, min=0, max=65535, help="Port; 0: one that is free")


def serve(
    context: typer.Context,
    host: str = HOST,
    port: int = PORT,
    workers: int = typer.Option(
        1, min=1, help="Processes that run the pipeline, sharing its memory"
    ),
    queue: int = typer.Option(64, min=1, help="Requests that may wait; more are refused (429)"),
    seconds: float = typer.Option(60.0, min=1, help="Time that a request may take, with waiting"),
    body: int = typer.Option(2**21, min=1024, help="Bytes that a request may have"),
    rate: float = typer.Option(200.0, min=0, help="Requests a second of one address; 0: any"),
    config: Path | None = CONFIG,
) -> None:
    """Serve the pipeline to this machine: a REST interface, which /openapi.json describes, and a page to try it.

    It prints the address, with a token that each client must show. To choose the token yourself, set
    the environment variable SV_DEID_SERVE_TOKEN: then it is not printed. Set SV_DEID_KEY to get the
    same surrogates as another run. Instead of each, NAME_FILE may name a file that holds it. No text is logged or kept. Ctrl-C or SIGTERM ends it when what
    has begun is done.
    """
    with wrong_usage(ExtraError, ValueError):
        need_extra()
        settings = read_settings(config)
        more = read_table(config, SERVE, SERVE_OPTIONS)
    # They need the extra.
    from ..serve.app import make_app, run_server
    from ..serve.pipeline import PipelineQueue
    from ..serve.security import LOOPBACK, Limits, new_token, read_token

    with wrong_usage(ValueError):
        given = read_token()
    token = given or new_token()
    nlp = context.obj()
    with wrong_usage(ValueError):
        configure(nlp, settings)
    app = make_app(
        PipelineQueue(nlp, workers, queue, seconds),
        token,
        Limits(body=body, rate=rate),
        LOOPBACK if host in LOOPBACK else (),
        nlp.meta["version"],
        **more,
    )
    with ending_cleanly(lambda: ""), wrong_usage(OSError):
        run_server(app, host, port, "" if given else token)


def need_extra() -> None:
    """RAISES (ExtraError): If a package of the extra is not installed."""
    for module in EXTRAS[EXTRA]:
        load_extra(module, EXTRA)
