"""Names of open referents in the student's language."""

from __future__ import annotations

from pathlib import Path

import yaml
from turns import Respond

import rag.query
from actions.referents import referent_names
from vietnamese.text import fold


def test_every_kind_of_thing_that_may_be_asked_for_has_an_english_name() -> None:
    lists = Path(rag.query.__file__).with_name("specificity.yml")
    referents = yaml.safe_load(lists.read_text(encoding="utf-8"))["referents"]

    in_english = [referent_names([each], "en") for each in referents]

    assert [said for said in in_english if fold(said) != said] == []
    assert [each for each, said in zip(referents, in_english, strict=True) if each == said] == []


def test_several_with_one_name_are_named_once_and_in_vietnamese_they_stay() -> None:
    assert referent_names(["ngành", "ngành học", "khoa"], "en") == "major, faculty"
    assert referent_names(["ngành", "ngành học"], "vi") == "ngành, ngành học"


def test_in_an_english_conversation_it_is_asked_for_in_english(respond: Respond) -> None:
    said = respond("action_answer", "Có những quy định nào cho sinh viên?", "nlu_fallback", language="en")

    asked = said["responses"][-1]
    assert (asked["response"], asked["unnamed"]) == ("utter_ask_which", "regulation")
    # The slot stores the open referent by the engine's own name.
    assert dict(said["events"])["asked_back"]["unnamed"] == ["quy định"]
