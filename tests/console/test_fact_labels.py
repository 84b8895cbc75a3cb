"""Facts are named in words where people look for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn

from console.fact_labels import FactLabels
from console.publishing import Publisher
from rag.ingest.build import build_index

FACTS = """"2026":
  han_nop: "10/12"
  diem_chuan: {cntt: "24,50"}
  ielts: {"5.5": "8,50"}
"""


@pytest.fixture
def labels(publisher: Publisher, school: Path) -> FactLabels:
    (school / "facts" / "dormitory.yml").write_text(FACTS, encoding="utf-8")
    spelled = {"han nop": "hạn nộp", "diem chuan": "điểm chuẩn"}
    return FactLabels(publisher.facts, publisher.dictionaries, lambda text: spelled.get(text, text))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("2026.han_nop", "Ký túc xá › 2026 › hạn nộp"),
        ("2026.diem_chuan.cntt", "Ký túc xá › 2026 › điểm chuẩn › Công nghệ thông tin"),
        ("2026.ielts.5.5", "Ký túc xá › 2026 › ielts › 5.5"),
        ("2027.han-nop", "Ký túc xá › 2027 › hạn nộp"),
    ],
)
def test_a_fact_is_named_by_its_topic_the_catalogue_and_words(
    labels: FactLabels, name: str, label: str
) -> None:
    assert labels.of(f"facts.dormitory.{name}") == label


def test_short_forms_are_written_as_the_school_writes_them(publisher: Publisher, school: Path) -> None:
    terms = "- {short: ĐGNL, full: đánh giá năng lực, kind: abbreviation}\n"
    (school / "glossary.yml").write_text(terms, encoding="utf-8")
    build_index(school, publisher.live.folder, EmbedderStandIn())

    labels = FactLabels(publisher.facts, publisher.dictionaries, publisher.live.spelled)

    assert labels.of("facts.dormitory.dgnl") == "Ký túc xá › ĐGNL"


def test_what_is_no_topic_begins_with_a_capital(labels: FactLabels) -> None:
    assert labels.of("facts.le_phi.ho_so") == "Le phi › ho so"


def test_a_broken_file_is_no_obstacle(publisher: Publisher, school: Path) -> None:
    (school / "topics.yml").write_text("- id: [", encoding="utf-8")

    labels = FactLabels(publisher.facts, publisher.dictionaries, str)

    assert labels.of("facts.dormitory.2026.room") == "Dormitory › 2026 › room"
