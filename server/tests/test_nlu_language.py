"""The language of a message, as a component of the model."""

import json

import pytest
from rasa.engine.graph import ExecutionContext, GraphSchema
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.nlu.constants import ENTITIES, TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.nlu.language import LanguageDetector

WORDS = {
    "english": ["where", "library", "about", "scholarship"],
    "borrowed": ["ok", "bye"],
    "either": ["the", "me"],
    "syllable": r"[bcdhlmnt]?h?[aeiou]+[cnmt]?g?",
}
CONTEXT = ExecutionContext(GraphSchema({}))


@pytest.fixture
def storage(tmp_path):
    (tmp_path / "model").mkdir()
    return LocalModelStorage(tmp_path / "model")


@pytest.fixture
def detector(tmp_path, storage):
    """Trained and loaded again, as a model is."""
    words = tmp_path / "language.json"
    words.write_text(json.dumps(WORDS), encoding="utf-8")
    config, resource = {"words": str(words)}, Resource("language")
    LanguageDetector.create(config, storage, resource, CONTEXT).train(TrainingData())
    words.unlink()  # a model is complete without it
    return LanguageDetector.load(config, storage, resource, CONTEXT)


def entities(detector, text):
    message = Message({TEXT: text})
    detector.process([message])
    return message.get(ENTITIES, [])


def test_the_language_is_an_entity_over_the_whole_message(detector):
    [entity] = entities(detector, "where is the library")

    assert (entity["entity"], entity["value"], entity["start"], entity["end"]) == ("language", "en", 0, 20)
    assert entity["extractor"] == "LanguageDetector"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hoc lai mon", "vi"),
        ("học phí", "vi"),
        ("hoc cho scholarship", "vi"),
        ("where library hoc", "en"),
        ("ok bye", None),
        ("scholarship", None),
        ("the", None),
        ("12345 !!!", None),
        ("", None),
    ],
)
def test_what_tells_the_language(detector, text, language):
    assert [entity["value"] for entity in entities(detector, text)] == ([language] if language else [])


def test_other_entities_stay_and_a_pressed_button_has_no_language(detector):
    message = Message({TEXT: "where library", ENTITIES: [{"entity": "office", "value": "thu-vien"}]})
    button = Message({TEXT: '/inform{"cohort": "47"}'})
    detector.process([message, button])

    assert [entity["entity"] for entity in message.get(ENTITIES)] == ["office", "language"]
    assert button.get(ENTITIES) is None
