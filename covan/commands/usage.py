"""`covan usage`: tokens, money and time of the language model, day by day."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rag.errors import CovanError
from rag.language_model.ledger import Budget, Ledger
from rag.language_model.types import ModelUnavailableError
from rag.settings import settings


def run(
    days: Annotated[int, typer.Option(help="Days to look back, today included (UTC).", min=1, max=400)] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="Print the days as JSON.")] = False,
) -> None:
    """Print the calls, tokens, cost and mean time of the language model for each day."""
    wanted = settings()
    try:
        used = Ledger(wanted.llm_ledger, Budget()).usage(days) if wanted.llm_ledger.exists() else []
    except ModelUnavailableError as error:
        raise CovanError(f"{wanted.llm_ledger} cannot be read: {error}") from error
    if as_json:
        typer.echo(json.dumps([asdict(day) for day in used]))
        return
    table = Table(
        "day", "model", "calls", "failed", "from cache", "tokens sent", "written", "cost", "seconds a call"
    )
    for day in used:
        counts = (day.calls, day.failed, day.cached, day.prompt_tokens, day.completion_tokens)
        seconds = day.latency_ms / 1000 / day.calls if day.calls else 0.0
        table.add_row(day.day, day.model, *map(str, counts), f"{day.cost:.4f}", f"{seconds:.1f}")
    Console(highlight=False).print(table if used else "The language model has not been used.")
