"""An index with an edited FAQ, ahead of the whole build."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from rag.engine import Engine
from rag.index.format import Index
from rag.index.versions import kept_versions, open_index, publish_faq
from rag.ingest.build import build_index, is_current
from rag.ingest.faq_update import with_faq
from rag.ingest.load import load_faq
from rag.types import FaqEntry, Question
from school.kernel_classifier import Example, Hyperparameters, KernelClassifier
from school.reader import Reader

POOL = """\
- id: study-pool
  question: Trường có hồ bơi không?
  variants: [bể bơi mở cửa lúc nào, trường có bể bơi không]
  answer: Có, ở nhà thi đấu.
  topic: study
"""


@pytest.fixture
def edited(school: Path) -> Path:
    (school / "faq" / "pool.yml").write_text(POOL)
    return school


def the_faq(school: Path, index: Index) -> tuple[FaqEntry, ...]:
    faq, _ = load_faq(school, {passage.document_id for passage in index.passages})
    return faq


def test_an_update_has_the_phrasings_of_a_whole_build(
    edited: Path, index: Index, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    build_index(edited, tmp_path / "whole", embedder)
    whole = open_index(tmp_path / "whole", embedder)

    updated = with_faq(index, the_faq(edited, index), embedder)

    def phrasings(of: Index) -> dict[tuple[str, tuple[str, ...]], bytes]:
        return {
            (text, tuple(sorted(of.faq[row].id for row in rows))): np.round(vector, 3).tobytes()
            for text, rows, vector in zip(of.faq_texts, of.faq_rows, of.faq_vectors.vectors, strict=True)
        }

    assert updated.faq == whole.faq
    assert phrasings(updated) == phrasings(whole)


def test_only_new_phrasings_are_embedded(edited: Path, index: Index, counting: EmbedderStandIn) -> None:
    with_faq(index, the_faq(edited, index), counting)

    assert len(counting.embedded_queries) == 3
    assert counting.embedded_passages == []


def test_an_entry_in_the_very_words_of_a_question_answers_it_whatever_is_near(
    index: Index, small_index: Path, embedder: EmbedderStandIn
) -> None:
    asked = "Đăng ký như thế nào?"
    before = Engine.over(index, small_index, "covan", embedder).reply(Question(asked))
    assert before.answer_id, "the question is near to another entry"
    new = FaqEntry("study-new", asked, (), "Đăng ký trên trang sinh viên.", "study")

    engine = Engine.over(with_faq(index, (*index.faq, new), embedder), small_index, "covan", embedder)

    assert engine.reply(Question(asked)).answer_id == "study-new"
    assert engine.reply(Question("dạ dang ky nhu the nao vậy ad")).answer_id == "study-new"


def test_a_removed_entry_is_not_found_and_the_others_are(
    index: Index, small_index: Path, embedder: EmbedderStandIn
) -> None:
    gone = tuple(entry for entry in index.faq if entry.id != "tuition-deadline")

    engine = Engine.over(with_faq(index, gone, embedder), small_index, "covan", embedder)

    assert engine.entry("tuition-deadline") is None
    assert engine.reply(Question("Hạn đóng học phí là ngày nào?")).answer_id != "tuition-deadline"
    assert (
        engine.reply(Question("Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?")).answer_id
        == "study-credits"
    )


def test_the_update_is_published_beside_the_version_before_it(
    edited: Path, index: Index, small_index: Path, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    out = Path(shutil.copytree(small_index, tmp_path / "index"))
    before = (out / "versions" / index.manifest.version / "faq.jsonl").read_bytes()

    publish_faq(with_faq(index, the_faq(edited, index), embedder), out)

    opened = open_index(out, embedder)
    assert "study-pool" in {entry.id for entry in opened.faq}
    assert [each.version for each in kept_versions(out)] == [opened.manifest.version, index.manifest.version]
    assert (out / "versions" / index.manifest.version / "faq.jsonl").read_bytes() == before
    assert not is_current(out, edited, embedder)


def test_an_update_of_an_update_keeps_a_short_name(
    edited: Path, index: Index, embedder: EmbedderStandIn
) -> None:
    once = with_faq(index, the_faq(edited, index), embedder)
    twice = with_faq(once, index.faq, embedder)

    assert once.manifest.version.startswith(f"{index.manifest.version}-")
    assert len(twice.manifest.version) == len(once.manifest.version)


def blobs(labels: list[str], seed: int, spread: float = 0.4) -> tuple[list[Example], np.ndarray]:
    random = np.random.default_rng(seed)
    centres = {label: np.random.default_rng(sum(label.encode())).normal(size=16) for label in labels}
    examples = [Example(label, "", f"{label} {number}") for label in labels for number in range(12)]
    vectors = np.stack([centres[each.label] + spread * random.normal(size=16) for each in examples])
    return examples, vectors.astype(np.float32)


def test_an_extended_classifier_agrees_with_one_that_learnt_all() -> None:
    numbers = Hyperparameters(width=0.8, letters=0.0, ridge=0.2)
    old, new = [f"label {number}" for number in range(8)], "label new"
    examples, vectors = blobs([*old, new], 1)
    known = [place for place, example in enumerate(examples) if example.label != new]
    of_new = [place for place, example in enumerate(examples) if example.label == new]
    whole = KernelClassifier.learn(examples, vectors, "e", numbers)
    part = KernelClassifier.learn([examples[place] for place in known], vectors[known], "e", numbers)
    _, asked = blobs([*old, new], 2)

    extended = part.extended(new, vectors[of_new])

    assert set(extended.labels) == set(whole.labels)
    order = [extended.labels.index(label) for label in whole.labels]
    letters = [""] * len(asked)
    ours, exact = extended.scores(letters, asked)[:, order], whole.scores(letters, asked)
    assert (ours.argmax(axis=1) == exact.argmax(axis=1)).mean() > 0.97
    # What the centre moved by the new examples makes of it.
    assert np.abs(ours - exact).mean() < 0.05
    forgetful = extended.without([new])
    assert new not in forgetful.labels
    assert forgetful.scores(letters, asked).shape == (len(asked), len(old))


def test_a_classifier_with_letters_is_learnt_anew() -> None:
    examples, vectors = blobs(["label a", "label b"], 1)
    learnt = KernelClassifier.learn([replace(each, letters=each.label) for each in examples], vectors, "e")

    with pytest.raises(ValueError, match="letters"):
        learnt.extended("label c", vectors[:2])


def test_the_words_of_a_new_entry_are_read_without_their_diacritics_at_once(
    school: Path, index: Index, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    entry = POOL.replace("Trường có hồ bơi không?", "Phòng vắt sữa cho sinh viên nuôi con nhỏ ở đâu?")
    (school / "faq" / "room.yml").write_text(entry)
    build_index(school, tmp_path / "index", embedder)
    typed = "phong vat sua o dau"

    updated = with_faq(index, the_faq(school, index), embedder)
    publish_faq(updated, tmp_path / "index")

    assert Reader(index.reading).searched(typed).normalized != "phòng vắt sữa ở đâu"
    assert Reader(updated.reading).searched(typed).normalized == "phòng vắt sữa ở đâu"
    published = open_index(tmp_path / "index", embedder)
    assert Reader(published.reading).searched(typed).normalized == "phòng vắt sữa ở đâu"
