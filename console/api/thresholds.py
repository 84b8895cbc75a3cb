"""How sure Covan must be to answer: measured on labelled questions, chosen by the share that may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from console.api import answers
from console.api.dependencies import FILE_BODY, Console, Editor, Parts, Reader, ReadIn
from console.api.faq import told_checked
from console.api.models import ChosenRisk, Seen, TriedThreshold
from console.label_names import names_with
from rag.decide.calibration import Calibration

router = APIRouter()


@router.get("/thresholds", response_model=answers.Thresholds)
def thresholds(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the choice in use, the measurement with an option for each risk, and its progress.

    `current` is null for the shipped threshold, `measured` without a measurement.
    """
    return _state(console)


@router.post(
    "/thresholds/questions", status_code=202, openapi_extra=dict(FILE_BODY), response_model=answers.Thresholds
)
async def measure(
    request: Request,
    account: Editor,
    console: Parts,
    name: Annotated[str, Query(min_length=1, max_length=300)],
) -> Mapping[str, Any]:
    """Begin to ask labelled questions, a CSV as `covan calibrate` reads it, unless a measurement is under way."""
    content = await request.body()

    def begin() -> Mapping[str, Any]:
        if console.thresholds.measure(name, content, account.name, console.publisher.live.index()):
            console.audit.note(account.login, "measure_thresholds", name)
        return _state(console)

    return await run_in_threadpool(begin)


@router.post("/thresholds/checked", status_code=202, response_model=answers.Thresholds)
def measure_checked(account: Editor, console: Parts) -> Mapping[str, Any]:
    """Begin to ask the school's checked questions, unless a measurement is under way or there are none."""
    if console.thresholds.measure_checked(
        console.publisher.files.checked(), account.name, console.publisher.live.index()
    ):
        console.audit.note(account.login, "measure_checked")
    return _state(console)


@router.get("/thresholds/names", response_model=answers.LabelNames)
def names(
    _: Reader, console: Parts, language: ReadIn, text: Annotated[str, Query(max_length=200)] = ""
) -> Mapping[str, Any]:
    """Return the things of the school that labels can name, those whose names have the words of `text`."""
    return {"names": names_with(console.publisher.live.index(), text, language)}


@router.post("/thresholds/try", response_model=answers.ThresholdTrial)
def try_threshold(body: TriedThreshold, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Tell which of the school's checked questions a choice would answer otherwise; nothing is changed."""
    kept = console.thresholds
    if body.back:
        calibration = kept.before
    else:
        calibration = kept.option(body.risk, body.measured_at) if body.risk is not None else None
    return {"checked": told_checked(console.publisher.trials.try_calibration(calibration))}


@router.put("/thresholds", response_model=answers.Thresholds)
def choose(body: ChosenRisk, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Use the threshold that keeps a risk from the next question on, or the shipped one.

    409 with the choice in use when it is another one than was seen.
    """
    if body.risk is None:
        console.thresholds.use_shipped(body.version)
    else:
        console.thresholds.choose(body.risk, body.measured_at, body.version)
    console.audit.note(account.login, "threshold", _told(body.risk))
    return _state(console)


@router.post("/thresholds/roll-back", response_model=answers.Thresholds)
def roll_back(body: Seen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Go back to the choice before; 409 with the choice in use when it is another one than was seen."""
    before = console.thresholds.roll_back(body.version)
    console.audit.note(account.login, "threshold_back", _told(before.risk if before is not None else None))
    return _state(console)


def _told(risk: float | None) -> str:
    return "" if risk is None else f"{100 * risk:g} %"


def _state(console: Console) -> Mapping[str, Any]:
    kept = console.thresholds
    return {
        "preset": kept.preset,
        "index_version": console.publisher.live.version,
        "current": shown_choice(kept.current),
        "version": kept.version,
        "has_before": kept.has_before,
        "measured": kept.measured,
        "measuring": asdict(kept.measuring),
        "checked": len(console.publisher.files.checked()),
    }


def shown_choice(calibration: Calibration | None) -> Mapping[str, Any] | None:
    """Return a choice as the page shows it; None for the shipped threshold."""
    if calibration is None:
        return None
    return {
        "risk": calibration.risk,
        "threshold": calibration.threshold,
        "made_at": calibration.made_at.timestamp(),
        "counts": calibration.counts.model_dump(),
    }
