"""The extractor of entities: the entity linker's mentions in Rasa's shape."""

import json
import unicodedata

import pytest
from rasa.engine.graph import ExecutionContext, GraphSchema
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.nlu.constants import ENTITIES, TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from school.catalog import Catalog, Cohort, Major
from school.catalog_forms import entity_forms
from server.nlu.entities import EntityExtractor

FORMS = entity_forms(
    Catalog(cohorts=(Cohort("47", "Khóa 47", 2021),), majors=(Major("cntt", "Công nghệ thông tin"),))
)


@pytest.fixture
def storage(tmp_path):
    directory = tmp_path / "model"
    directory.mkdir()
    return LocalModelStorage(directory)


@pytest.fixture
def extractor(tmp_path, storage):
    """Trained and loaded again, as a model is."""
    forms = tmp_path / "entities.json"
    forms.write_text(json.dumps(FORMS.to_json()), encoding="utf-8")
    config = {"forms": str(forms)}
    resource, context = Resource("entities"), ExecutionContext(GraphSchema({}))
    EntityExtractor.create(config, storage, resource, context).train(TrainingData())
    forms.unlink()  # a model is complete without it
    return EntityExtractor.load(config, storage, resource, context)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_mention_is_an_entity_at_its_name(extractor, form):
    text = unicodedata.normalize(form, "dạ em khóa 47, công nghệ thôngtin")

    found = extractor.extract(text)

    assert [(e["entity"], e["value"]) for e in found] == [("cohort", "47"), ("major", "cntt")]
    names = [unicodedata.normalize("NFC", text[e["start"] : e["end"]]) for e in found]
    assert names == ["khóa 47", "công nghệ thôngtin"]


def test_a_pressed_button_carries_its_own_entities(extractor):
    message = Message({TEXT: '/inform{"cohort": "47"}', ENTITIES: [{"entity": "cohort", "value": "47"}]})
    extractor.process([message])

    assert len(message.get(ENTITIES)) == 1
