"""Questions in English over Vietnamese documents, read phrase by phrase.

The lexical index compares words with Vietnamese words, so a lexicon (`english.yml`) brings an English question into the
terms of the regulations. Unknown words stay: a question about swimming pools must not resemble an answered one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vietnamese.data_files import lines_beside, yaml_beside
from vietnamese.syllables import is_syllable
from vietnamese.text import fold

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’\-][^\W_]+)*")
"""A word, or a number with its decimals."""

_DETERMINERS = frozenset(
    ["a", "an", "the", "my", "our", "your", "their", "his", "her", "this", "that", "these", "those"]
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words in their simplest form, and their Vietnamese term; a term that `asks` comes last there.

    `names`: it names a thing or an action of studies, and is no small word.
    """

    words: tuple[str, ...]
    term: str
    asks: bool = False
    names: bool = True


@dataclass(frozen=True, slots=True)
class _Lexicon:
    phrases: tuple[_Phrase, ...]
    dropped: frozenset[str]
    borrowed: frozenset[str]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    lists = yaml_beside(__file__, "english.yml")
    return _Lexicon(
        phrases=tuple(
            _Phrase(tuple(_tokens(way)), str(term), asks=part == "asking", names=part == "terms")
            for part in ("asking", "plain", "terms")
            for ways, term in lists[part].items()
            for way in ways.split("|")
        ),
        dropped=frozenset(lists["dropped"].split()),
        borrowed=frozenset(lists["borrowed"].split()),
    )


@lru_cache(maxsize=1)
def frequent_words() -> frozenset[str]:
    """Return some 11,000 frequent English words of at least two letters, in lower case, inflected forms among them."""
    return frozenset(word for line in lines_beside(__file__, "english_words.txt") for word in line.split())


class English:
    """Reads English questions. `school_terms` are the school's own: English to Vietnamese."""

    def __init__(self, school_terms: Mapping[str, str] | None = None) -> None:
        known = _lexicon()
        own = (_Phrase(tuple(_tokens(way)), term) for way, term in (school_terms or {}).items())
        # The school's own come last to replace common ones.
        phrases = {phrase.words: phrase for phrase in (*known.phrases, *own) if phrase.words}
        self._phrases: dict[str, list[_Phrase]] = {}
        for phrase in sorted(phrases.values(), key=lambda phrase: -len(phrase.words)):
            self._phrases.setdefault(phrase.words[0], []).append(phrase)
        self._dropped = known.dropped
        self._borrowed = known.borrowed
        self._vocabulary = (
            frozenset(word for words in phrases for word in words) | self._dropped | self._borrowed
        )

    @property
    def vocabulary(self) -> frozenset[str]:
        """The English words that are known, in their simplest form or on loan."""
        return self._vocabulary

    @property
    def borrowed(self) -> frozenset[str]:
        """The English words that students mix into Vietnamese."""
        return self._borrowed

    def read(self, text: str, names: Sequence[tuple[int, int, str]] = ()) -> str:
        """Return `text` in Vietnamese terms, in the order of the English words; unknown words and numbers stay.

        `names` are stretches of the text, start and end, with their Vietnamese names.
        """
        parts: list[str] = []
        asked: dict[str, None] = {}
        done = 0
        for start, end, name in sorted(names):
            if start >= done:
                parts += [*self._read(text[done:start], asked), name]
                done = end
        parts += self._read(text[done:], asked)
        return " ".join((*dict.fromkeys(parts), *asked)) + ("?" if text.rstrip().endswith("?") else "")

    def within_vietnamese(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return a Vietnamese `text` with its English terms in Vietnamese, and the words that these took the place of.

        "nộp tuition fee sem 2" is "nộp học phí học kỳ 2", and "đi xe bus" is "đi xe buýt": the words with which a term
        begins are not said twice. Words that Vietnamese has borrowed stay, and so do those that may be Vietnamese
        without diacritics ("no", "may", "day").
        """
        spans = [match.span() for match in _WORD.finditer(text)]
        typed = [text[start:end].lower() for start, end in spans]
        words = [set(_forms(word)) for word in typed]
        written = ""
        replaced: list[str] = []
        done, place = 0, 0
        while place < len(words):
            phrase = self._phrase_at(words, place, self._is_foreign_name)
            if phrase is None:
                place += 1
                continue
            last = place + len(phrase.words) - 1
            written = _without_beginning_of(phrase.term, written + text[done : spans[place][0]]) + phrase.term
            replaced += typed[place : last + 1]
            done, place = spans[last][1], last + 1
        return written + text[done:], tuple(replaced)

    def _is_foreign_name(self, phrase: _Phrase) -> bool:
        """Return whether a phrase names something in words that no Vietnamese reader takes for Vietnamese."""
        foreign = [not is_syllable(word) for word in phrase.words]
        return phrase.names and any(foreign) and not all(word in self._borrowed for word in phrase.words)

    def _read(self, text: str, asked: dict[str, None]) -> Iterator[str]:
        """Yield the terms of a stretch of text; collect the asking ones in `asked`."""
        typed = list(_tokens(text))
        words = [set(_forms(word)) for word in typed]
        place = 0
        while place < len(words):
            phrase = self._phrase_at(words, place)
            if phrase is None:
                if not words[place] & self._dropped:
                    yield typed[place]
            elif phrase.asks:
                asked.setdefault(phrase.term)
            else:
                yield phrase.term
            place += len(phrase.words) if phrase else 1

    def _phrase_at(
        self, words: Sequence[set[str]], place: int, admits: Callable[[_Phrase], bool] | None = None
    ) -> _Phrase | None:
        """Return the longest phrase that begins at `place`, of those that `admits`."""
        candidates = (phrase for form in words[place] for phrase in self._phrases.get(form, ()))
        fitting = [
            phrase
            for phrase in candidates
            if (admits is None or admits(phrase))
            and len(phrase.words) <= len(words) - place
            and all(word in forms for word, forms in zip(phrase.words, words[place:], strict=False))
        ]
        return max(fitting, key=lambda phrase: (len(phrase.words), phrase.words), default=None)


def _without_beginning_of(term: str, before: str) -> str:
    """Return the text before `term` without the words at its end with which the term begins, typed bare or not."""
    heads = [rf"(?:{re.escape(word)}|{re.escape(fold(word))})\s+" for word in term.split()]
    for count in range(len(heads), 0, -1):
        if said := re.search(rf"(?<!\w){''.join(heads[:count])}$", before, re.IGNORECASE):
            return before[: said.start()]
    return before


def _tokens(text: str) -> Iterator[str]:
    """Return the words in lower case, without determiners: "pay my tuition" is "pay tuition"."""
    words = (match[0].lower().replace("’", "'").removesuffix("'s") for match in _WORD.finditer(text))
    return (word for word in words if word not in _DETERMINERS)


def _forms(word: str) -> Iterator[str]:
    """Yield a word, then its possible base forms without the endings -s, -ing and -ed."""
    yield word
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield stem
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
            if ending == "ed" and stem.endswith("i"):
                yield f"{stem[:-1]}y"
