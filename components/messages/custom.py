"""What a user asks to be found besides the eight classes, or to be left, given as files or as values:
optional classes, patterns, phrases.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from spacy.language import Language

from ..patterns.own import check_label
from ..pipes.custom_ruler import CustomRuler
from .language import GENERATOR

RULER = "custom_ruler"
MERGER = "span_merger"
# In front of a remark in a list of phrases.
REMARK = "#"
DEFAULT_LABEL = "PERSON"


def configure(
    nlp: Language,
    *,
    classes: str | Sequence[str] = (),
    patterns: str | Path | Sequence[Mapping[str, Any]] | None = None,
    allow: str | Path | Sequence[str] | None = None,
    deny: str | Path | Mapping[str, Sequence[str]] | Sequence[str] | None = None,
) -> None:
    """Tell a pipeline what else to find, and what to leave. It takes the place of what it was told before;
    what is not given stays.

    nlp (Language): The pipeline. One without a `custom_ruler` gets one, without optional classes.
    classes (Union[str, Sequence[str]]): Optional classes (`components.labels.OPTIONAL_LABELS`), or "all".
        A string may name several, with commas.
    patterns (Union[str, Path, Sequence[dict], None]): Patterns of one's own, or a JSONL file of them.
    allow (Union[str, Path, Sequence[str], None]): Phrases that are never PHI, or a file with one a line.
    deny (Union[str, Path, Mapping[str, Sequence[str]], Sequence[str], None]): Phrases that always are, by
        label, or a file with one a line, perhaps with its label and a tab in front.
    RAISES (ValueError): If something cannot be used, with the file and the line of it. It quotes no
        phrase.
    """
    names = classes.split(",") if isinstance(classes, str) else [*classes]
    names = [name.strip() for name in names if name.strip()]
    if not names and patterns is None and allow is None and deny is None:
        return
    ruler = get_custom_ruler(nlp)
    if names:
        ruler.classes = names
        ruler.prepare()
    if patterns is not None:
        is_file = isinstance(patterns, (str, Path))
        ruler.patterns = read_patterns(cast(Any, patterns)) if is_file else cast(Any, patterns)
    if allow is not None:
        is_file = isinstance(allow, (str, Path))
        ruler.allow = read_phrases(cast(Any, allow)) if is_file else cast(Any, allow)
    if deny is not None:
        is_file = isinstance(deny, (str, Path))
        ruler.deny = read_deny(cast(Any, deny)) if is_file else cast(Any, deny)


def get_custom_ruler(nlp: Language) -> CustomRuler:
    """Get the pipe that finds what is asked for besides, and add it to a pipeline that lacks it.

    nlp (Language): The pipeline.
    RETURNS (CustomRuler): The pipe.
    """
    if RULER not in nlp.pipe_names:
        if MERGER in nlp.pipe_names:
            nlp.add_pipe(RULER, after=MERGER)
        else:
            nlp.add_pipe(RULER, before=GENERATOR if GENERATOR in nlp.pipe_names else None)
    return cast(CustomRuler, nlp.get_pipe(RULER))


def read_patterns(path: str | Path) -> list[dict[str, Any]]:
    """Read patterns of one's own.

    path (Union[str, Path]): A JSONL file, a pattern a line (see `CustomRuler`).
    RETURNS (List[dict]): The patterns. One without an id gets one that tells its line.
    RAISES (ValueError): If the file cannot be read, or a line is no JSON object.
    """
    patterns = []
    for number, line in _read_lines(path):
        try:
            pattern = json.loads(line)
        except ValueError:
            pattern = None
        if not isinstance(pattern, dict):
            raise ValueError(  # noqa: TRY004
                f"{path}, line {number}: no JSON object. A pattern is written like this: "
                '{"label": "TEAM", "regex": "team [a-z]{2,20}"}'
            )
        if "id" not in pattern and "macro" not in pattern:
            pattern["id"] = f"{Path(path).name}, line {number}"
        patterns.append(pattern)
    return patterns


def read_phrases(path: str | Path) -> list[str]:
    """Read a list of phrases.

    path (Union[str, Path]): A text file, a phrase a line. Empty lines, and those that begin with #, are
        left out.
    RETURNS (List[str]): The phrases.
    RAISES (ValueError): If the file cannot be read, or a line holds no letter and no digit.
    """
    phrases = []
    for number, line in _read_lines(path):
        phrase = line.strip()
        if phrase.startswith(REMARK):
            continue
        _demand_phrase(phrase, path, number)
        phrases.append(phrase)
    return phrases


def read_deny(path: str | Path) -> dict[str, list[str]]:
    """Read phrases that are always PHI.

    path (Union[str, Path]): A text file, a phrase a line, with its label and a tab in front if that is not
        PERSON. Empty lines, and those that begin with #, are left out.
    RETURNS (Dict[str, List[str]]): The phrases by label.
    RAISES (ValueError): If the file cannot be read, or a line has no phrase or a label that is none.
    """
    deny: dict[str, list[str]] = {}
    for number, line in _read_lines(path):
        if line.lstrip().startswith(REMARK):
            continue
        label, tab, phrase = line.strip(" ").partition("\t")
        if not tab:
            label, phrase = DEFAULT_LABEL, label
        label, phrase = label.strip(), phrase.strip()
        _demand_phrase(phrase, path, number)
        try:
            check_label(label, f"{path}, line {number}")
        except ValueError as error:
            raise ValueError(
                f"{error} In front of a tab stands a label, behind it the phrase."
            ) from None
        deny.setdefault(label, []).append(phrase)
    return deny


def _demand_phrase(phrase: str, path: str | Path, number: int) -> None:
    if not any(map(str.isalnum, phrase)):
        raise ValueError(
            f"{path}, line {number}: there is no letter and no digit to look for. Write a phrase, or "
            f"take the line out ({REMARK} in front makes it a remark)."
        )


def _read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, and their numbers."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8. Save it as UTF-8.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"{path} cannot be read: {reason}.") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line
