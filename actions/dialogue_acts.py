"""Responses to dialogue acts: messages about the profile or the conversation instead of the school, and small talk."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from rasa_sdk import Tracker

from actions import buttons, counselling, erasure, hand_over, messages
from actions.base import Message
from actions.conversation_state import KNOWN_VALUES, LAST_TURN, LastTurn
from actions.greeting import greeting
from actions.tracker import (
    intent,
    intent_of,
    is_distress,
    is_no_emergency,
    language,
    mentioned,
    reading,
    text,
)
from actions.turn import NOTHING_PENDING, SET_ASIDE, Turn, TurnResponse
from rag.engine import Engine
from rag.types import NO_SOURCE, Decision, DecisionKind, Question, Reason, Reply, Trace
from school.dimensions import Profile
from school.intents import topic_of
from vietnamese.choices import counts_off
from vietnamese.data_files import yaml_beside
from vietnamese.distress import (
    asks_where_to_turn,
    distress,
    is_mere_fear,
    is_of_somebody_else,
    is_relieved,
    worries_about_studies,
)
from vietnamese.ellipsis import asks, continuation, goes_on_about_them, naming_words
from vietnamese.erasure_answer import consents, refuses
from vietnamese.impersonal_question import speaks_of_the_talk
from vietnamese.small_talk import small_talk, without_small_talk
from vietnamese.stopwords import says_something
from vietnamese.text import fold, words
from vietnamese.venting import vents

MOST_WORDS = 14
"""A longer message contains a question, even when it is classified as a dialogue act."""

SMALL_TALK = ("greet", "thank", "goodbye", "praise", "complain", "abuse", "who_are_you", "cancel")
"""Intents of small talk; the response to each is named after it."""

WORDS_OF_A_STATEMENT = 4
"""So many telling words are more than a yes or a no."""

WORDS_OF_A_BARE_REQUEST = 5
"""A request to change something names no other matter with at most so many words: "sửa lại giúp em với"."""

SURE = 0.6
"""Confidence from which an act counts within a conversation, unless the message asks for something."""

UNSURE = 0.5
"""Confidence below which a question is no act without a conversation either: another intent is as likely."""

SURE_OF_AN_ENTRY = 0.8
"""Probability of an entry from which a message after distress is a question to the school."""

AFTER_DISTRESS = ("cancel", "thank", "goodbye", "praise")
"""Small talk whose usual reply would pass over the distress of the message before."""

MAYBE_DISTRESS = 0.2
"""Probability from which venting is answered as distress: a false alarm does less harm than a miss."""

SURE_OF_DISTRESS = 0.6
"""Probability from which distress needs no second look."""

MESSAGES_AFTER_DISTRESS = 3
"""So many messages after distress, thanks and a farewell are replied to with a thought of it."""

NEXT_INTENTS = 3
"""The intents looked at, the first included, when distress is doubtful."""

FORGOTTEN = {
    **NOTHING_PENDING,
    **dict.fromkeys(("last_turn", KNOWN_VALUES, "last_topic", "unresolved", SET_ASIDE)),
}
"""The values of all slots of a conversation that begins anew."""

Act = Callable[[Turn], TurnResponse | None]


def respond_to_act(turn: Turn) -> TurnResponse | None:
    """Return the response to a dialogue act; None when the message is a question or continues one."""
    if erasure.is_asked(turn.tracker) and (said := _on_erasing(turn)) is not None:
        return said
    named = intent(turn.tracker)[0]
    if counts_off(text(turn.tracker)):
        return None
    if (said := _turns_to_somebody(turn)) is not None:
        return said
    is_long = len(words(text(turn.tracker))) > MOST_WORDS and named not in SMALL_TALK
    if named not in ACTS or is_long or _may_be_a_question(turn):
        return None
    said, read = ACTS[named](turn), reading(turn.tracker)
    # An advisor may have put these words to an entry or a rule, whatever the classifier takes them for.
    return None if said is not None and read is not None and turn.engine.is_published(read) else said


def _may_be_a_question(turn: Turn) -> bool:
    """Return whether an act that the classifier is not sure of may be a question: "evenings?", "hiệu trưởng tên gì"."""
    typed, (named, confidence) = text(turn.tracker), intent(turn.tracker)
    if not typed or small_talk(typed) or named not in (*SMALL_TALK, "affirm", "deny", "show_profile"):
        return False
    if turn.last is None or named == "show_profile":
        return confidence < UNSURE and is_question(typed)
    if named not in SMALL_TALK:
        is_whole = sum(map(says_something, words(typed))) >= WORDS_OF_A_STATEMENT
        return confidence < SURE and (is_question(typed) or is_whole)
    asked = without_small_talk(typed)
    is_of_a_matter = continuation(typed) is not None or not speaks_of_the_talk(asked)
    return confidence < SURE or (is_question(asked) and is_of_a_matter)


def is_question(typed: str) -> bool:
    """Return whether a message is marked as a question, or has words that ask for something."""
    return "?" in typed or asks(typed)


def _on_erasing(turn: Turn) -> TurnResponse | None:
    """Return the response to a clear answer to the question whether to erase everything; None for other messages."""
    typed = text(turn.tracker)
    if consents(typed):
        return TurnResponse([erasure.MESSAGE])
    if intent(turn.tracker)[0] == "deny" or refuses(typed):
        return TurnResponse([{"response": "utter_kept_all"}])
    return None


def in_distress(tracker: Tracker) -> bool:
    """Return whether the classifier or the list of phrases finds distress in the latest message.

    A doubtful find is none where a topic of the school comes next ("em muốn đổi phòng"); a find of the classifier is
    none where the words tell of an illness or of relief alone, or of fear right behind a question to the school.
    """
    typed = text(tracker)
    if distress(typed):
        return True
    if worries_about_studies(typed) or _is_afraid_of_the_answer(tracker):
        return False
    named, confidence = intent(tracker)
    if named == "distress" and is_no_emergency(typed, tracker.latest_message):
        return False
    if named != "distress" or confidence >= SURE_OF_DISTRESS:
        return named == "distress"
    if confidence < UNSURE and not is_after_distress(tracker):
        return False
    ranked = [str(each.get("name")) for each in tracker.latest_message.get("intent_ranking") or ()]
    return not any(topic_of(other) is not None for other in ranked[1:NEXT_INTENTS])


def _is_afraid_of_the_answer(tracker: Tracker) -> bool:
    """Return whether a message says nothing but fear ("sợ quá"), right behind a question of a topic of the school."""
    if not is_mere_fear(text(tracker)) or is_after_distress(tracker):
        return False
    return any(topic_of(intent_of(event)) is not None for event in _messages_before(tracker)[:1])


def distress_message(tracker: Tracker, engine: Engine) -> Message:
    """Return the message with every emergency contact; in other words for who worries about somebody else."""
    for_another = _is_for_somebody_else(tracker)
    return _with_all_contacts(
        "utter_distress_of_another" if for_another else "utter_distress", tracker, engine
    )


def _is_for_somebody_else(tracker: Tracker) -> bool:
    """Return whether the latest message, or the distress right before that it adds to, is of somebody else."""
    typed = text(tracker)
    if distress(typed) or not is_after_distress(tracker):
        return is_of_somebody_else(typed)
    return is_of_somebody_else(_distress_before(tracker))


def _distress_before(tracker: Tracker) -> str:
    """Return the words of the last message of distress before the latest message; empty without one."""
    said = _messages_before(tracker)
    return next((str(event.get("text") or "") for event in said if is_distress(event)), "")


def _messages_before(tracker: Tracker) -> list[dict[str, Any]]:
    """Return the student's messages before the latest one, the last of them first."""
    return [event for event in reversed(tracker.events) if event.get("event") == "user"][1:]


