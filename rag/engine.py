"""The whole walk of a question: understand -> retrieve -> decide -> answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from time import perf_counter

from rag.answer.cards import cards_of
from rag.answer.combined import several
from rag.answer.curated import CuratedAnswers
from rag.answer_sources import (
    AnswerTier,
    Found,
    Lookup,
    Say,
    documents_of,
    say_curated,
    say_extracts,
    tier_of,
)
from rag.decide.calibration import calibration_file, load_calibration
from rag.decide.clarify import missing_dimension, profile_options, reading_options, rivals, siblings
from rag.decide.gate import Chosen, Verdict, named
from rag.decide.probability import shipped_models
from rag.errors import IndexUnusableError
from rag.index.index import Index, current_version, open_index, published_texts
from rag.pipeline import Order, Pipeline, load_pipeline
from rag.query.ambiguity import Breadth, BreadthKind, breadth_options, judge_breadth, passage_key
from rag.query.applicability import admits, valid
from rag.query.query_reformulation import wordings
from rag.query.understanding import Understanding, Understood
from rag.query_trace import Walk
from rag.rerank.learned import RankingModel, ranking_file, ranking_in_force
from rag.retrieve.embedder import Embedder, load_embedder
from rag.retrieve.topic_router import TopicRouter
from rag.types import Candidate, Decision, DecisionKind, FaqEntry, Option, Question, Reason, Reply, Tier
from school.catalog import Catalog, Topic
from school.dimensions import Profile
from vietnamese.lexicon import Lexicon
from vietnamese.text import words

TRACED_CANDIDATES = 5

NEXT_TO_CHOSEN = 0.9
"""The score of a chosen passage's article, where the passage has 1: what of it fits is quoted with the passage."""

