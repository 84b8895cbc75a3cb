"""The component of Rasa's pipeline that reads messages: trained, stored in a model and loaded again."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from rasa.engine.graph import ExecutionContext, GraphSchema
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.constants import ENTITIES, INTENT, INTENT_RANKING_KEY, TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

import school
from school.catalog import Catalog, Cohort, Major
from school.kernel_classifier import KernelClassifier
from school.reader import Reader
from school.reading import Reading
from school.reading_knowledge import ReadingKnowledge
from school.sentence_embedder import SentenceEmbedder
from server.nlu import message_reader
from server.nlu.index_knowledge import KNOWLEDGE_FILE
from server.nlu.message_reader import CLASSIFIER_FILE, INDEX_VARIABLE, READING, MessageReader

KNOWLEDGE = ReadingKnowledge.of(
    Catalog(cohorts=(Cohort("47", "Khóa 47", 2021),), majors=(Major("cntt", "Công nghệ thông tin"),))
)
LABELLED = (("học phí bao nhiêu", "ask_tuition"), ("xin chào", "greet"), ("nộp học phí ở đâu", "ask_tuition"))
RESOURCE, CONTEXT = Resource("reader"), ExecutionContext(GraphSchema({}))


class CountingEmbedder(SentenceEmbedder):
    """Makes vectors of the length and the first letters of a text, and counts the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def query(self, text: str) -> np.ndarray:
        self.embedded.append(text)
        vector = np.zeros(self.dimension, np.float32)
        vector[0], vector[1 + ord(text[0]) % (self.dimension - 1)] = 1.0, 1.0
        return vector / np.linalg.norm(vector)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    made = CountingEmbedder()
    monkeypatch.setattr(message_reader, "SentenceEmbedder", lambda: made)
    return made


@pytest.fixture
def storage(tmp_path: Path) -> LocalModelStorage:
    (tmp_path / "model").mkdir()
    return LocalModelStorage(tmp_path / "model")


@pytest.fixture
def given(tmp_path: Path, embedder: CountingEmbedder) -> Path:
    """The two files of an index, the classifier learnt from `LABELLED`."""
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / KNOWLEDGE_FILE).write_text(json.dumps(KNOWLEDGE.to_json()), encoding="utf-8")
    KernelClassifier.taught(Reader(KNOWLEDGE).examples(LABELLED), embedder).save(folder / CLASSIFIER_FILE)
    embedder.embedded.clear()
    return folder


@pytest.fixture
def reader(given: Path, storage: LocalModelStorage) -> MessageReader:
    """Trained and loaded again, as a model is; the given files are gone by then."""
    train(storage, given)
    for path in given.iterdir():
        path.unlink()
    return MessageReader.load({"given": str(given)}, storage, RESOURCE, CONTEXT)


def train(
    storage: LocalModelStorage, given: Path, labelled: Sequence[tuple[str, str]] = LABELLED
) -> Resource:
    data = TrainingData([Message({TEXT: text, INTENT: intent}) for text, intent in labelled])
    return MessageReader.create({"given": str(given)}, storage, RESOURCE, CONTEXT).train(data)


def processed(reader: MessageReader, text: str, **more: object) -> Message:
    [message] = reader.process([Message({TEXT: text, **more})])
    return message


def test_the_given_files_are_taken_when_the_training_data_are_the_same(
    given: Path, storage: LocalModelStorage, embedder: CountingEmbedder
) -> None:
    train(storage, given, LABELLED[::-1])

    with storage.read_from(RESOURCE) as folder:
        for name in (KNOWLEDGE_FILE, CLASSIFIER_FILE):
            assert (folder / name).read_bytes() == (given / name).read_bytes()
    assert embedder.embedded == []


@pytest.mark.parametrize("without_classifier", [False, True])
def test_the_classifier_learns_anew_when_the_training_data_differ(
    given: Path, storage: LocalModelStorage, embedder: CountingEmbedder, without_classifier: bool
) -> None:
    if without_classifier:
        (given / CLASSIFIER_FILE).unlink()

    train(storage, given, [*LABELLED, ("tạm biệt", "goodbye")])

    with storage.read_from(RESOURCE) as folder:
        assert set(KernelClassifier.load(folder / CLASSIFIER_FILE).labels) == {
            "ask_tuition",
            "greet",
            "goodbye",
        }
    assert "tạm biệt" in embedder.embedded


def test_a_message_gets_its_intent_and_the_whole_reading(
    reader: MessageReader, embedder: CountingEmbedder
) -> None:
    message = processed(reader, "em khóa 47, học phí bao nhiêu")

    assert message.get(INTENT)["name"] == "ask_tuition"
    ranking = message.get(INTENT_RANKING_KEY)
    assert ranking[0] == message.get(INTENT)
    assert sum(each["confidence"] for each in ranking) == pytest.approx(1)
    output = json.loads(json.dumps(message.as_dict(only_output_properties=True)))
    reading = Reading.from_json(output[READING])
    assert reading.text == "em khóa 47, học phí bao nhiêu"
    assert reading.values(["cohort"]) == {"cohort": "47"}
    assert list(reading.intents) == [each["name"] for each in ranking]
    assert reading.vector is not None
    assert len(embedder.embedded) == 1


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "text", ["dạ em khóa 47, công nghệ thôngtin", "  dạ\u200b  em khóa 47 , công nghệ thôngtin ạ"]
)
def test_an_entity_stands_where_the_message_as_typed_has_its_name(
    reader: MessageReader, text: str, form: str
) -> None:
    text = unicodedata.normalize(form, text)

    found = [each for each in processed(reader, text).get(ENTITIES) if each["entity"] != "language"]

    assert [(each["entity"], each["value"]) for each in found] == [("cohort", "47"), ("major", "cntt")]
    names = [unicodedata.normalize("NFC", text[each["start"] : each["end"]]) for each in found]
    assert names == ["khóa 47", "công nghệ thôngtin"]
    assert {each["extractor"] for each in found} == {"MessageReader"}


