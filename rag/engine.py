"""The engine: the way of a question from reading over retrieval and decision to the answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import perf_counter

from rag.answer.cards import cards_of
from rag.answer.combined import combined_reply
from rag.answer.countdown import COUNTDOWN, time_left
from rag.answer.curated import CuratedAnswers
from rag.answer.deadlines import deadlines_in
from rag.answer.extract import extract
from rag.answer_sources.calculator import COMPUTATION
from rag.answer_sources.source import (
    AnswerSource,
    Found,
    Lookup,
    Resources,
    documents_of,
    in_search_order,
    source_of,
)
from rag.decide.calibration import load_calibration
from rag.decide.clarify import left_out, missing_dimension, profile_options, widest_first
from rag.decide.context import (
    ALONE,
    READINGS,
    ContextWeigher,
    Read,
    Weighed,
    completed_texts,
    names_no_matter,
    resolved_question,
)
from rag.decide.decider import Decider, Judged
from rag.decide.gate import Chosen, Verdict
from rag.decide.probability import shipped_models
from rag.index.format import Index
from rag.index.versions import open_index
from rag.pipeline import Order, Pipeline, load_pipeline
from rag.query.ambiguity import AmbiguityKind, ambiguity_options, passage_key
from rag.query.applicability import applicable, is_applicable
from rag.query.message_editing import message_parts, named_value, with_matter
from rag.query.query_reformulation import reformulations
from rag.query_trace import QueryTrace
from rag.rerank.ranking_model import RankingModel, ranking_in_force
from rag.retrieve.embedder import Embedder, load_embedder
from rag.retrieve.topic_router import TopicRouter
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    Candidate,
    Citation,
    Decision,
    DecisionKind,
    FaqEntry,
    Option,
    Question,
    Reason,
    Reply,
)
from school.catalog import Catalog, Topic
from school.dimensions import UNKNOWN_STUDENT, Profile
from school.reader import Reader
from school.reading import Reading
from school.sentence_embedder import SentenceEmbedder
from vietnamese.ellipsis import continuation, names_nothing
from vietnamese.text import MAX_QUESTION_CHARS, clean, words

TRACED_CANDIDATES = 5

NEXT_TO_CHOSEN = 0.9
"""The score of the other passages of a chosen passage's article, so that they may be quoted with it (score 1)."""


