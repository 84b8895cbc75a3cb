"""Examples in other writings: always the same ones, and by the rules that people can read."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from covan.training_data.seeds import read_seeds
from covan.training_data.variants import RULES, Frame, Rules, Variants, read_rules
from vietnamese.text import fold

FRAMES_ONLY = Rules(
    spellings={}, frames=[Frame(intents=["ask_*"], before=["ad ơi"], after=["ạ", "?"])], neighbours={}
)
QUESTION = "học phí kỳ này đóng ở đâu"


@pytest.fixture(scope="module")
def variants() -> Variants:
    return Variants(read_rules())


def test_an_example_has_the_same_variants_every_time(variants: Variants) -> None:
    first = variants.of(QUESTION, "ask_tuition", 6)

    assert first == Variants(read_rules()).of(QUESTION, "ask_tuition", 6)
    assert len(first) > 1


def test_variants_are_different_from_the_example_and_each_other(variants: Variants) -> None:
    found = variants.of(QUESTION, "ask_tuition", 6)

    assert len({QUESTION, *(text.casefold() for text in found)}) == len(found) + 1


def test_a_question_gets_words_around_it() -> None:
    [framed] = Variants(FRAMES_ONLY).of(QUESTION, "ask_tuition", 1)

    bare = fold(framed)
    assert fold(QUESTION) in bare
    assert bare.startswith("ad oi ") or bare.endswith((" a", "?"))


def test_the_first_frame_that_fits_is_used_and_none_when_none_fits() -> None:
    assert Variants(FRAMES_ONLY).of("hi", "greet", 3) == []


def test_chat_spelling_replaces_whole_words_only() -> None:
    rules = Rules(spellings={"không": ["ko"], "em": ["e"]}, frames=[], neighbours={})
    found = {fold(text) for text in Variants(rules).of("em không xem", "deny", 8)}

    assert found & {"e khong xem", "em ko xem", "e ko xem"}
    assert not any("xe " in text or text.endswith("xe") for text in found)


def test_a_short_example_has_no_slips() -> None:
    rules = Rules(spellings={}, frames=[], neighbours={})

    assert set(Variants(rules).of("chào ad", "greet", 5)) <= {"chao ad"}


def test_every_intent_with_seeds_has_a_frame(variants: Variants) -> None:
    framed = Variants(Rules(spellings={}, frames=variants.rules.frames, neighbours={}))

    assert [intent for intent in read_seeds() if not framed.of("x y z", intent, 1)] == []


def test_a_rule_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValidationError):
        Rules.model_validate({"spellings": {}, "frames": [], "neighbours": {}, "spelings": {}})
    assert RULES.is_file()
