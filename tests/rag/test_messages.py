"""Messages are said in every language, with the same values in each."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from string import Formatter

import pytest
import yaml

from rag.errors import KnowledgeError, Problem
from rag.ingest.load import load_knowledge
from rag.messages import LOCALES, Message, in_language, languages

TEMPLATES = {
    name: yaml.safe_load((LOCALES / f"{name}.yml").read_text(encoding="utf-8")) for name in languages()
}
ROOT = Path(__file__).parents[2]


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_all_languages_have_the_same_messages_with_the_same_values() -> None:
    english = TEMPLATES["en"]

    assert set(languages()) == {"en", "vi"}
    for language in languages():
        assert TEMPLATES[language].keys() == english.keys()
        assert {key: places(text) for key, text in TEMPLATES[language].items()} == {
            key: places(text) for key, text in english.items()
        }


def test_every_message_is_used() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("rag", "covan", "console")
        for path in (ROOT / folder).rglob("*.py")
    )
    used = set(re.findall(r'"(\w+)"', sources))

    assert [key for key in TEMPLATES["en"] if key.removesuffix("_1") not in used] == []


def test_a_message_is_english_and_can_be_said_otherwise() -> None:
    message = Message("unknown_id", kind="topic", value="hoc", hint=Message("did_you_mean", word="hoc-vu"))

    assert message == "there is no topic 'hoc'; did you mean 'hoc-vu'?"
    assert in_language(message, "vi") == "không có topic 'hoc'; có phải là 'hoc-vu' không?"
    assert in_language("plain", "vi") == "plain"


def test_an_english_word_goes_with_its_number() -> None:
    def told(count: int) -> str:
        return Message("jsonl_unread_key", key="a", count=count)

    assert told(1) == "the key 'a' is not read (1 time)"
    assert told(2) == "the key 'a' is not read (2 times)"
    assert told(0) == "the key 'a' is not read (0 times)"


def test_a_copy_is_a_message_too() -> None:
    message = Message("no_folder")

    assert in_language(copy.copy(message), "vi") == in_language(pickle.loads(pickle.dumps(message)), "vi")
    assert in_language(copy.copy(message), "vi") == "không có thư mục này"


def test_a_value_that_is_missing_is_told_at_once() -> None:
    with pytest.raises(KeyError):
        Message("line")


def test_a_report_is_told_in_vietnamese(tmp_path: Path) -> None:
    (tmp_path / "catalog.yml").write_text("school: {id: a}\ncohrts: []\n", encoding="utf-8")
    (tmp_path / "faq").mkdir()
    (tmp_path / "faq" / "a.yml").write_text(
        "- {id: b, question: Gì?, answer: [x], topic: t}\n", encoding="utf-8"
    )

    with pytest.raises(KnowledgeError) as refused:
        load_knowledge(tmp_path)

    assert refused.value.told("vi").splitlines() == [
        "3 lỗi trong thư mục tri thức:",
        "  catalog.yml:1: thiếu 'name'",
        "  catalog.yml:2: không có khóa 'cohrts'; có phải là 'cohorts' không?",
        "  faq/a.yml:1: 'answer' phải là chữ, không phải danh sách",
    ]


def test_one_problem_is_one() -> None:
    error = KnowledgeError([Problem("a.yml", Message("no_document"), 3)])

    assert str(error) == "1 problem in the knowledge folder:\n  a.yml:3: there is no document in it"