class Engine:
    """Answers questions from one index with one pipeline. Immutable once opened, so thread-safe."""

    def __init__(
        self,
        index: Index,
        pipeline: Pipeline,
        embedder: Embedder,
        today: Callable[[], date] = date.today,
        chosen: Chosen | None = None,
        ranking: RankingModel | None = None,
    ) -> None:
        self._index = index
        self._pipeline = pipeline
        self._embedder = embedder
        self._today = today
        self.reader = reader_of(index, embedder)
        self._curated = CuratedAnswers(index.passages)
        resources = Resources(index, pipeline, embedder, self._curated, chosen or Chosen(), ranking)
        self._sources = [source_of(rule, resources) for rule in pipeline.sources]
        self._decider = Decider(pipeline, index)
        self._weigher = ContextWeigher(index)
        routed = [rule.source for rule in pipeline.sources if rule.topic_filter]
        self._router = TopicRouter(index, routed) if routed else None
        self._entries = {entry.id: entry for entry in index.faq}
        self._by_key = {passage_key(passage): passage for passage in index.passages}

    @classmethod
    def open(
        cls,
        index: Path,
        preset: str = "covan",
        embedder: Embedder | None = None,
        chosen: Chosen | None = None,
        today: Callable[[], date] = date.today,
    ) -> Engine:
        """Open an index with its own ranking model and, unless `chosen` is given, its own calibration.

        Raises IndexUnusableError or SettingsError.
        """
        embedder = embedder or load_embedder()
        chosen = chosen or Chosen(shipped_models(preset), load_calibration(index, preset))
        ranking = ranking_in_force(index, embedder.name)
        return cls(open_index(index, embedder), load_pipeline(preset), embedder, today, chosen, ranking)

    @property
    def index_version(self) -> str:
        return self._index.manifest.version

    @property
    def catalog(self) -> Catalog:
        return self._index.dictionaries.catalog

    @property
    def topics(self) -> tuple[Topic, ...]:
        return self._index.dictionaries.topics

    def entry(self, entry_id: str) -> FaqEntry | None:
        """Return the FAQ entry with this id; None when the index has none."""
        return self._entries.get(entry_id)

    def named_value(self, dimension: str, text: str) -> str | None:
        """Return the value that a short reply to "which cohort / programme / major?" names; None for none or several.

        "luật" names a major there.
        """
        return named_value(self.reader, text, dimension, self.catalog)

    def reply(self, question: Question) -> Reply:
        """Answer `question`, whatever its text; ask back; or return a reply without an answer.

        Each question of a message is answered, unless one curated answer covers them all.
        """
        parts = message_parts(self.reader, question.text, self.catalog) if self._pipeline.splits else ()
        whole = self._reply(question)
        if len(parts) < 2:
            return whole
        return combined_reply(
            whole, [self._reply(replace(question, text=part, reading=None)) for part in parts]
        )

    def _reply(self, question: Question) -> Reply:
        trace = self._read(question)
        if refused := self._refuse(trace):
            return refused
        reply = self._in_context(trace, question) if question.history else self._alone(trace)
        if reply.resolved:
            return reply
        answer = self._weigher.item(reply.answer_id)
        return replace(reply, resolved=resolved_question(question.text, answer, question.history))

    def _alone(self, trace: QueryTrace) -> Reply:
        judged: list[Judged] = []
        for judged in self._tries(trace):
            for one in judged:
                if reply := self._decider.ask_which(trace, one, judged) or self._answer_or_ask(trace, one):
                    return reply
        return self._decider.give_up(trace, judged, self._topic_names())

    def _in_context(self, trace: QueryTrace, question: Question) -> Reply:
        """Return the reply to a question that may go on with the matters of its history."""
        if (entry := self._counted_down(trace, question)) is not None:
            return self._answer_with(trace, entry)
        reads = self._reads(trace, question)
        weighed: dict[str, list[Weighed]] = {}
        in_order: list[tuple[AnswerSource, Sequence[Candidate], float]] = []
        for source in self._sources:
            if not self._weigher.weighs(source.name):
                read = _surest(reads, source.name)
                found = read.found[source.name].candidates
                in_order.append((source, found, read.confidence.get(source.name, 0.0)))
                continue
            weighed[source.name] = some = self._weigher.weigh(
                source.name, reads, question.history, self._pipeline.context.likeness
            )
            if some:
                signals = some[0].signals
                trace.signals |= {f"{source.name}.in_context.{name}": signals[name] for name in signals}
            candidates = (
                [one.candidate for one in some] if source.curated else _as_read(some, reads, source.name)
            )
            in_order.append((source, candidates, some[0].probability if some else 0.0))
        judged = self._decider.judge_in_context(trace, in_order)
        best, says_its_matter = judged[0], not names_no_matter(question.text)
        if says_its_matter and self._stands_alone(reads[ALONE], weighed.get(FAQ_SOURCE, ()), best):
            by_itself = self._alone(trace)
            if by_itself.decision.kind is not DecisionKind.NO_ANSWER:
                return by_itself
        is_general = trace.ambiguity is not None and trace.ambiguity.kind is not AmbiguityKind.NONE
        if best.verdict.is_open and (best.source != DOCUMENT_SOURCE or not (is_general and says_its_matter)):
            return self._answer(trace, best)
        if reply := self._by_its_words(trace, question, reads):
            return reply
        curated = [one for s in self._sources if s.curated for one in weighed.get(s.name, ())]
        return self._decider.offer_in_context(trace, curated, says_its_matter) or self._decider.give_up(
            trace, judged, self._topic_names()
        )

    def _counted_down(self, trace: QueryTrace, question: Question) -> FaqEntry | None:
        """Return the last entry when "còn mấy ngày nữa" asks for the days until a deadline of its answer."""
        last = self.entry(question.history[0].answer_id or "")
        is_asked = any(value.unit == COUNTDOWN for value in trace.reading.written_values)
        if last is None or not is_asked or not names_no_matter(question.text):
            return None
        return last if deadlines_in(last.answer) else None

    def _stands_alone(self, alone: Read, entries: Sequence[Weighed], best: Judged) -> bool:
        """Return whether a message is a question of its own: surely answered alone, or best understood alone."""
        if best.specific and best.verdict.is_open:
            return False
        if alone.confidence.get(FAQ_SOURCE, 0.0) >= self._pipeline.context.stands_alone:
            return True
        if not entries or best.source != FAQ_SOURCE:
            return False
        scores = {name: entries[0].signals[f"{name}.score"] for name in READINGS}
        return scores[ALONE] >= max(scores.values())

    def _moved(self, question: Question) -> str | None:
        """Return the last question about another matter ("còn ký túc xá?" after the library's hours), else None."""
        other = continuation(question.text)
        return with_matter(self.reader, question.history[0].question, other) if other else None

    def _by_its_words(self, trace: QueryTrace, question: Question, reads: Mapping[str, Read]) -> Reply | None:
        """Return a sure reply to the words of a message alone, or with the last question that they are a part of."""
        text = question.text
        last = reads.get("last") if names_nothing(text) or self._moved(question) else None
        reply = self._alone(trace if last is None else replace(trace, reading=last.reading))
        if reply.decision.kind is DecisionKind.ANSWER:
            return reply if reply.confidence >= self._pipeline.context.alone else None
        is_short = len(words(text)) < self._pipeline.clarify.fewest_words
        # An unnamed referent within a conversation is the matter before.
        is_named = not reply.decision.unnamed or all(matter.answer_id is None for matter in question.history)
        is_asked = reply.decision.kind is DecisionKind.CLARIFY and not (names_no_matter(text) or is_short)
        return reply if (is_asked and is_named) or reply.decision.missing else None

    def context_signals(self, question: Question) -> dict[str, list[tuple[Candidate, dict[str, float]]]]:
        """Return the candidates of each source for a question within its history, with their signals, to learn from."""
        reads = self._reads(self._read(question), question)
        return {
            name: self._weigher.signals(name, reads, question.history)
            for name in (FAQ_SOURCE, DOCUMENT_SOURCE)
        }

    def _reads(self, trace: QueryTrace, question: Question) -> dict[str, Read]:
        """Return what each reading of a question within its history finds."""
        reads = {}
        texts = completed_texts(question.text, question.history)
        if moved := self._moved(question):
            texts["last"] = moved
        for name, text in texts.items():
            reading = trace.reading if name == ALONE else self.reader.read(text)
            own = trace if name == ALONE else replace(trace, reading=reading, signals={}, thresholds={})
            found = self._retrieve(own, reading)
            confidence = {one.source: one.verdict.confidence for one in self._decider.judge(own, found)}
            reads[name] = Read(reading, {source.name: some for source, some in found}, confidence)
        return reads

    def _topic_names(self) -> list[tuple[str, str]]:
        return [(topic.id, topic.name) for topic in self.topics]

    def propose(self, question: Question) -> Reply:
        """Return the answer of `reply`, else that of the surest candidate, as if every gate were open.

        Calibration fits on it: `trace.signals` has every signal by name. Replies that do not depend on confidence stay:
        an empty question, another school, no applicable candidate, an answer that depends on the profile.
        """
        trace = self._read(question)
        if refused := self._refuse(trace):
            return refused
        judged: list[Judged] = []
        for judged in self._tries(trace):
            if any(one.verdict.is_open for one in judged):
                break
        found = [one for one in judged if one.candidates]
        if not found:
            return trace.gave_up(judged[-1].verdict.failed)
        opened = (one for one in found if one.verdict.is_open)
        best = next(opened, None) or max(found, key=lambda one: one.verdict.confidence)
        if self._pipeline.order is Order.MOST_PROBABLE and {Reason.SIMILARITY_LOW, Reason.MARGIN_LOW} & set(
            best.verdict.failed
        ):
            return trace.gave_up(best.verdict.failed)
        return self._decider.ask_which(trace, best, judged, proposing=True) or self._answer(trace, best)

    def reply_to_choice(self, payload: Mapping[str, str], profile: Profile) -> Reply:
        """Return the reply to a chosen option: `payload` names an FAQ entry or a passage.

        Raises KeyError when the index no longer has it.
        """
        if "passage" in payload:
            return self._reply_to_passage(payload["passage"], profile)
        chosen = self._entries[payload["faq"]]
        trace = self._read(Question(chosen.question, profile=profile))
        trace.topic = chosen.topic
        return self._answer_with(trace, chosen)

    def _answer_with(self, trace: QueryTrace, chosen: FaqEntry) -> Reply:
        """Return the answer of an entry, or of the one that asks the same for this student."""
        family = [entry for entry in self._index.faq if entry.family == chosen.family]
        family.sort(key=lambda entry: entry is not chosen)
        trace.candidates = [Candidate(FAQ_SOURCE, entry, 1.0) for entry in family]
        group = tuple(applicable(trace.candidates, trace.profile, self._today()))
        if not group:
            return trace.gave_up((Reason.NOT_APPLICABLE,))
        reply = self._answer(
            trace, Judged(FAQ_SOURCE, True, self._curated.answer, group, group, Verdict((), 1.0))
        )
        return replace(reply, resolved=chosen.question)

    def _reply_to_passage(self, key: str, profile: Profile) -> Reply:
        chosen = self._by_key[key]
        trace = self._read(Question(chosen.context[-1] if chosen.context else chosen.title, profile=profile))
        of_its_article = [p for p in self._index.passages if p.parent == chosen.parent and p is not chosen]
        near = [Candidate(DOCUMENT_SOURCE, passage, NEXT_TO_CHOSEN) for passage in of_its_article]
        trace.candidates = applicable(
            [Candidate(DOCUMENT_SOURCE, chosen, 1.0), *near], profile, self._today()
        )
        found = tuple(trace.candidates)
        if not found or found[0].item is not chosen:
            return trace.gave_up((Reason.NOT_APPLICABLE,))

        def answer(candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
            return extract(candidates, self._pipeline.extract, asked)

        return self._answer(trace, Judged(DOCUMENT_SOURCE, False, answer, found, found[:1], Verdict((), 1.0)))

    def related(self, question: Question, shown: str | None = None) -> tuple[Option, ...]:
        """Return other entries and passages on the matter of a question, without the answer `shown` (its id).

        Entries stand before passages. Empty when there are fewer than two.
        """
        trace = self._read(question)
        if self._refuse(trace):
            return ()
        found = {source.name: some.candidates for source, some in self._retrieve(trace, trace.reading)}
        limits, seen = self._pipeline.clarify, self._entries.get(shown or "")
        entries = [
            candidate
            for candidate in found.get(FAQ_SOURCE, ())
            if candidate.score >= (limits.offer or 0.0)
            and not (seen and isinstance(candidate.item, FaqEntry) and candidate.item.family == seen.family)
        ]
        ranked = [candidate for candidate in found.get(DOCUMENT_SOURCE, ()) if candidate.item.id != shown]
        margin = self._pipeline.extract.also_margin
        near = [candidate for candidate in ranked if candidate.score >= ranked[0].score - margin]
        return ambiguity_options(near, entries, limits.max_options)

    def without_profile(self, text: str, dimensions: Collection[str]) -> str:
        """Return a question without its mentions of the student's `dimensions`, to ask it for another student."""
        return self.reader.wording.without(clean(text, MAX_QUESTION_CHARS), dimensions)

    def search(self, text: str, count: int) -> list[str]:
        """Return the ids of at most `count` documents, ranked by their best passage.

        A pipeline without the document source ranks the documents that its FAQ entries cite.
        """
        said = self.reader.read(text)
        if said.is_empty or not (self._index.passages or self._index.faq):
            return []
        profile = self._known_of(UNKNOWN_STUDENT, said)
        everything = len(self._index.passages) + len(self._index.faq)
        first = in_search_order(self._sources)[0]
        ranked = first.search(self._lookup(said, profile), everything).candidates
        found = dict.fromkeys(document for candidate in ranked for document in documents_of(candidate))
        return list(found)[:count]

    # --- read -------------------------------------------------------------------------------------------------------

    def _read(self, question: Question) -> QueryTrace:
        stages_ms: dict[str, float] = {}
        reading = question.reading or self._timed_reading(question.text, stages_ms)
        profile = self._known_of(question.profile, reading)
        trace = QueryTrace(
            reading, profile, self._pipeline.name, self.index_version, list(self._pipeline.notes)
        )
        trace.known, trace.filled = question.known, question.filled
        trace.stages_ms.update(stages_ms)
        return trace

    def _known_of(self, profile: Profile, reading: Reading) -> Profile:
        """Return `profile` with the values that the message names, and those that follow from them."""
        known = profile.with_values(reading.values(self.catalog.dimension_ids))
        return known.with_values(self.catalog.implied(known.values))

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

    def _refuse(self, trace: QueryTrace) -> Reply | None:
        """Return the reply to a message that is not looked up; None for a question."""
        if trace.reading.is_empty:
            return trace.gave_up((Reason.EMPTY_QUESTION,))
        if trace.reading.foreign_institution:
            trace.notes.append(f"about another school: {trace.reading.foreign_institution}")
            return trace.gave_up((Reason.FOREIGN_SCHOOL,))
        if trace.reading.small_talk:
            trace.notes.append(f"small talk: {trace.reading.small_talk.value}")
            return trace.gave_up((Reason.SMALL_TALK,))
        return None

    def _tries(self, trace: QueryTrace) -> Iterator[list[Judged]]:
        """Yield the judged candidates of all sources, for one wording of the question after the other."""
        for attempt, said in enumerate(reformulations(trace.reading, self._pipeline.tries)):
            if attempt:
                trace.notes.append(f"looked up again as: {said.asked}")
            found = self._retrieve(trace, said)
            with trace.stage("decide"):
                judged = self._decider.judge(trace, found)
            yield judged

    # --- retrieve ---------------------------------------------------------------------------------------------------

    def _retrieve(self, trace: QueryTrace, said: Reading) -> list[tuple[AnswerSource, Found]]:
        """Return the applicable candidates of each source, in the order of the preset."""
        today = self._today()
        with trace.stage("embed"):
            lookup = self._lookup(said, trace.profile)
        lookup = replace(
            lookup,
            admits=lambda item: is_applicable(item, trace.profile, today),
            known=trace.known,
            filled=trace.filled,
            today=today,
        )
        found: dict[str, Found] = {}
        for source in in_search_order(self._sources):
            with trace.stage(source.name):
                found[source.name] = source.search(replace(lookup, found=dict(found)))
        in_order = [(source, found[source.name]) for source in self._sources]
        trace.candidates = [c for _, some in in_order for c in some.candidates[:TRACED_CANDIDATES]]
        return in_order

    def _lookup(self, said: Reading, profile: Profile) -> Lookup:
        vector = said.vector
        if vector is None or said.embedder != self._embedder.name:
            vector = self._embedder.query(said.embedded)
        topic = self._router.route(said.topics, vector) if self._router else None
        return Lookup(said, vector, said.topics, profile, topic)

    # --- answer -----------------------------------------------------------------------------------------------------

    def _answer_or_ask(self, trace: QueryTrace, judged: Judged) -> Reply | None:
        """Return the answer of a source, or a choice between its readings; None when its gate is shut."""
        if judged.candidates and judged.curated:
            trace.topic = judged.candidates[0].item.topic
        if judged.verdict.is_open:
            return self._answer(trace, judged)
        return self._decider.offer_readings(trace, judged)

    def _answer(self, trace: QueryTrace, judged: Judged) -> Reply:
        """Return the answer of the best candidate, or ask for the dimension that it depends on."""
        group, candidates = judged.group, judged.candidates
        if judged.curated:
            group = tuple(widest_first(group, trace.profile, self.catalog))
            candidates = (group[0], *(other for other in candidates if other is not group[0]))
        best = candidates[0]
        trace.topic = best.item.topic or trace.topic
        computation = best.meta.get(COMPUTATION)
        if computation is not None and computation.needs is not None:
            needs = computation.needs
            reason = Reason.VALUE_OUT_OF_RANGE if needs.wrong else Reason.DEPENDS_ON_VALUE
            asks = Decision(DecisionKind.CLARIFY, (reason,), needs=needs)
            return trace.asked_back(asks, best.source, (), judged.verdict.confidence, computation.values)
        dimension = missing_dimension(group, trace.profile, self.catalog)
        if computation is not None and computation.missing is not None:
            dimension = computation.missing
        if dimension is not None:
            options = profile_options(dimension, group, trace.profile, self.catalog)
            decision = Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), (dimension,))
            values = computation.values if computation is not None else None
            reply = trace.asked_back(decision, best.source, options, min(best.score, 1.0), values)
            return replace(reply, resolved=resolved_question(trace.reading.text, best.item, ()))
        with trace.stage("answer"):
            text, citations = judged.answer(candidates, trace.reading.asked)
            if left := time_left(text, trace.reading, self._today()):
                text = f"{left}\n\n{text}"
            cards = cards_of(
                text, best.item, self.catalog, self.topics, "en" if trace.reading.is_english else "vi"
            )
        used = computation.depends_on if computation is not None else ()
        depends_on = tuple(
            d
            for d in self.catalog.dimension_ids
            if d in used or any(c.item.applies_to.values(d) for c in group)
        )
        reply = trace.answered(
            best,
            judged.verdict.confidence,
            text,
            citations,
            depends_on,
            cards,
            curated=judged.curated,
            values=computation.values if computation is not None else None,
        )
        return replace(reply, left_out=left_out(best.item.applies_to, trace.profile, self.catalog))


def _surest(reads: Mapping[str, Read], source: str) -> Read:
    """Return the reading within which a source is the most probable to answer."""
    return max(reads.values(), key=lambda read: read.confidence.get(source, 0.0))


def _as_read(weighed: Sequence[Weighed], reads: Mapping[str, Read], source: str) -> list[Candidate]:
    """Return the best passage, and behind it the others of the reading that ranks it highest, with their scores."""
    if not weighed:
        return []
    best = weighed[0]
    readings = [name for name in reads if f"{name}.rank" in best.signals]
    name = max(readings, key=lambda reading: best.signals[f"{reading}.rank"])
    ranked = reads[name].found[source].candidates
    first = next(
        (candidate for candidate in ranked if candidate.item.id == best.candidate.item.id), best.candidate
    )
    return [first, *(candidate for candidate in ranked if candidate is not first)]


def reader_of(index: Index, embedder: Embedder) -> Reader:
    """Return the reader of an index. A classifier that learnt from E5 keeps it, whatever embeds the passages."""
    classifier = index.classifier
    if classifier is not None and classifier.embedder != embedder.name:
        return Reader(index.reading, SentenceEmbedder(), classifier)
    return Reader(index.reading, embedder, classifier)
