"""The searched texts of a passage: its own words with abbreviations in full, and its headings."""

from __future__ import annotations

from collections.abc import Sequence

from rag.types import Passage
from school.abbreviations import Abbreviations

MAX_HEADING_WORDS = 40


def embedded_text(passage: Passage, abbreviations: Abbreviations) -> str:
    """Return the text to embed: the nearest heading of at most `MAX_HEADING_WORDS`, then the passage."""
    heading = next((text for text in reversed(passage.context) if len(text.split()) <= MAX_HEADING_WORDS), "")
    text = passage.text if not heading or passage.text.startswith(heading) else f"{heading}\n{passage.text}"
    return abbreviations.expand(text)


def passage_terms(passage: Passage, abbreviations: Abbreviations) -> str:
    """Return the text of a passage for BM25: all its headings, then its text."""
    return abbreviations.expand("\n".join((*passage.context, passage.text)))


def article_terms(passages: Sequence[Passage], abbreviations: Abbreviations) -> str:
    """Return the text of an article for BM25: title and headings once, then all its passages."""
    headings = dict.fromkeys(text for passage in passages for text in passage.context)
    return abbreviations.expand(
        "\n".join((passages[0].title, *headings, *(passage.text for passage in passages)))
    )
