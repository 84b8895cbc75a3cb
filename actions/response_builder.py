"""Builds the messages and slots of a turn from the engine's reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from actions import buttons, clarification_state, hand_over, messages
from actions.base import Message
from actions.clarification_state import ClarificationState, option_names
from actions.conversation_state import KNOWN_VALUES, LAST_TURN, VALUE, LastTurn, with_known_values
from actions.dialogue_acts import (
    SURE,
    comfort,
    hardship_message,
    is_of_crisis,
    is_question,
    message_to_more_of_distress,
    talk_message,
)
from actions.follow_up_resolution import ResolvedQuestion, said_of_others
from actions.greeting import greeting
from actions.tracker import intent, language, reading, text
from actions.turn import NOTHING_PENDING, Turn, TurnResponse
from rag.decide.context import with_latest
from rag.rerank.answer_type import expected, offered
from rag.types import DOCUMENT_SOURCE, GRAPH_SOURCE, Decision, DecisionKind, Matter, Reason, Reply
from school.dimensions import Profile
from school.intents import topic_of
from vietnamese.distress import tells_of_hardship, worries_about_studies
from vietnamese.ellipsis import continuation, names_nothing
from vietnamese.impersonal_question import (
    asks_for_a_person,
    asks_to_meet_an_office,
    speaks_of_the_talk,
)
from vietnamese.language_detection import detect_language
from vietnamese.text import fold, words
from vietnamese.yes_no_answer import says_yes_or_no

OUT_OF_SCOPE: Message = {"response": "utter_out_of_scope"}

DECLINED = frozenset(("utter_out_of_scope", "utter_no_answer"))

OUT_OF_SCOPE_CONFIDENCE = 0.8
"""Intent confidence from which an unanswered question is out of scope; below it the bot offers a hand-over."""

OF_ANOTHER = frozenset((Reason.FOREIGN_SCHOOL, Reason.NOT_TAUGHT, Reason.NO_SUCH_VALUE))
"""Why a question is refused that would have an answer with another school or field in it."""

SAYS_WHY = OF_ANOTHER | {Reason.QUERY_RULE, Reason.NOT_PUBLISHED}
"""Why a question is refused, whatever the classifier takes it for."""

ABRUPT_TALK = frozenset({"abuse", "greet", "cancel"})
"""Small talk whose reply would offend or puzzle somebody who has asked something."""

SURE_OF_THE_SAME = 0.8
"""The probability from which the last answer, given again, is said to have what is asked: of less sure ones a fourth
has not."""

SURE_OF_THE_ENTRY = 0.85
"""The probability from which an entry's answer stands without the entry's question: of the entries that answer beside
the point four fifths are less sure, of the right ones a quarter (benchmarks/first_messages.py)."""

OFFER_ADVISOR_AFTER = 2
"""Consecutive turns without an answer after which the bot offers an advisor."""


def build_response(turn: Turn, asked: ResolvedQuestion, reply: Reply) -> TurnResponse:
    """Return the response to `asked` with the engine's reply, part by part when the message has several questions."""
    said = _response(turn, asked, reply)
    declined = any(message["response"] in DECLINED for message in said.messages)
    if declined and reply.decision.kind is DecisionKind.CLARIFY:
        # The student has not been offered the entries that were merely near, or only one of them beside a refusal.
        reply = replace(reply, decision=replace(reply.decision, kind=DecisionKind.NO_ANSWER))
    return replace(said, reply=reply)


