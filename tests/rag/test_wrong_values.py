"""Readers are told in their language, without the words of pydantic, which fault a value has."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from rag.messages import in_language
from rag.wrong_values import said_wrong


class Model(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=5, pattern=r"^[^/\s]*$")] = "a"
    number: Annotated[str, Field(pattern=r"^[1-9]\d{0,3}$")] = "1"
    url: Annotated[str, Field(pattern=r"^https?://")] = "http://a"
    share: Annotated[float, Field(ge=0, lt=1)] = 0.5
    parts: Annotated[list[str], Field(max_length=1)] = []
    kind: Literal["one", "two"] = "one"


@pytest.mark.parametrize(
    ("values", "vi"),
    [
        ({"name": ""}, "không được để trống"),
        ({"name": "abcdef"}, "dài quá 5 ký tự"),
        ({"name": "a b"}, "có ký tự không dùng được ở đây, như khoảng trắng hay dấu gạch chéo"),
        (
            {"number": "D22"},
            'phải là một số, như "22"; chữ đứng trước, như D của D22, ghi ở letters của chiều này',
        ),
        ({"url": "abc"}, "phải là địa chỉ web, bắt đầu bằng http:// hoặc https://"),
        ({"share": -1}, "không được nhỏ hơn 0"),
        ({"share": 1}, "phải nhỏ hơn 1"),
        ({"share": "a"}, "phải là số"),
        ({"parts": ["a", "b"]}, "có quá 1 mục"),
        ({"parts": "a"}, "phải là danh sách"),
        ({"kind": "three"}, "phải là một trong: 'one' or 'two'"),
        ({"name": 5}, "phải là chữ"),
    ],
)
def test_it_is_told_in_vietnamese(values: dict[str, Any], vi: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Model(**values)

    assert in_language(said_wrong(raised.value.errors()[0]), "vi") == vi
