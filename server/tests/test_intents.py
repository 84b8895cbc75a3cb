"""The classifier of intents, and what it is given: plain spelling and vectors."""

import json
import unicodedata

import numpy as np
import pytest
from rasa.engine.graph import ExecutionContext, GraphSchema
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.constants import INTENT, INTENT_RANKING_KEY, TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.nlu.e5 import embed_question, embed_questions
from server.nlu.intents import KernelIntentClassifier
from server.nlu.spelling import PLAIN, Spelling, SpellingRestorer

TEXTS = [
    "điều kiện tốt nghiệp là gì",
    "học phí bao nhiêu một tín chỉ",
    "em không biết học phí kỳ này",
    "được không ạ",
    "khóa luận tốt nghiệp",
]
WRITTEN_OUT = {"ko": "không", "k": "không", "bn": "bao nhiêu", "dc": "được"}

EXAMPLES = {
    "ask_tuition": ["học phí bao nhiêu", "một tín chỉ bao nhiêu tiền", "hạn đóng học phí", "nộp học phí ở đâu"],
    "ask_graduation": ["điều kiện tốt nghiệp", "khi nào xét tốt nghiệp", "bao giờ có bằng", "lễ tốt nghiệp"],
    "greet": ["xin chào", "chào bạn", "hello ad", "alo"],
}


@pytest.fixture(scope="module")
def spelling():
    return Spelling(TEXTS, WRITTEN_OUT)


@pytest.fixture
def storage(tmp_path):
    directory = tmp_path / "model"
    directory.mkdir()
    return LocalModelStorage(directory)


@pytest.fixture
def classifier(tmp_path, storage):
    """Trained and loaded again, as a model is."""
    config = {**KernelIntentClassifier.get_default_config(), "vectors": str(tmp_path / "vectors.npz")}
    resource, context = Resource("intents"), ExecutionContext(GraphSchema({}))
    KernelIntentClassifier.create(config, storage, resource, context).train(training_data(EXAMPLES))
    return KernelIntentClassifier.load(config, storage, resource, context)


def training_data(by_intent):
    return TrainingData(
        [Message({TEXT: text, INTENT: intent}) for intent, texts in by_intent.items() for text in texts]
    )


def classified(classifier, text):
    [message] = classifier.process([Message({TEXT: text})])
    return message


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("dieu kien tot nghiep la gi", "điều kiện tốt nghiệp là gì"),
        ("ĐIỀU KIỆN tốt nghiệp", "điều kiện tốt nghiệp"),
        ("hoc phi bn", "học phí bao nhiêu"),
        ("hoc phi 1 tin chi bn?", "học phí 1 tín chỉ bao nhiêu?"),
        ("dc ko a", "được không ạ"),
        ("khongggg", "không"),
        ("điều kịen tốt nghiệp", "điều kịen tốt nghiệp"),
        ("k 51", "k 51"),
        ("what is this", "what is this"),
        ("", ""),
        ("???", "???"),
    ],
)
def test_a_message_is_written_as_it_was_meant(spelling, typed, meant):
    assert spelling.plain(typed) == meant


def test_a_slip_is_taken_for_the_word_it_is_one_letter_away_from(spelling):
    assert spelling.plain("hoc phi bao nhieeu") == "học phí bao nhiêu"
    assert spelling.plain("dieu kienn tot nghiep") == "điều kiện tốt nghiệp"


def test_a_message_in_decomposed_letters_reads_the_same(spelling):
    assert spelling.plain(unicodedata.normalize("NFD", "học phí")) == "học phí"