def _response(turn: Turn, asked: ResolvedQuestion, reply: Reply) -> TurnResponse:
    if (nothing := messages.nothing_asked(reply)) is not None:
        if nothing["response"] == "utter_greet":
            nothing = greeting(turn.tracker, turn.engine)
        # Thanks in between must not allow the same clarifying question again.
        return TurnResponse(
            [nothing], {**NOTHING_PENDING, clarification_state.SLOT: turn.clarification.as_slot()}
        )
    if (talk := _talk_instead(turn, asked, reply)) is not None:
        return TurnResponse([talk])
    if stale := _stale_dimensions(turn, reply):
        return _confirm(turn, asked, reply, stale)
    parts = _ResponseParts(turn, asked, several=bool(reply.parts))
    for part in reply.parts or (reply,):
        parts.add(part)
    values = {name: value for part in reply.parts or (reply,) for name, value in part.values.items()}
    last = replace(_last_turn(turn, asked, reply), left_out=parts.left_out)
    if turn.is_about_others:
        last = replace(last, of_others=True, their_values={**turn.known_values, **values})
    changes = {**NOTHING_PENDING, **parts.changes(), LAST_TURN: last.as_slot()}
    if reply.topic is not None:
        changes["last_topic"] = reply.topic
    if values and not turn.is_about_others:
        changes[KNOWN_VALUES] = with_known_values(turn.tracker, values)
    changes["unresolved"] = unresolved = _unresolved_turns(turn, reply, parts)
    said = parts.messages()
    is_for_comfort = reply.decision.kind is DecisionKind.ANSWER or _asks_in_worry(turn, reply)
    if is_for_comfort and (kind := comfort(turn.tracker, turn.engine)) is not None:
        said.insert(0, kind)  # "sợ quá" wants more than the rule
    if parts.declines and unresolved and unresolved % OFFER_ADVISOR_AFTER == 0:
        said.append(_offer("utter_offer_advisor", turn))
    elif asks_for_a_person(said_text := text(turn.tracker)) or asks_to_meet_an_office(said_text):
        said.append(_offer("utter_person_too", turn))
    return TurnResponse(said, changes)


def _offer(response: str, turn: Turn) -> Message:
    """Return a message with the button that leads to a person."""
    return {"response": response, "buttons": hand_over.offer_buttons(language(turn.tracker))}


def _talk_instead(turn: Turn, asked: ResolvedQuestion, reply: Reply) -> Message | None:
    """Return the reply to a message that grumbles, or that the classifier took for small talk and nothing answers."""
    typed = text(turn.tracker)
    nothing_found = _is_no_question(turn, reply) or reply.source == DOCUMENT_SOURCE
    asks_which = reply.decision.kind is DecisionKind.CLARIFY and not reply.decision.missing
    may_be_more = nothing_found or asks_which
    if may_be_more and (more := message_to_more_of_distress(turn.tracker, turn.engine)) is not None:
        return more
    if (kind := comfort(turn.tracker, turn.engine)) is not None:
        is_worry = worries_about_studies(typed) and not is_question(typed)
        asks_back = is_worry and reply.decision.kind is DecisionKind.CLARIFY
        is_unanswered = nothing_found and not _asks_in_worry(turn, reply)
        if is_unanswered or asks_back or is_of_crisis(reply, turn.engine):
            return kind
    if nothing_found and tells_of_hardship(typed) and not is_question(typed):
        return hardship_message(turn.tracker, turn.engine)
    named, confidence = intent(turn.tracker)
    if named in ABRUPT_TALK and confidence < SURE:
        return None
    is_the_same = turn.last is not None and reply.answer_id == turn.last.answer_id
    if asked.reading is None or (reply.decision.kind is DecisionKind.ANSWER and not is_the_same):
        return None
    is_of_a_matter = continuation(typed) is not None or not speaks_of_the_talk(typed)
    is_of_the_school = is_of_a_matter and (reply.answer_id is not None or is_question(typed))
    return None if is_of_the_school else talk_message(turn)


def _asks_in_worry(turn: Turn, reply: Reply) -> bool:
    """Return whether nothing answers a question beside which a student tells of fear: both get a reply."""
    typed = text(turn.tracker)
    is_worry = worries_about_studies(typed) and is_question(typed)
    return is_worry and topic_of(intent(turn.tracker)[0]) is not None and _is_no_question(turn, reply)


def _is_no_question(turn: Turn, reply: Reply) -> bool:
    """Return whether a message finds no answer, or only options without being about a topic of the school."""
    if reply.decision.kind is DecisionKind.CLARIFY:
        return topic_of(intent(turn.tracker)[0]) is None
    return reply.decision.kind is DecisionKind.NO_ANSWER


