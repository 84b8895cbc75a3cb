"""Write a message as calls of Messenger's Send API: texts, templates with buttons, and quick replies.

Messenger shows plain text only. Quick replies vanish with the next message, so the last call carries them; long titles
are numbered and listed in full in the text.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from channels.delivery.markdown import PlainText, laid_out, utf16_units
from channels.delivery.markdown_lines import BULLET, Block
from channels.delivery.message import Message, Option, Thumbs
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


def calls(message: Message) -> list[Call]:
    """Return the bodies of the calls that send `message`, without recipient and type, within Messenger's limits."""
    said = words(message.facts.get("language"))
    replies, listed = quick_replies(message.options, message.thumbs)
    cards = Cards.of(message.cards)
    contacts = cards.contacts[:MAX_ELEMENTS]
    tappable = [contact for contact in contacts if _contact_buttons(contact, said)]
    # A single contact is one template with all details; several share a carousel, with their details in the text.
    single = tappable[0] if len(contacts) == 1 and tappable else None
    blocks = [
        *message_blocks(message, said),
        *(deadline_block(card, said) for card in cards.deadlines),
        *(paragraph_block(contact_lines(contact)) for contact in contacts if contact is not single),
        *source_blocks(message.citations, said),
    ]
    found = _texts_and_links(blocks, list(point_blocks(listed, numbered=True)), cards.links)
    if single is not None:
        text = cut("\n".join(contact_lines(single)), MAX_BUTTON_TEXT)
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
    """Return the quick replies for options, with thumbs where they fit, and the titles to list in the text."""
    options = options[:MAX_QUICK_REPLIES]
    shown, listed = numbered_titles([option.title for option in options], MAX_QUICK_REPLY_TITLE)
    pairs = [(title, option.id) for title, option in zip(shown, options, strict=True)]
    if thumbs and len(pairs) + 2 <= MAX_QUICK_REPLIES:
        pairs += [(one_line(thumb.title) or ELLIPSIS, thumb.id) for thumb in (thumbs.good, thumbs.bad)]
    replies = [
        {"content_type": "text", "title": cut(title, MAX_QUICK_REPLY_TITLE), "payload": OPTION + option_id}
        for title, option_id in pairs
    ]
    return replies, listed


# --- templates --------------------------------------------------------------------------------------------------------


def _web_button(title: str, url: str) -> dict[str, str]:
    return {"type": "web_url", "title": cut(title, MAX_BUTTON_TITLE), "url": url}


def _contact_buttons(contact: Mapping[str, Any], said: Mapping[str, str]) -> list[dict[str, str]]:
    buttons = []
    if number := telephone(str(contact.get("phone") or "")):
        buttons.append(
            {"type": "phone_number", "title": cut(said["call"], MAX_BUTTON_TITLE), "payload": number}
        )
    if is_web(str(contact.get("map_url") or "")):
        buttons.append(_web_button(said["map"], contact["map_url"]))
    return buttons


def _button_template(text: str, buttons: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    payload = {"template_type": "button", "text": text, "buttons": list(buttons)}
    return {"attachment": {"type": "template", "payload": payload}}


def _carousel(contacts: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> dict[str, Any]:
    elements = []
    for contact in contacts:
        name, *rest = contact_lines(contact)
        element: dict[str, Any] = {
            "title": cut(name, MAX_ELEMENT_TITLE),
            "buttons": _contact_buttons(contact, said),
        }
        if rest:
            element["subtitle"] = cut(" · ".join(rest), MAX_ELEMENT_SUBTITLE)
        elements.append(element)
    return {"attachment": {"type": "template", "payload": {"template_type": "generic", "elements": elements}}}


def _texts_and_links(
    blocks: Sequence[Block], last: Sequence[Block], links: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the texts, with the links as buttons under the last text when they fit, else under separate texts."""
    buttons = [_web_button(link_title(link), link["url"]) for link in links]
    if 0 < len(links) <= MAX_BUTTONS:
        long = [link_title(link) for link in links if utf16_units(link_title(link)) > MAX_BUTTON_TITLE]
        texts = laid_out([*blocks, *point_blocks(long), *last], MAX_TEXT, PlainText())
        if texts and utf16_units(texts[-1]) <= MAX_BUTTON_TEXT:
            return [*({"text": text} for text in texts[:-1]), _button_template(texts[-1], buttons)]
    found: list[dict[str, Any]] = [
        {"text": text} for text in laid_out([*blocks, *last], MAX_TEXT, PlainText())
    ]
    for at in range(0, len(links), MAX_BUTTONS):
        titles = "\n".join(BULLET + link_title(link) for link in links[at : at + MAX_BUTTONS])
        found.append(_button_template(cut(titles, MAX_BUTTON_TEXT), buttons[at : at + MAX_BUTTONS]))
    return found
