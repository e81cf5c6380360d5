"""The report of the workbench: one page that loads nothing. First what somebody reads who answers for
the messages, then each experiment in detail.
"""

from collections.abc import Iterator, Sequence
from html import escape

from training_tools.report.html import make_figure, make_page, make_table
from training_tools.report.outcome import Outcome

TITLE = "De-identification of chat messages: what was measured"
# The experiments in the order in which they are read; others follow by name.
ORDER = (
    ("leaks", "certify", "attack", "blind-test", "evaluate", "errors", "tune-threshold")
    + ("compare", "single-class", "learning-curve", "rules-vs-model", "ablate", "search")
    + ("cross-validate", "train-on-surrogates", "agreement", "sample")
)  # fmt: skip
PARTS = {
    "manager": "In short",
    "promise": "What this does not promise",
    "engineer": "In detail",
    "words": "The words",
}
PROMISES = (
    (
        "The figures are of the messages that were measured. Other patients, another platform, another way "
        "of writing give other figures: annotate 200 messages of your own, and measure again."
    ),
    (
        "The numbers after “likely” say where the figure would lie on other messages of the same kind, "
        "nineteen times of twenty. They do not cover other kinds."
    ),
    "What people marked is taken for the truth. What they overlooked is counted nowhere.",
    (
        "Somebody can be told by what he tells, without a name: a rare disease, a job, an event in the news. "
        "None of this is looked for or removed."
    ),
    (
        "What is left in a message stands among surrogates that look like it, so that a reader cannot tell "
        "which is which. How well that hides it, the experiments blind-test and attack measure."
    ),
    (
        "Messages without names are still health data of people: this lowers the risk, it does not end the "
        "duties of the law."
    ),
)
WORDS = {
    "strict": "A find counts if it begins and ends where it was annotated.",
    "relaxed": "An overlap is enough. No span counts twice.",
    "partial": "Half a point for an overlap, one where it begins and ends as annotated.",
    "one class": "The same, whatever the class. Without these words, the class must be right.",
    "merged spans": "Strict, without class; spans with no letter or digit between them are one (MEDDOCAN).",
    "token": "Words, numbers and single signs are counted, not spans.",
    "mean of classes, weighted mean": "Of the figures of each class; weighted by how often it is annotated.",
    "P, R, F1": "Precision: what share of the finds is right. Recall: what share of the annotated is found. "
    "F1: their harmonic mean. F2: the same, recall weighing twice as much.",
    "redact": "Share of annotated entities of which no letter or digit is left, whatever class they were "
    "taken for.",
    "full": "Share of the messages with personal information in which all of it is redacted.",
    "direct identifiers, other classes": "Names, identity numbers, phone numbers and e-mail addresses; and "
    "all others.",
    "clean": "Share of the messages without personal information that are left as they are.",
    "full, clean conversations": "Share of the conversations of which all messages that hold personal "
    "information are full, all that hold none clean. Messages of no conversation do not count.",
    "characters left, spoilt": "Share of the letters and digits of annotated entities that are left; share of "
    "all other letters and digits that are replaced.",
    "leak a sentence": "Entities not found strictly, for each sentence (MEDDOCAN). A sentence ends at . ! ? … "
    "before a space, or with the line.",
    "left a message": "Entities not redacted, for each message.",
    "leaky, spoilt messages": "Share of all messages in which something is left; share of all messages "
    "changed though they hold nothing personal.",
    "–": "Nothing is to be counted.",
    "in brackets": "95 % intervals, by bootstrap over conversations and messages of none (Efron 1979).",
}
STYLE = """
body { max-width: 84rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
nav .part { font-weight: 600; }
.body { min-width: 0; }
h2 { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
section:first-child > h2 { border: 0; margin-top: 0; padding-top: 0; }
section, article { scroll-margin-top: 3.5rem; }
p, li, dd { max-width: 46rem; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); padding: 0; }
.cards li { border: 1px solid var(--line); border-radius: .5rem; list-style: none; padding: .8rem 1rem; }
.cards b { display: block; font-size: 2.4rem; line-height: 1.1; }
.cards small, .state { opacity: .75; }
.cards span { display: block; margin-top: .4rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .6rem; }
@media (min-width: 60rem) {
  .frame { display: grid; gap: 2.5rem; grid-template-columns: 14rem minmax(0, 1fr); }
  nav { align-self: start; max-height: 100vh; overflow-y: auto; position: sticky; top: 0; }
}
@media (max-width: 60rem) {
  nav { background: Canvas; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; overflow-x: auto;
    position: sticky; top: 0; }
  nav ul { display: flex; gap: 1.2rem; white-space: nowrap; }
}
@media print { nav { display: none; } }
"""