NOTHING_HOLDS = "nothing found holds for this student today"


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a tier found, best first, and what its gate says of it; `group` are the best one and its siblings."""

    source: Tier
    say: Say
    candidates: tuple[Candidate, ...]
    group: tuple[Candidate, ...]
    verdict: Verdict


class Engine:
    """Answers questions from one index with one pipeline. Thread-safe; nothing in it changes after opening."""

    def __init__(
        self,
        index: Index,
        pipeline: Pipeline,
        embedder: Embedder,
        today: Callable[[], date] = date.today,
        chosen: Chosen | None = None,
        ranking: RankingModel | None = None,
    ) -> None:
        words = index.dictionaries
        self._index = index
        self._pipeline = pipeline
        self._embedder = embedder
        self._today = today
        lexicon = Lexicon.learn(published_texts(index))
        self._understanding = Understanding(words.catalog, words.glossary, words.abbreviations, lexicon)
        self._curated = CuratedAnswers(index.passages)
        self._tiers = [
            tier_of(rule, index, pipeline, self._curated, chosen or Chosen(), ranking)
            for rule in pipeline.tiers
        ]
        # Documents are looked up first: a curated entry may rest on what was found there.
        self._looked_up = sorted(self._tiers, key=lambda tier: tier.source is not Tier.DOCUMENT)
        routed = [rule.source for rule in pipeline.tiers if rule.topic_filter]
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
    ) -> Engine:
        """The engine as this index was set: by its calibration, unless `chosen` is given, and its own ranking.

        Raises IndexUnusableError or SettingsError.
        """
        embedder = embedder or load_embedder()
        chosen = chosen or Chosen(shipped_models(preset), load_calibration(index, preset))
        ranking = ranking_in_force(index, embedder.name)
        return cls(
            open_index(index, embedder), load_pipeline(preset), embedder, chosen=chosen, ranking=ranking
        )

    @property
    def index_version(self) -> str:
        return self._index.manifest.version

    @property
    def catalog(self) -> Catalog:
        return self._index.dictionaries.catalog

    @property
    def topics(self) -> tuple[Topic, ...]:
        return self._index.dictionaries.topics

    def named_value(self, dimension: str, text: str) -> str | None:
        """The value that a short reply to "which cohort / programme / major?" names: "luật" is a major there.

        None when it names none, or several.
        """
        return self._understanding.named_value(dimension, text)

    def reply(self, question: Question) -> Reply:
        """Answer, ask back, or say that there is no answer. `question.text` may be anything at all.

        Several questions in one message are answered each, unless one curated answer is for all of them.
        """
        parts = self._understanding.parts(question.text) if self._pipeline.splits else ()
        whole = self._reply(question)
        if len(parts) < 2:
            return whole
        # What the message as a whole is about says nothing of each of its questions.
        return several(whole, [self._reply(replace(question, text=part, topic_scores={})) for part in parts])

    def _reply(self, question: Question) -> Reply:
        walk = self._understand(question)
        if refused := self._refuse(walk):
            return refused
        judged: list[_Judged] = []
        for judged in self._tries(walk):
            for one in judged:
                if reply := self._ask_which(walk, one, judged) or self._answer_or_ask(walk, one):
                    return reply
        return self._otherwise(walk, judged)

    def propose(self, question: Question) -> Reply:
        """What would be answered if no gate were shut: the answer of `reply`, else the surest candidate's.

        For calibration: `trace.signals` has every signal by name. What is no matter of sureness stays as it is: an
        empty question, another school, nothing that holds for this student, an answer that depends on the profile.
        """
        walk = self._understand(question)
        if refused := self._refuse(walk):
            return refused
        judged: list[_Judged] = []
        for judged in self._tries(walk):
            if any(one.verdict.is_open for one in judged):
                break
        found = [one for one in judged if one.candidates]
        if not found:
            return walk.gave_up(judged[-1].verdict.failed)
        opened = (one for one in found if one.verdict.is_open)
        best = next(opened, None) or max(found, key=lambda one: one.verdict.confidence)
        if self._pipeline.order is Order.MOST_PROBABLE and {Reason.SIMILARITY_LOW, Reason.MARGIN_LOW} & set(
            best.verdict.failed
        ):
            return walk.gave_up(best.verdict.failed)
        return self._ask_which(walk, best, judged, proposing=True) or self._answer(walk, best)

    def reply_to_choice(self, payload: Mapping[str, str], profile: Profile) -> Reply:
        """The reply after a student chose an entry or a passage: the payload of an option that a reply offered.

        Raises KeyError for one that is not (any longer) there.
        """
        if "passage" in payload:
            return self._reply_to_passage(payload["passage"], profile)
        chosen = self._entries[payload["faq"]]
        walk = self._understand(Question(chosen.question, profile=profile))
        walk.topic = chosen.topic
        family = [entry for entry in self._index.faq if entry.family == chosen.family]
        family.sort(key=lambda entry: entry is not chosen)
        walk.candidates = [Candidate(Tier.FAQ, entry, 1.0) for entry in family]
        group = tuple(valid(walk.candidates, profile, self._today()))
        if not group:
            return walk.gave_up((Reason.NOT_APPLICABLE,))
        say = say_curated(self._curated)
        return self._answer(walk, _Judged(Tier.FAQ, say, group, group, Verdict((), 1.0)))

    def _reply_to_passage(self, key: str, profile: Profile) -> Reply:
        chosen = self._by_key[key]
        walk = self._understand(
            Question(chosen.context[-1] if chosen.context else chosen.title, profile=profile)
        )
        of_its_article = [p for p in self._index.passages if p.parent == chosen.parent and p is not chosen]
        near = [Candidate(Tier.DOCUMENT, passage, NEXT_TO_CHOSEN) for passage in of_its_article]
        walk.candidates = valid([Candidate(Tier.DOCUMENT, chosen, 1.0), *near], profile, self._today())
        found = tuple(walk.candidates)
        if not found or found[0].item is not chosen:
            return walk.gave_up((Reason.NOT_APPLICABLE,))
        say = say_extracts(self._pipeline.extract)
        return self._answer(walk, _Judged(Tier.DOCUMENT, say, found, found[:1], Verdict((), 1.0)))

    def related(self, question: Question, shown: str | None = None) -> tuple[Option, ...]:
        """What else there is on the matter of a question, but for the answer `shown` (its id): entries, then passages.

        None when there is less than a choice of two.
        """
        walk = self._understand(question)
        if self._refuse(walk):
            return ()
        found = {tier.source: some.candidates for tier, some in self._retrieve(walk, walk.understood)}
        limits, seen = self._pipeline.clarify, self._entries.get(shown or "")
        entries = [
            candidate
            for candidate in found.get(Tier.FAQ, ())
            if candidate.score >= (limits.offer or 0.0)
            and not (seen and isinstance(candidate.item, FaqEntry) and candidate.item.family == seen.family)
        ]
        ranked = [candidate for candidate in found.get(Tier.DOCUMENT, ()) if candidate.item.id != shown]
        margin = self._pipeline.extract.also_margin
        near = [candidate for candidate in ranked if candidate.score >= ranked[0].score - margin]
        return breadth_options(near, entries, limits.max_options)

    def without_profile(self, text: str, dimensions: Collection[str]) -> str:
        """A question without what it says of the student's `dimensions`: to be asked for another one."""
        return self._understanding.without(text, dimensions)

    def with_matter(self, text: str, matter: str) -> str | None:
        """A question asked about another matter: "thư viện mở cửa mấy giờ" about "ký túc xá".

        None unless it begins with something of the catalogue, whose end is known.
        """
        return self._understanding.with_matter(text, matter)

    def search(self, text: str, count: int) -> list[str]:
        """Ids of documents, ranked by their best passage, at most `count`.

        A pipeline without a document tier ranks the documents that its FAQ entries rest on.
        """
        said = self._understanding.understand(Question(text))
        if said.is_empty or not (self._index.passages or self._index.faq):
            return []
        everything = len(self._index.passages) + len(self._index.faq)
        ranked = self._looked_up[0].search(self._lookup(said, {}), everything).candidates
        found = dict.fromkeys(document for candidate in ranked for document in documents_of(candidate))
        return list(found)[:count]

    # --- understand -------------------------------------------------------------------------------------------------

    def _understand(self, question: Question) -> Walk:
        start = perf_counter()
        understood = self._understanding.understand(question)
        walk = Walk(question, understood, self._pipeline.name, self.index_version, list(self._pipeline.notes))
        walk.stages_ms["understand"] = 1000 * (perf_counter() - start)
        return walk

    def _refuse(self, walk: Walk) -> Reply | None:
        """The reply to what is not looked up at all."""
        if walk.understood.is_empty:
            return walk.gave_up((Reason.EMPTY_QUESTION,))
        if walk.understood.foreign:
            walk.notes.append(f"about another school: {walk.understood.foreign}")
            return walk.gave_up((Reason.FOREIGN_SCHOOL,))
        if walk.understood.small_talk:
            walk.notes.append(f"small talk: {walk.understood.small_talk.value}")
            return walk.gave_up((Reason.SMALL_TALK,))
        return None

    def _tries(self, walk: Walk) -> Iterator[list[_Judged]]:
        """What the tiers found and their gates say, for one wording of the question after the other."""
        for attempt, said in enumerate(wordings(walk.understood, self._pipeline.tries)):
            if attempt:
                walk.notes.append(f"looked up again as: {said.asked}")
            yield self._judge(walk, self._retrieve(walk, said))

    # --- retrieve ---------------------------------------------------------------------------------------------------

    def _retrieve(self, walk: Walk, said: Understood) -> list[tuple[AnswerTier, Found]]:
        """What each tier found that holds for this student today, in the order of the preset."""
        today = self._today()
        with walk.stage("embed"):
            lookup = self._lookup(said, walk.question.topic_scores)
        lookup = replace(lookup, admits=lambda item: admits(item, said.profile, today))
        found: dict[Tier, Found] = {}
        for tier in self._looked_up:
            with walk.stage(tier.stage):
                found[tier.source] = tier.search(lookup)
            if tier.source is Tier.DOCUMENT:
                lookup = replace(lookup, passages=found[tier.source].candidates)
        in_order = [(tier, found[tier.source]) for tier in self._tiers]
        walk.candidates = [c for _, some in in_order for c in some.candidates[:TRACED_CANDIDATES]]
        return in_order

    def _lookup(self, said: Understood, topics: Mapping[str, float]) -> Lookup:
        vector = self._embedder.query(said.embedded)
        topic = self._router.route(topics, vector) if self._router else None
        return Lookup(said, vector, topics, topic)

    # --- decide -----------------------------------------------------------------------------------------------------

    def _judge(self, walk: Walk, found: Sequence[tuple[AnswerTier, Found]]) -> list[_Judged]:
        """What each tier found with its gate's verdict, in the order in which they may answer."""
        nothing = Reason.NOTHING_FOUND
        if not any(some.candidates for _, some in found) and any(some.excluded for _, some in found):
            nothing = Reason.NOT_APPLICABLE
            walk.note(NOTHING_HOLDS)
        judged = []
        with walk.stage("decide"):
            walk.breadth = self._breadth(walk, _passages(found))
            groups = [self._group(some.candidates) for _, some in found]
            signals = [
                tier.signals(some.candidates, rivals(some.candidates, group), walk.question.topic_scores)
                if group
                else None
                for (tier, some), group in zip(found, groups, strict=True)
            ]
            for (tier, some), seen in zip(found, signals, strict=True):
                if seen:
                    walk.signals |= named(tier.source, seen, some.candidates[0])
            for (tier, some), group, seen in zip(found, groups, signals, strict=True):
                verdict = Verdict((nothing,), 0.0)
                if seen:
                    verdict = tier.gate.judge(replace(seen, every=walk.signals))
                    walk.went_by(tier.source, tier.gate.thresholds)
                judged.append(_Judged(tier.source, tier.say, some.candidates, group, verdict))
        return _in_order(judged, self._pipeline)

    def _breadth(self, walk: Walk, passages: Sequence[Candidate]) -> Breadth | None:
        """Whether the question is too general for one of the passages found; None when the preset does not ask."""
        if self._pipeline.clarify.broad is None or not passages:
            return None
        index = self._index
        found = judge_breadth(walk.understood, passages, index.passage_terms, index.article_terms)
        walk.signals |= {"breadth": found.score, **{f"breadth.{name}": v for name, v in found.signals}}
        return found

    def _ask_which(
        self, walk: Walk, one: _Judged, judged: Sequence[_Judged], proposing: bool = False
    ) -> Reply | None:
        """What a question could mean that is too general for one answer; None when it is not.

        What `_is_exempt` is answered all the same; when `proposing`, whatever the gate says of it.
        """
        limits, breadth = self._pipeline.clarify, walk.breadth
        if breadth is None or breadth.kind is BreadthKind.NONE or not one.candidates:
            return None
        if breadth.missing and all(
            self._understanding.is_said(what, walk.understood) for what in breadth.missing
        ):
            return None
        if Reason.SIMILARITY_LOW in one.verdict.failed or self._is_exempt(walk, one, proposing):
            return None  # there is nothing that it could mean, or one thing in particular
        passages = next((other.candidates for other in judged if other.source is Tier.DOCUMENT), ())
        near = [c for other in judged if other.source is Tier.FAQ for c in other.candidates]
        entries = [c for c in near if limits.offer is not None and c.score >= limits.offer]
        options = breadth_options(passages, entries, limits.max_options)
        if not options:
            return None
        reason = {BreadthKind.TOO_BROAD: Reason.TOO_BROAD, BreadthKind.UNDERSPECIFIED: Reason.UNDERSPECIFIED}
        decision = Decision(DecisionKind.CLARIFY, (reason[breadth.kind],), unnamed=breadth.missing)
        return walk.asked_back(decision, one.source, options, breadth.score)

    def _is_exempt(self, walk: Walk, one: _Judged, proposing: bool) -> bool:
        """Whether an answer is given however general the question: a probable one, or an entry in the same words."""
        limits, said = self._pipeline.clarify, walk.understood
        is_question = said.language == "en" or len(words(said.asked)) >= limits.fewest_words
        if not is_question or not (proposing or one.verdict.is_open):
            return False
        if one.source is Tier.FAQ:
            return one.candidates[0].scores["dice"] >= limits.same_words
        return limits.broad is not None and one.verdict.confidence >= limits.broad

    def _group(self, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        if not candidates:
            return ()
        return tuple(siblings(candidates, self._pipeline.clarify.sibling_margin))

    def _answer_or_ask(self, walk: Walk, judged: _Judged) -> Reply | None:
        """What a tier has to say, or None when it has nothing sure."""
        if judged.candidates and judged.source is Tier.FAQ:
            walk.topic = judged.candidates[0].item.topic
        if judged.verdict.is_open:
            return self._answer(walk, judged)
        limits = self._pipeline.clarify
        if judged.verdict.failed == (Reason.MARGIN_LOW,) and limits.reading_margin is not None:
            others = rivals(judged.candidates, judged.group)
            readings = [judged.candidates[0], *others]
            options = reading_options(readings, limits.reading_margin, limits.max_options)
            if len(options) > 1:
                return self._offer(walk, judged.verdict, options)
        return None

    def _otherwise(self, walk: Walk, judged: Sequence[_Judged]) -> Reply:
        """The reply when no tier has anything sure to say: the nearest FAQ entries as a choice, or nothing."""
        pipeline, limits = self._pipeline, self._pipeline.clarify
        verdict = judged[0 if pipeline.order is Order.SUREST else -1].verdict
        faq = next((one.candidates for one in judged if one.source is Tier.FAQ), ())
        if faq and limits.offer is not None and faq[0].score >= limits.offer:
            margin = faq[0].score - limits.offer + limits.sibling_margin
            options = reading_options(faq, margin, limits.max_options)
            return self._offer(walk, Verdict(verdict.failed, faq[0].score), options)
        if pipeline.otherwise == "clarify":
            return self._offer(walk, verdict, reading_options(faq, 1.0, limits.max_options) if faq else ())
        return walk.gave_up(verdict.failed, self._topics_near(faq), verdict.confidence)

    def _offer(self, walk: Walk, verdict: Verdict, options: Sequence[Option]) -> Reply:
        reasons = (*verdict.failed, Reason.SEVERAL_READINGS) if options else verdict.failed
        return walk.asked_back(Decision(DecisionKind.CLARIFY, reasons), Tier.FAQ, options, verdict.confidence)

    def _topics_near(self, faq: Sequence[Candidate]) -> tuple[Option, ...]:
        """Buttons for the topics that the nearest FAQ entries are about."""
        near = dict.fromkeys(candidate.item.topic for candidate in faq)
        names = {topic.id: topic.name for topic in self.topics}
        offered = [topic for topic in near if topic in names][: self._pipeline.clarify.max_options - 2]
        return tuple(Option(names[topic], {"topic": topic}) for topic in offered if topic)

    # --- answer -----------------------------------------------------------------------------------------------------

    def _answer(self, walk: Walk, judged: _Judged) -> Reply:
        """The answer of the best candidate, or the question for what it depends on."""
        best = judged.candidates[0]
        walk.topic = best.item.topic or walk.topic
        dimension = missing_dimension(judged.group, walk.understood.profile, self.catalog.dimension_ids)
        if dimension is not None:
            options = profile_options(dimension, judged.group, self.catalog)
            decision = Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), (dimension,))
            return walk.asked_back(decision, best.source, options, best.score)
        with walk.stage("answer"):
            text, citations = judged.say(judged.candidates, walk.understood.asked)
            cards = cards_of(text, best.item, self.catalog, self.topics, walk.understood.language)
        depends_on = tuple(
            d for d in self.catalog.dimension_ids if any(c.item.applies_to.values(d) for c in judged.group)
        )
        return walk.answered(best, judged.verdict.confidence, text, citations, depends_on, cards)


