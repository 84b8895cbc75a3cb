"""What of the school's catalogue a question names: cohorts, majors, programmes, courses, offices.

`surface_forms` is the whole knowledge as data, for another process to apply; `CatalogLinker` applies it here.

Without diacritics many a name is an everyday word: "Dược học" and "được học", "Cơ khí" and "có khi". So three
kinds of name are told apart:

- a long or foreign name, or an abbreviation that is no syllable ("CNTT"): matched however it is typed;
- a name of two syllables: matched unless what was typed has other diacritics; when it folds into a common
  phrase (`LOOKALIKES`), it must be typed with its diacritics or stand behind "ngành";
- a name of one syllable ("Luật", "IT"), or one that is an everyday word by itself (`EVERYDAY`): only behind a
  cue ("sinh viên luật").
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from school.catalog import Catalog, Cohort
from vietnamese.retraction import Retraction
from vietnamese.syllables import is_syllable
from vietnamese.text import fold, lower_char

Entity = Literal["cohort", "major", "program", "course", "office", "document"]

LIKE_ENOUGH = 90.0
"""Similarity (0..100, letters only) from which a mistyped name is taken for the name."""

MOST_EDITS = 2
"""Letters of one word that may be wrong, missing, doubled or swapped."""

SHORTEST_MISTYPED = 3
"""Letters that a word must have for a typo in it: "tk" is not "tc"."""

SHORTEST_FUZZY = 9
"""Letters that a name must have to be recognised with a typo."""

LOOKALIKES = frozenset(
    {
        "bao chi", "co dien", "co khi", "dia chat", "dia ly", "dien anh", "dien tu", "dong y",
        "duoc", "duoc hoc", "han hoc", "hoa duoc", "hoa hoc", "luat hoc", "sinh hoc", "thu y", "tin hoc",
        "toan hoc", "van hoc", "y hoc", "y khoa",
    }
)  # fmt: skip
"""Names that read as something else without diacritics ("báo chí": "bao chi (phí)", "dược": "duoc" for "được")."""

EVERYDAY = frozenset(
    {
        "cong nghe", "dai hoc", "du lich", "giao duc", "kinh te", "lich su", "moi truong",
        "ngan hang", "ngoai ngu", "nong nghiep", "quan ly", "quan su", "sinh vien", "tai chinh", "tam ly",
        "the thao", "van hoa", "xay dung", "y te",
    }
)  # fmt: skip
"""Names that are spoken of without meaning the major, the programme or the course, diacritics or not."""

LANGUAGES = frozenset({"anh van", "tieng anh", "tieng han", "tieng nhat", "tieng phap", "tieng trung"})
"""Courses that are called what a certificate is about: only "môn tiếng Anh" is the course."""

_CUES: Mapping[Entity, str] = {
    "cohort": "khoa",
    "major": "nganh|chuyen nganh|nganh hoc|hoc nganh|hoc|khoa|sinh vien|sv|dan|lop|cu nhan|ky su|major in",
    "program": "he|chuong trinh|ct|lop|dien",
    "course": "mon|mon hoc|hoc phan|hp|mh|hoc|thi|rot|truot|no|qua|dau|dat|hoc lai|cai thien|diem|lop|thay|co|mien|di"
    "|dang ky|dk|rut|bo|tin chi|va|voi|vs|con|course|subject",
    "office": "phong|ban|khoa|trung tam|tt|van phong|vp|tram",
    "document": "van ban",
}
"""Words behind which a name is meant, folded."""

_SURE_CUES: Mapping[Entity, str] = {
    **_CUES,
    "major": "nganh|chuyen nganh",
    "course": "mon|mon hoc|hoc phan|hp|mh|hoc lai|rot|truot|no|mien hoc",
}
"""Words behind which even a name that says something else is meant."""

_SHORT_CUES: Mapping[Entity, str] = {
    **_CUES,
    "major": rf"{_CUES['major']}|tu|sang|qua|thanh|ben|em|minh|la|con|hay|k ?\d\d|clc|dai tra|bang (?:2|hai)"
    r"|nam (?:[1-6]|nhat|hai|ba|tu)",
}
"""Words behind which a name of one syllable is meant: "từ luật sang kế toán", "em luật k47"."""

_ALONE = r"(?:^|(?<=^da )|(?<=^vang ))(?P<{name}>{found})(?=\W*$| (?:a|ak|ad|nha|nhe|nam \w+|k ?\d\d|khoa \d+|clc)\b)"
"""A name that is a message by itself, or begins one that says who the student is: "luật k47"."""

NAME = "name"
"""The group of a pattern that is the name without its cue."""

_WORD = re.compile(r"[^\W_]+")
_EITHER_I = re.compile(r"(?:h|k|l|m|s|t|v|qu)[iy]")
"""Syllables that are spelled with either letter: "kỹ" and "kĩ", "lý" and "lí"."""

_TONES = str.maketrans("", "", "\u0300\u0301\u0303\u0309\u0323")


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """A way to write something of the catalogue.

    `pattern` is searched in folded text (`vietnamese.text.fold`: lower case, no diacritics, one character for one).
    When there is an `exact`, the same stretch of the unfolded text, in lower case, must match it from end to
    end as well: it rejects words with other diacritics. `needle` is a part of every match, to skip quickly.
    """

    pattern: str
    entity: Entity
    value: str
    needle: str
    exact: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """`text[start:end]` of a question names the `value` (a catalogue id) of an `entity`.

    A name that is understood only behind a cue is mentioned cue and all: "học luật" from `start`, "luật" from
    `name_start`.
    """

    start: int
    end: int
    entity: Entity
    value: str
    text: str
    name_start: int


def surface_forms(catalog: Catalog) -> list[SurfaceForm]:
    """Every way to write what is in the catalogue, as regular expressions in Python's syntax."""
    forms: list[SurfaceForm] = []
    for cohort in catalog.cohorts:
        forms += _cohort_forms(cohort)
    for major in catalog.majors:
        forms += named_forms("major", major.id, (major.name, major.name_en, *major.aliases))
        if major.code:
            code = re.escape(fold(major.code))
            forms.append(SurfaceForm(rf"\b{code}\b", "major", major.id, fold(major.code)))
    for program in catalog.programs:
        names = (program.name, program.short, program.name_en, *program.aliases)
        forms += named_forms("program", program.id, names)
    for course in catalog.courses:
        names = tuple(filter(None, (course.name, course.name_en, course.code, *course.aliases)))
        forms += named_forms("course", course.id, names)
    for office in catalog.offices:
        forms += named_forms("office", office.id, (office.name, office.name_en, *office.aliases))
    return list(dict.fromkeys(forms))


