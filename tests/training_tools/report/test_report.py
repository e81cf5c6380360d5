"""The report: whole, safe, and looked at in a browser."""

import json
import re
import shutil
import subprocess

import pytest

from components.measures.evaluation import evaluate_docs
from tests.pages import Page
from training_tools.formats.docs import chat_language
from training_tools.report.evaluation_outcome import make_evaluation_outcome
from training_tools.report.folder import (
    ENVIRONMENT,
    ORDER,
    make_report,
    read_outcomes,
    write_outcome,
    write_report,
)
from training_tools.report.leaks import evaluate_authors, make_leak_outcome
from training_tools.report.outcome import Headline, Outcome, Plot, Table
from training_tools.report.plots import Line, draw_bars, draw_lines

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
EVIL = '<script>alert("&")</script>'


NLP = chat_language()
BO = {"text": "Hej Bo", "spans": [{"start": 4, "end": 6, "label": "PERSON"}]}


def find(row):
    """A message of which all is found that is marked."""
    doc = NLP(row["text"])
    doc.ents = [doc.char_span(span["start"], span["end"], span["label"]) for span in row["spans"]]
    return doc


@pytest.fixture(scope="module")
def outcomes():
    """Those of a message right and one wrong, and one of each kind of plot."""
    anna = {"text": "Hej Anna", "spans": [{"start": 4, "end": 8, "label": "PERSON"}]}
    rows = [{**anna, "author": "patient"}, BO, {"text": "Hej", "spans": []}]
    docs = [find(rows[0]), NLP("Hej Bo"), NLP("Hej")]
    each = evaluate_docs("own", rows, docs)
    svg = draw_lines({"a": Line([1, 2], [0.1, 0.2]), "b": Line([1, 2], [0.2, 0.1])}, "x", "y")
    bars = draw_bars({"F1": Line(["ours"], [0.9], [0.8], [0.95])}, "F1")
    plots = [Plot(EVIL, svg), Plot("twice", svg), Plot("bars", bars)]
    table, headlines = Table(EVIL, [EVIL, "b"], [[EVIL, EVIL]]), [Headline(EVIL, EVIL, EVIL)]
    more = {"paper": EVIL, "state": EVIL, "data": EVIL, "headlines": headlines}
    return [
        make_evaluation_outcome([each], {"merged": each}),
        make_leak_outcome([each], {"own": evaluate_authors("own", rows, docs, each.labels)}),
        Outcome("zebra", EVIL, EVIL, {}, [table], plots, **more),
    ]


@pytest.fixture(scope="module")
def page(outcomes):
    return make_report(outcomes)


def test_page_is_whole_and_loads_nothing(page):
    parsed = Page(page)
    ids, links = (
        parsed.get("id"),
        parsed.get("href", "src", "xlink:href", "action", "srcset", "data"),
    )
    assert len(ids) == len(set(ids))
    assert links and all(link.startswith("#") for link in links)
    assert {link[1:] for link in links} <= set(ids)
    loading = {"script", "link", "img", "iframe", "object", "embed", "form"}
    assert not loading & {tag for tag, _ in parsed.tags}
    # Text is escaped.
    assert "<script" not in page and "".join(parsed.words).count(EVIL) >= 9
    urls = set(re.findall(r"https?://[^\s\"'<>]+", page))
    # The names of SVG's vocabularies, which nothing fetches.
    assert urls <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "@import" not in page
    assert all(url.startswith("#") for url in re.findall(r"url\(([^)]*)\)", page))


def test_first_what_a_manager_reads(page):
    places = [page.index(f'id="{id}"') for id in ("manager", "promise", "engineer", "words")]
    assert places == sorted(places)
    assert page.index('id="outcome-leaks"') < places[1] < page.index('id="outcome-evaluate"')
    assert page.index('id="outcome-evaluate"') < page.index('id="outcome-zebra"')
    assert len(ORDER) == len(set(ORDER))


