"""Variants of an example as students type: chat spelling, no diacritics, slips, words of courtesy.

The rules stand in `variants.yml`. The variants of an example depend on its text alone, not on other examples.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from vietnamese.text import fold

RULES = Path(__file__).with_name("variants.yml")

SHORTEST_SLIPPED = 4
"""Letters of a word that may have a slip; a shorter one would become another word."""

SHORTEST_WITH_SLIP = 8
"""Characters of an example that may have a slip: "chào" with a letter missing is anything."""

_WORD = re.compile(r"[^\W\d_]+")


class Frame(BaseModel):
    """Words around an example of some intents. `intents` are shell patterns."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intents: Sequence[str]
    before: Sequence[str]
    after: Sequence[str]


class Rules(BaseModel):
    """`variants.yml`. `spellings`: a word or phrase in lower case, and its chat spellings."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    spellings: Mapping[str, Sequence[str]]
    frames: Sequence[Frame]
    neighbours: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Variants:
    """Makes variants by `rules`."""

    rules: Rules

    def of(self, text: str, intent: str, count: int) -> list[str]:
        """Return at most `count` variants of `text`, which differ from it and each other by more than case.

        The first is framed, the second in chat spelling, the third has a slip, and so on in turn; half of them lose
        their diacritics.
        """
        chance = random.Random(hashlib.sha256(f"{intent}\n{text}".encode()).digest())
        frame = self._frame_of(intent)

        def framed(text: str, chance: random.Random) -> str:
            return self._framed(text, frame, chance) if frame else text

        ways: Sequence[Callable[[str, random.Random], str]] = (framed, self._in_chat, self._slipped)
        found: dict[str, str] = {}
        for attempt in range(2 * count):
            if len(found) == count:
                break
            written = ways[attempt % len(ways)](text, chance)
            if chance.random() < 0.5:
                written = fold(written)
            if written.casefold() != text.casefold():
                found.setdefault(written.casefold(), written)
        return list(found.values())

    def _frame_of(self, intent: str) -> Frame | None:
        return next(
            (f for f in self.rules.frames if any(fnmatchcase(intent, pattern) for pattern in f.intents)), None
        )

    def _framed(self, text: str, frame: Frame, chance: random.Random) -> str:
        where = chance.choice(("before", "after", "both"))
        if where != "after":
            text = f"{chance.choice(frame.before)} {text}"
        if where != "before":
            text = _joined(text, chance.choice(frame.after))
        return self._in_chat(text, chance) if chance.random() < 0.3 else text

    def _in_chat(self, text: str, chance: random.Random) -> str:
        """Return `text` with up to three phrases in chat spelling."""
        possible = [phrase for phrase in self.rules.spellings if _stands_in(phrase, text)]
        for phrase in chance.sample(possible, min(len(possible), chance.randint(1, 3))):
            spelling = chance.choice(self.rules.spellings[phrase])
            text = re.sub(rf"(?i)\b{re.escape(phrase)}\b", lambda _, typed=spelling: typed, text)  # type: ignore[misc]
        return text

    def _slipped(self, text: str, chance: random.Random) -> str:
        words = [found for found in _WORD.finditer(text) if len(found[0]) >= SHORTEST_SLIPPED]
        if not words or len(text) < SHORTEST_WITH_SLIP:
            return text
        word = chance.choice(words)
        at = chance.randrange(1, len(word[0]))
        return text[: word.start()] + self._wrong(word[0], at, chance) + text[word.end() :]

    def _wrong(self, word: str, at: int, chance: random.Random) -> str:
        kind = chance.choice(("swapped", "missing", "doubled", "neighbour"))
        if kind == "swapped":
            return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        if kind == "missing":
            return word[:at] + word[at + 1 :]
        if kind == "doubled":
            return word[:at] + word[at] + word[at:]
        beside = self.rules.neighbours.get(fold(word[at]), word[at])
        return word[:at] + chance.choice(beside) + word[at + 1 :]


def read_rules(path: Path = RULES) -> Rules:
    """Return the rules in `path`. Raises pydantic.ValidationError when they have another shape."""
    return Rules.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def _stands_in(phrase: str, text: str) -> bool:
    return re.search(rf"(?i)\b{re.escape(phrase)}\b", text) is not None


def _joined(text: str, after: str) -> str:
    return text + after if after[0] in "?.,!" else f"{text.rstrip('?!. ')} {after}"
