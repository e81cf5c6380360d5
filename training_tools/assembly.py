"""The pipeline in two parts: what is trained, and what is added to it afterwards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import registry
from thinc.api import Config

from components.model.phi_ner import Threshold

# They learn nothing, and nothing that learns reads what they find.
ADDED = ("known_matcher", "span_merger", "custom_ruler", "surrogate_generator")
# The block of the config that keeps them for later.
BLOCK = "added"


def take_out(config: Config) -> None:
    """Leave out of a config what is added after a training, which then does not depend on it."""
    order = list(config["nlp"]["pipeline"])
    settings = config.get("initialize", {}).get("components", {})
    kept: dict[str, Any] = {"pipeline": order, "components": {}, "initialize": {}}
    for name in ADDED:
        if name in config["components"]:
            kept["components"][name] = config["components"].pop(name)
        if name in settings:
            kept["initialize"][name] = settings.pop(name)
    config["nlp"]["pipeline"] = [name for name in order if name not in ADDED]
    config[BLOCK] = kept


def load_trained(path: str | Path, exclude: Sequence[str] = ()) -> Language:
    """Load what `scripts.train` has saved, and add the pipes that it left out, if it left any out."""
    nlp = spacy.load(path, exclude=list(exclude))
    if BLOCK not in nlp.config:
        return nlp
    kept = nlp.config.interpolate()[BLOCK]
    order = [name for name in kept["pipeline"] if name not in exclude]
    for place, name in enumerate(order):
        if name in nlp.pipe_names:
            continue
        settings = dict(kept["components"][name])
        where: dict[str, Any] = {"last": True}
        if place < len(nlp.pipe_names):
            where = {"before": place}
        pipe: Any = nlp.add_pipe(settings.pop("factory"), name=name, config=settings, **where)
        if name in kept["initialize"]:
            options = registry.resolve({name: kept["initialize"][name]})[name]
            pipe.initialize(list, nlp=nlp, **options)
    block = nlp.config.pop(BLOCK)
    nlp.config["initialize"]["components"].update(block["initialize"])
    return nlp


def set_thresholds(nlp: Language, threshold: Threshold, modes: Mapping[str, Threshold]) -> None:
    """Set the threshold of a pipeline and those of its modes, in its config, too."""
    settings = {"threshold": threshold, "thresholds": dict(modes)}
    for name, value in settings.items():
        setattr(nlp.get_pipe("phi_ner"), name, value)
        nlp.get_pipe_config("phi_ner")[name] = value
