"""Conversational question answering: a message within the conversation that it may go on with (decision 17)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rag.answer_sources.calculator import is_mere_value, uses_many
from rag.answer_sources.source import AnswerSource
from rag.context_lookup import ContextLookup, LookedUp
from rag.decide.context import (
    ALONE,
    LAST,
    MOST_LACKING,
    ContextWeigher,
    Read,
    Weighed,
    WordsBefore,
    names_no_matter,
)
from rag.decide.decider import Judged
from rag.decide.gate import ComputedRule
from rag.last_answer import OF_ITS_OWN, LastAnswer
from rag.query.ambiguity import AmbiguityKind
from rag.query_trace import QueryTrace
from rag.question_answering import QuestionAnswering
from rag.retrieve.faq import VERBATIM
from rag.types import (
    CALCULATOR_SOURCE,
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    Candidate,
    DecisionKind,
    FaqEntry,
    FollowUp,
    Item,
    Passage,
    Question,
    Reply,
    family_of,
)
from school.aspects import asks_apart, aspects_of
from vietnamese.ellipsis import (
    asks,
    continuation,
    names_nothing,
    naming_words,
    without_measures,
)
from vietnamese.stopwords import says_something
from vietnamese.text import fold, words
from vietnamese.years import is_mere_year

OWN_WORDS = 3
"""A message with fewer words that may name a matter ("mấy tín chỉ") goes on with the conversation, even if its answer
is sure alone."""

FEWEST_OWN_WORDS = 2
"""A message with fewer words that may name a matter introduces none: "giá bn" asks about the matter before."""

SURE_OF_A_TOPIC = 0.95
"""The probability from which a message is of a topic, whatever was spoken of before."""

LEAST_COVERED = 0.1
"""The share of a message's telling words that a calculator must have to go on with the matter."""

LEAST_OWN = 0.7
"""The probability from which an answer for students with a value like the student's goes before a less sure one."""

SURELY_ASKED_AGAIN = 0.6
"""The probability from which a question back that the student has left open is asked once more."""

LEAST_WITHIN = 0.25
"""The probability from which the most probable entry of the conversation goes before that of the words alone."""

SURE_OF_OWN = 0.9
"""The probability from which the student is asked for what such an answer depends on."""

_ByName = Mapping[str, Sequence[Weighed]]
"""The weighed candidates of each answer source."""


