"""`covan eval`: a suite of labelled questions, its figures, and whether they are what is claimed."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from rich.console import Console
from rich.progress import track
from rich.table import Table

from covan.commands.answer import WARM_UP
from covan.commands.batch import Row, read_questions
from covan.commands.index import build
from covan.evaluation import Judged, by_topic, measures
from covan.profiles import all_resolved
from rag.engine import Engine
from rag.errors import SettingsError
from rag.settings import settings
from rag.types import DecisionKind

SUITES = Path("benchmarks")
EXIT_BELOW = 1


class Suite(BaseModel):
    """What `benchmarks/NAME.yml` says: the data, and the least that each figure must be (the most, for latency)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    knowledge: Path
    questions: Path
    preset: str = "covan"
    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}


def run(
    suite: Annotated[
        str, typer.Argument(help="A name in benchmarks/, or the path of a .yml file.")
    ] = "sample_school",
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    errors: Annotated[bool, typer.Option(help="List every question that went wrong.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Only the figures, as JSON.")] = False,
) -> None:
    """Measure the engine on labelled questions."""
    described = read_suite(suite)
    console = Console(highlight=False, stderr=as_json)
    place = index or settings().index_dir
    build(described.knowledge, place, Console(stderr=True, highlight=False))
    engine = Engine.open(place, described.preset)
    engine.search(WARM_UP, 1)
    rows = all_resolved(read_questions(described.questions), engine, str(described.questions))
    judged = [
        judge(engine, row) for row in track(rows, "Answering", console=Console(stderr=True), transient=True)
    ]
    figures = measures(judged)
    missed = missed_figures(described, figures)
    if as_json:
        typer.echo(json.dumps({name: round(value, 4) for name, value in figures.items()}))
    else:
        _print(described, judged, figures, missed, console)
        if errors:
            _print_errors(judged, console)
    for name in sorted(missed - figures.keys()):
        typer.echo(f"{name} is claimed, but there is no such figure", err=True)
    if missed:
        raise typer.Exit(EXIT_BELOW)


def read_suite(name: str) -> Suite:
    """Raises SettingsError when there is no such suite or it does not say what it must."""
    path = Path(name) if name.endswith((".yml", ".yaml")) else SUITES / f"{name}.yml"
    if not path.is_file():
        names = ", ".join(sorted(file.stem for file in SUITES.glob("*.yml"))) or "none"
        raise SettingsError(f"there is no suite {name!r}; there are: {names}")
    try:
        return Suite.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(f"{path}: {error}") from error


def judge(engine: Engine, row: Row) -> Judged:
    """Ask one labelled question. Raises SettingsError when its decision is none."""
    try:
        expected = DecisionKind(row.fields.get("decision", ""))
    except ValueError as error:
        raise SettingsError(
            f"question {row.id}: the decision must be answer, clarify or no_answer"
        ) from error
    start = perf_counter()
    reply = engine.reply(row.question)
    seconds = perf_counter() - start
    return Judged(
        id=row.id,
        question=row.question.text,
        topic=row.fields.get("topic", ""),
        expected=expected,
        sources=frozenset(filter(None, row.fields.get("source", "").split("|"))),
        reply=reply,
        seconds=seconds,
        embed_seconds=reply.trace.stages_ms.get("embed", 0.0) / 1000,
    )


def missed_figures(suite: Suite, figures: dict[str, float]) -> set[str]:
    """The figures that are not what the suite claims, or that there are not."""
    low = {name for name, least in suite.at_least.items() if not figures.get(name, -inf) >= least}
    high = {name for name, most in suite.at_most.items() if not figures.get(name, inf) <= most}
    return low | high


def _print(
    suite: Suite, judged: list[Judged], figures: dict[str, float], missed: set[str], console: Console
) -> None:
    table = Table("figure", "measured", "claimed", "", title=f"{suite.title}: {len(judged)} questions")
    for name, value in figures.items():
        least, most = suite.at_least.get(name), suite.at_most.get(name)
        claimed = f">= {least:g}" if least is not None else f"<= {most:g}" if most is not None else ""
        verdict = "" if not claimed else "FAIL" if name in missed else "OK"
        table.add_row(name, f"{value:.3f}", claimed, verdict)
    console.print(table)
    topics = Table("topic", "questions", "right")
    for topic, (count, share) in by_topic(judged).items():
        topics.add_row(topic, str(count), f"{share:.2f}")
    console.print(topics)


def _print_errors(judged: list[Judged], console: Console) -> None:
    table = Table("id", "question", "expected", "got", "harmful", show_lines=True)
    for item in judged:
        if not item.right:
            decision = item.reply.decision
            got = [decision.kind.value, item.reply.answer_id or "", *decision.missing, *decision.reasons]
            table.add_row(
                item.id,
                item.question,
                f"{item.expected.value} {' '.join(sorted(item.sources))}",
                " ".join(filter(None, got)),
                "yes" if item.harmful else "",
            )
    console.print(table)
