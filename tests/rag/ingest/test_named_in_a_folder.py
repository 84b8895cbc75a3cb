"""The linker finds the names, dimensions and documents of a knowledge folder, without a line of code."""

from __future__ import annotations

from datetime import date

import pytest

from rag.ingest.document_names import document_forms
from rag.ingest.load import load_knowledge
from school.catalog_forms import entity_forms
from school.entity_linker import EntityLinker

CATALOG = """\
school:
  id: foot
  name: School of the Foothills
  counselling: [{name: Line, phone: "111"}]
dimensions:
  - cohort
  - {id: major, cues: [ngành, major, majoring in]}
  - id: campus
    name: cơ sở
    name_en: campus
    cues: [campus, cs]
    values:
      - {id: north, name: North Campus, aliases: [North]}
      - {id: vinh, name: Cơ sở Vinh, aliases: [Vinh]}
  - {id: bac, name: bậc, ordered: true, letters: [b], values: [{id: 3, name: Bậc 3}, {id: 4, name: Bậc 4}]}
cohorts:
  - {id: 2024, name: Class of 2024, year: 2024}
  - {id: 2025, name: Class of 2025, year: 2025}
majors:
  - {id: law, name: Law}
  - {id: cs, name: Computer Science}
"""
DOCUMENT = (
    "---\ntitle: Regulation on internships\n---\n# Regulation on internships\n\nInterns report weekly.\n"
)


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> EntityLinker:
    folder = tmp_path_factory.mktemp("foothills")
    (folder / "documents").mkdir()
    (folder / "catalog.yml").write_text(CATALOG, encoding="utf-8")
    (folder / "documents" / "internships.md").write_text(DOCUMENT, encoding="utf-8")
    knowledge = load_knowledge(folder)
    return EntityLinker(
        entity_forms(knowledge.catalog, document_forms(knowledge.documents, knowledge.document_aliases))
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("batch 2024, North Campus", [("cohort", "2024"), ("campus", "north")]),
        ("K2025 cs vinh", [("cohort", "2025"), ("campus", "vinh")]),
        ("I am majoring in law", [("major", "law")]),
        ("em bậc 3 hay b4", [("bac", "3"), ("bac", "4")]),
        ("what does the regulation on internships say", [("document", "internships")]),
        ("Nguyễn Quang Vinh học năm 2024", []),
    ],
)
def test_the_names_of_a_folder_are_found(
    linker: EntityLinker, text: str, found: list[tuple[str, str]]
) -> None:
    assert [(each.entity, each.value) for each in linker.mentions(text, date(2026, 11, 22))] == found