@pytest.mark.parametrize(("text", "language"), [("học phí bao nhiêu", "vi"), ("where is the library", "en")])
def test_the_language_is_an_entity_over_the_whole_message(
    reader: MessageReader, text: str, language: str
) -> None:
    text = unicodedata.normalize("NFD", text)

    [entity] = processed(reader, text).get(ENTITIES)

    assert (entity["entity"], entity["value"]) == ("language", language)
    assert (entity["start"], entity["end"]) == (0, len(text))


@pytest.mark.parametrize("text", ["", "?!", "\u200b"])
def test_a_message_without_a_letter_has_no_intent(reader: MessageReader, text: str) -> None:
    message = processed(reader, text)

    assert message.get(INTENT) == {"name": None, "confidence": 0.0}
    assert message.get(INTENT_RANKING_KEY) == []


def test_a_pressed_button_carries_its_own_intent_and_entities(
    reader: MessageReader, embedder: CountingEmbedder
) -> None:
    own = [{"entity": "cohort", "value": "47"}]

    message = processed(reader, '/inform{"cohort": "47"}', **{ENTITIES: own})

    assert message.get(ENTITIES) == own
    assert message.get(READING) is None
    assert message.get(INTENT) == {"name": None, "confidence": 0.0}
    assert embedder.embedded == []


@pytest.mark.parametrize("name", [KNOWLEDGE_FILE, CLASSIFIER_FILE])
def test_the_fingerprint_changes_with_the_given_files(given: Path, name: str) -> None:
    before = MessageReader.fingerprint_addon({"given": str(given)})
    assert MessageReader.fingerprint_addon({"given": str(given)}) == before

    with (given / name).open("ab") as file:
        file.write(b" ")

    assert MessageReader.fingerprint_addon({"given": str(given)}) != before


def test_the_fingerprint_changes_with_the_code_that_reads(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "school"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.setattr(school, "__file__", str(package / "__init__.py"))
    before = MessageReader.fingerprint_addon({"given": str(given)})

    (package / "reader.py").write_text("x = 1\n", encoding="utf-8")

    assert MessageReader.fingerprint_addon({"given": str(given)}) != before


@pytest.mark.parametrize("content", [None, "{", "[]", "{}", "null"])
def test_training_without_usable_files_says_what_to_do(
    given: Path, storage: LocalModelStorage, content: str | None
) -> None:
    path = given / KNOWLEDGE_FILE
    if content is None:
        path.unlink()
    else:
        path.write_text(content, encoding="utf-8")

    with pytest.raises(RasaException, match="covan train"):
        train(storage, given)
    with pytest.raises(ValueError, match="reader"), storage.read_from(RESOURCE):
        pass


def test_a_component_that_was_never_loaded_reads_nothing(given: Path, storage: LocalModelStorage) -> None:
    created = MessageReader.create({"given": str(given)}, storage, RESOURCE, CONTEXT)

    with pytest.raises(RasaException, match="trained model"):
        processed(created, "học phí")


def test_names_are_read_as_the_current_version_of_the_index_has_them(
    given: Path, storage: LocalModelStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    train(storage, given)
    monkeypatch.setenv(INDEX_VARIABLE, str(index))
    reader = MessageReader.load({"given": str(given)}, storage, RESOURCE, CONTEXT)

    def majors(text: str) -> list[str]:
        [message] = reader.process([Message({TEXT: text})])
        return [each["value"] for each in message.get(ENTITIES) if each["entity"] == "major"]

    # Without an index, with one that was deleted meanwhile and with one that is damaged, the model's names stay.
    assert majors("học phí ngành du lịch") == []
    publish(index, "v1", None)
    assert majors("học phí ngành công nghệ thông tin") == ["cntt"]
    publish(index, "v2", "{")
    assert majors("học phí ngành công nghệ thông tin") == ["cntt"]

    publish(index, "v3", json.dumps(ReadingKnowledge.of(WITH_TOURISM).to_json()))

    assert majors("học phí ngành du lịch") == ["dulich"]
    [message] = reader.process([Message({TEXT: "học phí ngành du lịch"})])
    assert message.get(INTENT)["name"] == "ask_tuition"
    # And back again.
    publish(index, "v4", json.dumps(KNOWLEDGE.to_json()))
    assert majors("học phí ngành du lịch") == []


WITH_TOURISM = Catalog(
    cohorts=(Cohort("47", "Khóa 47", 2021),),
    majors=(Major("cntt", "Công nghệ thông tin"), Major("dulich", "Du lịch")),
)


def publish(index: Path, version: str, knowledge: str | None) -> None:
    """Make a version the current one of an index; without `knowledge` it has no files any more."""
    (index / "versions" / version).mkdir(parents=True)
    if knowledge is not None:
        (index / "versions" / version / KNOWLEDGE_FILE).write_text(knowledge, encoding="utf-8")
    (index / "CURRENT").write_text(f"{version}\n", encoding="utf-8")
