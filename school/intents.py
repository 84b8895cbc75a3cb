"""The intents of messages: those of any school, and one for each topic of the school."""

from __future__ import annotations

TOPIC_PREFIX = "ask_"

GENERAL_INTENTS = (
    *("out_of_scope", "follow_up", "correct", "repeat", "more", "start_over", "affirm", "deny", "cancel"),
    *("inform", "show_profile", "change_profile", "forget_profile"),
    *("ask_advisor", "complain", "praise", "abuse", "distress"),
    *("greet", "goodbye", "thank", "who_are_you"),
)
"""The intents of `domain.yml` that a typed message can have; `hand_over` and `erase_all` are carried by buttons
and menus alone."""

ACTS_OF_TALK = frozenset(GENERAL_INTENTS) - {"out_of_scope", "follow_up", "correct", "inform", "distress"}
"""Those that are replied to without looking anything up."""

LEAST_OF_AN_ACT = 0.5
"""An act of talk that the classifier gives less than this is none, unless its words are listed small talk: of 40 such
messages of whole conversations, all were questions to the school."""

NO_ABBREVIATION = frozenset({"abuse", "distress", "out_of_scope"})
"""Those that a few letters alone never are: "dk" is "đăng ký" or "điều kiện"."""


def intent_of(topic: str) -> str:
    """Return the intent of questions about `topic`, a topic's id."""
    return f"{TOPIC_PREFIX}{topic}"


def topic_of(intent: str) -> str | None:
    """Return the id of the topic that `intent` asks about, or None when it is a general intent."""
    if intent in GENERAL_INTENTS or not intent.startswith(TOPIC_PREFIX):
        return None
    return intent.removeprefix(TOPIC_PREFIX)
