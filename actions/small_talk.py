"""What is said to a message that asks nothing of the school."""

from __future__ import annotations

from collections.abc import Mapping

from vietnamese.small_talk import SmallTalk

RESPONSES: Mapping[SmallTalk, str] = {
    SmallTalk.WHO_ARE_YOU: "utter_who_are_you",
    SmallTalk.HOW_ARE_YOU: "utter_how_are_you",
    SmallTalk.ABUSE: "utter_abuse",
    SmallTalk.COMPLAINT: "utter_complain",
    SmallTalk.PRAISE: "utter_praise",
    SmallTalk.THANKS: "utter_thank",
    SmallTalk.GOODBYE: "utter_goodbye",
    SmallTalk.GREETING: "utter_greet",
    SmallTalk.TEST: "utter_test",
    SmallTalk.LAUGHTER: "utter_laughter",
    SmallTalk.ACKNOWLEDGEMENT: "utter_affirm",
}
