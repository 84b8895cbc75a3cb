"""What is said to the engine's reply, and what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from actions import buttons, clarification_state, hand_over, messages
from actions.base import Message
from actions.clarification_state import AskedBack, option_names, subject
from actions.conversation_state import LAST_TURN, LastTurn
from actions.dialogue_acts import grumble_message
from actions.follow_up_resolution import Asked
from actions.greeting import greeting
from actions.small_talk import RESPONSES
from actions.tracker import intent, language, text
from actions.turn import NOTHING_PENDING, Told, Turn
from rag.types import DecisionKind, Reason, Reply
from school.dimensions import Profile
from vietnamese.small_talk import SmallTalk
from vietnamese.venting import vents

OUT_OF_SCOPE: Message = {"response": "utter_out_of_scope"}

SURELY_NOT_OURS = 0.8
"""The confidence from which an unanswered question is no matter of the school; below it, a person is offered."""

OFFER_AFTER = 2
"""So many turns in a row without an answer, and a person is offered."""


def told(turn: Turn, asked: Asked, reply: Reply) -> Told:
    """What is said to the question, or to each of a message's questions, and what is kept of it."""
    if (nothing := messages.nothing_asked(reply)) is not None:
        if nothing["response"] == RESPONSES[SmallTalk.GREETING]:
            nothing = greeting(turn.tracker, turn.engine)
        # Thanks in between do not make the same question back a new one.
        return Told([nothing], {**NOTHING_PENDING, clarification_state.SLOT: turn.asked_back.as_slot()})
    if reply.decision.kind is DecisionKind.NO_ANSWER and vents(text(turn.tracker)):
        return Told([grumble_message(turn)])
    if unsure := _unsure(turn, reply):
        return _confirm(turn, asked, reply, unsure)
    parts = _Parts(turn, asked, several=bool(reply.parts))
    for part in reply.parts or (reply,):
        parts.take(part)
    changes = {**NOTHING_PENDING, **parts.changes(), LAST_TURN: _remembered(turn, asked, reply).as_slot()}
    if reply.topic is not None:
        changes["last_topic"] = reply.topic
    changes["unresolved"] = unresolved = _unresolved(turn, reply, parts.waiting)
    said = parts.messages()
    if unresolved and unresolved % OFFER_AFTER == 0 and said[-1]["response"] != "utter_none_of_these":
        offered = hand_over.offered(language(turn.tracker))
        said.append({"response": "utter_offer_advisor", "buttons": offered})
    return Told(said, changes)


class _Parts:
    """The replies to the questions of one message, gathered one after the other."""

    def __init__(self, turn: Turn, asked: Asked, *, several: bool) -> None:
        self.waiting: list[Reply] = []
        self._turn = turn
        self._asked = asked
        self._known = asked.profile or turn.known
        self._several = several
        self._said: list[Message] = []
        self._offered: list[Reply] = []

    def take(self, reply: Reply) -> None:
        """Says what is to be said to one question."""
        lead = messages.lead(reply.question) if self._several else ""
        if reply.decision.kind is DecisionKind.ANSWER:
            self._said += _answer(self._turn, self._asked, reply, lead)
        elif missing := _missing(reply, self._known):
            self._said += self._to_wait(reply, missing[0], lead)
        elif _worth_choosing(self._turn, reply):
            self._said.append(self._to_choose(reply, lead))
        elif messages.nothing_asked(reply) is None:
            # Also when the engine asks for what it has been told: asking the same again would never end.
            no_answer = messages.no_answer(reply, lead)
            self._said.append(OUT_OF_SCOPE if self._is_no_matter_of_the_school() else no_answer)

    def messages(self) -> list[Message]:
        """In the order of the questions; what the form asks must come last."""
        return sorted(self._said, key=lambda message: message["response"] == "utter_part_needs_profile")

    def changes(self) -> Mapping[str, Any]:
        """The slots of what was asked back."""
        changes: dict[str, Any] = {}
        if self.waiting:
            first = self.waiting[0]
            asked = replace(self._asked, text=first.question) if self._several else self._asked
            changes |= _pending_slots(asked, first, self._known)
        changes[clarification_state.SLOT] = _asked_back(self._offered, self.waiting, self._known).as_slot()
        return changes

    def _is_no_matter_of_the_school(self) -> bool:
        """Whether the one question of the message is about the weather, say; of several, nobody knows which."""
        return not self._several and _is_out_of_scope(self._turn)

    def _to_wait(self, reply: Reply, dimension: str, lead: str) -> list[Message]:
        if self._turn.asked_back.has_asked_for(dimension, reply, self._turn.tracker):
            return [{"response": "utter_profile_abandoned", "lead": lead}]
        self.waiting.append(reply)
        return _waiting(reply, lead, is_first=len(self.waiting) == 1) if self._several else []

    def _to_choose(self, reply: Reply, lead: str) -> Message:
        if self._turn.asked_back.has_asked(reply):
            return {"response": "utter_none_of_these", "lead": lead}
        self._offered.append(reply)
        return messages.choice(reply, language(self._turn.tracker), lead)


