"""What `server.nlu.spelling` learns from: sentences in proper spelling, and chat spelling that means one thing only."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from covan.nlu_variants import Rules
from rag.types import FaqEntry
from school.catalog import GlossaryEntry
from vietnamese.lexicon import spoken
from vietnamese.text import fold, words

SHORTEST_SPELLING = 2
"""Letters of a chat spelling, but for those of the glossary: a single letter stands for many things."""


def spelling_json(
    seeds: Iterable[Sequence[str]], faq: Sequence[FaqEntry], glossary: Sequence[GlossaryEntry], rules: Rules
) -> str:
    """The file that `server.nlu.spelling.SpellingRestorer` reads.

    A chat spelling is written out when it has one reading, and is no word itself: the glossary's come first, then those
    that variants are made with.
    """
    questions = [wording for entry in faq for wording in (entry.question, *entry.variants)]
    texts = sorted({*spoken(), *questions, *(text for of_intent in seeds for text in of_intent)})
    known = {word for text in texts if fold(text) != text.lower() for word in words(text)}
    return json.dumps(
        {"texts": texts, "written_out": written_out(glossary, rules, known)}, ensure_ascii=False, indent=1
    )


def written_out(glossary: Sequence[GlossaryEntry], rules: Rules, known: Collection[str]) -> Mapping[str, str]:
    """What stands for each chat spelling, all in lower case. `known`: words that people write as they are."""
    readings: dict[str, set[str]] = defaultdict(set)
    for entry in glossary:
        for short in (entry.short, *entry.also):
            readings[short.lower()].update(full.lower() for full in entry.full)
    of_glossary = {short: full for short, full in readings.items() if " " not in short}
    variants: dict[str, set[str]] = defaultdict(set)
    for phrase, spellings in rules.spellings.items():
        for spelling in spellings:
            for typed in {spelling.lower(), fold(spelling)}:
                if (
                    len(typed) >= SHORTEST_SPELLING
                    and " " not in typed
                    and typed not in of_glossary
                    and typed not in known
                    and typed != fold(phrase)
                ):
                    variants[typed].add(phrase)
    single = {**variants, **of_glossary}
    return {short: next(iter(full)) for short, full in sorted(single.items()) if len(full) == 1}
