"""CatRAG: the topic of the question routes it, and the five nearest passages of that topic answer."""

from __future__ import annotations

import pytest
from dialled_school import DOCUMENTS, Ask, Asker

from rag.pipeline import load_pipeline
from rag.types import DOCUMENT_SOURCE, DecisionKind, Reply


@pytest.fixture
def ask(asker: Asker) -> Ask:
    return asker(load_pipeline("catrag"))


def documents(reply: Reply) -> set[str]:
    return {candidate.item.document_id for candidate in reply.trace.candidates}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("topics", "document"),
    [({"life": 0.6, "study": 0.4}, "ho-boi"), ({"life": 0.4, "study": 0.6}, "thu-vien")],
)
def test_only_what_is_of_the_likeliest_topic_is_searched(
    ask: Ask, topics: dict[str, float], document: str
) -> None:
    reply = ask({"hồ bơi": 0.7, "thư viện": 0.7}, topics=topics)

    assert documents(reply) == {document}
    assert reply.source == DOCUMENT_SOURCE


@pytest.mark.parametrize(("nearest", "document"), [("hồ bơi", "ho-boi"), ("thư viện", "thu-vien")])
def test_unclassified_it_is_routed_to_the_nearest_topic(ask: Ask, nearest: str, document: str) -> None:
    assert documents(ask({"hồ bơi": 0.5, "thư viện": 0.5} | {nearest: 0.7})) == {document}


def test_a_topic_that_nothing_is_of_restricts_nothing(ask: Ask) -> None:
    reply = ask({"hồ bơi": 0.6, "thư viện": 0.7}, topics={"weather": 1.0})

    assert documents(reply) == {"ho-boi", "thu-vien"}


def test_a_topic_that_the_classifier_does_not_know_is_not_ruled_out(ask: Ask) -> None:
    reply = ask({"hồ bơi": 0.6, "thư viện": 0.7}, topics={"life": 1.0})

    assert documents(reply) == {"ho-boi", "thu-vien"}


def test_without_topics_all_is_searched(asker: Asker) -> None:
    bare = {
        name: text.replace("topic: life\n", "").replace("topic: study\n", "")
        for name, text in DOCUMENTS.items()
    }

    reply = asker(load_pipeline("catrag"), documents=bare, faq="")({"hồ bơi": 0.6, "thư viện": 0.7})

    assert documents(reply) == {"ho-boi", "thu-vien"}


def test_the_answer_is_made_of_the_first_five_passages(ask: Ask) -> None:
    """Eight clauses of one article are equally near."""
    assert len(ask({"hồ bơi": 0.7}).citations) == 5


def test_nothing_declines(ask: Ask) -> None:
    assert ask({}).decision.kind is DecisionKind.ANSWER


def test_the_trace_says_what_it_is_without_a_graph(ask: Ask) -> None:
    assert any("without a graph" in note for note in ask({"hồ bơi": 0.7}).trace.notes)