def _with_all_contacts(response: str, tracker: Tracker, engine: Engine) -> Message:
    spoken = language(tracker)
    return {
        "response": response,
        "buttons": hand_over.offer_buttons(spoken),
        **counselling.all_contacts(engine.catalog, spoken),
    }


def slots_after_distress(at: float, profile: Profile, engine: Engine) -> Mapping[str, Any]:
    """Return the slots after a message of distress: what follows is about counselling, not about an earlier topic.

    A later request for an advisor must not lead to the office of that topic.
    """
    matter = counselling.matter(engine.catalog, engine.entry_of)
    last = LastTurn(
        question=matter.question,
        typed=matter.question,
        profile=profile.values,
        at=at,
        history=(matter,),
        unasked=True,
    )
    return {**NOTHING_PENDING, SET_ASIDE: None, "last_topic": None, LAST_TURN: last.as_slot()}


def venting_message(tracker: Tracker, engine: Engine) -> Message:
    """Return the sympathetic reply to venting, with the first counselling contact; that to distress, if it may be."""
    ranked = tracker.latest_message.get("intent_ranking") or ()
    is_likely = any(r.get("name") == "distress" and float(r["confidence"]) >= MAYBE_DISTRESS for r in ranked)
    if is_likely and not is_no_emergency(text(tracker), tracker.latest_message):
        return distress_message(tracker, engine)
    return {"response": "utter_grumble", **counselling.first_contact(engine.catalog, language(tracker))}


