"""The way back: placeholders of a caller's session become what they stood for."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.serve.api.sessions import Session, Sessions, SessionsFull
from components.surrogates import make_classes
from tests.surrogates.hand_lists import LISTS

CLASSES = make_classes(LISTS)


def identify(label, mentions):
    own = CLASSES.get(label)
    return own.identities(mentions) if own else [mention.text for mention in mentions]


def nest(inner):
    """Lists, objects with a placeholder as their key, and both as a string, as arguments of tool calls are."""
    bodies = st.lists(inner, max_size=3) | st.dictionaries(st.just("[PERSON_1]"), inner)
    return bodies | bodies.map(json.dumps)


def unwrap(body):
    """What is JSON inside of strings, as JSON."""
    if isinstance(body, str) and body.startswith(("{", '["', "[[", "[{", "[1", "[n", "[]")):
        return unwrap(json.loads(body))
    return _walk(unwrap, body)


def put_back(body):
    if isinstance(body, str):
        return body.replace("[PERSON_1]", VALUE)
    return _walk(put_back, body)


def _walk(function, body):
    if isinstance(body, dict):
        return {key: function(value) for key, value in body.items()}
    return [*map(function, body)] if isinstance(body, list) else body


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


VALUE = 'Åsa "Ankan"\n\\ Lind'


@given(st.recursive(st.sampled_from(["Hej [PERSON_1]!", "[PERSON_2]", "\\[", 1.5, None]), nest))
def test_json_stays_json(body):
    """However deep strings are JSON themselves; keys and what is no string stay."""
    session = Session(identify)
    session.replace([VALUE], [make_result((0, len(VALUE), "PERSON", ""))])
    for dump in (json.dumps, partial(json.dumps, ensure_ascii=False, indent=1)):
        text, rest = session.restore(dump([body]))
        assert not rest and unwrap(json.loads(text)) == put_back([unwrap(body)])


def test_json_byte_for_byte(client, session):
    hide(client, session, "Jag heter Anna Lind")
    body = '{ "[PERSON_1]" :"[PERSON_1]", "a":[1.50, 1e5, 12345678901234567890], "b":"\\u00e5",\n"c": "å"}'
    assert restore(client, session, body)["text"] == body.replace(':"[PERSON_1]"', ':"Anna Lind"')
    for cut in (body[:-1], body + "{"):
        assert restore(client, session, cut)["text"] == cut.replace("[PERSON_1]", "Anna Lind")


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


def test_people_of_several_requests(client, session):
    said = ["Jag heter Anna Lindgren.", "anna igen", "ANNA LINDGREN", "Hej Anna!", "Hej Bo Lind!"]
    hidden = [hide(client, session, text, conversation="c")[0] for text in said]
    assert hidden == [
        "Jag heter [PERSON_1].", "[PERSON_1] igen", "[PERSON_1]", "Hej [PERSON_1]!",
        "Hej [PERSON_2]!",
    ]  # fmt: skip
    assert restore(client, session, hidden[3])["text"] == "Hej Anna Lindgren!"


def test_texts_that_stand_alone_are_of_nobody_else(client, session):
    hidden = hide(client, session, "Jag heter Anna Lind.", "Jag heter Bo Ek.", "Hej Anna!")
    assert hidden == ["Jag heter [PERSON_1].", "Jag heter [PERSON_2].", "Hej [PERSON_3]!"]
    assert restore(client, session, hidden[2])["text"] == "Hej Anna!"


def say(session, *names, conversation="c"):
    """The numbers of people in one request, each in a message of their own."""
    results = [make_result((0, len(name), "PERSON", "[PERSON_1]")) for name in names]
    said = session.replace(names, results, conversation)
    return [int(message["text"].removeprefix("[PERSON_").rstrip("]")) for message in said]


def test_whose_name_is_two_peoples_is_nobody():
    session = Session(identify)
    assert say(session, "Eva Berg", "Eva") == [1, 1]
    assert say(session, "Eva Dahl") == [2]
    # Whose number was both is given to nobody any more, and stands for what it stood for.
    assert say(session, "Eva", "Eva Berg", "Eva Dahl") == [3, 4, 2]
    assert session.restore("[PERSON_1] [PERSON_3] [PERSON_4]")[0] == "Eva Berg Eva Eva Berg"


def test_conversations_stay_apart():
    session = Session(identify)
    assert say(session, "Eva Berg") == [1]
    assert say(session, "Eva", conversation="other") == [2]
    assert say(session, "Eva Dahl", conversation="other") == [2]
    assert say(session, "Eva", "Eva Berg") == [1, 1]
    assert session.restore("[PERSON_1] [PERSON_2]")[0] == "Eva Berg Eva"


def test_relatives_are_two():
    assert say(Session(identify), "bror Elias", "Herr Wallin") == [1, 2]


def test_spelling_of_two_stands_for_itself():
    session = Session(identify)
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
    session = Session(identify)
    (got,) = session.replace(
        ["ab c"], [make_result((0, 1, "TEAM", "***"), (1, 2, "TEAM", "***"), (3, 4, "TEAM", "***"))]
    )
    assert session.restore(got["text"])[0] == "ab c"


def test_limits():
    sessions = Sessions(identify, limit=1, seconds=1000)
    id = sessions.new()
    with pytest.raises(SessionsFull):
        sessions.new()
    sessions.drop(id)
    sessions.seconds = -1
    assert sessions.get(sessions.new()) is None and len(sessions) == 0
    with pytest.raises(SessionsFull):
        Session(identify, limit=1).replace(["[A_1] [A_2]"], [make_result()])
    with pytest.raises(SessionsFull):
        say(Session(identify, limit=1), "Eva Berg", "Nils Dahl")
