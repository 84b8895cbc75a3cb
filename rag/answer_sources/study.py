"""The answer source of study materials: reading lists, chapters and exercises of a course, word for word."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import date

from rag.answer.study_answers import (
    StudyAnswer,
    chapters_answer,
    courses_answer,
    exercises_answer,
    reading_answer,
    summary_answer,
    whole_request,
)
from rag.answer_sources.graph import graph_answers
from rag.answer_sources.source import SAID, STUDY_ID, Found, Lookup, ReadyAnswer, ReadySource, Resources
from rag.graph.types import Node, node_id
from rag.pipeline import SourceRule
from rag.query.study_request import StudyKind, StudyRequest, study_request, title_words
from rag.retrieve.course_materials import CourseMaterial, course_material, materials_by_course
from rag.retrieve.entity_lookup import Link, words_of
from rag.retrieve.graph import GraphRetriever
from rag.types import STUDY_SOURCE, Candidate, Citation, Matter
from vietnamese.language_detection import Language

logger = logging.getLogger(__name__)

STUDY = "study"
"""The key of a candidate's `meta` with a `StudyTask`."""


@dataclass(frozen=True, slots=True)
class StudyTask:
    """A request for help with studying: its kind, and its answer word for word."""

    kind: StudyKind
    answer: StudyAnswer


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request with its course, completed from the conversation; `course` is None when none is named."""

    kind: StudyKind
    course: Node | None
    chapter: int
    probability: float
    question: str


@dataclass(frozen=True, slots=True)
class _Earlier:
    """An answered request: the code of its course (empty: none) and its chapter (0: none)."""

    kind: StudyKind
    course: str
    chapter: int


class StudySource(ReadySource):
    """Answers from documents that have a `course`, and from the books of the graph. Without a graph it finds nothing.

    The graph knows the courses by their names.
    """

    name = STUDY_SOURCE

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        super().__init__(rule, resources)
        self._retriever = resources.graph()
        self._answers = graph_answers(resources.index, resources.curated)
        self._passages = materials_by_course(resources.index.materials)

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        del count  # a message means one thing, or none
        if self._retriever is None or lookup.is_behind:
            return Found(())
        try:
            asked = self._asked(self._retriever, lookup)
            return Found(()) if asked is None else self._found(self._retriever, asked, lookup)
        except Exception:
            # Whatever is wrong with a graph, the other sources answer; the log tells the operator.
            logger.exception("The study materials have failed, answers go on without them")
            return Found(())

    def _found(self, retriever: GraphRetriever, asked: _Asked, lookup: Lookup) -> Found:
        language: Language = "en" if lookup.said.is_english else "vi"
        answer = self._answer(retriever, asked, lookup, language)
        if answer is None:
            return Found(())
        code = _code(asked.course) if asked.course is not None else ""
        item = ReadyAnswer(f"{STUDY_ID}{asked.kind}:{code}:{asked.chapter or ''}", asked.question)
        meta = {SAID: (answer.text, answer.citations), STUDY: StudyTask(asked.kind, answer)}
        scores = {"similarity": asked.probability}
        return Found((Candidate(self.name, item, asked.probability, scores, meta),))

    def _answer(
        self, retriever: GraphRetriever, asked: _Asked, lookup: Lookup, language: Language
    ) -> StudyAnswer | None:
        if asked.course is None:
            courses = self._courses(retriever, lookup)
            return courses_answer(courses, asked.kind, language) if courses else None
        material = self._material(_code(asked.course), lookup)
        if asked.kind is StudyKind.READING:
            return reading_answer(
                self._books(retriever, asked.course, lookup.today, language), material, language
            )
        if material is None or not material.chapters:
            return None
        name, chapter = asked.course.name, material.chapter(asked.chapter)
        if chapter is None and (asked.chapter or asked.kind is StudyKind.SUMMARY):
            return chapters_answer(name, material, asked.kind, asked.chapter, language)
        if asked.kind is StudyKind.SUMMARY and chapter is not None and chapter.text:
            return summary_answer(name, chapter, language)
        return exercises_answer(name, material.chapters if chapter is None else (chapter,), language)

    def _asked(self, retriever: GraphRetriever, lookup: Lookup) -> _Asked | None:
        """Return the likeliest request of the wordings of a message; None when it asks for no help with studying."""
        before = next(iter(lookup.history), None)
        texts = dict.fromkeys((lookup.said.normalized, lookup.said.text))
        found = [each for text in texts if (each := self._read(retriever, text, before, lookup)) is not None]
        return max(found, key=lambda asked: asked.probability, default=None)

    def _read(
        self, retriever: GraphRetriever, text: str, before: Matter | None, lookup: Lookup
    ) -> _Asked | None:
        said = words_of(text)
        links = retriever.links(said, "Course")
        link = links[0] if links else None
        course = self._course_of(retriever, link)
        if len(links) > 1 or (link is not None and course is None):
            return None
        request = study_request(said, link, (course.name, *course.names) if course is not None else ())
        request = self._with_chapter(request, course, lookup)
        score = link.score if link is not None else 1.0
        earlier = _earlier(before)
        if earlier is not None and (request.kind is None or course is None):
            return self._continued(retriever, request, course, score, earlier, lookup)
        if request.kind is None or (course is None and not _asks_for_a_course(request, lookup)):
            return None
        return _Asked(request.kind, course, request.chapter, request.probability(score), text)

    def _continued(
        self,
        retriever: GraphRetriever,
        request: StudyRequest,
        course: Node | None,
        score: float,
        earlier: _Earlier,
        lookup: Lookup,
    ) -> _Asked | None:
        """Return a request that goes on with the one before: of another chapter, another course, or for another help.

        A message that names none of the three does not go on.
        """
        if request.kind is None and course is None and not request.chapter:
            return None
        kind, chapter = request.kind or earlier.kind, request.chapter
        if kind is StudyKind.READING and chapter:
            return None
        if course is None and earlier.course:
            course = retriever.node(node_id("Course", earlier.course))
            request = self._with_chapter(request, course, lookup)
            chapter = 0 if kind is StudyKind.READING else request.chapter or earlier.chapter
        elif not earlier.course:
            chapter = chapter or earlier.chapter
        question = whole_request(kind, course.name if course is not None else "", chapter)
        return _Asked(kind, course, chapter, request.probability(score), question)

    def _course_of(self, retriever: GraphRetriever, link: Link | None) -> Node | None:
        """Return the course of a link; of several, the only one with a material."""
        if link is None:
            return None
        nodes = [node for each in link.nodes if (node := retriever.node(each)) is not None]
        with_material = [node for node in nodes if _code(node) in self._passages]
        if len(with_material) == 1:
            return with_material[0]
        return nodes[0] if len(nodes) == 1 else None

    def _with_chapter(self, request: StudyRequest, course: Node | None, lookup: Lookup) -> StudyRequest:
        """Return a request with the chapter of the course whose title it has."""
        material = self._material(_code(course), lookup) if course is not None else None
        for chapter in material.chapters if material is not None else ():
            title = title_words(chapter.heading)
            if title and title <= request.said and request.chapter in (0, chapter.number):
                return request.with_chapter(chapter.number, title)
        return request

    def _material(self, code: str, lookup: Lookup) -> CourseMaterial | None:
        """Return the material of a course that holds for this student today."""
        return course_material([p for p in self._passages.get(code, ()) if self._admits(lookup, p)])

    def _courses(self, retriever: GraphRetriever, lookup: Lookup) -> list[tuple[str, CourseMaterial]]:
        """Return the names of the courses with materials that hold for this student today."""
        found = []
        for passages in self._passages.values():
            material = self._material(passages[0].course, lookup)
            node = retriever.node(node_id("Course", passages[0].course))
            if material is not None and material.chapters and node is not None:
                found.append((node.name, material))
        return found

    def _books(
        self, retriever: GraphRetriever, course: Node, today: date, language: Language
    ) -> tuple[str, tuple[Citation, ...]] | None:
        """Return what the graph tells of the books of a course and their chapters; None when it knows none."""
        books = retriever.told("course_books", course, today)
        if books is None:
            return None
        rows = books.rows[course.id]
        chapters = (retriever.told("book_chapters", row.node, today) for row in rows)
        findings = [books, *(each for each in chapters if each is not None)]
        return self._answers.say(findings, language), self._answers.citations(findings)


def _code(course: Node) -> str:
    return str(course.properties.get("code") or course.id.partition(":")[2])


def _asks_for_a_course(request: StudyRequest, lookup: Lookup) -> bool:
    """Return whether a request without a course begins a conversation, so that it is asked which course is meant.

    It must name a chapter: "làm bài tập giúp mình" is small talk. A reading list without a course is the library's.
    """
    return request.kind is not StudyKind.READING and bool(request.chapter) and not lookup.history


def _earlier(matter: Matter | None) -> _Earlier | None:
    """Return the request that was answered by a matter; None for another answer."""
    parts = (matter.answer_id or "").split(":") if matter is not None else []
    if len(parts) != 4 or f"{parts[0]}:" != STUDY_ID:
        return None
    _, kind, code, chapter = parts
    return _Earlier(StudyKind(kind), code, int(chapter or 0))
