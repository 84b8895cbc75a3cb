"""Resolution of the latest message to a question, alone or together with the last question.

"Còn k48?", "nộp ở đâu vậy?", "ý em là học phí chứ không phải học bổng" leave out words of the last question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rasa_sdk import Tracker

from actions.clarification_state import ClarificationState
from actions.conversation_state import LastTurn, StatedProfile, now
from actions.tracker import intent, mentioned, one_mentioned, reading, text, words_beside_profile
from rag.conversational_qa import OWN_WORDS
from rag.decide.context import names_no_matter
from rag.engine import Engine
from rag.types import Matter
from school.catalog import Catalog
from school.dimensions import Profile
from school.intents import topic_of
from school.reading import Reading
from vietnamese.comparison import compares, in_superlative, with_the_compared, without_choice
from vietnamese.ellipsis import (
    asks,
    asks_for_result,
    begins_with_writer,
    comes_back_to_writer,
    continuation,
    correction,
    goes_on_about_them,
    is_about_somebody_else,
    lead_of_somebody_else,
    matter_name,
    names_nothing,
    naming_words,
    speaks_of_writer,
)
from vietnamese.letters import introduces_only, states_only
from vietnamese.stopwords import says_something
from vietnamese.text import fold, words
from vietnamese.written_values import NUMBER, WrittenValue, written_values

WORDS_OF_A_BARE_PROFILE = 3
"""A message with at most this many words beside profile values asks nothing ("dạ em k47 ạ")."""

WORDS_OF_AN_INTRODUCTION = 7
"""The limit for a confident introduction ("chào bạn, mình là sinh viên k48 ngành kế toán, hệ đại trà")."""

SURE = 0.6
"""Confidence from which an introduction counts as one."""

MESSAGES_WITH_VALUES = 4
"""So many messages before one that asks for a result, values are looked for: "16 tín" for "tính ra luôn giúp em"."""

WORDS_OF_A_NAME = 4
"""A message of at most this many words may name an open referent ("ngành công nghệ thông tin")."""

FEWEST_COMPARED = 2
"""So many values are compared at least."""


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """A question for the engine: `text`, or `choice`, the payload of a pressed option.

    `history` are the matters that the text may go on with, the latest first. `profile` replaces the student's own
    ("còn k48?"). `previous_answer_id` is the answer that the student already has. `filled` are values given for this
    question, `known` those of earlier ones, `compared` those of the last comparison, `rejected` an answer that is not
    meant, `untold` the dimensions that the student was asked for in vain (`rag.types.Question`).
    """

    text: str = ""
    choice: Mapping[str, str] | None = None
    reading: Reading | None = None
    history: tuple[Matter, ...] = ()
    profile: Profile | None = None
    previous_answer_id: str | None = None
    rejected: str | None = None
    filled: Mapping[str, float | str] = field(default_factory=dict)
    known: Mapping[str, float | str] = field(default_factory=dict)
    compared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()


def dimensions_of_others(tracker: Tracker, catalog: Catalog) -> frozenset[str]:
    """Return the dimensions whose values in the latest message describe somebody other than the student.

    "Còn k48?" from a student of another cohort asks for a friend, and so does "bạn em k48".
    """
    last, typed = LastTurn.from_tracker(tracker), text(tracker)
    is_theirs = last is not None and goes_on_about_them(typed)
    if is_about_somebody_else(typed) or is_theirs:
        return frozenset(d for d in catalog.dimension_ids if mentioned(tracker, d))
    rare = _rare_ones_of_others(tracker, catalog)
    before = StatedProfile.from_tracker(tracker, catalog).before(now(tracker))
    if last is None or not _is_continuation(tracker, catalog):
        return rare
    return rare | {d for d in catalog.dimension_ids if mentioned(tracker, d) and before.value(d)}


def is_about_others(tracker: Tracker, last: LastTurn | None) -> bool:
    """Return whether the latest message is about somebody other than the student, by its words or those before.

    Behind a question about somebody else, what goes on with it is about them, and what is of the same topic.
    """
    typed = text(tracker)
    if is_about_somebody_else(typed):
        return True
    if last is None:
        return False
    if goes_on_about_them(typed):
        return True
    topic = topic_of(intent(tracker)[0])
    is_of_topic = topic is not None and topic == tracker.get_slot("last_topic")
    return last.of_others and (_goes_on(typed) or is_of_topic) and not _turns_to_writer(typed, last)


def _goes_on(typed: str) -> bool:
    """Return whether a message has too few words of a matter to introduce one."""
    return names_no_matter(typed) or len(naming_words(typed)) < OWN_WORDS


def _turns_to_writer(typed: str, last: LastTurn) -> bool:
    """Return whether a message is about its writer again; behind one about somebody else, "e còn nợ 2 môn" is."""
    return comes_back_to_writer(typed) or (last.of_others and begins_with_writer(typed))


def said_of_others(tracker: Tracker, catalog: Catalog) -> Mapping[str, str]:
    """Return the values in the latest message that describe somebody other than the student, one of each dimension."""
    said = {d: one_mentioned(tracker, d) for d in dimensions_of_others(tracker, catalog)}
    return {d: value for d, value in said.items() if value is not None}


def _rare_ones_of_others(tracker: Tracker, catalog: Catalog) -> frozenset[str]:
    """Return the dimensions of which a question that does not speak of its writer names a value that few students have.

    "Vừa làm vừa học có được hoãn không" tells nothing of who asks it.
    """
    typed = text(tracker)
    if speaks_of_writer(typed) or not (asks(typed) or continuation(typed)):
        return frozenset()
    return frozenset(d for d in catalog.dimension_ids if one_mentioned(tracker, d) in catalog.rare(d))


def current_profile(tracker: Tracker, catalog: Catalog) -> StatedProfile:
    """Return the stated profile with the values of the latest message."""
    return StatedProfile.from_tracker(tracker, catalog).with_said(
        tracker, catalog, dimensions_of_others(tracker, catalog)
    )


def resolve_question(tracker: Tracker, engine: Engine, last: LastTurn | None) -> ResolvedQuestion | None:
    """Return the question of the latest message; None when it only states the profile."""
    for key in ("faq", "passage"):
        if chosen := mentioned(tracker, key):
            return ResolvedQuestion(choice={key: chosen[0]})
    typed, named = text(tracker), intent(tracker)[0]
    is_bare = is_bare_profile(tracker, engine.catalog) and not _has_rule(tracker, engine)
    before = ClarificationState.from_tracker(tracker)
    is_name = before.unnamed and (is_bare or 0 < len(words(typed)) <= WORDS_OF_A_NAME)
    named_now = f"{before.question.rstrip(' ?.!')} {typed}" if is_name and typed else ""
    if (
        last is not None
        and is_bare
        and (
            _is_continuation(tracker, engine.catalog)
            or named == "correct"
            or _affects_last_answer(tracker, engine.catalog, last)
        )
    ):
        return _repeat_for_profile(tracker, engine, last)
    if named_now:
        return ResolvedQuestion(named_now)
    is_introduction = is_bare and (named in ("inform", "correct", "change_profile") or _introduces(tracker))
    states_values = last is None and bool(stated_values(tracker)) and not _has_rule(tracker, engine)
    if not typed or is_introduction or states_values:
        return None
    if last is None:
        return ResolvedQuestion(typed, reading=reading(tracker))
    return _within(tracker, engine, last)


def resolve_repetition(last: LastTurn) -> ResolvedQuestion:
    """Return the last question once more, with its profile."""
    return ResolvedQuestion(last.question, last.choice, profile=Profile(last.profile))


def is_unclear(tracker: Tracker, last: LastTurn | None) -> bool:
    """Return whether a first message refers to an earlier one: "nộp ở đâu vậy?"."""
    typed = text(tracker)
    return last is None and bool(typed) and intent(tracker)[0] == "follow_up" and names_nothing(typed)


def _within(tracker: Tracker, engine: Engine, last: LastTurn) -> ResolvedQuestion:
    """Return the question of a message in a conversation; a correction stands in its own words."""
    typed, named = text(tracker), intent(tracker)[0]
    if (put_right := correction(typed)) is not None:
        meant = _replaced(last.typed, put_right.instead, put_right.said)
        if meant or named == "correct" or put_right.is_plain:
            history = () if meant else last.history
            # Another cohort or value may have the same rule; another matter has another answer.
            is_of_student = any(mentioned(tracker, dimension) for dimension in engine.catalog.dimension_ids)
            rejected = None if is_of_student or gives_values(tracker) else last.answer_id
            return ResolvedQuestion(meant or put_right.said, history=history, rejected=rejected)
    if asks_for_result(typed) and not gives_values(tracker) and (said := _values_before(tracker)):
        again = last.question.rstrip(" ?.!")
        return ResolvedQuestion(again if said in again else f"{again} {said}", history=last.history[1:])
    for chooses in (_choice, _of_the_compared):
        if (chosen := chooses(tracker, engine.catalog, last)) is not None:
            return chosen
    profile = None
    history, is_bare = last.history, names_no_matter(typed)
    goes_on = _goes_on(typed)
    own = current_profile(tracker, engine.catalog).profile
    if is_theirs := is_about_others(tracker, last):
        # The brother of a part-time student hardly studies part-time, too.
        own = without_rare(own, engine.catalog)
    theirs = _last_profile_with_mentions(tracker, engine.catalog, last)
    turns_back = _turns_to_writer(typed, last)
    if goes_on_about_them(typed) or (names_nothing(typed) and not turns_back):
        profile = theirs
    elif (goes_on or is_theirs) and not turns_back:
        # "Cần bao nhiêu tín chỉ" after "còn k50?" asks of that cohort; what was not said there is the student's own.
        profile = own.with_values(theirs.values)
    elif not speaks_of_writer(typed):
        # "Tiền sinh hoạt một tháng được bao nhiêu" still asks about the sister of the message before.
        profile = without_rare(theirs, engine.catalog).with_values(own.values)
    if last.unasked and not goes_on:
        history = ()
    compared = {d: some for d, some in last.compared.items() if goes_on and not mentioned(tracker, d)}
    if (waiting := engine.entry(last.waits_for or "")) is not None:
        history = (Matter(waiting.question, waiting.id), *history[1:])
    return ResolvedQuestion(
        typed,
        reading=reading(tracker),
        # A question asked once more does not go on with itself.
        history=tuple(
            matter for matter in history if matter.answer_id or not _is_same(matter.question, typed)
        ),
        profile=profile,
        previous_answer_id=last.answer_id if is_bare and not compared else None,
        compared=compared or _beside_the_last(tracker, engine.catalog, last),
    )


def without_rare(profile: Profile, catalog: Catalog) -> Profile:
    """Return a profile without the values that few students have."""
    return Profile({d: value for d, value in profile.values.items() if value not in catalog.rare(d)})


def _choice(tracker: Tracker, catalog: Catalog, last: LastTurn) -> ResolvedQuestion | None:
    """Return the question of a message that chooses among the values compared before: "cái nào rẻ hơn"; else None."""
    typed, kinds = text(tracker), catalog.dimensions
    rest = without_choice(typed, [each.name.lower() for each in kinds])
    is_bare = rest is not None and (not rest or names_nothing(rest))
    if not is_bare or any(mentioned(tracker, d) for d in last.compared):
        return None
    names = [f"{d.name} {catalog.name(d.id, v)}" for d in kinds for v in last.compared.get(d.id, ())]
    if not names and not compares(last.typed):
        return None
    matter = matter_name(last.history[0].question if names and last.history else last.typed)
    return ResolvedQuestion(" ".join((matter, " với ".join(names), in_superlative(typed))))


def _of_the_compared(tracker: Tracker, catalog: Catalog, last: LastTurn) -> ResolvedQuestion | None:
    """Return the question of a message that points at the values compared before: "2 ngành này học phí khác gì".

    "25,5 điểm đậu cái nào" asks about each of them, too.
    """
    for spec in catalog.dimensions:
        names = [catalog.name(spec.id, value) for value in last.compared.get(spec.id, ())]
        if len(names) < FEWEST_COMPARED or mentioned(tracker, spec.id):
            continue
        if (named := with_the_compared(text(tracker), spec.name.lower(), names)) is not None:
            return ResolvedQuestion(named)
    return None


def _beside_the_last(tracker: Tracker, catalog: Catalog, last: LastTurn) -> Mapping[str, tuple[str, ...]]:
    """Return the last value and that of the message, by dimension, when it names another one: "thú y thì sao".

    Of a message that names several values, these.
    """
    said = {d: one_mentioned(tracker, d) for d in catalog.dimension_ids}
    beside = {d: (old, v) for d, v in said.items() if v and (old := last.profile.get(d)) and old != v}
    named = {d: tuple(mentioned(tracker, d)) for d in catalog.dimension_ids}
    return beside | {d: values for d, values in named.items() if len(values) >= FEWEST_COMPARED}


def _is_same(question: str, other: str) -> bool:
    """Return whether two questions have the same telling words."""
    telling = [{word for word in words(fold(text)) if says_something(word)} for text in (question, other)]
    return telling[0] == telling[1]


def _repeat_for_profile(tracker: Tracker, engine: Engine, last: LastTurn) -> ResolvedQuestion:
    """Return the last question for the profile values that the message names, such as another cohort."""
    said = {dimension for dimension in engine.catalog.dimension_ids if mentioned(tracker, dimension)}
    question = engine.without_profile(last.question, said)
    # A curated answer usually has a sibling for another cohort; the text is asked only without one.
    choice = {"faq": last.answer_id} if last.answer_id and last.is_curated else last.choice
    has_several = any(len(mentioned(tracker, dimension)) >= FEWEST_COMPARED for dimension in said)
    return ResolvedQuestion(
        question,
        # For several values the question itself is asked, once for each.
        None if has_several else choice,
        profile=_last_profile_with_mentions(tracker, engine.catalog, last),
        # A question asked once more does not go on with itself.
        history=last.history[1:],
        compared=_beside_the_last(tracker, engine.catalog, last),
    )


def _last_profile_with_mentions(tracker: Tracker, catalog: Catalog, last: LastTurn) -> Profile:
    """Return the last question's profile with the values of the message; of several of a dimension, none."""
    said = {d: one_mentioned(tracker, d) for d in catalog.dimension_ids if mentioned(tracker, d)}
    named = {d: value for d, value in said.items() if value is not None}
    return Profile(last.profile).with_values({**dict.fromkeys(catalog.excluded(last.profile, named)), **said})


