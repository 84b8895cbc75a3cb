"""`covan index`: from a folder of documents, FAQ and facts to what the engine searches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from rag.index.versions import current_version, kept_versions, read_manifest, roll_back
from rag.ingest.build import SHIPPED_VECTORS, build_index, is_current, write_shipped_vectors
from rag.retrieve.embedder import Embedder, load_embedder
from rag.settings import Settings, settings

STEPS = {"read": "Reading", "split": "Splitting", "embed": "Embedding", "index": "Indexing"}


def run(
    source: Annotated[
        Path | None, typer.Argument(help="The knowledge folder.", show_default="knowledge")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the index goes.", show_default=".covan/index")
    ] = None,
    back: Annotated[bool, typer.Option("--roll-back", help="Go back to the version before.")] = False,
    use: Annotated[str | None, typer.Option(metavar="VERSION", help="Go to a version that is kept.")] = None,
    versions: Annotated[bool, typer.Option("--versions", help="List the versions that are kept.")] = False,
    ship_vectors: Annotated[
        bool, typer.Option(help="Also write vectors.npz into the folder, so that others need not embed.")
    ] = False,
) -> None:
    """Build the index of a folder with documents, FAQ and facts."""
    source, out = source or settings().knowledge_dir, out or settings().index_dir
    console = Console(stderr=True, highlight=False)
    if versions:
        show_versions(out)
        return
    if back or use:
        console.print(f"Version {roll_back(out, use)} is the current one.")
        return
    embedder = load_embedder(settings().embedder)
    build(source, out, console, embedder)
    if ship_vectors:
        count = write_shipped_vectors(source, out, embedder)
        console.print(f"{count} vectors written to {source / SHIPPED_VECTORS}.")


def show_versions(out: Path) -> None:
    """Print a line for each version that is kept, the last published first; `*` marks the current one."""
    current = current_version(out)
    for manifest in kept_versions(out):
        mark = "*" if manifest.version == current else " "
        print(
            f"{mark} {manifest.version}  {manifest.built_at}  {manifest.documents} documents, "
            f"{manifest.passages} passages, {manifest.faq} FAQ entries"
        )


def ensure_index(wanted: Settings) -> None:
    """Build the index of the settings' knowledge folder unless it is current."""
    console = Console(stderr=True, highlight=False)
    build(wanted.knowledge_dir, wanted.index_dir, console, load_embedder(wanted.embedder))


def build(source: Path, out: Path, console: Console, embedder: Embedder | None = None) -> None:
    """Build an index with a progress bar, unless it was made from just these files by this embedder.

    Without `embedder` it is the settings' one.
    """
    embedder = embedder or load_embedder(settings().embedder)
    if is_current(out, source, embedder):
        manifest = read_manifest(out)
        console.print(
            f"The index is current: {manifest.documents} documents, {manifest.passages} passages, "
            f"{manifest.faq} FAQ entries."
        )
        return
    with Progress(
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bars:
        tasks = {}

        def progress(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(STEPS[step], total=total)
            bars.update(tasks[step], completed=done, total=total)

        manifest, knowledge = build_index(source, out, embedder, progress)
    for warning in knowledge.warnings:
        console.print(f"[yellow]warning:[/yellow] {warning}")
    console.print(
        f"Indexed {manifest.documents} documents as {manifest.passages} passages, and {manifest.faq} FAQ entries "
        f"(version {manifest.version})."
    )
