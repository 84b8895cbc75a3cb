"""The decision about a question: the source that may answer it, a question back, or no answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from rag.answer_sources.source import Answering, AnswerSource, Found
from rag.decide.clarify import needs_dimension, reading_options, rivals, siblings
from rag.decide.context import Weighed, places_of
from rag.decide.gate import ENTRY_FIRST, NAMED, STRUCTURAL, ComputedRule, LinkedRule, Verdict, named
from rag.index.format import Index
from rag.pipeline import Order, Pipeline
from rag.query.ambiguity import Ambiguity, AmbiguityKind, ambiguity_options, judge_ambiguity
from rag.query.message_editing import is_said
from rag.query.same_words import own_words
from rag.query_trace import QueryTrace
from rag.retrieve.faq import VERBATIM
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    Candidate,
    Compared,
    Decision,
    DecisionKind,
    FaqEntry,
    Option,
    Reason,
    Reply,
)
from school.reading import Reading
from vietnamese.ellipsis import is_mere_topic
from vietnamese.impersonal_question import asks_for_any
from vietnamese.text import fold, words

_JUST_AHEAD = 1e-6
"""The lead in probability of an entry over an extract of the article that it rests on, where it has no greater one."""

LEAST_LEAD = 0.08
"""The lead of an entry for the value that a message names from which it answers a mere name with the value."""

SURE_OF_ANY = 0.9
"""The probability from which an entry answers whether there is any of a kind."""

LEAST_QUOTED = 0.6
"""The probability from which an entry with no fewer words of the question answers in place of an extract of the article
that it rests on: of 1,630 first messages 15, all rightly. With fewer words, three of four."""

NOTHING_HOLDS = "nothing found holds for this student today"

_AMBIGUITY_REASONS = {
    AmbiguityKind.TOO_BROAD: Reason.TOO_BROAD,
    AmbiguityKind.UNDERSPECIFIED: Reason.UNDERSPECIFIED,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates of an answer source, best first, with its gate's verdict; `group`: the best and its siblings.

    `curated` and `specific` are those of the source; `yields` tells that it has yielded to another one, and
    `of_named_value` that its best candidate is the entry for a value that the message names: "điểm chuẩn marketing".
    """

    source: str
    curated: bool
    answer: Answering
    candidates: tuple[Candidate, ...]
    group: tuple[Candidate, ...]
    verdict: Verdict
    specific: bool = False
    yields: bool = False
    of_named_value: bool = False