class _ResponseParts:
    """Collects the messages for each question of one message."""

    def __init__(self, turn: Turn, asked: ResolvedQuestion, *, several: bool) -> None:
        self.waiting: list[Reply] = []
        self.left_out = turn.last.left_out if turn.last is not None else ()
        self._turn = turn
        self._asked = asked
        self._known = asked.profile or turn.known
        self._several = several
        self._said: list[Message] = []
        self._offered: list[Reply] = []

    def add(self, reply: Reply) -> None:
        """Add the messages for the reply to one question; of answers for several values, each stands by itself."""
        if reply.parts:
            for part in reply.parts:
                self.add(replace(part, question=f"{reply.question} {part.question}"))
            return
        lead = messages.lead(reply.question) if self._several else ""
        if reply.decision.kind is DecisionKind.ANSWER:
            if reply.also is not None and not self._several:
                self._answer(reply, messages.lead(reply.resolved))
                self._said.append({"response": "utter_other_meaning"})
                self._answer(reply.also, messages.lead(reply.also.question))
                return
            self._answer(reply, lead or self._question_of_entry(reply))
        elif missing := _missing(reply, self._known):
            self._said += self._defer_to_form(reply, missing[0], lead)
        elif (needs := reply.decision.needs) is not None:
            if self._turn.clarification.has_asked_for(needs.name, reply, self._turn.tracker):
                self.add(self._rule(reply))
                return
            self.waiting.append(reply)
            self._said += (
                _deferred_part(reply, lead, is_first=len(self.waiting) == 1) if self._several else []
            )
        elif _offers_choice(self._turn, reply):
            # One option is no choice: it is named beside the topics that are near.
            offers = len(reply.options) > 1
            self._said += self._offer_choice(reply, lead) if offers else [self._decline(reply, lead)]
        elif messages.nothing_asked(reply) is None:
            # This includes a request for a value that the profile already has: asking again would never end.
            is_told_why = not SAYS_WHY.isdisjoint(reply.decision.reasons)
            is_outside = self._is_out_of_scope() and not is_told_why
            self._said.append(OUT_OF_SCOPE if is_outside else self._decline(reply, lead))

    def _answer(self, reply: Reply, lead: str) -> None:
        notes = _notes(self._turn, self._asked, reply, is_one=not self._several)
        self._said += [note for note in notes if note not in self._said]
        self._said.append(messages.answer(reply, lead))
        # Said under every answer, the note would be noise.
        if unsaid := {d: values for d, values in reply.left_out.items() if d not in self.left_out}:
            spoken = language(self._turn.tracker)
            self._said.append(messages.left_out(unsaid, self._turn.engine.catalog, spoken))
            self.left_out += tuple(unsaid)

    @property
    def declines(self) -> bool:
        """Whether nothing is answered or asked back."""
        return not self._offered and not self.waiting

    def messages(self) -> list[Message]:
        """Return the messages in the order of the questions, with the form's question last."""
        return sorted(self._said, key=lambda message: message["response"] == "utter_part_needs_profile")

    def changes(self) -> Mapping[str, Any]:
        """Return the slots for the clarifying question and the form."""
        changes: dict[str, Any] = {}
        if self.waiting:
            first = self.waiting[0]
            asked = replace(self._asked, text=first.question) if self._several else self._asked
            changes |= _pending_slots(asked, first, self._known)
        changes[clarification_state.SLOT] = _clarification(self._offered, self.waiting, self._known).as_slot()
        return changes

    def _is_out_of_scope(self) -> bool:
        """Return whether the message's only question is out of scope; one intent cannot tell several apart."""
        named, confidence = intent(self._turn.tracker)
        return not self._several and named == "out_of_scope" and confidence >= OUT_OF_SCOPE_CONFIDENCE

    def _defer_to_form(self, reply: Reply, dimension: str, lead: str) -> list[Message]:
        if self._turn.clarification.has_asked_for(dimension, reply, self._turn.tracker):
            if self._turn.tracker.get_slot("profile_stage") == "abandoned":
                return [{"response": "utter_profile_abandoned", "lead": lead}]
            specs, spoken = self._turn.engine.catalog.dimensions, language(self._turn.tracker)
            named = next(spec.called(spoken) for spec in specs if spec.id == dimension)
            return [{"response": "utter_profile_still_needed", "lead": lead, "dimension": named}]
        self.waiting.append(reply)
        return _deferred_part(reply, lead, is_first=len(self.waiting) == 1) if self._several else []

    def _rule(self, reply: Reply) -> Reply:
        """Return the rule that a calculator applies, for a student who has left its question unanswered."""
        if self._turn.engine.entry(reply.waits_for or "") is None:
            return replace(
                reply, decision=Decision(DecisionKind.NO_ANSWER, reply.decision.reasons), options=()
            )
        rule = self._turn.engine.reply_to_choice({"faq": str(reply.waits_for)}, self._known)
        return replace(rule, question=reply.question)

    def _question_of_entry(self, reply: Reply) -> str:
        """Return the question that an entry answers, where the student may have asked another one in other words.

        Who asks whether one may sit an exam must not read the "yes" to whether one is barred from it; and whoever gets
        what is merely near sees so.
        """
        entry = self._turn.engine.entry(reply.answer_id or "")
        if entry is None or " ".join(words(fold(reply.question))) == entry.family:
            return ""
        is_unsure = reply.confidence < SURE_OF_THE_ENTRY and not _is_given_again(self._asked, reply)
        return messages.lead(entry.question) if is_unsure or says_yes_or_no(entry.answer) else ""

    def _decline(self, reply: Reply, lead: str) -> Message:
        spoken = language(self._turn.tracker)
        read, topics = reading(self._turn.tracker), self._turn.engine.topics
        unlisted = read.unlisted_value if read is not None else None
        return messages.no_answer(reply, lead, {t.id: t.called(spoken) for t in topics}, unlisted or "")

    def _offer_choice(self, reply: Reply, lead: str) -> list[Message]:
        if self._turn.clarification.has_asked(reply):
            return [{"response": "utter_still_open", "lead": lead}]
        self._offered.append(reply)
        spoken = language(self._turn.tracker)
        in_vietnamese = spoken == "en" and any(detect_language(each.title) == "vi" for each in reply.options)
        note: list[Message] = [{"response": "utter_options_in_vietnamese"}] if in_vietnamese else []
        return [*note, messages.choice(reply, spoken, lead)]


