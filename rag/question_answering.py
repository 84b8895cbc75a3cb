"""Question answering: the way of one question from its reading over retrieval and decision to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache, partial
from itertools import chain
from time import perf_counter

from rag.answer.addressed_paragraphs import for_student
from rag.answer.asked_facts import facts_asked_for, facts_in
from rag.answer.cards import cards_of
from rag.answer.combined import combined_reply
from rag.answer.compute import Computation, values_said
from rag.answer.countdown import time_left
from rag.answer.curated import CuratedAnswers
from rag.answer_sources.calculator import COMPUTATION
from rag.answer_sources.source import (
    AnswerSource,
    Found,
    Lookup,
    ReadyAnswer,
    Resources,
    in_search_order,
    search_each,
    source_of,
)
from rag.calculators.calculator import Calculator
from rag.decide.clarify import left_out, missing_dimension, profile_options, widest_first
from rag.decide.context import resolved_question
from rag.decide.decider import Decider, Judged
from rag.decide.gate import Chosen, Verdict
from rag.index.format import Index
from rag.pipeline import Pipeline
from rag.query.applicability import agrees_in_term, agrees_in_year, applicable, is_applicable
from rag.query.own_matters import OwnMatters
from rag.query.query_reformulation import reformulations
from rag.query.query_rules import QueryRules
from rag.query.unknown_office import tells_of, unknown_office
from rag.query_trace import QueryTrace
from rag.rerank.ranking_model import RankingModel
from rag.retrieve.embedder import Embedder
from rag.retrieve.faq import office_phrasings
from rag.retrieve.graph import retriever_of
from rag.retrieve.topic_router import TopicRouter
from rag.types import (
    FAQ_SOURCE,
    Candidate,
    Compared,
    Decision,
    DecisionKind,
    FaqEntry,
    Item,
    Option,
    Passage,
    Question,
    Reason,
    Reply,
    families_of,
    family_of,
)
from school.aspects import Aspect, aspects_of
from school.campus_matters import is_told
from school.catalog import Catalog, Topic
from school.dimensions import Profile
from school.fields_of_study import without_name
from school.reader import Reader
from school.reading import Reading
from school.sentence_embedder import SentenceEmbedder, VectorArray
from vietnamese.comparison import asks_which
from vietnamese.ellipsis import names_nothing, supposes
from vietnamese.language_detection import Language
from vietnamese.terms import terms_named
from vietnamese.text import fold, without_places
from vietnamese.years import current_halves, halves_named, is_mere_year

TRACED_CANDIDATES = 5

CHANGES_BY_YEAR: tuple[Aspect, ...] = ("fee", "amount", "deadline")
"""What a school announces anew each year; conditions and procedures stay until they are changed."""

MOST_VALUES = 12
"""A dimension with more values, the majors of a school, is asked for, unless most of them have one answer."""

SURELY_MEANT = 0.8
"""The probability from which the one answer for a few of many values is given without asking for the value."""

LEAST_SHARED = 0.8
"""The share of the values of such a dimension that have one answer from which no question for it is worth a message."""

MOST_LISTED = 2
"""So many neighbouring values are named one by one."""

MOST_VARIANTS = 3
"""So many answers for different students are still read in one reply."""

LEAST_CHANGING = 0.5
"""The probability in 0..1 that one of these is asked for from which another year's is not the answer."""


