"""Masking of what is personal before a text is sent to a model, and its return in the model's reply.

Masked are the values of the student's profile that the text names, names of people, student and identity numbers, phone
numbers, addresses of e-mail and dates of birth. `[khóa]` stands for a masked value; in the reply it is put back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from school.catalog import Catalog
from school.dimensions import Profile
from school.entity_linker import Mention
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language
from vietnamese.text import fold, fold_with_offsets

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.])(?:\+?84|0)(?:[ .-]?\d){8,10}(?!\d)")
_ID = re.compile(r"(?<![\w.,])(?:[A-Za-z]{1,3}\d{5,10}|\d{7,12})(?![\w])(?!\s*(?:đồng|đ\b|vnd|vnđ))")
_ID_CUE = re.compile(
    r"(?:mssv|msv|mã số sinh viên|mã sinh viên|ma so sinh vien|cccd|cmnd|student id)"
    r"\W{0,4}(?:là\s+|is\s+)?([\w-]{4,15})",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    r"(?:sinh ngày|ngày sinh|sinh năm|born on|born in)\W{0,3}(\d[\d/.-]{2,9}\d)", re.IGNORECASE
)
_CAPITAL = f"[{''.join(char for char in map(chr, range(0x41, 0x1EFA)) if char.isupper())}][^\\W\\d_]*"
_MOST_SYLLABLES = 5


@dataclass(frozen=True, slots=True)
class Masked:
    """A masked text, and the masked words by their placeholders."""

    text: str
    values: Mapping[str, str]

    def unmasked(self, reply: str) -> str:
        """Return a model's reply with the masked words in the places of their placeholders."""
        for placeholder, value in self.values.items():
            reply = reply.replace(placeholder, value)
        return reply


def masked(
    text: str,
    mentions: Iterable[Mention],
    profile: Profile,
    catalog: Catalog,
    language: Language = "vi",
) -> Masked:
    """Return `text` without what is personal. `mentions` are those of `text` (`Wording.link`)."""
    called: Mapping[str, str] = yaml_beside(__file__, "masking.yml")[language]
    spans = [
        *((m.start(), m.end(), called["email"]) for m in EMAIL.finditer(text)),
        *((m.start(1), m.end(1), called["id"]) for m in _ID_CUE.finditer(text)),
        *((m.start(1), m.end(1), called["birth"]) for m in _BIRTH.finditer(text)),
        *((m.start(), m.end(), called["phone"]) for m in _PHONE.finditer(text)),
        *((m.start(), m.end(), called["id"]) for m in _ID.finditer(text)),
        *((start, end, called["name"]) for start, end in _names(text)),
        *_profile_values(mentions, profile, catalog, language),
    ]
    return _replaced(text, spans)


def _profile_values(
    mentions: Iterable[Mention], profile: Profile, catalog: Catalog, language: Language
) -> Iterator[tuple[int, int, str]]:
    for mention in mentions:
        spec = catalog.dimension(mention.entity)
        if spec is not None and profile.get(mention.entity) == mention.value:
            yield mention.name_start, mention.end, spec.called(language)


def _replaced(text: str, spans: Sequence[tuple[int, int, str]]) -> Masked:
    pieces: list[str] = []
    values: dict[str, str] = {}
    counts: dict[str, int] = {}
    done = 0
    # Of overlapping spans, the one that begins first, and of those the longest.
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < done:
            continue
        value = text[start:end]
        placeholder = next(
            (p for p, known in values.items() if known == value and p.startswith(f"[{kind}")), ""
        )
        if not placeholder:
            counts[kind] = counts.get(kind, 0) + 1
            placeholder = f"[{kind}]" if counts[kind] == 1 else f"[{kind} {counts[kind]}]"
            values[placeholder] = value
        pieces += [text[done:start], placeholder]
        done = end
    return Masked("".join([*pieces, text[done:]]), values)


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of people's names: written with capitals, or behind "em tên là"."""
    written, introduced = _patterns()
    for found in written.finditer(text):
        yield found.start(), found.end()
    folded = fold_with_offsets(text)
    for found in introduced.finditer(folded.folded):
        start, end = found.span("any" if found["any"] else "family")
        start += 1  # the blank
        yield folded.starts[start], folded.ends[end - 1]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of names with capitals, and of introduced names in folded text."""
    data: Mapping[str, Any] = yaml_beside(__file__, "masking.yml")
    surnames = {form.capitalize() for name in data["surnames"] for form in (name, fold(name))}
    others = rf"(?:\s+{_CAPITAL}){{1,{_MOST_SYLLABLES - 1}}}"
    stop = _any_of(fold(word) for word in data["behind_a_name"])
    more = rf"(?:\s+(?!{stop}\b)[a-z]+)"
    surname = _any_of(fold(name) for name in data["surnames"])
    named, cued = (_any_of(map(fold, data[key])) for key in ("names", "introductions"))
    introduced = rf"(?<!\w)(?:{named}\s*:?(?P<any>{more}{{1,4}})|{cued}(?P<family>\s+{surname}{more}{{1,3}}))"
    return re.compile(rf"(?<!\w){_any_of(surnames)}{others}"), re.compile(introduced)


def _any_of(phrases: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted({re.escape(phrase) for phrase in phrases}, key=len, reverse=True))})"