class ConversationalQA:
    """Answers questions within their history, by `QuestionAnswering` for each reading. Immutable, so thread-safe."""

    def __init__(self, alone: QuestionAnswering) -> None:
        self._alone = alone
        self._is_small = alone.index.entry_classifier is None
        self._limits = alone.pipeline.context_limits(is_small=self._is_small)
        self._weigher = ContextWeigher(alone.index)
        self._lookup = ContextLookup(alone)
        self._last_answer = LastAnswer(alone, self._lookup, self.item)

    def item(self, item_id: str | None) -> Item | None:
        """Return the entry or passage of an answer's id (`ContextWeigher.item`)."""
        return self._weigher.item(item_id)

    def reply(self, trace: QueryTrace, question: Question) -> Reply:
        """Return the reply to a question that may go on with the matters of its history.

        A question back that the student has left open is not asked once more where its answer is hardly meant: "điểm
        học lại tính sao", behind "bạn học chương trình nào" about the price of retaking, asks of no programme. Nor is
        one about a price, where a place, a day or papers are asked for.
        """
        reply = self._reply(trace, question)
        asks_again = bool(reply.decision.missing) and question.untold.issuperset(reply.decision.missing)
        last = self.item(question.history[0].answer_id)
        if not asks_again or last is None:
            return reply
        said = last.aspects if isinstance(last, FaqEntry) else ()
        is_apart = bool(said) and asks_apart(aspects_of(trace.reading), said)
        is_meant = reply.confidence >= SURELY_ASKED_AGAIN or names_no_matter(question.text)
        if is_meant and not is_apart:
            return reply
        other = self._reply(replace(trace, signals={}, thresholds={}, rejected=family_of(last)), question)
        is_lost = other.decision.kind is DecisionKind.NO_ANSWER or bool(other.decision.missing)
        return reply if is_lost else other

    def _reply(self, trace: QueryTrace, question: Question) -> Reply:
        if (reply := self._last_answer.reply(trace, question)) is not None:
            return reply
        if (reply := self._as_followed_up(trace, question)) is not None:
            return reply
        reads = self._lookup.reads(trace, question)
        named = naming_words(without_measures(trace.reading.asked))
        weighed, in_order = self._weighed(trace, question, reads, names_none=not named)
        decider = self._alone.decider
        judged = decider.judge_in_context(trace, in_order)
        best, says_its_matter = judged[0], not names_no_matter(question.text)
        is_computed = best.specific and best.verdict.is_open
        # An office or a course by its name is a matter of its own.
        is_named = any(mention.entity in OF_ITS_OWN for mention in trace.reading.mentions)
        least = self._limits.alone if is_named else self._limits.stands_alone
        is_surely_own = max(reads[ALONE].confidence.values(), default=0.0) >= least
        # So is a name that an advisor has written for an entry; "mấy tín chỉ" asks about the matter before. Where each
        # entry has few wordings, a question in one of them is its own.
        is_name = _is_written(reads[ALONE]) and (self._is_small or not asks(question.text))
        names_value = bool(trace.reading.mentions_of(self._alone.catalog.dimension_ids))
        goes_over = names_value and self._is_of_another_topic(question, reads[ALONE])
        own_words = FEWEST_OWN_WORDS if is_name or goes_over else OWN_WORDS
        names_itself = is_named or len(named) >= own_words
        if is_surely_own and names_itself and not is_computed:
            by_itself = self._alone.reply(trace, reads[ALONE].judged)
            if by_itself.decision.kind is not DecisionKind.NO_ANSWER:
                return self._within_the_matter(trace, by_itself, weighed, repeats=False) or by_itself
        is_general = trace.ambiguity is not None and trace.ambiguity.kind is not AmbiguityKind.NONE
        is_whole = len(named) >= FEWEST_OWN_WORDS and continuation(question.text) is None
        is_introduced = is_general and says_its_matter and not is_computed and is_whole
        if is_introduced and all(matter.answer_id is None for matter in question.history):
            by_itself = self._alone.reply(trace, reads[ALONE].judged)
            if by_itself.decision.kind is DecisionKind.CLARIFY:
                return by_itself
        if best.verdict.is_open and (best.source != DOCUMENT_SOURCE or not (is_general and says_its_matter)):
            entry = self._entry_alone(trace, question, reads[ALONE], best)
            return entry or self._with_another(trace, question, self._alone.answer(trace, best), weighed)
        by_words = self._by_its_words(question, reads, weighed)
        within = self._within_the_matter(trace, by_words, weighed, repeats=True)
        return within or by_words or self._unsure(trace, question, weighed, judged)

    def _as_followed_up(self, trace: QueryTrace, question: Question) -> Reply | None:
        """Return the answer that the school's follow-ups have for the very words of a message without values."""
        reading = trace.reading
        has_values = reading.written_values or reading.mentions_of(self._alone.catalog.dimension_ids)
        if has_values or question.filled or question.compared:
            return None
        entry = self._weigher.followed_up(question.text, question.history)
        if entry is None:
            return None
        trace.notes.append(f"a follow-up in these words: {entry.id}")
        return self._alone.answer_with(trace, entry)

    def of_own_matter(self, trace: QueryTrace, reply: Reply) -> Reply:
        """Return the reply to a question behind the name of the student's own value, when it tells of that value and is
        surer than `reply`; else `reply`.

        Who studies part-time asks "vay vốn được không"; the entry says "nếu bạn học hệ vừa làm vừa học".
        """
        leaves = trace.reading.named(self._alone.catalog.dimension_ids, "target")
        if leaves or names_nothing(trace.reading.text):
            # A student who would change to something asks about that, not about what they have.
            return reply
        own, is_answer = self._alone.own_matters, reply.decision.kind is DecisionKind.ANSWER
        least = max(reply.confidence, LEAST_OWN) if is_answer else LEAST_OWN
        for d, name in own.names_beside(trace.reading.asked, trace.profile).items():
            reading = self._lookup.behind(trace.reading, [WordsBefore(name, name)])[0]
            traced = replace(
                trace, signals={}, thresholds={}, notes=[*trace.notes, f"looked up behind: {name}"]
            )
            judged = self._alone.judged(traced, self._alone.retrieve(traced, reading))
            first = next((one for one in judged if one.verdict.is_open), None)
            if first is None or first.verdict.confidence <= least:
                continue
            if own.tells_of(first.candidates[0].item, d, trace.profile.values[d]):
                found = self._alone.answer(traced, _of_one_document(first))
                is_sure = first.verdict.confidence >= SURE_OF_OWN and bool(found.decision.missing)
                if found.decision.kind is DecisionKind.ANSWER or is_sure:
                    return found
        return reply

    def _unsure(
        self, trace: QueryTrace, question: Question, weighed: _ByName, judged: Sequence[Judged]
    ) -> Reply:
        """Return the reply to what a message adds, a choice among the entries that may be meant, or no answer."""
        added, by_itself = self._added(trace, question), None
        if added is not None:
            by_itself = self._alone.reply(added.trace, added.judged)
            is_sure = added.confidence.get(FAQ_SOURCE, 0.0) >= self._limits.stands_alone
            if is_sure or self._another_topic(question) is not None:
                return by_itself
        if is_mere_year(question.text):
            # An announcement for one year tells nothing of another.
            return trace.gave_up(judged[0].verdict.failed)
        decider = self._alone.decider
        curated = [one for s in self._alone.sources if s.curated for one in weighed.get(s.name, ())]
        if offered := decider.offer_in_context(trace, curated, not names_no_matter(question.text)):
            return offered
        if by_itself is not None and by_itself.decision.kind is DecisionKind.CLARIFY:
            return by_itself  # several entries have what is added
        return decider.give_up(trace, judged, self._alone.topic_names())

    def _entry_alone(
        self, trace: QueryTrace, question: Question, read: LookedUp, best: Judged
    ) -> Reply | None:
        """Return an entry's answer to the words alone, when the best of the conversation is a less sure extract."""
        least = max(self._limits.whole, best.verdict.confidence)
        is_surer = read.confidence.get(FAQ_SOURCE, 0.0) >= least and not names_nothing(question.text)
        if best.source != DOCUMENT_SOURCE or not is_surer:
            return None
        reply = self._alone.reply(trace, read.judged)
        return reply if reply.source == FAQ_SOURCE and reply.decision.kind is DecisionKind.ANSWER else None

    def _within_the_matter(
        self, trace: QueryTrace, by_itself: Reply | None, weighed: _ByName, *, repeats: bool
    ) -> Reply | None:
        """Return the answer of the most probable entry within the conversation, when it has no fewer of the words that
        may name a matter than the entry of `by_itself`, the answer to the words alone.

        "Tối đa mấy tín một kỳ" behind a second major asks of both majors together. Of 2,867 labelled turns, such an
        entry is another one in some 20; 14 of them had a wrong answer and have a right one, none the other way.
        `repeats`: it may be the last answer.
        """
        if self._is_small or by_itself is None or by_itself.decision.kind is not DecisionKind.ANSWER:
            return None
        entries = weighed.get(FAQ_SOURCE, ())
        alone = next((one for one in entries if one.candidate.item.id == by_itself.answer_id), None)
        if alone is None or entries[0].probability < LEAST_WITHIN:
            return None
        first, missing = entries[0], alone.signals["missing_words"]
        entry = first.candidate.item
        is_other = family_of(entry) != family_of(alone.candidate.item)
        is_other = is_other and (repeats or not first.signals["before_1.same"])
        if not is_other or first.signals["missing_words"] > missing or not isinstance(entry, FaqEntry):
            return None
        return self._alone.answer_with(trace, entry, first.probability)

    def _with_another(self, trace: QueryTrace, question: Question, reply: Reply, weighed: _ByName) -> Reply:
        """Return an entry's answer, with that of the next entry behind it when that one is nearly as probable.

        In 2,008 labelled turns the first one is wrong in .153, and both in .126 (decision 17). The last answer stands
        before the student already.
        """
        entries = weighed.get(FAQ_SOURCE, ())
        if reply.decision.kind is not DecisionKind.ANSWER or reply.source != FAQ_SOURCE or not entries:
            return reply
        last = self.item(question.history[0].answer_id)
        given = {family_of(item) for item in (entries[0].candidate.item, last) if item is not None}
        others = (one for one in entries if family_of(one.candidate.item) not in given)
        second = next(others, None)
        if second is None or second.probability < self._limits.also * entries[0].probability:
            return reply
        entry = second.candidate.item
        assert isinstance(entry, FaqEntry)
        also = self._alone.answer_with(replace(trace), entry)
        if also.decision.kind is not DecisionKind.ANSWER or also.text == reply.text:
            return reply
        also = replace(also, question=also.resolved, confidence=second.probability)
        note = f"nearly as probable: {entry.id} ({second.probability:.2f})"
        return replace(reply, also=also, trace=replace(reply.trace, notes=(*reply.trace.notes, note)))

    def _weighed(
        self, trace: QueryTrace, question: Question, reads: Mapping[str, LookedUp], *, names_none: bool
    ) -> tuple[dict[str, list[Weighed]], list[tuple[AnswerSource, Sequence[Candidate], float]]]:
        """Return the weighed candidates by source, and what `Decider.judge_in_context` takes of every source.

        `names_none`: the message has no word that may name its matter.
        """
        weighed: dict[str, list[Weighed]] = {}
        in_order: list[tuple[AnswerSource, Sequence[Candidate], float]] = []
        goes_over = self._another_topic(question) is not None
        topics = self._topics(question) if is_mere_year(question.text) else None
        for source in sorted(self._alone.sources, key=lambda source: not self._weigher.weighs(source.name)):
            if not self._weigher.weighs(source.name):
                in_order.append((source, *self._computed(source.name, question, reads, weighed)))
                continue
            # With few entries, the model of passages has learnt what their missing words tell.
            unnamed = 0.0 if self._is_small and not source.curated else self._limits.unnamed
            some = self._weigher.weigh(source.name, reads, question.history, self._limits.likeness, unnamed)
            if goes_over:
                some = [one for one in some if not one.signals["before_1.same"]]
            if topics is not None:
                some = [one for one in some if one.candidate.item.topic in topics]
            if source.curated and names_none:
                some = _of_last_topic_first(some, self._limits.curated)
            weighed[source.name] = some
            if some:
                signals = some[0].signals
                trace.signals |= {f"{source.name}.in_context.{name}": signals[name] for name in signals}
            candidates = (
                [one.candidate for one in some] if source.curated else _as_read(some, reads, source.name)
            )
            in_order.append((source, candidates, some[0].probability if some else 0.0))
        return weighed, in_order

    def _computed(
        self, source: str, question: Question, reads: Mapping[str, LookedUp], weighed: _ByName
    ) -> tuple[Sequence[Candidate], float]:
        """Return the candidates of a source that is not weighed, of its surest reading, with the gate's probability.

        A sure reading by which many values of the message are used, and all, goes before the others and is as probable
        as an entry. A message that names its matter and is as good as sure by itself stands alone ("gpa 3.55 học lực
        gì"). Of calculators, next to an entry that would answer, only a calculator of its rule counts.
        """
        sure = [read for read in reads.values() if self._is_sure(read, source) and _uses_all(read, source)]
        read = max(sure or reads.values(), key=lambda read: read.confidence.get(source, 0.0))
        if reads[ALONE].confidence.get(source, 0.0) >= self._limits.alone and not names_no_matter(
            question.text
        ):
            read = reads[ALONE]
        found, confidence = read.found[source].candidates, read.confidence.get(source, 0.0)
        if found and not question.filled and self._is_of_another_matter(question, reads, found[0]):
            return found, 0.0
        goes_on = read is not reads[ALONE] and not question.filled and not is_mere_value(reads[ALONE].reading)
        if goes_on and _says_another_matter(reads[ALONE], source, found):
            return found, 0.0
        best = next(iter(weighed.get(FAQ_SOURCE, ())), None)
        if sure and best is not None:
            return found, max(confidence, best.probability)
        is_free = source != CALCULATOR_SOURCE or bool(question.filled)
        if is_free or best is None or best.probability < self._limits.curated:
            return found, confidence
        own = [one for one in found if self._weigher.applies_rule_of(one.item, best.candidate.item)]
        rule = self._alone.pipeline.gate(source)
        if own and isinstance(rule, ComputedRule) and confidence > rule.probability:
            # The entry's matter is the calculator's own.
            confidence = max(confidence, best.probability)
        return (own, confidence) if own else (found, 0.0)

    def _is_sure(self, read: Read, source: str) -> bool:
        """Return whether the gate of a calculator's source opens for a reading."""
        rule = self._alone.pipeline.gate(source)
        return isinstance(rule, ComputedRule) and read.confidence.get(source, 0.0) >= rule.probability

    def _is_of_another_matter(
        self, question: Question, reads: Mapping[str, LookedUp], candidate: Candidate
    ) -> bool:
        """Return whether a calculator is of no topic of the conversation, and the message names none beside its values.

        "Quá hạn 40 ngày thì sao" behind a question about tuition asks for no library's fine.
        """
        if not is_mere_value(reads[ALONE].reading):
            return False
        topics = self._topics(question)
        return bool(topics) and candidate.item.topic not in topics

    def _topics(self, question: Question) -> set[str | None]:
        """Return the topics of the answers before a question."""
        return {item.topic for item in self._weigher.answers(question.history)}

    def _by_its_words(
        self, question: Question, reads: Mapping[str, LookedUp], weighed: _ByName
    ) -> Reply | None:
        """Return a sure reply to the words of a message alone, or with the last question that they are a part of.

        It must have what is asked for; alone, it must be one that the conversation would at least offer, unless the
        message is a whole question, or surely one of another topic ("học phí bao nhiêu" after the mark for a major).
        """
        text, limits = question.text, self._limits
        names_no_other = names_nothing(text) or is_mere_year(text)
        is_part = LAST in reads and (names_no_other or self._lookup.about_another(question) is not None)
        read = reads[LAST if is_part else ALONE]
        reply = self._alone.reply(read.trace, read.judged)
        is_whole = sum(map(says_something, words(reads[ALONE].reading.asked))) >= limits.whole_words
        every = chain.from_iterable(weighed.values())
        likely = (one for one in every if is_part or is_whole or one.probability >= limits.offer)
        fit = {one.candidate.item.id for one in likely if one.signals.get("lacking", 0.0) < MOST_LACKING}
        first = read.judged[0]
        is_fit = (is_part and first.specific) or any(one.item.id in fit for one in first.group)
        stands_alone = first.verdict.confidence >= limits.stands_alone and not names_nothing(text)
        is_fit = is_fit or (stands_alone and self._is_of_another_topic(question, read))
        if reply.decision.kind is DecisionKind.ANSWER or reply.decision.missing:
            is_sure = bool(reply.decision.missing) or reply.confidence >= (
                limits.whole if is_whole else limits.alone
            )
            return reply if is_fit and is_sure else None
        is_short = len(words(text)) < self._alone.pipeline.clarify.fewest_words
        # An unnamed referent within a conversation is the matter before.
        is_named = not reply.decision.unnamed or all(matter.answer_id is None for matter in question.history)
        is_asked = reply.decision.kind is DecisionKind.CLARIFY and not (names_no_matter(text) or is_short)
        return reply if is_asked and is_named else None

    def _added(self, trace: QueryTrace, question: Question) -> LookedUp | None:
        """Return what the words that a message adds ("phòng gym" of "còn phòng gym thì sao") find by themselves.

        They are the name of another topic, or an entry has them; None for other messages.
        """
        if (added := continuation(question.text)) is None:
            return None
        read = self._lookup.looked_up(trace, self._alone.reader.read(added))
        is_matter = self._another_topic(question) is not None or self._weigher.has_its_entry(read)
        return read if is_matter else None

    def _another_topic(self, question: Question) -> str | None:
        """Return the name of another topic than the last answer's, when a message adds it: "thế học phí thì sao?"."""
        other = continuation(question.text)
        last = self.item(question.history[0].answer_id)
        if other is None or last is None:
            return None
        said, names = words(fold(other)), self._alone.topic_names()
        is_named = any(topic != last.topic and words(fold(name)) == said for topic, name in names)
        return other if is_named else None

    def _is_of_another_topic(self, question: Question, read: LookedUp) -> bool:
        """Return whether the best for a message by itself surely is of its topic, which the last answer is not of."""
        last, best = self.item(question.history[0].answer_id), read.judged[0].candidates[:1]
        if last is None or not best or continuation(question.text) is not None:
            return False
        topic = best[0].item.topic
        return topic != last.topic and read.reading.topics.get(topic or "", 0.0) >= SURE_OF_A_TOPIC

    def signals(
        self, question: Question, without: Collection[FollowUp] = frozenset()
    ) -> dict[str, list[tuple[Candidate, dict[str, float]]]]:
        """Return the candidates of each source for a question within its history, with their signals, to learn from.

        The follow-ups `without` take no part.
        """
        reads = self._lookup.reads(self._alone.read(question), question)
        return {
            name: self._weigher.signals(name, reads, question.history, without)
            for name in (FAQ_SOURCE, DOCUMENT_SOURCE)
        }


