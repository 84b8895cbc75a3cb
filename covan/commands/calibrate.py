"""`covan calibrate`: choose the risk, get the threshold that keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from covan.batch_contract import WARM_UP
from covan.calibrating.choose import Choice, choose, repeated
from covan.calibrating.fit import fit_models, halves
from covan.calibrating.observe import Observation, observe
from covan.calibrating.options import calibration_of
from covan.calibrating.wording import summary
from covan.evaluation.labels import Labelled, read_labelled
from covan.evaluation.measure import resolved
from covan.evaluation.unknown_labels import unknown_labels
from rag.decide.calibration import remove_calibration, save_calibration
from rag.decide.gate import Chosen
from rag.decide.probability import ProbabilityModels, shipped_models
from rag.engine import Engine
from rag.errors import Problem, SettingsError
from rag.index.versions import read_manifest
from rag.retrieve.embedder import load_embedder
from rag.settings import settings

EXIT_NOTHING_CERTIFIED = 1


def run(  # noqa: PLR0913, PLR0917  one a command-line option
    questions: Annotated[
        Path | None,
        typer.Option(help="CSV with id, question and what is right: decision and source, or answer."),
    ] = None,
    risk: Annotated[
        float, typer.Option(min=0.001, max=0.5, help="The share of answers that may be wrong.")
    ] = 0.05,
    delta: Annotated[
        float,
        typer.Option(
            min=0.001, max=0.5, help="How often the promise itself may fail: 0.1 is 90 % confidence."
        ),
    ] = 0.1,
    by_topic: Annotated[
        bool, typer.Option("--by-topic", help="Keep the risk in every topic that has enough questions.")
    ] = False,
    fit: Annotated[
        bool, typer.Option("--fit", help="Fit the probabilities anew on half of the questions.")
    ] = False,
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    preset: Annotated[str | None, typer.Option(help="The pipeline.", show_default="covan")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the report goes.", show_default=".covan/reports")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write the report only; change nothing.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Go back to the shipped threshold.")] = False,
) -> None:
    """Choose how many answers may be wrong; get the threshold that keeps it."""
    place, chosen_preset = index or settings().index_dir, preset or settings().preset
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if remove:
        # The index must be one: a mistyped path would otherwise say that there is nothing to remove.
        read_manifest(place)
        removed = remove_calibration(place, chosen_preset)
        console.print("Back to the shipped threshold." if removed else "There was no calibration to remove.")
        return
    if questions is None:
        raise SettingsError("--questions FILE.csv is missing: labelled questions to choose the threshold on")
    labelled = read_labelled(questions)
    models = shipped_models(chosen_preset)
    engine = engine_with(models, place, chosen_preset)
    asked = resolved(labelled, engine, str(questions))
    unknown = unknown_labels(labelled, engine.index)
    observations = observe_all(engine, asked)
    fitted_on = 0
    if fit:
        learnt_from, kept = halves(observations)
        models, fitted_on = fit_models(learnt_from), len(learnt_from)
        # With other probabilities another answer may be the surest: the rest of the questions is asked anew.
        kept_ids = {observation.id for observation in kept}
        again = [item for item in asked if item.id in kept_ids]
        observations = observe_all(engine_with(models, place, chosen_preset), again)
    choice = choose(observations, models, risk, delta, by_topic=by_topic, fitted_on=fitted_on)
    calibration = calibration_of(choice, chosen_preset, engine.index_version, datetime.now(UTC))

    # Drawing takes a second to load; nobody who mistypes a path should wait for it.
    from covan.calibrating.report import write_report  # noqa: PLC0415

    page = write_report(
        out or settings().state_dir / "reports", choice, calibration, observations, questions.name
    )
    for line in _told(choice, observations, by_topic=by_topic):
        console.print(line)
    for each in unknown:
        console.print(f"Warning: {Problem(questions.name, each.message, each.line)}")
    if dry_run:
        console.print("Nothing was changed (--dry-run).")
    else:
        saved = save_calibration(place, calibration)
        console.print(f"Written to {saved}; `covan calibrate --remove` goes back to the shipped threshold.")
    console.print(f"Report: {page}")
    if all(certificate.threshold is None for certificate in choice.certificates):
        raise typer.Exit(EXIT_NOTHING_CERTIFIED)


def engine_with(models: ProbabilityModels, index: Path, preset: str) -> Engine:
    """Return the engine as it runs with these models, whatever was chosen before. Raises what `Engine.open` does."""
    return Engine.open(index, preset, load_embedder(settings().embedder), Chosen(models))


def observe_all(engine: Engine, labelled: Sequence[Labelled]) -> list[Observation]:
    """Return the engine's proposal for each question, with a progress bar."""
    # The model loads at the first question.
    engine.search(WARM_UP, 1)
    shown: Iterable[Labelled] = track(labelled, "Asking", console=Console(stderr=True), transient=True)
    return [observe(item, engine.propose) for item in shown]


def _told(choice: Choice, observations: Sequence[Observation], *, by_topic: bool) -> list[str]:
    lines = summary(choice)
    if by_topic and not choice.by_topic:
        lines.append("No topic has enough questions for a threshold of its own: one threshold for all.")
    if again := repeated(observations):
        lines.append(
            f"Warning: {again} of the questions repeat another one word for word. Repetitions are no evidence: "
            "the confidence is less than stated."
        )
    return lines
