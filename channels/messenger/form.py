"""Write a message as calls of Messenger's Send API: texts, templates with buttons, and quick replies.

Messenger shows plain text only. Quick replies vanish with the next message, so the last call carries them; long titles
are numbered and listed in full in the text.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from channels.delivery.markdown import PlainText, laid_out, utf16_units
from channels.delivery.markdown_lines import BULLET, Block, Line, Span, blocks_of, blocks_of_text, seen
from channels.delivery.message import ADVISOR, STUDENT, Message, Option, Thumbs
from channels.delivery.platform import Call
from channels.messenger.events import OPTION
from channels.words import words

MAX_TEXT = 2_000
"""https://developers.facebook.com/documentation/business-messaging/messenger-platform/reference/send-api"""

MAX_QUICK_REPLIES = 13
MAX_QUICK_REPLY_TITLE = 20
"""https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages/quick-replies"""

MAX_BUTTONS = 3
MAX_BUTTON_TITLE = 20
MAX_BUTTON_TEXT = 640
"""https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages/template/button"""

MAX_ELEMENTS = 10
MAX_ELEMENT_TITLE = 80
MAX_ELEMENT_SUBTITLE = 80
"""https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages/template/generic"""

MAX_URL = 2_000
"""A limit of ours; Facebook documents none."""

_ELLIPSIS = "…"
_WEB = re.compile(r"https?://[^\s/?#\\@]+(?:[/?#][^\s\\]*)?", re.IGNORECASE)
_NUMBER = re.compile(r"[+(]?\d[\d\s.()-]*")


def calls(message: Message) -> list[Call]:
    """Return the bodies of the calls that send `message`, without recipient and type, within Messenger's limits."""
    said = words(message.facts.get("language"))
    replies, listed = quick_replies(message.options, message.thumbs)
    contacts, links, deadlines = _by_kind(message.cards)
    tappable = [contact for contact in contacts if _contact_buttons(contact, said)]
    # A single contact is one template with all details; several share a carousel, with their details in the text.
    single = tappable[0] if len(contacts) == 1 and tappable else None
    blocks = [
        *_blocks_of_said(message, said),
        *(_deadline(card, said) for card in deadlines),
        *(_paragraph(_contact_lines(contact)) for contact in contacts if contact is not single),
        *_sources(message.citations, said),
    ]
    found = _texts_and_links(blocks, list(_points(listed, numbered=True)), links)
    if single is not None:
        text = _cut("\n".join(_contact_lines(single)), MAX_BUTTON_TEXT)
        found.append(_button_template(text, _contact_buttons(single, said)))
    elif tappable:
        found.append(_carousel(tappable, said))
    if replies:
        if not found:
            found.append({"text": said["choose"]})
        found[-1]["quick_replies"] = replies
    return [{"message": each} for each in found]


def quick_replies(
    options: Sequence[Option], thumbs: Thumbs | None = None
) -> tuple[list[dict[str, str]], list[str]]:
    """Return the quick replies for options, with thumbs where they fit, and the titles to list in the text.

    Titles up to the last one that is too long get the same number in the text and on the button; later titles, usually
    the ways out of a choice, stay unchanged.
    """
    options = options[:MAX_QUICK_REPLIES]
    titles = [_one_line(option.title) or _ELLIPSIS for option in options]
    long = [at for at, title in enumerate(titles, 1) if utf16_units(title) > MAX_QUICK_REPLY_TITLE]
    listed = titles[: max(long, default=0)]
    shown = [f"{number}. {title}" for number, title in enumerate(listed, 1)] + titles[len(listed) :]
    pairs = [(title, option.id) for title, option in zip(shown, options, strict=False)]
    if thumbs and len(pairs) + 2 <= MAX_QUICK_REPLIES:
        pairs += [(_one_line(thumb.title) or _ELLIPSIS, thumb.id) for thumb in (thumbs.good, thumbs.bad)]
    replies = [
        {"content_type": "text", "title": _cut(title, MAX_QUICK_REPLY_TITLE), "payload": OPTION + option_id}
        for title, option_id in pairs
    ]
    return replies, listed


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


# --- text -------------------------------------------------------------------------------------------------------------


def _blocks_of_said(message: Message, said: Mapping[str, str]) -> list[Block]:
    if message.author not in (ADVISOR, STUDENT):
        return blocks_of(message.text, PlainText.widest_table)
    blocks = blocks_of_text(message.text)
    if message.by and blocks:
        name = Line((Span(f"{_one_line(message.by)} ({said['advisor']}):"),), leads_on=True)
        first, *rest = blocks
        return [((name,), *((replace(item[0], gap=1), *item[1:]) for item in first)), *rest]
    return blocks


def _deadline(card: Mapping[str, Any], said: Mapping[str, str]) -> Block:
    text, day = _one_line(str(card.get("text") or "")), _day(str(card.get("date") or ""), said["date"])
    if not day or day in text:
        return _paragraph([f"⏰ {text}"])
    return _paragraph([f"⏰ {said['deadline']} {day}" + (f": {text}" if text else "")])


def _day(written: str, form: str) -> str:
    try:
        return date.fromisoformat(written[:10]).strftime(form)
    except ValueError:
        return _one_line(written)


