"""Comparison of a trained model's topics with those of the school's knowledge."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Sequence
from pathlib import Path

from rag.errors import Problem
from rag.ingest.dictionaries import load_dictionaries
from rag.messages import Message
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


def newest_model(models: Path) -> Path | None:
    """Return the model that Rasa would load from `models`; None when nothing is trained."""
    return max(models.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime, default=None)


def untrained_topics(knowledge_dir: Path, models: Path) -> Sequence[Problem]:
    """Return a problem for every topic of `topics.yml` that the classifier in use does not know.

    There is none before the first training, and none for a file with faults of its own.
    """
    model, topics = newest_model(models), knowledge_dir / "topics.yml"
    if model is None or not topics.is_file():
        return []
    known = trained_topics(model)
    places = load_dictionaries({"topics": topics}, [], []).topic_places
    return [
        place.problem(Message("topic_not_trained", topic=topic))
        for topic, place in places.items()
        if topic not in known
    ]
