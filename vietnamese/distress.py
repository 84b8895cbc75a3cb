"""Distress: a student in trouble, or worried for somebody who is. A safety net beside the classifier's intent.

It consists of rules because editing a list must correct it, exactly. It comes before small talk and before retrieval,
which would find the clause on withdrawing from studies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold, words

_STRETCHED = re.compile(r"([^\W\d_])\1+")
_APOSTROPHE = re.compile("['’]")
_SENTENCE_END = re.compile(r"[.!?;…\n]+")
_GROUP = re.compile(r"\{(\w+)\}")
_BREAK = "·"
"""Stands between sentences, and for removed idioms; no phrase reaches across it."""

_OTHERS = "…"
"""Stands for those whom a message speaks of."""

_GAP_WORDS = 4
_END = rf"(?={_BREAK}|\Z)"
_BEGINNING = rf"(?:(?<=\A )|(?<={_BREAK} ))"


def distress(text: str) -> bool:
    """Return whether `text` says that its writer, or somebody the writer knows, is in trouble.

    Trouble is self-harm, hopelessness, violence or harassment suffered, panic: in Vietnamese with or without
    diacritics, in chat spelling, and in English. Plain denials and idioms do not count.
    """
    known = _known()
    said = known.idioms.sub(f"{_BREAK} ", _said(text, known.spellings))
    rest = said
    for family in known.loose:
        if family.unless.search(said) is not None:
            rest = family.signs.sub(f"{_BREAK} ", rest)
        elif _is_meant(family.signs, said, known.denied):
            return True
    return _is_meant(known.signs, rest, known.denied)


def tells_of_hardship(text: str) -> bool:
    """Return whether `text` tells of an illness, an accident, a death, bad sleep or strain, and of nothing grave."""
    known = _known()
    return _is_only(known.hardships, text, known)


def is_relieved(text: str) -> bool:
    """Return whether `text` says that its writer feels better, and nothing grave."""
    known = _known()
    return _is_only(known.relief, text, known)


def worries_about_studies(text: str) -> bool:
    """Return whether `text` is afraid of a mark or a rule ("em sợ rớt môn quá"), and tells of nothing grave.

    "Lo quen thi sao" supposes something ("lỡ quên thì sao").
    """
    known = _known()
    if text.lower() == fold(text):
        bare = " ".join(words(text.lower()))
        if known.supposed.search(bare):
            return False
        text = known.not_fear.sub(" ", bare)
    said = known.idioms.sub(f"{_BREAK} ", _said(text, known.spellings))
    if known.study_worries.search(said) is None:
        return False
    # The fear itself is no grave word then.
    return known.grave.search(known.fear.sub(f"{_BREAK} ", said)) is None and not distress(text)


def is_mere_fear(text: str) -> bool:
    """Return whether `text` says that its writer is afraid, and nothing else: "em sợ quá"."""
    known = _known()
    said = _said(text, known.spellings)
    is_one_sentence = _BREAK not in said.strip(f" {_BREAK}")
    return is_one_sentence and known.mere_fear.search(said) is not None and not distress(text)


def asks_where_to_turn(text: str) -> bool:
    """Return whether `text` asks to whom to turn or what to do: "em nên báo ai", "gặp ai bây giờ"."""
    known = _known()
    said = known.somebody.sub(f"{_BREAK} ", _said(text, known.spellings))
    return known.turning.search(said) is not None


def is_of_somebody_else(text: str) -> bool:
    """Return whether the trouble that `text` tells of is a friend's or a child's, and not its writer's, too."""
    known = _known()
    said = _said(text, known.spellings)
    rest = known.watched.sub(f"{_OTHERS} ", said)
    return rest != said and known.own.search(rest) is None


def _is_only(signs: re.Pattern[str], text: str, known: _Known) -> bool:
    said = known.idioms.sub(f"{_BREAK} ", _said(text, known.spellings))
    return signs.search(said) is not None and known.grave.search(said) is None and not distress(text)


@dataclass(frozen=True, slots=True)
class _Loose:
    """Signs that count only in a text without `unless`."""

    signs: re.Pattern[str]
    unless: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Known:
    """The lists of the file, each as one pattern over words that are parted by single blanks."""

    spellings: Mapping[str, str]
    idioms: re.Pattern[str]
    signs: re.Pattern[str]
    loose: tuple[_Loose, ...]
    denied: re.Pattern[str]
    hardships: re.Pattern[str]
    relief: re.Pattern[str]
    grave: re.Pattern[str]
    study_worries: re.Pattern[str]
    supposed: re.Pattern[str]
    not_fear: re.Pattern[str]
    mere_fear: re.Pattern[str]
    fear: re.Pattern[str]
    turning: re.Pattern[str]
    somebody: re.Pattern[str]
    watched: re.Pattern[str]
    own: re.Pattern[str]


