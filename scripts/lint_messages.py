"""Check message skeletons."""

from pathlib import Path
from typing import Annotated

import typer
from rapidfuzz import fuzz, process

from training_tools.generator.skeletons import Problem, Unit, frame, parse_folder


def twins(units: list[Unit], similar: float) -> list[Problem]:
    """Find messages that are one and the same frame, or nearly: a mistake for each that repeats an earlier
    one, a warning for each that nearly does. Frames under five words repeat as they must.
    """
    frames = [(unit, frame(unit)) for unit in units]
    frames = [(unit, text) for unit, text in frames if len(text.split()) >= 5]
    texts = [text for _, text in frames]
    problems = []
    for index, (unit, text) in enumerate(frames):
        match = process.extractOne(text, texts[:index], scorer=fuzz.ratio, score_cutoff=similar)
        if match:
            other = frames[match[2]][0]
            exact = match[1] == 100
            text = f"{'the same' if exact else f'nearly ({match[1]:.0f} %) the same'} message as "
            text += f"{other.file}:{other.line}"
            problems.append(Problem(unit.file, unit.line, text, warning=not exact))
    return problems


def lint_messages(
    folder: Annotated[Path, typer.Argument(help="Folder with singles/ and conversations/")] = Path(
        "assets/messages"
    ),
    similar: Annotated[
        float, typer.Option(help="Likeness in per cent from which on two messages are called alike")
    ] = 85.0,
) -> None:
    """Check message skeletons: name every mistake by file and line, and count what is there."""
    units, problems = parse_folder(folder)
    if not units:
        typer.echo(
            f"No messages in {folder}: expected singles/*.txt, conversations/*.txt", err=True
        )
        raise typer.Exit(1)
    problems += twins(units, similar)
    for problem in problems:
        typer.echo(str(problem))
    singles = [unit for unit in units if not unit.is_conversation]
    conversations = [unit for unit in units if unit.is_conversation]
    turns = sum(len(unit.turns) for unit in conversations)
    bare = sum(not unit.has_phi for unit in singles)
    mistakes = sum(not problem.warning for problem in problems)
    typer.echo(f"{len(singles)} single messages, {bare} of them without PHI")
    typer.echo(f"{len(conversations)} conversations with {turns} messages")
    typer.echo(f"{mistakes} mistakes, {len(problems) - mistakes} warnings")
    if mistakes:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(lint_messages)