def test_the_texts_are_kept_in_the_model(tmp_path, storage):
    file = tmp_path / "spelling.json"
    file.write_text(json.dumps({"texts": TEXTS, "written_out": WRITTEN_OUT}), encoding="utf-8")
    config = {"spelling": str(file)}
    resource, context = Resource("spelling"), ExecutionContext(GraphSchema({}))
    SpellingRestorer.create(config, storage, resource, context).train(TrainingData())
    file.unlink()

    [message] = SpellingRestorer.load(config, storage, resource, context).process([Message({TEXT: "hoc phi"})])
    assert message.get(PLAIN) == "học phí"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("cho em hỏi học phí bao nhiêu vậy", "ask_tuition"),
        ("điều kiện xét tốt nghiệp là gì", "ask_graduation"),
        ("chào ad", "greet"),
    ],
)
def test_a_loaded_model_knows_what_it_has_learned(classifier, text, intent):
    message = classified(classifier, text)

    assert message.get(INTENT)["name"] == intent
    ranking = message.get(INTENT_RANKING_KEY)
    assert {one["name"] for one in ranking} == set(EXAMPLES)
    assert sum(one["confidence"] for one in ranking) == pytest.approx(1, abs=1e-4)
    assert ranking[0] == message.get(INTENT)


def test_what_is_like_no_example_has_a_low_confidence(classifier):
    known = classified(classifier, "nộp học phí ở đâu ạ").get(INTENT)["confidence"]
    unknown = classified(classifier, "quantum chromodynamics on a lattice").get(INTENT)["confidence"]

    assert unknown < known


def test_the_plain_text_is_what_is_classified(classifier):
    message = Message({TEXT: "hp", PLAIN: "học phí bao nhiêu"})
    classifier.process([message])

    assert message.get(INTENT)["name"] == "ask_tuition"


def test_a_pressed_button_is_not_classified(classifier):
    message = Message({TEXT: "/greet"})
    classifier.process([message])

    assert message.get(INTENT) == {"name": None, "confidence": 0.0}


def test_examples_of_one_intent_teach_nothing(tmp_path, storage):
    config = KernelIntentClassifier.get_default_config()
    classifier = KernelIntentClassifier.create(config, storage, Resource("x"), ExecutionContext(GraphSchema({})))

    with pytest.raises(RasaException, match="two intents"):
        classifier.train(training_data({"greet": ["xin chào"]}))


@pytest.mark.parametrize("name", ["width", "ridge", "temperature"])
def test_a_number_that_switches_the_classifier_off_is_refused(name):
    with pytest.raises(ValueError, match=name):
        KernelIntentClassifier.validate_config({name: 0})


def test_vectors_that_are_kept_are_not_made_again(tmp_path):
    kept = tmp_path / "cache" / "vectors.npz"
    made = embed_questions(["học phí", "HỌC PHÍ", "tốt nghiệp"], kept)
    with np.load(kept) as stored:
        changed = {**stored, "vectors": np.zeros_like(stored["vectors"])}
    np.savez(kept, **changed)

    assert made.shape == (3, 384)
    assert np.array_equal(made[0], made[1])
    assert not embed_questions(["học phí"], kept).any()


def test_a_cache_that_cannot_be_read_is_made_anew(tmp_path):
    kept = tmp_path / "vectors.npz"
    kept.write_bytes(b"not a cache")

    assert np.array_equal(embed_questions(["học phí"], kept)[0], embed_question("học phí"))


@pytest.mark.parametrize(
    "text",
    ["", "\x00", "\ud800", "\ufdfa" * 1000, "😀", "học phí " * 20_000, "a\x00" * 5000, "\u0301" * 3000],
    ids=["empty", "nul", "surrogate", "fdfa", "emoji", "long", "nuls", "marks"],
)
def test_nothing_that_can_be_sent_harms_the_embedder(text):
    vector = embed_question(text)

    assert vector.shape == (384,)
    assert np.isfinite(vector).all()


def test_case_and_normal_form_make_no_difference_to_the_embedder():
    expected = embed_question("học phí bao nhiêu")

    assert np.array_equal(embed_question("HỌC PHÍ BAO NHIÊU"), expected)
    assert np.array_equal(embed_question(unicodedata.normalize("NFD", "học phí bao nhiêu")), expected)
