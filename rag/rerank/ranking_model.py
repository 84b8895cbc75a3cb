"""The model of the learned reranker: a weighted sum of a passage's features.

A linear model, because twenty numbers learnt at some schools hold at another, where boosted trees over the same
features did not (docs/decisions/0010-reranker.md). One is shipped; `covan train-reranker` adapts it to a school, whose
own stands beside the versions of the index, so that it survives indexing anew:

    INDEX/reranker.json
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, FiniteFloat, model_validator

from rag.errors import SettingsError
from rag.json_file import read_json
from rag.rerank.features import FEATURES

logger = logging.getLogger(__name__)

SHIPPED = Path(__file__).with_name("models") / "reranker.json"
"""The model for a school that has trained none."""

WEIGHED = tuple(name for name in FEATURES if name not in ("cosine", "lexical_raw"))
"""What passages are ranked by. Among the passages of one question the two others say what `dense` and `lexical` do, in
a unit that changes with the embedder and with the question."""

KNEE = 0.9
"""Above it scores are bent by a hyperbolic tangent: the best passages are still told apart, where a cut at 1 would make
them equal. Moving all scores down instead would change what other parts make of them."""

Matrix = npt.NDArray[np.float64]


class RankingModel(BaseModel):
    """score = bias + sum of weights x standardised features, bent below 1; all lists go by `names`.

    Scores are in the unit of the first ranking's: margins that a preset names keep their meaning. `embedder` made the
    vectors of the passages that it was fitted on.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    embedder: str
    names: tuple[str, ...]
    means: tuple[FiniteFloat, ...]
    scales: tuple[FiniteFloat, ...]
    weights: tuple[FiniteFloat, ...]
    bias: FiniteFloat

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if not len(self.names) == len(self.means) == len(self.scales) == len(self.weights):
            raise ValueError("names, means, scales and weights must be of one length")
        if any(scale <= 0 for scale in self.scales):
            raise ValueError("every scale must be above 0")
        return self

    def standardised(self, values: Matrix) -> Matrix:
        """Features (n, f), in the order of `names`, as the weights want them."""
        standardised: Matrix = (values - np.asarray(self.means)) / np.asarray(self.scales)
        return standardised

    def scores(self, values: Matrix) -> Matrix:
        """(n,) in 0..1 for features (n, f), in the order of `names`; above KNEE the sum is bent, to stay below 1."""
        scores: Matrix = self.bias + self.standardised(values) @ np.asarray(self.weights)
        above = 1 - KNEE
        bent = KNEE + above * np.tanh((scores - KNEE) / above)
        return np.maximum(np.where(scores > KNEE, bent, scores), 0.0)


def shipped_ranking() -> RankingModel:
    """The model that is shipped. Raises SettingsError when its file is missing or damaged."""
    return read_ranking(SHIPPED)


def ranking_in_force(index: Path, embedder: str) -> RankingModel:
    """The school's own model, else the shipped one.

    A school's model that was made for other features, by another embedder, or is damaged is passed over with a
    warning: the answers are then those of a school that has trained none. Raises SettingsError when the shipped one
    is damaged.
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
    """Where a school's own model is kept."""
    return index / "reranker.json"


def read_ranking(path: Path) -> RankingModel:
    """The model in a file. Raises SettingsError when it is not there or holds none."""
    return read_json(path, RankingModel, "a ranking model")


def _passed_over(why: str) -> RankingModel:
    logger.warning(
        "%s: the shipped model ranks instead; `covan train-reranker` makes a new one, --remove ends this", why
    )
    return shipped_ranking()
