"""The report of a calibration: one page for people, one JSON file for programs, and the observations themselves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from markupsafe import Markup

from covan.calibrating.certify import Certificate
from covan.calibrating.choose import Choice, Weighed
from covan.calibrating.observe import Observation, write_observations
from covan.calibrating.reliability import reliability
from covan.calibrating.wording import summary
from covan.evaluation.risk import area, curve
from covan.report.html import render
from covan.report.plots import risk_coverage
from rag.decide.calibration import Calibration
from rag.types import Reason

MOST_MISTAKES = 40


@dataclass(frozen=True, slots=True)
class TopicRow:
    """The threshold for the questions that the engine takes to be about a topic, and its outcome."""

    topic: str
    questions: int
    proposed: int
    answered: int
    wrong: int
    threshold: float | None
    own: bool


def write_report(
    folder: Path, choice: Choice, calibration: Calibration, observations: Sequence[Observation], file: str
) -> Path:
    """Write `calibration-PRESET.html` and `.json` into `folder`; returns the page.

    Beside them `observations-PRESET.jsonl`, all that was seen, and `answers-PRESET.jsonl`, the probabilities that the
    threshold was chosen on, for `benchmarks/guarantee.py`. `file` is where the questions came from, for the reader.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"calibration-{calibration.preset}"
    page = folder / f"{stem}.html"
    page.write_text(_page(choice, calibration, file), encoding="utf-8")
    record = json.dumps(_record(choice, calibration), ensure_ascii=False, indent=1)
    (folder / f"{stem}.json").write_text(record + "\n", encoding="utf-8")
    write_observations(folder / f"observations-{calibration.preset}.jsonl", observations)
    answers = "".join(
        json.dumps({"probability": probability, "right": right}) + "\n"
        for probability, right in _answers(choice)
    )
    (folder / f"answers-{calibration.preset}.jsonl").write_text(answers, encoding="utf-8")
    return page


def by_reason(choice: Choice) -> dict[str, int]:
    """Return the reasons for questions without an answer, the most frequent first.

    An answer below the threshold counts under the signal that speaks most against it ("confidence_low:
    document.similarity").
    """
    counts: Counter[str] = Counter()
    for item in choice.weighed:
        if item.proposed and not item.answered:
            seen = item.observation
            assert seen.source is not None
            weakest = choice.models.weakest(seen.source, seen.signals)
            counts[": ".join(filter(None, (Reason.CONFIDENCE_LOW.value, weakest)))] += 1
        elif not item.proposed:
            counts.update(reason.value for reason in item.observation.reasons)
    return dict(counts.most_common())


def worst_mistakes(choice: Choice) -> list[Weighed]:
    """Return the most probable wrong answers: given ones first, and none below the threshold's neighbours."""
    wrong = sorted((item for item in choice.weighed if item.wrong), key=lambda item: -item.probability)
    return sorted(wrong, key=lambda item: not item.answered)[:MOST_MISTAKES]


def topic_rows(choice: Choice) -> list[TopicRow]:
    """Return a row for each topic, the most asked about first."""
    topics: dict[str, list[Weighed]] = {}
    for item in choice.weighed:
        topics.setdefault(item.observation.topic or "", []).append(item)
    rows = [
        TopicRow(
            topic=topic,
            questions=len(items),
            proposed=sum(item.proposed for item in items),
            answered=sum(item.answered for item in items),
            wrong=sum(item.answered and item.wrong for item in items),
            threshold=choice.by_topic.get(topic, choice.common).threshold,
            own=topic in choice.by_topic,
        )
        for topic, items in topics.items()
    ]
    return sorted(rows, key=lambda row: (-row.questions, row.topic))


def _answers(choice: Choice) -> list[tuple[float, bool]]:
    return [(item.probability, not item.wrong) for item in choice.weighed if item.proposed]


def _page(choice: Choice, calibration: Calibration, file: str) -> str:
    answers = _answers(choice)
    name = calibration.preset
    chosen = {name: (choice.coverage, choice.error)} if choice.answered else None
    plot = risk_coverage({name: curve(answers, len(choice.weighed))}, chosen, choice.risk)
    return render(
        "calibration.html",
        choice=choice,
        calibration=calibration,
        file=file,
        summary=summary(choice),
        plot=Markup(plot),
        bins=reliability(answers),
        reasons=by_reason(choice),
        mistakes=worst_mistakes(choice),
        topics=topic_rows(choice),
    )


def _record(choice: Choice, calibration: Calibration) -> dict[str, object]:
    answers = _answers(choice)
    return {
        "calibration": calibration.model_dump(mode="json"),
        "summary": summary(choice),
        "coverage": choice.coverage,
        "error": choice.error,
        "aurc": area(answers),
        "fitted_on": choice.fitted_on,
        "common": _certificate(choice.common),
        "by_topic": {topic: _certificate(found) for topic, found in choice.by_topic.items()},
        "reasons": by_reason(choice),
        "topics": [asdict(row) for row in topic_rows(choice)],
        "reliability": [asdict(part) for part in reliability(answers)],
        "risk_coverage": curve(answers, len(choice.weighed)),
        "mistakes": [
            {
                "probability": item.probability,
                "answered": item.answered,
                **item.observation.model_dump(mode="json"),
            }
            for item in worst_mistakes(choice)
        ],
    }


def _certificate(found: Certificate) -> dict[str, object]:
    return asdict(found)
