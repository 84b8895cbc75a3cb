"""The act of a message: an answer, a question back, a refusal, a hand-over to a person, or talk.

The actions set the act of each message of a turn, `server.bot` that of a response outside of a turn. It goes through
Rasa's internal channel and the delivery store; the website's channel sends it as `act`, the others ignore it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Act = Literal["answer", "ask", "no_answer", "hand_over", "talk"]

ACTS: frozenset[Act] = frozenset(get_args(Act))

_RESPONSES: Mapping[Act, tuple[str, ...]] = {
    # Also the notes around an answer: they are said only together with one.
    "answer": (
        *("answer", "same_answer", "perhaps_same_answer", "other_meaning"),
        *("quoted_in_vietnamese", "left_out"),
    ),
    # The bot needs a choice, a value or another wording before it can answer.
    "ask": (
        *(
            "choose_reading",
            "options_in_vietnamese",
            "ask_which",
            "ask_narrower",
            "more",
            "topic_examples",
            "topic_open",
        ),
        *("ask_profile", "explain_profile", "profile_still_needed", "part_needs_profile", "part_waits"),
        *("ask_value", "explain_value", "wrong_value", "wrong_whole_value"),
        *("confirm_profile", "change_profile"),
        *("follow_up_unclear", "correct_unclear", "no_options", "default"),
    ),
    # The school has published nothing on it, or it is none of the school's business.
    "no_answer": (
        *(
            "no_answer",
            "not_taught",
            "no_such_value",
            "other_school",
            "none_of_these",
            "still_open",
            "no_more",
            "choice_gone",
            "out_of_scope",
        ),
        *("profile_abandoned", "value_abandoned", "offer_advisor"),
    ),
    # The student is led to a person, or a person has the conversation.
    "hand_over": (
        *("contact_office", "contact_school", "contact_unknown"),
        *("distress", "distress_of_another", "whom_to_turn_to", "person_too"),
        *(
            "handed_over",
            "with_advisor",
            "advisor_expected",
            "advisor_away",
            "advisor_assigned",
            "office_assigned",
            "advisor_joined",
            "advisor_noted",
            "added_for_advisor",
        ),
    ),
    # Greetings, thanks, what is noted, kept or erased, ratings, and what went wrong. A question of consent before
    # something is erased is talk, too: no answer waits for it.
    "talk": (
        *("greet", "goodbye", "thank", "affirm", "deny", "cancel", "restarted", "who_are_you", "how_are_you"),
        *(
            "complain",
            "grumble",
            "hardship",
            "worry",
            "after_distress",
            "praise",
            "abuse",
            "test",
            "laughter",
            "reaction",
            "help",
        ),
        "ask_for_question",
        *("repeat", "sure", "nothing_to_repeat"),
        *("profile_noted", "profile_shown", "profile_empty", "profile_forgotten", "profile_confirm_denied"),
        *("forget_all_confirm", "forgotten_all", "kept_all", "feedback_good", "feedback_why", "feedback_bad"),
        *("advisor_left", "back_to_bot"),
        *("apology", "not_stored", "healed", "empty_message", "too_long", "text_only"),
        *("button_expired", "too_fast"),
    ),
}
"""The responses of domain.yml, without `utter_`, by act."""

BY_RESPONSE: Mapping[str, Act] = {
    f"utter_{name}": act for act, responses in _RESPONSES.items() for name in responses
}


def act_of(response: str) -> Act:
    """Return the act of a response of domain.yml. Raises KeyError for a response without one."""
    return BY_RESPONSE[response]
