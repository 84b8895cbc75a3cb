"""Example messages that teach the classifier the school's own intents: `nlu/*.yml`, in Rasa's NLU format."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from rag.errors import Problem
from rag.ingest.cleaning import clean_line
from rag.ingest.entries import Place, did_you_mean, read_entry, read_yaml
from rag.ingest.schema import NluRecord
from rag.messages import Message
from school.intents import GENERAL_INTENTS, intent_of, topic_of

_MARK = "- "
_ENTITY = re.compile(r"\[(?P<text>[^\[\]]+)\](?:\([^()]*\)|\{[^{}]*\})")
"""Rasa's markup of an entity, "[k47](cohort)". Entities come from catalog.yml, so only the text counts."""

PLACE = re.compile(r"\{([a-z][a-z0-9_]*?)2?\}")
"""A place for a name: a dimension's id, or one of `OTHER_PLACES`; with a 2 behind it, for another name of the kind."""

OTHER_PLACES = frozenset({"topic", "bot"})
"""Places that stand for no dimension."""


def load_nlu(
    files: Mapping[str, Path],
    topics: Collection[str] | None,
    dimensions: Collection[str],
    problems: list[Problem],
    warnings: list[Problem],
) -> dict[str, tuple[str, ...]]:
    """Return the example messages of `files` by intent, in the order of the files, each wording once.

    An example may hold places for names of the catalogue, such as `{major}`; they are returned as they stand, with a
    warning for a place that is none of `dimensions` (ids). `topics` are the ids of topics.yml; None when the school has
    no such file, and every `ask_<topic>` is accepted.
    """
    found: dict[str, dict[str, None]] = {}
    for file, path in files.items():
        place = read_yaml(path, file, problems)
        if place is None or place.marked.data is None:
            continue
        entry = read_entry(NluRecord, place.marked.data, place, problems)
        if entry is None:
            continue
        for index, block in enumerate(entry.record.nlu):
            here = place.at("nlu", index)
            _check_intent(block.intent, topics, here, problems)
            texts = found.setdefault(block.intent, {})
            for text, line in _texts(block.examples, here, problems):
                texts[text] = None
                _check_places(text, dimensions, file, line, warnings)
    return {intent: tuple(texts) for intent, texts in found.items()}


def _check_intent(intent: str, topics: Collection[str] | None, place: Place, problems: list[Problem]) -> None:
    topic = topic_of(intent)
    if intent in GENERAL_INTENTS or (topic is not None and (topics is None or topic in topics)):
        return
    known = {*GENERAL_INTENTS, *map(intent_of, topics or ())}
    message = Message("unknown_intent", intent=intent, hint=did_you_mean(intent, known))
    problems.append(place.problem(message, "intent"))


def _check_places(
    text: str, dimensions: Collection[str], file: str, line: int, warnings: list[Problem]
) -> None:
    known = {*dimensions, *OTHER_PLACES}
    for name in dict.fromkeys(PLACE.findall(text)):
        if name not in known:
            hint = did_you_mean(name, known)
            warnings.append(Problem(file, Message("unknown_place", place=name, hint=hint), line))


def _texts(examples: str, place: Place, problems: list[Problem]) -> list[tuple[str, int]]:
    """Return the examples of a block, each with its line in the file: one a line, each after "- "."""
    start = place.marked.block_starts.get((*place.location, "examples"), place.line("examples"))
    found = []
    for down, line in enumerate(examples.splitlines()):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if not text.startswith(_MARK):
            problems.append(Problem(place.file, Message("example_without_mark"), start + down))
            continue
        if wording := example_of(text):
            found.append((wording, start + down))
    return found


def example_of(line: str) -> str:
    """Return the example of a line of a block, without marks of entities; "" for a line without one."""
    text = line.strip()
    if not text.startswith(_MARK):
        return ""
    wording = _ENTITY.sub(lambda match: match["text"], text.removeprefix(_MARK))
    return clean_line(wording).strip('"')
