"""`covan answer`: a CSV of questions into JSON lines of decisions and answers."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from covan.batch import Row, read_questions, write_lines
from covan.batch_contract import WARM_UP, reply_fields
from covan.configured_engine import open_engine
from covan.profile_arguments import all_resolved
from rag.engine import Engine


def run(
    questions: Annotated[
        Path, typer.Option(help="CSV with id, question, and optionally a column for each dimension: cohort …")
    ],
    out: Annotated[Path, typer.Option(help="Where the JSON lines go.")],
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    preset: Annotated[str | None, typer.Option(help="The pipeline.", show_default="covan")] = None,
) -> None:
    """Answer a CSV of questions into JSON lines."""
    asked = read_questions(questions)
    engine = open_engine(index, preset)
    rows = all_resolved(asked, engine, str(questions))
    # The model loads at the first question; that is not the time of an answer.
    engine.search(WARM_UP, 1)
    write_lines(rows, len(rows), out, lambda row: answer_line(engine, row), "Answering")


def answer_line(engine: Engine, row: Row) -> dict[str, Any]:
    """Return the reply to a row, as a JSON object of the batch contract."""
    start = perf_counter()
    reply = engine.reply(row.question)
    return {"id": row.id, **reply_fields(reply), "latency_ms": round(1000 * (perf_counter() - start), 3)}
