"""`covan queue`: the students who wait for a person, and their conversations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

from console.advisors_api import Conversation, Message, Status, Undelivered, Waiting
from covan.advisors import connected
from covan.locale import sentences
from covan.project import ROOT
from rag.ingest.dictionaries import load_dictionaries
from rag.settings import Settings, settings
from vietnamese.text import clean

MINUTES_UP_TO = timedelta(hours=2)
HOURS_UP_TO = timedelta(days=2)
"""Longer times are told in the next larger unit."""

COLOURS = {"waiting": "bold yellow", "taken": "green", "closed": "dim"}
SPEAKERS = {"student": "bold cyan", "bot": "dim", "advisor": "bold green", "notice": "dim italic"}

WIDE, LONGEST_NAME, SHORT_NAME = 110, 24, 10
"""Columns of a screen, and of a name on such a screen or a narrower one."""

Words = Mapping[str, str]


def run(
    conversation: Annotated[
        int | None, typer.Argument(help="Show this conversation, with all that was said.")
    ] = None,
    status: Annotated[
        Status | None, typer.Option(help="Only these; without it, those that are not closed.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Those that are closed, too.")] = False,
    undelivered: Annotated[
        bool, typer.Option("--undelivered", help="What has not reached a student, and why.")
    ] = False,
    send_again: Annotated[
        int | None, typer.Option(help="Try once more to deliver the message of this number.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """See which students wait for a person, one of the conversations, or what could not be delivered."""
    wanted = settings()
    say = sentences(wanted, "queue")
    console = Console(highlight=False)
    with connected(wanted) as api:
        if send_again is not None:
            api.send_again(send_again)
            console.print(Text(say["sending_again"].format(send_again)))
        elif undelivered:
            calls = api.undelivered()
            _print_json(calls) if as_json else show_undelivered(calls, console, say)
        elif conversation is not None:
            found = api.conversation(conversation)
            _print_json(found) if as_json else show_conversation(
                found, console, say, topics(wanted), datetime.now(UTC)
            )
        else:
            statuses: tuple[Status, ...] = ("waiting", "taken")
            chosen: Status | None = status or ("all" if everything else None)
            queue = [each for one in ([chosen] if chosen else statuses) for each in api.queue(one)]
            if as_json:
                _print_json(queue)
            else:
                show_queue(queue, console, say, topics(wanted), datetime.now(UTC))


def topics(wanted: Settings) -> Mapping[str, str]:
    """Return the names of the topics by id."""
    found = load_dictionaries({"topics": ROOT / wanted.knowledge_dir / "topics.yml"}, [], []).topics
    english = wanted.locale == "en"
    return {topic.id: (topic.name_en if english else "") or topic.name for topic in found}


def show_queue(
    queue: Sequence[Waiting], console: Console, say: Words, names: Mapping[str, str], now: datetime
) -> None:
    """Print the conversations as a table; `names` are those of the topics."""
    if not queue:
        console.print(Text(say["nobody"]))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", expand=True)
    table.add_column("", justify="right")
    longest = LONGEST_NAME if console.width >= WIDE else SHORT_NAME
    for heading in ("channel", "topic"):
        table.add_column(say[heading], max_width=longest, overflow="ellipsis", no_wrap=True)
    table.add_column(say["question"], ratio=1, overflow="ellipsis", no_wrap=True)
    table.add_column(say["since"], no_wrap=True)
    limited = any(each.reply_until for each in queue)
    if limited:
        table.add_column(say["reply_within"], no_wrap=True)
    table.add_column(say["who"], max_width=longest, overflow="ellipsis", no_wrap=True)
    for each in queue:
        table.add_row(
            Text(str(each.id), style="bold"),
            _line(each.channel),
            _line(names.get(each.topic, each.topic)),
            _line(each.question),
            Text(_length(now - each.opened_at, say)),
            *([_time_left(each, now, say)] if limited else []),
            _line(each.taken_by or say[each.status], COLOURS[each.status]),
        )
    console.print(table)


def show_conversation(
    conversation: Conversation, console: Console, say: Words, names: Mapping[str, str], now: datetime
) -> None:
    """Print a conversation, oldest message first, and its undelivered messages."""
    state = say[conversation.status] + (f": {conversation.taken_by}" if conversation.taken_by else "")
    parts = [f"#{conversation.id}", conversation.channel, names.get(conversation.topic, conversation.topic)]
    parts += [conversation.office, state]
    console.print(_line("  ·  ".join(part for part in parts if part), COLOURS[conversation.status]))
    if conversation.status == "waiting" and conversation.expected_at is not None:
        console.print(_line(say["expected"].format(_clock_time(conversation.expected_at)), "dim"))
    if conversation.status != "closed" and conversation.reply_until is not None:
        console.print(
            _line(_reply_window(conversation.reply_until, conversation.reply_free_until, now, say), "dim")
        )
    console.print()
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(justify="right", max_width=24)
    table.add_column(ratio=1)
    for message in conversation.messages:
        table.add_row(
            _clock_time(message.at),
            _line(_speaker(message, say), SPEAKERS.get(message.author, "")),
            _said(message, say),
        )
    console.print(table)
    if conversation.undelivered:
        console.print()
        show_undelivered(conversation.undelivered, console, say)


def show_undelivered(calls: Sequence[Undelivered], console: Console, say: Words) -> None:
    """Print the undelivered messages, each with the reason."""
    if not calls:
        console.print(Text(say["all_delivered"]))
        return
    console.print(Text(say["undelivered"], style="bold red"))
    for call in calls:
        place = f"{call.channel} {call.sender}  {_clock_time(call.at)}"
        console.print(Text(f"  {call.id}", style="bold"), _line(place, "dim"), _line(_shortened(call.text)))
        console.print(_line(f"     → {call.why} ({say[f'state_{call.state}']})"), soft_wrap=True)
    console.print(Text(say["send_again"], style="dim"))


def _time_left(waiting: Waiting, now: datetime, say: Words) -> Text:
    """Return how long the platform lets an answer through."""
    if waiting.reply_until is None:
        return Text("")
    if waiting.reply_until <= now:
        return Text(say["window_over"], style="bold red")
    charged = waiting.reply_free_until is not None and waiting.reply_free_until <= now
    left = _length(waiting.reply_until - now, say)
    return Text(say["charged"].format(left) if charged else left, style="yellow" if charged else "")


def _reply_window(until: datetime, free_until: datetime | None, now: datetime, say: Words) -> str:
    if until <= now:
        return say["reply_until_over"].format(_clock_time(until))
    if free_until is None:
        return say["reply_until"].format(_clock_time(until))
    if free_until <= now:
        return say["reply_until_charged"].format(_clock_time(until))
    return say["reply_until_free"].format(_clock_time(until), _clock_time(free_until))


def _said(message: Message, say: Words) -> Text:
    unreadable = message.facts.get("unreadable")
    text = say["unreadable"].format(unreadable) if unreadable else message.text
    shown = Text(_harmless(text))
    for option in message.options:
        shown.append(f"\n[ {_harmless(option.title)} ]", style="dim")
    return shown


def _speaker(message: Message, say: Words) -> str:
    return say.get(message.author, message.author).format(message.by)


def _line(text: str, style: str = "") -> Text:
    """On one line."""
    return Text(" ".join(_harmless(text).split()), style=style)


def _shortened(text: str, longest: int = 80) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _harmless(text: str) -> str:
    """Return typed text without the characters that command a terminal."""
    return clean(text)


def _clock_time(at: datetime) -> str:
    return at.astimezone().strftime("%d/%m %H:%M")


def _length(time: timedelta, say: Words) -> str:
    if time < MINUTES_UP_TO:
        return say["minutes"].format(max(0, int(time / timedelta(minutes=1))))
    if time < HOURS_UP_TO:
        return say["hours"].format(int(time / timedelta(hours=1)))
    return say["days"].format(time.days)


def _print_json(told: BaseModel | Sequence[BaseModel]) -> None:
    def plain(each: BaseModel) -> dict[str, object]:
        return each.model_dump(mode="json")

    # In ASCII: JSON's escapes keep what a student typed from commanding a terminal.
    typer.echo(json.dumps(plain(told) if isinstance(told, BaseModel) else [plain(each) for each in told]))
