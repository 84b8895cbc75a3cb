"""A school whose answers depend on the campus: an added dimension, cohorts of four digits, no programmes."""

from __future__ import annotations

from pathlib import Path

from embedder_stand_in import EmbedderStandIn
from other_gates import with_gates

from rag.decide.gate import Thresholds
from rag.engine import Engine
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import Order, load_pipeline

FILES = {
    "catalog.yml": """\
school:
  id: dhbk
  name: Trường Đại học Bờ Kè
  counselling:
    - {name: Phòng Tham vấn, phone: 0200 555}
dimensions:
  - id: campus
    key: campuses
    name: cơ sở
    name_en: campus
    cues: [khu]
    ask: [Giờ giấc mỗi cơ sở một khác. Bạn học ở cơ sở nào?]
    values:
      - {id: hoa-an, name: Khu Hòa An, name_en: Hoa An campus, aliases: [Hòa An]}
      - {id: trung-tam, name: Khu Trung Tâm, name_en: City campus, aliases: [Trung Tâm]}
  - cohort
cohorts:
  - {id: 2023, name: Khóa 2023, year: 2023}
  - {id: 2024, name: Khóa 2024, year: 2024}
  - {id: 2025, name: Khóa 2025, year: 2025}
""",
    "topics.yml": """\
- {id: library, name: Thư viện, examples: [Thư viện ở đâu?]}
- {id: english, name: Tiếng Anh, examples: [Chuẩn tiếng Anh là gì?]}
""",
    "faq/faq.yml": """\
- id: library-hoa-an
  question: Thư viện mở cửa lúc mấy giờ?
  answer: Thư viện mở cửa lúc 7 giờ.
  topic: library
  applies_to: {campuses: [hoa-an]}
- id: library-trung-tam
  question: Thư viện mở cửa lúc mấy giờ?
  answer: Thư viện mở cửa lúc 9 giờ.
  topic: library
  applies_to: {campus: [trung-tam]}
- id: english-old
  question: Cần chứng chỉ tiếng Anh gì để tốt nghiệp?
  answer: Bạn cần TOEIC 450.
  topic: english
  applies_to: {cohorts: ["-2023"]}
- id: english-new
  question: Cần chứng chỉ tiếng Anh gì để tốt nghiệp?
  answer: Bạn cần TOEIC 600.
  topic: english
  applies_to: {cohorts: ["K2024 –"]}
""",
}


def write_campus_school(folder: Path) -> Path:
    """Write the knowledge folder of the school and return its path."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def campus_engine(folder: Path) -> Engine:
    """Return the shipped pipeline over the school, written to `folder`, with gates for the stand-in of the embedder."""
    embedder, out = EmbedderStandIn(), folder / "index"
    build_index(write_campus_school(folder / "school"), out, embedder)
    entries = Thresholds(similarity=0.5, margin=0.0, topic=0.0, sure=0.9)
    documents = Thresholds(similarity=0.0, margin=1.0, topic=0.0)
    gated = with_gates(load_pipeline("covan"), {"faq": entries, "document": documents})
    pipeline = gated.model_copy(update={"order": Order.FIRST_OPEN})
    return Engine(open_index(out, embedder), pipeline, embedder)
