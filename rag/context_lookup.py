"""Look-up of each reading of a message within its conversation (decision 17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from rag.answer_sources.source import AnswerSource, Found
from rag.decide.context import ALONE, LAST, Read, WordsBefore, words_before
from rag.decide.decider import Judged
from rag.query.message_editing import with_matter
from rag.query_trace import QueryTrace
from rag.question_answering import QuestionAnswering
from rag.types import Matter, Question
from school.reading import Reading
from school.sentence_embedder import VectorArray
from vietnamese.ellipsis import continuation
from vietnamese.text import words

_FRAME = 2
"""Words that weigh as much as the marks which an embedder puts around every text."""

_KEPT_VECTORS = 4096
"""The vectors of matters that are kept, 1.5 KB each."""


@dataclass(frozen=True, slots=True)
class LookedUp(Read):
    """A reading with all that looking it up has brought: its trace, and the candidates as the gates judge them."""

    trace: QueryTrace
    judged: list[Judged]


class ContextLookup:
    """Looks up the readings of a message, by `QuestionAnswering` each. Immutable, so thread-safe."""

    def __init__(self, alone: QuestionAnswering) -> None:
        self._alone = alone
        questions = [entry.question for entry in alone.index.faq]
        questions += [calculator.question for calculator in alone.index.calculators]
        self._curated_words = frozenset(
            before.text for question in questions for before in words_before((Matter(question),)).values()
        )
        self._phrasings = {text: place for place, text in enumerate(alone.index.faq_texts)}
        self._vector_of = lru_cache(_KEPT_VECTORS)(self._embedded)
        self._prepared = lru_cache(_KEPT_VECTORS)(self._words_prepared)

    def reads(self, trace: QueryTrace, question: Question) -> dict[str, LookedUp]:
        """Return what each reading of a question within its history finds."""
        before = words_before(question.history)
        other = self.about_another(question)
        if other is not None:
            before.pop(LAST, None)
        readings = {ALONE: trace.reading}
        readings |= zip(before, self.behind(trace.reading, list(before.values())), strict=True)
        if other is not None:
            readings[LAST] = self._alone.reader.read(other)
        return dict(zip(readings, self._each_looked_up(trace, list(readings.values())), strict=True))

    def looked_up(self, trace: QueryTrace, reading: Reading) -> LookedUp:
        """Return what a reading of the message finds; one behind other words has a trace of its own."""
        return self._each_looked_up(trace, [reading])[0]

    def _each_looked_up(self, trace: QueryTrace, readings: Sequence[Reading]) -> list[LookedUp]:
        traces = [self._traced(trace, reading) for reading in readings]
        every = self._alone.retrieve_each([(traced, traced.reading) for traced in traces])
        return [self._judged(traced, found) for traced, found in zip(traces, every, strict=True)]

    def _traced(self, trace: QueryTrace, reading: Reading) -> QueryTrace:
        if reading is trace.reading:
            return trace
        # The matter before may stand in another language; the reply is in that of the message.
        reading = replace(reading, is_english=trace.reading.is_english)
        return replace(trace, reading=reading, signals={}, thresholds={}, history=(), is_behind=True)

    def _judged(self, trace: QueryTrace, found: Sequence[tuple[AnswerSource, Found]]) -> LookedUp:
        judged = self._alone.judged(trace, found)
        confidence = {one.source: one.verdict.confidence for one in judged}
        by_name = {source.name: some for source, some in found}
        reading = trace.reading
        return LookedUp(reading, self._alone.vector(reading), by_name, confidence, trace, judged)

    def behind(self, reading: Reading, before: Sequence[WordsBefore]) -> list[Reading]:
        """Return the readings of a message behind each of some other words, their vectors mixed from those of both.

        The vector of a text is the mean over its tokens: one mixed by length has a cosine of .98 with the text's own
        (median, decision 17). The words before count with the vector of the question that they are taken from, which
        the index has for an entry.
        """
        if not before:
            return []
        own = self._alone.vector(reading)
        readings = []
        for text, asked in before:
            weights = len(words(reading.asked)) + _FRAME, len(words(text)) + _FRAME
            mixed = weights[0] * own + weights[1] * self._vector_of(asked)
            vector = (mixed / np.linalg.norm(mixed)).astype(np.float32)
            completed = self._alone.reader.behind(self._prepared(text), reading)
            readings.append(replace(completed, vector=vector, embedder=self._alone.embedder.name))
        return self._alone.reader.ranked(readings)

    def _words_prepared(self, text: str) -> Reading:
        # "Học phí chất lượng cao và đại trà khác nhau bao nhiêu?" gives no values and names of the student's.
        reader = self._alone.reader
        return reader.searched(text) if text in self._curated_words else reader.prepared(text)

    def about_another(self, question: Question) -> str | None:
        """Return the last question about another matter ("còn ký túc xá?" after the library's hours), else None.

        One without an answer is asked again: "thế ngành dược" after the mark of a field that is not taught.
        """
        other = continuation(question.text)
        if other is None or not question.history:
            return None
        last = question.history[0]
        reader = self._alone.reader
        again = with_matter(reader, last.question, other)
        is_asked_again = last.answer_id is None and bool(reader.wording.link(other))
        return again or (f"{last.question.rstrip(' ?.!')} {other}" if is_asked_again else None)

    def _embedded(self, text: str) -> VectorArray:
        """Return the vector of a text: the index has those of its entries' phrasings."""
        reading, index = self._alone.reader.searched(text), self._alone.index
        place = self._phrasings.get(reading.embedded)
        return index.faq_vectors.vectors[place] if place is not None else self._alone.vector(reading)
