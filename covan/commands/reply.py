"""`covan reply`: a person's answer to a student, on the channel where they asked."""

from __future__ import annotations

import getpass
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from console.advisors_api import AdvisorsApi, RefusedError, Undelivered
from covan.advisors import connected
from covan.locale import sentences
from rag.errors import CovanError
from rag.settings import settings
from vietnamese.text import clean

EXIT_NOT_DELIVERED = 1
FATE_TIMEOUT_S = 6.0
"""Platforms answer within a second or two; what takes longer is told by `covan queue`."""

FATE_POLL_S = 0.3

Words = Mapping[str, str]


def run(
    conversation: Annotated[int, typer.Argument(help="The number of the conversation, from `covan queue`.")],
    text: Annotated[
        str | None, typer.Argument(help='What to answer; "-" reads it from standard input.')
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--as", help="Who answers: the student reads it.", show_default="your user name"),
    ] = None,
    take: Annotated[bool, typer.Option("--take", help="Tell the student that you have come.")] = False,
    give_back: Annotated[
        bool, typer.Option("--give-back", help="Let the bot answer again, afterwards.")
    ] = False,
) -> None:
    """Answer a student, or take a conversation and give it back to the bot."""
    if text is None and not take and not give_back:
        raise typer.BadParameter("give the answer, or --take, or --give-back")
    wanted = settings()
    say, console = sentences(wanted, "reply"), Console(highlight=False, soft_wrap=True)
    by = name or _user()
    with connected(wanted) as api, _told_plainly(conversation, say):
        if take:
            api.take(conversation, by)
            console.print(Text(say["taken"].format(conversation, by)))
        if text is not None:
            message = api.reply(conversation, by, sys.stdin.read() if text == "-" else text)
            undelivered = _fate(api, conversation, message, console, say, sentences(wanted, "queue"))
            if undelivered is not None and undelivered.state != "waiting":
                if give_back:
                    console.print(Text(say["kept"].format(conversation)))
                raise typer.Exit(EXIT_NOT_DELIVERED)
        if give_back:
            api.give_back(conversation, by)
            console.print(Text(say["given_back"].format(conversation)))


def _fate(
    api: AdvisorsApi, conversation: int, message: int, console: Console, say: Words, states: Words
) -> Undelivered | None:
    """Wait a little until the answer has been delivered, and say what came of it; what keeps it, if anything does."""
    deadline = time.monotonic() + FATE_TIMEOUT_S
    while True:
        found = api.conversation(conversation)
        kept = next((each for each in found.undelivered if each.message == message), None)
        if kept is not None:
            state = states[f"state_{kept.state}"]
            console.print(
                Text(say["not_delivered"].format(state=state, why=clean(kept.why)), style="bold red")
            )
            return kept
        if message not in found.on_its_way:
            console.print(Text(say["sent"]))
            return None
        if time.monotonic() > deadline:
            console.print(Text(say["on_its_way"].format(conversation)))
            return None
        time.sleep(FATE_POLL_S)


@contextmanager
def _told_plainly(conversation: int, say: Words) -> Iterator[None]:
    """Raise the API's refusal as a CovanError, in an advisor's words where there are any."""
    try:
        yield
    except RefusedError as error:
        sentence = say.get(f"error_{error.code}")
        if sentence is None:
            raise
        raise CovanError(sentence.format(conversation, conversation)) from error


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:  # a process without an account
        raise CovanError("Who answers? Say it with --as NAME.") from error
