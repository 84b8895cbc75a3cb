"""Texts put into the file beside an index as `covan enrich` keeps them, without a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rag.ingest.document_texts import passages_of
from rag.ingest.generated_texts import (
    GeneratedKind,
    GeneratedTexts,
    questions_key,
    relations_key,
    relations_of,
    wordings_key,
)
from rag.ingest.graph.statements import Statement
from rag.ingest.load import load_knowledge

MADE_AT = datetime(2026, 11, 1, tzinfo=UTC)


def keep_generated(
    school: Path,
    out: Path,
    wordings: Mapping[str, Sequence[str]] | None = None,
    questions: Mapping[str, Sequence[str]] | None = None,
    relations: Mapping[str, Sequence[Statement]] | None = None,
) -> None:
    """Keep wordings by the id of an entry, and questions and relations by the id of a passage."""
    knowledge, kept = load_knowledge(school), GeneratedTexts(out)
    entries = {entry.id: entry for entry in knowledge.faq}
    passages = {passage.id: passage for passage in passages_of(knowledge)}
    schema = relations_of(knowledge.graph.schema)

    def keep(kind: GeneratedKind, key: str, source: str, texts: Sequence[str]) -> None:
        kept.keep(key, kind, source, texts, 0, "by-hand", MADE_AT)

    for entry, texts in (wordings or {}).items():
        family = [each for each in knowledge.faq if each.family == entries[entry].family]
        keep(GeneratedKind.WORDINGS, wordings_key(family), entry, texts)
    for passage, texts in (questions or {}).items():
        keep(GeneratedKind.QUESTIONS, questions_key(passages[passage]), passage, texts)
    for passage, stated in (relations or {}).items():
        texts = [json.dumps(each.to_json(), ensure_ascii=False) for each in stated]
        keep(GeneratedKind.RELATIONS, relations_key(passages[passage], schema), passage, texts)
