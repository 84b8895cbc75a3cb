"""Building the index of a knowledge folder with a progress bar, unless it is current."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from covan.progress import progress_bars
from covan.training_data.school_teaching import SchoolTeaching
from rag.index.versions import read_manifest
from rag.ingest.build import build_index, is_current
from rag.retrieve.embedder import Embedder, load_embedder
from rag.settings import Settings, settings

STEPS = {
    "read": "Reading",
    "split": "Splitting",
    "embed": "Embedding",
    "index": "Indexing",
    "learn": "Learning intents",
    "graph": "Linking",
}


def ensure_index(wanted: Settings) -> None:
    """Build the index of the settings' knowledge folder unless it is current."""
    console = Console(stderr=True, highlight=False)
    build(wanted.knowledge_dir, wanted.index_dir, console, load_embedder(wanted.embedder))


def build(source: Path, out: Path, console: Console, embedder: Embedder | None = None) -> None:
    """Build an index with a progress bar, unless it was made from just these files by this embedder.

    Without `embedder` it is the settings' one.
    """
    embedder = embedder or load_embedder(settings().embedder)
    teaching = SchoolTeaching()
    if is_current(out, source, embedder, teaching):
        manifest = read_manifest(out)
        console.print(
            f"The index is current: {manifest.documents} documents, {manifest.passages} passages, "
            f"{manifest.faq} FAQ entries."
        )
        return
    with progress_bars(console, 16) as bars:
        tasks = {}

        def progress(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(STEPS[step], total=total)
            bars.update(tasks[step], completed=done, total=total)

        manifest, knowledge = build_index(source, out, embedder, progress, teaching)
    for warning in knowledge.warnings:
        console.print(f"[yellow]warning:[/yellow] {warning.told(settings().language)}")
    console.print(
        f"Indexed {manifest.documents} documents as {manifest.passages} passages, and {manifest.faq} FAQ entries "
        f"(version {manifest.version}); {manifest.nodes} nodes and {manifest.edges} edges in the graph "
        "(covan graph check tells what was left out)."
    )
