"""Adapting the shipped ranking to a school: is it better, told by questions that were not learnt from?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from covan.ranking.examples import Example
from covan.ranking.fit import Quality, better, fit, folds, quality
from rag.rerank.ranking_model import Matrix, RankingModel


@dataclass(frozen=True, slots=True)
class Adapted:
    """The model fitted on everything; how the shipped one ranks the examples, and how adapted ones would.

    `after` is by cross-validation: each example is ranked by a model fitted without its group.
    """

    model: RankingModel
    before: Quality
    after: Quality

    @property
    def is_better(self) -> bool:
        """Whether the gain is more than chance."""
        return better(self.after, self.before)


def adapt(examples: Sequence[Example], shipped: RankingModel, embedder: str) -> Adapted:
    """Fit `shipped` to a school's examples, whose passages `embedder` made vectors of.

    The comparison is always with the shipped model: an earlier one of the school's own has seen these questions.
    Raises ValueError when no example has an answer among its passages.
    """
    scores: dict[int, Matrix] = {}
    for learn, test in folds(examples):
        if not test:
            continue
        try:
            model = fit(learn, shipped)
        except ValueError:
            model = shipped
        scores |= {id(example): model.scores(example.values) for example in test}
    before = quality(examples, lambda example: shipped.scores(example.values))
    after = quality(examples, lambda example: scores[id(example)])
    return Adapted(fit(examples, shipped).model_copy(update={"embedder": embedder}), before, after)
