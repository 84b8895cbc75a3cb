"""Readings as a trained classifier would give them, for schools that are too small to train one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag.engine import Engine
from rag.types import Question
from school.intents import intent_of


def classified(engine: Engine, text: str, topics: Mapping[str, float], out_of_scope: float = 0.0) -> Question:
    """Return the question `text`, read by the engine, with these probabilities of topics and of being out of scope."""
    intents = {intent_of(topic): probability for topic, probability in topics.items()}
    if out_of_scope:
        intents["out_of_scope"] = out_of_scope
    return Question(text, replace(engine.reader.read(text), intents=intents))
