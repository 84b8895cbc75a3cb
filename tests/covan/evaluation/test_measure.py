"""A suite's questions put to a real engine over a small school: asked, judged, ranked, asked again without marks."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import SMALL_SCHOOL
from embedder_stand_in import EmbedderStandIn

from covan.evaluation.diacritics import without_diacritics
from covan.evaluation.labels import Labelled, read_labelled
from covan.evaluation.measure import measure, resolved, undiacritised
from rag.engine import Engine
from rag.errors import QuestionsError
from rag.ingest.build import build_index

QUESTIONS = """\
id,question,cohort,decision,source
1,Xin bảng điểm ở đâu?,,answer,study-transcript
2,Có được nuôi mèo trong ký túc xá không?,,answer,noi-quy-ktx
3,Chuẩn ngoại ngữ để tốt nghiệp là gì?,K47,clarify,cohort
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    index = tmp_path_factory.mktemp("measure") / "index"
    build_index(SMALL_SCHOOL, index, EmbedderStandIn())
    return Engine.open(index, embedder=EmbedderStandIn())


@pytest.fixture
def questions(tmp_path: Path, engine: Engine) -> list[Labelled]:
    (tmp_path / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    return resolved(read_labelled(tmp_path / "q.csv"), engine, "q.csv")


DOCUMENTS = frozenset({"noi-quy-ktx", "quy-che-2025"})


def test_profiles_are_those_of_the_catalogue(questions: list[Labelled]) -> None:
    assert [item.question.profile.get("cohort") for item in questions] == [None, None, "47"]


def test_a_profile_that_is_none_is_told(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "q.csv").write_text("id,question,major,decision\n9,Gì?,alchemy,answer\n", encoding="utf-8")

    with pytest.raises(QuestionsError, match=r"question 9.*alchemy"):
        resolved(read_labelled(tmp_path / "q.csv"), engine, "q.csv")


def test_every_question_is_asked_and_documents_are_ranked_where_it_is_known_which(
    engine: Engine, questions: list[Labelled]
) -> None:
    run = measure(engine, "covan", questions, DOCUMENTS)

    assert [item.id for item in run.judged] == ["1", "2", "3"]
    assert [bool(item.ranking) for item in run.judged] == [False, True, False]
    assert run.judged[1].ranking[0] == "noi-quy-ktx"
    assert run.figures["P@1"] == 1
    assert run.index_version == engine.index_version
    assert all(item.seconds > 0 for item in run.judged)


def test_questions_are_asked_again_without_diacritics(engine: Engine, questions: list[Labelled]) -> None:
    run = measure(engine, "covan", questions, DOCUMENTS)
    asked: list[str] = []

    again = undiacritised(
        engine, run, DOCUMENTS, lambda items, _: (asked.append(i.question.text) or i for i in items)
    )

    assert asked[0] == "Xin bang diem o dau?"
    assert again.judged == run.judged
    assert (
        again.figures["undiacritised.loss"] == run.figures["nDCG@10"] - again.figures["undiacritised.nDCG@10"]
    )


@pytest.mark.parametrize(
    ("typed", "bare"),
    [
        ("Đăng ký đường dây", "Dang ky duong day"),
        ("Ưu tiên K47?", "Uu tien K47?"),
        ("bà\u0300", "ba"),
        ("", ""),
    ],
)
def test_marks_go_and_capitals_stay(typed: str, bare: str) -> None:
    assert without_diacritics(typed) == bare
