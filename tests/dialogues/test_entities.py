"""The reader finds the names in messages of the sample school."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
import yaml

from covan.project import ROOT
from rag.ingest.document_texts import reading_knowledge
from rag.ingest.load import load_knowledge
from school.reader import Reader

TODAY = date(2026, 11, 22)
LOWEST_HELD_OUT_F1 = 0.98
ENTITY = re.compile(r"\[([^\]]+)\](\{[^}]*\})")
"""A marked entity of Rasa's NLU format: "[k47]{"entity": "cohort", "value": "47"}"."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    """Return a reader with the sample school's knowledge."""
    return Reader(reading_knowledge(load_knowledge(ROOT / "knowledge")), clock=lambda: TODAY)


def examples() -> dict[str, list[tuple[str, str]]]:
    """Return the messages of `entities.yml`, each with the names in it."""
    named: dict[str, list[tuple[str, str]]] = {}
    for line in Path(__file__).with_name("entities.yml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            text, _, values = line.rpartition(": ")
            pairs = [] if values == "~" else [value.partition("=") for value in values.split()]
            named[text] = [(entity, value) for entity, _, value in pairs]
    return named


def heldout() -> list[tuple[str, set[tuple[str, str]]]]:
    """Return the messages of `heldout`, each with the names in it."""
    return [
        (
            ENTITY.sub(r"\1", example.removeprefix("- ")),
            {
                (mark["entity"], mark["value"])
                for _, written in ENTITY.findall(example)
                for mark in [json.loads(written)]
            },
        )
        for path in sorted(Path(__file__).with_name("heldout").glob("*.yml"))
        for block in yaml.safe_load(path.read_text(encoding="utf-8"))["nlu"]
        for example in block.get("examples", "").splitlines()
    ]


def test_everything_that_is_named_is_found_and_nothing_else(reader: Reader) -> None:
    wrong = {
        text: {"named": named, "found": found}
        for text, named in examples().items()
        if Counter(found := [(each.entity, each.value) for each in reader.prepared(text).mentions])
        != Counter(named)
    }

    assert wrong == {}


def test_the_entities_of_the_held_out_messages_are_found(reader: Reader) -> None:
    """Micro-averaged F1 over pairs of entity and value, as in `test_held_out`."""
    right = expected = found = 0
    for text, named in heldout():
        linked = {(each.entity, each.value) for each in reader.prepared(text).mentions}
        right, expected, found = right + len(named & linked), expected + len(named), found + len(linked)

    assert 2 * right / (expected + found) >= LOWEST_HELD_OUT_F1