def _answer(turn: Turn, asked: Asked, reply: Reply, lead: str) -> list[Message]:
    """An answer, with a word before it where a student would wonder about it."""
    said: list[Message] = []
    if asked.again is not None and reply.answer_id == asked.again:
        said.append({"response": "utter_same_answer"})
    if language(turn.tracker) == "en" and (turn.last is None or turn.last.language != "en"):
        said.append({"response": "utter_quoted_in_vietnamese"})
    return [*said, messages.answer(reply, lead)]


def _unsure(turn: Turn, reply: Reply) -> tuple[str, ...]:
    """What the answer goes by that the student said long ago."""
    depends_on = {dimension for part in reply.parts or (reply,) for dimension in part.depends_on}
    return tuple(d for d in turn.given.unsure(turn.at) if d in depends_on)


def _confirm(turn: Turn, asked: Asked, reply: Reply, unsure: Sequence[str]) -> Told:
    waits = {"question": asked.text, "choice": asked.choice}
    changes = {
        **NOTHING_PENDING,
        "confirming": {name: value for name, value in waits.items() if value},
        LAST_TURN: _remembered(turn, asked, reply, answered=False).as_slot(),
    }
    return Told([{"response": "utter_confirm_profile", "profile": turn.named(unsure)}], changes)


def _remembered(turn: Turn, asked: Asked, reply: Reply, *, answered: bool = True) -> LastTurn:
    """What the next turn may go on with: of several questions the last."""
    part = reply.parts[-1] if reply.parts else reply
    known = asked.profile or turn.known
    return LastTurn(
        question=asked.base or part.question,
        choice=asked.choice,
        profile=dict(known.values),
        answer_id=part.answer_id if answered else None,
        is_curated=answered and part.curated,
        depends_on=part.depends_on or part.decision.missing,
        language=language(turn.tracker),
        at=turn.at,
    )


def _unresolved(turn: Turn, reply: Reply, waiting: Sequence[Reply]) -> int | None:
    answered = any(part.decision.kind is DecisionKind.ANSWER for part in reply.parts or (reply,))
    return None if answered or waiting else int(turn.tracker.get_slot("unresolved") or 0) + 1


def _is_out_of_scope(turn: Turn) -> bool:
    named, confidence = intent(turn.tracker)
    return named == "out_of_scope" and confidence >= SURELY_NOT_OURS


def _waiting(part: Reply, lead: str, is_first: bool) -> list[Message]:
    """What is said of one of several questions that depends on the profile: the form asks for the first only."""
    if is_first:
        return [{"response": "utter_part_needs_profile", "lead": lead}]
    return [{"response": "utter_part_waits", "lead": lead, "buttons": buttons.questions([part.question])}]


def _missing(reply: Reply, known: Profile) -> list[str]:
    if reply.decision.kind is not DecisionKind.CLARIFY:
        return []
    return [dimension for dimension in reply.decision.missing if known.get(dimension) is None]


def _pending_slots(asked: Asked, reply: Reply, known: Profile) -> Mapping[str, Any]:
    """What the form needs, and what is to be answered after it."""
    return {
        "pending_question": asked.text or None,
        "pending_choice": dict(asked.choice) if asked.choice else None,
        "pending_profile": dict(asked.profile.values) if asked.profile is not None else None,
        "missing_dimensions": _missing(reply, known),
        "profile_options": [{"title": option.title, **option.payload} for option in reply.options],
        "profile_stage": "asking",
    }


def _asked_back(offered: Sequence[Reply], waiting: Sequence[Reply], known: Profile) -> AskedBack:
    unnamed = next((reply for reply in offered if reply.decision.unnamed), None)
    return AskedBack(
        question=unnamed.question if unnamed else "",
        offered=tuple(name for reply in offered for name in option_names(reply.options)),
        unnamed=unnamed.decision.unnamed if unnamed else (),
        dimension=_missing(waiting[0], known)[0] if waiting else None,
        subject=subject(waiting[0]) if waiting else None,
    )


def _worth_choosing(turn: Turn, reply: Reply) -> bool:
    """Whether to offer the readings of a reply. Those that are merely near are not offered to what seems off-topic."""
    if reply.decision.kind is not DecisionKind.CLARIFY or reply.decision.missing or not reply.options:
        return False
    return intent(turn.tracker)[0] != "out_of_scope" or Reason.SIMILARITY_LOW not in reply.decision.reasons
