"""The trained model reads messages that were written apart from its training data, before its tuning.

The messages are frozen. Nothing may be learned from a single one of them: what goes wrong here is looked for by
cross-validation over the training data (`make nlu-report`).
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from covan import rasa
from covan.rasa_model import ensure_model
from rag.settings import Settings

HERE = Path(__file__).parent
TODAY = "2026-11-22"
"""The day that the messages were labelled for: "năm 2" is another cohort a year later."""

LOWEST_ACCURACY = 0.93
LOWEST_ACCURACY_UNDIACRITISED = 0.90
LOWEST_ENTITY_F1 = 0.95
MEASURED_ENTITIES = {"cohort", "major", "program", "course", "office", "document", "date"}
SHOWN = 60
"""Confusions and mistakes that a failure lists."""

_EXAMPLE = re.compile(r"^\s*- (.+)$", re.MULTILINE)
_ENTITY = re.compile(r"\[([^\]]+)\](\{[^}]*\})")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One message: its intent and entities as labelled, and as predicted."""

    way: str
    text: str
    intent: str
    predicted: str
    confidence: float
    entities: frozenset[tuple[str, str]]
    found: frozenset[tuple[str, str]]


@pytest.fixture(scope="module")
def outcomes() -> Sequence[Outcome]:
    labelled = [
        (path.stem, block["intent"], _ENTITY.sub(r"\1", example.strip()), _entities(example))
        for path in sorted((HERE / "heldout").glob("*.yml"))
        for block in yaml.safe_load(path.read_text(encoding="utf-8"))["nlu"]
        if "intent" in block
        for example in _EXAMPLE.findall(block["examples"])
    ]
    parsed = _parsed([text for _, _, text, _ in labelled])
    return [
        Outcome(
            way,
            text,
            intent,
            one["intent"],
            one["confidence"],
            entities,
            frozenset((kind, value) for kind, value in one["entities"] if kind in MEASURED_ENTITIES),
        )
        for (way, intent, text, entities), one in zip(labelled, parsed, strict=True)
    ]


def test_intents_are_recognised(outcomes: Sequence[Outcome]) -> None:
    assert len(outcomes) >= 800
    assert _accuracy(outcomes) >= LOWEST_ACCURACY, _confusions(outcomes)


def test_intents_are_recognised_without_diacritics(outcomes: Sequence[Outcome]) -> None:
    bare = [one for one in outcomes if one.way == "undiacritised"]

    assert bare
    assert _accuracy(bare) >= LOWEST_ACCURACY_UNDIACRITISED, _confusions(bare)


def test_entities_are_found_with_their_values(outcomes: Sequence[Outcome]) -> None:
    right = sum(len(one.entities & one.found) for one in outcomes)
    expected = sum(len(one.entities) for one in outcomes)
    found = sum(len(one.found) for one in outcomes)
    wrong = [
        f"{one.text}: {sorted(one.entities - one.found)} missing, {sorted(one.found - one.entities)} too many"
        for one in outcomes
        if one.entities != one.found
    ]

    assert expected
    assert 2 * right / (expected + found) >= LOWEST_ENTITY_F1, "\n".join(wrong[:SHOWN])


def _parsed(texts: Sequence[str]) -> Sequence[Mapping]:
    done = subprocess.run(
        [str(rasa.PYTHON), str(HERE / "parse_messages.py"), str(ensure_model())],
        input=json.dumps(texts, ensure_ascii=False),
        capture_output=True,
        text=True,
        check=False,
        env={**rasa.environment(Settings()), "COVAN_TODAY": TODAY},
    )
    assert done.returncode == 0, done.stderr
    outcome: Sequence[Mapping] = json.loads(done.stdout.strip().splitlines()[-1])
    return outcome


def _entities(marked: str) -> frozenset[tuple[str, str]]:
    told = (json.loads(mark) for _, mark in _ENTITY.findall(marked))
    return frozenset((one["entity"], one["value"]) for one in told)


def _accuracy(outcomes: Collection[Outcome]) -> float:
    """A message that went to the fallback counts as wrong."""
    return sum(one.intent == one.predicted for one in outcomes) / len(outcomes)


def _confusions(outcomes: Sequence[Outcome]) -> str:
    wrong = [one for one in outcomes if one.intent != one.predicted]
    pairs = Counter((one.intent, one.predicted) for one in wrong).most_common(SHOWN)
    by_way = {
        way: _accuracy([one for one in outcomes if one.way == way]) for way in {one.way for one in outcomes}
    }
    return "\n".join(
        (
            f"accuracy {_accuracy(outcomes):.3f} of {len(outcomes)}; {by_way}",
            *(f"{count:3} {intent} taken for {predicted}" for (intent, predicted), count in pairs),
        )
    )
