"""Measure how well the language of a message is told, by the detectors that are installed, and what a
lower threshold finds in foreign messages.

Sentences of other languages: the folder `language-testdata` of github.com/pemistahl/lingua-py.
"""

import multiprocessing
import resource
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from spacy.tokens import Doc
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import Row, read_messages
from components.model.phi_ner import PhiNer
from components.shared.find_pipes import get_encoder_names, get_names
from components.surrogates.surrogate_generator import SurrogateGenerator
from components.text.languages import HOME, LATIN, SCRIPTS, detect_language, is_foreign
from training_tools.errors import clean_errors
from training_tools.generator.natural import read_natural
from training_tools.markdown import fill_block, make_table

Detect = Callable[[str], str | None]
FACTORS = (1.0, 0.25, 0.1, 0.03, 0.01, 0.005)
# Languages whose test sentences are read, those that are spoken in Sweden most.
SENTENCES = (
    "ar", "bs", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "hr", "hu", "it", "lt",
    "nb", "nl", "nn", "pl", "ro", "ru", "so", "sq", "sr", "sv", "th", "tr", "uk", "vi", "zh",
)  # fmt: skip
N_SENTENCES = 300


def measure_languages(
    natural_path: Path = typer.Argument(..., help="Folder of Swedish messages, written whole"),
    foreign_path: Path = typer.Argument(..., help="Folder of foreign ones: singles/fi.txt …"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    swedish: list[Path] = typer.Option([], help="More Swedish messages, JSONL"),
    sentences_path: Path | None = typer.Option(
        None, "--sentences", help="Folder with sentences/fi.txt …, one a line"
    ),
    model_path: Path | None = typer.Option(None, "--model", help="Pipeline, to try thresholds on"),
    page_path: Path | None = typer.Option(None, "--page", help="Page to write the tables into"),
) -> None:
    with clean_errors():
        rows = [row for thread in read_natural(foreign_path) for row in thread]
        texts: dict[str, list[str]] = {
            "Swedish": [row["text"] for thread in read_natural(natural_path) for row in thread]
            + [row["text"] for path in swedish for row in read_messages(path)]
        }
        for row in rows:
            texts.setdefault(f"message {_get_language(row)}", []).append(row["text"])
        for code in SENTENCES if sentences_path else ():
            path = sentences_path / "sentences" / f"{code}.txt"  # type: ignore[operator]
            lines = path.read_text(encoding="utf8").splitlines()
            texts[f"sentence {code}"] = lines[:N_SENTENCES]
    figures: dict[str, Any] = {"messages": len(texts["Swedish"]), "detectors": {}}
    for name, (package, _) in DETECTORS.items():
        if find_spec(package) is None:
            msg.warn(f"{name} is left out: pip install {package}")
            continue
        # A process of its own, which says how much memory it needs.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            figures["detectors"][name] = pool.submit(measure_detector, name, texts).result()
        msg.text(f"{name}: {figures['detectors'][name]}")
    if model_path is not None:
        foreign = [row for row in rows if is_foreign(_get_language(row))]
        figures["factors"] = measure_factors(model_path, foreign)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    if page_path is not None:
        fill_block(page_path, "detectors", write_detectors(figures["detectors"]))
        fill_block(page_path, "languages", write_languages(figures["detectors"]))
        if model_path is not None:
            fill_block(page_path, "factors", write_factors(figures["factors"]))
    msg.good("Figures written", metrics_path)


def _get_language(row: Row) -> str:
    """The name of the file that a foreign message is from: its language."""
    return row["id"].rpartition("/")[2].partition("-")[0]


def make_own() -> Detect:
    return detect_language


def make_py3langid() -> Detect:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    classifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    classifier.set_languages({*LATIN, *(code for codes in SCRIPTS.values() for code in codes)})
    return lambda text: classifier.classify(text)[0]


def make_lingua(low: bool = False) -> Detect:
    from lingua import Language, LanguageDetectorBuilder

    wanted = {*LATIN, *HOME, *(code for codes in SCRIPTS.values() for code in codes)}
    languages = [
        language for language in Language.all() if language.iso_code_639_1.name.lower() in wanted
    ]
    builder = LanguageDetectorBuilder.from_languages(*languages)
    builder = builder.with_low_accuracy_mode() if low else builder
    detector = builder.with_preloaded_language_models().build()

    def detect(text: str) -> str | None:
        language = detector.detect_language_of(text)
        return language.iso_code_639_1.name.lower() if language else None

    return detect


def make_low_lingua() -> Detect:
    return make_lingua(low=True)


# The package of each, and what makes it.
DETECTORS: Mapping[str, tuple[str, Callable[[], Detect]]] = {
    "`detect_language`": ("py3langid", make_own),
    "py3langid alone": ("py3langid", make_py3langid),
    "lingua": ("lingua", make_lingua),
    "lingua, low accuracy": ("lingua", make_low_lingua),
}


def measure_detector(name: str, texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Measure a detector.

    name (str): The detector.
    texts (Mapping[str, Sequence[str]]): The texts, by what they are.
    RETURNS (dict[str, Any]): Size, CPU time and memory, and the share of each kind that is called foreign.
    """
    package, make = DETECTORS[name]
    spec = find_spec(package)
    folder = Path(spec.origin).parent  # type: ignore[union-attr, arg-type]
    before, start = _get_memory(), time.process_time()
    detect = make()
    # What loads when it is asked for the first time.
    detect("Hej, jag har ont i halsen sedan i går")
    load, memory = time.process_time() - start, _get_memory() - before
    start = time.process_time()
    told = [detect(text) for text in texts["Swedish"]]
    seconds = (time.process_time() - start) / len(told)
    return {
        "package_mb": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        / 1e6,
        "load_s": load,
        "memory_mb": memory,
        "microseconds": 1e6 * seconds,
        "unknown": sum(language is None for language in told) / len(told),
        "called": dict(Counter(str(language) for language in told).most_common()),
        "foreign": {
            kind: sum(is_foreign(detect(text)) for text in own) / len(own)
            for kind, own in texts.items()
        },
    }


def _get_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_factors(model_path: Path, rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Measure what is found in foreign messages with lower thresholds, and with rules and lists alone.

    model_path (Path): The pipeline.
    rows (Sequence[Row]): The messages.
    RETURNS (dict[str, dict[str, Any]]): By factor: how many of each class are found whole, how many there are, and
        what share of the other words is taken for PHI.
    """
    nlp = spacy.load(model_path)
    figures = {}
    for factor in (*FACTORS, None):
        docs = [nlp.make_doc(row["text"]) for row in rows]
        for doc in docs:
            doc._.threshold_factor = 1.0 if factor is None else factor
        model = [*get_encoder_names(nlp), *get_names(nlp, PhiNer)] if factor is None else []
        disable = [*get_names(nlp, SurrogateGenerator), *model]
        # By hand: as a whole the pipeline has a factor of its own.
        for name, pipe in nlp.pipeline:
            if name not in disable:
                docs = [pipe(doc) for doc in docs]
        figures[str(factor)] = _count_found(docs, rows)
    return figures


def _count_found(docs: Sequence[Doc], rows: Sequence[Row]) -> dict[str, Any]:
    whole: Counter[str] = Counter()
    n_spans: Counter[str] = Counter()
    n_words = n_false = 0
    for doc, row in zip(docs, rows):
        covered = {i for ent in doc.ents for i in range(ent.start_char, ent.end_char)}
        gold: set[int] = set()
        for span in row["spans"]:
            own = {i for i in range(span["start"], span["end"]) if doc.text[i].isalnum()}
            gold |= own
            n_spans[span["label"]] += 1
            whole[span["label"]] += own <= covered
        for token in doc:
            if token.text[0].isalpha() and token.idx not in gold:
                n_words += 1
                n_false += token.idx in covered
    return {
        "found": {label: whole[label] for label in sorted(n_spans)},
        "of": dict(sorted(n_spans.items())),
        "other_words": n_false / n_words,
    }


def _mean(figure: Mapping[str, Any], kind: str, foreign: bool) -> float | None:
    shares = [
        share
        for name, share in figure["foreign"].items()
        if name.startswith(kind) and is_foreign(name.rpartition(" ")[2]) == foreign
    ]
    return sum(shares) / len(shares) if shares else None


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def write_detectors(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """RETURNS (str): The detectors side by side, as a Markdown table."""
    head = ["detector", "package, MB", "load, s", "memory, MB", "µs a message"]
    head += [
        "Swedish called foreign, %",
        "foreign messages caught, %",
        "foreign sentences caught, %",
    ]
    head += ["Norwegian, Danish, English called foreign, %"]
    return make_table(
        head,
        [
            [
                name,
                f"{row['package_mb']:.1f}",
                f"{row['load_s']:.1f}",
                f"{row['memory_mb']:.0f}",
                f"{row['microseconds']:.0f}",
                _percent(row["foreign"]["Swedish"]),
                _percent(_mean(row, "message", True)),
                _percent(_mean(row, "sentence", True)),
                _percent(_mean(row, "message", False)),
            ]
            for name, row in figures.items()
        ],
    )


def write_languages(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """RETURNS (str): What of each language is called foreign, as a Markdown table."""
    names = list(figures)
    kinds = [kind for kind in figures[names[0]]["foreign"] if kind != "Swedish"]
    rows = ([kind, *(_percent(figures[name]["foreign"][kind]) for name in names)] for kind in kinds)
    return make_table(["called foreign, %", *names], rows)


def write_factors(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """RETURNS (str): What each factor finds, as a Markdown table."""
    labels = list(next(iter(figures.values()))["of"])
    rows = [
        [
            "rules and lists alone" if factor == "None" else factor,
            *(f"{row['found'][label]} of {row['of'][label]}" for label in labels),
            _percent(row["other_words"]),
        ]
        for factor, row in figures.items()
    ]
    return make_table(["factor", *labels, "other words taken for PHI, %"], rows)


if __name__ == "__main__":
    typer.run(measure_languages)
