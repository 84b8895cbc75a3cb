"""The parts of a message as plain text, for platforms that show no other: Messenger and Zalo."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from channels.delivery.markdown import PlainText, utf16_units
from channels.delivery.markdown_lines import BULLET, Block, Line, Span, blocks_of, blocks_of_text, seen
from channels.delivery.message import ADVISOR, STUDENT, Message

MAX_URL = 2_000
"""A limit of ours; neither Facebook nor Zalo documents one."""

ELLIPSIS = "…"
_WEB = re.compile(r"https?://[^\s/?#\\@]+(?:[/?#][^\s\\]*)?", re.IGNORECASE)
_NUMBER = re.compile(r"[+(]?\d[\d\s.()-]*")


@dataclass(frozen=True)
class Cards:
    """The cards of a message by kind; those of other kinds need only the text."""

    contacts: Sequence[Mapping[str, Any]]
    links: Sequence[Mapping[str, Any]]
    deadlines: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, cards: Sequence[Mapping[str, Any]]) -> Cards:
        """Return the contacts with a name, the links to web pages and the deadlines with a text or a date."""
        return cls(
            [
                card
                for card in cards
                if card.get("kind") == "contact" and one_line(str(card.get("name") or ""))
            ],
            [card for card in cards if card.get("kind") == "link" and is_web(str(card.get("url") or ""))],
            [
                card
                for card in cards
                if card.get("kind") == "deadline" and (card.get("text") or card.get("date"))
            ],
        )


def numbered_titles(titles: Sequence[str], longest: int) -> tuple[list[str], list[str]]:
    """Return what stands on the buttons, not yet cut, and the titles to list in the text.

    Titles up to the last one that is longer than `longest` get the same number in the text and on the button; later
    titles, usually the ways out of a choice, stay unchanged.
    """
    clean = [one_line(title) or ELLIPSIS for title in titles]
    long = [at for at, title in enumerate(clean, 1) if utf16_units(title) > longest]
    listed = clean[: max(long, default=0)]
    return [f"{number}. {title}" for number, title in enumerate(listed, 1)] + clean[len(listed) :], listed


def telephone(written: str) -> str:
    """Return the first telephone number in E.164: "+842923832663" for "(0292) 3832 663 - máy lẻ 12".

    Empty for a number without an international form, such as 1900 1234.
    """
    found = _NUMBER.search(written)
    if not found:
        return ""
    # " - " separates two numbers.
    first = re.split(r"\s[-–]\s", found[0])[0]
    digits = re.sub(r"\D", "", first)
    if first.startswith("+"):
        return f"+{digits}" if 8 <= len(digits) <= 15 else ""
    if digits.startswith("84") and len(digits) in (11, 12):
        return f"+{digits}"
    return f"+84{digits[1:]}" if digits.startswith("0") and len(digits) in (10, 11) else ""


def message_blocks(message: Message, said: Mapping[str, str]) -> list[Block]:
    """Return the message's own text; an advisor's under their name. `said` are the labels of `words`."""
    if message.author == STUDENT:
        return blocks_of_text(message.text)
    blocks = blocks_of(message.text, PlainText.widest_table)
    if message.author == ADVISOR and message.by and blocks:
        name = Line((Span(f"{one_line(message.by)} ({said['advisor']}):"),), leads_on=True)
        first, *rest = blocks
        return [((name,), *((replace(item[0], gap=1), *item[1:]) for item in first)), *rest]
    return blocks


def deadline_block(card: Mapping[str, Any], said: Mapping[str, str]) -> Block:
    """Return "⏰ Hạn 30/09/2026: nộp học phí"."""
    text, day = one_line(str(card.get("text") or "")), _day(str(card.get("date") or ""), said["date"])
    if not day or day in text:
        return paragraph_block([f"⏰ {text}"])
    return paragraph_block([f"⏰ {said['deadline']} {day}" + (f": {text}" if text else "")])


def _day(written: str, form: str) -> str:
    try:
        return date.fromisoformat(written[:10]).strftime(form)
    except ValueError:
        return one_line(written)


def contact_lines(contact: Mapping[str, Any]) -> list[str]:
    """Return what is known of a contact, the name first."""
    marks = (
        ("name", ""),
        ("phone", "☎ "),
        ("email", "✉ "),
        ("address", "📍 "),
        ("hours", "🕐 "),
        ("note", ""),
    )
    details = [(mark, one_line(str(contact.get(key) or ""))) for key, mark in marks]
    return [mark + value for mark, value in details if value]


def source_blocks(citations: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> Iterator[Block]:
    """Yield the list of sources, one item a document: "Quy chế: Điều 1; Điều 2" and its address below."""
    places: dict[tuple[str, str], list[str]] = {}
    for citation in citations:
        title, locator = (one_line(str(citation.get(key) or "")) for key in ("title", "locator"))
        url = str(citation.get("url") or "")
        found = places.setdefault((title or locator, url if is_web(url) else ""), [])
        if title and locator and locator not in found:
            found.append(locator)
    items = []
    for (title, url), locators in places.items():
        named = f"{title}: {'; '.join(locators)}" if locators else title
        lines = [
            Line((Span(line),), lead="" if at else BULLET)
            for at, line in enumerate(filter(None, (named, url)))
        ]
        if lines:
            items.append(tuple(lines))
    if items:
        yield ((Line((Span(f"{said['sources']}:"),), gap=2, leads_on=True),), *items)


def point_blocks(titles: Iterable[str], numbered: bool = False) -> Iterator[Block]:
    """Yield the titles as one list, with bullets or numbers; nothing for none."""
    items = [
        (
            Line(
                (Span(one_line(title)),),
                lead=f"{number}. " if numbered else BULLET,
                gap=1 if number > 1 else 2,
            ),
        )
        for number, title in enumerate(titles, 1)
    ]
    if items:
        yield tuple(items)


def paragraph_block(lines: Sequence[str]) -> Block:
    """Return the lines as one paragraph."""
    return (tuple(Line((Span(line),), gap=1 if at else 2) for at, line in enumerate(lines)),)


def one_line(text: str) -> str:
    """Return what is seen of a text, on one line."""
    return " ".join(seen(text).split())


def cut(text: str, limit: int) -> str:
    """Return `text` cut to `limit` UTF-16 code units with an ellipsis, after a word unless that removes half of it."""
    if utf16_units(text) <= limit:
        return text
    kept = ""
    for char in text:
        if utf16_units(kept + char) + len(ELLIPSIS) > limit:
            break
        kept += char
    rest = text[len(kept) :]
    # Keep a letter with its marks, and a joined emoji, in one piece.
    while (
        kept
        and rest
        and (unicodedata.combining(rest[0]) or rest[0] in "\u200d\ufe0f" or kept[-1] == "\u200d")
    ):
        kept, rest = kept[:-1], kept[-1] + rest
    whole = kept.rpartition(" ")[0] if not rest.startswith(" ") else kept
    kept = whole if len(whole) > limit // 2 else kept
    return kept.rstrip(" ,;:.-–") + ELLIPSIS


def is_web(url: str) -> bool:
    """Return whether `url` is a usable address of a web page."""
    return len(url) <= MAX_URL and _WEB.fullmatch(url) is not None


def link_title(link: Mapping[str, Any]) -> str:
    """Return the title of a link, or else its address."""
    return one_line(str(link.get("title") or "")) or one_line(link["url"])
