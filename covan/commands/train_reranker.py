"""`covan train-reranker`: adapt the ranking of passages to a school, when that makes it better."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from covan.evaluation.labels import read_labelled
from covan.ranking.adapt import Adapted, adapt
from covan.ranking.collect import Collected, collect
from covan.ranking.fit import FOLDS
from rag.decide.calibration import calibration_file
from rag.errors import SettingsError
from rag.index.versions import read_manifest
from rag.json_file import remove_json, write_json
from rag.pipeline import load_pipeline
from rag.rerank.learned import LearnedRerank
from rag.rerank.ranking_model import ranking_file, ranking_in_force, shipped_ranking
from rag.retrieve.embedder import load_embedder
from rag.settings import settings

LEAST_GROUPS = 20
"""Fewer different questions than this teach nothing that can be told from chance."""

EXIT_NOT_BETTER = 1


def run(
    questions: Annotated[
        Path | None,
        typer.Option(
            help="CSV of labelled questions: decision and source (ids of documents or entries), optionally locator."
        ),
    ] = None,
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    preset: Annotated[str | None, typer.Option(help="The pipeline.", show_default="covan")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the model goes.", show_default="INDEX/reranker.json")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Go back to the shipped model.")] = False,
) -> None:
    """Learn the ranking of passages from the FAQ and labelled questions; keep it when it is better."""
    place, chosen_preset = index or settings().index_dir, preset or settings().preset
    console = Console(highlight=False, markup=False, soft_wrap=True)
    # The index must be one: a mistyped path would otherwise say that there is nothing to remove.
    read_manifest(place)
    if remove:
        removed = remove_json(ranking_file(place))
        console.print("Back to the shipped model." if removed else "There was no model of its own to remove.")
        return
    labelled = read_labelled(questions) if questions else []
    pipeline, embedder = load_pipeline(chosen_preset), load_embedder(settings().embedder)
    found = collect(place, embedder, pipeline.retrieval, labelled, date.today())
    groups = len({example.group for example in found.examples if example.relevant.any()})
    if groups < LEAST_GROUPS:
        raise SettingsError(_too_few(found, groups, questions))
    with Console(stderr=True).status("Learning"):
        adapted = adapt(found.examples, shipped_ranking(), embedder.name)
    for line in told(found, adapted):
        console.print(line)
    own = ranking_in_force(place, embedder.name) != shipped_ranking()
    if not adapted.is_better:
        console.print(
            "That is not better by more than chance. Nothing was changed: "
            + ("the school's own model stays (--remove ends it)." if own else "the shipped model stays.")
        )
        raise typer.Exit(EXIT_NOT_BETTER)
    target = out or ranking_file(place)
    write_json(target, adapted.model)
    console.print(f"Written to {target}.")
    if target == ranking_file(place):
        console.print("`covan train-reranker --remove` goes back to the shipped model.")
        if calibration_file(place, chosen_preset).exists():
            console.print(
                "The threshold was calibrated with the ranking before: run `covan calibrate` again, its promise holds "
                "for the answers of that ranking only."
            )
    if not any(isinstance(source.rerank, LearnedRerank) for source in pipeline.sources):
        console.print(
            f"Note: the preset {chosen_preset} does not rank by what is learnt (`rerank: learned`)."
        )


def told(found: Collected, adapted: Adapted) -> list[str]:
    """Return the examples learnt from and the gain: MRR@10 and the share of right first passages."""
    missed = sum(not example.relevant.any() for example in found.examples)
    groups = len({example.group for example in found.examples})
    sources = f"{found.from_faq} from the FAQ, {found.from_labels} labelled"
    return [
        f"{len(found.examples)} ways to ask {groups} questions ({sources}); for {missed} of them no passage that "
        "answers is among those looked at.",
        "",
        f"  {'':<16}{'MRR@10':>8}{'first':>8}",
        *(
            f"  {name:<16}{quality.mrr:>8.4f}{quality.first:>8.4f}"
            for name, quality in (("shipped model", adapted.before), ("adapted", adapted.after))
        ),
        "",
        f"Each question was ranked by a model that had not seen it ({FOLDS} parts; all ways to ask one question are in "
        "the same part).",
    ]


def _too_few(found: Collected, groups: int, questions: Path | None) -> str:
    if not found.from_faq and questions is None:
        return (
            "there is nothing to learn from: no FAQ entry has sources that are found in the documents. Give entries "
            "`sources: [{document: ..., locator: ...}]`, or labelled questions by --questions FILE.csv"
        )
    return (
        f"there are too few questions to learn from: {groups} have an answer among the passages found, it takes "
        f"{LEAST_GROUPS} (FAQ entries with sources, or questions labelled `answer` with a source in --questions)"
    )
