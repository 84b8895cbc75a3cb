"""Whether the classifier of a trained model fits the school's knowledge."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Sequence
from pathlib import Path

from covan import rasa
from school.catalog import Topic
from school.intents import topic_of


def trained_topics(model: Path) -> frozenset[str]:
    """Return the ids of the topics that the classifier in a model of `covan train` knows."""
    with tarfile.open(model) as archive:
        metadata = archive.extractfile("metadata.json")
        assert metadata is not None
        intents = json.load(metadata)["domain"]["intents"]
    # Rasa writes an intent with options as a mapping of its name.
    names = (next(iter(intent)) if isinstance(intent, dict) else intent for intent in intents)
    return frozenset(topic for name in names if (topic := topic_of(name)) is not None)


def newest_model(models: Path = rasa.MODELS) -> Path | None:
    """Return the model that Rasa would load from `models`; None when nothing is trained."""
    return max(models.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime, default=None)


def untrained_topics(topics: Sequence[Topic], model: Path) -> Sequence[str]:
    """Return the ids of `topics` that the classifier of `model` does not know, in their order."""
    known = trained_topics(model)
    return [topic.id for topic in topics if topic.id not in known]
