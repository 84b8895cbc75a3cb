"""Correct text that stays as it is, and diacritics that come back, on the FAQ and the suite of the sample school.

    .venv/bin/python benchmarks/spelling.py [--knowledge DIR] [--questions Q.csv ...]

A text is correctly written when at least 0.3 of its words carry diacritics and all its words are Vietnamese syllables,
English words, numbers or names of the school, and none is known chat spelling. Of those texts, `changed` counts the
words that the corrector replaces, and `restored` is the share of words that it puts back when the text is folded to
bare letters. Fails when more than 1 word in 2,000 of all texts changes or less than 0.97 are restored. `--questions`
adds files with a column `question`; `--knowledge` is the school that they are about. The FAQ is among the texts that
the corrector has learned from.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import reduce
from operator import add
from pathlib import Path
from time import perf_counter

from covan.project import ROOT
from rag.ingest.load import Knowledge, load_knowledge
from school.glossary import own_chat_spelling
from vietnamese.english import frequent_words
from vietnamese.lexicon import LEAST_MARKED, Lexicon
from vietnamese.spelling import SpellingCorrector
from vietnamese.syllables import is_spelled
from vietnamese.text import fold, words

MOST_CHANGED = 1 / 2000
LEAST_RESTORED = 0.97

CHAT = frozenset({"hông", "nhiu", "nhìu", "rùi"})
"""Chat spelling with diacritics, which stands in the FAQ as students type it and is meant to be corrected."""


@dataclass(frozen=True)
class SpellingFigures:
    """Counts of the words in correctly written texts: changed by the corrector, and restored from bare letters."""

    texts: int
    words: int
    changed: int
    restored: int
    seconds: float

    @property
    def holds(self) -> bool:
        """Return whether the claims of this benchmark hold."""
        return self.changed <= MOST_CHANGED * self.words and self.restored >= LEAST_RESTORED * self.words

    def __add__(self, other: SpellingFigures) -> SpellingFigures:
        return SpellingFigures(*(sum(pair) for pair in zip(astuple(self), astuple(other), strict=True)))


def corrector_of(knowledge: Knowledge) -> tuple[SpellingCorrector, frozenset[str]]:
    """Return the corrector of a school, and the words of its names and short forms."""
    catalog = knowledge.catalog
    values = [value for dimension in catalog.dimension_ids for value in catalog.items(dimension)]
    named = [*values, *catalog.courses, *catalog.offices]
    names = [name for item in named for name in (item.name, *item.aliases)]
    shorts = [short for entry in knowledge.glossary for short in (entry.short, *entry.also)]
    kept = frozenset(word for text in (*names, *shorts) for word in words(text))
    texts = [*(document.text for document in knowledge.documents), *faq_questions(knowledge)]
    return SpellingCorrector(Lexicon.learn(texts), kept, own_chat_spelling(knowledge.glossary)), kept


def faq_questions(knowledge: Knowledge) -> list[str]:
    """Return the questions of the FAQ with their other wordings."""
    return [text for entry in knowledge.faq for text in (entry.question, *entry.variants)]


def correctly_written(texts: Iterable[str], kept: frozenset[str]) -> list[str]:
    """Return those of `texts` that need no correction."""
    known = kept | frequent_words()
    found = []
    for text in texts:
        tokens = words(text)
        marked = sum(token != fold(token) for token in tokens)
        right = CHAT.isdisjoint(tokens) and all(
            is_spelled(token) or token in known or not token.isalpha() for token in tokens
        )
        if tokens and right and marked >= LEAST_MARKED * len(tokens):
            found.append(text)
    return found


def measured(corrector: SpellingCorrector, texts: Sequence[str]) -> SpellingFigures:
    """Correct each text as it is written and in bare letters, and compare word by word."""
    total = changed = restored = 0
    started = perf_counter()
    for text in texts:
        meant = words(text)
        total += len(meant)
        changed += _differences(meant, words(corrector.correct(text).text))
        restored += len(meant) - _differences(meant, words(corrector.correct(fold(text)).text))
    return SpellingFigures(len(texts), total, changed, restored, perf_counter() - started)


def _differences(meant: Sequence[str], got: Sequence[str]) -> int:
    return abs(len(meant) - len(got)) + sum(one != other for one, other in zip(meant, got, strict=False))


def _questions(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["question"] for row in csv.DictReader(file)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--knowledge", type=Path, default=ROOT / "knowledge")
    parser.add_argument("--questions", type=Path, nargs="*")
    chosen = parser.parse_args()
    knowledge = load_knowledge(chosen.knowledge)
    files = (
        [ROOT / "benchmarks/sample_school/questions.csv"] if chosen.questions is None else chosen.questions
    )
    corrector, kept = corrector_of(knowledge)
    texts = {"FAQ": faq_questions(knowledge), **{path.stem: _questions(path) for path in files}}
    figures = {name: measured(corrector, correctly_written(some, kept)) for name, some in texts.items()}
    total = reduce(add, figures.values())
    print(f"{'texts of':<28} {'texts':>6} {'words':>7} {'changed':>8} {'restored':>9} {'ms a text':>10}")
    for name, one in {**figures, "all": total}.items():
        if one.texts:
            print(
                f"{name:<28} {one.texts:>6} {one.words:>7} {one.changed:>8}"
                f" {one.restored / one.words:>9.4f} {1e3 * one.seconds / one.texts / 2:>10.2f}"
            )
    if not total.holds:
        sys.exit(f"more than {MOST_CHANGED} of the words changed, or less than {LEAST_RESTORED} restored")


if __name__ == "__main__":
    main()
