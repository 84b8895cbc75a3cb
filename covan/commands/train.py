"""`covan train`: make the Rasa model anew when what it learns from has changed."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from covan import priority
from covan.live_model import wait_until_live
from covan.project import ROOT
from covan.rasa_model import ensure_model
from covan.state_folder import keep_private
from rag.settings import settings


def run(
    force: Annotated[bool, typer.Option(help="Train even when nothing has changed.")] = False,
    candidate: Annotated[
        bool,
        typer.Option(
            "--candidate", help="Do not use it yet: it is compared in the console, and promoted there."
        ),
    ] = False,
) -> None:
    """Train the Rasa model when what it learns from has changed; a chat that is running takes it over."""
    console = Console(highlight=False)
    keep_private(settings())
    # The index that is built first, too.
    priority.give_way(priority.TRAINING)
    model = ensure_model(force=force, candidate=candidate, console=console)
    if candidate:
        return
    wanted = settings()
    if wait_until_live(wanted.model_copy(update={"state_dir": ROOT / wanted.state_dir}), model):
        console.print("The chat that is running uses it.")
