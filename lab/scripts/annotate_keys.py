"""Count what it takes to annotate messages on the page: keys, clicks, answers of the server.

A program presses them, no person: it knows the gold, and takes the shortest way. Minutes are an estimate by the
keystroke-level model (Card, Moran and Newell 1980).
"""

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple

import spacy
import srsly
import typer
import uvicorn
from playwright.sync_api import Page, Request, sync_playwright
from wasabi import msg

import components  # noqa: F401
from components.annotate.app import KEYS, make_annotation_app
from components.annotate.beginning import suggest
from components.annotate.choices import By
from components.annotate.desk import Desk
from components.annotate.edits import Mark, find_words
from components.annotate.store import Store
from components.measures.gold import Row, read_messages
from components.measures.spans import CharSpan, to_char_spans
from components.text.sentences import count_sentences

# Seconds: a key; to think of what to do; a click, with the hand to the mouse and back.
KEY, THINK, CLICK = 0.28, 1.35, 0.4 + 1.1 + 0.2 + 0.4
WORDS_A_MINUTE = 200
TOKEN, LAYER = "token", "program"
LOADED = "n => document.querySelector('#desk')?.dataset.url.endsWith('/message/' + n) && says.textContent"


class Selection(NamedTuple):
    """What is selected on the page: from a word to a word.

    anchor (int), focus (int): Where it was begun, and where it ends.
    """

    anchor: int
    focus: int


class Hand:
    """Finds the shortest way on the page, as its keys move.

    words (Sequence[tuple[int, int]]): The words of the message.
    marks (Sequence[CharSpan]): What is marked.
    """

    def __init__(self, words: Sequence[tuple[int, int]], marks: Sequence[CharSpan]) -> None:
        self.words = words
        self.marks = [*marks]
        self.at = self._take(0)

    def plan(self, gold: Sequence[CharSpan]) -> Iterator[str]:
        """Tell what is to be pressed until the marks are the gold; `click N` clicks a word."""
        wrong = [mark for mark in self.marks if mark not in gold]
        begun = [self._find(mark).anchor for mark in gold if mark not in self.marks]
        erased = [(mark, True) for mark in wrong if self._find(mark).anchor not in begun]
        made = [(mark, False) for mark in gold if mark not in self.marks]
        for (start, end, label), erases in sorted(
            erased + made, key=lambda each: (each[0][0], not each[1])
        ):
            if erases and (start, end, label) not in self.marks:
                continue  # what was made has taken its place
            first, last = goal = self._find((start, end, label))
            ways: list[tuple[float, tuple[str, ...], Selection]] = [
                (len(keys) + abs(at.focus - last), keys, at) for at, keys in self._walk().items()
            ]
            ways.append((CLICK / KEY, (f"click {first}",), self._take(first)))
            _, keys, at = min(way for way in ways if way[2].anchor == first)
            yield from keys
            yield from ["Shift+ArrowRight" if last > at.focus else "Shift+ArrowLeft"] * abs(
                last - at.focus
            )
            yield from ["Control+ArrowRight"] * max(start - self.words[first][0], 0)
            yield from ["Control+Shift+ArrowLeft"] * max(self.words[last][1] - end, 0)
            yield "Delete" if erases else KEYS[label]
            self.at = goal
            self.marks = [mark for mark in self.marks if mark[1] <= start or end <= mark[0]]
            if not erases:
                self.marks.append((start, end, label))

    def _walk(self) -> dict[Selection, tuple[str, ...]]:
        """All that the keys lead to, each by the fewest."""
        ways: dict[Selection, tuple[str, ...]] = {self.at: ()}
        for at in (queue := [self.at]):
            low, high = sorted(at)
            start, end = self.words[low][0], self.words[high][1]
            behind = [mark for mark in self.marks if mark[0] >= end]
            before = [mark for mark in self.marks if mark[1] <= start]
            steps = {
                "ArrowLeft": self._take(low - 1),
                "ArrowRight": self._take(high + 1),
                "Home": self._take(0),
                "End": self._take(len(self.words) - 1),
                **({"ArrowDown": self._find(min(behind))} if behind else {}),
                **({"ArrowUp": self._find(max(before))} if before else {}),
            }
            for key, to in steps.items():
                if to not in ways:
                    ways[to] = (*ways[at], key)
                    queue.append(to)
        return ways

    def _take(self, number: int) -> Selection:
        start, end = self.words[max(0, min(number, len(self.words) - 1))]
        mark = next(
            (mark for mark in self.marks if mark[0] < end and start < mark[1]), (start, end, "")
        )
        return self._find(mark)

    def _find(self, span: CharSpan) -> Selection:
        inside = [
            i for i, (start, end) in enumerate(self.words) if start < span[1] and span[0] < end
        ]
        return Selection(inside[0], inside[-1])