def fuzzy_names(catalog: Catalog) -> list[tuple[str, Entity, str]]:
    """The names that may be mistyped, folded, with what each stands for: those long enough to be no other word."""
    return [entry for names in _long_names(catalog).values() for entry in names]


def to_json(forms: Sequence[SurfaceForm]) -> str:
    """The forms as a JSON list of objects with the keys of `SurfaceForm`."""
    return json.dumps([asdict(form) for form in forms], ensure_ascii=False, indent=1)


class CatalogLinker:
    """Finds the mentions of a text. The longest wins, an exact one before a mistyped one; none overlap."""

    def __init__(self, catalog: Catalog) -> None:
        self._forms = [
            (form, re.compile(form.pattern), re.compile(form.exact) if form.exact else None)
            for form in surface_forms(catalog)
        ]
        self._retraction = Retraction.default()
        self._names = _long_names(catalog)
        self._squashed = list(self._names)
        self._most_words = max(
            (name.count(" ") + 1 for names in self._names.values() for name, *_ in names), default=0
        )

    def link(self, text: str) -> list[Mention]:
        """The mentions in `text`, in its order. `text` must be NFC (see `vietnamese.text.clean`)."""
        folded, lowered = fold(text), "".join(map(lower_char, text))
        chosen: list[Mention] = []
        exact = (
            Mention(
                found.start(),
                found.end(),
                form.entity,
                form.value,
                text[found.start() : found.end()],
                found.start(NAME) if NAME in pattern.groupindex else found.start(),
            )
            for form, pattern, spelling in self._forms
            if form.needle in folded
            for found in pattern.finditer(folded)
            if spelling is None or spelling.fullmatch(lowered, found.start(), found.end())
        )
        _choose(exact, chosen)
        _choose(self._mistyped(text, folded), chosen)
        return _apart(chosen)

    def given(self, text: str) -> list[Mention]:
        """The mentions in `text` that are neither denied nor taken back: of "không phải k47, k48 cơ" only K48."""
        return self._retraction.kept("".join(map(lower_char, text)), self.link(text))

    def _mistyped(self, text: str, folded: str) -> Iterator[Mention]:
        """Stretches that are a long name but for a letter or a blank."""
        if not self._squashed:
            return
        spans = [match.span() for match in _WORD.finditer(folded)]
        stretches = [
            (first, last)
            for first in range(len(spans))
            for last in range(first, min(first + self._most_words + 1, len(spans)))
            if spans[last][1] - spans[first][0] >= SHORTEST_FUZZY - 1
        ]
        if not stretches:
            return
        typed = ["".join(folded[a:b] for a, b in spans[first : last + 1]) for first, last in stretches]
        scores = process.cdist(typed, self._squashed, scorer=fuzz.ratio, score_cutoff=LIKE_ENOUGH)
        for row in scores.max(axis=1).nonzero()[0]:
            first, last = stretches[row]
            words = [folded[a:b] for a, b in spans[first : last + 1]]
            best = scores[row].max()
            readings = {
                (entity, value)
                for column in (scores[row] == best).nonzero()[0]
                for name, entity, value in self._names[self._squashed[column]]
                if _is_typo(words, name.split(" "))
            }
            if len(readings) == 1:
                entity, value = readings.pop()
                start, end = spans[first][0], spans[last][1]
                yield Mention(start, end, entity, value, text[start:end], start)