class QuestionAnswering:
    """Answers questions one by one, without their conversation. Immutable, so thread-safe."""

    def __init__(
        self,
        index: Index,
        pipeline: Pipeline,
        embedder: Embedder,
        today: Callable[[], date] | None,
        chosen: Chosen,
        ranking: RankingModel | None,
    ) -> None:
        self.index = index
        self.pipeline = pipeline
        self.reader = reader_of(index, embedder)
        self.today = today or self.reader.today
        self.decider = Decider(pipeline, index)
        self.embedder = embedder
        self._identifying = index.reading.identifying
        self._unordered = {each.id for each in self.catalog.dimensions if not each.ordered}
        self._row_about = lru_cache(4_096)(self._named_by_row)
        self._begins = self.catalog.school.year_begins
        self._curated = CuratedAnswers(index.passages)
        graph = cache(partial(retriever_of, index))
        resources = Resources(index, pipeline, embedder, self._curated, chosen, ranking, graph)
        self.sources = [source_of(rule, resources) for rule in pipeline.sources]
        routed = [rule.source for rule in pipeline.sources if rule.topic_filter]
        self.entries = {entry.id: entry for entry in index.faq}
        self._families = families_of(index.faq)
        self._cards = lru_cache(4_096)(partial(cards_of, catalog=self.catalog, topics=self.topics))
        self._router = TopicRouter(index, routed) if routed else None
        self._rules = QueryRules(index.rules, self.reader)
        self._phrasings = office_phrasings(index)
        self.own_matters = OwnMatters(
            self._families.values(), self.catalog, self._unordered, self.reader.wording.link
        )

    @property
    def catalog(self) -> Catalog:
        return self.index.dictionaries.catalog

    @property
    def topics(self) -> tuple[Topic, ...]:
        return self.index.dictionaries.topics

    def entry(self, entry_id: str) -> FaqEntry | None:
        """Return the FAQ entry with this id; None when the index has none."""
        return self.entries.get(entry_id)

    def reply(self, trace: QueryTrace, first: list[Judged] | None = None) -> Reply:
        """Return the reply to the question that a trace has read; `first`: its candidates, when it was looked up."""
        judged: list[Judged] = []
        for judged in self.tries(trace, first):
            for one in judged:
                if reply := self.decider.ask_which(trace, one, judged) or self._answer_or_ask(trace, one):
                    return reply
        return self.decider.give_up(trace, judged, self.topic_names())

    def read(self, question: Question) -> QueryTrace:
        """Return the trace of a question, with its reading and what is known of the student."""
        stages_ms: dict[str, float] = {}
        reading = question.reading or self._timed_reading(question.text, stages_ms)
        profile = self.known_of(question.profile, reading)
        trace = QueryTrace(
            reading, profile, self.pipeline.name, self.index.manifest.version, list(self.pipeline.notes)
        )
        trace.known, trace.filled = question.known, question.filled
        rejected = self.entry(question.rejected or "")
        trace.rejected = family_of(rejected) if rejected is not None else question.rejected
        trace.history = question.history
        trace.compared, trace.untold = self._compared(question, reading, profile), question.untold
        trace.years = halves_named(question.text, self.today(), self._begins, asks=True)
        trace.undated_holds = self._undated_holds(trace)
        trace.stages_ms.update(stages_ms)
        return trace

    def known_of(self, profile: Profile, reading: Reading) -> Profile:
        """Return `profile` with the values that the message names, one of each dimension, and those that follow.

        A value that is left or compared with another one is none.
        """
        ids = self.catalog.dimension_ids
        unknown = (*reading.named(ids, "origin"), *reading.named(ids, "beside"))
        named = {**dict.fromkeys(unknown, ()), **reading.named(ids)}
        known = profile.with_values({d: some[0] if len(some) == 1 else None for d, some in named.items()})
        return known.with_values(self.catalog.implied(known.values))

    def _compared(self, question: Question, reading: Reading, known: Profile) -> Compared:
        """Return the values to answer for, by unknown dimension: those named, those of a change, those before.

        Who would change to a programme is in another one; who would change to a major asks about that major. The
        student's own value is compared with the one beside it ("đắt hơn đại trà bao nhiêu").
        """
        ids, found = self.catalog.dimension_ids, dict(question.compared)
        for d, some in reading.named(ids, "target").items():
            others = (v for v in self.catalog.possible(d, known.values) if v not in self.catalog.rare(d))
            found[d] = some if d in self._identifying else tuple(v for v in others if v not in some)
        for d, some in reading.named(ids, "beside").items():
            own = question.profile.get(d)
            found[d] = (*((own,) if own is not None and own not in some else ()), *some)
        found |= {**reading.named(ids, "origin"), **reading.named(ids)}
        return {d: v for d, v in found.items() if known.get(d) is None and v}

    def _timed_reading(self, text: str, stages_ms: dict[str, float]) -> Reading:
        """Return what `Reader.read` returns; put the milliseconds into `stages_ms`, embedding apart."""
        start = perf_counter()
        prepared = self.reader.prepared(text)
        prepared_at = perf_counter()
        embedded = self.reader.embedded(prepared)
        embedded_at = perf_counter()
        reading = self.reader.classified(embedded)
        if embedded.vector is not None:
            stages_ms["embed"] = 1000 * (embedded_at - prepared_at)
        stages_ms["read"] = 1000 * (perf_counter() - start) - stages_ms.get("embed", 0.0)
        return reading

    def reply_without_lookup(self, trace: QueryTrace) -> Reply | None:
        """Return the reply to a message that is not looked up; None for a question."""
        if trace.reading.is_empty:
            return trace.gave_up((Reason.EMPTY_QUESTION,))
        if (reply := self._ruled(trace) or self._about_what_is_not_ours(trace)) is not None:
            return reply
        if trace.reading.small_talk and not self.is_published(trace.reading):
            trace.notes.append(f"small talk: {trace.reading.small_talk.value}")
            return trace.gave_up((Reason.SMALL_TALK,))
        return None

    def is_published(self, said: Reading) -> bool:
        """Return whether an office's phrasing or a query rule is in the words of a message: it is a question then."""
        if self._rules.rule_for(said) is not None:
            return True
        return any(self._phrasings.in_the_words_of(text) for text in dict.fromkeys((said.asked, said.text)))

    def _about_what_is_not_ours(self, trace: QueryTrace) -> Reply | None:
        """Return the refusal of a message about another school, or about what this one does not teach or speak of."""
        said = trace.reading
        if said.foreign_institution:
            trace.notes.append(f"about another school: {said.foreign_institution}")
            # "Còn trường mình" then asks the same of this school.
            resolved = without_name(said.text, fold(said.foreign_institution).lower())
            return replace(trace.gave_up((Reason.FOREIGN_SCHOOL,)), resolved=resolved)
        if said.unlisted_value:
            trace.notes.append(f"about students whom the school does not have: {said.unlisted_value}")
            resolved = without_name(said.text, fold(said.unlisted_value).lower())
            return replace(trace.gave_up((Reason.NO_SUCH_VALUE,)), resolved=resolved)
        if said.absent_field:
            trace.notes.append(f"about a field that is not taught: {said.absent_field}")
            # "Thế ngành dược" then asks the same of another field.
            resolved = without_name(said.text, said.absent_field)
            return replace(trace.gave_up((Reason.NOT_TAUGHT,)), resolved=resolved)
        if said.unpublished_matter and not self._is_told(said.unpublished_matter):
            trace.notes.append(f"nothing is published of: {said.unpublished_matter}")
            return trace.gave_up((Reason.NOT_PUBLISHED,))
        return None

    def _is_told(self, thing: str) -> bool:
        """Return whether an entry tells of a thing: the reading may be older than a draft that is tried."""
        return is_told(thing, (text for entry in self.index.faq for text in (entry.question, entry.answer)))

    def _ruled(self, trace: QueryTrace) -> Reply | None:
        """Return the refusal or the question back of a query rule; None without one, or when what it asks is known.

        A message that names no matter goes on with the conversation before it, whatever the rule for it alone.
        """
        rule = self._rules.rule_for(trace.reading)
        if rule is None or (trace.history and names_nothing(trace.reading.text)):
            return None
        trace.note(f"the rule for: {rule.question}")
        if rule.dimension is None and not rule.entries:
            return replace(trace.gave_up((Reason.QUERY_RULE,), confidence=1.0), resolved=rule.question)
        missing: tuple[str, ...] = ()
        if rule.dimension is not None:
            if trace.profile.get(rule.dimension) is not None or rule.dimension in trace.compared:
                return None
            missing = (rule.dimension,)
            options = profile_options(rule.dimension, (), trace.profile, self.catalog)
        else:
            meant = [self.entries[entry] for entry in rule.entries]
            options = tuple(Option(entry.question, {"faq": entry.id}) for entry in meant)
        decision = Decision(DecisionKind.CLARIFY, (Reason.QUERY_RULE,), missing)
        reply = trace.asked_back(decision, FAQ_SOURCE, options, 1.0)
        return replace(reply, resolved=trace.reading.text, waits_for=rule.question if missing else None)

    def tries(self, trace: QueryTrace, first: list[Judged] | None = None) -> Iterator[list[Judged]]:
        """Yield the judged candidates of all sources, for one wording of the question after the other."""
        for attempt, said in enumerate(reformulations(trace.reading, self.pipeline.tries)):
            if attempt:
                trace.notes.append(f"looked up again as: {said.asked}")
            if first is None or attempt:
                yield self.judged(trace, self.retrieve(trace, said))
            else:
                yield first

    def judged(self, trace: QueryTrace, found: Sequence[tuple[AnswerSource, Found]]) -> list[Judged]:
        """Return the candidates of all sources with the verdicts of their gates, in the order in which they answer."""
        with trace.stage("decide"):
            return self.decider.judge(trace, found)

    def retrieve(self, trace: QueryTrace, said: Reading) -> list[tuple[AnswerSource, Found]]:
        """Return the applicable candidates of each source, in the order of the preset."""
        return self.retrieve_each([(trace, said)])[0]

    def retrieve_each(
        self, asked: Sequence[tuple[QueryTrace, Reading]]
    ) -> list[list[tuple[AnswerSource, Found]]]:
        """Return what `retrieve` does for each of several readings; their time is noted in the first one's trace."""
        first, lookups = asked[0][0], []
        for trace, said in asked:
            with trace.stage("embed"):
                lookups.append(self._traced_lookup(trace, said))
        found: list[dict[str, Found]] = [{} for _ in asked]
        for source in in_search_order(self.sources):
            with first.stage(source.name):
                given = [replace(one, found=dict(some)) for one, some in zip(lookups, found, strict=True)]
                for some, own in zip(found, search_each(source, given), strict=True):
                    some[source.name] = own
        in_order = [[(source, some[source.name]) for source in self.sources] for some in found]
        for (trace, _), every in zip(asked, in_order, strict=True):
            trace.candidates = [c for _, some in every for c in some.candidates[:TRACED_CANDIDATES]]
        return in_order

    def _traced_lookup(self, trace: QueryTrace, said: Reading) -> Lookup:
        """Return the `lookup` of a reading with what the trace knows."""
        return replace(
            self.lookup(said, trace.profile),
            admits=self.admits(trace),
            known=trace.known,
            filled=trace.filled,
            today=self.today(),
            history=trace.history,
            is_behind=trace.is_behind,
        )

    def admits(self, trace: QueryTrace) -> Callable[[Item], bool]:
        """Return the test of whether an item may answer this student today, for the years asked about."""
        today, years = self.today(), trace.years
        holds = (True, None) if trace.undated_holds else (True,)
        asked = (trace.reading.named(self._unordered, role) for role in ("target", "asked"))
        own = trace.profile.with_values(dict.fromkeys(chain.from_iterable(asked)))
        office = unknown_office(trace.reading)
        terms = self._terms_asked(trace.reading)
        return lambda item: (
            is_applicable(item, trace.profile, today)
            and (trace.rejected is None or family_of(item) != trace.rejected)
            and not self._is_of_another(item, own)
            and not (office and isinstance(item, FaqEntry) and not tells_of(item, office))
            and (not years or agrees_in_year(item, years, today, self._begins) in holds)
            and (not terms or agrees_in_term(item, terms))
        )

    def _terms_asked(self, said: Reading) -> frozenset[str]:
        """Return the terms whose day a message asks for: the exams of the first are not those of the second.

        A rule may name a term in which something begins: "từ học kỳ 2 mới được chuyển ngành".
        """
        terms = terms_named(said.normalized)
        return terms if terms and aspects_of(said).get("deadline", 0.0) >= LEAST_CHANGING else frozenset()

    def _undated_holds(self, trace: QueryTrace) -> bool:
        """Return whether what names no year answers the question: a rule does, this year's fee not for another year.

        "Năm 2023 thì sao" asks for what was announced for another year than the answer before.
        """
        if not trace.years.isdisjoint(current_halves(self.today(), self._begins)):
            return True
        if trace.years and is_mere_year(trace.reading.text):
            return False
        # "Năm sau" is one half of a year.
        if len(trace.years) < 2:
            return True
        asked = aspects_of(trace.reading)
        return sum(asked.get(aspect, 0.0) for aspect in CHANGES_BY_YEAR) < LEAST_CHANGING

    def _is_of_another(self, item: Item, profile: Profile) -> bool:
        """Return whether an item is a table's row about another value than the student's: about another major."""
        named = self._values_of_row(item) if profile.values else {}
        return any(profile.get(d) not in (None, value) for d, value in named.items())

    def _unnamed_by_message(self, trace: QueryTrace, item: Item) -> str | None:
        """Return the dimension of whose values an item is a table's row about one that nobody has named; else None.

        "Ngành nào lấy điểm thấp nhất" asks for the value itself.
        """
        named = self._values_of_row(item)
        unknown = (d for d in named if trace.profile.get(d) is None and d not in trace.compared)
        return next((d for d in unknown if not self._asks_which(trace.reading, d)), None)

    def _values_of_row(self, item: Item) -> Mapping[str, str]:
        """Return the values that an item is a table's row about, by dimension; none for what is no such row."""
        return self._row_about(item.text) if isinstance(item, Passage) else {}

    def _asks_which(self, said: Reading, dimension: str) -> bool:
        """Return whether a message asks for a value of a dimension: "khóa nào phải báo cáo", "which major"."""
        spec = self.catalog.dimension(dimension)
        return spec is not None and asks_which(f"{said.asked}. {said.text}", (dimension, spec.name))

    def _named_by_row(self, text: str) -> Mapping[str, str]:
        """Return the values that the first cell of a row consists of, by dimension; none for a rule about them."""
        cell = text.partition(";")[0].partition(": ")[2]
        names = [m for m in self.reader.wording.link(cell) if m.entity in self._unordered] if cell else []
        rest = without_places(cell, [(m.start, m.end) for m in names])
        return {} if any(map(str.isalnum, rest)) else {m.entity: m.value for m in names}

    def lookup(self, said: Reading, profile: Profile) -> Lookup:
        """Return what the answer sources look up for a reading."""
        vector = self.vector(said)
        topic = self._router.route(said.topics, vector) if self._router else None
        return Lookup(said, vector, said.topics, profile, topic)

    def vector(self, said: Reading) -> VectorArray:
        """Return the sentence vector of a reading, shape (d,): its own, when it is of this engine's embedder."""
        if said.vector is None or said.embedder != self.embedder.name:
            return self.embedder.query(said.embedded)
        return said.vector

    def topic_names(self) -> list[tuple[str, str]]:
        """Return the id and the name of each topic."""
        return [(topic.id, topic.name) for topic in self.topics]

    def _answer_or_ask(self, trace: QueryTrace, judged: Judged) -> Reply | None:
        """Return the answer of a source, or a choice between its readings; None when its gate is shut."""
        if judged.candidates and judged.curated:
            trace.topic = judged.candidates[0].item.topic
        if not judged.verdict.is_open:
            return self.decider.offer_readings(trace, judged)
        reply = self.answer(trace, judged)
        # A question back about an answer that is rather not the one costs the student two messages.
        is_sure = judged.specific or judged.verdict.confidence >= self.pipeline.clarify.dimension
        return reply if is_sure or not reply.decision.missing else None

    def answer(self, trace: QueryTrace, judged: Judged) -> Reply:
        """Return the answer of the best candidate, or ask for the dimension that it depends on."""
        group, candidates = judged.group, judged.candidates
        if judged.curated:
            group = tuple(widest_first(group, trace.profile, self.catalog))
            candidates = (group[0], *(other for other in candidates if other is not group[0]))
        best = candidates[0]
        trace.topic = best.item.topic or trace.topic
        computation = best.meta.get(COMPUTATION)
        values = self._values_to_keep(trace, computation)
        if computation is not None and computation.needs is not None:
            needs = computation.needs
            reason = Reason.VALUE_OUT_OF_RANGE if needs.wrong else Reason.DEPENDS_ON_VALUE
            asks = Decision(DecisionKind.CLARIFY, (reason,), needs=needs)
            reply = trace.asked_back(asks, best.source, (), judged.verdict.confidence, values)
            return replace(reply, waits_for=_waiting(best.item))
        dimension = missing_dimension(group, trace.profile, self.catalog)
        if computation is not None and computation.missing is not None:
            dimension = computation.missing
        if dimension is None:
            dimension = self._unnamed_by_message(trace, best.item)
        if dimension is not None and dimension in trace.compared:
            reply = self._for_each(trace, judged, best.item, dimension)
            return replace(reply, confidence=judged.verdict.confidence)
        if dimension is not None and (value := self._assumed(best.item, dimension)) is not None:
            return self._for_assumed(trace, judged, best.item, dimension, value)
        if dimension is not None and (every := self._without_asking(trace, judged, best.item, dimension)):
            return every
        if dimension is not None:
            options = profile_options(dimension, group, trace.profile, self.catalog)
            decision = Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), (dimension,))
            reply = trace.asked_back(decision, best.source, options, min(best.score, 1.0), values)
            named = None if trace.compared else best.item
            resolved = resolved_question(trace.reading.text, named, ())
            return replace(reply, resolved=resolved, waits_for=_waiting(best.item))
        sure, curated = judged.verdict.confidence, judged.curated
        with trace.stage("answer"):
            text, citations = judged.answer(candidates, trace.reading.asked)
            text, addressed = (
                for_student(text, trace.profile, self.reader.wording.link) if curated else (text, ())
            )
            own = (self.catalog.name(d, value) for d, value in trace.profile.values.items())
            citations = self._curated.fitting(citations, text, own)
            language: Language = "en" if trace.reading.is_english else "vi"
            owner = best.item.owner if isinstance(best.item, FaqEntry) else None
            cards = self._cards(text, owner, best.item.topic, language=language)
            if left := time_left(text, trace.reading, self.today()):
                text = f"{left}\n\n{text}"
        used = computation.depends_on if computation is not None else ()
        limited = {d for d in self.catalog.dimension_ids if any(c.item.applies_to.values(d) for c in group)}
        chosen_by = {*used, *addressed, *limited}
        depends_on = tuple(d for d in self.catalog.dimension_ids if d in chosen_by)
        reply = trace.answered(best, sure, text, citations, depends_on, cards, curated=curated, values=values)
        if isinstance(best.item, ReadyAnswer):
            reply = replace(reply, resolved=best.item.question)
        said = trace.reading.named(self.catalog.dimension_ids)
        several = {d: values for d, values in said.items() if len(values) > 1}
        others = left_out(best.item.applies_to, trace.profile, self.catalog)
        return replace(reply, left_out=others, compared=several)

    def _values_to_keep(
        self, trace: QueryTrace, computation: Computation | None
    ) -> Mapping[str, float | str]:
        """Return the values for later questions: a calculation's, or those of the message that one of the topic takes.

        "Phòng 6 người một tháng bao nhiêu" says of which room "1 kỳ hết nhiêu" asks. A supposed value takes no known
        one's place.
        """
        if computation is not None:
            values = {**computation.values, **computation.results}
        else:
            of_topic = (each for each in self.index.calculators if each.topic == trace.topic)
            values = values_said(of_topic, trace.reading.written_values)
        if not supposes(trace.reading.text):
            return values
        return {name: trace.known.get(name, value) for name, value in values.items()}

    def of_the_year(self, trace: QueryTrace, reply: Reply) -> Reply:
        """Return `reply`, but no answer in place of a choice whose first entry is not of the year asked about."""
        # "Năm sau" is one half of a year: what holds every year may be meant.
        if reply.decision.kind is not DecisionKind.CLARIFY or reply.decision.missing or len(trace.years) < 2:
            return reply
        first = self.entry(reply.options[0].payload.get("faq", "")) if reply.options else None
        is_of_it = first is not None and agrees_in_year(first, trace.years, self.today(), self._begins)
        return reply if is_of_it else trace.gave_up(reply.decision.reasons)

    def tells_of_its_year(self, trace: QueryTrace, entry: FaqEntry) -> bool:
        """Return whether the answer of an entry names all years that a message asks about."""
        told = halves_named(entry.answer, self.today(), self._begins)
        return bool(trace.years) and trace.years <= told

    def _for_each(self, trace: QueryTrace, judged: Judged, item: Item, dimension: str) -> Reply:
        """Return the answers for the values of a dimension that are compared, as one when it is the same for all."""
        others = {d: values for d, values in trace.compared.items() if d != dimension}
        replies = []
        for value in trace.compared[dimension]:
            own = replace(trace, compared=others, is_compared=True)
            reply = self._for_value(own, judged, item, dimension, value)
            if reply.decision.kind is DecisionKind.CLARIFY:
                return replace(reply, resolved=trace.reading.text)
            name = self.catalog.name(dimension, value, "en" if trace.reading.is_english else "vi")
            replies.append(replace(reply, question=name))
        whole = replace(replies[0], question=trace.reading.text)
        return replace(combined_reply(whole, replies), compared={dimension: trace.compared[dimension]})

    def _without_asking(self, trace: QueryTrace, judged: Judged, item: Item, dimension: str) -> Reply | None:
        """Return the answers for all values of a dimension where no question for it is worth a message; else None.

        The student was asked for it in vain, or asks for it ("khóa nào phải báo cáo"); or there is one answer, whoever
        it is for, or one for nearly all of many values; or what is asked is the same in all, as the fee may be where
        the conditions are not.
        """
        every = self._for_every(trace, judged, item, dimension)
        if every is None or dimension in trace.untold or self._asks_which(trace.reading, dimension):
            return every
        is_shared = len(every.parts) == 1 or len(self._possible(trace, dimension)) > MOST_VALUES
        if is_shared and not trace.is_compared:
            return every
        asked = facts_asked_for(trace.reading)
        told = {facts_in(part.text, asked) for part in every.parts} if asked is not None else set()
        return every if len(told) == 1 and all(told) else None

    def _for_every(self, trace: QueryTrace, judged: Judged, item: Item, dimension: str) -> Reply | None:
        """Return the answers of an entry for all values of a dimension, each once, as parts under their names.

        None when they are many, or when there are many values and no answer is that of nearly all, or surely meant.
        """
        possible = self._possible(trace, dimension)
        if not isinstance(item, FaqEntry):
            return None
        values: dict[str, list[str]] = {}
        answers: dict[str, Reply] = {}
        for value in possible:
            reply = self._for_value(replace(trace, untold=frozenset()), judged, item, dimension, value)
            if reply.decision.kind is DecisionKind.CLARIFY:
                return None
            if reply.answer_id is not None:
                answers.setdefault(reply.answer_id, reply)
                values.setdefault(reply.answer_id, []).append(value)
            if len(answers) > MOST_VARIANTS:
                return None
        most = max(values, key=lambda found: len(values[found]), default=None)
        is_long = len(possible) > MOST_VALUES
        is_of_few = most is not None and len(values[most]) < LEAST_SHARED * len(possible)
        # Covan asks no student whether they are one of a few values when the one answer is surely meant.
        is_meant = len(answers) == 1 and judged.verdict.confidence >= SURELY_MEANT
        if most is None or (is_long and is_of_few and not is_meant):
            return None
        language: Language = "en" if trace.reading.is_english else "vi"
        name = partial(self.catalog.name, dimension, language=language)
        names = {found: _in_runs(some, possible, name) for found, some in values.items()}
        if is_long and not is_of_few:
            answers = {most: answers[most], **answers}
            spec = self.catalog.dimension(dimension)
            names[most] = spec.others(language) if spec is not None else names[most]
        replies = [replace(reply, question=names[found]) for found, reply in answers.items()]
        every = combined_reply(replace(replies[0], question=trace.reading.text), replies)
        return replace(every, confidence=judged.verdict.confidence, parts=tuple(replies))

    def _possible(self, trace: QueryTrace, dimension: str) -> Sequence[str]:
        """Return the values of a dimension that the student may have, in the catalogue's order."""
        return self.catalog.possible(dimension, trace.profile.values)

    def _for_value(self, trace: QueryTrace, judged: Judged, item: Item, dimension: str, value: str) -> Reply:
        """Return the reply to a student with this value of a dimension."""
        profile = trace.profile.with_values({dimension: value})
        own = replace(trace, profile=profile.with_values(self.catalog.implied(profile.values)))
        if isinstance(item, FaqEntry):
            return self.answer_with(own, item, judged.verdict.confidence)
        if own_ones := self._held_for(judged, own):
            return self.answer(own, own_ones)
        return self.reply(own)

    def _assumed(self, item: Item, dimension: str) -> str | None:
        """Return the value that the topic of an item assumes of whoever has not said theirs; None for none."""
        assumes = next((topic.assumes for topic in self.topics if topic.id == item.topic), {})
        return assumes.get(dimension)

    def _for_assumed(
        self, trace: QueryTrace, judged: Judged, item: Item, dimension: str, value: str
    ) -> Reply:
        """Return the reply for an assumed value, with the other values as left out."""
        reply = self._for_value(trace, judged, item, dimension, value)
        if reply.decision.kind is not DecisionKind.ANSWER:
            return replace(reply, resolved=trace.reading.text)
        answered = self.entry(reply.answer_id or "") or item
        possible = self.catalog.possible(dimension, trace.profile.values)
        others = tuple(v for v in possible if v != value and not answered.applies_to.admits(dimension, v))
        return replace(reply, left_out={**reply.left_out, dimension: others} if others else reply.left_out)

    def _held_for(self, judged: Judged, trace: QueryTrace) -> Judged | None:
        """Return judged passages without those that do not hold for a student; None without a passage that does."""
        unique = {one.item.id: one for one in (*judged.group, *judged.candidates)}
        passages = (one for one in unique.values() if isinstance(one.item, Passage))
        held = tuple(applicable(passages, trace.profile, self.today()))
        return replace(judged, candidates=held, group=self.decider.group(held)) if held else None

    def answer_with(self, trace: QueryTrace, chosen: FaqEntry, sure: float = 1.0) -> Reply:
        """Return the answer of an entry, or of the one that asks the same for this student.

        `sure` is the probability that the entry is meant: 1 for one that the student chose.
        """
        family = sorted(self._families[chosen.family], key=lambda entry: entry is not chosen)
        trace.candidates = [Candidate(FAQ_SOURCE, entry, sure) for entry in family]
        group = tuple(applicable(trace.candidates, trace.profile, self.today()))
        if not group:
            return trace.gave_up((Reason.NOT_APPLICABLE,))
        judged = Judged(FAQ_SOURCE, True, self._curated.answer, group, group, Verdict((), sure))
        return replace(self.answer(trace, judged), resolved=chosen.question)

    def answer_sure(self, trace: QueryTrace, source: AnswerSource, candidate: Candidate) -> Reply:
        """Return the answer of a candidate that stands without a gate's judgement."""
        trace.candidates = [candidate]
        verdict, only = Verdict((), 1.0), (candidate,)
        judged = Judged(source.name, source.curated, source.answer, only, only, verdict, source.specific)
        return self.answer(trace, judged)


def _in_runs(values: Sequence[str], ordered: Sequence[str], name: Callable[[str], str]) -> str:
    """Return the names of values, with "–" for those between the first and the last of three neighbours or more."""
    runs: list[list[str]] = []
    for value in sorted(values, key=ordered.index):
        if runs and ordered.index(runs[-1][-1]) + 1 == ordered.index(value):
            runs[-1].append(value)
        else:
            runs.append([value])
    said = (
        f"{name(run[0])}–{name(run[-1])}" if len(run) > MOST_LISTED else ", ".join(map(name, run))
        for run in runs
    )
    return ", ".join(said)


def _waiting(item: Item) -> str:
    return item.follows[0] if isinstance(item, Calculator) and item.follows else item.id


def reader_of(index: Index, embedder: Embedder) -> Reader:
    """Return the reader of an index. A classifier that learnt from E5 keeps it, whatever embeds the passages."""
    classifier = index.classifier
    if classifier is not None and classifier.embedder != embedder.name:
        return Reader(index.reading, SentenceEmbedder(), classifier)
    return Reader(index.reading, embedder, classifier)