def worry_message(tracker: Tracker, engine: Engine) -> Message:
    """Return the kind word to fear of a mark or a rule, with the first counselling contact."""
    return {"response": "utter_worry", **counselling.first_contact(engine.catalog, language(tracker))}


def hardship_message(tracker: Tracker, engine: Engine) -> Message:
    """Return the kind word to an illness, an accident or a death in the family, with the first counselling contact."""
    return {"response": "utter_hardship", **counselling.first_contact(engine.catalog, language(tracker))}


def message_after_distress(tracker: Tracker, engine: Engine) -> Message | None:
    """Return the reply to thanks, a farewell or "em đùa thôi" after distress; None when there was none."""
    if not is_after_distress(tracker):
        return None
    return {
        "response": "utter_after_distress",
        **counselling.first_contact(engine.catalog, language(tracker)),
    }


def is_after_distress(tracker: Tracker) -> bool:
    """Return whether one of the messages right before is of distress, with no question and no hand-over since."""
    for event in _messages_before(tracker)[:MESSAGES_AFTER_DISTRESS]:
        if is_distress(event):
            return True
        if intent_of(event) == hand_over.INTENT:
            return False
        if topic_of(intent_of(event)) is not None and is_question(str(event.get("text") or "")):
            return False
    return False


def message_to_more_of_distress(tracker: Tracker, engine: Engine) -> Message | None:
    """Return the reply to what a student adds after distress ("nó đang ở phòng một mình"); None without distress."""
    if not is_after_distress(tracker):
        return None
    if is_question(text(tracker)):
        return whom_to_turn_to(tracker, engine)
    if is_relieved(text(tracker)):
        return message_after_distress(tracker, engine)
    return distress_message(tracker, engine)


def whom_to_turn_to(tracker: Tracker, engine: Engine) -> Message | None:
    """Return the contacts for a question after distress to whom to turn: "em nên báo ai"; None for another message."""
    return contacts_after_distress(tracker, engine) if asks_where_to_turn(text(tracker)) else None


def contacts_after_distress(tracker: Tracker, engine: Engine) -> Message | None:
    """Return the contacts for who asks for help, or for a person, after distress; None without distress."""
    if not is_after_distress(tracker):
        return None
    return _with_all_contacts("utter_whom_to_turn_to", tracker, engine)


def _turns_to_somebody(turn: Turn) -> TurnResponse | None:
    """Return the response to a question after distress that names no matter of its own: "gặp ai bây giờ".

    The entry on such trouble is given below the contacts, if what was said of it finds one.
    """
    typed = text(turn.tracker)
    contacts = whom_to_turn_to(turn.tracker, turn.engine)
    if contacts is None or _names_more(typed, _lists()["turning_words"]):
        return None
    asked = f"{_distress_before(turn.tracker).rstrip(' ?.!')}, {typed}"
    reply = turn.engine.reply(Question(asked, profile=turn.known))
    if reply.decision.kind is DecisionKind.ANSWER and is_of_crisis(reply, turn.engine):
        return TurnResponse([contacts, messages.answer(reply)], reply=reply)
    return TurnResponse([contacts])


def is_of_crisis(reply: Reply, engine: Engine) -> bool:
    """Return whether a reply is an entry on a question of crisis, which the school has marked."""
    entry = engine.entry(reply.answer_id or "")
    return entry is not None and entry.never_offered


