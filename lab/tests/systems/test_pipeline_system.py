"""The project's pipeline as a system."""

import pytest

from lab.systems.pipeline import Pipeline
from lab.workbench.training import Recipe

TEXT = "Hej, jag heter Anna Lind och är 34 år."


@pytest.mark.parametrize("lists", [True, False])
def test_trained_pipeline_is_taken_and_saved(tiny_path, rows, lists, tmp_path):
    system = Pipeline(Recipe(1), lists=lists, trained=tiny_path)
    assert not system.learns and not system.seeded
    system.fit(rows, rows[:8], seed=0)
    assert ("gazetteer_matcher" in system.nlp.pipe_names) is lists
    assert "surrogate_generator" not in system.nlp.pipe_names
    threshold = system.nlp.get_pipe("phi_ner").threshold
    found = system.find([TEXT])
    system.to_disk(tmp_path)
    read = Pipeline(Recipe(1), lists=lists, trained=tiny_path)
    read.from_disk(tmp_path)
    assert read.nlp.get_pipe("phi_ner").threshold == threshold
    assert read.find([TEXT]) == found


def test_there_must_be_a_pipeline(tmp_path, rows):
    with pytest.raises(ValueError, match="There is no trained pipeline"):
        Pipeline(Recipe(1), trained=tmp_path).fit(rows, rows, seed=0)
