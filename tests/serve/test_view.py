"""What is shown of a message: every character once, in order, with its story."""

from components.serve.languages import get_words
from components.serve.pages.view import make_view

EN = get_words("try")["en"]
TEXT = "Hej Anna. 3/10 och 2 st"


def make_done(**more):
    phi = {"by": "phi", "start": 4, "end": 8, "label": "PERSON", "score": 0.9}
    return {
        "text": "Hej Eva. 3/10 och 2 st",
        "replacements": [{"start": 4, "end": 8, "label": "PERSON", "out_start": 4, "out_end": 7}],
        "spans": [{"start": 4, "end": 8, "label": "PERSON", "score": 0.9, "trace": [phi]}],
        "doubted": [],
        "language": "",
        "failed": "",
        **more,
    }


def show(part):
    return part.text, *((part.story.kind, part.story.id) if part.story else ("", ""))


def test_parts():
    doubt = {"start": 10, "end": 14, "label": "DATE", "score": 0.8, "rule": "confirm.weak_pattern"}
    veto = {"start": 19, "end": 23, "label": "", "score": 0.0, "rule": "neg.dose"}
    view = make_view(7, TEXT, make_done(doubted=[doubt, veto]), EN)
    assert [show(part) for part in view.before] == [
        ("Hej ", "", ""), ("Anna", "found", "m7-1"), (". ", "", ""),
        ("3/10", "doubted", "m7-2"), (" och ", "", ""), ("2 st", "doubted", "m7-3"),
    ]  # fmt: skip
    assert [(part.text, part.story.id) for part in view.after if part.story] == [("Eva", "m7-1")]
    stories = [(story.text, story.becomes) for story in view.stories]
    assert stories == [("Anna", "Eva"), ("3/10", None), ("2 st", None)]


def test_doubts_that_are_told_elsewhere():
    """Of punctuation the trace tells; what lies in an entity was found."""
    stop = {"start": 8, "end": 9, "label": "PERSON", "score": 0.9, "rule": "edit.punctuation"}
    within = {"start": 4, "end": 8, "label": "DATE", "score": 0.1, "rule": "doubt.form"}
    view = make_view(1, TEXT, make_done(doubted=[stop, within]), EN)
    assert view.count("doubted") == 0


def test_kept_and_removed():
    entry = {"start": 4, "end": 8, "label": "PERSON", "out_start": 4, "out_end": 8, "kept": True}
    view = make_view(1, TEXT, make_done(text=TEXT, replacements=[entry]), EN)
    assert view.stories[0].becomes is None
    entry = {"start": 4, "end": 8, "label": "PERSON", "out_start": 4, "out_end": 4}
    view = make_view(1, TEXT, make_done(text="Hej .", replacements=[entry]), EN)
    assert view.stories[0].becomes == ""
    assert "".join(part.text for part in view.after) == "Hej ."


def test_masked_whole():
    done = make_done(text="***", spans=[], failed="phi_ner (ValueError)")
    view = make_view(1, TEXT, done, EN)
    assert (view.failed, [part.text for part in view.after]) == ("phi_ner (ValueError)", ["***"])