def make_report(outcomes: Sequence[Outcome]) -> str:
    """Write the report."""
    outcomes = sorted(outcomes, key=_get_place)
    manager = [each for each in outcomes if each.reader == "manager"]
    engineer = [each for each in outcomes if each.reader == "engineer"]
    promises = "".join(f"<li>{escape(text)}</li>" for text in PROMISES)
    words = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in WORDS.items()
    )
    parts = [
        f'<div class="frame">\n{_make_navigation(manager, engineer)}\n<div class="body">',
        *_make_section("manager", _show_all(manager)),
        *_make_section("promise", [f"<ul>{promises}</ul>"]),
        *_make_section("engineer", _show_all(engineer)),
        *_make_section("words", [f"<dl>{words}</dl>"]),
        "</div>\n</div>",
    ]
    return make_page(TITLE, parts, STYLE)


def _get_place(outcome: Outcome) -> tuple[int, str]:
    known = outcome.name in ORDER
    return (ORDER.index(outcome.name) if known else len(ORDER), outcome.name)


def _make_navigation(manager: Sequence[Outcome], engineer: Sequence[Outcome]) -> str:
    links = []
    for id, title in PARTS.items():
        links.append(f'<li class="part"><a href="#{id}">{escape(title)}</a></li>')
        if id in ("manager", "engineer"):
            links += [
                f'<li><a href="#{_get_id(each)}">{escape(each.title)}</a></li>'
                for each in (manager if id == "manager" else engineer)
            ]
    return f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _get_id(outcome: Outcome) -> str:
    return f"outcome-{escape(outcome.name)}"


def _make_section(id: str, parts: Sequence[str]) -> Iterator[str]:
    yield f'<section id="{id}"><h2>{escape(PARTS[id])}</h2>'
    yield from parts
    yield "</section>"


def _show_all(outcomes: Sequence[Outcome]) -> list[str]:
    if not outcomes:
        return ["<p>Nothing was measured yet: <code>spacy project run report</code>.</p>"]
    return [_show(outcome) for outcome in outcomes]


def _show(outcome: Outcome) -> str:
    id = _get_id(outcome)
    parts = [f'<article id="{id}"><h3>{escape(outcome.title)}</h3>']
    cards = [
        f"<li><b>{escape(each.figure)}</b>"
        + (f"<small>likely {escape(each.interval)}</small>" if each.interval else "")
        + f"<span>{escape(each.says)}</span></li>"
        for each in outcome.headlines
    ]
    if cards:
        parts.append(f'<ul class="cards">{"".join(cards)}</ul>')
    parts.append(f"<p>{escape(outcome.says)}</p>")
    parts += [make_table(each.head, each.rows, each.title) for each in outcome.tables]
    parts += [
        make_figure(each.svg, each.title, f"{id}-{number}")
        for number, each in enumerate(outcome.plots, start=1)
    ]
    if outcome.paper:
        parts.append(f"<p><b>In the papers.</b> {escape(outcome.paper)}</p>")
    parts.append(f'<p class="state">Measured on {escape(outcome.measured)}.</p></article>')
    return "\n".join(parts)
