"""A way to ask the dialled school by any pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest
from dial_stand_in import DialStandIn
from dialled_school import DOCUMENTS, FAQ, QUESTION, TOPICS, Ask, Asker
from readings import classified

from rag.engine import Engine
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.language_model.exchange import ModelAccess
from rag.pipeline import Pipeline
from rag.types import Reply
from school.dimensions import UNKNOWN_STUDENT, Profile


@pytest.fixture
def asker(tmp_path: Path) -> Asker:
    """Makes a way to ask a school by a pipeline, with cosines by marker: `ask({"hồ bơi": 0.9})`."""

    def make(
        pipeline: Pipeline,
        documents: Mapping[str, str] = DOCUMENTS,
        faq: str = FAQ,
        markers: tuple[str, ...] = ("hồ bơi", "thư viện"),
        model: ModelAccess | None = None,
    ) -> Ask:
        source = tmp_path / "school"
        (source / "documents").mkdir(parents=True)
        for name, text in documents.items():
            (source / "documents" / f"{name}.md").write_text(text, encoding="utf-8")
        if faq:
            (source / "faq").mkdir()
            (source / "faq" / "faq.yml").write_text(faq, encoding="utf-8")
            (source / "topics.yml").write_text(TOPICS, encoding="utf-8")
        embedder = DialStandIn(*markers)
        build_index(source, tmp_path / "index", embedder)
        index = open_index(tmp_path / "index", embedder)
        engine = Engine(index, pipeline, embedder, today=lambda: date(2026, 11, 1), model=model)

        def ask(
            cosines: Mapping[str, float],
            text: str = QUESTION,
            topics: Mapping[str, float] = MappingProxyType({}),
            profile: Profile = UNKNOWN_STUDENT,
        ) -> Reply:
            embedder.dial(cosines)
            return engine.reply(replace(classified(engine, text, topics), profile=profile))

        return ask

    return make
