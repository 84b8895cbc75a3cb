"""The order in which the entries that a search has found are listed."""

from __future__ import annotations

import unicodedata

from console.faq_files import SearchedEntry
from console.loose_search import are_in, phrase, search_words


def rank(found: SearchedEntry, text: str) -> tuple[int, bool]:
    """Return the rank of an entry that was found with `text`; lower is nearer.

    | rank | what has the words |
    |---|---|
    | 0, 1 | the question is the phrase, has the phrase |
    | 2, 3 | a further wording is the phrase, has the phrase |
    | 4, 5 | the question, a wording has all words, in any order |
    | 6, 7 | the rest of the entry has the phrase, all words |

    Among those of a rank, questions with the phrase in its very letters, diacritics and all, come first.
    """
    wanted, words = phrase(text), search_words(text)
    tests = (
        wanted == found.question,
        wanted in found.question,
        wanted in found.variants,
        any(wanted in each for each in found.variants),
        are_in(found.question, words),
        any(are_in(each, words) for each in found.variants),
        wanted in found.text,
    )
    place = tests.index(True) if True in tests else len(tests)
    written = unicodedata.normalize("NFC", " ".join(text.split())).lower()
    return place, written not in str(found.entry.record.get("question") or "").lower()
