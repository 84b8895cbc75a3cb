"""Several questions in one message: "học phí bao nhiêu, còn ký túc xá thì đăng ký khi nào".

A question torn in two is worse than two answered as one, so a message is cut only where a whole question ends and
another one begins. Each part becomes self-contained: it takes over the subject and the profile values it relies on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from school.entity_linker import Mention
from vietnamese.data_files import yaml_beside
from vietnamese.letters import is_numbering, without_numbering
from vietnamese.text import without_places

MOST_PARTS = 6
_FEWEST_WORDS = 2
_SHORT = 4
"""So few words that begin with one that asks are a whole question: "bao lâu có", "mấy ngày xong"."""

_UNIT = 3
"""Words that may stand behind "mấy": "mấy tín chỉ"."""

_SENTENCE = re.compile(r"(?:[^?!.;\n]|[.](?!\s|$))+(?:[?!;\n]|[.](?=\s|$))*\s*")
_BOUNDARY = re.compile(
    r"\s*,\s*|\s+(?=(?:còn|với lại|ngoài ra|tiện thể)\s)|\s+(?=(?:và|với)\s)|\s+(?=cho (?:em|mình) hỏi)"
)
_WORD = re.compile(r"[^\W_]+")

_PHRASES = ("ends", "counts", "requests", "reasons", "asks", "conditions", "leads", "subjects")
"""The lists of the file whose entries may have several words; those of the others have one."""


@dataclass(frozen=True, slots=True)
class _Wording:
    ends: tuple[tuple[str, ...], ...]
    ends_yes_no: frozenset[str]
    yes_no: frozenset[str]
    choice: frozenset[str]
    requests: tuple[tuple[str, ...], ...]
    reasons: tuple[tuple[str, ...], ...]
    english: frozenset[str]
    english_words: frozenset[str]
    counts: tuple[tuple[str, ...], ...]
    asks: tuple[tuple[str, ...], ...]
    never_first: frozenset[str]
    conditions: tuple[tuple[str, ...], ...]
    leads: tuple[tuple[str, ...], ...]
    small: frozenset[str]
    dependent: frozenset[str]
    subjects: tuple[tuple[str, ...], ...]
    units: frozenset[str]


@lru_cache(maxsize=1)
def _wording() -> _Wording:
    lists = yaml_beside(__file__, "question_splitting.yml")
    known: dict[str, Any] = {name: frozenset(listed) for name, listed in lists.items()}
    for name in _PHRASES:
        # The longest first: "ở đâu" is taken out whole.
        known[name] = tuple(sorted((tuple(phrase.split()) for phrase in lists[name]), key=len, reverse=True))
    return _Wording(**known)


def split_questions(
    text: str, mentions: Callable[[str], Sequence[Mention]] = lambda _: (), message: str = ""
) -> tuple[str, ...]:
    """Return the questions of `text` in order; `text` alone when it has fewer than two or more than `MOST_PARTS`.

    `text` is in everyday spelling with its diacritics (`Wording.spelled`). `mentions` finds the profile values of a
    text. `message` is the whole message, whose values hold for every question. A statement between questions stays
    with the question that follows it.
    """
    sentences = (sentence.strip() for sentence in _SENTENCE.findall(text))
    unnumbered = [without_numbering(sentence) for sentence in sentences if not is_numbering(sentence)]
    questions = _with_context([piece for sentence in unnumbered for piece in _cut(sentence)])
    if not 1 < len(questions) <= MOST_PARTS:
        return (text,)
    parts = [questions[0]]
    # Two questions in a row that lean on a third share its subject.
    about = questions[0]
    for question in questions[1:]:
        said = _without_lead(question)
        part = _self_contained(said, about, mentions)
        if part == said:
            about = said
        parts.append(part)
    return tuple(_with_profile(parts, message or text, mentions))


def _cut(sentence: str) -> list[str]:
    """Cut a sentence at each place where one question ends and another begins."""
    pieces: list[str] = []
    begin = 0
    for boundary in _BOUNDARY.finditer(sentence):
        left, right = sentence[begin : boundary.start()], sentence[boundary.end() :]
        if _is_whole(left) and _begins_another(right):
            pieces.append(left)
            begin = boundary.end()
    return [*pieces, sentence[begin:]]


def _with_context(pieces: Sequence[str]) -> list[str]:
    """Return the questions, each with the statements before it; trailing statements belong to the last question."""
    questions: list[str] = []
    told: list[str] = []
    for piece in pieces:
        told.append(piece)
        # "... do PGS. Nguyễn ... phụ trách?": a question may go on behind a dot.
        if _asks_first(piece) and (piece.endswith("?") or piece is pieces[-1] or _is_whole(piece)):
            question = " ".join(told)
            told = []
            if questions and _goes_on(question):
                questions[-1] = f"{questions[-1]} {question}"
            else:
                questions.append(question)
    if told and questions:
        questions[-1] = " ".join((questions[-1], *told))
    return questions


def _is_whole(question: str) -> bool:
    """Return whether a question ends complete: with a word that asks, or a count and its unit."""
    known, words = _wording(), _words(_without_lead(question))
    if any(_starts(words, condition) for condition in known.conditions):
        # "Nếu được hoãn thì bao giờ thi lại" has its question behind "thì".
        words = words[words.index(_THEN) + 1 :] if _THEN in words else []
        return any(_starts(words, way) for way in known.asks) or (bool(words) and _is_whole(" ".join(words)))
    is_reason = any(_starts(words, reason) for reason in known.reasons)
    is_polite = bool(words) and words[-1] in _POLITE
    while words and words[-1] in _POLITE:
        words.pop()
    if len(words) < _FEWEST_WORDS:
        return False
    if is_reason and is_polite:
        return True
    is_short = len(words) <= _SHORT and any(_starts(words, way) for way in known.asks)
    if is_short or _asks_by_its_form(words):
        return True
    if words[-1] in known.ends_yes_no:
        return not known.yes_no.isdisjoint(words[:-1])
    return any(tuple(words[-len(end) :]) == end for end in known.ends) or any(
        _starts(words[place:], count)
        for count in known.counts
        for place in range(max(1, len(words) - len(count) - _UNIT), len(words))
    )


def _is_choice(words: Sequence[str]) -> bool:
    """Return whether a question is whole with two choices: "thi lại được không hay học lại", "là A hay B"."""
    known = _wording()
    place = next((place for place, word in enumerate(words) if word in known.choice), 0)
    before = words[:place]
    return place < len(words) - 1 and (_IS in before or not known.ends_yes_no.isdisjoint(before[-1:]))


def _asks_by_its_form(words: Sequence[str]) -> bool:
    """Return whether words are a question without a Vietnamese word that asks: a choice, a request, one in English."""
    is_request = any(_starts(words, request) for request in _wording().requests)
    return is_request or _is_choice(words) or _is_asked_in_english(words)


def _is_asked_in_english(words: Sequence[str]) -> bool:
    known = _wording()
    return bool(words) and words[0] in known.english and not known.english_words.isdisjoint(words[1:])


def _begins_another(text: str) -> bool:
    rest = _without_lead(text).rstrip("? ")
    return not _leans_on(_words(rest)) and _asks_first(rest)


def _asks_first(text: str) -> bool:
    """Return whether a text asks, or begins with a clause that does: "gia hạn được không, cuối tháng em có lương"."""
    return _asks(text) or _asks(text.partition(",")[0])


def _goes_on(question: str) -> bool:
    """Return whether a question leans on the one before: "và nếu có thì sao"."""
    return _leans_on(_words(_without_lead(question)))


def _leans_on(words: Sequence[str]) -> bool:
    if len(words) < _FEWEST_WORDS:
        return True
    return words[0] in _wording().never_first and not _is_asked_in_english(words)


def _asks(text: str) -> bool:
    known, words = _wording(), _words(text)
    if any(_starts(words[place:], way) for way in known.asks for place in range(len(words))):
        return True
    if _asks_by_its_form(words):
        return True
    while words and words[-1] in _POLITE:
        words.pop()
    yes_no = bool(words) and words[-1] in known.ends_yes_no and not known.yes_no.isdisjoint(words[:-1])
    return yes_no or text.rstrip().endswith("?")


def _self_contained(part: str, before: str, mentions: Callable[[str], Sequence[Mention]]) -> str:
    """Return `part`, with the subject of the question `before` it when it has none of its own."""
    known = _wording()
    named = mentions(part)
    rest = without_places(part, ((mention.start, mention.end) for mention in named))
    content = [word for word in _words(rest) if word not in known.small and not word.isdigit()]
    if named and content in ([], _BARE_THEN):
        return _asked_for(named, before, mentions)
    subject = _subject(before)
    if any(_starts(_words(before), way) for way in known.asks) and _is_dependent(_words(subject)):
        subject = ""  # "ai được nhận" is itself about what was asked before
    said_again = len(content) > 1 and tuple(content[:2]) in list(pairwise(_words(subject)))
    stands_alone = any(subject in list(pairwise(_words(part))) for subject in known.subjects)
    if _is_dependent(content) and not said_again and not stands_alone:
        return f"{subject} {part}".strip()
    return part


def _is_dependent(words: Sequence[str]) -> bool:
    """Return whether all words must be of something that others name."""
    return all(word in _wording().dependent or word in _wording().small for word in words)


def _asked_for(named: Sequence[Mention], before: str, mentions: Callable[[str], Sequence[Mention]]) -> str:
    """Return the question `before` with other profile values: "còn k49 thì sao"."""
    said = before
    for mention in named:
        old = next((other for other in mentions(said) if other.entity == mention.entity), None)
        start, end = (old.start, old.end) if old else (0, 0)
        said = f"{said[:start]}{mention.text}{'' if old else ' '}{said[end:]}"
    return said


def _subject(question: str) -> str:
    """Return the subject of a question: its last sentence without the words that ask."""
    known = _wording()
    words = [match[0] for match in _WORD.finditer(_without_lead(_SENTENCE.findall(question)[-1]))]
    if _is_choice(words) and _IS in words:
        words = words[: words.index(_IS)]
    kept: list[str] = []
    place = 0
    while place < len(words):
        rest = [word.lower() for word in words[place:]]
        asking = next((way for way in known.asks if _starts(rest, way)), ())
        if not asking and rest[0] not in _POLITE:
            kept.append(words[place])
        place += len(asking) or 1
        # The unit that a question asks for is no part of its subject: "thi ngày nào".
        if asking == _WHICH and kept and kept[-1].lower() in known.units:
            kept.pop()
    while kept and kept[-1].lower() in known.small:
        kept.pop()
    return " ".join(kept)


def _with_profile(parts: Sequence[str], text: str, mentions: Callable[[str], Sequence[Mention]]) -> list[str]:
    """Return each part with the profile values of the message, for dimensions of which it names one value."""
    said: dict[str, dict[str, str]] = {}
    for mention in mentions(text):
        said.setdefault(mention.entity, {}).setdefault(mention.value, mention.text)
    common = {
        dimension: next(iter(values.values())) for dimension, values in said.items() if len(values) == 1
    }
    complete = []
    for part in parts:
        own = {mention.entity for mention in mentions(part)}
        missing = [name for dimension, name in common.items() if dimension not in own]
        complete.append(f"{', '.join(missing)}: {part}" if missing else part)
    return complete


def _without_lead(text: str) -> str:
    """Return `text` without "còn", "và", "cho em hỏi thêm" at its beginning."""
    spans = [match.span() for match in _WORD.finditer(text)]
    words = [text[start:end].lower() for start, end in spans]
    first = 0
    while lead := next((lead for lead in _wording().leads if _starts(words[first:], lead)), ()):
        first += len(lead)
    return text[spans[first][0] :] if first < len(spans) else text


_WHICH = ("nào",)
_THEN, _IS = "thì", "là"

_BARE_THEN = ["thi"]
"""The content of "k49 thi sao", typed without diacritics."""

_POLITE = frozenset(["ạ", "ad", "em", "vậy", "thế", "nhỉ", "nhé", "nha", "ha", "hả", "luôn", "á", "đó", "dạ"])


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(text)]


def _starts(words: Sequence[str], phrase: Sequence[str]) -> bool:
    return bool(phrase) and tuple(words[: len(phrase)]) == tuple(phrase)
