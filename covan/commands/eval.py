"""`covan eval`: a suite of labelled questions, its figures and its claims."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from covan.batch_contract import WARM_UP
from covan.evaluation.breakdown import NO_TOPIC, Outcome, by_topic, confusion
from covan.evaluation.compare import compared_figures, difference
from covan.evaluation.judged import Judged
from covan.evaluation.labels import Labelled, read_labelled
from covan.evaluation.measure import Run, measure, resolved, undiacritised
from covan.evaluation.suite import Claim, Suite, claims, index_name, knowledge_folder, located, read_suite
from covan.indexing import build
from covan.report.suite_report import Report
from rag.engine import Engine
from rag.errors import CovanError
from rag.index.versions import open_index
from rag.language_model.configured import configured_model
from rag.language_model.exchange import ModelAccess
from rag.pipeline import PRESETS
from rag.retrieve.embedder import load_embedder
from rag.settings import settings

EXIT_BELOW = 1
ALL = "all"


def run(  # noqa: PLR0913, PLR0917  one a command-line option
    suite: Annotated[
        str, typer.Argument(help="A name in benchmarks/, or the path of a .yml file.")
    ] = "sample_school",
    data: Annotated[
        Path | None,
        typer.Option(envvar="COVAN_EVAL_DATA", help="Where questions are that are not part of the project."),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Another pipeline.", show_default="the suite's own")
    ] = None,
    compare: Annotated[
        list[str] | None, typer.Option(help="A preset to set beside it; give it again for more, or `all`.")
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help="Where the index is kept.", show_default=".covan/eval/KNOWLEDGE")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the report goes.", show_default=".covan/reports")
    ] = None,
    model: Annotated[
        bool,
        typer.Option(
            "--model", help="Let the language model of the settings word answers. It may cost money."
        ),
    ] = False,
    errors: Annotated[bool, typer.Option(help="List every question that went wrong.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Only the figures, as JSON.")] = False,
) -> None:
    """Measure the engine on labelled questions, and write a report."""
    name = Path(suite).stem
    written = read_suite(suite)
    described = located(written, data)
    labelled = read_labelled(described.questions, described.labels)
    access = configured_model(settings()) if model else None
    if model and access is None:
        raise CovanError("--model needs a language model: set COVAN_LLM_URL and COVAN_LLM_MODEL in .env")
    presets = presets_to_run(preset or described.preset, compare or [])
    console = Console(highlight=False, stderr=as_json)

    place = index or settings().state_dir / "eval" / index_name(written.knowledge)
    with knowledge_folder(described.knowledge) as folder:
        build(folder, place, Console(stderr=True, highlight=False))
    runs = _measured(place, presets, labelled, described, access)
    found = claims(described, runs[0].figures)

    # Drawing takes a second to load; nobody who mistypes a suite's name should wait for it.
    from covan.report.suite_files import write  # noqa: PLC0415

    report = Report(name, described, tuple(runs), tuple(found), datetime.now(UTC))
    pages = write(report, out or settings().state_dir / "reports")
    if as_json:
        typer.echo(json.dumps(_rounded(runs)))
    else:
        _print(described, runs[0], found, console)
        if len(runs) > 1:
            _print_comparison(runs, console)
        if errors:
            _print_errors(runs[0].judged, console)
    for path in pages:
        typer.echo(f"Written: {path}", err=True)
    for claim in found:
        if claim.measured is None:
            typer.echo(f"{claim.figure} is claimed, but there is no such figure", err=True)
    if not all(claim.kept for claim in found):
        raise typer.Exit(EXIT_BELOW)


def presets_to_run(own: str, compare: Sequence[str]) -> list[str]:
    """Return the suite's preset first, then those to compare, none twice; `all` stands for every preset there is."""
    others: list[str] = []
    for name in compare:
        others += sorted(file.stem for file in PRESETS.glob("*.yml")) if name == ALL else [name]
    return list(dict.fromkeys([own, *others]))


