"""Every response exists in both languages, and every variation is complete."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from channels.delivery.retention import SEEN_FOR_S
from covan.domain import read_domain
from covan.project import ROOT
from vietnamese.text import fold

Variation = Mapping[str, Any]

RESPONSES: Mapping[str, list[Variation]] = read_domain()["responses"]
ENGLISH = [{"type": "slot", "name": "language", "value": "en"}]
LONGEST = 400
"""Characters of a text: two or three short paragraphs on a phone."""

LONGEST_TITLE = 20
"""Characters of a quick reply on Messenger."""

FIXED = {
    *("utter_answer", "utter_ask_profile", "utter_explain_profile", "utter_ask_value"),
    "utter_quoted_in_vietnamese",
}
"""Actions supply the text of all but the last, which belongs to English conversations."""

OUTSIDE_OF_CONTACTS = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")


def english(variation: Variation) -> bool:
    return variation.get("condition") == ENGLISH


def placeholders(variation: Variation) -> set[str]:
    said = variation["text"] + "".join(button["payload"] for button in variation.get("buttons", ()))
    return set(re.findall(r"\{(\w+)\}", said))


def payloads(variation: Variation) -> list[str]:
    return [button["payload"] for button in variation.get("buttons", ())]


def vietnamese(text: str) -> bool:
    return fold(text) != text.lower()


@pytest.mark.parametrize("name", RESPONSES)
def test_it_is_said_in_both_languages_and_never_always_in_the_same_words(name: str) -> None:
    in_vietnamese = [variation["text"] for variation in RESPONSES[name] if not english(variation)]
    in_english = [variation["text"] for variation in RESPONSES[name] if english(variation)]

    assert len(set(in_vietnamese)) == len(in_vietnamese) >= (1 if name in FIXED else 2)
    assert len(set(in_english)) == len(in_english) >= 1


@pytest.mark.parametrize("name", RESPONSES)
def test_english_is_chosen_by_the_language_of_the_student_and_by_nothing_else(name: str) -> None:
    assert all(variation.get("condition") in (None, ENGLISH) for variation in RESPONSES[name])
    assert all("channel" not in variation for variation in RESPONSES[name])


@pytest.mark.parametrize("name", RESPONSES)
def test_all_variations_have_the_same_placeholders_and_the_same_buttons(name: str) -> None:
    first, *others = RESPONSES[name]

    for variation in others:
        assert placeholders(variation) == placeholders(first)
        assert payloads(variation) == payloads(first)


@pytest.mark.parametrize("name", RESPONSES)
def test_nothing_vietnamese_stands_in_english_and_nothing_english_in_vietnamese(name: str) -> None:
    for variation in RESPONSES[name]:
        titles = [button["title"] for button in variation.get("buttons", ())]
        if english(variation):
            assert not any(vietnamese(said) for said in (variation["text"], *titles))
        else:
            assert all(vietnamese(said) for said in (variation["text"], *titles) if re.search(r"\w", said))


@pytest.mark.parametrize("name", RESPONSES)
def test_it_is_short_and_its_buttons_fit_the_platforms(name: str) -> None:
    for variation in RESPONSES[name]:
        assert len(variation["text"]) <= LONGEST
        assert all(len(button["title"]) <= LONGEST_TITLE for button in variation.get("buttons", ()))


@pytest.mark.parametrize("name", RESPONSES)
def test_it_speaks_with_one_voice(name: str) -> None:
    """Covan is "mình" and the student "bạn"; no text has pictures, which read oddly next to bad news."""
    for variation in RESPONSES[name]:
        text = variation["text"]
        assert not re.search(r"\b(tôi|tớ|em|anh chị|quý khách|thí sinh)\b", text, re.IGNORECASE)
        assert not OUTSIDE_OF_CONTACTS.search(text)


def test_distress_gets_numbers_that_answer_now_and_a_person_whatever_the_variation() -> None:
    for variation in RESPONSES["utter_distress"]:
        assert "**115**" in variation["text"]
        assert "**113**" in variation["text"]
        assert payloads(variation) == ["/ask_advisor"]


def test_what_is_erased_is_told_before_it_is_erased_whatever_the_variation() -> None:
    for variation in RESPONSES["utter_forget_all_confirm"]:
        erased = (
            ("about yourself", "conversation", "ratings", "cannot be undone")
            if english(variation)
            else ("về bản thân", "đánh giá")
        )
        assert all(part in variation["text"] for part in erased)
        assert re.search(r"không (lấy lại|khôi phục) được|cannot be undone", variation["text"])


def test_fault_3_what_is_kept_is_told_before_and_after_whatever_the_variation() -> None:
    assert SEEN_FOR_S == 7 * 24 * 3600.0
    for variation in (*RESPONSES["utter_forget_all_confirm"], *RESPONSES["utter_forgotten_all"]):
        told = (
            ("advisor", "where to send you messages", "seven days", "words")
            if english(variation)
            else ("cố vấn", "nơi để gửi tin cho bạn", "bảy ngày", "không có lời nào")
        )
        assert all(part in variation["text"] for part in told)


def test_help_takes_four_lines() -> None:
    assert all(variation["text"].count("\n- ") == 3 for variation in RESPONSES["utter_help"])


def test_a_button_is_an_intent_of_the_domain_or_one_of_the_channels_own() -> None:
    intents = set(read_domain()["intents"])
    own = {"!forget_all", "!keep_all", "!back_to_bot"}
    own |= {f"!reason:{why}" for why in ("wrong", "incomplete", "not_asked", "unclear")}
    for variations in RESPONSES.values():
        for payload in (payload for variation in variations for payload in payloads(variation)):
            intent = re.match(r"/(\w+)", payload)
            assert payload in own or (intent and intent[1] in intents)


def test_the_buttons_that_actions_add_fit_the_platforms_too() -> None:
    titles = yaml.safe_load((ROOT / "actions" / "hand_over.yml").read_text(encoding="utf-8"))["button"]

    assert vietnamese(titles["vi"])
    assert not vietnamese(titles["en"])
    assert all(len(title) <= LONGEST_TITLE for title in titles.values())


def test_who_it_is_is_told_honestly_whatever_the_variation() -> None:
    for variation in RESPONSES["utter_who_are_you"]:
        program, no_person = (
            ("program", "not a person") if english(variation) else ("tự động", "không phải người thật")
        )
        assert program in variation["text"]
        assert no_person in variation["text"]
