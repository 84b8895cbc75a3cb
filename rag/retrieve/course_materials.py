"""The study materials of courses: passages of documents with a `course`, by chapters, exercises and reading lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag.query.study_request import bare, heading_of, number_of
from rag.types import Passage


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its heading as it stands, the passages of its text, and those of its exercises."""

    number: int
    heading: str
    text: tuple[Passage, ...]
    exercises: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class CourseMaterial:
    """The material of a course, in the order in which it is written; `first` is its first passage."""

    first: Passage
    chapters: tuple[Chapter, ...]
    reading: tuple[Passage, ...]

    def chapter(self, number: int) -> Chapter | None:
        """Return the chapter of a number; None when there is none."""
        return next((each for each in self.chapters if each.number == number), None)


def materials_by_course(passages: Iterable[Passage]) -> Mapping[str, Sequence[Passage]]:
    """Return the passages of study materials by the code of their course."""
    found: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.course:
            found.setdefault(passage.course, []).append(passage)
    return found


def course_material(passages: Sequence[Passage]) -> CourseMaterial | None:
    """Return the material that `passages` of one course make; None without any."""
    if not passages:
        return None
    headings: dict[int, str] = {}
    texts: dict[int, list[Passage]] = {}
    exercises: dict[int, list[Passage]] = {}
    reading = []
    for passage in passages:
        number, heading = _chapter_of(passage)
        innermost = bare(passage.context[-1]) if passage.context else ""
        if heading_of("reading").match(innermost):
            reading.append(passage)
        elif number:
            headings.setdefault(number, heading)
            has_exercises = heading_of("exercises").match(innermost)
            (exercises if has_exercises else texts).setdefault(number, []).append(passage)
    chapters = tuple(
        Chapter(number, headings[number], tuple(texts.get(number, ())), tuple(exercises.get(number, ())))
        for number in sorted(headings)
    )
    return CourseMaterial(passages[0], chapters, tuple(reading))


def place_in_material(passage: Passage) -> str:
    """Return the place of a passage as its headings say it, from its chapter on: "Chương 2. Cây, Bài tập"."""
    start = next(
        (at for at, each in enumerate(passage.context) if heading_of("chapter").match(bare(each))), -1
    )
    return ", ".join(passage.context[start:]) or passage.locator


def _chapter_of(passage: Passage) -> tuple[int, str]:
    """Return number and heading of the chapter of a passage; (0, "") when it stands in none."""
    for heading in reversed(passage.context):
        if named := heading_of("chapter").match(bare(heading)):
            return number_of(named["number"]), heading
    return 0, ""
