"""`covan search`: documents ranked for a CSV of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covan.batch import read_questions, write_lines
from covan.configured_engine import open_engine


def run(
    questions: Annotated[Path, typer.Option(help="CSV with id and question.")],
    out: Annotated[Path, typer.Option(help="Where the JSON lines go.")],
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many documents a question.")] = 10,
    preset: Annotated[str | None, typer.Option(help="The pipeline.", show_default="covan")] = None,
) -> None:
    """Rank documents for a CSV of questions."""
    rows = read_questions(questions)
    engine = open_engine(index, preset)
    write_lines(
        rows,
        len(rows),
        out,
        lambda row: {"id": row.id, "ranking": engine.search(row.question.text, k)},
        "Searching",
    )
