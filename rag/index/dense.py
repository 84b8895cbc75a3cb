"""The vector index: exact inner products by FAISS (Douze et al., 2024) with L2-normalised vectors.

Exact search is fast enough for a school's texts, complete, and free of parameters. Reading memory takes its time, so
a large index keeps 16-bit floats, the precision of `rag.index.vectors`: half the memory and time, the same ranking.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import faiss
import numpy as np
import numpy.typing as npt

from rag.errors import IndexUnusableError
from school.sentence_embedder import VectorArray

HALVED_FROM = 20_000
"""The number of vectors from which 16-bit floats are kept; for fewer, the conversion to 32 bits costs more."""


_Exact: TypeAlias = faiss.IndexFlatIP | faiss.IndexScalarQuantizer


class FaissIndex:
    """Exact search in FAISS: 0.6 ms at ten thousand vectors of 384 numbers, 4 ms at a hundred thousand."""

    def __init__(self, index: _Exact) -> None:
        self._index = index
        self._vectors = _kept(index)
        self._mean = (
            self._vectors.mean(axis=0, dtype=np.float32) if index.ntotal else np.zeros(index.d, np.float32)
        )

    @property
    def count(self) -> int:
        return int(self._index.ntotal)

    @property
    def vectors(self) -> VectorArray:
        """The vectors, shape (n, d), read only."""
        return self._vectors.astype(np.float32, copy=False)

    @classmethod
    def build(cls, vectors: VectorArray, dimension: int) -> FaissIndex:
        if len(vectors) < HALVED_FROM:
            index: _Exact = faiss.IndexFlatIP(dimension)
        else:
            half = faiss.ScalarQuantizer.QT_fp16
            index = faiss.IndexScalarQuantizer(dimension, half, faiss.METRIC_INNER_PRODUCT)
        if len(vectors):
            index.add(np.ascontiguousarray(vectors, np.float32))
        return cls(index)

    def save(self, path: Path) -> None:
        faiss.write_index(self._index, str(path))

    @classmethod
    def load(cls, path: Path, dimension: int) -> FaissIndex:
        """Load the index. Raises IndexUnusableError when the file is damaged or its vectors have another size."""
        try:
            index = faiss.read_index(str(path))
        except RuntimeError as error:
            raise IndexUnusableError(f"{path} is damaged; run `covan index` again") from error
        if not isinstance(index, faiss.IndexFlatIP | faiss.IndexScalarQuantizer):
            raise IndexUnusableError(f"{path} was not made by Covan; run `covan index` again")
        if index.d != dimension:
            raise IndexUnusableError(
                f"{path} has vectors of {index.d} numbers, the embedder makes {dimension}; run `covan index` again"
            )
        return cls(index)

    def search(self, query: VectorArray, count: int) -> tuple[npt.NDArray[np.int64], VectorArray]:
        count = min(count, int(self._index.ntotal))
        if not count:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        scores, places = self._index.search(query.reshape(1, -1), count)
        return places[0], scores[0]

    def cosines(self, query: VectorArray, places: npt.NDArray[np.intp]) -> VectorArray:
        # Rows that are picked are copied.
        every = len(places) == self.count and bool((places == np.arange(self.count)).all())
        some = self._vectors if every else self._vectors[places]
        return np.asarray(some.astype(np.float32, copy=False) @ query, np.float32)

    def mean_cosine(self, query: VectorArray) -> float:
        return float(self._mean @ query)


def _kept(index: _Exact) -> npt.NDArray[np.float32 | np.float16]:
    """Return FAISS's own memory of the vectors, shape (n, d); it lives as long as the index."""
    if isinstance(index, faiss.IndexFlatIP):
        kept = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
    else:
        kept = faiss.rev_swig_ptr(index.codes.data(), index.codes.size()).view(np.float16)
    return np.asarray(kept).reshape(-1, index.d)
