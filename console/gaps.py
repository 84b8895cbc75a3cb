"""Questions that were not answered well, grouped by meaning and ranked by the number of students who asked.

The vectors are those of the reading (E5), recorded with the trace: nothing is embedded here. Groups are made by
agglomerative clustering with average linkage over cosine distances.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from console.personal_data import has_personal_data

FARTHEST = 0.1
"""The mean cosine distance up to which two groups of questions are one. E5's cosines of unrelated questions are
0.72-0.86, those of rephrasings mostly above 0.9."""


def group_gaps(gaps: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the groups of `gaps` (`console.turns.Turns.gaps`), that of the most students first.

    A group has `id`, `question` (the one nearest to the others), `students`, `questions`, `last_at`, `why` (counts),
    `topic` and `traces`, its turns.
    """
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for label, gap in zip(_labels(gaps), gaps, strict=True):
        groups.setdefault(label, []).append(gap)
    found = [_group(members) for members in groups.values()]
    return sorted(found, key=lambda group: (-group["students"], -group["questions"], -group["last_at"]))


def _labels(gaps: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """Return the group of each gap; one without a vector is in a group with its own words."""
    vectors = [vector_of(gap) for gap in gaps]
    labels = [f"words {' '.join(str(gap['question']).casefold().split())}" for gap in gaps]
    # Equal texts have equal vectors: each is clustered once.
    distinct: dict[bytes, int] = {}
    for vector in vectors:
        if vector is not None:
            distinct.setdefault(vector.tobytes(), len(distinct))
    if len(distinct) > 1:
        matrix = np.stack([np.frombuffer(raw, np.float32) for raw in distinct])
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        # One product of matrices: the distances one by one take three times as long as all the rest.
        distances = squareform(1 - matrix @ matrix.T, checks=False)
        clusters = fcluster(linkage(distances, "average"), FARTHEST, "distance")
    else:
        clusters = np.zeros(len(distinct), int)
    return [
        labels[place] if vector is None else f"cluster {clusters[distinct[vector.tobytes()]]}"
        for place, vector in enumerate(vectors)
    ]


def vector_of(gap: Mapping[str, Any]) -> npt.NDArray[np.float32] | None:
    """Return the sentence vector of a turn's question, shape (d,); None without one."""
    stored = base64.b64decode(gap["vector"] or "")
    return np.frombuffer(stored, np.float16).astype(np.float32) if stored else None


def _group(members: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    students = {(gap["channel"], gap["sender"]) for gap in members}
    topics = Counter(str(gap["topic"]) for gap in members if gap["topic"])
    # By its oldest question, which stays in the group when others join it.
    oldest = min(int(gap["id"]) for gap in members)
    return {
        "id": sha256(str(oldest).encode()).hexdigest()[:12],
        "question": _central(members),
        "students": len(students),
        "questions": len(members),
        "last_at": max(float(gap["at"]) for gap in members),
        "why": dict(Counter(why for gap in members for why in gap["why"])),
        "topic": topics.most_common(1)[0][0] if topics else "",
        "traces": list(members),
    }


def _central(members: Sequence[Mapping[str, Any]]) -> str:
    """Return the question nearest to the mean of the group; of equals the longest, which has its diacritics.

    One without personal data goes before all others: it becomes the question of an entry.
    """
    members = [gap for gap in members if not has_personal_data(str(gap["question"]))] or members
    vectors = [vector_of(gap) for gap in members]
    known = [vector for vector in vectors if vector is not None]
    if not known:
        return str(members[0]["question"])
    mean = np.mean(known, axis=0)

    def nearness(place: int) -> tuple[float, int]:
        vector = vectors[place]
        near = float(vector @ mean) if vector is not None else -1.0
        return round(near, 3), len(str(members[place]["question"]).encode())

    return str(members[max(range(len(members)), key=nearness)]["question"])