def _notes(turn: Turn, asked: ResolvedQuestion, reply: Reply, *, is_one: bool) -> list[Message]:
    """Return what is said before an answer: that it is the same again, that it is in Vietnamese.

    `is_one`: the message gets one answer; among several, "the same again" would speak of the wrong one.
    """
    said: list[Message] = []
    if is_one and _is_given_again(asked, reply):
        has = _has_what_is_asked(asked, reply)
        is_sure = reply.also is None and (has if has is not None else reply.confidence >= SURE_OF_THE_SAME)
        said.append({"response": "utter_same_answer" if is_sure else "utter_perhaps_same_answer"})
    is_quoted = reply.source != GRAPH_SOURCE  # the graph's names and addresses stand in English sentences
    if is_quoted and language(turn.tracker) == "en" and detect_language(reply.text) != "en":
        said.append({"response": "utter_quoted_in_vietnamese"})
    return said


def _is_given_again(asked: ResolvedQuestion, reply: Reply) -> bool:
    """Return whether an answer is the one that the student already has."""
    return asked.previous_answer_id is not None and reply.answer_id == asked.previous_answer_id


def _has_what_is_asked(asked: ResolvedQuestion, reply: Reply) -> bool | None:
    """Return whether an answer has what a question asks for (a place, a time); None where that cannot be seen.

    Of 42 labelled answers given again of which it is true, 38 are right; of the sure ones 192 of 212.
    """
    wanted = expected(asked.text)
    return wanted <= offered(reply.text) if wanted else None


def _stale_dimensions(turn: Turn, reply: Reply) -> tuple[str, ...]:
    """Return the dimensions that `reply` depends on and whose value is stale."""
    depends_on = {dimension for part in reply.said for dimension in part.depends_on}
    return tuple(d for d in turn.stated.stale(turn.at) if d in depends_on)


def _confirm(turn: Turn, asked: ResolvedQuestion, reply: Reply, stale: Sequence[str]) -> TurnResponse:
    waits = {"question": asked.text, "choice": asked.choice}
    changes = {
        **NOTHING_PENDING,
        "confirming": {name: value for name, value in waits.items() if value},
        LAST_TURN: _last_turn(turn, asked, reply, answered=False).as_slot(),
    }
    return TurnResponse([{"response": "utter_confirm_profile", "profile": turn.named(stale)}], changes)


