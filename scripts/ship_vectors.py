"""Renew `data/nlu/vectors.npz`, the shipped vectors of the examples of any school (`make vectors`).

Vectors that are in the file already are kept; a missing one takes 10 to 20 ms.
"""

from __future__ import annotations

from covan.training_data.school_teaching import SchoolTeaching, examples_of_any_school
from rag.index.vectors import ShippedVectors, vector_key
from rag.retrieve.embedder import E5Embedder


def main() -> None:
    embedder = E5Embedder()
    shipped = ShippedVectors.load(SchoolTeaching.shipped_vectors)
    vectors = {}
    for example in examples_of_any_school():
        key = vector_key(embedder.name, "query", example.embedded)
        if key not in vectors:
            kept = shipped.get(key)
            vectors[key] = embedder.query(example.embedded) if kept is None else kept
    ShippedVectors.save(SchoolTeaching.shipped_vectors, vectors)
    print(f"{len(vectors)} vectors written to {SchoolTeaching.shipped_vectors}.")


if __name__ == "__main__":
    main()
