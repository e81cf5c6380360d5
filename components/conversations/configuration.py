"""What may be set of a pipeline, as values or in a file."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from spacy.language import Language

from ..custom.custom_ruler import CustomRuler, choose_classes
from ..custom.own import check_label, check_phrases
from ..language.language import POLICIES, ChatLanguage
from ..merging.span_merger import SpanMerger
from ..model.phi_ner import MODES, PhiNer, check_threshold
from ..shared.choices import check_choice
from ..shared.find_pipes import find_pipe, get_names
from ..shared.labels import LABELS, SINGLE_CLASS
from ..surrogates.settings import OPTIONS, check_option, check_strategy
from ..surrogates.surrogate_generator import SurrogateGenerator
from ..text.cleaning.clean import parse_steps

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# In front of a remark in a list of phrases.
REMARK = "#"
DEFAULT_LABEL = "PERSON"
# The tables of a TOML file with what belongs to one command alone.
RUN, SERVE = TABLES = ("run", "serve")
# What an error calls a value whose name it has told.
VALUE = "its value"


def configure(
    nlp: Language,
    config: str | Path | Mapping[str, Any] | None = None,
    *,
    classes: str | Sequence[str] = (),
    patterns: str | Path | Sequence[Mapping[str, Any]] | None = None,
    allow: str | Path | Sequence[str] | None = None,
    deny: str | Path | Mapping[str, Sequence[str]] | Sequence[str] | None = None,
    **settings: Any,
) -> None:
    """Set a pipeline up: how what is found is replaced, what else is found, and what is left. It takes the
    place of what was set before; what is not given stays.

    nlp (Language): The pipeline. One without a `custom_ruler` gets one, without optional classes.
    config (str | Path | Mapping[str, Any] | None): Any of `SETTINGS`, or a TOML file of them. What is
        given beside it beats it.
    classes (str | Sequence[str]): Optional classes, such as URL or IBAN, or "all".
        A string may name several, with commas.
    patterns (str | Path | Sequence[dict] | None): Patterns of one's own, or a JSONL file of them.
    allow (str | Path | Sequence[str] | None): Phrases that are never PHI, or a file with one a line.
    deny (str | Path | Mapping[str, Sequence[str]] | Sequence[str] | None): Phrases that always are, by
        label, or a file with one a line, perhaps with its label and a tab in front.
    **settings (Any): Others of `SETTINGS`: strategy, threshold, mode, dates, ages, surrogate_numbers, clean, foreign.
    RAISES (ValueError): If something cannot be used, with the file and the line of it. It quotes no
        phrase.
    """
    given = {"classes": classes or None, "patterns": patterns, "allow": allow, "deny": deny}
    wanted = read_settings(config, **given, **settings)
    for name in SETTINGS:
        if name in wanted:
            setattr(_get_pipe(nlp, name), name, wanted[name])
    if wanted.get("classes"):
        get_custom_ruler(nlp).prepare()


def read_settings(config: str | Path | Mapping[str, Any] | None, **given: Any) -> dict[str, Any]:
    """Read settings from a config and others that beat it; a mode beats its threshold."""
    asked = read_config(config or {})
    named = read_config({name: value for name, value in given.items() if value is not None})
    if "mode" in named:
        asked.pop("threshold", None)
    return {**asked, **named}


@contextmanager
def configured(nlp: Language, config: str | Path | Mapping[str, Any] | None) -> Iterator[None]:
    """Set a pipeline up for a while, as `configure` does."""
    settings = read_config(config or {})
    # A mode sets the threshold.
    changed = {"threshold" if name == "mode" else name for name in settings}
    old = {name: getattr(_get_pipe(nlp, name), name) for name in changed}
    try:
        configure(nlp, settings)
        yield
    finally:
        for name, value in old.items():
            setattr(_get_pipe(nlp, name), name, value)


class Setting(NamedTuple):
    """What may be set of a pipe (None: of the pipeline), and what checks a value or reads its file."""

    pipe: type | None
    read: Callable[[Any], Any]


def read_config(config: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Read what is to be set of a pipeline (`SETTINGS`), and check it. A file that a TOML file names lies where that
    does, or as its path says.

    RAISES (ValueError): If there is no such setting, or it cannot have that value: it says where, and what
        there is.
    """
    folder, where = None, ""
    if not isinstance(config, Mapping):
        folder, where = Path(config).parent, f"{config}, "
        config = load_table(Path(config))
        for name in TABLES:
            config.pop(name, None)
    read = {}
    for name, value in config.items():
        if name not in SETTINGS:
            more = f" What belongs to run or serve alone stands in a table [{RUN}] or [{SERVE}]."
            raise ValueError(
                f"{where}{name}: there is no such setting. There are: {', '.join(SETTINGS)}."
                f"{more if where else ''}"
            )
        if folder is not None and name in FILES and isinstance(value, str):
            value = folder / value
        try:
            read[name] = SETTINGS[name].read(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{where}{name}: {error}") from None
    return read


def find_named_files(path: Path | None) -> list[Path]:
    """RETURNS (list[Path]): The files that a TOML file of settings names, and itself."""
    if path is None:
        return []
    table = load_table(path)
    named = (table[name] for name in FILES if isinstance(table.get(name), str))
    return [path, *(path.parent / name for name in named)]


def load_table(path: Path) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): What stands in a TOML file."""
    try:
        return tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}.") from None


def _read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8. Save it as UTF-8.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"{path} cannot be read: {reason}.") from None


def _get_pipe(nlp: Language, name: str) -> Any:
    pipe = SETTINGS[name].pipe
    if pipe is None:
        if not isinstance(nlp, ChatLanguage):
            raise ValueError(
                f"{name} needs a pipeline that is a ChatLanguage. Yours is a {type(nlp).__name__}. Load a "
                'trained one, or set [nlp.after_creation] to @callbacks = "sv_deid_chat.ChatLanguage.v1".'
            )
        return nlp
    if pipe is CustomRuler:
        return get_custom_ruler(nlp)
    found = find_pipe(nlp, pipe)
    if found is None:
        factory = "phi_ner" if pipe is PhiNer else "surrogate_generator"
        raise ValueError(f"{name}: the pipeline has no {factory}, of which it could be set.")
    return found


def _read_strategy(value: Any) -> Any:
    strategy = check_strategy(value)
    # One that can be pickled.
    return strategy if isinstance(strategy, str) else dict(strategy)


def _read_classes(value: Any) -> list[str]:
    names = value.split(",") if isinstance(value, str) else _read_list(value, "classes")
    return [*choose_classes([str(name).strip() for name in names if str(name).strip()])]


def _read_patterns(value: Any) -> Any:
    return read_patterns(value) if isinstance(value, (str, Path)) else _read_list(value, "patterns")


def _read_allow(value: Any) -> Any:
    return read_phrases(value) if isinstance(value, (str, Path)) else check_phrases(value, VALUE)


def _read_deny(value: Any) -> Any:
    if isinstance(value, (str, Path)):
        return read_deny(value)
    if isinstance(value, Mapping):
        for label in value:
            check_label(label, "a key")
        return {label: check_phrases(phrases, VALUE) for label, phrases in value.items()}
    return check_phrases(value, VALUE)


def _read_list(value: Any, kind: str) -> list[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        # The value may name people.
        raise TypeError(f"a list of {kind} is needed, not {type(value).__name__}.")
    return [*value]


def _read_clean(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"steps with commas between them are needed, not {type(value).__name__}.")
    return ",".join(parse_steps(value)) or "none"


SETTINGS = {
    "strategy": Setting(SurrogateGenerator, _read_strategy),
    **{name: Setting(SurrogateGenerator, partial(check_option, name)) for name in OPTIONS},
    # In this order: a threshold that is given beats that of the mode.
    "mode": Setting(PhiNer, partial(check_choice, "mode", choices=MODES)),
    "threshold": Setting(PhiNer, partial(check_threshold, labels=(*LABELS, SINGLE_CLASS))),
    "classes": Setting(CustomRuler, _read_classes),
    "patterns": Setting(CustomRuler, _read_patterns),
    "allow": Setting(CustomRuler, _read_allow),
    "deny": Setting(CustomRuler, _read_deny),
    "clean": Setting(None, _read_clean),
    "foreign": Setting(None, partial(check_choice, "foreign", choices=POLICIES)),
}
# Those that may be files, and may name people.
FILES = ("patterns", "allow", "deny")


def get_settings(nlp: Language) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): What is set of a pipeline."""
    found = {name: getattr(_get_pipe(nlp, name), name) for name in SETTINGS}
    return {name: dict(v) if isinstance(v, Mapping) else v for name, v in found.items()}


