"""A field with a wrong value is told in the language of the page."""

from __future__ import annotations

import pytest
from console_driver import Enter


@pytest.mark.parametrize(
    ("language", "said"),
    [("vi", "'question' dài quá"), ("en-GB", "'question' is longer than"), ("", "'question' is longer than")],
)
def test_what_is_too_long_is_told_in_words(enter: Enter, language: str, said: str) -> None:
    body = {"question": "a" * 10_000}

    refused = enter("advisor").post("/api/try", json=body, headers={"Accept-Language": language})

    assert refused.status_code == 422
    assert said in refused.json()["message"]
