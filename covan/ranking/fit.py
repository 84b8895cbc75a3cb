"""Learning to rank from examples: a linear model, held close to one that is known to be good elsewhere.

The loss is listwise: the softmax over the scores of a question's passages is the chance of each to be picked, and the
passages that answer should have most of it (the top-one probability of ListNet, Cao et al., ICML 2007, with the answers
as alternatives to each other). The penalty is the squared distance to the prior model's weights, not to zero: a school
with few examples keeps what was learnt elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from covan.ranking.examples import Example
from rag.rerank.ranking_model import Matrix, RankingModel

SHARPNESS = 15.0
"""Log-odds in one unit of score: so the first ranking's scores come nearest to probabilities on labelled questions."""

STRENGTH = 100.0
"""The prior weighs like so many questions; chosen on three schools, each left out in turn (docs/decisions/0010)."""

FOLDS = 5
DEPTH = 10


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a ranking of passages, as means over groups; a group's questions share its weight.

    `first`: the share of questions whose first passage answers. `mrr`: the mean of 1 / rank of the first that does,
    0 beyond rank DEPTH. `by_group` is the MRR of each group.
    """

    first: float
    mrr: float
    by_group: dict[str, float]


def fit(examples: Sequence[Example], prior: RankingModel, strength: float = STRENGTH) -> RankingModel:
    """`prior` with its weights moved towards what ranks the examples best. Deterministic.

    Examples without an answer among their passages teach nothing. Raises ValueError when there are no others.
    """
    taught = [example for example in examples if example.relevant.any() and not example.relevant.all()]
    if not taught:
        raise ValueError("no example has an answer among its passages")
    lists = _Lists.of([prior.standardised(example.values) for example in taught], taught)
    start = SHARPNESS * np.asarray(prior.weights)
    pull = strength / sum(lists.weights)

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        missed, slope = lists.loss(weights)
        away = weights - start
        return missed + pull * float(away @ away), slope + 2 * pull * away

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights = np.asarray(found.x) / SHARPNESS
    # The best scores stay as high as they were, whatever is compared with them.
    lower = _mean_best(lists, np.asarray(prior.weights)) - _mean_best(lists, weights)
    return prior.model_copy(
        update={
            "weights": tuple(map(float, weights.round(6))),
            "bias": round(prior.bias + lower, 6),
        }
    )


@dataclass(frozen=True, slots=True)
class _Lists:
    """Features (q, n, f) padded to the longest list, `there` and `relevant` (q, n), `weights` (q,)."""

    values: Matrix
    there: npt.NDArray[np.bool_]
    relevant: npt.NDArray[np.bool_]
    weights: Matrix

    @classmethod
    def of(cls, values: Sequence[Matrix], examples: Sequence[Example]) -> _Lists:
        longest = max(map(len, values))
        shape = (len(values), longest)
        padded = np.zeros((*shape, values[0].shape[1]))
        there, relevant = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        for row, (some, example) in enumerate(zip(values, examples, strict=True)):
            padded[row, : len(some)] = some
            there[row, : len(some)] = True
            relevant[row, : len(some)] = example.relevant
        return cls(padded, there, relevant, _shares(examples))

    def loss(self, weights: Matrix) -> tuple[float, Matrix]:
        """Return the mean over groups of -log of the chance that a passage that answers is picked, and its gradient."""
        scores = np.where(self.there, self.values @ weights, -np.inf)
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        right = np.maximum((chances * self.relevant).sum(axis=1), 1e-300)
        wanted = chances * self.relevant / right[:, None]
        share = self.weights / self.weights.sum()
        slope = np.einsum("qn,qnf->f", (chances - wanted) * share[:, None], self.values)
        return float(-(np.log(right) * share).sum()), slope


def _mean_best(lists: _Lists, weights: Matrix) -> float:
    return float(np.where(lists.there, lists.values @ weights, -np.inf).max(axis=1).mean())


def _shares(examples: Sequence[Example]) -> Matrix:
    """Return the weight of each example, 1 / its group's size: an entry with many variants teaches no more."""
    counts: dict[str, int] = defaultdict(int)
    for example in examples:
        counts[example.group] += 1
    return np.array([1 / counts[example.group] for example in examples])


def quality(examples: Iterable[Example], score: Callable[[Example], Matrix]) -> Quality:
    """Return the quality of the ranking by `score`; ties keep the order of the first ranking."""
    firsts: dict[str, list[float]] = defaultdict(list)
    reciprocals: dict[str, list[float]] = defaultdict(list)
    for example in examples:
        order = np.argsort(-score(example), kind="stable")
        hits = np.flatnonzero(example.relevant[order][:DEPTH])
        reciprocals[example.group].append(1 / (hits[0] + 1) if len(hits) else 0.0)
        firsts[example.group].append(float(len(hits) > 0 and hits[0] == 0))
    by_group = {group: float(np.mean(some)) for group, some in reciprocals.items()}
    return Quality(
        first=float(np.mean([np.mean(some) for some in firsts.values()])),
        mrr=float(np.mean(list(by_group.values()))),
        by_group=by_group,
    )


def folds(examples: Sequence[Example], count: int = FOLDS) -> Iterator[tuple[list[Example], list[Example]]]:
    """Yield the examples to learn from and those to be tested on, `count` times; a group is never on both sides.

    Which group is in which part is told by a hash of its name: the same on every run.
    """
    part_of = {
        group: place % count
        for place, group in enumerate(
            sorted({example.group for example in examples}, key=lambda group: sha256(group.encode()).digest())
        )
    }
    for part in range(count):
        learn = [example for example in examples if part_of[example.group] != part]
        test = [example for example in examples if part_of[example.group] == part]
        yield learn, test


def better(new: Quality, old: Quality) -> bool:
    """Return whether a ranking is better by more than chance: its mean gain over groups exceeds its standard error."""
    gains = np.array([new.by_group[group] - mrr for group, mrr in old.by_group.items()])
    error = float(gains.std(ddof=1)) / np.sqrt(len(gains)) if len(gains) > 1 else np.inf
    return bool(gains.mean() > error) and new.first >= old.first
