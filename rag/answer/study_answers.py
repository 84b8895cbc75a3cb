"""Help with studying, from materials word for word: reading lists, openings of chapters, exercises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag.answer.citation import cite
from rag.query.study_request import StudyKind
from rag.retrieve.course_materials import Chapter, CourseMaterial, place_in_material
from rag.types import Citation, Passage
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language
from vietnamese.text import words

MOST_WORDS = 320
"""The most words of exercises that an answer quotes, unless one passage has more."""


@dataclass(frozen=True, slots=True)
class StudyAnswer:
    """An answer with its citations.

    `sources` are the passages that a language model may write from: of the chapter that is asked about, else empty.
    """

    text: str
    citations: tuple[Citation, ...]
    sources: tuple[Passage, ...] = ()


def reading_answer(
    books: tuple[str, tuple[Citation, ...]] | None, material: CourseMaterial | None, language: Language
) -> StudyAnswer | None:
    """Return the reading list of a course: what the graph tells of its `books`, then its material's own list.

    None when there is neither.
    """
    parts = [books[0]] if books is not None else []
    citations = list(books[1]) if books is not None else []
    lists = material.reading if material is not None else ()
    if lists:
        said = study_texts(language)["books_of"]
        parts.append(said.format(title=lists[0].title, place=place_in_material(lists[0])))
        parts += [passage.text for passage in lists]
        citations += _cited(lists)
    return StudyAnswer("\n\n".join(parts), tuple(citations)) if parts else None


def summary_answer(course: str, chapter: Chapter, language: Language) -> StudyAnswer:
    """Return the headings of a chapter and its first passage, said to be no summary."""
    said = study_texts(language)
    within = list(dict.fromkeys(p.context[-1] for p in chapter.text if p.context[-1] != chapter.heading))
    parts = [said["no_summary"].format(chapter=chapter.heading, course=course)]
    if within:
        parts.append(_listed(within))
    opening = chapter.text[:1]
    parts += [f"{said['opening']}\n\n{_quoted(passage.text)}" for passage in opening]
    return StudyAnswer("\n\n".join(parts), tuple(_cited(opening)), chapter.text)


def exercises_answer(course: str, chapters: Sequence[Chapter], language: Language) -> StudyAnswer:
    """Return the exercises of chapters, as many as fit; a model may write further ones for a single chapter."""
    said = study_texts(language)
    parts, shown, room = [], list[Passage](), MOST_WORDS
    is_whole = True
    for chapter in chapters:
        taken = []
        for passage in chapter.exercises:
            size = len(words(passage.text))
            if shown and size > room:
                is_whole = False
                break
            room -= size
            taken.append(passage)
            shown.append(passage)
        if taken:
            parts.append(said["exercises"].format(chapter=chapter.heading, course=course))
            parts += [_lines(passage.text) for passage in taken]
    sources = chapters[0].text if len(chapters) == 1 else ()
    if not shown:
        headings = ", ".join(chapter.heading for chapter in chapters)
        parts.append(said["no_exercises"].format(chapter=headings, course=course))
    if not is_whole:
        parts.append(said["more"])
    return StudyAnswer("\n\n".join(parts), tuple(_cited(shown or sources[:1])), sources)


def chapters_answer(
    course: str, material: CourseMaterial, kind: StudyKind, missing: int, language: Language
) -> StudyAnswer:
    """Return the chapters of a material; `missing` is the number of one that it has not, 0 for none."""
    said = study_texts(language)
    example = _example(kind, course, material, said)
    text = said["no_chapter" if missing else "which_chapter"].format(
        course=course, number=missing, example=example
    )
    listed = _listed(chapter.heading for chapter in material.chapters)
    return StudyAnswer(f"{text}\n\n{listed}", (cite(material.first),))


def courses_answer(
    courses: Sequence[tuple[str, CourseMaterial]], kind: StudyKind, language: Language
) -> StudyAnswer:
    """Return the courses that have materials, by name."""
    said = study_texts(language)
    name, material = courses[0]
    text = said["which_course"].format(example=_example(kind, name, material, said))
    listed = _listed(f"{name} ({each.first.course})" for name, each in courses)
    return StudyAnswer(f"{text}\n\n{listed}", tuple(cite(each.first) for _, each in courses))


def whole_request(kind: StudyKind, course: str, chapter: int) -> str:
    """Return a request in full, as a student would write it; `course` may be empty, `chapter` 0."""
    said: Mapping[str, str] = study_texts("vi")["whole"]
    of_chapter = said["chapter"].format(number=chapter) if chapter else ""
    of_course = said["course"].format(course=course) if course else ""
    return " ".join(filter(None, (said[kind], of_chapter, of_course)))


def study_texts(language: Language) -> Mapping[str, Any]:
    """Return what is said around materials (`study_answers.yml`)."""
    texts: Mapping[str, Any] = yaml_beside(__file__, "study_answers.yml")[language]
    return texts


def cite_in_material(passage: Passage) -> Citation:
    """Return the citation of a passage, its place with the chapter."""
    return cite(passage, locator=place_in_material(passage))


def _cited(passages: Iterable[Passage]) -> list[Citation]:
    return [cite_in_material(passage) for passage in passages]


def _example(kind: StudyKind, course: str, material: CourseMaterial, said: Mapping[str, Any]) -> str:
    number = material.chapters[0].number if material.chapters else 1
    text: str = said["examples"][kind].format(number=number, course=course)
    return text


def _listed(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


def _lines(text: str) -> str:
    """Return a text of several lines as Markdown that keeps them apart."""
    return "\n\n".join(text.split("\n"))
