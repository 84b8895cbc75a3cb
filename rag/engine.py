"""The engine: what the other packages ask of an index, by itself or within a conversation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from rag.answer.combined import combined_reply
from rag.answer.compute import values_said
from rag.answer.extract import extract
from rag.answer_sources.source import documents_of, in_search_order
from rag.conversational_qa import ConversationalQA
from rag.decide.calibration import load_calibration
from rag.decide.context import resolved_question, with_latest
from rag.decide.decider import Judged
from rag.decide.gate import Chosen, Verdict
from rag.decide.probability import shipped_models
from rag.generated_qa import Draft, GeneratedQA
from rag.index.format import Index
from rag.index.versions import open_index
from rag.language_model.exchange import ModelAccess
from rag.pipeline import Order, Pipeline, load_pipeline
from rag.query.ambiguity import ambiguity_options, passage_key
from rag.query.applicability import applicable
from rag.query.bare_names import BareNames
from rag.query.message_editing import (
    MOST_QUOTED,
    MessagePart,
    clauses_of_story,
    message_parts,
    named_value,
)
from rag.question_answering import QuestionAnswering
from rag.rerank.ranking_model import RankingModel, ranking_in_force
from rag.retrieve.embedder import Embedder, load_embedder
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    GRAPH_SOURCE,
    Candidate,
    Citation,
    Decision,
    DecisionKind,
    FaqEntry,
    FollowUp,
    Matter,
    Option,
    Question,
    Reason,
    Reply,
)
from school.catalog import Catalog, Topic
from school.dimensions import Profile
from school.reading import Reading
from vietnamese.text import MAX_QUESTION_CHARS, clean
from vietnamese.written_values import WrittenValue

NEXT_TO_CHOSEN = 0.9
"""The score of the other passages of a chosen passage's article, so that they may be quoted with it (score 1)."""

LEAST_OF_STORY = 0.5
"""The probability from which an entry for a clause of a story is worth telling, where nothing else is found."""

SURE_OF_NAMES = 0.8
"""The probability from which the graph's answer to such a clause counts."""

MOST_OUT_OF_SCOPE = 0.5
"""The probability up to which a story may be about a matter of the school."""

UNTELLING_UNITS = frozenset({"credits", "points"})
"""The units whose values alone do not say of what they are: 18 credits of a term, or of the whole study so far."""

_OF_WHOLE = frozenset({Reason.NOT_PUBLISHED, Reason.QUERY_RULE})
"""The reasons of replies that hold for all questions of a message."""


