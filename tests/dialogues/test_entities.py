"""What messages name, as the components inside Rasa find it with what `covan train` writes for the sample school."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from covan import rasa, training
from covan.project import ROOT
from rag.ingest.load import Knowledge, load_knowledge
from school.entity_linker import CatalogLinker
from vietnamese.text import clean

TODAY = "2026-11-22"
ON_BOTH_SIDES = ("cohort", "major", "program", "course", "office")
"""What the engine finds too; documents, dates and years of study are found inside Rasa only."""

SCRIPT = """
import json, sys
from server.nlu.catalog import CatalogExtractor
from server.nlu.language import LanguageDetector

given = json.load(sys.stdin)
catalog = CatalogExtractor(CatalogExtractor.get_default_config(), None, None, given["catalog"])
language = LanguageDetector(LanguageDetector.get_default_config(), None, None, given["language"])
found = {
    text: [[each["entity"], each["value"]] for each in catalog.extract(text)] for text in given["texts"]
}
print(json.dumps({"found": found, "languages": {text: language.detect(text) for text in given["talk"]}}))
"""

TALK = {
    "hello, I would like to ask about tuition": "en",
    "when is the tuition deadline": "en",
    "My name is Nguyễn Văn An, how can I register for courses": "en",
    "I feel hopeless": "en",
    "can i talk to a human": "en",
    "tell me a joke": "en",
    "cho em hoi deadline dang ky mon": "vi",
    "học phí bao nhiêu": "vi",
    "hoc phi bn v": "vi",
    "em muon check lich thi online": "vi",
    "em xin cảm ơn ạ": "vi",
    "hi": None,
    "thanks": None,
    "ok bye": None,
    "thanks ad": None,
    "k47": None,
    "cntt clc": None,
    "scholarship?": None,
    "": None,
}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge(ROOT / "knowledge")


def examples() -> dict[str, list[tuple[str, str]]]:
    """The messages of `entities.yml` with what they name."""
    named: dict[str, list[tuple[str, str]]] = {}
    for line in Path(__file__).with_name("entities.yml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            text, _, values = line.rpartition(": ")
            pairs = [] if values == "~" else [value.partition("=") for value in values.split()]
            named[text] = [(entity, value) for entity, _, value in pairs]
    return named


@pytest.fixture(scope="module")
def in_rasa(knowledge: Knowledge) -> dict[str, dict[str, list[list[str]]]]:
    """What Rasa's process finds in the examples, and the languages of `TALK`."""
    given = {
        "catalog": json.loads(training.catalog_json(knowledge)),
        "language": json.loads(training.language_json()),
        "texts": list(examples()),
        "talk": list(TALK),
    }
    done = subprocess.run(
        [str(rasa.PYTHON), "-c", SCRIPT],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "COVAN_TODAY": TODAY,
            "TF_CPP_MIN_LOG_LEVEL": "3",
        },
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, list[list[str]]]] = json.loads(done.stdout)
    return found


def test_everything_that_is_named_is_found_and_nothing_else(
    in_rasa: dict[str, dict[str, list[list[str]]]],
) -> None:
    wrong = {
        text: {"named": named, "found": found}
        for text, named in examples().items()
        if Counter(found := [(entity, value) for entity, value in in_rasa["found"][text]]) != Counter(named)
    }

    assert wrong == {}


def test_the_engine_finds_the_same_of_the_catalogue(
    knowledge: Knowledge, in_rasa: dict[str, dict[str, list[list[str]]]]
) -> None:
    linker = CatalogLinker(knowledge.catalog)
    relative = {
        text for text in examples() if any(word in text for word in ("năm", "nam ", "year", "freshman"))
    }
    different = {}
    for text in examples().keys() - relative:
        here = {
            (each.entity, each.value) for each in linker.given(clean(text)) if each.entity in ON_BOTH_SIDES
        }
        there = [(entity, value) for entity, value in in_rasa["found"][text]]
        # The name of a regulation may hold that of a course or a cohort.
        if not any(entity == "document" for entity, _ in there):
            there_too = {(entity, value) for entity, value in there if entity in ON_BOTH_SIDES}
            if here != there_too:
                different[text] = (here, there_too)

    assert different == {}


def test_a_message_tells_its_language_when_it_is_long_enough(
    in_rasa: dict[str, dict[str, list[list[str]]]],
) -> None:
    assert in_rasa["languages"] == TALK
