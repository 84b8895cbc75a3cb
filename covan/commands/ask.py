"""`covan ask`: one question, one readable answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
import yaml
from pydantic_core import to_json
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from covan.configured_engine import open_engine
from covan.profile_arguments import resolved
from rag.settings import settings
from rag.types import Citation, DecisionKind, Question, Reason, Reply
from school.catalog import Catalog

LOCALES = Path(__file__).parent.parent / "locales"


CONTEXT = {"allow_extra_args": True, "ignore_unknown_options": True}
"""The school's dimensions are options too, and only its index knows them."""


def run(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION [--DIMENSION VALUE]...",
            help='What a student might ask, and what is known of them: --cohort 47 --major "Kế toán".',
        ),
    ],
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    preset: Annotated[str | None, typer.Option(help="The pipeline.", show_default="covan")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole reply with its trace.")] = False,
) -> None:
    """Ask one question and see the answer with its source."""
    question, given = _question(words)
    engine = open_engine(index, preset)
    reply = engine.reply(Question(question, profile=resolved(given, engine)))
    if as_json:
        typer.echo(to_json(reply, indent=2).decode())
        return
    show(reply, Console(highlight=False), _locale(), engine.catalog)


def _question(words: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return the question and the values of dimensions among the words of the command line.

    Raises typer.BadParameter when there is not exactly one question, or a dimension without a value.
    """
    questions, given = [], {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            questions.append(word)
            continue
        name, has_value, value = word.removeprefix("--").partition("=")
        given[name] = value if has_value else next(rest, "")
        if not given[name]:
            raise typer.BadParameter(f"{word} needs a value")
    if len(questions) != 1:
        raise typer.BadParameter("write one question, in quotes")
    return questions[0], given


def _locale() -> dict[str, str]:
    texts: dict[str, str] = yaml.safe_load(
        (LOCALES / f"{settings().locale}.yml").read_text(encoding="utf-8")
    )["ask"]
    return texts


def show(reply: Reply, console: Console, say: dict[str, str], catalog: Catalog) -> None:
    """Print a reply in the words of `say`, each question of a message with its own answer."""
    if not reply.parts:
        _show_one(reply, console, say, catalog)
        return
    for number, part in enumerate(reply.parts):
        if number:
            console.print()
        console.print(Text(part.question, style="bold"))
        _show_one(part, console, say, catalog)


def _show_one(reply: Reply, console: Console, say: dict[str, str], catalog: Catalog) -> None:
    if reply.decision.kind is DecisionKind.ANSWER:
        console.print(Markdown(reply.text))
        for citation in reply.citations:
            console.print(Text(f"{say['source']}: {_place(citation, say)}", style="dim"))
        return
    console.print(Text(_why(reply, say, catalog)))
    if reply.decision.kind is DecisionKind.NO_ANSWER and reply.options:
        console.print(say["related"])
    for option in reply.options:
        hints = [f"(--{key} {value})" for key, value in option.payload.items() if catalog.dimension(key)]
        console.print(Text("  ".join((f"  • {option.title}", *hints))))


def _why(reply: Reply, say: dict[str, str], catalog: Catalog) -> str:
    """Return the reason for no answer, or the question back."""
    decision = reply.decision
    if decision.missing and (dimension := catalog.dimension(decision.missing[0])) is not None:
        return dimension.questions("en" if settings().locale == "en" else "vi")[0]
    if decision.kind is DecisionKind.CLARIFY:
        if decision.unnamed:
            return say["unnamed"].format(", ".join(decision.unnamed))
        return say["too_broad" if Reason.TOO_BROAD in decision.reasons else "reading"]
    return say["small_talk" if Reason.SMALL_TALK in decision.reasons else "no_answer"]


def _place(citation: Citation, say: dict[str, str]) -> str:
    number = f" ({say['number']} {citation.number})" if citation.number else ""
    url = f" – {citation.url}" if citation.url else ""
    page = f"{say['page']} {citation.page}" if citation.page is not None else ""
    return ", ".join(part for part in (f"{citation.title}{number}", citation.locator, page) if part) + url
