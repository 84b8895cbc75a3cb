"""Generated answers in the place of extracts, after the decision; without a model's help the reply stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rag.answer.cards import cards_of
from rag.answer.generate import Answerer, Asked, GeneratedAnswer, Search, fallback_answer, standalone_question
from rag.answer.study_answers import study_texts
from rag.answer.study_generation import evidence_in, further_exercises, summary_of
from rag.answer_sources.source import SAID
from rag.answer_sources.study import STUDY
from rag.decide.clarify import needs_dimension
from rag.language_model.exchange import Exchange, ModelAccess
from rag.language_model.injection import addresses_model
from rag.language_model.masking import Masked, masked
from rag.language_model.types import ModelUnavailableError
from rag.pipeline import GenerationRule
from rag.query.ambiguity import passage_key
from rag.query.applicability import is_applicable
from rag.query.study_request import StudyKind
from rag.query_trace import QueryTrace
from rag.question_answering import QuestionAnswering
from rag.registry import registered
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    GRAPH_SOURCE,
    MODEL_SOURCE,
    STUDY_SOURCE,
    Candidate,
    Decision,
    DecisionKind,
    FaqEntry,
    Option,
    Passage,
    Question,
    Reason,
    Reply,
    Source,
)
from school.dimensions import Profile
from vietnamese.language_detection import Language
from vietnamese.text import words

_MAY_BE_NEAR = frozenset({Reason.CONFIDENCE_LOW, Reason.MARGIN_LOW})
_NOTHING_PUBLISHED = _MAY_BE_NEAR | {Reason.SIMILARITY_LOW, Reason.NOTHING_FOUND, Reason.TOPIC_MISMATCH}


@dataclass(frozen=True, slots=True)
class Draft:
    """A reply before generation, with the trace that led to it."""

    reply: Reply
    trace: QueryTrace


class GeneratedQA:
    """Words the answers of documents, and writes help with studying, by a language model. Immutable, so thread-safe."""

    def __init__(self, alone: QuestionAnswering, access: ModelAccess, rule: GenerationRule) -> None:
        self._alone = alone
        self._access = access
        self._rule = rule
        self._answerer: Answerer = registered("answerers", rule.answerer)(rule)
        self._by_id = {passage.id: passage for passage in alone.index.passages}
        self._by_place = {(p.document_id, p.locator): p for p in alone.index.passages}

    def exchange(self) -> Exchange:
        """Return the calls for one message."""
        return self._access.exchange(self._rule.max_calls)

    def rewritten(self, question: Question, draft: Draft, exchange: Exchange) -> str:
        """Return a follow-up that found no answer as a question of its own; empty when there is none.

        Its words are those of the message and of the questions before it, so that no model decides what is asked.
        """
        is_unanswered = set(draft.reply.decision.reasons) <= _NOTHING_PUBLISHED
        if (
            draft.reply.decision.kind is not DecisionKind.NO_ANSWER
            or not is_unanswered
            or not question.history
        ):
            return ""
        earlier = [matter.question for matter in question.history]
        if any(map(addresses_model, (question.text, *earlier))):
            return ""
        language: Language = "en" if draft.trace.reading.is_english else "vi"
        lines = (" ".join(text.split()) for text in (question.text, *earlier))
        whole = self._masked("\n".join(lines), draft, language)
        first, *before = whole.text.split("\n")
        try:
            text = standalone_question(Asked(replace(whole, text=first), language), before, exchange)
        except ModelUnavailableError:
            return ""
        return "" if text == question.text else text

    def _masked(self, text: str, draft: Draft, language: Language) -> Masked:
        mentions = self._alone.reader.wording.link(text)
        return masked(text, mentions, draft.trace.profile, self._alone.catalog, language)

    def finished(self, draft: Draft, exchange: Exchange) -> Reply:
        """Return the reply with a generated answer where the rule allows one and the verifier lets it through."""
        try:
            is_study = draft.reply.source == STUDY_SOURCE
            reply = self._studied(draft, exchange) if is_study else self._finished(draft, exchange)
        except ModelUnavailableError:
            reply = draft.reply
        calls = exchange.unreported()
        return replace(reply, trace=replace(reply.trace, model_calls=calls)) if calls else reply

    def _finished(self, draft: Draft, exchange: Exchange) -> Reply:
        reply = draft.reply
        # The verifier compares words: an English answer from Vietnamese passages could not be checked.
        if reply.parts or draft.trace.reading.is_english or not self._access.words_documents:
            return reply
        if reply.decision.kind is DecisionKind.ANSWER and reply.source == DOCUMENT_SOURCE:
            return self._result(draft, self._generated(draft, exchange))
        if reply.decision.kind is not DecisionKind.NO_ANSWER:
            return reply
        if self._are_several_near(draft):
            return self._result(draft, self._generated(draft, exchange))
        if self._access.fallback and set(reply.decision.reasons) <= _NOTHING_PUBLISHED:
            return self._by_itself(draft, exchange)
        return reply

    def _studied(self, draft: Draft, exchange: Exchange) -> Reply:
        """Return the summary of the chapter that is asked about, or the reply with further exercises behind it."""
        reply, rule, temperature = draft.reply, self._rule, self._access.temperature
        task = next((c.meta[STUDY] for c in draft.trace.candidates if STUDY in c.meta), None)
        if task is None or draft.trace.reading.is_english or not self._access.writes_study:
            return reply
        if not (passages := evidence_in(task.answer.sources, rule)):
            return reply
        if task.kind is StudyKind.SUMMARY:
            summary = summary_of(passages, exchange, rule, temperature)
            if summary.text:
                reply = replace(reply, text=summary.text, citations=summary.citations)
            return _noted(reply, summary)
        known = reply.text.splitlines()
        written = further_exercises(passages, known, len(reply.citations), exchange, rule, temperature)
        if written.text:
            text = f"{reply.text}\n\n{study_texts('vi')['generated']}\n\n{written.text}"
            reply = replace(reply, text=text, citations=(*reply.citations, *written.citations))
        return _noted(reply, written)

    def _result(self, draft: Draft, generated: GeneratedAnswer) -> Reply:
        """Return the generated answer or question back; the reply as it was when there is neither."""
        if generated.text:
            return self._worded(draft, generated)
        options = tuple({option.title: option for option in map(_as_option, generated.choices)}.values())
        if len(options) < 2:
            return _noted(draft.reply, generated)
        decision = Decision(DecisionKind.CLARIFY, (Reason.SEVERAL_READINGS,))
        asks = replace(draft.reply, decision=decision, text="", citations=(), cards=(), options=options)
        return _with_note(asks, "the model asks back")

    def _generated(self, draft: Draft, exchange: Exchange) -> GeneratedAnswer:
        passages = self._evidence(draft)
        first = next(self._candidates(draft), None)
        # Without its best passage the question has no answer.
        if not passages or passages[0] is not first or addresses_model(draft.reply.question):
            return GeneratedAnswer()
        asked = replace(self._asked(draft), searches=self._searches(draft))
        return self._answerer.answer(asked, passages, exchange, self._access.temperature)

    def _searches(self, draft: Draft) -> dict[str, Search]:
        """Return the searches that an agent may make for this student: of passages, and of the graph where it is."""
        profile = draft.trace.profile
        alone = self._alone

        def passages(query: str) -> list[Passage]:
            found = self._candidates_of(query, profile, DOCUMENT_SOURCE)
            return self._holding((c.item for c in found if isinstance(c.item, Passage)), profile)

        def entries(query: str) -> list[Passage]:
            found = self._candidates_of(query, profile, FAQ_SOURCE)
            return self._holding(
                (_as_passage(c.item) for c in found if isinstance(c.item, FaqEntry)), profile
            )

        def graph(query: str) -> list[Passage]:
            said = [c.meta[SAID] for c in self._candidates_of(query, profile, GRAPH_SOURCE)[:1]]
            return [
                Passage(f"graph:{number}", f"{text}\n{c.quote}", c.document_id, c.title, c.locator, url=c.url)
                for text, citations in said
                for number, c in enumerate(citations)
            ]

        by_source = {
            DOCUMENT_SOURCE: ("search_passages", passages),
            GRAPH_SOURCE: ("query_graph", graph),
            FAQ_SOURCE: ("search_faq", entries),
        }
        names = {source.name for source in alone.sources}
        return {name: search for source, (name, search) in by_source.items() if source in names}

    def _candidates_of(self, query: str, profile: Profile, source: str) -> Sequence[Candidate]:
        trace = self._alone.read(Question(query, profile=profile))
        if self._alone.reply_without_lookup(trace):
            return ()
        found = {each.name: some for each, some in self._alone.retrieve(trace, trace.reading)}
        return found[source].candidates if source in found else ()

    def _asked(self, draft: Draft) -> Asked:
        text = draft.reply.resolved or draft.reply.question
        language: Language = "en" if draft.trace.reading.is_english else "vi"
        return Asked(self._masked(text, draft, language), language)

    def _evidence(self, draft: Draft) -> list[Passage]:
        """Return the passages for the model: the extract's own first, then the next candidates.

        All of them hold for this student today, whatever is still unknown of the profile.
        """
        return self._holding(dict.fromkeys(self._candidates(draft)), draft.trace.profile)

    def _holding(self, passages: Iterable[Passage], profile: Profile) -> list[Passage]:
        """Return the first of `passages` that hold for a student, as many as the rule gives to the model."""
        rule, today, chosen = self._rule, self._alone.today(), list[Passage]()
        room = rule.max_words
        for passage in passages:
            candidate = Candidate(DOCUMENT_SOURCE, passage, 1.0)
            size = len(words(passage.text))
            if len(chosen) == rule.passages or (chosen and size > room):
                break
            holds = is_applicable(passage, profile, today) and not addresses_model(passage.text)
            if holds and not needs_dimension([candidate], profile, self._alone.catalog):
                chosen.append(passage)
                room -= size
        return chosen

    def _candidates(self, draft: Draft) -> Iterator[Passage]:
        reply = draft.reply
        if (best := self._by_id.get(reply.answer_id or "")) is not None:
            yield best
        for citation in reply.citations:
            if (cited := self._by_place.get((citation.document_id, citation.locator))) is not None:
                yield cited
        for candidate in draft.trace.candidates:
            if candidate.source == DOCUMENT_SOURCE and isinstance(candidate.item, Passage):
                yield candidate.item

    def _are_several_near(self, draft: Draft) -> bool:
        """Return whether the gate is shut only because none of several near passages is surely the answer."""
        near, reply = self._rule.near, draft.reply
        if (
            near is None
            or not set(reply.decision.reasons) <= _MAY_BE_NEAR
            or reply.confidence < near.confidence
        ):
            return False
        if draft.trace.signals.get("reading.out_of_scope", 0.0) > near.out_of_scope:
            return False
        scores = [c.score for c in draft.trace.candidates if c.source == DOCUMENT_SOURCE]
        return len(scores) > 1 and scores[0] - scores[1] <= near.margin

    def _worded(self, draft: Draft, generated: GeneratedAnswer) -> Reply:
        reply, alone = draft.reply, self._alone
        passage = next(self._candidates(draft))
        language: Language = "en" if draft.trace.reading.is_english else "vi"
        worded = replace(
            reply,
            decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
            source=DOCUMENT_SOURCE,
            text=generated.text,
            citations=generated.citations,
            options=(),
            answer_id=reply.answer_id or passage.id,
            topic=reply.topic or passage.topic,
            cards=cards_of(generated.text, None, passage.topic, alone.catalog, alone.topics, language),
        )
        return _noted(worded, generated)

    def _by_itself(self, draft: Draft, exchange: Exchange) -> Reply:
        if addresses_model(draft.reply.question):
            return draft.reply
        text = fallback_answer(self._asked(draft), self._rule, exchange, self._access.temperature)
        if not text:
            return draft.reply
        answered = Decision(DecisionKind.ANSWER, draft.reply.decision.reasons)
        reply = replace(
            draft.reply, decision=answered, source=MODEL_SOURCE, text=text, options=(), confidence=0.0
        )
        return _with_note(reply, "the model answers alone (COVAN_LLM_FALLBACK)")


def _as_passage(entry: FaqEntry) -> Passage:
    """Return an FAQ entry as evidence."""
    source = entry.sources[0] if entry.sources else Source(entry.id)
    return Passage(
        f"{FAQ_SOURCE}:{entry.id}",
        f"{entry.question}\n{entry.answer}",
        source.document,
        entry.question,
        source.locator,
        entry.topic,
        entry.applies_to,
    )


def _as_option(passage: Passage) -> Option:
    if passage.id.startswith(f"{FAQ_SOURCE}:"):
        return Option(passage.title, {"faq": passage.id.partition(":")[2]})
    title = passage.context[-1] if passage.context else passage.title
    return Option(title, {"passage": passage_key(passage)})


def _noted(reply: Reply, generated: GeneratedAnswer) -> Reply:
    """Return the reply with notes on the generated answer in its trace."""
    if not generated.abstained and not generated.supported and not generated.dropped:
        return reply
    if generated.abstained:
        return _with_note(reply, "the model abstained")
    if generated.text:
        reply = _with_note(reply, "worded by the model")
    reply = replace(reply, trace=replace(reply.trace, dropped=generated.dropped))
    counts = Counter(sentence.reason for sentence in generated.dropped)
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))
    said = f"the model's sentences: {generated.supported} supported, {len(generated.dropped)} not"
    return _with_note(reply, f"{said} ({reasons})" if reasons else said)


def _with_note(reply: Reply, note: str) -> Reply:
    return replace(reply, trace=replace(reply.trace, notes=(*reply.trace.notes, note)))