def _passages(found: Sequence[tuple[AnswerTier, Found]]) -> tuple[Candidate, ...]:
    return next((some.candidates for tier, some in found if tier.source is Tier.DOCUMENT), ())


def _in_order(judged: Sequence[_Judged], pipeline: Pipeline) -> list[_Judged]:
    """The tiers in the order in which they may answer."""
    if pipeline.order is Order.SUREST:
        return sorted(judged, key=lambda one: (not one.verdict.is_open, -one.verdict.confidence))
    if pipeline.order is Order.MOST_PROBABLE:

        def probability(one: _Judged) -> float:
            # Entries too near to each other to tell apart are a choice, and that goes before an extract too.
            is_curated = one.source is Tier.FAQ and set(one.verdict.failed) <= {Reason.MARGIN_LOW}
            return one.verdict.confidence + (pipeline.curated_lead if is_curated else 0.0)

        first, *others = sorted(judged, key=probability, reverse=True)
        return [first, *(replace(other, verdict=other.verdict.shut()) for other in others)]
    return list(judged)


class LiveEngine:
    """The engine of the current index: opened at the first use, and again when the index or what was learned for it
    (`covan calibrate`, `covan train-reranker`) was swapped in."""

    def __init__(self, index: Path, preset: str = "covan", embedder: Embedder | None = None) -> None:
        self._path = index
        self._preset = preset
        self._embedder = embedder or load_embedder()
        self._lock = threading.Lock()
        self._opened: tuple[Engine, _Stamp] | None = None

    def current(self) -> Engine:
        """What cannot be used changes nothing; raises IndexUnusableError when there never was another."""
        stamp = self._stamp()
        opened = self._opened
        if opened is not None and (opened[1] == stamp or stamp[0] is None):
            return opened[0]
        with self._lock:
            if self._opened is None or self._opened[1] != stamp:
                try:
                    engine = Engine.open(self._path, self._preset, self._embedder)
                except IndexUnusableError:
                    if self._opened is None:
                        raise
                    engine = self._opened[0]
                self._opened = engine, stamp
            return self._opened[0]

    def _stamp(self) -> _Stamp:
        """Tells one state of the files from another; what is damaged is tried once, until it changes again."""
        files = [calibration_file(self._path, self._preset), ranking_file(self._path)]
        return current_version(self._path), *(_changed(file) for file in files)


_Stamp = tuple[str | int | None, ...]


def _changed(file: Path) -> int | None:
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return None
