"""`covan index`: from a folder of documents, FAQ and facts to what the engine searches."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from covan import priority, rasa
from covan.classifier_fit import untrained_topics
from covan.indexing import build
from covan.state_folder import keep_private
from covan.training_data.school_teaching import SchoolTeaching
from rag.index.versions import current_version, kept_versions, roll_back
from rag.ingest.build import SHIPPED_VECTORS, write_shipped_vectors
from rag.ingest.early_version import publish_early
from rag.retrieve.embedder import load_embedder
from rag.settings import settings


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
    wait: Annotated[
        bool, typer.Option(help="Begin when the standard input ends: the program is loaded by then.")
    ] = False,
    ship_vectors: Annotated[
        bool, typer.Option(help="Also write vectors.npz into the folder, so that others need not embed.")
    ] = False,
) -> None:
    """Build the index of a folder with documents, FAQ and facts; what has changed since the last time answers first."""
    if out is None and not ship_vectors:
        # Not when vectors are written into the knowledge folder, which others may read.
        keep_private(settings())
    source, out = source or settings().knowledge_dir, out or settings().index_dir
    console = Console(stderr=True, highlight=False)
    if versions:
        show_versions(out)
        return
    if back or use:
        console.print(f"Version {roll_back(out, use)} is the current one.")
        return
    embedder = load_embedder(settings().embedder)
    if wait and not _is_told():
        return
    if (early := publish_early(source, out, embedder)) is not None:
        console.print(f"What has changed answers already (version {early.version}); the whole index follows.")
    priority.give_way(priority.TRAINING)
    build(source, out, console, embedder)
    if source == settings().knowledge_dir:
        for warning in untrained_topics(source, rasa.models_dir(settings())):
            console.print(f"[yellow]warning:[/yellow] {warning.told(settings().language)}")
    if ship_vectors:
        count = write_shipped_vectors(source, out, embedder, SchoolTeaching())
        console.print(f"{count} vectors written to {source / SHIPPED_VECTORS}.")


def _is_told() -> bool:
    """Wait for the end of the input; return False when it ended because the process that started this one did."""
    started_by = os.getppid()
    sys.stdin.buffer.read()
    return os.getppid() == started_by


def show_versions(out: Path) -> None:
    """Print a line for each version that is kept, the last published first; `*` marks the current one."""
    current = current_version(out)
    for manifest in kept_versions(out):
        mark = "*" if manifest.version == current else " "
        print(
            f"{mark} {manifest.version}  {manifest.built_at}  {manifest.documents} documents, "
            f"{manifest.passages} passages, {manifest.faq} FAQ entries"
        )