def _choose(found: Iterable[Mention], chosen: list[Mention]) -> None:
    """Adds to `chosen` what does not name the same words again, the longest first."""
    for mention in sorted(found, key=lambda mention: (mention.start - mention.end, mention.start)):
        if all(mention.end <= other.name_start or mention.name_start >= other.end for other in chosen):
            chosen.append(mention)


def _apart(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions in the order of the text; one whose cue is a name itself ("k48 luật") is without the cue."""
    apart: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: mention.name_start):
        cue_taken = bool(apart) and apart[-1].end > mention.start
        text = mention.text[mention.name_start - mention.start :]
        apart.append(replace(mention, start=mention.name_start, text=text) if cue_taken else mention)
    return apart


def _is_typo(typed: list[str], name: list[str]) -> bool:
    """Whether `typed` is a slip for `name` and not other words: a changed word that is a syllable is another.

    In a name of four words or more, one such syllable is forgiven one letter: "kỹ thuật phần mền".
    """
    if len(typed) != len(name):
        return "".join(typed) == "".join(name)
    changed = [(word, meant) for word, meant in zip(typed, name, strict=True) if word != meant]
    if any(
        len(meant) < SHORTEST_MISTYPED or OSA.distance(word, meant) > MOST_EDITS for word, meant in changed
    ):
        return False
    others = [(word, meant) for word, meant in changed if is_syllable(word)]
    return not others or (len(name) >= 4 and len(changed) == 1 and OSA.distance(*others[0]) == 1)


def _long_names(catalog: Catalog) -> dict[str, list[tuple[str, Entity, str]]]:
    """The names that may be mistyped, by their letters alone."""
    names: dict[str, list[tuple[str, Entity, str]]] = {}

    def add(entity: Entity, value: str, spellings: Iterable[str]) -> None:
        for spelling in spellings:
            words = _WORD.findall(fold(spelling))
            squashed = "".join(words)
            if len(squashed) >= SHORTEST_FUZZY:
                entry = (" ".join(words), entity, value)
                if entry not in names.setdefault(squashed, []):
                    names[squashed].append(entry)

    for major in catalog.majors:
        add("major", major.id, (major.name, major.name_en, *major.aliases))
    for program in catalog.programs:
        add("program", program.id, (program.name, program.short, program.name_en, *program.aliases))
    for course in catalog.courses:
        add("course", course.id, (course.name, course.name_en, *course.aliases))
    for office in catalog.offices:
        add("office", office.id, (office.name, office.name_en, *office.aliases))
    return names


def _cohort_forms(cohort: Cohort) -> Iterator[SurfaceForm]:
    number, year = re.escape(cohort.id), cohort.year
    # "k 48 tín chỉ" may be "không, 48 tín chỉ"; "k48" and "khóa 48" are nothing else.
    not_an_amount = r"(?! ?(?:(?:tin chi|tc|trieu|nghin|ngan|dong|diem)\b|%))"
    patterns = [
        (rf"\bk[.\-]?{number}\b", cohort.id),
        (rf"\bk {number}\b{not_an_amount}", cohort.id),
        (rf"\bkhoa ?(?:hoc |thu |tuyen sinh )?k? ?{number}\b", cohort.id),
        # "K47, 48" and "k47-49": the number alone stands beside another one.
        (
            rf"(?:(?<=\bk\d\d)|(?<=\bkhoa \d\d))(?:, ?|[-/&]| (?:(?:va|hay|hoac|voi) )?){number}\b"
            rf"(?=\W*$| (?:thi|khac|co|hoc(?! phan)|deu|giong|phai|nganh|dong)\b)",
            cohort.id,
        ),
        (rf"\b(?:cohort|batch) {number}\b", cohort.id),
    ]
    if year is not None:
        # "2021-2022" is a school year; "khóa 2021-2025" is when a cohort studies.
        no_school_year = r"(?! ?[-–/] ?20\d\d)"
        patterns += [
            (
                rf"\bkhoa (?:hoc |nam |tuyen sinh (?:nam )?|vao (?:nam )?)?{year}\b(?: ?[-–] ?20\d\d\b)?",
                str(year),
            ),
            (rf"\b(?:sv|sinh vien) (?:khoa )?(?:nam )?{year}\b{no_school_year}", str(year)),
            (
                rf"\b(?:(?:sv|sinh vien|em|minh) tuyen sinh|trung tuyen|nhap hoc|vao hoc|vao truong)"
                rf"(?: tu| vao)?(?: nam)? {year}\b"
                rf"{no_school_year}",
                str(year),
            ),
            (rf"\bk{year}\b", str(year)),
            (rf"\b(?:class of|intake|cohort|batch) {year}\b{no_school_year}", str(year)),
        ]
    for pattern, needle in patterns:
        yield SurfaceForm(pattern, "cohort", cohort.id, needle)
    own = [name for name in (cohort.name, *cohort.aliases) if not re.fullmatch(r"k(?:hoa)? ?\d+", fold(name))]
    yield from named_forms("cohort", cohort.id, own)


def named_forms(entity: Entity, value: str, names: Iterable[str]) -> Iterator[SurfaceForm]:
    """The forms of something by its `names`, each matched as freely as what it reads as without diacritics allows."""
    for name in dict.fromkeys(unicodedata.normalize("NFC", name).lower() for name in names):
        words = _WORD.findall(fold(name))
        if not words:
            continue
        needle = max(words, key=len)
        found = _over(name, _folded_word)
        spelled = _over(name, _spelled_word)
        phrase = " ".join(words)
        if _needs_cue(words):
            if phrase in LOOKALIKES:
                spelled = _over(name, _marked_word)
            short = len(words) == 1 and not name.isascii()
            cues = _SHORT_CUES if short else _SURE_CUES if phrase in LANGUAGES else _CUES
            if short and entity in ("major", "course"):
                alone = _ALONE.format(name=NAME, found=found)
                yield SurfaceForm(alone, entity, value, needle, spelled)
            yield _behind(cues[entity], found, spelled, SurfaceForm("", entity, value, needle))
        elif phrase in LOOKALIKES:
            yield SurfaceForm(rf"\b{found}\b", entity, value, needle, _over(name, _marked_word))
            yield _behind(_SURE_CUES[entity], found, spelled, SurfaceForm("", entity, value, needle))
        else:
            plain = len(words) > 2 or name.isascii()
            yield SurfaceForm(rf"\b{found}\b", entity, value, needle, None if plain else spelled)


def _needs_cue(words: list[str]) -> bool:
    return " ".join(words) in EVERYDAY | LANGUAGES or (len(words) == 1 and is_syllable(words[0]))


def _behind(cues: str, found: str, spelled: str, form: SurfaceForm) -> SurfaceForm:
    return SurfaceForm(
        rf"\b(?:{cues}) (?P<{NAME}>{found})\b", form.entity, form.value, form.needle, rf".+ {spelled}"
    )


def _over(name: str, word_pattern: Callable[[str], str]) -> str:
    """The pattern of a name: its words by `word_pattern`, its blanks and signs loosely."""
    parts: list[str] = []
    end = None
    for match in _WORD.finditer(name):
        if end is not None:
            parts.append(r"[ \-]" if name[end : match.start()] == " " else r"[ .,&/\-–]{0,3}")
        parts.append(word_pattern(match[0]))
        end = match.end()
    return "".join(parts)


def _folded_word(word: str) -> str:
    folded = fold(word)
    return f"{folded[:-1]}[iy]" if _EITHER_I.fullmatch(folded) else re.escape(folded)


def _spelled_word(word: str) -> str:
    """Each letter with its diacritics or without any."""
    return _by_letter(word, lambda letter: {letter, fold(letter)})


def _marked_word(word: str) -> str:
    """Each letter with its diacritics."""
    return _by_letter(word, lambda letter: {letter})


def _by_letter(word: str, allow: Callable[[str], set[str]]) -> str:
    """A word by what is allowed for each letter; a tone may stand over either vowel of "oa", "oe", "uy"."""
    letters = []
    for index, letter in enumerate(word):
        allowed = allow(letter)
        pair = {word[index - 1 : index + 1], word[index : index + 2]}
        if any(fold(two) in ("oa", "oe", "uy") for two in pair):
            allowed |= _toned(letter, word)
        letters.append(re.escape(letter) if len(allowed) == 1 else f"[{''.join(sorted(allowed))}]")
    if _EITHER_I.fullmatch(fold(word)):
        tone = {mark for mark in unicodedata.normalize("NFD", word) if unicodedata.combining(mark)}
        letters[-1] = (
            "[iy" + "".join(unicodedata.normalize("NFC", v + mark) for mark in tone for v in "iy") + "]"
        )
    return "".join(letters)


def _toned(letter: str, word: str) -> set[str]:
    """`letter` without its tone, and with the tone that stands somewhere in `word`."""
    bare = unicodedata.normalize("NFC", unicodedata.normalize("NFD", letter).translate(_TONES))
    tones = {mark for mark in unicodedata.normalize("NFD", word) if mark in "\u0300\u0301\u0303\u0309\u0323"}
    return {bare} | {unicodedata.normalize("NFC", bare + tone) for tone in tones}
