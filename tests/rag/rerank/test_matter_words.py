"""The words that may name the matter of a message, and the candidates that lack them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.engine import Engine
from rag.index.format import Index
from rag.rerank.matter_words import MatterWords, lacks_the_matter


@pytest.fixture
def engine(small_index: Path, counting: EmbedderStandIn) -> Engine:
    return Engine.open(small_index, embedder=counting, today=lambda: date(2026, 11, 1))


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("ký túc xá giá bao nhiêu", 0),
        ("ky tuc xa gia bao nhieu", 0),
        ("giường ký túc xá dài bao nhiêu mét", 3),
        ("sửa xe đạp ở đâu", 3),
        # Numbers and single letters name nothing.
        ("giá ktx 2027 k", 0),
    ],
)
def test_words_that_an_entry_lacks(engine: Engine, index: Index, text: str, missing: int) -> None:
    compared = MatterWords(index)
    entry = engine.entry("dormitory-fee")
    assert entry is not None

    assert compared.missing(compared.of(engine.reader.read(text)), entry) == missing


@pytest.mark.parametrize(
    ("missing", "naming", "lacks"), [(2, 3, True), (2, 4, True), (2, 5, False), (1, 1, False), (0, 0, False)]
)
def test_two_words_and_half_of_them_are_of_another_matter(missing: float, naming: float, lacks: bool) -> None:
    assert lacks_the_matter(missing, naming) is lacks
