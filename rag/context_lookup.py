"""Look-up of each reading of a message within its conversation (decision 17)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from rag.decide.context import LAST, Read, words_before
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
            before for question in questions for before in words_before((Matter(question),)).values()
        )
        self._vector_of = lru_cache(_KEPT_VECTORS)(self._embedded)

    def reads(self, trace: QueryTrace, question: Question) -> dict[str, LookedUp]:
        """Return what each reading of a question within its history finds."""
        reads = {
            name: self.looked_up(trace, self.behind(trace.reading, before) if before else trace.reading)
            for name, before in words_before(question.history).items()
        }
        if (other := self.about_another(question)) is not None:
            reads[LAST] = self.looked_up(trace, self._alone.reader.read(other))
        return reads

    def looked_up(self, trace: QueryTrace, reading: Reading) -> LookedUp:
        """Return what a reading of the message finds; one behind other words has a trace of its own."""
        if reading is not trace.reading:
            # The matter before may stand in another language; the reply is in that of the message.
            reading = replace(reading, is_english=trace.reading.is_english)
            trace = replace(trace, reading=reading, signals={}, thresholds={}, history=(), is_behind=True)
        found = self._alone.retrieve(trace, reading)
        judged = self._alone.judged(trace, found)
        confidence = {one.source: one.verdict.confidence for one in judged}
        by_name = {source.name: some for source, some in found}
        return LookedUp(reading, self._alone.vector(reading), by_name, confidence, trace, judged)

    def behind(self, reading: Reading, before: str) -> Reading:
        """Return the reading of a message behind other words, its vector mixed from those of both.

        The vector of a text is the mean over its tokens: one mixed by length has a cosine of .98 with the text's own
        (median, decision 17), and the words of an entry are the same for everybody.
        """
        reader = self._alone.reader
        weights = len(words(reading.asked)) + _FRAME, len(words(before)) + _FRAME
        mixed = weights[0] * self._alone.vector(reading) + weights[1] * self._vector_of(before)
        vector = (mixed / np.linalg.norm(mixed)).astype(np.float32)
        # Behind words with diacritics, neither English nor words without them would be understood.
        completed = reader.prepared(f"{before} {reading.normalized}")
        if before in self._curated_words:
            # "Học phí chất lượng cao và đại trà khác nhau bao nhiêu?" gives no values and names of the student's.
            values = tuple(value for value in completed.written_values if value.start >= len(before))
            mentions = tuple(mention for mention in completed.mentions if mention.start >= len(before))
            completed = replace(completed, written_values=values, mentions=mentions)
        return reader.classified(replace(completed, vector=vector, embedder=self._alone.embedder.name))

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
        return self._alone.vector(self._alone.reader.prepared(text))