def describe_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): The settings; of lists that may name people, only which there are."""
    return {name: bool(v) if name in FILES else v for name, v in settings.items()}


def get_custom_ruler(nlp: Language) -> CustomRuler:
    """Get the pipe that finds what is asked for besides, and add it to a pipeline that lacks it."""
    ruler = find_pipe(nlp, CustomRuler)
    if ruler is not None:
        return ruler
    mergers, generators = get_names(nlp, SpanMerger), get_names(nlp, SurrogateGenerator)
    before = generators[0] if generators and not mergers else None
    after = mergers[-1] if mergers else None
    return cast(CustomRuler, nlp.add_pipe("custom_ruler", after=after, before=before))


def read_patterns(path: str | Path) -> list[dict[str, Any]]:
    """Read patterns of one's own."""
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
    """Read a list of phrases."""
    phrases = []
    for number, line in _read_lines(path):
        phrase = line.strip()
        if phrase.startswith(REMARK):
            continue
        _demand_phrase(phrase, path, number)
        phrases.append(phrase)
    return phrases


def read_deny(path: str | Path) -> dict[str, list[str]]:
    """Read phrases that are always PHI."""
    deny: dict[str, list[str]] = {}
    for number, line in _read_lines(path):
        if line.lstrip().startswith(REMARK):
            continue
        label, tab, phrase = line.strip(" ").partition("\t")
        label, phrase = (label.strip(), phrase.strip()) if tab else (DEFAULT_LABEL, label.strip())
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
    lines = enumerate(_read_text(path).splitlines(), 1)
    return ((number, line) for number, line in lines if line.strip())
