"""The report of a suite as JSON: every figure, every table, and every question with what came.

Of the presets set beside it, a question has only the verdict: their replies are had by measuring them alone.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from covan.batch_contract import reply_fields
from covan.evaluation.breakdown import by_reason, by_source, by_topic, confusion
from covan.evaluation.judged import Judged
from covan.evaluation.measure import Run
from covan.report.suite_report import Report


def record(report: Report) -> dict[str, Any]:
    """Plain values only; times are in milliseconds, shares in 0..1."""
    return {
        "suite": report.name,
        "title": report.suite.title,
        "command": report.suite.command,
        "made_at": report.made_at.isoformat(timespec="seconds"),
        "claims": [asdict(claim) | {"kept": claim.kept} for claim in report.claims],
        "runs": [
            _run(run) | {"questions": [(_question if run is report.run else _verdict)(i) for i in run.judged]}
            for run in report.runs
        ],
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "preset": run.preset,
        "index_version": run.index_version,
        "figures": run.figures,
        "by_topic": {topic: asdict(part) for topic, part in by_topic(run.judged).items()},
        "by_source": {source: asdict(part) for source, part in by_source(run.judged).items()},
        "by_reason": {reason: asdict(turned) for reason, turned in by_reason(run.judged).items()},
        "confusion": confusion(run.judged),
    }


def _question(item: Judged) -> dict[str, Any]:
    labelled = item.labelled
    return {
        "id": item.id,
        "question": labelled.question.text,
        "label": labelled.label,
        "sources": sorted(labelled.sources),
        "right": item.right,
        "mistake": item.mistake,
        **reply_fields(item.reply),
        "latency_ms": round(1000 * item.seconds, 3),
        "ranking": list(item.ranking),
    }


def _verdict(item: Judged) -> dict[str, Any]:
    return {
        "id": item.id,
        "right": item.right,
        "mistake": item.mistake,
        "decision": item.decision,
        "confidence": round(item.reply.confidence, 4),
        "latency_ms": round(1000 * item.seconds, 3),
    }
