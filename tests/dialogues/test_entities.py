"""Messages, read with the same code and the same knowledge in both environments: what they name, and all else."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from covan import rasa
from covan.project import ROOT
from rag.ingest.build import reading_knowledge
from rag.ingest.load import load_knowledge
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge

TODAY = date(2026, 11, 22)
LOWEST_HELD_OUT_F1 = 0.98
ENTITY = re.compile(r"\[([^\]]+)\](\{[^}]*\})")
"""A marked entity of Rasa's NLU format: "[k47]{"entity": "cohort", "value": "47"}"."""

SCRIPT = """
import json, sys
from datetime import date
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge

given = json.load(sys.stdin)
day = date.fromisoformat(given["today"])
reader = Reader(ReadingKnowledge.from_json(given["knowledge"]), clock=lambda: day)
print(json.dumps([reader.prepared(text).to_json() for text in given["texts"]]))
"""


@pytest.fixture(scope="module")
def knowledge() -> ReadingKnowledge:
    """What the index of the sample school holds for reading messages."""
    return reading_knowledge(load_knowledge(ROOT / "knowledge"))


@pytest.fixture(scope="module")
def reader(knowledge: ReadingKnowledge) -> Reader:
    return Reader(knowledge, clock=lambda: TODAY)


def examples() -> dict[str, list[tuple[str, str]]]:
    """The messages of `entities.yml` with what they name."""
    named: dict[str, list[tuple[str, str]]] = {}
    for line in Path(__file__).with_name("entities.yml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            text, _, values = line.rpartition(": ")
            pairs = [] if values == "~" else [value.partition("=") for value in values.split()]
            named[text] = [(entity, value) for entity, _, value in pairs]
    return named


def heldout() -> list[tuple[str, set[tuple[str, str]]]]:
    """The messages of `heldout` with what they name."""
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


def in_rasas_environment(knowledge: ReadingKnowledge, texts: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [str(rasa.PYTHON), "-c", SCRIPT],
        input=json.dumps({"knowledge": knowledge.to_json(), "today": TODAY.isoformat(), "texts": texts}),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    readings: list[dict[str, Any]] = json.loads(done.stdout)
    return readings


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


def test_both_environments_read_the_same(knowledge: ReadingKnowledge, reader: Reader) -> None:
    faq = load_knowledge(ROOT / "knowledge").faq
    asked = (text for entry in faq for text in (entry.question, *entry.variants))
    texts = [*examples(), *(text for text, _ in heldout()), *asked]
    here = [json.loads(json.dumps(reader.prepared(text).to_json())) for text in texts]

    there = in_rasas_environment(knowledge, texts)

    assert len(texts) > 3_000
    assert [text for text, one, other in zip(texts, here, there, strict=True) if one != other] == []
