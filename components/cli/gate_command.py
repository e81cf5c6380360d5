"""The command `gate`."""

import json
import time
from pathlib import Path

import typer
from wasabi import table

from ..conversations.configuration import configure, describe_settings, read_settings
from ..measures.evaluation import evaluate_docs
from ..measures.gate import CHECKS, LEAK, check_limits, tabulate_checks
from ..measures.gold import process_gold, read_gold
from ..model.backend import set_threads
from ..reports.evidence import make_evidence, write_junit, write_markdown, write_verdict
from ..tables.errors import FileError
from ..tables.places import Place, demand_new, demand_other
from .options import CONFIG, CONTEXT, LOWER, THRESHOLD
from .terminal import show, wrong_usage


def gate(
    call: typer.Context,
    gold_path: Path = typer.Argument(
        ..., metavar="GOLD", help="Annotated messages, JSONL", exists=True, dir_okay=False
    ),
    min_redact: float | None = typer.Option(
        None, min=0.0, max=1.0, help="Least share of entities of which no letter or digit is left"
    ),
    max_leak: float | None = typer.Option(
        None,
        min=0.0,
        max=1.0,
        help="Greatest share of conversations (or messages of none) in which something is left: its "
        "UPPER BOUND is compared, exact, with confidence .95; without a leak, 149 of them keep .02",
    ),
    min_clean: float | None = typer.Option(
        None, min=0.0, max=1.0, help="Least share of messages without PHI that are left as they are"
    ),
    min_full: float | None = typer.Option(
        None, min=0.0, max=1.0, help="Least share of messages with PHI in which nothing is left"
    ),
    min_f1: float | None = typer.Option(None, min=0.0, max=1.0, help="Least strict F1"),
    junit: Path | None = typer.Option(None, dir_okay=False, help="File for JUnit XML"),
    evidence: Path | None = typer.Option(
        None,
        dir_okay=False,
        help="File for figures, settings, versions and digests, .json; the same for people goes "
        "beside it, .md. Neither holds anything of any text",
    ),
    overwrite: bool = typer.Option(
        False, "--overwrite", "--force", help="Replace files that are there"
    ),
    threshold: float | None = THRESHOLD,
    config: Path | None = CONFIG,
    context: bool = CONTEXT,
    lower: bool = LOWER,
) -> None:
    """Fail if the pipeline does not keep limits on your own annotated messages: for CI.

    GOLD is what evaluate takes. Give one limit or more. Redact, clean, full and F1 are compared as
    they were measured, the leaks by their upper bound. A limit of what GOLD does not hold, such as
    --min-clean without messages without PHI, is not kept.

    Exit code: 0 if all limits are kept, 1 if not, 2 for wrong usage and for messages that cannot be
    read or that the pipeline fails on. No message is printed.
    """
    start = time.monotonic()
    given = {
        "redact": min_redact,
        LEAK: max_leak,
        "clean": min_clean,
        "full": min_full,
        "f1": min_f1,
    }
    limits = {name: limit for name, limit in given.items() if limit is not None}
    if not limits:
        raise typer.BadParameter("Give a limit: --min-redact .99 --max-leak .02 --min-clean .95.")
    if evidence is not None and evidence.suffix != ".json":
        raise typer.BadParameter("The evidence is a file that ends with .json.")
    page = evidence and evidence.with_suffix(".md")
    written = [path for path in (junit, evidence, page) if path is not None]
    with wrong_usage(FileError):
        demand_other(written, [gold_path, *([config] if config else [])])
        demand_new(written, overwrite)
    with wrong_usage(ValueError):
        rows = read_gold(gold_path)
        settings = read_settings(config, threshold=threshold)
    set_threads(1)  # on busy cores, several wait for each other
    nlp = call.obj()
    with wrong_usage(ValueError):
        configure(nlp, settings)
        evaluation = evaluate_docs(gold_path.stem, rows, process_gold(nlp, rows, context, lower))
    checks = check_limits(evaluation, limits)
    passed = all(check.passed for check in checks)
    show(table(tabulate_checks(checks), header=CHECKS, divider=True))
    typer.echo(write_verdict(passed))
    if junit is not None or evidence is not None:
        described = {"context": context, "lower": lower, **describe_settings(settings)}
        told = make_evidence(nlp, evaluation, checks, gold_path, described)
        files = {
            junit: write_junit(told, checks, time.monotonic() - start),
            evidence: json.dumps(told, ensure_ascii=False, indent=2).encode("utf8") + b"\n",
            page: write_markdown(told, evaluation, checks).encode("utf8"),
        }
        for path, data in files.items():
            if path is not None:
                with wrong_usage(FileError), Place(str(path)).create() as file:
                    file.write(data)
    if not passed:
        raise typer.Exit(1)