def _last_turn(turn: Turn, asked: ResolvedQuestion, reply: Reply, *, answered: bool = True) -> LastTurn:
    """Return the state for a follow-up; of several questions it refers to the last.

    A question without an answer leaves the matter under discussion as it was; its words are the last ones all the same.
    One of another school, or of a field that is not taught, is a matter of its own: "còn trường mình" goes on with it.
    """
    part = reply.parts[-1] if reply.parts else reply
    known = asked.profile or turn.known.with_values(said_of_others(turn.tracker, turn.engine.catalog))
    before = turn.last.history if turn.last is not None else ()
    is_of_another = not OF_ANOTHER.isdisjoint(part.decision.reasons)
    if Reason.NO_SUCH_VALUE in part.decision.reasons and names_nothing(part.resolved or part.question):
        is_of_another = False  # "còn k43" asks the same for students whom the school does not have
    failed = part.decision.kind is DecisionKind.NO_ANSWER and not is_of_another
    if failed and turn.last is not None:
        return replace(turn.last, typed=part.question, at=turn.at, untold=turn.untold)
    question = part.resolved or part.question
    return LastTurn(
        # In full, a computed question names the rule alone; its values stand in the student's words.
        question=part.question if part.values and part.question else question,
        typed=asked.text,
        choice=asked.choice,
        profile={d: value for d, value in known.values.items() if d not in reply.compared},
        answer_id=part.answer_id if answered else None,
        is_curated=answered and part.curated,
        depends_on=part.depends_on or part.decision.missing,
        at=turn.at,
        history=with_latest(before, Matter(question, part.answer_id)),
        left_out=turn.last.left_out if turn.last is not None else (),
        untold=turn.untold,
        waits_for=part.waits_for,
        compared=reply.compared or asked.compared,
    )


def _unresolved_turns(turn: Turn, reply: Reply, parts: _ResponseParts) -> int | None:
    """Return how many turns in a row had no answer; a question back is none of them, and ends no such row."""
    answered = any(part.decision.kind is DecisionKind.ANSWER for part in reply.parts or (reply,))
    before = turn.tracker.get_slot("unresolved")
    if answered or parts.waiting:
        return None
    return int(before or 0) + 1 if parts.declines else before


def _deferred_part(part: Reply, lead: str, is_first: bool) -> list[Message]:
    """Return the message for one of several questions that needs the profile; the form asks only for the first."""
    if is_first:
        return [{"response": "utter_part_needs_profile", "lead": lead}]
    return [{"response": "utter_part_waits", "lead": lead, "buttons": buttons.questions([part.question])}]


def _missing(reply: Reply, known: Profile) -> list[str]:
    if reply.decision.kind is not DecisionKind.CLARIFY:
        return []
    return [dimension for dimension in reply.decision.missing if known.get(dimension) is None]


def _pending_slots(asked: ResolvedQuestion, reply: Reply, known: Profile) -> Mapping[str, Any]:
    """Return the slots of the form and of the question to answer after it."""
    return {
        "pending_question": reply.resolved or asked.text or None,
        "pending_choice": dict(asked.choice) if asked.choice else None,
        "pending_profile": dict(asked.profile.values) if asked.profile is not None else None,
        "missing_dimensions": _missing(reply, known),
        "needed_value": asdict(reply.decision.needs) if reply.decision.needs is not None else None,
        VALUE: dict(asked.filled) or None,
        "profile_options": [{"title": option.title, **option.payload} for option in reply.options],
        "profile_stage": "asking",
    }


def _clarification(offered: Sequence[Reply], waiting: Sequence[Reply], known: Profile) -> ClarificationState:
    unnamed = next((reply for reply in offered if reply.decision.unnamed), None)
    return ClarificationState(
        question=unnamed.question if unnamed else "",
        offered=tuple(name for reply in offered for name in option_names(reply.options)),
        unnamed=unnamed.decision.unnamed if unnamed else (),
        asked_for=_asked_for(waiting[0], known) if waiting else None,
        subject=waiting[0].waits_for if waiting else None,
    )


def _asked_for(reply: Reply, known: Profile) -> str | None:
    """Return the calculator's input or the dimension that a reply waits for."""
    needs = reply.decision.needs
    return needs.name if needs is not None else next(iter(_missing(reply, known)), None)


def _offers_choice(turn: Turn, reply: Reply) -> bool:
    """Return whether to offer the options of `reply`; an out-of-scope message gets no merely similar options."""
    if reply.decision.kind is not DecisionKind.CLARIFY or reply.decision.missing or not reply.options:
        return False
    return intent(turn.tracker)[0] != "out_of_scope" or Reason.SIMILARITY_LOW not in reply.decision.reasons