class Decider:
    """Applies the rules of a pipeline to the candidates of its answer sources."""

    def __init__(self, pipeline: Pipeline, index: Index) -> None:
        self._pipeline = pipeline
        self._limits = pipeline.clarify
        self._index = index
        self._in_context = pipeline.context_limits(is_small=index.entry_classifier is None)

    def judge(self, trace: QueryTrace, found: Sequence[tuple[AnswerSource, Found]]) -> list[Judged]:
        """Return the candidates of each source with its gate's verdict, in the order in which sources may answer."""
        nothing = Reason.NOTHING_FOUND
        if not any(some.candidates for _, some in found) and any(some.excluded for _, some in found):
            nothing = Reason.NOT_APPLICABLE
            trace.note(NOTHING_HOLDS)
        trace.ambiguity = self._ambiguity(trace, found)
        trace.signals["reading.out_of_scope"] = _out_of_scope(trace.reading)
        signals = {}
        for source, some in found:
            if best := some.candidates:
                others = rivals(best, self.group(best))
                signals[source.name] = source.signals(best, others, trace.reading.topics)
                trace.signals |= named(source.name, signals[source.name], best[0])
        trace.signals |= _of_first_entry(found)
        judged = []
        for source, some in found:
            verdict = Verdict((nothing,), 0.0)
            if seen := signals.get(source.name):
                verdict = source.gate.judge(replace(seen, every=trace.signals))
                trace.went_by(source.name, source.gate.thresholds)
            one = self._judged(source, some.candidates, verdict)
            if source.curated and _tells_apart(one.group, trace.compared):
                # Rules near to it tell the values apart, too: one comparison is more than a question back.
                failed = tuple(reason for reason in verdict.failed if reason is not Reason.MARGIN_LOW)
                one = replace(one, verdict=replace(verdict, failed=failed))
            judged.append(replace(one, of_named_value=self._is_of_named_value(trace, one)))
        return _in_order(self._yielding(trace, self._in_advisors_words(trace, judged)), self._pipeline)

    def _in_advisors_words(self, trace: QueryTrace, judged: list[Judged]) -> list[Judged]:
        """Return the sources, an entry that rests on the article of the best extract as sure as that, if it has as much
        of the question.

        "Mất thẻ sinh viên" is answered by what an advisor has written for it, not by the clauses that it was made from.
        """
        extract = next((one for one in judged if one.source == DOCUMENT_SOURCE and one.verdict.is_open), None)
        is_general = trace.ambiguity is not None and trace.ambiguity.kind is not AmbiguityKind.NONE
        is_computed = any(one.specific and one.verdict.is_open for one in judged)
        is_first = not (is_general or is_computed) and self._pipeline.order is Order.MOST_PROBABLE
        if extract is None or not is_first:
            return judged
        quoted, covered = _articles_of(extract.candidates[:1]), _coverage(extract)
        found = []
        for one in judged:
            own = one.verdict
            is_near = own.confidence >= LEAST_QUOTED and set(own.failed) <= {Reason.CONFIDENCE_LOW}
            is_near = is_near and one.curated and _coverage(one) >= covered
            is_quoted = is_near and not quoted.isdisjoint(_articles_of(one.group))
            sure = Verdict((), max(own.confidence, extract.verdict.confidence))
            found.append(replace(one, verdict=sure) if is_quoted else one)
        return found

    def _judged(self, source: AnswerSource, candidates: Sequence[Candidate], verdict: Verdict) -> Judged:
        some, group = tuple(candidates), self.group(candidates)
        return Judged(source.name, source.curated, source.answer, some, group, verdict, source.specific)

    def _yielding(self, trace: QueryTrace, judged: Sequence[Judged]) -> list[Judged]:
        """Return the sources, those shut that yield to another that answers (`LinkedRule`)."""
        catalog, said = self._index.dictionaries.catalog, trace.reading
        curated = [
            one
            for one in judged
            if one.curated and one.verdict.is_open and not needs_dimension(one.group, trace.profile, catalog)
        ]
        found = []
        for one in judged:
            rule = self._pipeline.gate(one.source)
            is_second = any(candidate.scores.get(ENTRY_FIRST) for candidate in one.candidates[:1])
            naming = (other.verdict.confidence for other in curated if _names_what(one, other))
            surest = max(naming, default=0.0)
            is_shut = isinstance(rule, LinkedRule) and (
                (rule.last and any(_goes_before(other, one, rule.yields_to, said) for other in judged))
                or (is_second and surest >= rule.yields_to)
            )
            found.append(_shut(one) if is_shut else one)
        if any(_is_structural(one) and one.verdict.is_open for one in found):
            return [_shut(one) if one.curated and not _asks_in_words_of(one, said) else one for one in found]
        return found

    def ask_which(
        self, trace: QueryTrace, one: Judged, judged: Sequence[Judged], proposing: bool = False
    ) -> Reply | None:
        """Return a choice among the meanings of a question that is too general for one answer; None when it is not.

        An exempt question (`_is_exempt`) is answered nevertheless; when `proposing`, even if the gate is shut.
        """
        limits, ambiguity = self._limits, trace.ambiguity
        if ambiguity is None or ambiguity.kind is AmbiguityKind.NONE or not one.candidates:
            return None
        if ambiguity.missing and all(
            is_said(kind, trace.profile, self._index.dictionaries.catalog) for kind in ambiguity.missing
        ):
            return None
        if Reason.SIMILARITY_LOW in one.verdict.failed or self._is_exempt(trace, one, proposing):
            return None
        if trace.signals["reading.out_of_scope"] > limits.outside:
            return None
        passages = next((other.candidates for other in judged if other.source == DOCUMENT_SOURCE), ())
        entries = [c for other in judged if other.curated for c in self._near(other)]
        options = ambiguity_options(passages, entries, limits.max_options)
        if not options:
            return None
        reason = _AMBIGUITY_REASONS[ambiguity.kind]
        decision = Decision(DecisionKind.CLARIFY, (reason,), unnamed=ambiguity.missing)
        return trace.asked_back(decision, one.source, options, ambiguity.score)

    def offer_readings(self, trace: QueryTrace, one: Judged) -> Reply | None:
        """Return a choice among entries too near to each other; None unless the margin alone shut the gate."""
        limits = self._limits
        if one.verdict.failed != (Reason.MARGIN_LOW,) or limits.reading_margin is None:
            return None
        readings = [one.candidates[0], *rivals(one.candidates, one.group)]
        options = reading_options(readings, limits.reading_margin, limits.max_options)
        return self._offer(trace, one.verdict, options) if len(options) > 1 else None

    def judge_in_context(
        self, trace: QueryTrace, weighed: Sequence[tuple[AnswerSource, Sequence[Candidate], float]]
    ) -> list[Judged]:
        """Return the candidates of each source, weighed within the conversation, the most probable source first.

        `weighed` has for each source its candidates, the best first, and the probability that the best one is right.
        """
        limits = self._in_context
        judged = []
        for source, candidates, probability in weighed:
            rule = self._pipeline.gate(source.name)
            least = limits.curated if source.curated else limits.extract
            if isinstance(rule, ComputedRule):
                least = limits.computed
            elif isinstance(rule, LinkedRule):
                least = rule.probability
            trace.went_by(source.name, {"in_context": least})
            failed = () if candidates and probability >= least else (Reason.CONFIDENCE_LOW,)
            judged.append(self._judged(source, candidates, Verdict(failed, probability)))
        lead = self._pipeline.curated_lead
        judged = self._yielding(trace, judged)
        extracts = (one.candidates[:1] for one in judged if one.source == DOCUMENT_SOURCE)
        quoted = {article for some in extracts for article in _articles_of(some)}

        surest = _surest_extract(judged)

        def worth(one: Judged) -> float:
            own = one.verdict.confidence + (lead if one.curated or one.specific else 0.0)
            # An entry that rests on the very article says it in an advisor's words, if for other students.
            is_quoted = one.curated and not quoted.isdisjoint(_articles_of(one.group))
            return max(own, surest + _JUST_AHEAD) if is_quoted else own

        return sorted(judged, key=lambda one: (not one.verdict.is_open, -worth(one), not one.specific))

    def offer_in_context(
        self, trace: QueryTrace, entries: Sequence[Weighed], says_its_matter: bool
    ) -> Reply | None:
        """Return a choice among the entries that may be meant within the conversation; None for fewer than two.

        An entry without the most telling word of a message that says its matter is not offered ("căng tin").
        """
        probable = [
            one.candidate
            for one in entries
            if one.probability >= self._in_context.offer
            and not (says_its_matter and one.signals.get("unknown_word", 0.0) >= 1)
        ]
        options = reading_options(probable, 1.0, self._limits.max_options) if probable else ()
        verdict = Verdict((Reason.CONFIDENCE_LOW,), entries[0].probability if entries else 0.0)
        return self._offer(trace, verdict, options) if len(options) > 1 else None

    def give_up(
        self, trace: QueryTrace, judged: Sequence[Judged], topic_names: Sequence[tuple[str, str]]
    ) -> Reply:
        """Return the reply when every gate is shut: the nearest FAQ entries as a choice, or no answer.

        `topic_names` are the school's topics, (id, name); a reply without an answer offers the nearest of them.
        """
        pipeline, limits = self._pipeline, self._limits
        verdict = judged[-1 if pipeline.order is Order.FIRST_OPEN else 0].verdict
        entries = next((one for one in judged if one.source == FAQ_SOURCE), None)
        faq = entries.candidates if entries else ()
        if entries and limits.offer is not None and (offerable := self._near(entries)):
            likely = _like(faq, limits.offer - limits.sibling_margin)
            if options := reading_options(likely, 1.0, limits.max_options):
                return self._offer(trace, Verdict(verdict.failed, offerable[0].likeness), options)
        if pipeline.otherwise == "clarify":
            return self._offer(trace, verdict, reading_options(faq, 1.0, limits.max_options) if faq else ())
        near = dict.fromkeys(candidate.item.topic for candidate in faq)
        names = dict(topic_names)
        offered = [topic for topic in near if topic in names][: limits.max_options - 2]
        topics = tuple(Option(names[topic], {"topic": topic}) for topic in offered if topic)
        return trace.gave_up(verdict.failed, topics, verdict.confidence)

    def _ambiguity(self, trace: QueryTrace, found: Sequence[tuple[AnswerSource, Found]]) -> Ambiguity | None:
        """Return whether the question is too general for one passage; None if the preset does not check it."""
        passages = next((some.candidates for source, some in found if source.name == DOCUMENT_SOURCE), ())
        if self._limits.despite_ambiguity is None or not passages:
            return None
        index = self._index
        # Within a conversation "ngành này" is the one before.
        values = () if trace.history else [each.name for each in index.dictionaries.catalog.dimensions]
        terms = index.passage_terms, index.article_terms
        ambiguity = judge_ambiguity(trace.reading, passages, *terms, values=values)
        trace.signals |= {
            "ambiguity": ambiguity.score,
            **{f"ambiguity.{name}": value for name, value in ambiguity.signals},
        }
        return ambiguity

    def _is_exempt(self, trace: QueryTrace, one: Judged, proposing: bool) -> bool:
        """Return whether a general question is answered: by an entry that its gate lets through, or a probable extract.

        A name with the value that an entry is for is one: "điểm chuẩn marketing". The name of a topic alone is not, nor
        other words than an entry's own that say nothing in particular ("ngành này là gì", "trường hỗ trợ gì").
        """
        limits, said = self._limits, trace.reading
        if one.of_named_value or (one.specific and one.verdict.is_open):
            return True
        near = one.candidates[0].scores
        is_written = said.is_english or bool(near.get(VERBATIM))
        is_question = is_written or len(words(said.asked)) >= limits.fewest_words
        # Which extract is right for "ngành này" nobody can tell; an entry asks for the value itself.
        is_unknown = trace.ambiguity is not None and trace.ambiguity.pointing and not one.curated
        if (
            not is_question
            or is_mere_topic(said.asked)
            or not (proposing or one.verdict.is_open)
            or is_unknown
        ):
            return False
        if one.curated and not trace.signals["ambiguity.particular"]:
            is_any = asks_for_any(said.normalized) and one.verdict.confidence >= SURE_OF_ANY
            return is_any or near.get("cosine", 0.0) >= limits.same_question
        if near.get(VERBATIM) or _tells_apart(one.group, trace.compared):
            return True
        if one.curated and one.verdict.is_open:
            return True
        return limits.despite_ambiguity is not None and one.verdict.confidence >= limits.despite_ambiguity

    def _is_of_named_value(self, trace: QueryTrace, one: Judged) -> bool:
        """Return whether a source would answer by an entry for a value that the message names, which has its words.

        It leads all other entries and needs no other value.
        """
        best = next(iter(one.candidates), None)
        if best is None or not (one.curated and one.verdict.is_open) or best.scores.get("coverage", 0.0) < 1:
            return False
        applies_to, topics = best.item.applies_to, self._index.dictionaries.topics
        if not any(m.value in applies_to.values(m.entity) for m in trace.reading.mentions if not m.role):
            return False
        assumed = next((topic.assumes for topic in topics if topic.id == best.item.topic), {})
        profile = trace.profile.with_values({d: trace.profile.get(d) or v for d, v in assumed.items()})
        others = (other.score for other in one.candidates if other not in one.group)
        leads = best.score - max(others, default=0.0) >= LEAST_LEAD
        return leads and not needs_dimension(one.group, profile, self._index.dictionaries.catalog)

    def _near(self, entries: Judged) -> tuple[Candidate, ...]:
        """Return the FAQ entries that may be offered, the likest first: if the best one is probable enough."""
        limits = self._limits
        if limits.offer is None or entries.verdict.confidence < limits.offer_confidence:
            return ()
        return _like(entries.candidates, limits.offer)

    def group(self, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Return the best candidate and those that state the same rule for other students."""
        return tuple(siblings(candidates, self._limits.sibling_margin)) if candidates else ()

    def _offer(self, trace: QueryTrace, verdict: Verdict, options: Sequence[Option]) -> Reply:
        reasons = (*verdict.failed, Reason.SEVERAL_READINGS) if options else verdict.failed
        decision = Decision(DecisionKind.CLARIFY, reasons)
        return trace.asked_back(decision, FAQ_SOURCE, options, verdict.confidence)


def _goes_before(other: Judged, last: Judged, enough: float, said: Reading) -> bool:
    """Return whether another source answers in place of the `last` one: what an advisor wrote with a probability of
    `enough`, or what is as probable. Before how the school is built up goes only an entry that asks in these words."""
    least = last.verdict.confidence
    is_structural = _is_structural(last)
    if is_structural and other.curated and not _asks_in_words_of(other, said):
        return False
    if (other.curated or other.specific) and not is_structural and _names_what(last, other):
        least = min(enough, least)
    return other.source != last.source and other.verdict.is_open and other.verdict.confidence >= least


def _is_structural(judged: Judged) -> bool:
    """Return whether the best candidate of a source tells how the school is built up (`graph_patterns.yml`)."""
    return any(one.scores.get(STRUCTURAL) for one in judged.candidates[:1])


def _shut(judged: Judged) -> Judged:
    return replace(judged, verdict=judged.verdict.shut(), yields=True)


def _asks_in_words_of(other: Judged, said: Reading) -> bool:
    """Return whether the best entry of a source asks in the very words of a message, the student's values among them.

    "Cntt có clc không" is not "marketing có clc không".
    """
    entry = other.candidates[0].item if other.candidates else None
    wordings = (entry.question, *entry.variants) if isinstance(entry, FaqEntry) else ()
    asked = [own_words(said.text), own_words(said.normalized)]
    return any(own.are_those_of(own_words(wording)) for wording in wordings for own in asked)


def _names_what(last: Judged, other: Judged) -> bool:
    """Return whether the best of another source, when it is an entry, names one of what `last` tells of: a course, an
    office."""
    names = last.candidates[0].meta.get(NAMED, ()) if last.candidates else ()
    entry = other.candidates[0].item if other.candidates else None
    if not names or not isinstance(entry, FaqEntry):
        return True
    told = fold("\n".join((entry.question, *entry.variants, entry.answer))).lower()
    return any(name in told for name in names)


def _coverage(judged: Judged) -> float:
    """Return the share of the question's words that the best candidate of a source has."""
    return judged.candidates[0].scores.get("coverage", 0.0)


def _articles_of(candidates: Iterable[Candidate]) -> frozenset[tuple[str, str]]:
    """Return the articles that candidates stand in or rest on, by document and locator."""
    return frozenset(chain.from_iterable(places_of(one.item)[1] for one in candidates))


def _of_first_entry(found: Sequence[tuple[AnswerSource, Found]]) -> dict[str, float]:
    """Return whether the best entry rests on the article of the best passage; nothing without an entry."""
    best = {source.name: some.candidates[:1] for source, some in found}
    if not (entry := best.get(FAQ_SOURCE)):
        return {}
    is_same = not _articles_of(entry).isdisjoint(_articles_of(best.get(DOCUMENT_SOURCE, ())))
    return {f"{FAQ_SOURCE}.same_article": float(is_same)}


def _tells_apart(group: Sequence[Candidate], compared: Compared) -> bool:
    """Return whether a rule is stated apart for the values that are compared, as in "k49 với k50 khác nhau gì"."""
    return bool(compared) and all(
        len({one.item.applies_to.values(dimension) for one in group}) > 1 for dimension in compared
    )


def _like(candidates: Sequence[Candidate], least: float) -> tuple[Candidate, ...]:
    """Return the candidates with a likeness of `least` on, the likest first."""
    near = [candidate for candidate in candidates if candidate.likeness >= least]
    return tuple(sorted(near, key=lambda candidate: candidate.likeness, reverse=True))


def _out_of_scope(reading: Reading) -> float:
    """Return the probability that a message is not the school's matter; 0 from a classifier that knows no topic."""
    return reading.intents.get("out_of_scope", 0.0) if reading.topics else 0.0


def _surest_extract(judged: Sequence[Judged]) -> float:
    """Return the highest probability of an extract; 0 without one."""
    return max((one.verdict.confidence for one in judged if one.source == DOCUMENT_SOURCE), default=0.0)


def _in_order(judged: Sequence[Judged], pipeline: Pipeline) -> list[Judged]:
    """Return the sources in the order in which they may answer."""
    if pipeline.order is Order.SUREST:
        return sorted(judged, key=lambda one: (not one.verdict.is_open, -one.verdict.confidence))
    if pipeline.order is Order.MOST_PROBABLE:
        extracts = _surest_extract(judged)

        def probability(one: Judged) -> float:
            # Entries too near to each other make a choice, which comes before an extract too.
            leads = (one.curated and set(one.verdict.failed) <= {Reason.MARGIN_LOW}) or (
                one.specific and one.verdict.is_open
            )
            # An extract is near in words to a name that stands in it; of the value it tells nothing.
            least = extracts if one.of_named_value else 0.0
            return max(one.verdict.confidence, least) + (pipeline.curated_lead if leads else 0.0)

        # A calculator that follows an entry is as probable as the entry, and says more.
        # A source that yields is not the first of those that are shut, either.
        first, *others = sorted(
            judged, key=lambda one: (not one.yields, probability(one), one.specific), reverse=True
        )
        return [first, *(replace(other, verdict=other.verdict.shut()) for other in others)]
    return list(judged)
