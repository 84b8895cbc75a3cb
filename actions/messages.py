"""The engine's replies as messages: the arguments of `dispatcher.utter_message`.

`lead` stands before the text of responses that have `{lead}` in domain.yml: the question that is answered,
when the message has several.
"""

from __future__ import annotations

import re

from actions import buttons, cards, referents
from actions.base import Message
from actions.citation_markup import with_places
from actions.small_talk import RESPONSES
from rag.types import Reason, Reply
from vietnamese.language_detection import Language
from vietnamese.small_talk import small_talk

_MARKUP = re.compile(r"[*_`~\[\]\\<>|]")


def lead(question: str) -> str:
    """A question quoted above its answer. What a student typed is no Markdown."""
    plain = " ".join(_MARKUP.sub(" ", question).split()).lstrip("#-+= ")
    return f"> {plain[:1].upper()}{plain[1:]}\n\n" if plain else ""


def answer(reply: Reply, before: str = "") -> Message:
    """An answer with its sources and cards beside the text."""
    return {
        "response": "utter_answer",
        "text": before + with_places(reply),
        "json_message": {
            "type": "answer",
            "tier": reply.source,
            "confidence": round(reply.confidence, 4),
            "answer_id": reply.answer_id,
            "citations": [
                {
                    "document_id": citation.document_id,
                    "title": citation.title,
                    "number": citation.number,
                    "locator": citation.locator,
                    "quote": citation.quote,
                    "url": citation.url,
                    "page": citation.page,
                }
                for citation in reply.citations
            ],
            "cards": cards.as_json(reply.cards),
        },
    }


def choice(reply: Reply, spoken: Language, before: str = "") -> Message:
    """What the question could mean, to choose from; the domain adds the way out."""
    message: Message = {"lead": before, "buttons": buttons.choices(reply.options)}
    if reply.decision.unnamed:
        unnamed = referents.named(reply.decision.unnamed, spoken)
        return {"response": "utter_ask_which", "unnamed": unnamed, **message}
    too_broad = Reason.TOO_BROAD in reply.decision.reasons
    return {"response": "utter_ask_narrower" if too_broad else "utter_choose_reading", **message}


def no_answer(reply: Reply, before: str = "") -> Message:
    """That there is no answer, with topics to go on with."""
    related = [option for option in reply.options if "topic" in option.payload]
    return {"response": "utter_no_answer", "lead": before, "buttons": buttons.choices(related)}


def nothing_asked(reply: Reply) -> Message | None:
    """What is said to small talk and to a message without a word; None when something was asked."""
    if Reason.EMPTY_QUESTION in reply.decision.reasons:
        return {"response": "utter_ask_for_question"}
    if Reason.SMALL_TALK not in reply.decision.reasons:
        return None
    kind = small_talk(reply.question)
    return {"response": RESPONSES[kind] if kind else "utter_default"}
