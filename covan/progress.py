"""The progress bar of commands that take longer than two seconds."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def progress_bars(console: Console, width: int = 0) -> Progress:
    """Return bars with how much is done, for how long, and how long it still takes; gone when all is done.

    Descriptions are `width` characters wide at least, so that several bars stand below each other.
    """
    return Progress(
        TextColumn(f"{{task.description:<{width}}}" if width else "{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