def _contact_lines(contact: Mapping[str, Any]) -> list[str]:
    marks = (
        ("name", ""),
        ("phone", "☎ "),
        ("email", "✉ "),
        ("address", "📍 "),
        ("hours", "🕐 "),
        ("note", ""),
    )
    details = [(mark, _one_line(str(contact.get(key) or ""))) for key, mark in marks]
    return [mark + value for mark, value in details if value]


def _sources(citations: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> Iterator[Block]:
    """Yield the list of sources, one item a document: "Quy chế: Điều 1; Điều 2" and its address below."""
    places: dict[tuple[str, str], list[str]] = {}
    for citation in citations:
        title, locator = (_one_line(str(citation.get(key) or "")) for key in ("title", "locator"))
        url = str(citation.get("url") or "")
        found = places.setdefault((title or locator, url if _is_web(url) else ""), [])
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


def _points(titles: Iterable[str], numbered: bool = False) -> Iterator[Block]:
    items = [
        (
            Line(
                (Span(_one_line(title)),),
                lead=f"{number}. " if numbered else BULLET,
                gap=1 if number > 1 else 2,
            ),
        )
        for number, title in enumerate(titles, 1)
    ]
    if items:
        yield tuple(items)


def _paragraph(lines: Sequence[str]) -> Block:
    return (tuple(Line((Span(line),), gap=1 if at else 2) for at, line in enumerate(lines)),)


def _one_line(text: str) -> str:
    return " ".join(seen(text).split())


def _cut(text: str, limit: int) -> str:
    """Return `text` cut to `limit` UTF-16 code units with an ellipsis, after a word unless that removes half of it."""
    if utf16_units(text) <= limit:
        return text
    kept = ""
    for char in text:
        if utf16_units(kept + char) + len(_ELLIPSIS) > limit:
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
    return kept.rstrip(" ,;:.-–") + _ELLIPSIS


# --- templates --------------------------------------------------------------------------------------------------------


def _by_kind(
    cards: Sequence[Mapping[str, Any]],
) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Return the contacts, the links to web pages and the deadlines among `cards`; other kinds need only the text."""
    contacts = [
        card for card in cards if card.get("kind") == "contact" and _one_line(str(card.get("name") or ""))
    ]
    links = [card for card in cards if card.get("kind") == "link" and _is_web(str(card.get("url") or ""))]
    deadlines = [
        card for card in cards if card.get("kind") == "deadline" and (card.get("text") or card.get("date"))
    ]
    return contacts[:MAX_ELEMENTS], links, deadlines


def _is_web(url: str) -> bool:
    return len(url) <= MAX_URL and _WEB.fullmatch(url) is not None


def _title(link: Mapping[str, Any]) -> str:
    return _one_line(str(link.get("title") or "")) or _one_line(link["url"])


def _web_button(title: str, url: str) -> dict[str, str]:
    return {"type": "web_url", "title": _cut(title, MAX_BUTTON_TITLE), "url": url}


def _contact_buttons(contact: Mapping[str, Any], said: Mapping[str, str]) -> list[dict[str, str]]:
    buttons = []
    if number := telephone(str(contact.get("phone") or "")):
        buttons.append(
            {"type": "phone_number", "title": _cut(said["call"], MAX_BUTTON_TITLE), "payload": number}
        )
    if _is_web(str(contact.get("map_url") or "")):
        buttons.append(_web_button(said["map"], contact["map_url"]))
    return buttons


def _button_template(text: str, buttons: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    payload = {"template_type": "button", "text": text, "buttons": list(buttons)}
    return {"attachment": {"type": "template", "payload": payload}}


def _carousel(contacts: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> dict[str, Any]:
    elements = []
    for contact in contacts:
        name, *rest = _contact_lines(contact)
        element: dict[str, Any] = {
            "title": _cut(name, MAX_ELEMENT_TITLE),
            "buttons": _contact_buttons(contact, said),
        }
        if rest:
            element["subtitle"] = _cut(" · ".join(rest), MAX_ELEMENT_SUBTITLE)
        elements.append(element)
    return {"attachment": {"type": "template", "payload": {"template_type": "generic", "elements": elements}}}


def _texts_and_links(
    blocks: Sequence[Block], last: Sequence[Block], links: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the texts, with the links as buttons under the last text when they fit, else under separate texts."""
    buttons = [_web_button(_title(link), link["url"]) for link in links]
    if 0 < len(links) <= MAX_BUTTONS:
        cut = [_title(link) for link in links if utf16_units(_title(link)) > MAX_BUTTON_TITLE]
        texts = laid_out([*blocks, *_points(cut), *last], MAX_TEXT, PlainText())
        if texts and utf16_units(texts[-1]) <= MAX_BUTTON_TEXT:
            return [*({"text": text} for text in texts[:-1]), _button_template(texts[-1], buttons)]
    found: list[dict[str, Any]] = [
        {"text": text} for text in laid_out([*blocks, *last], MAX_TEXT, PlainText())
    ]
    for at in range(0, len(links), MAX_BUTTONS):
        titles = "\n".join(BULLET + _title(link) for link in links[at : at + MAX_BUTTONS])
        found.append(_button_template(_cut(titles, MAX_BUTTON_TEXT), buttons[at : at + MAX_BUTTONS]))
    return found
