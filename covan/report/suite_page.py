"""The report of a suite as a page: claims, figures, and every mistake to look into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from covan.evaluation.breakdown import NO_TOPIC, Outcome, by_reason, by_source, by_topic, confusion
from covan.evaluation.compare import compared_figures, difference
from covan.evaluation.judged import Judged, Mistake
from covan.evaluation.measure import Run
from covan.evaluation.risk import curve
from covan.report.html import percent, render
from covan.report.plots import latency, risk_coverage
from covan.report.suite_report import Report
from rag.types import Candidate, FaqEntry, Passage

MOST_MISTAKES = 1_000
"""Mistakes listed on a page; a browser on a phone must still open it. The JSON file has all."""

MOST_DIFFERENCES = 200
SNIPPET_CHARS = 240

RETRIEVAL = ("nDCG@10", "P@1", "R@10", "RR@10")

MEANINGS = {
    "accuracy": "questions handled right",
    "answered": "questions that got an answer",
    "answered.right": "answers that are right",
    "aurc": "area under the risk-coverage curve; 0 is perfect",
    "nDCG@10": "how high the right document is ranked; 1 is always first",
    "P@1": "how often the right document is ranked first",
    "R@10": "how often it is among the first ten",
    "RR@10": "mean of 1 / its place in the ranking",
    "latency_ms.p50": "half of the replies took at most this long",
    "latency_ms.p95": "95 of 100 replies took at most this long",
    "latency_ratio.p50": "half of the replies took at most this many times as long as embedding a question",
    "latency_ratio.p95": "95 of 100 replies took at most this many times as long as embedding a question",
    "undiacritised.accuracy": "questions handled right when typed without diacritics",
    "undiacritised.nDCG@10": "how high it is ranked when the question is typed without diacritics",
    "undiacritised.loss": "what is lost when typed without diacritics",
}
OF_A_LABEL = {
    "right": "of those labelled {}, handled right",
    "answer": "of those labelled {}, answered",
    "clarify": "of those labelled {}, asked back",
    "no_answer": "of those labelled {}, told that it does not know",
}


@dataclass(frozen=True, slots=True)
class Near:
    """A candidate as it is shown: where it stands, how it begins, and what it scored."""

    id: str
    place: str
    text: str
    score: float
    scores: Mapping[str, float]


def page(report: Report) -> str:
    """Return one HTML file with everything in it."""
    run = report.run
    mistakes = _worst_first([item for item in run.judged if not item.right])
    topics = by_topic(run.judged)
    return render(
        "suite.html",
        report=report,
        run=run,
        figures=run.figures,
        reading=reading,
        meaning=meaning,
        harmful=sum(item.harmful for item in run.judged),
        topics={} if topics.keys() == {NO_TOPIC} else topics,
        sources=by_source(run.judged),
        reasons=by_reason(run.judged),
        outcomes=list(Outcome),
        confusion=confusion(run.judged),
        retrieval=[name for name in RETRIEVAL if name in run.figures],
        compared=compared_figures(report.runs),
        best=best(report.runs),
        differences=[difference(run, other) for other in report.runs[1:]],
        most_differences=MOST_DIFFERENCES,
        risk_plot=_risk_plot(report.runs),
        latency_plot=_latency_plot(report.runs),
        mistakes=mistakes[:MOST_MISTAKES],
        left_off=len(mistakes[MOST_MISTAKES:]),
        kinds=[(kind, sum(item.mistake is kind for item in mistakes)) for kind in Mistake],
        near=near,
        profile=_profile,
        place=_place_of_relevant,
    )


def reading(name: str, value: float) -> str:
    """Return a figure as people read it, by its name: shares in percent, times in their unit, the rest as numbers."""
    if name.startswith("latency_ms"):
        return f"{value:.1f}\N{NO-BREAK SPACE}ms"
    if name.startswith("latency_ratio"):
        return f"{value:.2f}\N{MULTIPLICATION SIGN}"
    if name == "aurc" or "@" in name:
        return f"{value:.3f}"
    return percent(value)


def meaning(name: str) -> str:
    """Return a short explanation of a figure; empty for a self-explanatory one."""
    if name in MEANINGS:
        return MEANINGS[name]
    what, _, of = name.rpartition(".")
    return OF_A_LABEL[of].format(what) if of in OF_A_LABEL else ""


def best(runs: Sequence[Run]) -> dict[str, float]:
    """Return the best value of each compared figure; less is better for times and for the area under the risk curve.

    How much is answered is neither good nor bad by itself.
    """
    found = {}
    for name in compared_figures(runs):
        if name == "answered":
            continue
        values = [run.figures[name] for run in runs if name in run.figures]
        found[name] = (min if name == "aurc" or name.startswith("latency") else max)(values)
    return found


def near(item: Judged) -> list[Near]:
    """Return the nearest candidates to the question, the best first."""
    return [_near(candidate) for candidate in item.reply.trace.candidates]


def _near(candidate: Candidate) -> Near:
    item = candidate.item
    if isinstance(item, FaqEntry):
        place, text = f"FAQ \N{MIDDLE DOT} {item.topic}", f"{item.question} \N{EM DASH} {item.answer}"
    elif isinstance(item, Passage):
        place, text = f"{item.title} \N{MIDDLE DOT} {item.locator}", item.text
    else:
        place, text = f"{candidate.source} \N{MIDDLE DOT} {item.topic}", item.id
    cut = text if len(text) <= SNIPPET_CHARS else text[:SNIPPET_CHARS].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    return Near(item.id, place, cut, candidate.score, candidate.scores)


def _worst_first(mistakes: Sequence[Judged]) -> list[Judged]:
    """By how harmful the mistake is, and there by how sure the engine was of it."""
    severity = list(Mistake)
    return sorted(
        mistakes,
        key=lambda item: (severity.index(item.mistake) if item.mistake else 0, -item.reply.confidence),
    )


def _profile(item: Judged) -> str:
    """Return the profile of the student, as "cohort 47, program clc"."""
    values = item.labelled.question.profile.values
    return ", ".join(f"{dimension} {value}" for dimension, value in values.items())


def _place_of_relevant(item: Judged) -> int | None:
    """Return the rank of the first relevant document, from 1; None when it was not found."""
    places = (place for place, id in enumerate(item.ranking, 1) if id in item.labelled.sources)
    return next(places, None)


def _risk_plot(runs: Sequence[Run]) -> Markup:
    curves = {
        run.preset: curve(
            ((item.reply.confidence, item.right) for item in run.judged if item.answered), len(run.judged)
        )
        for run in runs
    }
    ends = {name: points[-1] for name, points in curves.items() if points}
    # Drawn by us out of numbers and the names of presets, which matplotlib escapes.
    return Markup(risk_coverage(curves, ends))


def _latency_plot(runs: Sequence[Run]) -> Markup:
    """Of the replies that took an embedding, as in the figures: the others take next to no time."""
    times = {
        run.preset: [1000 * item.seconds for item in run.judged if item.embed_seconds > 0] for run in runs
    }
    return Markup(latency(times))