def _is_continuation(tracker: Tracker, catalog: Catalog) -> bool:
    """Return whether the latest message continues the last question: "còn k48?"."""
    typed = text(tracker)
    if not typed:
        return False
    return (
        continuation(typed) is not None
        or is_about_somebody_else(typed)
        or (intent(tracker)[0] == "follow_up" and is_bare_profile(tracker, catalog))
    )


def is_bare_profile(tracker: Tracker, catalog: Catalog) -> bool:
    """Return whether the latest message states profile values and hardly anything else, or introduces its writer."""
    if _introduces(tracker):
        return True
    if not any(mentioned(tracker, dimension) for dimension in catalog.dimension_ids):
        return False
    named, confidence = intent(tracker)
    if asks(text(tracker)) or gives_values(tracker):
        return False
    is_introduction = named in ("inform", "change_profile") and confidence >= SURE
    most = WORDS_OF_AN_INTRODUCTION if is_introduction else WORDS_OF_A_BARE_PROFILE
    return _words_beside(tracker, catalog) <= most


def _words_beside(tracker: Tracker, catalog: Catalog) -> int:
    """Return the number of content words beside profile values, without those that lead in: "e nhầm, ", "bạn em "."""
    typed = text(tracker)
    put_right, lead = correction(typed), _telling(lead_of_somebody_else(typed))
    if put_right is not None and not put_right.instead:
        lead = _telling(typed) - _telling(put_right.said)
    return words_beside_profile(tracker, catalog.dimension_ids) - lead