def comfort(tracker: Tracker, engine: Engine) -> Message | None:
    """Return the kind word to who is tired of studying or afraid for a mark; None for another message."""
    typed = text(tracker)
    worries = worries_about_studies(typed) or _is_afraid_of_the_answer(tracker)
    if not worries and not vents(typed):
        return None
    # "Em đang ở một mình, em sợ" right after distress is more of it.
    if (more := message_to_more_of_distress(tracker, engine)) is not None:
        return more
    return worry_message(tracker, engine) if worries else venting_message(tracker, engine)


def _venting(turn: Turn) -> TurnResponse | None:
    tracker, typed = turn.tracker, text(turn.tracker)
    if worries_about_studies(typed):
        return None  # the engine may have the rule that is feared
    if (said := comfort(tracker, turn.engine)) is not None:
        # The engine would retrieve the crisis texts for these words.
        if str(said["response"]).startswith("utter_distress"):
            return TurnResponse([said], slots_after_distress(turn.at, turn.known, turn.engine))
        return TurnResponse([said])
    # "Nó đang ở phòng một mình" goes on about the one in danger.
    reply_to = message_to_more_of_distress if goes_on_about_them(typed) else message_after_distress
    contacts = whom_to_turn_to(tracker, turn.engine)
    after = contacts or (None if is_question(typed) else reply_to(tracker, turn.engine))
    if after is None or (contacts is None and _asks_the_school(turn)):
        return None
    return TurnResponse([after])


def _asks_the_school(turn: Turn) -> bool:
    """Return whether the school has an answer to the latest message by itself: "giấy giới thiệu lấy đâu"."""
    reply = turn.engine.reply(Question(text(turn.tracker), reading(turn.tracker), turn.known))
    has_one = reply.decision.kind is DecisionKind.ANSWER or bool(reply.decision.missing)
    return has_one and reply.confidence >= SURE_OF_AN_ENTRY and not is_of_crisis(reply, turn.engine)


def talk_message(turn: Turn) -> Message | None:
    """Return the reply to small talk by its intent; None for another intent."""
    tracker, named = turn.tracker, intent(turn.tracker)[0]
    if named not in SMALL_TALK:
        return None
    if (kind := comfort(tracker, turn.engine)) is not None:
        return kind
    if named in AFTER_DISTRESS and (after := message_after_distress(tracker, turn.engine)) is not None:
        return after
    return greeting(tracker, turn.engine) if named == "greet" else {"response": f"utter_{named}"}


def _talk(turn: Turn) -> TurnResponse | None:
    said = talk_message(turn)
    return TurnResponse([said]) if said is not None else None


def _show_profile(turn: Turn) -> TurnResponse:
    if not (profile := turn.named()):
        return TurnResponse([{"response": "utter_profile_empty", "dimensions": _dimensions(turn)}])
    return TurnResponse([{"response": "utter_profile_shown", "profile": profile}])


def _change_profile(turn: Turn) -> TurnResponse | None:
    if asks(text(turn.tracker)):
        return None
    if any(mentioned(turn.tracker, dimension) for dimension in turn.known.values):
        return None  # a message with the new value is handled as `inform`
    if not _speaks_of_profile(text(turn.tracker), turn.engine):
        return None
    return TurnResponse([{"response": "utter_change_profile", "dimensions": _dimensions(turn)}])


def _speaks_of_profile(typed: str, engine: Engine) -> bool:
    """Return whether a message to change something means the profile: it names it or a part of it, or nothing else.

    "Tôi chuyển khoản từ thứ 2, vẫn chưa cập nhật" names another matter, "sửa lại giúp em" none.
    """
    if erasure.dimensions_named(typed, engine.catalog):
        return True
    said, patterns = " ".join(words(fold(typed))), _lists()
    if re.search(rf"\b{patterns['not_done']}", said):
        return False
    is_short = len(words(typed)) <= WORDS_OF_A_BARE_REQUEST
    return is_short or re.search(rf"\b{patterns['profile']}\b", said) is not None


