"""The way back: placeholders of a caller's session become what they stood for."""

import pytest

from components.serve.api.sessions import Session, Sessions, SessionsFull


@pytest.fixture
def session(client):
    made = client.post("/v1/sessions")
    assert made.status_code == 201
    return made.json()["session"]


def hide(client, session, *texts, **more):
    body = {"texts": texts, "session": session, **more}
    answer = client.post("/v1/deidentify", json=body).json()
    for message, text in zip(answer["messages"], texts):
        for entry in message["replacements"]:
            piece = message["text"][entry["out_start"] : entry["out_end"]]
            assert piece == entry["replacement"] != text[entry["start"] : entry["end"]]
    return [message["text"] for message in answer["messages"]]


def restore(client, session, text, **more):
    return client.post(f"/v1/sessions/{session}/restore", json={"text": text, **more}).json()


def test_there_and_back(client, session):
    text = "Hej, jag heter Anna Lind och är 34 år."
    (hidden,) = hide(client, session, text)
    assert hidden == "Hej, jag heter [PERSON_1] och är [AGE_1]."
    assert restore(client, session, hidden) == {"text": text, "rest": ""}
    assert restore(client, session, "[PERSON_2] [PERSON] [AGE_1]")["text"] == (
        "[PERSON_2] [PERSON] 34 år"
    )


def test_numbers_go_on(client, session):
    texts = ["Hej, jag heter Bo Ek.", "Hej, jag heter Anna Lind."]
    hide(client, session, texts[1])
    hidden = hide(client, session, *texts, conversation="c")
    assert hidden == ["Hej, jag heter [PERSON_2].", "Hej, jag heter [PERSON_1]."]


def test_what_the_author_types_is_not_ours(client, session):
    typed = "Skriv [PERSON_1] eller [TYPED_1], hej jag heter Anna Lind"
    (hidden,) = hide(client, session, typed)
    assert hidden == "Skriv [TYPED_1] eller [TYPED_2], hej jag heter [PERSON_1]"
    assert restore(client, session, hidden)["text"] == typed
    (hidden,) = hide(client, session, "Vem är [PERSON_1]?")
    assert hidden == "Vem är [TYPED_1]?"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_streamed(client, session, size):
    text = "Hej [, jag heter Anna Lind och är 34 år [x] [A"
    (hidden,) = hide(client, session, text)
    done, rest = "", ""
    for start in range(0, len(hidden), size):
        piece = rest + hidden[start : start + size]
        got = restore(client, session, piece, more=True)
        done, rest = done + got["text"], got["rest"]
        assert text.startswith(done)
    assert done + restore(client, session, rest)["text"] == text


def test_nobody_elses(client, session):
    hide(client, session, "Hej, jag heter Anna Lind")
    other = client.post("/v1/sessions").json()["session"]
    assert restore(client, other, "[PERSON_1]")["text"] == "[PERSON_1]"
    assert client.delete(f"/v1/sessions/{session}").status_code == 204
    body = {"text": "[PERSON_1]"}
    assert client.post(f"/v1/sessions/{session}/restore", json=body).status_code == 404


def make_result(*entries):
    replacements = [
        {"start": start, "end": end, "label": label, "replacement": new}
        for start, end, label, new in entries
    ]
    return {"replacements": replacements, "failed": ""}


def test_spelling_of_two_stands_for_itself():
    session = Session()
    (one,) = session.replace(
        ["Anna Lind Annas"],
        [make_result((0, 9, "PERSON", "[PERSON_1]"), (10, 15, "PERSON", "[PERSON_1]"))],
    )
    assert one["text"] == "[PERSON_1] [PERSON_1]"
    (two,) = session.replace(
        ["Anna Berg Annas"],
        [make_result((0, 9, "PERSON", "[PERSON_1]"), (10, 15, "PERSON", "[PERSON_1]"))],
    )
    assert two["text"] == "[PERSON_2] [PERSON_2]"
    (three,) = session.replace(["Annas"], [make_result((0, 5, "PERSON", "[PERSON_1]"))])
    assert three["text"] == "[PERSON_3]"
    assert session.restore("[PERSON_1], [PERSON_2], [PERSON_3]")[0] == "Anna Lind, Anna Berg, Annas"


def test_masks_of_an_own_class_are_told_apart():
    session = Session()
    (got,) = session.replace(
        ["ab c"], [make_result((0, 1, "TEAM", "***"), (1, 2, "TEAM", "***"), (3, 4, "TEAM", "***"))]
    )
    assert session.restore(got["text"])[0] == "ab c"


def test_limits():
    sessions = Sessions(limit=1, seconds=1000)
    id = sessions.new()
    with pytest.raises(SessionsFull):
        sessions.new()
    sessions.drop(id)
    sessions.seconds = -1
    assert sessions.get(sessions.new()) is None and len(sessions) == 0
    with pytest.raises(SessionsFull):
        Session(limit=1).replace(["[A_1] [A_2]"], [make_result()])
