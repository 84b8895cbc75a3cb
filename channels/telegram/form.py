"""Write a message as calls of Telegram's Bot API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit

from channels.delivery.markdown import TelegramHtml, laid_out, utf16_units
from channels.delivery.markdown_lines import (
    BOLD,
    BULLET,
    FOLDED,
    Block,
    Item,
    Line,
    Span,
    blocks_of,
    blocks_of_text,
    seen,
)
from channels.delivery.message import ADVISOR, STUDENT, Message, Option
from channels.delivery.platform import Call
from channels.telegram.updates import OPTION
from channels.words import words

MAX_TEXT = 4_096
"""Characters after entities are parsed: https://core.telegram.org/bots/api#sendmessage. Counted here in UTF-16 code
units, which are never fewer."""

MAX_CALLBACK_DATA = 64
"""Bytes. https://core.telegram.org/bots/api#inlinekeyboardbutton"""

MAX_BUTTONS = 100
"""Buttons of one inline keyboard; a row takes at most 8. https://limits.tginfo.me/en"""

READABLE_TITLE = 36
"""Characters of a button that a phone shows in one row; longer titles are also numbered in the text."""

SHORT_TITLE, SHORT_IN_A_ROW = 10, 3
"""Titles as short as "K47" share a row."""

MAX_QUOTE = 700
"""Characters of a quotation; the link leads to the full text."""

_CALENDAR = "📅 "
_FORM = TelegramHtml()
Button = dict[str, str]


def render(message: Message, address: Mapping[str, Any]) -> list[Call]:
    """Return the calls that send `message` to the chat of `address` (see `updates`), in order.

    The last call has the keyboard. A student's own message needs no call.
    """
    if message.author == STUDENT:
        return []
    language = words(message.facts.get("language"))
    titles, listed = _titles(message.options)
    blocks = [*_text(message, language), *_cards(message, language), *_sources(message, language), *listed]
    keyboard = _keyboard(message, titles, language)
    texts = laid_out(blocks, MAX_TEXT, _FORM)
    if not texts and keyboard:
        texts = laid_out(blocks_of_text(language["choose"]), MAX_TEXT, _FORM)
    calls: list[dict[str, Any]] = [{"method": "sendMessage", **address, "text": text} for text in texts]
    if calls and keyboard:
        calls[-1]["keyboard"] = keyboard
    return list(calls)


# --- text -------------------------------------------------------------------------------------------------------------


def _text(message: Message, language: Mapping[str, str]) -> list[Block]:
    blocks = blocks_of(message.text, _FORM.widest_table)
    if message.author != ADVISOR or not message.by or not blocks:
        return blocks
    name = Line(
        (Span(f"{_one_line(message.by)} ({language['advisor']}):", frozenset({BOLD})),), leads_on=True
    )
    return [_below((name,), blocks[0]), *blocks[1:]]


def _sources(message: Message, language: Mapping[str, str]) -> list[Block]:
    """Return the sources: each document once with its locators, and quotations that the text lacks, collapsed."""
    documents: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for citation in message.citations:
        key = (_one_line(str(citation.get("title") or "")), _web(citation.get("url")))
        if any(key) and citation not in documents.setdefault(key, []):
            documents[key].append(citation)
    items = [_source(title, url, citations, message.text) for (title, url), citations in documents.items()]
    if not items:
        return []
    return [_below((Line((Span(f"{language['sources']}:"),), gap=2, leads_on=True),), tuple(items))]


def _source(title: str, url: str, citations: Sequence[Mapping[str, Any]], text: str) -> Item:
    places = list(dict.fromkeys(_one_line(str(each["locator"])) for each in citations if each.get("locator")))
    spans = [Span(title or url, link=url)] + ([Span(": " + "; ".join(places))] if places else [])
    lines = [Line(tuple(spans), lead=BULLET)]
    quoted = [each for each in citations if each.get("quote") and not _has(text, str(each["quote"]))]
    for citation in quoted:
        place = _one_line(str(citation.get("locator") or ""))
        if place and len(citations) > 1:
            lines.append(Line((Span(place, frozenset({BOLD})),), FOLDED, leads_on=True))
        lines += [
            replace(line, kind=FOLDED, gap=1)
            for block in blocks_of_text(_shortened(str(citation["quote"])))
            for item in block
            for line in item
        ]
    return tuple(lines)


def _shortened(quote: str) -> str:
    return quote if len(quote) <= MAX_QUOTE else quote[:MAX_QUOTE].rsplit(maxsplit=1)[0] + " …"


def _below(heading: Item, block: Block) -> Block:
    first, *rest = block
    return (heading, (replace(first[0], gap=1), *first[1:]), *rest)


# --- cards ------------------------------------------------------------------------------------------------------------


def _cards(message: Message, language: Mapping[str, str]) -> list[Block]:
    blocks: list[Block] = []
    for card in message.cards:
        if card.get("kind") == "contact":
            blocks += _block(_contact(card, message.text))
        elif card.get("kind") == "link" and not _web(card.get("url")):
            blocks += _block([Line((Span(_one_line(str(card.get("title") or ""))),))])
    return blocks + _block(_deadlines(message, language))


