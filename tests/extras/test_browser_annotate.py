"""The annotation in a browser, as people use it: Debian's chromium, headless."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from components.annotate.app import make_annotation_app
from components.annotate.desk import SEEN, Desk
from components.annotate.store import Store
from components.measures.gold import read_messages
from tests.conftest import ROOT

from .conftest import check_accessible, check_picture, serving

expect = pytest.importorskip("playwright.sync_api").expect
START = "import components; from components.cli.app import main; main(lambda: None, 'annotate')"
# A machine that does other things, too, is slow.
expect.set_options(timeout=30_000)
TEXTS = [
    "Hej! Jag heter Anna Lindgren och har ont i halsen sedan den 3 mars.",
    "Hej Anna! Kom till vårdcentralen Ersboda på måndag, eller ring 070-174 06 05. /Karin, ssk",
    "Tack 😊👩‍👩‍👧 min man Bo ringer.\r\nMvh Åsa e\u0301va",
]


class Server:
    """The pages, served by a thread of this process."""

    def __init__(self, folder: Path, rows, suggestions=()) -> None:
        self.path = folder / "gold.sqlite"
        self.store = Store(self.path)
        self.store.add(rows, suggestions)
        self.stack = ExitStack()
        self.stack.callback(self.store.close)
        app = make_annotation_app(Desk(self.store), "token", "ina")
        self.base = self.stack.enter_context(serving(app))
        self.address = f"{self.base}/?token=token"

    def stop(self) -> None:
        self.stack.close()

    def read(self, layer: str):
        """What is in the file when the server has ended."""
        self.stop()
        store = Store(self.path)
        rows = Desk(store).get_rows(layer)
        store.close()
        return rows

    def read_marks(self, layer: str):
        """The words that are marked in each message, with their labels."""
        return [
            [(row["text"][each["start"] : each["end"]], each["label"]) for each in row["spans"]]
            for row in self.read(layer)
        ]


class Process:
    """The command, as somebody has started it."""

    def __init__(self, folder: Path, rows) -> None:
        messages = folder / "messages.jsonl"
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        messages.write_text("".join(lines), encoding="utf8")
        self.options = [str(messages), "--to", str(folder / "gold.sqlite"), "--annotator", "ina"]
        self.start("0")

    def start(self, port: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *self.options, "--port", port],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stderr:
            if line.startswith("http://"):
                self.address = line.strip()
                self.base = line.partition("/?")[0]
                return
        raise AssertionError("the server did not start")

    def stop(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def language():
    return "en-GB"


@pytest.fixture
def page(browser, language):
    """A page that complains of every violation of the content security policy, and of every error."""
    context = browser.new_context(viewport={"width": 1280, "height": 820}, locale=language)
    page = context.new_page()
    problems = []
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.problems = problems
    yield page
    context.close()
    expected = re.compile(r"status of (401|409|422)|net::ERR_|Failed to fetch")
    assert [problem for problem in problems if not expected.search(problem)] == []


@pytest.fixture
def serve(page, tmp_path):
    """Serves messages, and opens the first page, or another one of the annotator."""
    servers = []

    def start(rows, suggestions=(), kind=Server, at=None):
        server = Server(tmp_path, rows, suggestions) if kind is Server else kind(tmp_path, rows)
        servers.append(server)
        page.goto(server.address)
        if at:
            page.goto(f"{server.base}/annotate/by/ina/{at}")
        return server

    yield start
    for server in servers:
        server.stop()


def make_rows(texts, **more):
    return [{"id": f"m{number}", "text": text, **more} for number, text in enumerate(texts, 1)]


def saved(page, revision):
    expect(page.locator(f"#work[data-revision='{revision}']")).to_be_visible()


def press(page, *keys):
    # Before the script runs, keys do nothing.
    if page.locator("#says").count():
        expect(page.locator("#says")).not_to_be_empty()
    for key in keys:
        if key in ("Enter", "x"):
            # Sooner nobody has read it.
            page.wait_for_timeout(1000 * SEEN)
        page.keyboard.press(key)


def test_twenty_messages_by_keyboard_only(page, serve):
    names = ["Anna", "Bo Ek", "Åsa", "Olof af Klint"]
    texts = [f"Hej 😊 {names[number % 4]} fyller {number + 20} år." for number in range(20)]
    server = serve(make_rows(texts), at="next")
    for number in range(20):
        expect(page.locator("h1")).to_contain_text(f"Message {number + 1} ")
        n_words = len(names[number % 4].split())
        press(page, "Home", "ArrowRight", "ArrowRight", *["Shift+ArrowRight"] * (n_words - 1), "p")
        press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "a", "Enter")
    expect(page.get_by_text("All messages are finished.")).to_be_visible()
    assert server.read_marks("ina") == [
        [(names[number % 4], "PERSON"), (f"{number + 20} år", "AGE")] for number in range(20)
    ]


def test_offsets_are_pythons_with_emoji_line_breaks_and_marks_that_combine(page, serve):
    server = serve(make_rows(TEXTS), at="message/2")
    page.locator("#text .w", has_text="Bo").click()
    press(page, "p")
    saved(page, 1)
    page.locator("#text .w", has_text="Åsa").click()
    press(page, "Shift+ArrowRight", "p")
    saved(page, 2)
    # By letter: one less at the beginning, one less at the end.
    page.locator("#text .w", has_text="ringer").click()
    press(page, "Control+ArrowRight", "Control+Shift+ArrowLeft", "l")
    saved(page, 3)
    expect(page.get_by_text("It begins or ends within a word")).to_be_visible()
    press(page, "Enter")
    expect(page.locator("h1")).to_contain_text("Message 1 ")
    (found,) = server.read_marks("ina")
    assert found == [("Bo", "PERSON"), ("inge", "LOCATION"), ("Åsa e\u0301va", "PERSON")]


def test_mouse_drag_relabel_undo_redo_and_comment(page, serve):
    serve(make_rows(TEXTS))
    page.get_by_role("link", name="Annotate", exact=True).first.click()
    first = page.locator("#text .w", has_text="Anna").bounding_box()
    last = page.locator("#text .w", has_text="Lindgren").bounding_box()
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5)
    page.mouse.up()
    page.get_by_role("button", name="place").click()
    expect(page.locator("#text mark.LOCATION")).to_have_text("Anna Lindgren")
    page.get_by_role("button", name="PERSON").click()
    expect(page.locator("#text mark.PERSON")).to_have_text("Anna Lindgren")
    press(page, "z", "z", "z")
    expect(page.locator("#text mark")).to_have_count(0)
    press(page, "y", "Control+y")
    expect(page.locator("#text mark.PERSON")).to_have_count(1)
    page.get_by_role("button", name="Remove the mark on Anna Lindgren").click()
    expect(page.locator("#text mark")).to_have_count(0)
    press(page, "q")
    page.keyboard.type("Is Lindgren hers?")
    press(page, "Control+Enter")
    expect(page.locator("h1")).to_contain_text("Message 2 ")
    # Undo where nothing was done goes back to what was finished before.
    press(page, "z")
    expect(page.locator("h1")).to_contain_text("Message 1 ")
    expect(page.get_by_text("“Is Lindgren hers?”")).to_be_visible()
    expect(page.locator("#work")).to_have_attribute("data-status", "doubtful")


def test_reload_back_and_kill_lose_nothing_and_two_tabs_do_not_overwrite(page, serve):
    server = serve(make_rows(TEXTS), kind=Process, at="message/0")
    other = page.context.new_page()
    other.goto(f"{server.base}/annotate/by/ina/message/0")
    press(page, "ArrowRight", "p")
    saved(page, 1)
    # What is pressed after a change that is refused was meant for what was shown before: it is not done.
    press(other, "End")
    other.evaluate(
        """for (const key of ["l", "Enter"]) document.querySelector("#text").dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))"""
    )
    expect(other.get_by_role("alert")).to_contain_text("NOT SAVED")
    expect(other.locator("#work")).to_have_attribute("data-status", "open")
    expect(other.locator("#text mark")).to_have_count(1)
    page.reload()
    expect(page.locator("#text mark")).to_have_count(1)
    port = server.base.rpartition(":")[2]
    server.stop()
    press(page, "End", "l")
    expect(page.get_by_role("alert")).to_contain_text("NOT SAVED")
    expect(page.locator("#text mark")).to_have_count(1)
    server.start(port)
    press(page, "End", "l")
    expect(page.get_by_role("alert")).to_contain_text("Open the address")
    page.goto(server.address)
    page.goto(f"{server.base}/annotate/by/ina/message/0")
    expect(page.locator("#text mark")).to_have_count(1)


def test_two_annotators_and_the_settling(page, serve):
    server = serve(make_rows(TEXTS[:2]))
    for layer, keys in (("ina", ["Shift+ArrowRight", "p"]), ("bo", ["p"])):
        page.goto(f"{server.base}/annotate/by/{layer}/message/0")
        page.locator("#text .w", has_text="Anna").click()
        press(page, *keys)
        saved(page, 1)
        press(page, "Enter")
        expect(page.locator("h1")).to_contain_text("Message 2 ")
        press(page, "ArrowRight", "p", "Enter")
        expect(page.get_by_text("All messages are finished.")).to_be_visible()
    expect(page.get_by_role("region", name="Agreement")).to_contain_text("person")
    check_picture(page, "annotate_overview")
    check_accessible(page)
    page.get_by_role("link", name="Settle differences").click()
    page.set_viewport_size({"width": 1000, "height": 400})
    check_picture(page, "annotate_settle")
    check_accessible(page)
    press(page, "2")
    expect(page.get_by_text("1 of them settled")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("decided by bo")).to_be_visible()
    # To mark it again.
    press(page, "m")
    expect(page.locator("#text mark")).to_have_text(["Anna Lindgren"])
    press(page, "Home", "Shift+ArrowRight", "o")
    saved(page, 2)
    page.reload()
    expect(page.locator("#text mark.ORGANISATION")).to_be_visible()
    # It is neither skipped nor doubtful.
    press(page, "x", "q", "Enter")
    expect(page.get_by_text("1 of them settled")).to_be_visible()
    with page.expect_download() as download:
        page.locator("#what").select_option("settled")
        page.get_by_role("button", name="download").click()
    rows = read_messages(download.value.path())
    assert rows[0]["spans"] == [
        {"start": 0, "end": 4, "label": "ORGANISATION", "annotators": [], "decided_by": "bo"},
        {"start": 15, "end": 28, "label": "PERSON", "annotators": ["ina"], "decided_by": "bo"},
    ]


def test_search_marks_all_and_words_are_looked_up(page, serve):
    server = serve(make_rows([f"Hej Anna, annan nummer {number}" for number in range(5)]))
    page.get_by_role("link", name="Search").click()
    page.get_by_label("regular expression").fill("anna?")
    press(page, "Enter")
    page.get_by_role("button", name="mark all").click()
    expect(page.get_by_text("5 marks were made")).to_be_visible()
    expect(page.get_by_text("5 hits")).to_be_visible()
    page.set_viewport_size({"width": 1000, "height": 300})
    check_picture(page, "annotate_search")
    check_accessible(page)
    page.get_by_role("button", name="take it back").click()
    expect(page.get_by_text("5 messages are as they were")).to_be_visible()
    page.get_by_role("button", name="mark all").click()
    expect(page.get_by_text("5 marks were made")).to_be_visible()
    page.goto(f"{server.base}/annotate/by/ina/message/0")
    press(page, "Enter")
    expect(page.locator("h1")).to_contain_text("Message 2 ")
    press(page, "ArrowRight", "h")
    expect(page.locator("#history")).to_contain_text("person")
    press(page, "g")
    expect(page.locator("#guidelines-here")).to_contain_text("Span boundaries")


def test_what_it_looks_like_and_that_all_can_use_it(page, serve):
    rows = make_rows(TEXTS, conversation="k", author="patient")
    rows[1]["author"] = "caregiver"
    suggested = [
        {"start": 4, "end": 8, "label": "PERSON"},
        {"start": 19, "end": 40, "label": "ORGANISATION"},
    ]
    server = serve(rows, [[], suggested, []])
    page.set_viewport_size({"width": 1280, "height": 640})
    page.goto(f"{server.base}/annotate/by/ina/message/1")
    page.locator("#text .w", has_text="Karin").click()
    press(page, "p")
    saved(page, 1)
    page.locator("#text .w", has_text="070").click()
    press(page, *["Shift+ArrowRight"] * 4)
    check_picture(page, "annotate_message")
    check_accessible(page)
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    check_accessible(page)
    press(page, "Escape")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        for rest in ("", "/list", "/search?q=a", "/message/1"):
            page.goto(f"{server.base}/annotate/by/ina{rest}")
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, (width, rest)
            check_accessible(page)
    page.goto(f"{server.base}/annotate/guidelines?layer=ina")
    check_accessible(page)


@pytest.mark.parametrize("language", ["sv-SE"])
def test_in_swedish(page, serve):
    rows = make_rows(TEXTS, conversation="k", author="patient")
    rows[1]["author"] = "caregiver"
    server = serve(rows, [[], [{"start": 4, "end": 8, "label": "PERSON"}], []])
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    page.get_by_role("link", name="Annotera", exact=True).first.click()
    expect(page.locator("h1")).to_contain_text("Meddelande 1 ")
    page.wait_for_timeout(1000 * SEEN)
    page.get_by_role("button", name="hoppa över").click()
    expect(page.locator("h1")).to_contain_text("Meddelande 2 ")
    page.locator("#text .w", has_text="måndag").click()
    page.get_by_role("button", name="datum").click()
    expect(page.get_by_text("En veckodag för sig är inget datum")).to_be_visible()
    expect(page.locator("#says")).to_have_text("måndag: datum")
    page.set_viewport_size({"width": 1280, "height": 640})
    check_picture(page, "annotate_message_sv")
    check_accessible(page)
    press(page, "?")
    expect(page.get_by_role("dialog")).to_contain_text("hoppa över, nästa meddelande")
    expect(page.get_by_role("heading", name="tangenter")).to_be_in_viewport()
    press(page, "Escape", "g")
    expect(page.locator("#guidelines-here")).to_contain_text("Markeringens gränser")
    # Somebody may want it in English, on this page and on all others.
    page.get_by_role("link", name="English").click()
    expect(page.locator("h1")).to_contain_text("Message 2 ")
    page.get_by_role("link", name="Search").click()
    expect(page.get_by_role("heading", name="Search")).to_be_visible()
    page.get_by_role("link", name="Svenska").click()
    for rest in ("", "/list", "/search?q=(", "/search?q=a", "/settle"):
        page.goto(f"{server.base}/annotate/by/ina{rest}")
        assert not re.search(r"\b(the|messages|of|and)\b", page.locator("body").inner_text())


def test_ten_thousand_messages(page, serve):
    server = serve(
        make_rows([f"Hej, Anna {number} här" for number in range(10_000)]), at="message/5000"
    )
    press(page, "ArrowRight", "p", "Enter")
    expect(page.locator("h1")).to_contain_text("Message 5002 ")
    page.goto(f"{server.base}/annotate/by/ina/search?q=Anna 99")
    expect(page.get_by_text("111 hits")).to_be_visible()


def test_a_held_enter_finishes_no_message_unread(page, serve):
    server = serve(make_rows([f"Meddelande {n}." for n in range(20)]), at="next")
    press(page)
    page.wait_for_timeout(1000 * SEEN)
    for _ in range(40):
        # All but the first are repeated, also where the next message is shown meanwhile.
        page.keyboard.down("Enter")
        page.wait_for_timeout(50)
    page.keyboard.up("Enter")
    page.locator("[data-do=done]").focus()
    for _ in range(20):
        page.keyboard.down("Enter")
        page.wait_for_timeout(50)
    page.keyboard.up("Enter")
    # Of each key press, one.
    assert sum("spans" in row for row in server.read("ina")) <= 2


def test_the_end_of_a_long_message_comes_on_screen_before_it_is_done(page, serve):
    serve(make_rows(["Rad.\n" * 200, "Hej."]), at="next")
    press(page, "Enter")
    expect(page.locator("#text .w").last).to_be_in_viewport()
    assert page.url.endswith("message/0")
    press(page, "Enter")
    page.wait_for_url("**/message/1*")