@lru_cache(maxsize=1)
def _known() -> _Known:
    lists = yaml_beside(__file__, "distress.yml")
    groups: dict[str, str] = {}
    for name, alternatives in lists["groups"].items():
        groups[name] = _grouped("".join(alternatives.split()), groups)
    denial = _slot(lists["denials"])
    special = {
        # A denial inside the gap denies the phrase.
        "..": rf"(?:(?!{denial})[^ {_BREAK}]+ ){{0,{_GAP_WORDS}}}?",
        "^": _BEGINNING,
        "$": _END,
    }

    def pattern(phrases: Iterable[str]) -> re.Pattern[str]:
        return re.compile("|".join(_phrase(_grouped(phrase, groups), special) for phrase in phrases))

    return _Known(
        spellings={
            typed: " ".join(words(_squeezed(meant)))
            for meant, ways in lists["spellings"].items()
            for typed in (_squeezed(way) for way in ways)
        },
        idioms=pattern(lists["idioms"]),
        signs=pattern(lists["signs"]),
        loose=tuple(
            _Loose(pattern(family["signs"]), pattern(["".join(family["unless"].split())]))
            for family in lists["loose"]
        ),
        denied=re.compile(f"{denial}(?:{_slot(lists['between'])})*\\Z"),
        hardships=pattern(lists["hardships"]),
        relief=pattern(lists["relief"]),
        grave=pattern(lists["grave"]),
        study_worries=pattern(lists["study_worries"]),
        supposed=re.compile(lists["supposed"]),
        not_fear=re.compile(lists["not_fear"]),
        mere_fear=pattern(lists["mere_fear"]),
        fear=pattern(["{fear}"]),
        turning=pattern(lists["turning"]),
        somebody=pattern(lists["somebody"]),
        watched=pattern(["{watched} {me}?"]),
        own=pattern(lists["own"]),
    )


def _said(text: str, spellings: Mapping[str, str]) -> str:
    """Return the words of `text`, with a blank before the first and after each."""
    sentences = (
        " ".join(spellings.get(word, word) for word in words(_squeezed(sentence)))
        for sentence in _SENTENCE_END.split(clean(text, MAX_QUESTION_CHARS).lower())
    )
    return f" {f' {_BREAK} '.join(sentence for sentence in sentences if sentence)} "


def _is_meant(signs: re.Pattern[str], said: str, denied: re.Pattern[str]) -> bool:
    found = signs.search(said)
    while found is not None and denied.search(said[: found.start()]) is not None:
        # A sign denied of one person may hold for another in the same sentence.
        found = signs.search(said, found.start() + 1)
    return found is not None


def _squeezed(text: str) -> str:
    """Return `text` without drawn-out letters ("chếtttt") and apostrophes ("can't")."""
    return _STRETCHED.sub(r"\1", _APOSTROPHE.sub("", text))


def _grouped(phrase: str, groups: Mapping[str, str]) -> str:
    return _GROUP.sub(lambda match: groups[match[1]], phrase)


def _phrase(phrase: str, special: Mapping[str, str]) -> str:
    """Return the pattern of a phrase, in the notation that the file explains."""
    # Blanks after "|" only fold a long line of the file.
    parts = re.sub(r"\|\s+", "|", phrase).split()
    return "(?<= )" + "".join(special.get(part) or _slot(part) for part in parts)


def _slot(part: str) -> str:
    """Return the pattern of one place of a phrase."""
    optional = part.endswith("?")
    ways = "|".join(" ".join(map(_word, way.split("_"))) for way in part.removesuffix("?").split("|"))
    return f"(?:(?:{ways}) ){'?' if optional else ''}"


def _word(word: str) -> str:
    """Return the pattern of a word with its diacritics or, unless marked, with none."""
    marked = word.startswith("!")
    [typed] = words(_squeezed(word.removeprefix("!")))
    return (
        re.escape(typed)
        if marked or fold(typed) == typed
        else f"(?:{re.escape(typed)}|{re.escape(fold(typed))})"
    )