def _telling(typed: str) -> int:
    """Return the number of content words of a text."""
    return sum(map(says_something, words(typed)))


def _introduces(tracker: Tracker) -> bool:
    """Return whether the latest message does nothing but say who writes: "chào trường, tôi là phụ huynh em k50"."""
    said = reading(tracker)
    return said is not None and introduces_only(said.text, [(m.start, m.end) for m in said.mentions])


def stated_values(tracker: Tracker) -> tuple[WrittenValue, ...]:
    """Return the values of a message that tells of its writer and asks nothing: "em k49, tích lũy 95tc gpa 2.45".

    Empty for any other message.
    """
    said = reading(tracker)
    if said is None or asks(said.text) or not (said.mentions and gives_values(tracker)):
        return ()
    places = [(mention.start, mention.end) for mention in said.mentions]
    places += [(value.start, value.end) for value in said.written_values]
    return said.written_values if states_only(said.text, places) else ()


def _has_rule(tracker: Tracker, engine: Engine) -> bool:
    """Return whether an advisor has put the words of the latest message to an entry or a rule."""
    read = reading(tracker)
    return read is not None and engine.is_published(read)


def gives_values(tracker: Tracker, *, mere_numbers: bool = False) -> bool:
    """Return whether the latest message gives a calculator's value beside the profile: "em cntt k51, gpa 2.7".

    With `mere_numbers`, a number without a unit is one: "em trai 3.62 thì loại gì".
    """
    said = reading(tracker)
    spans = [(mention.start, mention.end) for mention in said.mentions] if said is not None else []
    return said is not None and any(
        (mere_numbers or value.unit != NUMBER)
        and not any(start < value.end and value.start < end for start, end in spans)
        for value in said.written_values
    )


