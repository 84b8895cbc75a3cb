"""The model of the learned reranker: a weighted sum of a passage's features.

The model is linear because its twenty weights carry over from some schools to another, where boosted trees over the
same features did not (docs/decisions/0010-reranker.md). `covan train-reranker` adapts the shipped model to a school.
The school's own model stands beside the versions of the index, so that it survives a new index:

    INDEX/reranker.json
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from rag.errors import SettingsError
from rag.json_file import read_json
from rag.linear_model import LinearModel
from rag.rerank.features import FEATURES

logger = logging.getLogger(__name__)

SHIPPED = Path(__file__).with_name("models") / "reranker.json"
"""The model for a school that has trained none."""

WEIGHED = tuple(name for name in FEATURES if name not in ("cosine", "lexical_raw"))
"""The features that rank passages. For one question the two others repeat `dense` and `lexical` in a unit that changes
with the embedder and with the question."""

KNEE = 0.9
"""Scores above it are bent by a hyperbolic tangent: a cut at 1 would make the best passages equal, and moving all
scores down would change the meaning of the presets' margins."""

Matrix = npt.NDArray[np.float64]


class RankingModel(LinearModel):
    """score = the linear model over a passage's features, bent below 1.

    Scores have the unit of the first ranking's, so that the margins of a preset keep their meaning. `embedder` made
    the vectors of the passages on which the model was fitted.
    """

    format: Literal[1] = 1
    embedder: str

    def standardised(self, values: Matrix) -> Matrix:
        """Return features (n, f), in the order of `names`, standardised."""
        standardised: Matrix = (values - np.asarray(self.means)) / np.asarray(self.scales)
        return standardised

    def scores(self, values: Matrix) -> Matrix:
        """Return scores (n,) in 0..1 for features (n, f), in the order of `names`."""
        scores: Matrix = self.bias + self.standardised(values) @ np.asarray(self.weights)
        above = 1 - KNEE
        bent = KNEE + above * np.tanh((scores - KNEE) / above)
        return np.maximum(np.where(scores > KNEE, bent, scores), 0.0)


def shipped_ranking() -> RankingModel:
    """Return the shipped model. Raises SettingsError when its file is missing or damaged."""
    return read_ranking(SHIPPED)


def ranking_in_force(index: Path, embedder: str) -> RankingModel:
    """Return the school's own model, else the shipped one.

    A school's model that is damaged, or was made for other features or another embedder, is passed over with a
    warning. Raises SettingsError when the shipped model is damaged.
    """
    path = ranking_file(index)
    if not path.exists():
        return shipped_ranking()
    try:
        model = read_ranking(path)
    except SettingsError as error:
        return _passed_over(str(error))
    if set(model.names) != set(WEIGHED):
        return _passed_over(f"{path} was made for other features")
    if model.embedder != embedder:
        return _passed_over(f"{path} was made for the embedder {model.embedder}, not {embedder}")
    return model


def ranking_file(index: Path) -> Path:
    """Return the file of a school's own model."""
    return index / "reranker.json"


def read_ranking(path: Path) -> RankingModel:
    """Return the model in a file. Raises SettingsError when the file is missing or holds no model."""
    return read_json(path, RankingModel, "a ranking model")


def _passed_over(why: str) -> RankingModel:
    logger.warning(
        "%s: the shipped model ranks instead; `covan train-reranker` makes a new one, --remove ends this", why
    )
    return shipped_ranking()
