"""What messages name, found by the same code and the same forms in both environments."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from covan import rasa
from covan.project import ROOT
from rag.ingest.document_names import document_forms
from rag.ingest.load import load_knowledge
from school.catalog_forms import entity_forms
from school.entity_linker import EntityLinker
from school.surface_forms import EntityForms

TODAY = date(2026, 11, 22)
LOWEST_HELD_OUT_F1 = 0.98
ENTITY = re.compile(r"\[([^\]]+)\](\{[^}]*\})")
"""A marked entity of Rasa's NLU format: "[k47]{"entity": "cohort", "value": "47"}"."""

SCRIPT = """
import json, sys
from dataclasses import asdict
from datetime import date
from school.entity_linker import EntityLinker
from school.surface_forms import EntityForms

given = json.load(sys.stdin)
linker, today = EntityLinker(EntityForms.from_json(given["forms"])), date.fromisoformat(given["today"])
mentions = [[asdict(mention) for mention in linker.mentions(text, today)] for text in given["texts"]]
print(json.dumps(mentions))
"""


@pytest.fixture(scope="module")
def forms() -> EntityForms:
    knowledge = load_knowledge(ROOT / "knowledge")
    return entity_forms(knowledge.catalog, document_forms(knowledge.documents, knowledge.document_aliases))


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


def in_rasas_environment(forms: EntityForms, texts: list[str]) -> list[list[dict[str, Any]]]:
    done = subprocess.run(
        [str(rasa.PYTHON), "-c", SCRIPT],
        input=json.dumps({"forms": forms.to_json(), "today": TODAY.isoformat(), "texts": texts}),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    mentions: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return mentions


def test_everything_that_is_named_is_found_and_nothing_else(forms: EntityForms) -> None:
    linker = EntityLinker(forms)
    wrong = {
        text: {"named": named, "found": found}
        for text, named in examples().items()
        if Counter(found := [(each.entity, each.value) for each in linker.mentions(text, TODAY)])
        != Counter(named)
    }

    assert wrong == {}


def test_the_entities_of_the_held_out_messages_are_found(forms: EntityForms) -> None:
    """Micro-averaged F1 over pairs of entity and value, as in `test_held_out`."""
    linker = EntityLinker(forms)
    right = expected = found = 0
    for text, named in heldout():
        linked = {(each.entity, each.value) for each in linker.mentions(text, TODAY)}
        right, expected, found = right + len(named & linked), expected + len(named), found + len(linked)

    assert 2 * right / (expected + found) >= LOWEST_HELD_OUT_F1


def test_both_environments_find_the_same(forms: EntityForms) -> None:
    texts = [*examples(), *(text for text, _ in heldout())]
    linker = EntityLinker(forms)
    here = [[asdict(mention) for mention in linker.mentions(text, TODAY)] for text in texts]

    there = in_rasas_environment(forms, texts)

    assert len(texts) > 1_200
    assert [text for text, one, other in zip(texts, here, there, strict=True) if one != other] == []
