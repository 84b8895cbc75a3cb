"""What a language model is asked to write for a knowledge folder: a task for each source, with its request.

Further wordings and questions are those of URAG (arXiv:2501.16276); relations bound to a schema are
UMentor's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from rag.answer.generate import fence_of, fenced, place_of
from rag.enrichment.checks import (
    MAX_TEXT_CHARS,
    Checked,
    checked_questions,
    checked_relations,
    checked_wordings,
)
from rag.ingest.document_texts import passages_of
from rag.ingest.generated_texts import (
    GeneratedKind,
    questions_key,
    relations_key,
    relations_of,
    wordings_key,
)
from rag.ingest.graph.statements import Relations
from rag.ingest.load import Knowledge
from rag.language_model.injection import addresses_model
from rag.language_model.types import ChatMessage, ChatRequest
from rag.types import FaqEntry, Passage, families_of
from vietnamese.data_files import yaml_beside

MOST_TEXTS: Mapping[GeneratedKind, int] = {
    GeneratedKind.WORDINGS: 8,
    GeneratedKind.QUESTIONS: 5,
    GeneratedKind.RELATIONS: 10,
}
"""The most texts for a source. The sample school's own entries have fourteen phrasings; beyond eight the entry
classifier learns what an entry's own words are (`rag.retrieve.entry_classifier`)."""

MOST_TOKENS: Mapping[GeneratedKind, int] = {
    GeneratedKind.WORDINGS: 500,
    GeneratedKind.QUESTIONS: 400,
    GeneratedKind.RELATIONS: 1000,
}


@dataclass(frozen=True, slots=True)
class Task:
    """A request to a model for the texts of one source.

    `key` is that of the texts, `source` the id of the entry or passage. `check` returns what is kept of a reply, and
    raises UnreadableReplyError.
    """

    kind: GeneratedKind
    key: str
    source: str
    request: ChatRequest
    check: Callable[[str], Checked]


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of a knowledge folder, each key once. `withheld` are sources that give orders to a model: not sent."""

    wanted: tuple[Task, ...]
    withheld: tuple[str, ...]


def tasks_of(
    knowledge: Knowledge, kinds: Collection[GeneratedKind], today: date, temperature: float = 0.0
) -> Tasks:
    """Return what is to be written for the FAQ and for the passages that are in force on or after the day `today`."""
    found: dict[str, Task] = {}
    withheld: dict[str, None] = {}
    for text, task in _tasks(knowledge, kinds, today, temperature):
        if addresses_model(text):
            withheld[task.source] = None
        else:
            found.setdefault(task.key, task)
    return Tasks(tuple(found.values()), tuple(withheld))


def _tasks(
    knowledge: Knowledge, kinds: Collection[GeneratedKind], today: date, temperature: float
) -> Iterator[tuple[str, Task]]:
    """Yield the tasks, each with the text that it sends."""
    if GeneratedKind.WORDINGS in kinds:
        for family in families_of(knowledge.faq).values():
            yield _wordings(family, temperature)
    relations = relations_of(knowledge.graph.schema)
    passages = passages_of(knowledge) if set(kinds) - {GeneratedKind.WORDINGS} else []
    for passage in passages:
        if passage.effective_to is not None and passage.effective_to < today:
            continue
        text = "\n".join((*passage.context, passage.text))
        if GeneratedKind.QUESTIONS in kinds:
            yield text, _questions(passage, text, temperature)
        if GeneratedKind.RELATIONS in kinds:
            yield text, _relations(passage, text, relations, temperature)


def _wordings(family: Sequence[FaqEntry], temperature: float) -> tuple[str, Task]:
    kind = GeneratedKind.WORDINGS
    asked = (text for entry in family for text in (entry.question, *entry.variants))
    text = "\n".join(dict.fromkeys(asked))
    request = _request(kind, text, "", temperature, _TEXTS_SCHEMA)
    check = partial(checked_wordings, family, most=MOST_TEXTS[kind])
    return text, Task(kind, wordings_key(family), family[0].id, request, check)


def _questions(passage: Passage, text: str, temperature: float) -> Task:
    kind = GeneratedKind.QUESTIONS
    request = _request(kind, text, place_of(passage), temperature, _TEXTS_SCHEMA)
    check = partial(checked_questions, passage, most=MOST_TEXTS[kind])
    return Task(kind, questions_key(passage), passage.id, request, check)


def _relations(passage: Passage, text: str, relations: Relations, temperature: float) -> Task:
    kind = GeneratedKind.RELATIONS
    listed = "\n".join(
        f"  {name}: {', '.join(sources)} -> {', '.join(targets)}"
        for name, (sources, targets) in relations.items()
    )
    schema = _statements_schema(relations)
    request = _request(kind, text, place_of(passage), temperature, schema, relations=listed)
    check = partial(checked_relations, passage, most=MOST_TEXTS[kind], relations=relations)
    return Task(kind, relations_key(passage, relations), passage.id, request, check)


def _request(
    kind: GeneratedKind, text: str, place: str, temperature: float, schema: Mapping[str, Any], **more: str
) -> ChatRequest:
    said: Mapping[str, str] = yaml_beside(__file__, "requests.yml")[kind.value]
    fence = fence_of([text])
    system = said["system"].format(fence=fence, count=MOST_TEXTS[kind], **more)
    user = f"{fenced(said['source'].format(place=place), text, fence)}\n\n{said['ask']}"
    messages = (ChatMessage("system", system), ChatMessage("user", user))
    return ChatRequest(messages, MOST_TOKENS[kind], temperature, schema)


def _object(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "maxLength": MAX_TEXT_CHARS}
_TEXTS_SCHEMA = _object({"texts": {"type": "array", "items": _TEXT, "maxItems": max(MOST_TEXTS.values())}})


def _statements_schema(relations: Relations) -> Mapping[str, Any]:
    kinds = sorted({kind for ends in relations.values() for end in ends for kind in end})
    of_type = {"type": "string", "enum": kinds}
    statement = _object(
        {
            "relation": {"type": "string", "enum": list(relations)},
            "subject": _TEXT,
            "subject_type": of_type,
            "object": _TEXT,
            "object_type": of_type,
            "quote": {"type": "string", "maxLength": 2 * MAX_TEXT_CHARS},
        }
    )
    most = MOST_TEXTS[GeneratedKind.RELATIONS]
    return _object({"statements": {"type": "array", "items": statement, "maxItems": most}})