def test_a_manager_is_told_in_plain_words(outcomes):
    leaks = outcomes[1]
    assert leaks.says == (
        "Yes: of 2 pieces of personal information in 3 messages of own, 1 were left in whole or in "
        "part, in 1 of the 2 messages that hold any."
    )
    figures = [headline.figure for headline in leaks.headlines]
    assert figures == ["333", "50.0 %", "333", "0"]
    whose, left = leaks.tables
    assert [row[0] for row in whose.rows] == ["own", "patient", "author unknown"]
    assert whose.rows[1][1:] == ["1", "0 (0 to 975)", "0 (0 to 975)", "100.0 %"]
    assert left.rows[0] == ["names of people", "2", "1", "50.0 %"]
    assert left.rows[1] == ["places and addresses", "0", "–", "–"]
    assert left.rows[-2:] == [
        ["names, identity and phone numbers, e-mail", "2", "1", "50.0 %"],
        ["all others", "0", "–", "–"],
    ]


def test_a_manager_is_told_of_conversations():
    rows = [{**BO, "conversation": name} for name in "aab"]
    each = evaluate_docs("own", rows, [find(BO), NLP("Hej Bo"), find(BO)])
    says = make_leak_outcome([each], {"own": {}}).says
    assert says.endswith("in 1 of the 3 messages that hold any, and in 1 of 2 conversations.")


def test_nothing_left_is_no_promise():
    each = evaluate_docs("own", [BO] * 200, [find(BO)] * 200)
    outcome = make_leak_outcome([each], {"own": {}})
    assert outcome.says.startswith("Nothing was left of 200 pieces")
    assert "no promise" in outcome.says
    # Clopper and Pearson for none of 200: 1.83 %.
    assert outcome.headlines[0].interval == "0 to 18"
    assert outcome.headlines[1].figure == "100.0 %"
    assert outcome.headlines[1].interval == "98.2 % to 100.0 %"


def test_messages_without_personal_information():
    each = evaluate_docs("own", [{"text": "Hej", "spans": []}], [NLP("Hej")])
    outcome = make_leak_outcome([each], {"own": {}})
    assert "none holds personal information" in outcome.says
    assert [headline.figure for headline in outcome.headlines] == ["0", "0", "0"]
    # The plots are drawn without what cannot be counted.
    assert "redact" in make_evaluation_outcome([each], {"merged": each}).plots[1].svg


def test_outcomes_are_kept_and_make_the_report(tmp_path, outcomes):
    with pytest.raises(ValueError, match="Nothing was measured yet"):
        write_report(tmp_path)
    assert "Nothing was measured yet" in make_report([])
    for outcome in outcomes:
        write_outcome(outcome, tmp_path)
    assert (tmp_path / "report.html").read_text("utf8") == make_report(outcomes)
    assert [outcome.name for outcome in read_outcomes(tmp_path)] == ["evaluate", "leaks", "zebra"]
    # Plots that an outcome no longer has are gone.
    write_outcome(Outcome("zebra", "t", "s", {}), tmp_path)
    assert not [*tmp_path.glob("outcomes/zebra-*.svg")]


def test_tables_and_figures():
    parts = ENVIRONMENT.get_template("parts.html").module
    table = parts.table(Table("t", ["a", "b", "c"], [["x", "", ".5 (.4)"], ["y", "1", "of words"]]))
    assert "<td></td>" in table and '<td class="text">of words</td>' in table
    assert '<th scope="col" class="text">c</th>' in table and '<th scope="col">b</th>' in table
    svg = '<svg><g id="a"/><use xlink:href="#a" clip-path="url(#a)"/></svg>'
    figure = parts.figure(Plot("t", svg), "n")
    assert 'id="n-a"' in figure and 'href="#n-a"' in figure and "url(#n-a)" in figure


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_in_a_browser(page, tmp_path, width, dark):
    """Nothing is wider than the window, and text stands out."""
    probe = """<script>
    const text = document.querySelector("figure svg text");
    document.title = JSON.stringify({
      width: innerWidth, scroll: document.documentElement.scrollWidth, text: getComputedStyle(text).fill
    });
    </script></body>"""
    path = tmp_path / "report.html"
    policy = re.compile("<meta http-equiv=[^>]*>")
    path.write_text(policy.sub("", page).replace("</body>", probe), encoding="utf8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},900"]
    command += [f"--blink-settings=preferredColorScheme={0 if dark else 1}", path.as_uri()]
    done = subprocess.run(command, capture_output=True, encoding="utf8", timeout=120, check=True)
    found = re.search(r"<title>(.*?)</title>", done.stdout)[1].replace("&quot;", '"')
    seen = json.loads(found)
    assert seen["scroll"] <= seen["width"]
    assert seen["text"] == ("rgb(255, 255, 255)" if dark else "rgb(0, 0, 0)")