def annotate_keys(
    messages_path: Path = typer.Argument(..., help="Annotated messages, JSONL", exists=True),
    model_path: Path = typer.Argument(..., help="The pipeline that suggests", exists=True),
    output_path: Path | None = typer.Option(None, help="Where to write the figures, JSON"),
    limit: int = typer.Option(100, min=1, help="How many messages"),
    driven: int = typer.Option(
        100, min=0, help="How many of them are annotated in the browser, too"
    ),
    chromium: Path = typer.Option(Path("/usr/bin/chromium"), help="The browser", exists=True),
) -> None:
    """Annotate messages by a program that knows the gold, from nothing and from suggestions."""
    rows = read_messages(messages_path)[:limit]
    nlp = spacy.load(model_path)
    nothing: list[list[Mark]] = [[] for _ in rows]
    figures: dict[str, dict[str, Any]] = {}
    for name, marks in (
        ("from nothing", nothing),
        ("suggested", suggest(nlp, rows, By.PIPELINE)),
    ):
        plans = [
            [*Hand(find_words(nlp, row["text"]), to_char_spans(found)).plan(get_gold(row)), "Enter"]
            for row, found in zip(rows, marks)
        ]
        figures[name] = count(rows, marks, plans)
        if driven:
            figures[name] |= drive(rows[:driven], marks[:driven], plans[:driven], chromium)
        msg.text(f"{name}: {figures[name]}")
    if output_path is not None:
        srsly.write_json(output_path, figures)


def get_gold(row: Row) -> list[CharSpan]:
    """RETURNS (list[CharSpan]): What is to be marked, in order."""
    return sorted(to_char_spans(row["spans"]))


def is_change(press: str) -> bool:
    """RETURNS (bool): Whether a key changes a mark."""
    return press == "Delete" or len(press) == 1


def count(
    rows: Sequence[Row], suggestions: Sequence[Sequence[Mark]], plans: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Count keys and clicks. Shift and Ctrl are one more, once while they are held."""
    keys = clicks = changes = 0
    for presses in plans:
        held = ""
        for press in presses:
            is_click, modifier = press.startswith("click"), press.rpartition("+")[0]
            clicks += is_click
            keys += not is_click
            keys += modifier not in ("", held)
            changes += is_change(press)
            held = modifier
    judged = sum(map(len, suggestions))
    sentences = sum(count_sentences(row["text"]) for row in rows)
    read = sum(len(row["text"].split()) for row in rows) / WORDS_A_MINUTE
    minutes = read + (THINK * (changes + judged + len(rows)) + KEY * keys + CLICK * clicks) / 60
    return {
        "messages": len(rows),
        "sentences": sentences,
        "suggested": judged,
        "keys": keys,
        "clicks": clicks,
        "changes": changes,
        "minutes_reading": round(read, 1),
        "minutes": round(minutes, 1),
        "sentences_a_minute": round(sentences / minutes, 1),
    }


def drive(
    rows: Sequence[Row],
    suggestions: Sequence[Sequence[Mark]],
    plans: Sequence[Sequence[str]],
    chromium: Path,
) -> dict[str, int]:
    """Press all of it in the browser, see that what is saved is the gold, and time the server's answers."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = Store(Path(folder) / "gold.sqlite")
        store.add(rows, suggestions)
        desk = Desk(store)
        config = uvicorn.Config(make_annotation_app(desk, TOKEN, LAYER), port=0, log_level="error")
        server = uvicorn.Server(config)
        thread = Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        waited = press_all(browser.new_page(), f"http://127.0.0.1:{port}", plans)
        server.should_exit = True
        thread.join()
        saved = [to_char_spans(row["spans"]) for row in desk.get_rows(LAYER)]
        store.close()
    assert saved == [get_gold(row) for row in rows]
    return {
        "driven": len(rows),
        "answer_ms_median": round(statistics.median(waited)),
        "answer_ms_p95": round(statistics.quantiles(waited, n=20)[-1]),
    }


def press_all(page: Page, base: str, plans: Sequence[Sequence[str]]) -> list[float]:
    """Press all keys, and wait where a person would see that something is not saved yet."""
    page.set_default_timeout(120_000)  # a busy machine is slow
    waited: list[float] = []

    def note(request: Request) -> None:
        if "/message/" in request.url:
            waited.append(request.timing["responseEnd"])

    page.on("requestfinished", note)
    page.goto(f"{base}/?token={TOKEN}")
    page.goto(f"{base}/annotate/by/{LAYER}/next")
    for place, presses in enumerate(plans):
        page.wait_for_function(LOADED, arg=place)
        revision = 0
        for press in presses:
            if press.startswith("click"):
                page.locator(f"#text .w[data-word='{press[6:]}']").first.click()
            else:
                page.keyboard.press(press)
            if is_change(press):
                revision += 1
                page.wait_for_selector(f"#work[data-revision='{revision}']")
    page.wait_for_url(f"{base}/annotate/by/{LAYER}")
    return waited


if __name__ == "__main__":
    typer.run(annotate_keys)
