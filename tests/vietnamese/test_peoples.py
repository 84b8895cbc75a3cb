"""The peoples of Viet Nam are read as its minorities."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from vietnamese import peoples
from vietnamese.peoples import MINORITY, with_minority


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("e dan toc tay thi co dc mien hoc phi ko", f"e {MINORITY} tay thi co dc mien hoc phi ko"),
        ("em dân tộc H'Mông", f"em {MINORITY} H'Mông"),
        ("dan toc hmong", f"{MINORITY} hmong"),
        ("em là người dân tộc Khơ-me", f"em là {MINORITY} Khơ-me"),
        ("dan toc ede", f"{MINORITY} ede"),
        ("người Tày được giảm không", f"{MINORITY} Tày được giảm không"),
        ("nguoi raglai", f"{MINORITY} raglai"),
        ("dân tộc Bru Vân Kiều", f"{MINORITY} Bru Vân Kiều"),
    ],
)
def test_a_people_is_one_of_the_minorities(text: str, read: str) -> None:
    assert with_minority(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "em dân tộc Kinh",
        "nguoi tay co duoc hoc khong",
        "người Tây",
        "người Lào",
        "dan toc co duoc mien khong",
        "em dân tộc thiểu số Tày",
        "dân tộc Tây Nguyên",
        "em học ngành hoa",
        "người thân",
        "tay em bị đau",
    ],
)
def test_other_words_stay(text: str) -> None:
    assert with_minority(text) == text


def test_every_people_besides_the_kinh_and_the_co_is_listed() -> None:
    said = yaml.safe_load(Path(peoples.__file__).with_suffix(".yml").read_text(encoding="utf-8"))

    assert len(said["names"]) == 53
    for names in said["names"]:
        assert all(MINORITY in with_minority(f"em dân tộc {name}") for name in names)