class Engine:
    """Answers questions from one index with one pipeline. Immutable once opened, so thread-safe."""

    def __init__(
        self,
        index: Index,
        pipeline: Pipeline,
        embedder: Embedder,
        today: Callable[[], date] | None = None,
        chosen: Chosen | None = None,
        ranking: RankingModel | None = None,
        model: ModelAccess | None = None,
    ) -> None:
        """`model` words answers where the pipeline has a rule for it; None: they stay curated, computed or verbatim."""
        self._index = index
        self._pipeline = pipeline
        self._alone = QuestionAnswering(index, pipeline, embedder, today, chosen or Chosen(), ranking)
        self._in_context = ConversationalQA(self._alone)
        rule = pipeline.generation
        self._generated = (
            GeneratedQA(self._alone, model, rule) if model is not None and rule is not None else None
        )
        self.reader = self._alone.reader
        self._bare_names = BareNames(self._alone.catalog)
        self._by_key = {passage_key(passage): passage for passage in index.published}

    @classmethod
    def open(
        cls,
        index: Path,
        preset: str = "covan",
        embedder: Embedder | None = None,
        chosen: Chosen | None = None,
        today: Callable[[], date] | None = None,
        model: ModelAccess | None = None,
    ) -> Engine:
        """Open an index with its own ranking model and, unless `chosen` is given, its own calibration.

        Raises IndexUnusableError or SettingsError.
        """
        embedder = embedder or load_embedder()
        return cls.over(open_index(index, embedder), index, preset, embedder, chosen, today, model)

    @classmethod
    def over(
        cls,
        opened: Index,
        index: Path,
        preset: str,
        embedder: Embedder,
        chosen: Chosen | None = None,
        today: Callable[[], date] | None = None,
        model: ModelAccess | None = None,
    ) -> Engine:
        """Return an engine over an opened index, or a draft of one, with the models in the folder `index`.

        Raises SettingsError.
        """
        chosen = chosen or Chosen(shipped_models(preset), load_calibration(index, preset))
        ranking = ranking_in_force(index, embedder.name)
        return cls(opened, load_pipeline(preset), embedder, today, chosen, ranking, model)

    @property
    def index(self) -> Index:
        """The index that it answers by."""
        return self._index

    @property
    def index_version(self) -> str:
        return self._index.manifest.version

    @property
    def graph_fault(self) -> str:
        """Why the index's knowledge graph cannot be used; empty when it can, or when there is none."""
        return self._index.graph_fault

    @property
    def catalog(self) -> Catalog:
        return self._alone.catalog

    @property
    def topics(self) -> tuple[Topic, ...]:
        return self._alone.topics

    def entry(self, entry_id: str) -> FaqEntry | None:
        """Return the FAQ entry with this id; None when the index has none."""
        return self._alone.entry(entry_id)

    def entry_of(self, owner: str) -> FaqEntry | None:
        """Return the first FAQ entry that an office owns; None when it owns none."""
        return next((entry for entry in self._alone.entries.values() if entry.owner == owner), None)

    def named_value(self, dimension: str, text: str) -> str | None:
        """Return the value that a short reply to "which cohort / programme / major?" names; None for none or several.

        "luật" names a major there.
        """
        return named_value(self.reader, text, dimension, self.catalog)

    def with_bare_name(self, text: str, dimension: str) -> str | None:
        """Return a short message with the bare name of a value in full, or None (`rag.query.bare_names`)."""
        return self._bare_names.written_out(text, dimension)

    def inputs_of(self, values: Sequence[WrittenValue]) -> Mapping[str, float | str]:
        """Return the inputs of calculators that take values of a message; of credits or points alone, none."""
        telling = [value for value in values if value.unit not in UNTELLING_UNITS]
        return values_said(self.index.calculators, telling)

    def is_published(self, said: Reading) -> bool:
        """Return whether an office's phrasing or a query rule is in the words of a message."""
        return self._alone.is_published(said)

    def reply(self, question: Question) -> Reply:
        """Answer `question`, whatever its text; ask back; or return a reply without an answer.

        Each question of a message is answered, unless one curated answer covers them all.
        """
        parts = message_parts(self.reader, question.text, self.catalog) if self._pipeline.splits else ()
        whole = self._draft(question)
        # "Trường có hồ bơi không, mở cửa mấy giờ" is about one thing; its second part alone would get other hours.
        # A query rule is for the whole message.
        is_of_one = not _OF_WHOLE.isdisjoint(whole.reply.decision.reasons)
        several = parts if len(parts) > 1 and not is_of_one else ()
        is_unsure = Reason.CONFIDENCE_LOW in whole.reply.decision.reasons
        if (
            not several
            and is_unsure
            and whole.reply.decision.kind is DecisionKind.NO_ANSWER
            and (told := self._of_story(question, whole))
        ):
            return told
        return self._finished(question, whole, several, self._drafts(question, several))

    def _drafts(self, question: Question, parts: Sequence[MessagePart]) -> list[Draft]:
        """Return the replies to the questions of a message, each in the context of those before it."""
        drafts: list[Draft] = []
        history = question.history
        for part in parts:
            asked = replace(question, text=part.text, reading=None)
            drafts.append(draft := self._in_order(asked, history))
            if draft.reply.decision.kind is DecisionKind.ANSWER:
                history = with_latest(
                    history, Matter(draft.reply.resolved or part.text, draft.reply.answer_id)
                )
        return drafts

    def _of_story(self, question: Question, whole: Draft) -> Reply | None:
        """Return the entry that answers a clause of a long message, or a choice of several; None without one.

        "Ba em nằm viện, nhà em hết tiền, học phí kỳ này em chưa đóng mà nghe nói sẽ bị cấm thi, em sợ lắm" asks nothing
        in so many words, and as a whole is like nothing.
        """
        found: dict[str, Reply] = {}
        if whole.trace.signals.get("reading.out_of_scope", 0.0) > MOST_OUT_OF_SCOPE:
            return None
        for clause in clauses_of_story(clean(question.text, MAX_QUESTION_CHARS)):
            reply = self._draft(replace(question, text=clause, reading=None, history=())).reply
            entry = self._alone.entry(reply.answer_id or "")
            if entry is not None and not entry.never_offered and reply.confidence >= LEAST_OF_STORY:
                found.setdefault(entry.question, replace(reply, question=entry.question))
            elif reply.source == GRAPH_SOURCE and reply.confidence >= SURE_OF_NAMES:
                # "Thầy Lộc có email không, em cần xin chữ ký": what the graph says of a name is of that clause.
                return replace(reply, question=clause)
        if len(found) < 2:
            return next(iter(found.values()), None)
        options = [Option(asked, {"faq": str(reply.answer_id)}) for asked, reply in found.items()]
        decision = Decision(DecisionKind.CLARIFY, (Reason.SEVERAL_READINGS,))
        surest = max(reply.confidence for reply in found.values())
        return replace(whole.trace.asked_back(decision, FAQ_SOURCE, options, surest), resolved=question.text)

    def _in_order(self, question: Question, history: tuple[Matter, ...]) -> Draft:
        """Return the reply within a history; without it where nothing is found, or the profile alone is missing."""
        draft = self._draft(replace(question, history=history))
        decision = draft.reply.decision
        if history == question.history or decision.kind is DecisionKind.ANSWER or decision.missing:
            return draft
        alone = self._draft(question)
        is_lost = decision.kind is DecisionKind.NO_ANSWER or bool(alone.reply.decision.missing)
        return alone if is_lost else draft

    def _draft(self, question: Question) -> Draft:
        """Return the reply to one question as the sources give it."""
        trace = self._alone.read(question)
        if settled := self._alone.reply_without_lookup(trace):
            return Draft(settled, trace)
        reply = self._in_context.reply(trace, question) if question.history else self._alone.reply(trace)
        reply = self._in_context.of_own_matter(trace, reply)
        if not (reply := self._alone.of_the_year(trace, reply)).resolved:
            answer = self._in_context.item(reply.answer_id)
            resolved = resolved_question(question.text, answer, question.history)
            reply = replace(reply, resolved=resolved)
        return Draft(reply, trace)

    def _finished(
        self, question: Question, whole: Draft, parts: Sequence[MessagePart], drafts: Sequence[Draft]
    ) -> Reply:
        """Return the reply to a message with so many parts, worded by the model where there is one."""

        def together(replies: Iterable[Reply]) -> Reply:
            return combined_reply(whole.reply, list(map(self._headed, replies, parts)))

        combined = together(draft.reply for draft in drafts) if drafts else whole.reply
        if self._generated is None:
            return combined
        exchange = self._generated.exchange()
        if combined is not whole.reply:
            return together([self._generated.finished(draft, exchange) for draft in drafts])
        if text := self._generated.rewritten(question, whole, exchange):
            again = self._draft(replace(question, text=text, reading=None, history=()))
            whole = whole if again.reply.decision.kind is DecisionKind.NO_ANSWER else again
        return self._generated.finished(whole, exchange)

    def _headed(self, reply: Reply, part: MessagePart) -> Reply:
        """Return the reply to a part of a message with what is to stand above it: the student's words.

        In place of a long story, it is the question of the entry that answers it.
        """
        entry = self._alone.entry(reply.answer_id or "") if len(part.typed) > MOST_QUOTED else None
        return replace(reply, question=entry.question if entry is not None else part.typed)

    def context_signals(
        self, question: Question, without: Collection[FollowUp] = frozenset()
    ) -> dict[str, list[tuple[Candidate, dict[str, float]]]]:
        """Return the candidates of each source for a question within its history, with their signals, to learn from.

        The follow-ups `without` take no part.
        """
        return self._in_context.signals(question, without)

    def propose(self, question: Question) -> Reply:
        """Return the answer of `reply`, else that of the surest candidate, as if every gate were open.

        Calibration fits on it: `trace.signals` has every signal by name. Replies that do not depend on confidence stay:
        an empty question, another school, no applicable candidate, an answer that depends on the profile.
        """
        trace = self._alone.read(question)
        if settled := self._alone.reply_without_lookup(trace):
            return settled
        judged: list[Judged] = []
        for judged in self._alone.tries(trace):
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
        return self._alone.decider.ask_which(trace, best, judged, proposing=True) or self._alone.answer(
            trace, best
        )

    def reply_to_choice(self, payload: Mapping[str, str], profile: Profile) -> Reply:
        """Return the reply to a chosen option: `payload` names an FAQ entry or a passage.

        Raises KeyError when the index no longer has it.
        """
        if "passage" in payload:
            return self._reply_to_passage(payload["passage"], profile)
        chosen = self._alone.entries[payload["faq"]]
        trace = self._alone.read(Question(chosen.question, profile=profile))
        trace.topic = chosen.topic
        return self._alone.answer_with(trace, chosen)

    def _reply_to_passage(self, key: str, profile: Profile) -> Reply:
        chosen = self._by_key[key]
        trace = self._alone.read(
            Question(chosen.context[-1] if chosen.context else chosen.title, profile=profile)
        )
        of_its_article = [p for p in self._index.passages if p.parent == chosen.parent and p is not chosen]
        near = [Candidate(DOCUMENT_SOURCE, passage, NEXT_TO_CHOSEN) for passage in of_its_article]
        trace.candidates = applicable(
            [Candidate(DOCUMENT_SOURCE, chosen, 1.0), *near], profile, self._alone.today()
        )
        found = tuple(trace.candidates)
        if not found or found[0].item is not chosen:
            return trace.gave_up((Reason.NOT_APPLICABLE,))

        def answer(candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
            return extract(candidates, self._pipeline.extract, asked)

        judged = Judged(DOCUMENT_SOURCE, False, answer, found, found[:1], Verdict((), 1.0))
        return self._alone.answer(trace, judged)

    def related(self, question: Question, shown: str | None = None) -> tuple[Option, ...]:
        """Return other entries and passages on the matter of a question, without the answer `shown` (its id).

        Entries stand before passages. Empty when there are fewer than two.
        """
        trace = self._alone.read(question)
        if self._alone.reply_without_lookup(trace):
            return ()
        found = {source.name: some.candidates for source, some in self._alone.retrieve(trace, trace.reading)}
        limits, seen = self._pipeline.clarify, self._alone.entry(shown or "")
        entries = [
            candidate
            for candidate in found.get(FAQ_SOURCE, ())
            if candidate.likeness >= (limits.offer or 0.0)
            and not (seen and isinstance(candidate.item, FaqEntry) and candidate.item.family == seen.family)
        ]
        entries.sort(key=lambda candidate: -candidate.likeness)
        ranked = [candidate for candidate in found.get(DOCUMENT_SOURCE, ()) if candidate.item.id != shown]
        margin = self._pipeline.extract.also_margin
        near = [candidate for candidate in ranked if candidate.score >= ranked[0].score - margin]
        return ambiguity_options(near, entries, limits.max_options)

    def without_profile(self, text: str, dimensions: Collection[str]) -> str:
        """Return a question without its mentions of the student's `dimensions`, to ask it for another student."""
        return self.reader.wording.without(clean(text, MAX_QUESTION_CHARS), dimensions)

    def candidates(self, question: Question, source: str) -> tuple[Candidate, ...]:
        """Return what one source finds for a question, best first, whatever its gate says.

        Empty for a message that is not looked up (`reply` refuses it), and for a source that the pipeline lacks.
        """
        trace = self._alone.read(question)
        if self._alone.reply_without_lookup(trace):
            return ()
        found = {each.name: some for each, some in self._alone.retrieve(trace, trace.reading)}
        return found[source].candidates if source in found else ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the pipeline's answer sources."""
        return tuple(source.name for source in self._alone.sources)

    def search(self, text: str, count: int) -> list[str]:
        """Return the ids of at most `count` documents, ranked by their best passage that may answer today.

        Documents without such a passage come last: old prices, rules of other cohorts. A pipeline without the document
        source ranks the documents that its FAQ entries cite.
        """
        trace = self._alone.read(Question(text))
        if trace.reading.is_empty or not (self._index.passages or self._index.faq):
            return []
        everything = len(self._index.passages) + len(self._index.faq)
        lookup = self._alone.lookup(trace.reading, trace.profile)
        some = in_search_order(self._alone.sources)[0].search(lookup, everything).candidates
        admits = self._alone.admits(trace)
        ranked = sorted(some, key=lambda candidate: not admits(candidate.item))
        found = dict.fromkeys(document for candidate in ranked for document in documents_of(candidate))
        return list(found)[:count]
