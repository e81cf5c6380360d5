from pathlib import Path

import pytest

from tests.cases import cases, read_arrows
from training_tools.generator.skeletons import Slot, frame, load_units, parse_file, parse_folder


def write(tmp_path: Path, text: str, name: str = "care.txt") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf8")
    return path


def mistakes(tmp_path: Path, text: str, conversations: bool = False) -> list[str]:
    path = write(tmp_path, text)
    _, problems = parse_file(path, conversations, "care")
    return [f"{p.line}: {p.text}" for p in problems if not p.warning]


@cases
def test_good_skeletons(tmp_path, text):
    assert mistakes(tmp_path, text) == []


@pytest.mark.parametrize("text, message", read_arrows(__file__, "mistakes.txt"))
def test_mistakes_are_named_by_line(tmp_path, text, message):
    found = mistakes(tmp_path, f"ett meddelande\n---\n{text}\n")
    assert len(found) >= 1
    assert any(message in problem for problem in found)
    assert all(problem.startswith(("3: ", "4: ")) for problem in found)


@cases
def test_mistakes_in_conversations(tmp_path, text, message):
    assert any(message in problem for problem in mistakes(tmp_path, text, conversations=True))


def read(tmp_path: Path, text: str):
    return parse_file(write(tmp_path, text), False, "care")


def test_genders_and_groups(tmp_path):
    units, problems = read(tmp_path, "{person.age}, heter {person(f,teen).first}")
    # A constraint that comes late is a warning, and counts.
    assert [problem.warning for problem in problems] == [True, True]
    assert (units[0].people[1].gender, units[0].people[1].group) == ("f", "teen")
    # A word for kin gives the gender.
    text = "min [[PERSON|morfar {person.first}]] och [[PERSON|dr {person2.last}]]"
    people = read(tmp_path, text)[0][0].people
    assert (people[1].gender, people[2].gender) == ("m", None)


def test_blocks_turns_and_names(tmp_path):
    path = write(tmp_path, "\n@patient\nhej\n\nradbrytning\n@caregiver\nhej\n---\n@patient\nx\n")
    units, problems = parse_file(path, True, "conversations/care")
    assert not problems
    assert [unit.name for unit in units] == ["conversations/care-001", "conversations/care-002"]
    assert [turn.author for turn in units[0].turns] == ["patient", "caregiver"]
    assert units[0].turns[0].source == "hej\n\nradbrytning"
    assert (units[0].line, units[1].line) == (2, 9)


def test_aliases_are_resolved(tmp_path):
    units, _ = read(tmp_path, "{person.mobile} {person.phoneglued.lower} {person.birthyear}")
    contents = [piece.content for piece in units[0].turns[0].pieces]
    slots = [(slot.label, slot.forms) for slot in contents if isinstance(slot, Slot)]
    phones = [("PHONE", ("phone", form)) for form in ("mobile", "glued")]
    assert slots == [*phones, ("DATE", ("birth", "year"))]


def test_frame_and_digest_depend_on_the_text_alone(tmp_path):
    texts = "Hej {person.first}, RING mig!", "hej {person2.full} ring mig"
    frames = [frame(read(tmp_path, text)[0][0]) for text in texts]
    assert frames[0] == frames[1] == "hej person ring mig"
    one, two = (read(tmp_path, text)[0][-1] for text in ("a\n---\nhej {city}", "hej {city}"))
    assert one.digest == two.digest


def test_load_units_lists_all_mistakes(tmp_path):
    with pytest.raises(ValueError, match="No messages"):
        load_units(tmp_path)
    (tmp_path / "singles").mkdir()
    write(tmp_path / "singles", "{foo}\n---\n{bar}")
    with pytest.raises(ValueError, match=r"(?s)care\.txt:1: .*care\.txt:3: "):
        load_units(tmp_path)


def test_the_projects_messages_are_free_of_mistakes():
    units, problems = parse_folder(Path(__file__).resolve().parents[2] / "assets" / "messages")
    assert [str(problem) for problem in problems if not problem.warning] == []
    assert len(units) >= 300