def _block(lines: Sequence[Line]) -> list[Block]:
    return [((replace(lines[0], gap=2), *lines[1:]),)] if lines else []


def _contact(card: Mapping[str, Any], text: str) -> list[Line]:
    """Return the lines of a contact that `text` lacks; phones make telephone and mail tappable."""
    details = [
        Line((Span(_one_line(str(card[key]))),), lead=mark)
        for key, mark in (
            ("phone", "📞 "),
            ("email", "✉️ "),
            ("address", "📍 "),
            ("hours", "🕒 "),
            ("note", ""),
        )
        if card.get(key) and not _has(text, str(card[key]))
    ]
    name = Line((Span(_one_line(str(card.get("name") or "")), frozenset({BOLD})),), leads_on=True)
    return [name, *details] if details and name.text else details


def _deadlines(message: Message, language: Mapping[str, str]) -> list[Line]:
    """Return a line for each deadline, and one line with all dates that the answer already explains."""
    lines, explained = [], []
    for card in message.cards:
        if card.get("kind") != "deadline":
            continue
        day, what = _day(str(card.get("date") or ""), language), _one_line(str(card.get("text") or ""))
        # "…" marks omitted parts of the sentence.
        if all(_has(message.text, part) for part in what.split("…")):
            explained.append(day)
            continue
        until = [Span(f"{language['deadline']}: {day}", frozenset({BOLD}))] if day else []
        lines.append(Line((*until, Span(f" – {what}" if until else what)), lead=_CALENDAR))
    if days := " · ".join(dict.fromkeys(filter(None, explained))):
        lines.insert(0, Line((Span(f"{language['deadline']}: {days}", frozenset({BOLD})),), lead=_CALENDAR))
    return lines


def _day(iso: str, language: Mapping[str, str]) -> str:
    try:
        return date.fromisoformat(iso).strftime(language["date"])
    except ValueError:
        return _one_line(iso)


# --- buttons ----------------------------------------------------------------------------------------------------------


def _titles(options: Sequence[Option]) -> tuple[list[str], list[Block]]:
    """Return the title of each button, and the numbered long titles for the text."""
    titles = [_one_line(option.title) for option in options]
    long = max((at for at, title in enumerate(titles, 1) if utf16_units(title) > READABLE_TITLE), default=0)
    numbered = [f"{number}. " for number in range(1, long + 1)]
    items: Block = tuple(
        (Line((Span(title),), lead=lead, gap=1 if at else 2),)
        for at, (lead, title) in enumerate(zip(numbered, titles, strict=False))
    )
    shown = [lead + title for lead, title in zip(numbered, titles, strict=False)] + titles[long:]
    return shown, [items] if items else []


def _keyboard(message: Message, titles: Sequence[str], language: Mapping[str, str]) -> list[list[Button]]:
    """Return rows of buttons: options, web pages, thumbs."""
    rows: list[list[Button]] = []
    pairs = list(zip(titles, message.options, strict=False))
    for short, run in groupby(pairs, key=lambda pair: len(pair[0]) <= SHORT_TITLE):
        buttons = [_button(title, option.id) for title, option in run]
        # Two short titles side by side among long ones would look like a pair.
        beside = SHORT_IN_A_ROW if short and len(buttons) >= SHORT_IN_A_ROW else 1
        rows += [buttons[at : at + beside] for at in range(0, len(buttons), beside)]
    rows += [[{"text": title, "url": url}] for title, url in _pages(message, language)]
    rows = rows[: MAX_BUTTONS // SHORT_IN_A_ROW]
    if message.thumbs:
        thumbs = (message.thumbs.good, message.thumbs.bad)
        rows.append([_button(_one_line(thumb.title), thumb.id) for thumb in thumbs])
    return rows


def _pages(message: Message, language: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    for card in message.cards:
        if card.get("kind") == "link" and (url := _web(card.get("url"))):
            yield _one_line(str(card.get("title") or "")) or url, url
        if card.get("kind") == "contact" and (url := _web(card.get("map_url"))):
            name = _one_line(str(card.get("name") or ""))
            yield f"{language['map']}: {name}" if name else language["map"], url


def _button(title: str, option: str) -> Button:
    data = OPTION + option
    if len(data.encode()) > MAX_CALLBACK_DATA:
        raise ValueError(
            f"an option's id takes more than the {MAX_CALLBACK_DATA} bytes of a button: {option!r}"
        )
    return {"text": title or "…", "callback_data": data}


# --- values -----------------------------------------------------------------------------------------------------------


def _one_line(text: str) -> str:
    return " ".join(seen(text).split())


def _web(url: Any | None) -> str:
    """Return `url` when Telegram accepts it as a link (http or https, a host with a dot); else an empty text."""
    try:
        parts = urlsplit(str(url or "").strip())
        good = (
            parts.scheme in ("http", "https")
            and "." in (parts.hostname or "")
            and not re.search(r"\s", str(url).strip())
        )
    except ValueError:
        good = False
    return str(url).strip() if good else ""


def _has(text: str, part: str) -> bool:
    """Return whether `text` contains `part`, ignoring markup and spaces."""
    return _bare(part) in _bare(text)


def _bare(text: str) -> str:
    return "".join(char for char in seen(text).lower() if char.isalnum())