def _values_before(tracker: Tracker) -> str:
    """Return the words of the values of the latest message that gives any with a unit ("16 tín"), one alone apart."""
    texts = [str(event.get("text") or "") for event in tracker.events if event.get("event") == "user"]
    for before in reversed(texts[-1 - MESSAGES_WITH_VALUES : -1]):
        found = [value for value in written_values(before) if value.unit != NUMBER and value.value != 1]
        if found and not before.startswith("/"):
            return " ".join(before[value.start : value.end] for value in found)
    return ""


def _affects_last_answer(tracker: Tracker, catalog: Catalog, last: LastTurn) -> bool:
    """Return whether the last answer depends on a value that the latest message changes."""
    said: Collection[str] = [
        d for d in catalog.dimension_ids if (v := one_mentioned(tracker, d)) and v != last.profile.get(d)
    ]
    # "học phí clc" after the price of a credit asks anew; "clc" does not, whatever the classifier takes it for.
    states = topic_of(intent(tracker)[0]) is None or not _words_beside(tracker, catalog)
    return states and bool(set(said) & set(last.depends_on))


def _replaced(question: str, old: str, new: str) -> str:
    """Return `question` with `old` replaced, ignoring case and diacritics; empty when `old` does not occur."""
    at = fold(question).find(fold(old)) if old else -1
    return f"{question[:at]}{new}{question[at + len(old) :]}" if at >= 0 else ""
