"""What still tells who somebody is, in a text."""

import re

import pytest

from components.stories.finder import StoryFinder


@pytest.fixture(scope="module")
def finder():
    return StoryFinder()


CASES = """
Vi har [skyddade personuppgifter]PROTECTED. Jag är [hemofilipatient]DIAGNOSIS och jobbar som [ormskötare]JOB
[trillingarnas]FAMILY bvc i [Norrbotten]KEPT, se www.1177.se eller [www.hund.se/bo]KEPT. Mamma jobbar som undersköterska
Har [Fabrys  sjukdom]DIAGNOSIS men inte Parkinsons sjukdom. Tog [SM-guld]ACHIEVEMENT, det stod [i tidningen]EVENT
Får [ingen veta var jag bor]PROTECTED? Årets influensa i årets första snö 😀
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_what_is_found(finder, case):
    text = re.sub(r"\[(.*?)\][A-Z]+", r"\1", case)
    found = [(text[start:end], kind) for start, end, kind in finder.find(text)]
    assert found == re.findall(r"\[(.*?)\]([A-Z]+)", case)
