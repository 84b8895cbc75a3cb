"""The checks of generated texts against the source that they were written from.

A reply is an object `{"texts": [...]}`, or `{"statements": [...]}` for relations. The verifier of generated answers
compares details (`rag.answer.verify`); relations are checked by their quotation (`rag.ingest.graph.statements`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rag.answer.verify import evidence_of, invented, shared_words
from rag.ingest.graph.statements import Refused, Relations, checked
from rag.language_model.injection import addresses_model
from rag.query.same_words import folded_words
from rag.rerank.opposites import opposite, poles
from rag.types import FaqEntry, Passage
from vietnamese.stopwords import says_something
from vietnamese.text import clean, words

MAX_TEXT_CHARS = 200
"""The longest generated wording or question: students' own are shorter."""

LEAST_SHARED = 0.5
"""The share of a question's telling words that its passage must have: a question in other words throughout is hardly
about it."""


class UnreadableReplyError(Exception):
    """A model's reply is not the object that was asked for."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The texts that pass, and those that do not with the reason."""

    texts: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()


def checked_wordings(family: Sequence[FaqEntry], reply: str, most: int) -> Checked:
    """Return the wordings in a reply that ask what the entries of `family` answer. Raises UnreadableReplyError."""
    asked = [text for entry in family for text in (entry.question, *entry.variants)]
    source = evidence_of(Passage(family[0].id, "\n".join(dict.fromkeys(asked)), "", "", ""))
    wanted = poles(family[0].question)

    def fault(text: str) -> str:
        if opposite(poles(text), wanted):
            return "opposite"
        return reason.value if (reason := invented(text, source)) else ""

    known = {folded_words(text) for text in asked}
    return _checked_texts(reply, most, known, fault)


def checked_questions(passage: Passage, reply: str, most: int) -> Checked:
    """Return the questions in a reply that are about `passage`. Raises UnreadableReplyError."""
    source = evidence_of(passage)

    def fault(text: str) -> str:
        if reason := invented(text, source):
            return reason.value
        return "" if shared_words(text, source) >= LEAST_SHARED else "words"

    return _checked_texts(reply, most, set(), fault)


def checked_relations(passage: Passage, reply: str, most: int, relations: Relations) -> Checked:
    """Return the relations in a reply that `passage` states, as JSON. Raises UnreadableReplyError."""
    given = _items(reply, "statements")
    kept, refused = checked(passage, json.dumps(given[:most]), relations)
    texts = (json.dumps(statement.to_json(), ensure_ascii=False) for statement in kept)
    return Checked(tuple(dict.fromkeys(texts)), tuple(refused))


def _checked_texts(
    reply: str, most: int, known: set[tuple[str, ...]], fault: Callable[[str], str]
) -> Checked:
    kept: list[str] = []
    refused: list[Refused] = []
    for item in _items(reply, "texts")[:most]:
        text = clean(item, 2 * MAX_TEXT_CHARS).strip() if isinstance(item, str) else ""
        key = folded_words(text)
        if key in known:
            # It is there already.
            continue
        if (
            not any(map(says_something, words(text)))
            or len(text) > MAX_TEXT_CHARS
            or "\n" in text
            or addresses_model(text)
        ):
            refused.append(Refused(str(item)[:MAX_TEXT_CHARS], "form"))
        elif why := fault(text):
            refused.append(Refused(text, why))
        else:
            known.add(key)
            kept.append(text)
    return Checked(tuple(kept), tuple(refused))


def _items(reply: str, key: str) -> list[Any]:
    """Return the list under `key` of the object in a reply; some models write fences or words around it.

    Of a reply that the limit of tokens has cut off, those before the cut: a model that repeats itself ends so.
    """
    begin, end = reply.find("{"), reply.rfind("}")
    try:
        said = json.loads(reply[begin : end + 1])
    except ValueError as error:
        if whole := _items_before_cut(reply, key):
            return whole
        raise UnreadableReplyError(reply[:200]) from error
    items = said.get(key) if isinstance(said, dict) else None
    if not isinstance(items, list):
        raise UnreadableReplyError(reply[:200])
    return items


def _items_before_cut(reply: str, key: str) -> list[Any]:
    """Return the whole items of the list under `key` in an object that does not end."""
    begun = re.search(rf'"{key}"\s*:\s*\[', reply)
    found: list[Any] = []
    place = begun.end() if begun is not None else len(reply)
    while place < len(reply):
        if reply[place].isspace() or reply[place] == ",":
            place += 1
            continue
        try:
            item, place = json.JSONDecoder().raw_decode(reply, place)
        except ValueError:
            break
        found.append(item)
    return found
