"""Replies to a message that asks for a part of the last answer, or goes on with what it computed (decision 17)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rag.answer.contacts import office_of
from rag.answer.countdown import can_be_counted
from rag.answer_sources.calculator import CalculatorSource
from rag.answer_sources.graph import asked_about
from rag.context_lookup import ContextLookup
from rag.decide.context import names_no_matter
from rag.graph.types import node_id
from rag.query_trace import QueryTrace
from rag.question_answering import QuestionAnswering
from rag.retrieve.graph_frame import asks_for_contact
from rag.types import DecisionKind, FaqEntry, Item, Question, Reply
from school.catalog import Office
from school.fields_of_study import without_name
from vietnamese.ellipsis import (
    continuation,
    names_nothing,
    naming_words,
    states_values,
    sums_values,
    supposes_values,
)
from vietnamese.text import without_places
from vietnamese.written_values import NUMBER
from vietnamese.years import is_mere_year

OF_ITS_OWN = frozenset({"office", "course"})
"""The entities of the catalogue whose names say what a message is about."""


class LastAnswer:
    """Replies about the last answer. `item` returns the entry or passage of its id. Immutable, so thread-safe."""

    def __init__(
        self, alone: QuestionAnswering, lookup: ContextLookup, item: Callable[[str | None], Item | None]
    ) -> None:
        self._alone = alone
        self._lookup = lookup
        self._item = item

    def reply(self, trace: QueryTrace, question: Question) -> Reply | None:
        """Return the reply to a message that asks for a part of the last answer, or for its office; else None."""
        if (entry := self._counted_down(trace, question) or self._told_of_year(trace, question)) is not None:
            return self._alone.answer_with(trace, entry)
        return (
            self._another_field(trace, question)
            or self._of_unpublished(trace, question)
            or self._contact_of_last(trace, question)
            or self._computed_again(trace, question)
        )

    def _another_field(self, trace: QueryTrace, question: Question) -> Reply | None:
        """Return the refusal of another untaught field after a question without an answer ("còn báo chí", "luật?")."""
        last, reader = question.history[0], self._alone.reader
        if last.answer_id is not None:
            return None
        other = continuation(question.text)
        field = reader.untaught_alone(question.text) if other is None else reader.untaught(other)
        if field is None:
            return None
        other = other or field
        if naming_words(without_name(other, field)):
            # "Thế thư viện mở cửa mấy giờ" asks for no field of study.
            return None
        named = replace(trace.reading, text=f"{last.question} {other}", absent_field=field)
        return self._alone.reply_without_lookup(replace(trace, reading=named))

    def _of_unpublished(self, trace: QueryTrace, question: Question) -> Reply | None:
        """Return the refusal of a message that goes on about what nothing is published of ("nó ở đâu vậy")."""
        last = question.history[0]
        if last.answer_id is not None or not names_nothing(question.text):
            return None
        matter = self._alone.reader.prepared(last.question).unpublished_matter
        named = replace(trace.reading, unpublished_matter=matter)
        return self._alone.reply_without_lookup(replace(trace, reading=named)) if matter else None

    def _computed_again(self, trace: QueryTrace, question: Question) -> Reply | None:
        """Return the last calculation that takes the values which a message states ("em chỉ học 14 tín"), supposes
        ("nếu kéo lên 2.6 thì sao") or sums ("thế 5 tháng hết nhiêu"), else None.

        It may stand behind other answers of its topic.
        """
        said = trace.reading
        values = said.written_values
        rest = without_places(said.text, [(value.start, value.end) for value in values])
        is_number = any(value.unit == NUMBER for value in values)
        is_again = supposes_values(rest) or ((states_values(rest) or sums_values(rest)) and not is_number)
        if not values or not is_again:
            return None
        known, today = question.known, self._alone.today()
        items = [self._item(matter.answer_id) for matter in question.history]
        topics = [item.topic if item is not None else None for item in items]
        of_topic = [m for m, topic in zip(question.history, topics, strict=True) if topic == topics[0]]
        for source in self._alone.sources:
            if not isinstance(source, CalculatorSource):
                continue
            for matter in of_topic:
                again = source.once_more(matter.answer_id or "", values, said, trace.profile, known, today)
                if again is not None:
                    return replace(self._alone.answer_sure(trace, source, again), resolved=matter.question)
        return None

    def _counted_down(self, trace: QueryTrace, question: Question) -> FaqEntry | None:
        """Return the last entry when the days until a day of its answer are asked for ("còn mấy ngày nữa")."""
        last = self._alone.entry(question.history[0].answer_id or "")
        if last is None or not names_no_matter(question.text):
            return None
        return last if can_be_counted(last.answer, trace.reading, self._alone.today()) else None

    def _told_of_year(self, trace: QueryTrace, question: Question) -> FaqEntry | None:
        """Return the last entry when a message is a mere year that its answer tells of, too ("năm ngoái thì sao")."""
        last = self._alone.entry(question.history[0].answer_id or "")
        if last is None or not is_mere_year(question.text):
            return None
        return last if self._alone.tells_of_its_year(trace, last) else None

    def _contact_of_last(self, trace: QueryTrace, question: Question) -> Reply | None:
        """Return the contact of the office of the last answer when a message asks for it without a name ("sdt?")."""
        names_office = any(mention.entity in OF_ITS_OWN for mention in trace.reading.mentions)
        if names_office or not asks_for_contact(question.text):
            return None
        answers = (matter.answer_id or "" for matter in question.history)
        items = [self._office_asked_about(one) or self._item(one) for one in answers]
        office = office_of([item for item in items if item is not None], self._alone.catalog)
        if office is None:
            return None
        # Behind a name with diacritics, words without them would not be understood.
        named = f"{trace.reading.normalized.rstrip(' ?.!')} {office.name}"
        read = self._lookup.looked_up(trace, self._alone.reader.read(named))
        reply = self._alone.reply(read.trace, read.judged)
        return reply if reply.decision.kind is DecisionKind.ANSWER else None

    def _office_asked_about(self, answer_id: str) -> Office | None:
        """Return the one office that a question to the graph was about."""
        nodes = asked_about(answer_id)
        offices = self._alone.catalog.offices
        return next((office for office in offices if nodes == (node_id("Office", office.id),)), None)
