"""What a message asks: by itself, or together with the question before it.

"Còn k48?", "nộp ở đâu vậy?", "ý em là học phí chứ không phải học bổng" leave out what the last question has said.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rasa_sdk import Tracker

from actions.clarification_state import AskedBack
from actions.conversation_state import Given, LastTurn, now
from actions.tracker import (
    intent,
    mentioned,
    one_mentioned,
    reading,
    text,
    words_beside_profile,
)
from rag.engine import Engine
from school.catalog import Catalog
from school.dimensions import Profile
from school.reading import Reading
from vietnamese.ellipsis import MOST_WORDS, aspect_of, continuation, correction, names_nothing
from vietnamese.text import fold, words

WORDS_OF_A_BARE_PROFILE = 3
"""A message that says at most so much beside values of the profile asks nothing ("dạ em k47 ạ")."""

WORDS_OF_AN_INTRODUCTION = 7
"""The same for one that is surely an introduction ("chào bạn, mình là sinh viên k48 ngành kế toán, hệ đại trà")."""

SURE = 0.6
"""Confidence of the classifier from which an introduction is one."""

WORDS_OF_A_QUESTION = 3
"""A correction of so many words may be asked by itself."""

WORDS_OF_A_NAME = 6
"""A message of at most so many words may be what an earlier question left open ("ngành công nghệ thông tin")."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be answered: words, or what was chosen by a button (the payload of an option).

    `completed` are the words together with an earlier question, in several ways: what may be meant when `text` alone is
    no question; one that `is_whole` counts as soon as it leads to an answer. `other_than` is the id of an answer that
    cannot be meant. `profile` is for whom, when that is not the student ("còn k48?"). `base` is what to go on with next
    time, when it
    is less than what was asked; `again` is the id of the answer that the student already has.
    """

    text: str = ""
    choice: Mapping[str, str] | None = None
    reading: Reading | None = None
    completed: tuple[str, ...] = ()
    is_whole: bool = False
    other_than: str | None = None
    profile: Profile | None = None
    base: str = ""
    again: str | None = None


def spoken_of_others(tracker: Tracker, catalog: Catalog) -> frozenset[str]:
    """Return the dimensions of which the latest message says something that is not the student's own.

    Two cohorts in one message are compared; "còn k48?" of one who is of another cohort asks for a friend.
    """
    before = Given.of(tracker, catalog).before(now(tracker))
    named = [dimension for dimension in catalog.dimension_ids if mentioned(tracker, dimension)]
    several = {dimension for dimension in named if len(mentioned(tracker, dimension)) > 1}
    if LastTurn.of(tracker) is None or not _goes_on(tracker, catalog):
        return frozenset(several)
    return frozenset(several | {dimension for dimension in named if before.value(dimension)})


def given_now(tracker: Tracker, catalog: Catalog) -> Given:
    """Return the profile with what the latest message says of the student."""
    return Given.of(tracker, catalog).with_said(tracker, catalog, spoken_of_others(tracker, catalog))


def asked_now(tracker: Tracker, engine: Engine, last: LastTurn | None) -> Asked | None:
    """What the latest message asks; None when it only says something of the student."""
    for key in ("faq", "passage"):
        if chosen := mentioned(tracker, key):
            return Asked(choice={key: chosen[0]})
    typed, named = text(tracker), intent(tracker)[0]
    before = AskedBack.last(tracker)
    unnamed = (f"{before.question.rstrip(' ?.!')} {typed}",) if before.unnamed and typed else ()
    is_bare = is_bare_profile(tracker, engine.catalog)
    if (
        last is not None
        and is_bare
        and (
            _goes_on(tracker, engine.catalog)
            or named == "correct"
            or _hangs_on(tracker, engine.catalog, last)
        )
    ):
        return _for_another(tracker, engine, last)
    if not typed or (named in ("inform", "correct", "change_profile") and is_bare):
        return Asked(unnamed[0]) if unnamed else None
    if last is not None and (asked := _completed(tracker, engine, last)) is not None:
        return asked
    completed = unnamed if len(words(typed)) <= WORDS_OF_A_NAME else ()
    return Asked(typed, reading=reading(tracker), completed=completed)


def asked_again(last: LastTurn) -> Asked:
    """The last question once more, for whom it was asked."""
    return Asked(last.question, last.choice, profile=Profile(last.profile))


def is_unclear(tracker: Tracker, last: LastTurn | None) -> bool:
    """Whether a message refers to something, and there is nothing before it: "nộp ở đâu vậy?" as the first one."""
    typed = text(tracker)
    return last is None and bool(typed) and intent(tracker)[0] == "follow_up" and names_nothing(typed)


def _completed(tracker: Tracker, engine: Engine, last: LastTurn) -> Asked | None:
    """What is meant by a message that leaves out what the last question said; None for a question of its own."""
    typed, named = text(tracker), intent(tracker)[0]
    put_right = correction(typed)
    if put_right is not None:
        meant = _replaced(last.question, put_right.instead, put_right.said)
        if meant or named == "correct":
            is_whole = len(words(put_right.said)) >= WORDS_OF_A_QUESTION
            completed = (meant or f"{_open(last)} {put_right.said}",)
            return Asked(put_right.said, completed=completed, is_whole=is_whole)
    if names_nothing(typed) and named != "more":
        whole = f"{_open(last)} {typed}"
        return Asked(
            whole, profile=_for_whom(tracker, engine.catalog, last), base=last.question, again=last.answer_id
        )
    if (added := continuation(typed)) is not None:
        about = aspect_of(added, last.question)
        ways = (about, f"{_open(last)} {added}", engine.with_matter(last.question, added))
        return Asked(added, completed=tuple(filter(None, ways)), other_than=last.answer_id)
    if named == "follow_up" and len(words(typed)) <= MOST_WORDS:
        return Asked(typed, completed=(f"{_open(last)} {typed}",), again=last.answer_id)
    return None


def _for_another(tracker: Tracker, engine: Engine, last: LastTurn) -> Asked:
    """The last question for the values that the message names: another cohort, say."""
    said = {dimension for dimension in engine.catalog.dimension_ids if mentioned(tracker, dimension)}
    question = engine.without_profile(last.question, said)
    # What answers one cohort has its counterpart for another; the words are asked only where there is none.
    choice = {"faq": last.answer_id} if last.answer_id and last.is_curated else last.choice
    return Asked(question, choice, profile=_for_whom(tracker, engine.catalog, last), base=question)


def _for_whom(tracker: Tracker, catalog: Catalog, last: LastTurn) -> Profile:
    said = {d: value for d in catalog.dimension_ids if (value := one_mentioned(tracker, d)) is not None}
    return Profile(last.profile).with_values(said)


def _goes_on(tracker: Tracker, catalog: Catalog) -> bool:
    """Whether the latest message goes on with the question before: "còn k48?"."""
    typed = text(tracker)
    if not typed:
        return False
    return continuation(typed) is not None or (
        intent(tracker)[0] == "follow_up" and is_bare_profile(tracker, catalog)
    )


def is_bare_profile(tracker: Tracker, catalog: Catalog) -> bool:
    """Whether a message says who the student is, and hardly anything besides."""
    if not any(mentioned(tracker, dimension) for dimension in catalog.dimension_ids):
        return False
    named, confidence = intent(tracker)
    is_introduction = named in ("inform", "change_profile") and confidence >= SURE
    most = WORDS_OF_AN_INTRODUCTION if is_introduction else WORDS_OF_A_BARE_PROFILE
    return words_beside_profile(tracker, catalog.dimension_ids) <= most


def _hangs_on(tracker: Tracker, catalog: Catalog, last: LastTurn) -> bool:
    """Whether the last answer would be another with what the student says now."""
    said: Collection[str] = [
        d for d in catalog.dimension_ids if (v := one_mentioned(tracker, d)) and v != last.profile.get(d)
    ]
    return intent(tracker)[0] in ("inform", "change_profile") and bool(set(said) & set(last.depends_on))


def _open(last: LastTurn) -> str:
    return last.question.rstrip(" ?.!")


def _replaced(question: str, old: str, new: str) -> str:
    """`question` with `new` for `old`, however that was typed; empty when it does not stand there."""
    at = fold(question).find(fold(old)) if old else -1
    return f"{question[:at]}{new}{question[at + len(old) :]}" if at >= 0 else ""