def _forget_profile(turn: Turn) -> TurnResponse:
    typed = text(turn.tracker)
    if not typed:  # the button below the stored profile
        return _forget(turn, turn.engine.catalog.dimension_ids)
    if named := erasure.dimensions_named(typed, turn.engine.catalog):
        return _forget(turn, named)
    return _ask_to_erase(turn)


def _forget(turn: Turn, dimensions: Collection[str]) -> TurnResponse:
    if not (profile := turn.named(dimensions)):
        return _show_profile(turn)
    message = {"response": "utter_profile_forgotten", "profile": profile}
    return TurnResponse([message], FORGOTTEN, turn.stated.without(dimensions))


def _ask_to_erase(turn: Turn) -> TurnResponse:  # noqa: ARG001  an Act takes the turn
    return TurnResponse([{"response": "utter_forget_all_confirm"}])


def _start_over(turn: Turn) -> TurnResponse:  # noqa: ARG001
    return TurnResponse([{"response": "utter_restarted"}], FORGOTTEN)


def _more(turn: Turn) -> TurnResponse:
    if turn.last is None:
        return TurnResponse([{"response": "utter_ask_for_question"}])
    asked = Question(turn.last.question, profile=Profile(turn.last.profile))
    options = turn.engine.related(asked, turn.last.answer_id)
    if not options:
        return TurnResponse([{"response": "utter_no_more"}])
    return TurnResponse([{"response": "utter_more", "buttons": buttons.choices(options)}])


def _affirm(turn: Turn) -> TurnResponse | None:
    if erasure.is_asked(turn.tracker):
        return _ask_to_erase(turn)
    if (after := message_after_distress(turn.tracker, turn.engine)) is not None:
        return TurnResponse([after])
    return None if turn.resumed is not None else TurnResponse([{"response": "utter_affirm"}])


def _deny(turn: Turn) -> TurnResponse | None:
    if turn.resumed is not None:
        return None
    if (after := message_after_distress(turn.tracker, turn.engine)) is not None:
        return TurnResponse([after])
    if turn.last is not None and turn.last.answer_id and _protests(text(turn.tracker)):
        return None
    # "Không phải" after a choice rejects all its options.
    return reject_options(turn) if turn.clarification.offered else TurnResponse([{"response": "utter_deny"}])


def reject_options(turn: Turn) -> TurnResponse:
    """Return the response to who wants none of the options; their question is from then on one without an answer."""
    said: list[Message] = [{"response": "utter_none_of_these"}]
    if turn.last is None or not turn.clarification.offered:
        return TurnResponse(said)
    rejected = Reply(
        Decision(DecisionKind.NO_ANSWER, (Reason.OPTIONS_REJECTED,)),
        source=NO_SOURCE,
        text="",
        citations=(),
        options=(),
        confidence=0.0,
        trace=Trace("", "", turn.engine.index_version),
        topic=turn.tracker.get_slot("last_topic"),
        question=turn.last.typed or turn.last.question,
        resolved=turn.last.question,
    )
    return TurnResponse(said, reply=rejected)


def _protests(typed: str) -> bool:
    """Return whether a denial tells something of its own ("em chưa dùng mà"), which goes on with the answer before."""
    return _names_more(typed, _lists()["plain_denial"])


def _names_more(typed: str, listed: str) -> bool:
    """Return whether a message has a word that may name a matter, besides the `listed` ones."""
    return not set(naming_words(typed.lower())) <= set(listed.split())


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, str]:
    lists: Mapping[str, str] = yaml_beside(__file__, "dialogue_acts.yml")
    return lists


ACTS: Mapping[str, Act] = {
    "show_profile": _show_profile,
    "change_profile": _change_profile,
    "forget_profile": _forget_profile,
    "erase_all": _ask_to_erase,
    "start_over": _start_over,
    "more": _more,
    "affirm": _affirm,
    "deny": _deny,
    **dict.fromkeys(SMALL_TALK, _talk),
    "out_of_scope": _venting,
    "nlu_fallback": _venting,
    "distress": _venting,
}
"""Handlers by intent. A handler returns None for a message that is a question after all."""


def _dimensions(turn: Turn) -> str:
    spoken = language(turn.tracker)
    return ", ".join(dimension.called(spoken) for dimension in turn.engine.catalog.dimensions)
