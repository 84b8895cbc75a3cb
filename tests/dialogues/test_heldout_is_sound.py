"""The held-out messages are fit to measure with: complete, well formed, and unknown to the training data."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
import yaml

from covan.project import ROOT
from rag.ingest.load import Knowledge, load_knowledge
from vietnamese.text import fold, words

HELD_OUT = Path(__file__).parent / "heldout"
TRAINING = sorted(path for folder in ("data", "knowledge") for path in (ROOT / folder / "nlu").glob("*.yml"))
WAYS_OF_TYPING = ("standard", "undiacritised", "informal")

LOWEST_TOTAL = 800
LOWEST_SHARE_OF_A_WAY = 0.3

_EXAMPLE = re.compile(r"^\s*- (.+)$", re.MULTILINE)
_ENTITY = re.compile(r"\[([^\]]+)\](\{[^}]*\})")
_ANY_MARKUP = re.compile(r"\[([^\]]+)\](?:\{[^}]*\}|\([^)]*\))")
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Message:
    """A labelled message; `entities` are pairs of a kind and its normalised value."""

    intent: str
    text: str
    entities: tuple[tuple[str, str], ...]


def _examples(path: Path) -> Iterator[tuple[str, str]]:
    """The intent and the text, still marked up, of every message of an NLU file of Rasa."""
    for section in yaml.safe_load(path.read_text(encoding="utf-8")).get("nlu", ()):
        if "intent" in section:
            for example in _EXAMPLE.findall(section["examples"]):
                yield section["intent"], example.strip()


def _held_out(way: str) -> list[Message]:
    return [
        Message(
            intent,
            _ENTITY.sub(r"\1", marked),
            tuple((told["entity"], told["value"]) for told in map(json.loads, _marks(marked))),
        )
        for intent, marked in _examples(HELD_OUT / f"{way}.yml")
    ]


def _marks(marked: str) -> list[str]:
    return [told for _, told in _ENTITY.findall(marked)]


def _alike(text: str) -> str:
    """Return the key of messages that differ in case, diacritics, blanks and punctuation only."""
    return " ".join(words(fold(text)))


def _is_date(value: str) -> bool:
    """A day, a month, or a range of two days in their order, as ISO 8601 writes them."""
    if _MONTH.fullmatch(value):
        return True
    try:
        days = [date.fromisoformat(day) for day in value.split("/")]
    except ValueError:
        return False
    return len(days) == 1 or (len(days) == 2 and days[0] < days[1])


@pytest.fixture(scope="module")
def held_out() -> dict[str, list[Message]]:
    return {way: _held_out(way) for way in WAYS_OF_TYPING}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge(ROOT / "knowledge")


@pytest.fixture(scope="module")
def known_values(knowledge: Knowledge) -> dict[str, set[str]]:
    catalog = knowledge.catalog
    return {
        "cohort": {item.id for item in catalog.cohorts},
        "major": {item.id for item in catalog.majors},
        "program": {item.id for item in catalog.programs},
        "course": {item.id for item in catalog.courses},
        "office": {item.id for item in catalog.offices},
        "document": {document.meta.id for document in knowledge.documents},
    }


def test_there_are_no_files_but_the_ways_of_typing() -> None:
    assert {path.stem for path in HELD_OUT.glob("*.yml")} == set(WAYS_OF_TYPING)


def test_there_are_enough_messages_and_a_third_of_each_way(held_out: dict[str, list[Message]]) -> None:
    total = sum(map(len, held_out.values()))

    assert total >= LOWEST_TOTAL
    shares = {way: len(messages) / total for way, messages in held_out.items()}
    assert min(shares.values()) >= LOWEST_SHARE_OF_A_WAY, shares


def test_every_trained_intent_is_in_every_file_and_no_other(held_out: dict[str, list[Message]]) -> None:
    trained = {intent for path in TRAINING for intent, _ in _examples(path)}

    for way, messages in held_out.items():
        assert {message.intent for message in messages} == trained, way


def test_no_message_is_there_twice(held_out: dict[str, list[Message]]) -> None:
    times = Counter(_alike(message.text) for messages in held_out.values() for message in messages)

    assert [text for text, count in times.items() if count > 1] == []


def test_the_undiacritised_have_no_diacritics(held_out: dict[str, list[Message]]) -> None:
    messages = held_out["undiacritised"]

    assert [message.text for message in messages if fold(message.text) != message.text.lower()] == []


def test_every_mark_of_an_entity_was_read(held_out: dict[str, list[Message]]) -> None:
    """A mark with a slip of the pen would otherwise pass for words of the message."""
    left = [
        message.text
        for messages in held_out.values()
        for message in messages
        if re.search(r'[\[\]{}"]', message.text)
    ]

    assert left == []


def test_every_value_is_in_the_catalogue_or_a_date(
    held_out: dict[str, list[Message]], known_values: dict[str, set[str]]
) -> None:
    unknown = [
        (message.text, entity, value)
        for messages in held_out.values()
        for message in messages
        for entity, value in message.entities
        if not (_is_date(value) if entity == "date" else value in known_values.get(entity, ()))
    ]

    assert unknown == []


def test_every_kind_of_entity_is_in_every_file(
    held_out: dict[str, list[Message]], known_values: dict[str, set[str]]
) -> None:
    for way, messages in held_out.items():
        kinds = {entity for message in messages for entity, _ in message.entities}
        assert kinds == {*known_values, "date"}, way


def test_no_message_is_trained_on(held_out: dict[str, list[Message]], knowledge: Knowledge) -> None:
    """The seeds and the questions of the FAQ. When this fails, the message leaves those, not the held-out set."""
    seeds = [example for path in TRAINING for _, example in _examples(path)]
    questions = [asked for entry in knowledge.faq for asked in (entry.question, *entry.variants)]
    trained = {_alike(_ANY_MARKUP.sub(r"\1", text)) for text in seeds + questions}

    assert trained
    messages = [message.text for told in held_out.values() for message in told]
    assert [text for text in messages if _alike(text) in trained] == []


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ("2026-12-15", True),
        ("2026-12", True),
        ("2026-12-01/2026-12-07", True),
        ("2026-13", False),
        ("2026-02-30", False),
        ("2026-12-07/2026-12-01", False),
        ("15/12", False),
        ("2026", False),
    ],
)
def test_dates_are_days_months_or_ranges(value: str, valid: bool) -> None:
    assert _is_date(value) is valid
