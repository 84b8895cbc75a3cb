"""The extractor of what the catalogue names, on real text."""

import json
import unicodedata

import pytest
from rasa.engine.graph import ExecutionContext, GraphSchema
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.nlu.constants import ENTITIES, TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.nlu.catalog import CatalogExtractor

FORMS = {
    "patterns": [
        {"pattern": r"\bk ?47\b", "entity": "cohort", "value": "47", "needle": "47", "exact": None},
        {"pattern": r"\bkhoa ?47\b", "entity": "cohort", "value": "47", "needle": "47", "exact": None},
        {"pattern": r"\bcntt\b", "entity": "major", "value": "cntt", "needle": "cntt", "exact": None},
        {"pattern": r"\bky thuat\b", "entity": "major", "value": "short", "needle": "thuat", "exact": None},
        {
            "pattern": r"\bky thuat phan mem\b",
            "entity": "major",
            "value": "ktpm",
            "needle": "thuat",
            "exact": None,
        },
        {"pattern": r"\bduoc hoc\b", "entity": "major", "value": "duoc", "needle": "duoc", "exact": "dược học"},
        {"pattern": r"\bthu vien\b", "entity": "office", "value": "thu-vien", "needle": "thu", "exact": None},
    ],
    "aliases": [
        {"text": "cong nghe thong tin", "entity": "major", "value": "cntt"},
        {"text": "chat luong cao", "entity": "program", "value": "clc"},
        {"text": "chuong trinh chuan", "entity": "program", "value": "standard"},
        {"text": "su pham toan hoc", "entity": "major", "value": "sptoan"},
    ],
}


@pytest.fixture
def storage(tmp_path):
    directory = tmp_path / "model"
    directory.mkdir()
    return LocalModelStorage(directory)


@pytest.fixture
def extractor(tmp_path, storage):
    """Trained and loaded again, as a model is."""
    forms = tmp_path / "catalog.json"
    forms.write_text(json.dumps(FORMS), encoding="utf-8")
    config = {**CatalogExtractor.get_default_config(), "patterns": str(forms)}
    resource, context = Resource("catalog"), ExecutionContext(GraphSchema({}))
    CatalogExtractor.create(config, storage, resource, context).train(TrainingData())
    forms.unlink()  # a model is complete without it
    return CatalogExtractor.load(config, storage, resource, context)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("em k47 ngành CNTT", [("cohort", "47", "k47"), ("major", "cntt", "CNTT")]),
        ("Khóa 47 thì sao", [("cohort", "47", "Khóa 47")]),
        ("khoá 47", [("cohort", "47", "khoá 47")]),
        ("kỹ thuật phần mềm", [("major", "ktpm", "kỹ thuật phần mềm")]),
        ("cong nghe thong tn k47", [("major", "cntt", "cong nghe thong tn"), ("cohort", "47", "k47")]),
        ("công nghệ thôngtin", [("major", "cntt", "công nghệ thôngtin")]),
        ("chất lượngg cao", [("program", "clc", "chất lượngg cao")]),
        ("chương trình chưa có", []),
        ("sư phạm tin học", []),
        ("em được học bổng", []),
        ("ngành dược học", [("major", "duoc", "dược học")]),
        ("thư viện mở cửa", [("office", "thu-vien", "thư viện")]),
        ("", []),
    ],
)
def test_what_the_catalogue_names_is_found(extractor, text, found):
    entities = extractor.extract(text)

    assert [(e["entity"], e["value"], text[e["start"] : e["end"]]) for e in entities] == found


def test_offsets_are_true_for_decomposed_text_too(extractor):
    text = unicodedata.normalize("NFD", "dạ em khóa 47 ạ")

    [entity] = extractor.extract(text)
    assert unicodedata.normalize("NFC", text[entity["start"] : entity["end"]]) == "khóa 47"


def test_a_pressed_button_carries_its_own_entities(extractor):
    message = Message({TEXT: '/inform{"cohort": "47"}', ENTITIES: [{"entity": "cohort", "value": "47"}]})
    extractor.process([message])

    assert len(message.get(ENTITIES)) == 1
