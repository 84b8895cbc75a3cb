"""A question is routed by the classifier, else to the topic whose texts are nearest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.index.format import Index
from rag.retrieve.topic_router import TopicRouter


@pytest.fixture(scope="module")
def router(index: Index) -> TopicRouter:
    return TopicRouter(index, ("faq", "document"))


@pytest.mark.parametrize(
    ("given", "topic"),
    [
        ({"tuition": 0.2, "dormitory": 0.8}, "dormitory"),
        ({"tuition": 0.8, "dormitory": 0.2}, "tuition"),
        ({"weather": 0.9, "dormitory": 0.1}, None),
    ],
)
def test_the_likeliest_topic_counts_where_there_is_something_of_it(
    router: TopicRouter, embedder: EmbedderStandIn, given: dict[str, float], topic: str | None
) -> None:
    assert router.route(given, embedder.query("bảng điểm")) == topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [("nội quy ký túc xá phòng ở", "dormitory"), ("chứng chỉ ngoại ngữ HSK để tốt nghiệp", "language")],
)
def test_unclassified_the_nearest_texts_tell(
    router: TopicRouter, embedder: EmbedderStandIn, text: str, topic: str
) -> None:
    assert router.route({}, embedder.query(text)) == topic


def test_only_the_sources_asked_for_have_topics(index: Index, embedder: EmbedderStandIn) -> None:
    bare = replace(index, passages=tuple(replace(passage, topic=None) for passage in index.passages))
    vector = embedder.query("học phí")

    assert TopicRouter(bare, ("faq", "document")).route({"tuition": 1.0}, vector) == "tuition"
    assert TopicRouter(bare, ("document",)).route({"tuition": 1.0}, vector) is None
    assert TopicRouter(bare, ("document",)).route({}, vector) is None
