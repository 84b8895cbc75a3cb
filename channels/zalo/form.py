"""Write a message as calls of Zalo's API: texts, with buttons under the last one.

Zalo shows plain text. A press on a button sends its payload as a message of the student, which the chat does not show.
https://developers.zalo.me/docs/official-account/tin-nhan/tin-tu-van/gui-tin-tu-van-dang-van-ban
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from channels.delivery.markdown import PlainText, laid_out
from channels.delivery.message import Message
from channels.delivery.plain_message import (
    ELLIPSIS,
    Cards,
    contact_lines,
    cut,
    deadline_block,
    is_web,
    link_title,
    message_blocks,
    numbered_titles,
    one_line,
    paragraph_block,
    point_blocks,
    source_blocks,
    telephone,
)
from channels.delivery.platform import Call
from channels.words import words
from channels.zalo.events import OPTION

MAX_TEXT = 2_000
"""Zalo refuses a longer text (-210). It does not say how it counts; UTF-16 code units are the most there can be.
https://developers.zalo.me/docs/official-account/tin-nhan/tin-tu-van/gui-tin-tu-van-dang-van-ban"""

MAX_BUTTONS = 5
MAX_BUTTON_TITLE = 100
"""https://developers.zalo.me/docs/official-account/tin-nhan/tin-tu-van/gui-tin-tu-van-dinh-kem-nut-bam"""

Button = Mapping[str, Any]


def calls(message: Message) -> list[Call]:
    """Return the messages of the calls that send `message`, without the recipient, within Zalo's limits."""
    said = words(message.facts.get("language"))
    cards = Cards.of(message.cards)
    opening = [*map(_link_button, cards.links), *_contact_buttons(cards.contacts, said)]
    answering, listed = _option_buttons(message)
    blocks = [
        *message_blocks(message, said),
        *(deadline_block(card, said) for card in cards.deadlines),
        *(paragraph_block(contact_lines(contact)) for contact in cards.contacts),
        *source_blocks(message.citations, said),
        *point_blocks(listed, numbered=True),
    ]
    found: list[dict[str, Any]] = [{"text": text} for text in laid_out(blocks, MAX_TEXT, PlainText())]
    for heading, buttons in _groups(opening, answering, said):
        if not found or "attachment" in found[-1]:
            found.append({"text": heading})
        found[-1]["attachment"] = {"type": "template", "payload": {"buttons": list(buttons)}}
    return [{"message": each} for each in found]


def _groups(
    opening: Sequence[Button], answering: Sequence[Button], said: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[Button]]]:
    """Yield the buttons of one message after the other, each with a text for a message that has no other."""
    if len(opening) + len(answering) <= MAX_BUTTONS:
        if together := [*opening, *answering]:
            yield said["choose"] if answering else said["more"], together
        return
    for heading, buttons in ((said["more"], opening), (said["choose"], answering)):
        for at in range(0, len(buttons), MAX_BUTTONS):
            yield heading, buttons[at : at + MAX_BUTTONS]


def _option_buttons(message: Message) -> tuple[list[Button], list[str]]:
    """Return the buttons of the options, with thumbs where there is room, and the titles to list in the text."""
    shown, listed = numbered_titles([option.title for option in message.options], MAX_BUTTON_TITLE)
    pairs = [(title, option.id) for title, option in zip(shown, message.options, strict=True)]
    room = -len(pairs) % MAX_BUTTONS if pairs else MAX_BUTTONS
    if message.thumbs and room >= 2:
        both = (message.thumbs.good, message.thumbs.bad)
        pairs += [(one_line(thumb.title) or ELLIPSIS, thumb.id) for thumb in both]
    buttons = [
        {"title": cut(title, MAX_BUTTON_TITLE), "type": "oa.query.hide", "payload": OPTION + option_id}
        for title, option_id in pairs
    ]
    return list(buttons), listed


def _link_button(link: Mapping[str, Any]) -> Button:
    return _web_button(link_title(link), link["url"])


def _web_button(title: str, url: str) -> Button:
    return {"title": cut(title, MAX_BUTTON_TITLE), "type": "oa.open.url", "payload": {"url": url}}


def _contact_buttons(contacts: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> Iterator[Button]:
    for contact in contacts:
        whose = f": {one_line(str(contact['name']))}" if len(contacts) > 1 else ""
        if number := telephone(str(contact.get("phone") or "")):
            yield {
                "title": cut(said["call"] + whose, MAX_BUTTON_TITLE),
                "type": "oa.open.phone",
                "payload": {"phone_code": number.removeprefix("+")},
            }
        if is_web(str(contact.get("map_url") or "")):
            yield _web_button(said["map"] + whose, contact["map_url"])
