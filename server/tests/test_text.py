"""The cleaning rules, which must be those of the engine."""

import runpy
import unicodedata
from pathlib import Path

import pytest

from vietnamese.text import clean, fold_with_offsets

ENGINE_TEXT = Path(__file__).resolve().parents[2] / "rag" / "text.py"

TEXTS = [
    "Điều kiện  TỐT NGHIỆP\u200b của K47?",
    unicodedata.normalize("NFD", "Chuẩn đầu ra tiếng Anh"),
    "a\x00b\ud800c",
    "\ufdfa" * 1000,
    "ﬁ ① ＡＢＣ ／restart",
    "İstanbul ẞ ß",
    "😀😀",
    "e" + "\u0301" * 40,
    "học\u0323\u0301\u0302\u0303 phí",
    "",
]


@pytest.fixture(scope="module")
def engine_text():
    """`vietnamese/text.py` itself, which needs nothing but the standard library."""
    return runpy.run_path(str(ENGINE_TEXT))


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_cleaned_as_the_engine_cleans_it(engine_text, text):
    assert clean(text, 200) == engine_text["clean"](text, 200)


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_folded_as_the_engine_folds_it(engine_text, text):
    safe = clean(text, 200)
    assert fold_with_offsets(safe).folded == engine_text["fold"](safe)


@pytest.mark.parametrize("text", TEXTS)
def test_every_folded_character_knows_where_it_came_from(text):
    seen = fold_with_offsets(text)

    assert len(seen.folded) == len(seen.lowered) == len(seen.starts) == len(seen.ends)
    for index, char in enumerate(seen.lowered):
        stretch = unicodedata.normalize("NFC", text[seen.starts[index] : seen.ends[index]])
        assert char in stretch.lower() or char in stretch
