"""The words that tell in which language a student writes, as data for `server.nlu.language` to apply."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from rag.understand.english import English
from rag.understand.syllable import SYLLABLE, is_syllable

_WORDS = Path(__file__).with_name("language.yml")


def as_data() -> dict[str, Any]:
    """The words as JSON has them.

    `english`: words that only English has; `borrowed`: those of both languages, which tell nothing; `either`: English
    words that are spelled like a Vietnamese syllable ("can", "the", "me"); `syllable`: how Vietnamese is spelled.
    """
    listed = yaml.safe_load(_WORDS.read_text(encoding="utf-8"))["english"].split()
    known = English()
    words = {form for word in (*known.vocabulary, *listed) for form in _inflected(word) if form.isascii()}
    either = {word for word in words if is_syllable(word)} - known.borrowed
    return {
        "english": sorted(words - either - known.borrowed),
        "borrowed": sorted(known.borrowed),
        "either": sorted(either),
        "syllable": SYLLABLE,
    }


def _inflected(word: str) -> Iterator[str]:
    """A word and its forms in -s, -ed and -ing; those that English does not have do no harm."""
    yield word
    if is_syllable(word) or not word.isalpha():
        return
    yield f"{word[:-1]}ies" if word.endswith("y") else f"{word}es" if word[-1] in "shx" else f"{word}s"
    stem = word.removesuffix("e")
    yield from (f"{stem}ed", f"{stem}ing", f"{stem}{stem[-1]}ed", f"{stem}{stem[-1]}ing")
