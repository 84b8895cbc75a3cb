"""Engine replies as messages, the arguments of `dispatcher.utter_message`.

`lead` fills `{lead}` in domain.yml: the question above its answer when one message asks several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from actions import buttons, cards, referents
from actions.base import Message
from actions.citation_markup import text_with_locators
from rag.query.message_editing import MOST_QUOTED
from rag.types import Option, Reason, Reply
from school.catalog import Catalog
from vietnamese.language_detection import Language
from vietnamese.small_talk import small_talk

_NO_ANSWER = {
    Reason.NOT_TAUGHT: "utter_not_taught",
    Reason.FOREIGN_SCHOOL: "utter_other_school",
    Reason.NO_SUCH_VALUE: "utter_no_such_value",
}
"""The response to a question without an answer, by the reason; another one for all others."""

_MARKUP = re.compile(r"[*_`~\[\]\\<>|]")


def lead(question: str) -> str:
    """Return `question` as a Markdown block quote, without the student's own markup characters.

    Of a long story the end is quoted, where the question stands.
    """
    plain = " ".join(_MARKUP.sub(" ", question).split()).lstrip("#-+= ")
    if len(plain) > MOST_QUOTED:
        plain = f"… {plain[-MOST_QUOTED:].partition(' ')[2]}"
    return f"> {plain[:1].upper()}{plain[1:]}\n\n" if plain else ""


def answer(reply: Reply, before: str = "") -> Message:
    """Return the answer with its citations and cards beside the text."""
    return {
        "response": "utter_answer",
        "text": before + text_with_locators(reply),
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


def left_out(values: Mapping[str, tuple[str, ...]], catalog: Catalog, spoken: Language) -> Message:
    """Return the note on the students whom the answer above does not hold for, with a button for each value."""
    named = [
        Option(catalog.name(d, value, spoken), {d: value}) for d, some in values.items() for value in some
    ]
    names = ", ".join(option.title for option in named)
    return {"response": "utter_left_out", "values": names, "buttons": buttons.choices(named)}


def choice(reply: Reply, spoken: Language, before: str = "") -> Message:
    """Return the clarifying question with the options as buttons; domain.yml adds "none of these"."""
    message: Message = {"lead": before, "buttons": buttons.choices(reply.options)}
    if reply.decision.unnamed:
        unnamed = referents.referent_names(reply.decision.unnamed, spoken)
        return {"response": "utter_ask_which", "unnamed": unnamed, **message}
    too_broad = Reason.TOO_BROAD in reply.decision.reasons
    return {"response": "utter_ask_narrower" if too_broad else "utter_choose_reading", **message}


def no_answer(
    reply: Reply, before: str = "", names: Mapping[str, str] | None = None, unlisted: str = ""
) -> Message:
    """Return the message without an answer, with related topics as buttons, or the only entry that is similar.

    `names` are the topics' names in the student's language, by id; `unlisted` is the value that the school does not
    have, as typed.
    """
    related = [
        replace(option, title=(names or {}).get(option.payload.get("topic", ""), option.title))
        for option in reply.options
        if "topic" in option.payload or len(reply.options) == 1
    ]
    named = (_NO_ANSWER[reason] for reason in reply.decision.reasons if reason in _NO_ANSWER)
    response = next(named, "utter_no_answer")
    told = {"value": unlisted} if response == _NO_ANSWER[Reason.NO_SUCH_VALUE] else {}
    return {"response": response, "lead": before, **told, "buttons": buttons.choices(related)}


def nothing_asked(reply: Reply) -> Message | None:
    """Return the response to small talk or an empty message; None for a question."""
    if Reason.EMPTY_QUESTION in reply.decision.reasons:
        return {"response": "utter_ask_for_question"}
    if Reason.SMALL_TALK not in reply.decision.reasons:
        return None
    kind = small_talk(reply.question)
    return {"response": f"utter_{kind.value}" if kind else "utter_default"}