def _of_one_document(judged: Judged) -> Judged:
    """Return the candidates with the passages of the best one's document alone: others have no more than the name."""
    best = judged.candidates[0].item
    if not isinstance(best, Passage):
        return judged
    own = (
        c for c in judged.candidates if isinstance(c.item, Passage) and c.item.document_id == best.document_id
    )
    return replace(judged, candidates=tuple(own))


def _of_last_topic_first(weighed: Sequence[Weighed], least: float) -> list[Weighed]:
    """Return the candidates with those of the last answer's topic that would answer, from `least` on, first.

    "Tối đa được mấy năm" names no matter; behind deferring, the years that a whole degree may take are another one.
    """
    return sorted(weighed, key=lambda one: one.probability < least or not one.signals.get("before_1.topic"))


def _says_another_matter(alone: Read, source: str, found: Sequence[Candidate]) -> bool:
    """Return whether the words of a message alone have next to nothing of the calculator that goes on with the matter.

    "5.0 có được học cải thiện không" after a conversion of a grade asks no conversion.
    """
    ids = {one.item.id.partition("?")[0] for one in found[:1]}
    own = (one for one in alone.found[source].candidates if one.item.id.partition("?")[0] in ids)
    return any(one.scores.get("coverage", 1.0) < LEAST_COVERED for one in own)


def _uses_all(read: Read, source: str) -> bool:
    """Return whether the best calculation of a reading uses many values of the message, and all of them."""
    return any(uses_many(first.scores) for first in read.found[source].candidates[:1])


def _is_written(read: LookedUp) -> bool:
    """Return whether a reading is a wording of the entry that it finds first."""
    found = read.found.get(FAQ_SOURCE)
    return found is not None and any(first.scores.get(VERBATIM) for first in found.candidates[:1])


def _as_read(weighed: Sequence[Weighed], reads: Mapping[str, Read], source: str) -> list[Candidate]:
    """Return the best passage, and behind it the others of the reading that ranks it highest, with their scores."""
    if not weighed:
        return []
    best = weighed[0]
    name = max(reads, key=lambda reading: best.signals[f"{reading}.rank"])
    ranked = reads[name].found[source].candidates
    first = next(
        (candidate for candidate in ranked if candidate.item.id == best.candidate.item.id), best.candidate
    )
    return [first, *(candidate for candidate in ranked if candidate is not first)]
