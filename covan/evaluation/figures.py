"""The figures of a suite, by the names under which they may be claimed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, median, quantiles

from covan.evaluation.judged import Judged
from covan.evaluation.ranking import retrieval
from covan.evaluation.risk import area
from rag.types import DecisionKind


def measures(judged: Sequence[Judged], documents: frozenset[str] = frozenset()) -> dict[str, float]:
    """Return all figures of the judged questions; shares are in 0..1.

    - `accuracy`; for each label of the file `LABEL.right` and the shares `LABEL.answer`, `.clarify`, `.no_answer`
    - `answered`, `answered.right`; `aurc` (see `covan.evaluation.risk`) when anything was answered
    - `nDCG@10`, `P@1`, `R@10`, `RR@10` over the questions whose sources are among `documents`
    - `latency_ms.p50`, `.p95` in milliseconds; `latency_ratio.p50`, `.p95` in units of one question embedding
    """
    return {**_decisions(judged), **_retrieval(judged, documents), **_latency(judged)}


def _decisions(judged: Sequence[Judged]) -> dict[str, float]:
    figures = {"accuracy": _share(item.right for item in judged)}
    for label in dict.fromkeys(item.labelled.label for item in judged):
        wanted = [item for item in judged if item.labelled.label == label]
        figures[f"{label}.right"] = _share(item.right for item in wanted)
        for kind in DecisionKind:
            figures[f"{label}.{kind}"] = _share(item.decision is kind for item in wanted)
    answered = [item for item in judged if item.answered]
    figures["answered"] = _share(item.answered for item in judged)
    figures["answered.right"] = _share(item.right for item in answered)
    risk = area((item.reply.confidence, item.right) for item in answered)
    return figures if risk is None else figures | {"aurc": risk}


def _retrieval(judged: Sequence[Judged], documents: frozenset[str]) -> dict[str, float]:
    relevant = {item.id: item.labelled.sources & documents for item in judged}
    return retrieval(
        {id: found for id, found in relevant.items() if found}, {item.id: item.ranking for item in judged}
    )


def _latency(judged: Sequence[Judged]) -> dict[str, float]:
    """Over the replies that took an embedding: the others (nothing asked) take no time at all."""
    embedded = [item for item in judged if item.embed_seconds > 0]
    if len(embedded) < 2:
        return {}
    one = median(item.embed_seconds for item in embedded)
    p50 = median(item.seconds for item in embedded)
    p95 = quantiles((item.seconds for item in embedded), n=20)[-1]
    return {
        "latency_ms.p50": 1000 * p50,
        "latency_ms.p95": 1000 * p95,
        "latency_ratio.p50": p50 / one,
        "latency_ratio.p95": p95 / one,
    }


def _share(flags: Iterable[bool]) -> float:
    counted = list(flags)
    return mean(counted) if counted else 0.0
