"""Which topic a question is routed to: the classifier's, else the one whose texts it is nearest to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np

from rag.knowledge.index import Index
from rag.pipeline import Source
from rag.types import VectorArray


class TopicRouter:
    """Routes to the topics that the passages, the FAQ entries, or both of an index have: those of `sources`."""

    def __init__(self, index: Index, sources: Collection[Source]) -> None:
        passages: dict[str, list[int]] = defaultdict(list)
        phrasings: dict[str, list[int]] = defaultdict(list)
        if "document" in sources:
            for place, passage in enumerate(index.passages):
                if passage.topic is not None:
                    passages[passage.topic].append(place)
        if "faq" in sources:
            for place, rows in enumerate(index.faq_rows):
                for topic in {index.faq[row].topic for row in rows}:
                    phrasings[topic].append(place)
        self._kinds = [
            (vectors, {topic: np.asarray(places, np.intp) for topic, places in of_topic.items()})
            for vectors, of_topic in ((index.passage_vectors, passages), (index.faq_vectors, phrasings))
        ]
        self._topics = frozenset(passages) | frozenset(phrasings)

    def route(self, given: Mapping[str, float], vector: VectorArray) -> str | None:
        """The likeliest topic by `given` probabilities, else the nearest by the mean cosine with its texts.

        None when nothing is known of any topic, or when nothing is of the likeliest one: then all is searched.
        """
        if given:
            likeliest = max(given, key=lambda topic: given[topic])
            return likeliest if likeliest in self._topics else None
        # The mean over a topic's texts is the inner product with their centroid.
        nearness: dict[str, float] = {}
        for vectors, of_topic in self._kinds:
            for topic, places in of_topic.items():
                mean = float(vectors.cosines(vector, places).mean())
                nearness[topic] = max(mean, nearness.get(topic, -1.0))
        return max(sorted(nearness), key=lambda topic: nearness[topic], default=None)
