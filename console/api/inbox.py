"""Conversations that were handed over to a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query

from console.advisors_api import Waiting
from console.api import answers
from console.api.dependencies import Console, Parts, ReadIn, Replier
from console.api.models import HandedOn, Written
from console.loose_search import has_words, search_words
from console.name_order import name_order
from console.roles import Right
from rag.errors import IndexUnusableError
from school.catalog import Catalog
from vietnamese.language_detection import Language

router = APIRouter()


@router.get("/inbox", response_model=answers.InboxList)
def inbox(account: Replier, console: Parts, *, language: ReadIn) -> Mapping[str, Any]:
    """Return the conversations that were handed over, those that wait longest first, and the names of one's offices.

    Of a student who asked for a person at once, the question is what was written since.
    """
    with console.advisors() as api:
        queue = api.queue("all")
    catalog, topics = names_of(console, language)
    return {
        "conversations": [
            {
                **each.model_dump(mode="json"),
                "question": each.question or _first_words(console, each),
                "topic_name": topics.get(each.topic, each.topic),
            }
            for each in queue
        ],
        "own_offices": [office.name for office in catalog.offices if office.id in account.offices],
    }


@router.get("/inbox/waiting", response_model=answers.WaitingCount)
def waiting(_: Replier, console: Parts) -> Mapping[str, Any]:
    """Return how many students wait for a person, and the `open` conversations, which wait or are taken."""
    with console.advisors() as api:
        waits, taken = api.queue("waiting"), api.queue("taken")
    shown = [
        {"id": each.id, "status": each.status, "taken_by": each.taken_by}
        for each in {each.id: each for each in (*waits, *taken)}.values()
    ]
    return {"waiting": len(waits), "open": shown}


@router.get("/inbox/search", response_model=answers.FoundConversations)
def search(
    _: Replier, console: Parts, text: Annotated[str, Query(min_length=1, max_length=200)]
) -> Mapping[str, Any]:
    """Return the `ids` of the conversations that have all words of `text` in one place.

    The places are the question, the names of the office and the advisor, and each message of a conversation that waits
    or is taken. Capital letters and diacritics make no difference.
    """
    with console.advisors() as api:
        queue = api.queue("all")
    talking = {(each.channel, each.sender) for each in queue if each.status != "closed"}
    found, words = console.turns.with_words(talking, text), search_words(text)
    return {
        "ids": [
            each.id
            for each in queue
            if (each.status != "closed" and (each.channel, each.sender) in found)
            or any(has_words(told, words) for told in (each.question, each.office, each.taken_by))
        ]
    }


@router.get("/inbox/recipients", response_model=answers.Recipients)
def recipients(_: Replier, console: Parts) -> Mapping[str, Any]:
    """Return the advisors and the offices to whom a conversation can be handed on, by name."""
    names = {each.name for each in console.accounts.all() if each.active and Right.REPLY in each.rights}
    catalog = names_of(console)[0]
    return {
        "advisors": sorted(names, key=name_order),
        "offices": sorted((each.name for each in catalog.offices), key=name_order),
    }


@router.get("/inbox/{number}", response_model=answers.InboxConversation)
def inbox_conversation(number: int, _: Replier, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return a conversation with its messages and notes, and what is known of the student."""
    with console.advisors() as api:
        found = api.conversation(number)
    return {
        **found.model_dump(mode="json"),
        "topic_name": names_of(console, language)[1].get(found.topic, found.topic),
        "student": _student(console, found.channel, found.sender, language),
    }


@router.post("/inbox/{number}/take", status_code=204)
def take(number: int, account: Replier, console: Parts) -> None:
    """Take a conversation: nobody else can answer it then."""
    with console.advisors() as api:
        api.take(number, account.name)
    console.audit.note(account.login, "take", str(number))


@router.post("/inbox/{number}/reply", status_code=202, response_model=answers.SentMessage)
def reply(number: int, body: Written, account: Replier, console: Parts) -> Mapping[str, Any]:
    """Answer the student."""
    with console.advisors() as api:
        message = api.reply(number, account.name, body.text)
    console.audit.note(account.login, "reply", str(number))
    return {"message": message}


@router.post("/inbox/{number}/preview", response_model=answers.Previews)
def preview(number: int, body: Written, account: Replier, console: Parts) -> Mapping[str, Any]:
    """Return the messages that the student would get for a reply, as their channel shows them."""
    with console.advisors() as api:
        return {"messages": api.preview(number, account.name, body.text)}


@router.post("/inbox/{number}/notes", status_code=204)
def note(number: int, body: Written, account: Replier, console: Parts) -> None:
    """Leave a note for the other advisors; the student never gets it."""
    with console.advisors() as api:
        api.note(number, account.name, body.text)
    console.audit.note(account.login, "note", str(number))


@router.post("/inbox/{number}/hand-on", status_code=204)
def hand_on(number: int, body: HandedOn, account: Replier, console: Parts) -> None:
    """Hand a conversation on to an advisor, or to an office, where it waits again."""
    with console.advisors() as api:
        api.hand_on(number, account.name, **body.model_dump())
    console.audit.note(account.login, "hand_on", str(number), to=body.to or body.office)


@router.post("/inbox/{number}/give-back", status_code=204)
def give_back(number: int, account: Replier, console: Parts) -> None:
    """Let the bot answer again."""
    with console.advisors() as api:
        api.give_back(number, account.name)
    console.audit.note(account.login, "give_back", str(number))


def _first_words(console: Console, waiting: Waiting) -> str:
    return console.turns.first_words(waiting.channel, waiting.sender, waiting.opened_at.timestamp())


def _student(console: Console, channel: str, sender: str, language: Language) -> Mapping[str, Any]:
    """Return the profile in the school's own words, and the last questions."""
    found = console.turns.student(channel, sender)
    catalog, topics = names_of(console, language)
    profile = [
        {"name": spec.called(language), "value": catalog.name(spec.id, found["profile"][spec.id], language)}
        for spec in catalog.dimensions
        if spec.id in found["profile"]
    ]
    questions = [{**each, "topic": topics.get(each["topic"], each["topic"])} for each in found["questions"]]
    return {**found, "profile": profile, "questions": questions}


def names_of(console: Console, language: Language = "vi") -> tuple[Catalog, Mapping[str, str]]:
    """Return the catalogue and the names of the topics; without an index, students are answered all the same."""
    try:
        dictionaries = console.publisher.live.index().dictionaries
    except IndexUnusableError:
        return Catalog(), {}
    return dictionaries.catalog, {each.id: each.called(language) for each in dictionaries.topics}
