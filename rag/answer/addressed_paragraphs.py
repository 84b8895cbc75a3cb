"""Paragraphs of a curated answer that address some students: "Nếu bạn học hệ vừa làm vừa học: bạn không thuộc diện …".

Such a paragraph holds in place of the others for the students it names, so that a student whose programme is known gets
either this one or the others. With a word of addition before it ("Ngoài ra, nếu bạn học …") it holds besides them. Who
has not said theirs gets all. The words stand in `addressed_paragraphs.yml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from school.dimensions import Profile
from school.entity_linker import Mention
from vietnamese.data_files import yaml_beside
from vietnamese.text import without_places

Link = Callable[[str], Sequence[Mention]]
"""Returns the names in a text."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph with the students that it addresses, none for everybody, and whether it holds besides the others."""

    text: str
    dimension: str = ""
    values: frozenset[str] = frozenset()
    is_addition: bool = False


def for_student(answer: str, profile: Profile, link: Link) -> tuple[str, tuple[str, ...]]:
    """Return the paragraphs of `answer` that hold for a student, and the dimensions of the profile that chose them."""
    paragraphs = [_read(text, link) for text in answer.split("\n\n")]
    known = [each for each in paragraphs if profile.get(each.dimension) is not None]
    if not known:
        return answer, ()
    theirs = [each for each in known if profile.get(each.dimension) in each.values]
    instead = [each for each in theirs if not each.is_addition]
    held = instead or [each for each in paragraphs if each not in known or each in theirs]
    return "\n\n".join(each.text for each in held), tuple(dict.fromkeys(each.dimension for each in known))


def _read(text: str, link: Link) -> _Paragraph:
    if (match := _lead().match(text)) is None:
        return _Paragraph(text)
    named = link(match["whom"])
    dimensions = {mention.entity for mention in named}
    rest = without_places(match["whom"], [(mention.start, mention.end) for mention in named])
    if len(dimensions) != 1 or any(map(str.isalnum, rest)):
        return _Paragraph(text)
    values = frozenset(mention.value for mention in named)
    return _Paragraph(text, dimensions.pop(), values, is_addition=bool(match["besides"]))


@lru_cache(maxsize=1)
def _lead() -> re.Pattern[str]:
    said = yaml_beside(__file__, "addressed_paragraphs.yml")
    besides, leads = ("|".join(map(re.escape, said[key])) for key in ("besides", "leads"))
    return re.compile(
        rf"(?P<besides>(?:{besides}),?\s+)?(?:{leads})\s+(?P<whom>[^:.\n]{{2,80}}):\s", re.IGNORECASE
    )
