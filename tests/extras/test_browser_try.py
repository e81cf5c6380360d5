"""The page to try, in a browser: by mouse, by keys, on a narrow screen, for who hears it.

With SV_DEID_MODEL, a saved pipeline, that one is served, and the pictures of docs/try.md are compared.
"""

import json
import os
from contextlib import contextmanager
from pathlib import Path

import pytest
import spacy

expect = pytest.importorskip("playwright.sync_api").expect

from components.conversations.conversation import deidentify
from components.serve.app import make_app
from components.serve.pipeline import PipelineQueue

from .conftest import check_accessible, check_picture, serving

TOKEN = "a-token"
TEXT = "Hej, jag heter Anna Lind och bor i Lund sen 3 maj."
EXAMPLES = ("mother", "conversation", "doubts", "more", "table")
NARROW = {"width": 360, "height": 740}
WIDE = {"width": 1200, "height": 800}
TIMEOUT = 60_000  # milliseconds
expect.set_options(timeout=TIMEOUT)
# What breaks a policy tells itself to the page.
LISTEN = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
"""


@pytest.fixture(scope="module")
def nlp(make_nlp):
    path = os.environ.get("SV_DEID_MODEL")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the pictures")
        yield spacy.load(path) if path else make_nlp()


@pytest.fixture(scope="module")
def address(nlp):
    with serving(make_app(PipelineQueue(nlp), TOKEN, version="0")) as address:
        yield address


@pytest.fixture
def open_page(browser, address):
    """Opens the page, and looks in the end whether anything went wrong."""

    @contextmanager
    def open_page(path="/?lang=en", **options):
        with browser.new_context(**{"viewport": WIDE, "base_url": address, **options}) as context:
            context.add_init_script(LISTEN)
            page = context.new_page()
            page.set_default_timeout(TIMEOUT)
            errors, elsewhere = [], []
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on(
                "console",
                # That an answer is an error, which the page shows, the browser tells, too.
                lambda line: (
                    errors.append(line.text)
                    if line.type == "error" and "Failed to load resource" not in line.text
                    else None
                ),
            )
            page.on(
                "request",
                lambda sent: (
                    elsewhere.append(sent.url) if not sent.url.startswith(address) else None
                ),
            )
            page.goto(f"/?token={TOKEN}")
            page.goto(path)
            yield page
            assert page.evaluate("violations") == []
            assert (errors, elsewhere) == ([], [])

    return open_page


def get_after(page):
    return page.locator(".text").nth(1)


def wait_for(page, text):
    expect(get_after(page)).to_contain_text(text)


def test_by_mouse(open_page, nlp):
    with open_page() as page:
        page.get_by_label("Text", exact=True).fill(TEXT)
        wait_for(page, "Hej")
        assert get_after(page).inner_text() == deidentify(nlp, TEXT)
        # What was found tells its story, and shuts it again.
        word = page.get_by_role("link", name="Anna Lind person")
        word.click()
        story = page.get_by_role("region", name="Why: Anna Lind")
        assert "The model reads “Anna Lind” as: person." in story.inner_text()
        assert word.get_attribute("aria-expanded") == "true"
        story.get_by_role("link", name="Close").click()
        expect(story).to_be_hidden()
        # So does what it became.
        get_after(page).locator("mark").first.click()
        expect(story).to_be_visible()
        # Each control acts at once.
        page.get_by_label("Strategy", exact=True).select_option("label")
        wait_for(page, "[PERSON]")
        page.get_by_role("checkbox", name="person", exact=True).uncheck()
        wait_for(page, "Anna Lind")
        page.get_by_role("checkbox", name="person", exact=True).check()
        wait_for(page, "[PERSON]")
        page.get_by_text("Threshold and strategy by class").click()
        page.get_by_label("Strategy: person").select_option("mask")
        wait_for(page, "***")
        page.get_by_role("slider", name="Threshold").fill("0.3")
        assert page.get_by_role("textbox", name="Threshold", exact=True).input_value() == "0.3"
        page.get_by_role("button", name="Svenska").click()
        page.wait_for_url("/")
        assert page.locator("html").get_attribute("lang") == "sv"
        assert page.get_by_label("Text", exact=True).input_value() == TEXT
        assert "***" in get_after(page).inner_text()


def press_until(page, key, is_there, most=60):
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate(is_there):
            return
    raise AssertionError(is_there)


def test_by_keys(open_page):
    with open_page() as page:
        press_until(page, "Tab", "document.activeElement.id === 'text'")
        page.keyboard.type(TEXT)
        wait_for(page, "Hej")
        # The skip link leads to the result, from where the words follow.
        page.evaluate("document.body.focus()")
        page.locator(".skip").focus()
        page.keyboard.press("Enter")
        press_until(page, "Tab", "document.activeElement.matches('a.found.PERSON')")
        page.keyboard.press("Enter")
        story = page.get_by_role("region", name="Why: Anna Lind")
        expect(story).to_be_visible()
        assert page.evaluate("document.activeElement.classList.contains('story')")
        page.keyboard.press("Escape")
        expect(story).to_be_hidden()
        assert page.evaluate("document.activeElement.matches('a.found.PERSON')")
        press_until(page, "Shift+Tab", "document.activeElement.id === 'strategy'")
        page.keyboard.type("stars")
        wait_for(page, "***")
        # A participant.
        press_until(page, "Tab", "document.activeElement.matches('#known summary')")
        page.keyboard.press("Enter")
        press_until(page, "Tab", "document.activeElement.id === 'add-participant'")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.name") == "known_name"
        page.keyboard.type("Hej Jag")
        expect(page.locator(".text a.found").first).to_contain_text("Hej")


def drop(page, name, data):
    page.evaluate(
        """([name, data]) => {
            const files = new DataTransfer();
            files.items.add(new File([data], name));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true}));
        }""",
        [name, data],
    )


def test_file_and_download(open_page, tmp_path):
    rows = [{"body": f"{TEXT} {number}", "number": number} for number in range(60)]
    data = "".join(json.dumps(row) + "\n" for row in rows)
    with open_page() as page:
        drop(page, "messages.jsonl", data)
        expect(page.locator("article")).to_have_count(40)
        expect(page.locator("#text")).to_be_hidden()
        page.get_by_role("button", name="Later").click()
        expect(page.locator("article")).to_have_count(20)
        expect(page.locator("#result")).to_be_focused()
        page.get_by_label("Strategy", exact=True).select_option("label")
        expect(page.locator("article")).to_have_count(40)
        wait_for(page, "[PERSON]")
        page.get_by_role("combobox", name="Conversation").select_option("number")
        for kind in ("JSONL", "CSV"):
            with page.expect_download() as download:
                page.get_by_role("button", name=f"Download {kind}").click()
            path = tmp_path / kind
            download.value.save_as(path)
            text = path.read_text("utf-8-sig")
            assert text.count("[PERSON]") >= 60
            assert "Anna Lind" not in text
        page.get_by_role("button", name="Remove the file").click()
        expect(page.locator("#shown")).to_contain_text("Nothing to show yet")


def test_errors(open_page):
    with open_page() as page:
        drop(page, "messages.csv", "")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("The file cannot be read")
        page.route("/result", lambda route: route.fulfill(status=413, body="{}"))
        drop(page, "messages.csv", "text")
        expect(alert).to_contain_text("too large")
        page.route("/result", lambda route: route.abort())
        drop(page, "messages.csv", "text")
        expect(alert).to_contain_text("does not answer")


def test_back_and_reload(open_page):
    with open_page("/?example=mother&lang=en") as page:
        page.get_by_label("Text", exact=True).fill(TEXT)
        wait_for(page, "Hej, jag heter")
        page.get_by_role("link", name="Start over").click()
        expect(page.locator("#shown")).to_contain_text("Nothing to show yet")
        page.go_back()
        expect(page.locator("article").first).to_be_visible()


def test_without_scripts(browser, address, nlp):
    with browser.new_context(java_script_enabled=False, base_url=address) as context:
        page = context.new_page()
        page.goto(f"/?token={TOKEN}")
        page.get_by_label("Text", exact=True).fill(TEXT)
        page.get_by_role("button", name="Show").click()
        assert get_after(page).inner_text() == deidentify(nlp, TEXT)
        page.get_by_role("link", name="Anna Lind person").click()
        expect(page.get_by_role("region", name="Why: Anna Lind")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download JSONL").click()
        assert json.loads(Path(download.value.path()).read_text("utf8")) == {
            "text": deidentify(nlp, TEXT)
        }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_accessible_and_narrow(open_page, scheme, viewport):
    with open_page(viewport=viewport, color_scheme=scheme) as page:
        for example in EXAMPLES:
            page.goto(f"/?example={example}&lang=sv")
            page.evaluate(
                "document.querySelectorAll('details').forEach((each) => (each.open = true))"
            )
            word = page.locator("a.found, a.doubted")
            if word.count():
                word.first.click()
            check_accessible(page)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= viewport["width"]


@pytest.mark.skipif("SV_DEID_MODEL" not in os.environ, reason="They show what the pipeline finds")
@pytest.mark.parametrize(
    ("name", "path", "word", "options"),
    [
        ("try", "/?example=mother&lang=en", "Storgatan 12", {}),
        (
            "try-conversation",
            "/?example=conversation&lang=sv",
            "lindgren",
            {"color_scheme": "dark"},
        ),
        ("try-narrow", "/?example=doubts&lang=en", "3/10", {"viewport": NARROW}),
    ],
)
def test_pictures(open_page, name, path, word, options):
    with open_page(path, **options) as page:
        link = page.locator("a.found, a.doubted", has_text=word).first
        if link.count():
            link.click()
        if "viewport" in options:
            page.evaluate("document.querySelector('article').scrollIntoView()")
        check_picture(page, name)
