"""`covan graph`: the knowledge graph of an index, one sub-command for each thing to do with it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from rag.errors import IndexUnusableError
from rag.graph.checks import check_graph
from rag.graph.stores import reports_of
from rag.index.versions import current_folder, open_index
from rag.messages import in_language
from rag.retrieve.embedder import load_embedder
from rag.settings import settings
from school.clock import today

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

IndexFolder = Annotated[Path | None, typer.Option("--index", help="The index.", show_default=".covan/index")]


@app.callback()
def _graph() -> None:
    """Look into the knowledge graph of an index."""


@app.command()
def check(
    index: IndexFolder = None,
    left_out: Annotated[
        bool, typer.Option("--all", help="Also list what was left out when the graph was built.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check the graph: references to nothing, replaced documents still cited, offices without a contact.

    The exit code is 1 when something is wrong.
    """
    chosen = settings()
    out = index or chosen.index_dir
    opened = open_index(out, load_embedder(chosen.embedder))
    if opened.store is None:
        raise IndexUnusableError(opened.graph_fault or f"the index in {out} has no graph; run `covan index`")
    day = today(opened.dictionaries.catalog.school.time_zone)
    problems = check_graph(opened.store, opened.faq, day)
    reports = reports_of(current_folder(out))
    nodes, edges = opened.store.counts()
    if as_json:
        said = {"nodes": nodes, "edges": edges, "problems": list(map(asdict, problems)), "left_out": reports}
        typer.echo(json.dumps(said, ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        console.print(f"{nodes} nodes, {edges} edges ({opened.store.name})")
        for problem in problems:
            told = in_language(problem.message, chosen.language)
            console.print(f"[yellow]{problem.check:<10}[/] {escape(problem.about)}: {escape(told)}")
        for line in reports if left_out else ():
            console.print(f"[dim]left out  [/] {escape(line)}")
        if reports and not left_out:
            console.print(f"{len(reports)} statements were left out of the graph (--all lists them).")
    raise typer.Exit(1 if problems else 0)
