"""`covan enrich`: a language model writes texts by which FAQ entries and clauses are found; no student sees them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from covan import priority
from covan.progress import progress_bars
from covan.state_folder import keep_private
from rag.enrichment.run import Limit, Outcome, Stopped, enrich, needed_by
from rag.enrichment.tasks import Task, tasks_of
from rag.errors import CovanError
from rag.ingest.generated_texts import GeneratedKind, GeneratedTexts
from rag.ingest.load import load_knowledge
from rag.language_model.choice import chosen_settings
from rag.language_model.configured import configured_budget, configured_model
from rag.language_model.ledger import Budget
from rag.language_model.types import ModelFailure
from rag.settings import Settings, settings
from school.clock import today

NAMES = {
    GeneratedKind.WORDINGS: "FAQ entries for further wordings",
    GeneratedKind.QUESTIONS: "passages for questions",
    GeneratedKind.RELATIONS: "passages for relations",
}

STOPS: dict[Stopped | ModelFailure, str] = {
    Stopped.LIMIT: "the limit of this run is reached (--most-tokens, --most-cost)",
    Stopped.UNREADABLE: "the model does not reply in the JSON that is asked for; covan doctor checks its JSON mode",
    ModelFailure.BUDGET: "the budget of the day is used up (COVAN_LLM_DAILY_TOKENS, COVAN_LLM_DAILY_COST); "
    "run it again tomorrow",
    ModelFailure.TIMEOUT: "the model takes longer than --timeout allows",
    ModelFailure.UNREACHABLE: "the server of COVAN_LLM_URL cannot be reached, or has not loaded its model yet",
    ModelFailure.REFUSED: "the server refuses the requests; covan doctor checks address, key, model and JSON mode",
    ModelFailure.LEDGER: "the file with the model's usage cannot be written; covan doctor says more",
}
"""What to do about a run that ended early."""

EXIT_STOPPED = 1
"""Exit code of a run that left something for the next one."""


def run(
    source: Annotated[
        Path | None, typer.Argument(help="The knowledge folder.", show_default="knowledge")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The index beside which the texts are kept.", show_default=".covan/index"),
    ] = None,
    only: Annotated[
        list[GeneratedKind] | None, typer.Option(help="A kind of texts; may be given again. All by default.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell calls, tokens and cost, and call nothing.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Print what is kept, a JSON line for each source; call nothing.")
    ] = False,
    most_tokens: Annotated[
        int | None,
        typer.Option(
            help="The most tokens of this run; 0: no limit.", min=0, show_default="half of the day's budget"
        ),
    ] = None,
    most_cost: Annotated[
        float | None,
        typer.Option(
            help="The most money of this run; 0: no limit.", min=0, show_default="half of the day's budget"
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for a call.", min=1)] = 120.0,
) -> None:
    """Let a language model write texts that help to find answers. `covan index` then uses them, without a model.

    What is written once is kept: a run that was stopped goes on where it was, and only changed sources are sent again.
    The exit code is 1 when something is left for another run.
    """
    wanted = settings()
    if out is None:
        keep_private(wanted)
    source, out = source or wanted.knowledge_dir, out or wanted.index_dir
    console = Console(stderr=True, highlight=False)
    kept = GeneratedTexts(out)
    if show:
        for row in kept.rows():
            said = {
                "kind": row.kind.value,
                "source": row.source,
                "generated_by": row.model,
                "at": row.made_at,
            }
            print(json.dumps({**said, "texts": row.texts, "refused": row.refused}, ensure_ascii=False))
        return
    knowledge = load_knowledge(source)
    kinds = frozenset(only or GeneratedKind)
    day = today(knowledge.catalog.school.time_zone)
    chosen = chosen_settings(wanted)
    found = tasks_of(knowledge, kinds, day, chosen.llm_temperature)
    known = kept.read().texts
    pending = [task for task in found.wanted if task.key not in known]
    budget = configured_budget(chosen)
    if found.withheld:
        console.print(
            f"[yellow]warning:[/yellow] {len(found.withheld)} sources give orders to a language model and are not "
            f"sent: {escape(', '.join(found.withheld[:5]))}"
        )
    console.print(f"{len(found.wanted) - len(pending)} of {len(found.wanted)} sources have their texts.")
    if not pending:
        console.print("There is nothing to write.")
        return
    _tell_needed(pending, budget, console)
    if dry_run:
        return
    limit = Limit(
        budget.tokens // 2 if most_tokens is None else most_tokens,
        budget.cost / 2 if most_cost is None else most_cost,
    )
    outcome = _written(pending, kept, limit, timeout, chosen, console)
    _tell(outcome, len(pending), console)
    if outcome.done < len(pending):
        raise typer.Exit(EXIT_STOPPED)


def _tell_needed(pending: Sequence[Task], budget: Budget, console: Console) -> None:
    counts = Counter(task.kind for task in pending)
    listed = ", ".join(f"{counts[kind]} {NAMES[kind]}" for kind in NAMES if counts[kind])
    needed = needed_by(pending)
    has_prices = budget.prompt_price or budget.completion_price
    cost = (
        f"cost at most {needed.price(budget):.2f}"
        if has_prices
        else "cost unknown, as COVAN_LLM_PROMPT_PRICE and COVAN_LLM_COMPLETION_PRICE are not set"
    )
    console.print(f"To write: {listed}.")
    console.print(
        f"{needed.calls} calls, about {needed.prompt_tokens} tokens sent, at most {needed.completion_tokens} "
        f"written, {cost}."
    )


def _written(
    pending: Sequence[Task],
    kept: GeneratedTexts,
    limit: Limit,
    timeout_s: float,
    wanted: Settings,
    console: Console,
) -> Outcome:
    """Do the tasks with a progress bar. Ctrl-C ends it like a limit."""
    access = configured_model(wanted)
    if access is None:
        raise CovanError(
            "no language model is set up: write COVAN_LLM_URL and COVAN_LLM_MODEL into .env "
            "(docs/mo-hinh-ngon-ngu.md); --dry-run and --show need none"
        )
    priority.give_way(priority.TRAINING)
    outcome = Outcome()
    with progress_bars(console) as bars:
        bar = bars.add_task("Writing", total=len(pending))
        try:
            for _ in enrich(pending, access, kept, outcome, limit, timeout_s):
                told = f"Writing, {outcome.written} texts, {outcome.tokens} tokens"
                bars.update(bar, advance=1, description=told)
        except KeyboardInterrupt:
            outcome.stopped = Stopped.BY_HAND
    return outcome


def _tell(outcome: Outcome, wanted: int, console: Console) -> None:
    refused = outcome.refused.most_common()
    told = f" ({', '.join(f'{why}: {count}' for why, count in refused)})" if refused else ""
    console.print(
        f"{outcome.done} of {wanted} sources done: {outcome.written} texts kept, {outcome.refused.total()} did not "
        f"pass the checks{told}; {outcome.tokens} tokens, cost {outcome.cost:.4f}."
    )
    if outcome.failed:
        console.print(f"{outcome.failed} calls brought nothing; the next run asks again.")
    if outcome.stopped is not None and outcome.stopped is not Stopped.BY_HAND:
        console.print(f"[yellow]Stopped:[/yellow] {STOPS.get(outcome.stopped, outcome.stopped.value)}.")
    if outcome.done < wanted:
        console.print("What is done is kept: `covan enrich` goes on where it was.")
    if outcome.done:
        console.print("Run `covan index` to use the texts.")
