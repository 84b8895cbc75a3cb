"""`covan channel`: what a platform must be told once, before students can write to the bot there."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any

import typer
from rich.console import Console

from rag.errors import CovanError
from rag.settings import settings


class Platform(StrEnum):
    """The channels that must be registered: `covan/NAME_setup.py` has `register(settings, console)`, which may be done
    again, and `check(settings)`, for `covan doctor`; and `remove(settings, console)` where that makes sense."""

    TELEGRAM = "telegram"
    MESSENGER = "messenger"
    ZALO = "zalo"


def setup_of(platform: Platform) -> Any:
    """Return the module that knows a platform's registration."""
    return import_module(f"covan.{platform}_setup")


def run(
    platform: Annotated[Platform, typer.Argument(help="The platform.")],
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the registration back: no more messages are brought.")
    ] = False,
) -> None:
    """Register the bot with Telegram, Messenger or Zalo: where it is reached, its menu, what it says of itself.

    Once after setting up, and again after a change of the address, the secret or the menu.
    `covan doctor --channel NAME` checks it.
    """
    setup, console = setup_of(platform), Console(highlight=False, soft_wrap=True)
    if not remove:
        setup.register(settings(), console)
    elif hasattr(setup, "remove"):
        setup.remove(settings(), console)
    else:
        raise CovanError(f"There is nothing to take back on {platform}.")