def called(presets: Sequence[str]) -> list[str]:
    """Return the names of presets in a report: a file without its folder, unless two would be the same."""
    short = [Path(preset).stem for preset in presets]
    return [name if short.count(name) == 1 else preset for name, preset in zip(short, presets, strict=True)]


def _measured(
    place: Path,
    presets: Sequence[str],
    labelled: Sequence[Labelled],
    suite: Suite,
    model: ModelAccess | None,
) -> list[Run]:
    embedder = load_embedder(settings().embedder)
    # All are opened before any is measured: a misspelt preset is told at once.
    engines = [Engine.open(place, preset, embedder, model=model) for preset in presets]
    documents = frozenset(passage.document_id for passage in open_index(place, embedder).passages)
    runs: list[Run] = []
    for name, engine in zip(called(presets), engines, strict=True):
        # The model and the index load at the first question; that is not the time of an answer.
        engine.search(WARM_UP, 1)
        questions = resolved(labelled, engine, str(suite.questions))
        run = measure(engine, name, questions, documents, _progress)
        if suite.undiacritised and not runs:
            run = undiacritised(engine, run, documents, _progress)
        runs.append(run)
    return runs


def _progress(items: Sequence[Labelled], heading: str) -> Iterable[Labelled]:
    return track(items, f"Answering ({heading})", console=Console(stderr=True), transient=True)


def _rounded(runs: Sequence[Run]) -> dict[str, object]:
    def figures(run: Run) -> dict[str, object]:
        return {name: round(value, 4) for name, value in run.figures.items()}

    if len(runs) == 1:
        return figures(runs[0])
    return {**figures(runs[0]), "presets": {run.preset: figures(run) for run in runs}}


def _print(suite: Suite, run: Run, found: Sequence[Claim], console: Console) -> None:
    claimed = {claim.figure: claim for claim in found}
    shares = {f"{item.labelled.label}.{item.decision}" for item in run.judged}
    table = Table("figure", "measured", "claimed", "", title=f"{suite.title}: {len(run.judged)} questions")
    for name, value in run.figures.items():
        claim = claimed.get(name)
        if claim is None and (name in shares or value == 0):
            continue
        limit = f"{claim.limit} {claim.claimed:g}" if claim else ""
        verdict = "" if claim is None else "OK" if claim.kept else "FAIL"
        table.add_row(name, f"{value:.3f}", limit, verdict)
    console.print(table)
    counted = Table(
        "labelled", *(outcome.replace("_", " ") for outcome in Outcome), title="What came of them"
    )
    for label, outcomes in confusion(run.judged).items():
        counted.add_row(label, *(str(outcomes[outcome]) for outcome in Outcome))
    console.print(counted)
    topics = by_topic(run.judged)
    if topics.keys() != {NO_TOPIC}:
        parts = Table("topic", "questions", "right", "answered")
        for topic, part in topics.items():
            parts.add_row(escape(topic), str(part.questions), f"{part.right:.2f}", f"{part.answered:.2f}")
        console.print(parts)


def _print_comparison(runs: Sequence[Run], console: Console) -> None:
    table = Table("figure", *(escape(run.preset) for run in runs), title="Side by side")
    for name in compared_figures(runs):
        values = (run.figures.get(name) for run in runs)
        table.add_row(name, *("" if value is None else f"{value:.3f}" for value in values))
    console.print(table)
    for other in runs[1:]:
        found = difference(runs[0], other)
        console.print(
            f"{escape(found.one)} alone is right on {len(found.gained)} questions, "
            f"{escape(found.other)} alone on {len(found.lost)}"
        )


def _print_errors(judged: Sequence[Judged], console: Console) -> None:
    table = Table("id", "question", "expected", "got", "harmful", show_lines=True)
    for item in judged:
        if not item.right:
            decision = item.reply.decision
            got = [decision.kind.value, item.reply.answer_id or "", *decision.missing, *decision.reasons]
            table.add_row(
                escape(item.id),
                escape(item.labelled.question.text),
                escape(f"{item.labelled.label} {' '.join(sorted(item.labelled.sources))}"),
                escape(" ".join(filter(None, got))),
                "yes" if item.harmful else "",
            )
    console.print(table)
