"""Edits of a message: its questions one by one, another matter in it, the value that a short reply names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag.query.question_splitting import split_questions
from school.catalog import Catalog
from school.dimensions import Profile
from school.entity_linker import Mention
from school.reader import Reader
from vietnamese.ellipsis import asks
from vietnamese.stopwords import STOPWORDS
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold, words

MOST_QUOTED = 160
"""The characters of a question that are quoted above its answer."""

STORY_WORDS = 25
"""A message with so many words may tell a story around what it asks for."""

CLAUSE_WORDS = 6
"""A clause of a story with fewer words says too little to be looked up."""

ASKING_WORDS = 5
"""So many words a clause of a shorter message has that asks: the clauses around it tell why."""

MOST_CLAUSES = 6
"""So many clauses of a story are looked up, one embedding each."""

_CLAUSE_END = re.compile(r"[,;:.!?\n]+(?:\s|$)")


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One question of a message: `text`, in everyday spelling, is looked up; `typed` is near to the student's words."""

    text: str
    typed: str


def message_parts(reader: Reader, text: str, catalog: Catalog) -> tuple[MessagePart, ...]:
    """Return the questions of a message, each self-contained; `text` alone when it is one question."""
    wording = reader.wording
    body = reader.without_frame(clean(text, MAX_QUESTION_CHARS))

    def of_profile(part: str) -> list[Mention]:
        return [mention for mention in wording.link(part) if mention.entity in catalog.dimension_ids]

    parts = split_questions(body if wording.is_english(body) else wording.spelled(body), of_profile, text)
    if len(parts) < 2:
        return (MessagePart(text, text),)
    # Without diacritics the ends of questions are not always seen.
    typed = split_questions(body)
    return tuple(map(MessagePart, parts, typed if len(typed) == len(parts) else parts))


def clauses_of_story(text: str) -> tuple[str, ...]:
    """Return the clauses of a message that may be looked up one by one: of a shorter one those that ask."""
    clauses = [clause.strip() for clause in _CLAUSE_END.split(text)]
    if len(words(text)) >= STORY_WORDS:
        return tuple(clause for clause in clauses if len(words(clause)) >= CLAUSE_WORDS)[:MOST_CLAUSES]
    asking = tuple(each for each in clauses if len(words(each)) >= ASKING_WORDS and asks(each))
    return asking[:MOST_CLAUSES] if sum(map(bool, clauses)) > 1 else ()


def with_matter(reader: Reader, text: str, matter: str) -> str | None:
    """Return `text` with `matter` in place of the catalogue's name that it begins with; None without such a name."""
    cleaned = clean(text, MAX_QUESTION_CHARS)
    first = next(iter(reader.wording.link(cleaned)), None)
    return f"{matter}{cleaned[first.end :]}" if first is not None and first.start == 0 else None


def is_said(kind: str, profile: Profile, catalog: Catalog) -> bool:
    """Return whether the profile has a value for a kind of thing: "ngành" when the major is known."""
    dimension = next((each.id for each in catalog.dimensions if each.name in kind), None)
    return dimension is not None and profile.get(dimension) is not None


def named_value(reader: Reader, text: str, dimension: str, catalog: Catalog) -> str | None:
    """Return the one value of `dimension` that a reply names, with or without the word for the dimension.

    A reply that is a name and nothing else may be another word without its diacritics: "duoc" for "Dược".
    """
    name = next(each.name for each in catalog.dimensions if each.id == dimension)
    typed = clean(text, MAX_QUESTION_CHARS)
    said = " ".join(word for word in typed.split() if word.lower() not in STOPWORDS)
    if (value := reader.prepared(f"{name} {said}").values([dimension]).get(dimension)) is not None:
        return value
    bare = " ".join(words(typed))
    of_name = {each.id for each in catalog.items(dimension) for name in each.names if fold(name) == bare}
    return of_name.pop() if len(of_name) == 1 else None
