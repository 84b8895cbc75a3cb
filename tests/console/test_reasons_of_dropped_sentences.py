"""Each reason for which a sentence of a model is dropped has words in both languages of the console."""

from __future__ import annotations

import pytest

from covan.project import ROOT
from rag.answer.verify import Unsupported


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("reason", Unsupported)
def test_the_console_has_words_for_a_reason(language: str, reason: Unsupported) -> None:
    texts = (ROOT / "console/ui/src/parts/model_texts.ts").read_text(encoding="utf-8")
    vietnamese, english = texts.split("const en:")
    assert f'"rejected.{reason}": ' in {"vi": vietnamese, "en": english}[language]
