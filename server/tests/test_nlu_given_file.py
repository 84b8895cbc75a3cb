"""The files that `covan train` writes, on their way into the model."""

import json

import pytest
from rasa.engine.graph import ExecutionContext, GraphSchema
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.nlu.entities import EntityExtractor
from server.nlu.language import LanguageDetector
from server.nlu.spelling import SpellingRestorer

GIVEN = {
    EntityExtractor: {
        "patterns": [],
        "names": [{"text": "cong nghe", "entity": "major", "value": "công nghệ"}],
        "dimensions": {},
        "cues": [],
        "entry_years": None,
    },
    LanguageDetector: {"english": ["the"], "borrowed": [], "either": [], "syllable": "[a-z]+"},
    SpellingRestorer: {"texts": ["học phí"], "written_out": {"hp": "học phí"}},
}
WRONG = {
    EntityExtractor: {
        "patterns": [{"pattern": "(", "entity": "major", "value": "x", "needle": ""}],
        "names": [],
        "dimensions": {},
        "cues": [],
        "entry_years": None,
    },
    LanguageDetector: {"english": [], "borrowed": [], "either": [], "syllable": "("},
    SpellingRestorer: {"texts": [1], "written_out": {}},
}
RESOURCE, CONTEXT = Resource("given"), ExecutionContext(GraphSchema({}))


@pytest.fixture
def storage(tmp_path):
    (tmp_path / "model").mkdir()
    return LocalModelStorage(tmp_path / "model")


def settings(component, path):
    [setting] = [
        name for name, value in component.get_default_config().items() if str(value).endswith(".json")
    ]
    return {**component.get_default_config(), setting: str(path)}


def train(component, storage, path):
    return component.create(settings(component, path), storage, RESOURCE, CONTEXT).train(TrainingData())


@pytest.mark.parametrize(
    ("component", "name"),
    [
        (EntityExtractor, "entities.json"),
        (LanguageDetector, "language.json"),
        (SpellingRestorer, "spelling.json"),
    ],
)
def test_the_model_holds_what_was_given(tmp_path, storage, component, name):
    path = tmp_path / "given.json"
    path.write_text(json.dumps(GIVEN[component]), encoding="utf-8")

    with storage.read_from(train(component, storage, path)) as directory:
        assert [file.name for file in directory.iterdir()] == [name]
        assert json.loads((directory / name).read_text(encoding="utf-8")) == GIVEN[component]


@pytest.mark.parametrize("component", GIVEN)
def test_training_without_the_file_says_what_to_do(tmp_path, storage, component):
    path = tmp_path / "missing.json"

    with pytest.raises(RasaException, match=f"{component.__name__} cannot read '{path}'.*covan train"):
        train(component, storage, path)


@pytest.mark.parametrize("component", GIVEN)
@pytest.mark.parametrize("wrong", ["{", "[]", "{}", "null", "of its own kind"])
def test_a_file_of_another_shape_is_refused_before_it_is_in_the_model(tmp_path, storage, component, wrong):
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(WRONG[component]) if wrong == "of its own kind" else wrong, encoding="utf-8")

    with pytest.raises(RasaException, match="covan train"):
        train(component, storage, path)
    with pytest.raises(ValueError, match="given"), storage.read_from(RESOURCE):
        pass


@pytest.mark.parametrize("component", GIVEN)
def test_a_changed_file_is_seen_by_the_training_cache(tmp_path, component):
    path = tmp_path / "given.json"
    path.write_text("{}", encoding="utf-8")
    before = component.fingerprint_addon(settings(component, path))
    path.write_text("{ }", encoding="utf-8")

    assert component.fingerprint_addon(settings(component, path)) != before
