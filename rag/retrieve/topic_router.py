"""Topic routing: a question goes to the classifier's topic, else to the topic with the nearest texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np

from rag.index.format import Index
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE
from school.sentence_embedder import VectorArray


class TopicRouter:
    """Routes to the topics of an index's passages, FAQ entries, or both, by `sources`."""

    def __init__(self, index: Index, sources: Collection[str]) -> None:
        passages: dict[str, list[int]] = defaultdict(list)
        phrasings: dict[str, list[int]] = defaultdict(list)
        if DOCUMENT_SOURCE in sources:
            for place, passage in enumerate(index.passages):
                if passage.topic is not None:
                    passages[passage.topic].append(place)
        if FAQ_SOURCE in sources:
            for place, rows in enumerate(index.faq_rows):
                for topic in {index.faq[row].topic for row in rows}:
                    phrasings[topic].append(place)
        # The mean cosine with a topic's texts is the inner product with their centroid.
        self._centroids = [
            (topic, index_of.vectors[np.asarray(places, np.intp)].astype(np.float32).mean(axis=0))
            for index_of, of_topic in ((index.passage_vectors, passages), (index.faq_vectors, phrasings))
            for topic, places in of_topic.items()
        ]
        self._topics = frozenset(passages) | frozenset(phrasings)

    def route(self, given: Mapping[str, float], vector: VectorArray) -> str | None:
        """Return the likeliest topic by `given` probabilities, else the nearest by the mean cosine with its texts.

        None when no topic is known, or the likeliest has no texts: then all topics are searched.
        """
        if given:
            likeliest = max(given, key=lambda topic: given[topic])
            return likeliest if likeliest in self._topics else None
        nearness: dict[str, float] = {}
        for topic, centroid in self._centroids:
            nearness[topic] = max(float(centroid @ vector), nearness.get(topic, -1.0))
        return max(sorted(nearness), key=lambda topic: nearness[topic], default=None)
