"""The command line, put together from `covan/commands/`, one module a command.

A command's module is imported when the command is called, not before: `covan --help` and `covan doctor` must
work, and be quick, where the engine's own parts are damaged or missing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from covan.parent_watch import end_with
from rag.errors import CovanError, ProblemsError

COMMANDS = {
    "up": "Start everything for a trial: index, model, actions, Rasa and the channels with the page.",
    "new": "Make a knowledge folder with explained examples, for a school that begins.",
    "index": "Build the index of a folder with documents, FAQ and facts.",
    "enrich": "Let a language model write wordings, questions and relations that help to find answers.",
    "ask": "Ask one question and see the answer with its source.",
    "answer": "Answer a CSV of questions into JSON lines.",
    "search": "Rank documents for a CSV of questions.",
    "calibrate": "Choose how many answers may be wrong; get the threshold that keeps it.",
    "train-reranker": "Adapt the ranking of passages to a school.",
    "eval": "Measure the engine on labelled questions.",
    "topics": "Measure how well topics are told apart, on labelled lines.",
    "train": "Train the Rasa model when what it learns from has changed.",
    "actions": "Run the action server.",
    "rasa": "Run one of several Rasa processes.",
    "channels": "Run the front door: the page with the chat, and the channels' webhooks.",
    "console": "Run the advisors' console, or create its first administrator.",
    "queue": "See which students wait for a person, and what was said.",
    "reply": "Answer a student who waits for a person, or give them back to the bot.",
    "channel": "Register the bot with Telegram, Messenger or Zalo.",
    "usage": "See what the language model has cost, day by day.",
    "mcp": "Serve the school's knowledge to agents over the Model Context Protocol.",
    "graph": "Check the knowledge graph of an index.",
    "doctor": "Check this installation and say what to do about what is wrong.",
}

EXIT_ERROR = 2
"""Exit code after an error that the person at the terminal can mend."""


class LazyGroup(TyperGroup):
    """Lists every command by name and one line, and imports only the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, stub, rest = super().resolve_command(ctx, args)
        return name, stub if name is None else load_command(name), rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except CovanError as error:
            typer.secho(_told(error), err=True, fg=typer.colors.RED if sys.stderr.isatty() else None)
            raise typer.Exit(EXIT_ERROR) from error


def _told(error: CovanError) -> str:
    """Return the message of `error`, in the language of the settings where it has several."""
    if not isinstance(error, ProblemsError):
        return str(error)
    from rag.settings import settings  # noqa: PLC0415

    return error.told(settings().language)


def load_command(name: str) -> Any:
    """Return the command behind a name: the function `run` of its module, with the module's `CONTEXT` if any.

    A module with sub-commands has an `app` instead.
    """
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    module = import_module(f"covan.commands.{name.replace('-', '_')}")
    if (app_of_it := getattr(module, "app", None)) is not None:
        return typer.main.get_command(app_of_it)
    alone.command(name, context_settings=getattr(module, "CONTEXT", None))(module.run)
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _covan(
    ends_with: Annotated[
        int | None, typer.Option(hidden=True, help="The process that has started this one, and ends it.")
    ] = None,
) -> None:
    """Answers from what the school has published, asks back, or says plainly that it does not know."""
    if ends_with is not None:
        end_with(ends_with)


def _register(name: str, summary: str) -> None:
    @app.command(name, help=summary)
    def stub() -> None:
        """Stands in for the command in the list of commands; never called (see `LazyGroup`)."""


for _name, _summary in COMMANDS.items():
    _register(_name, _summary)
