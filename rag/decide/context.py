"""The answer in a conversation: candidates of several readings of a message, weighed together.

"Nộp ở đâu vậy" may be read alone, within the matter under discussion, as a continuation of the last question, or within
an earlier matter. Each reading finds candidates; a small network, learnt from labelled conversations
(`benchmarks/context_model.py`), gives the probability that a candidate is right from what each reading saw of it, from
its place in the conversation (the same document as the last answer, the same entry again), and from how far it stands
behind the best candidate in each of these signals.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from rag.answer_sources.source import WEIGHED, Found
from rag.calculators.calculator import Calculator
from rag.decide.follow_ups import FollowUps
from rag.decide.network import ProbabilityNetwork
from rag.decide.signal_table import SignalTable
from rag.index.format import Index
from rag.json_file import read_json
from rag.rerank.answer_type import lacking, offered
from rag.rerank.coverage import Coverage
from rag.rerank.matter_words import MatterWords, lacks_the_matter
from rag.retrieve.faq import mean_vectors, whole_entries
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    Candidate,
    FaqEntry,
    FollowUp,
    Item,
    Matter,
    Passage,
    family_of,
)
from school.aspects import agreement, aspects_of
from school.reading import Reading
from school.sentence_embedder import VectorArray
from school.topics import topic_probability
from vietnamese.ellipsis import continuation, matter_name, names_nothing, share_of_empty_words
from vietnamese.stopwords import says_something
from vietnamese.text import words

ALONE, MATTER, LAST, EARLIER = "alone", "matter", "last", "earlier"
READINGS = (ALONE, MATTER, LAST, EARLIER)
"""The readings of a message: by itself, behind the name of the last matter, behind the last question, and behind the
name of the matter before."""

MATTERS = 3
"""The number of earlier matters whose answers a candidate is compared with."""

_SHIPPED = Path(__file__).with_name("context_model.json")
MOST_LACKING = 0.5
"""From this signal on (`lacking`), an answer is taken to lack what is asked for."""
_NEVER_FOUND = 0.8
"""The share of a reading's lowest score that a candidate which it did not find counts with."""
_UNRELATED = 0.8
"""The cosine of two entries that have nothing to do with each other."""
_BARE = 0.6
"""The share of empty words from which a message does not name its matter."""
_BARE_ADDITION = 0.5
"""The share from which what "còn ... nữa" or "thế ... thì sao" adds does not name one."""
_LEAST_ALIKE = 0.15
"""The similarity that 99 of 100 right entries have to a message that says its matter."""
_NAMED = 0.3
"""The similarity from which an entry with all words that may name the matter of a message has it."""
_MOST_WORDS, _MOST_TELLING = 15, 8

_REMEMBERED = 8_192
"""The number of items whose places are kept."""

Places = tuple[frozenset[str], frozenset[tuple[str, str]]]
"""Documents, and the articles in them."""

_SIMILARITIES = tuple(f"{name}.similarity" for name in READINGS)

Signals = dict[str, float]


class ContextModels(BaseModel):
    """The models of candidates in a conversation, by source.

    `small_faq` are those for a school whose FAQ is too small for the entry classifier: most answers stand in documents
    there, and the nearest entry is often another than the one that nobody has written yet. `taught` are those for a
    school with enough follow-ups, where they are not `networks`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    networks: dict[str, ProbabilityNetwork]
    small_faq: dict[str, ProbabilityNetwork]
    taught: dict[str, ProbabilityNetwork]

    def of_school(self, *, is_small: bool, has_follow_ups: bool) -> Mapping[str, ProbabilityNetwork]:
        """Return the models for a school; `is_small`: with a small FAQ."""
        if is_small:
            return self.small_faq
        return self.networks | self.taught if has_follow_ups else self.networks


@dataclass(frozen=True, slots=True)
class Read:
    """A reading with its vector, shape (d,), the candidates of each source, best first, and the gate's probability for
    the best."""

    reading: Reading
    vector: VectorArray
    found: Mapping[str, Found]
    confidence: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate with the probability that it is right, and the signals that it has been weighed by."""

    candidate: Candidate
    probability: float
    signals: Mapping[str, float]


class WordsBefore(NamedTuple):
    """The words that stand before a message in one of its readings, and the question that they are taken from."""

    text: str
    question: str


def words_before(history: Sequence[Matter]) -> dict[str, WordsBefore]:
    """Return what stands before a message in each of its readings but the first (`ALONE`), without repetition."""
    before = {
        name: WordsBefore(matter_name(matter.question), matter.question)
        for name, matter in zip((MATTER, EARLIER), history, strict=False)
    }
    if history:
        before[LAST] = WordsBefore(history[0].question.rstrip(" ?.!"), history[0].question)
    unique: dict[str, WordsBefore] = {}
    for reading, words_of_it in before.items():
        if words_of_it.text and words_of_it.text not in {each.text for each in unique.values()}:
            unique[reading] = words_of_it
    return unique


def resolved_question(text: str, answer: Item | None, history: Sequence[Matter]) -> str:
    """Return a question in full, for the turns that go on with it: an answering entry's own question, else the text.

    A text that hardly names a matter stands behind the name of the last one.
    """
    if isinstance(answer, FaqEntry):
        return answer.question
    if history and names_no_matter(text) and (name := matter_name(history[0].question)):
        return f"{name} {text}"
    return text


def with_latest(history: Sequence[Matter], latest: Matter) -> tuple[Matter, ...]:
    """Return the history with `latest` in front, without its own earlier place and without unanswered questions."""
    kept = (matter for matter in history if matter.answer_id not in (None, latest.answer_id))
    return (latest, *kept)[:MATTERS]


def names_no_matter(text: str) -> bool:
    """Return whether a message leaves out what it is about: "nộp ở đâu vậy ạ", but not "thế học phí thì sao"."""
    added = continuation(text)
    return share_of_empty_words(text) >= _BARE and (
        added is None or share_of_empty_words(added) >= _BARE_ADDITION
    )


class ContextWeigher:
    """Weighs the candidates of an index within a conversation. Immutable, so thread-safe."""

    def __init__(self, index: Index, models: ContextModels | None = None) -> None:
        self._index = index
        self._is_small = index.entry_classifier is None
        self._follow_ups = FollowUps(index)
        self._models = (models or shipped_context_models()).of_school(
            is_small=self._is_small, has_follow_ups=self._follow_ups.are_enough
        )
        self._entries = {entry.id: row for row, entry in enumerate(index.faq)}
        self._passages = {passage.id: passage for passage in index.passages}
        self._followed = {each.id: each.follows[0] for each in index.calculators if each.follows}
        self._whole = whole_entries(index)
        self._matter_words = MatterWords(index)
        self._dimensions = index.dictionaries.catalog.dimension_ids
        self._mean = mean_vectors(index)
        # Computing these takes longer than comparing them, and the same items are found again and again.
        self._places_of = lru_cache(_REMEMBERED)(self._places_by_id)

    def weighs(self, source: str) -> bool:
        """Return whether there is a model of a source's candidates."""
        return source in self._models

    def has_its_entry(self, alone: Read) -> bool:
        """Return whether an entry like a message has all the words that may name its matter."""
        if not (naming := self._matter_words.of(alone.reading)):
            return False
        entries = alone.found.get(FAQ_SOURCE, Found(())).candidates
        likely = (entry for entry in entries if entry.scores.get("similarity", entry.score) >= _NAMED)
        return any(self._matter_words.missing(naming, entry.item) == 0 for entry in likely)

    def followed_up(self, text: str, history: Sequence[Matter]) -> FaqEntry | None:
        """Return the entry that answers a message by the school's follow-ups in its very words; None without one."""
        last = next(iter(self.answers(history)), None)
        meant = self._follow_ups.meant(text, last) if last is not None else None
        return self._index.faq[self._entries[meant]] if meant is not None else None

    def weigh(
        self,
        source: str,
        reads: Mapping[str, Read],
        history: Sequence[Matter],
        likeness: float = 0.0,
        unnamed: float = 0.0,
    ) -> list[Weighed]:
        """Return the candidates with a similarity from `likeness` on in any reading, the most probable first.

        The last answer is none of them when it lacks what is asked for, or all that the message adds ("còn tin học"
        behind the language standard; where the FAQ is small and an entry has all of that, a part of it). Nor is an item
        that a message which says its matter is not like at all ("'; DROP TABLE"). One without half of the words that
        may name the matter is one from the probability `unnamed` on.
        """
        alone = reads[ALONE].reading
        adds = continuation(alone.text) is not None
        is_named = self.has_its_entry(reads[ALONE])
        says_its_matter = is_named or (adds and not alone.mentions_of(self._dimensions))
        candidates, every = self._signals(source, reads, history)
        likely = [
            place
            for place, signals in enumerate(every)
            if max(signals[name] for name in _SIMILARITIES) >= likeness
            and not (
                signals["before_1.same"]
                and (
                    signals["lacking"] >= MOST_LACKING
                    or (adds and (_has_none(signals) or (self._is_small and is_named and _misses(signals))))
                )
            )
            and not _is_foreign(signals, says_its_matter)
        ]
        table = SignalTable.of(every).beside_the_best()
        probabilities = self._models[source].probabilities(table.of_some(likely))
        weighed = (
            Weighed(candidates[place], probability, every[place])
            for place, probability in zip(likely, probabilities, strict=True)
        )
        named = (one for one in weighed if one.probability >= unnamed or not _lacks(one.signals))
        return sorted(named, key=lambda one: -one.probability)

    def signals(
        self,
        source: str,
        reads: Mapping[str, Read],
        history: Sequence[Matter],
        without: Collection[FollowUp] = frozenset(),
    ) -> list[tuple[Candidate, Signals]]:
        """Return the candidates of a source that any reading has found, each with its signals.

        The follow-ups `without` take no part: what a model learns from must not be found among them.
        """
        candidates, every = self._signals(source, reads, history, without)
        return list(zip(candidates, SignalTable.of(every).beside_the_best().rows(), strict=True))

    def _signals(
        self,
        source: str,
        reads: Mapping[str, Read],
        history: Sequence[Matter],
        without: Collection[FollowUp] = frozenset(),
    ) -> tuple[list[Candidate], list[Signals]]:
        """Return the candidates of a source that any reading has found, and the signals of each by itself."""
        found = {name: read.found.get(source, Found(())).candidates[:WEIGHED] for name, read in reads.items()}
        if not any(found.values()):
            return [], []
        seen = {name: _as_seen(name, found.get(name, ())) for name in READINGS}
        absent = _NOTHING if self._is_small or source != FAQ_SOURCE else _NOTHING | _NOT_LIKELY
        not_found = {name: _last_of(name, found.get(name, ()), absent) for name in READINGS}
        every = {candidate.item.id: candidate for some in reversed(found.values()) for candidate in some}
        message = self._of_message(reads[ALONE].reading)
        for name in READINGS:
            confidence = reads[name].confidence if name in reads else {}
            message[f"{name}.confidence"] = confidence.get(source, 0.0)
        # Behind a question that was not answered, the answer before it is still the last one.
        before = self.answers(history)[:MATTERS]
        padded = (*before, *(None,) * (MATTERS - len(before)))
        asked = Coverage(reads[ALONE].reading.asked, self._index.faq_terms)
        naming = self._matter_words.of(reads[ALONE].reading)
        message["naming_words"] = float(len(naming))
        if self._is_small and source == FAQ_SOURCE:
            message |= _of_documents(reads)
        likely = None
        if source == FAQ_SOURCE and self._follow_ups.are_enough and not self._is_small:
            likely = self._follow_ups.likely(reads[ALONE].vector, before, without)
        topics = reads[ALONE].reading.topics
        aspects = aspects_of(reads[ALONE].reading)
        items = [candidate.item for candidate in every.values()]
        of_earlier = [self._of_earlier(f"before_{n}", items, earlier) for n, earlier in enumerate(padded, 1)]
        result: list[Signals] = []
        for (item_id, candidate), *compared in zip(every.items(), *of_earlier, strict=True):
            signals: Signals = {**message, "topic": topic_probability(topics, candidate.item.topic)}
            for name in READINGS:
                signals |= seen[name].get(item_id) or not_found[name]
            text = getattr(candidate.item, "answer", None) or getattr(candidate.item, "text", "")
            signals["lacking"] = lacking(aspects, offered(text))
            signals["missing_words"] = float(self._matter_words.missing(naming, candidate.item))
            if (row := self._entries.get(item_id)) is not None:
                signals["coverage"] = asked.of(self._whole[row])
                signals["unknown_word"] = asked.heaviest_missing(self._whole[row])
                signals["aspect"] = agreement(aspects, self._index.faq[row].aspects)
                if self._is_small:
                    signals |= _of_best_passages(reads, self._index.faq[row])
                if likely is not None:
                    signals |= likely.signals(self._index.faq[row].family)
            for own in compared:
                signals |= own
            result.append(signals)
        return list(every.values()), result

    def _of_message(self, reading: Reading) -> Signals:
        said = words(reading.asked)
        telling = sum(map(says_something, said))
        return {
            "words": min(len(said), _MOST_WORDS) / _MOST_WORDS,
            "telling_words": min(telling, _MOST_TELLING) / _MOST_TELLING,
            "empty_words": share_of_empty_words(reading.asked),
            "names_nothing": float(names_nothing(reading.text)),
            "follow_up": reading.intents.get("follow_up", 0.0),
            "inform": reading.intents.get("inform", 0.0),
            "out_of_scope": reading.intents.get("out_of_scope", 0.0),
        }

    def _of_earlier(self, place: str, items: Sequence[Item], earlier: Item | None) -> list[Signals]:
        """Return how each item compares with the answer of an earlier matter: signals that begin with its `place`."""
        if earlier is None:
            return [_of_reading(place, dict.fromkeys(_OF_EARLIER, 0.0) | {"cosine": _UNRELATED})] * len(items)
        documents_before, articles_before = self._places_of(earlier.id)
        family = family_of(earlier)
        compared = []
        for item, cosine in zip(items, self._cosines(items, earlier), strict=True):
            documents, articles = self._places_of(item.id)
            values = (
                float(item.topic == earlier.topic),
                float(not documents.isdisjoint(documents_before)),
                float(not articles.isdisjoint(articles_before)),
                float(family_of(item) == family),
                cosine,
            )
            compared.append(_of_reading(place, dict(zip(_OF_EARLIER, values, strict=True))))
        return compared

    def _cosines(self, items: Sequence[Item], other: Item) -> list[float]:
        """Return the cosines of items with another; of what is no entry, that of the unrelated."""
        rows, row = [self._entries.get(item.id) for item in items], self._entries.get(other.id)
        if row is None:
            return [_UNRELATED] * len(items)
        found = (self._mean[[at or 0 for at in rows]] @ self._mean[row]).tolist()
        return [_UNRELATED if at is None else cosine for at, cosine in zip(rows, found, strict=True)]

    def _places_by_id(self, item_id: str) -> Places:
        item = self.item(item_id)
        return places_of(item) if item is not None else (frozenset(), frozenset())

    def applies_rule_of(self, item: Item, entry: Item) -> bool:
        """Return whether an item is a calculator of the rule that an entry states, for whatever student."""
        followed = map(self.item, item.follows) if isinstance(item, Calculator) else ()
        return family_of(entry) in {family_of(rule) for rule in followed if rule is not None}

    def answers(self, history: Sequence[Matter]) -> list[Item]:
        """Return the entries and passages of the answered matters, the last first."""
        items = (self.item(matter.answer_id) for matter in history)
        return [item for item in items if item is not None]

    def item(self, item_id: str | None) -> Item | None:
        """Return the entry or passage with this id, of a calculator the entry that it follows; None without one."""
        if item_id is None:
            return None
        row = self._entries.get(self._followed.get(item_id.partition("?")[0], item_id))
        return self._index.faq[row] if row is not None else self._passages.get(item_id)


@lru_cache(maxsize=1)
def shipped_context_models() -> ContextModels:
    """Return the shipped models. Raises SettingsError when their file is missing or damaged."""
    return read_json(_SHIPPED, ContextModels, "probability models")


def _is_foreign(signals: Mapping[str, float], says_its_matter: bool) -> bool:
    """Return whether a candidate lacks the words that tell most of a message that says its matter, and is unlike it.

    `says_its_matter`: in few words among many empty ones, which an entry has ("gym") or which "còn ..." adds.
    """
    if signals[f"{ALONE}.similarity"] >= _LEAST_ALIKE:
        return False
    has_none = _has_none(signals)
    lacks_them = has_none or signals.get("coverage") == 0 or signals.get("unknown_word", 0.0) >= 1
    return (has_none and says_its_matter) or (lacks_them and signals["empty_words"] < _BARE)


def _has_none(signals: Mapping[str, float]) -> bool:
    """Return whether a candidate has none of the words that may name the matter of a message."""
    return 0 < signals["naming_words"] == signals["missing_words"]


def _misses(signals: Mapping[str, float]) -> bool:
    """Return whether a candidate lacks one of the words that may name the matter of a message."""
    return signals["missing_words"] > 0


def _lacks(signals: Mapping[str, float]) -> bool:
    return lacks_the_matter(signals["missing_words"], signals["naming_words"])


_OF_READING = ("score", "similarity", "dice", "cosine", "rank", "gap")
_OF_EARLIER = ("topic", "document", "article", "same", "cosine")
_NOTHING: Signals = dict.fromkeys(_OF_READING, 0.0)
_WITH_PASSAGES = (ALONE, LAST, MATTER)
_NOT_LIKELY: Signals = {"entry": 0.0, "entry_gap": 0.0}
"""The signals of the entry classifier for an entry that a reading has not found."""


def _as_seen(reading: str, candidates: Sequence[Candidate]) -> dict[str, Signals]:
    """Return what a reading sees of each of its candidates, by their ids; the signals begin with its name."""
    ranks: dict[str, Signals] = {}
    ordered = sorted(candidates, key=lambda candidate: -candidate.score)
    likely = max((candidate.scores.get("entry", 0.0) for candidate in candidates), default=0.0)
    for place, candidate in enumerate(ordered):
        scores = candidate.scores
        own = {
            "score": candidate.score,
            "similarity": scores.get("similarity", candidate.score),
            "dice": scores.get("dice", scores.get("coverage", 0.0)),
            "cosine": scores.get("cosine", _UNRELATED),
            "rank": 1 / (1 + place),
            "gap": candidate.score - ordered[0].score,
        }
        if (entry := scores.get("entry")) is not None:
            own |= {"entry": entry, "entry_gap": entry - likely}
        ranks[candidate.item.id] = _of_reading(reading, own)
    return ranks


def _of_documents(reads: Mapping[str, Read]) -> Signals:
    """Return what the readings see of the passages: where one fits, an entry that does not is not the one."""
    signals: Signals = {}
    for name in _WITH_PASSAGES:
        passages = _passages(reads, name)
        signals |= {
            f"{DOCUMENT_SOURCE}.{name}.confidence": reads[name].confidence.get(DOCUMENT_SOURCE, 0.0)
            if passages
            else 0.0,
            f"{DOCUMENT_SOURCE}.{name}.cosine": max((c.scores["cosine"] for c in passages), default=0.0),
            f"{DOCUMENT_SOURCE}.{name}.similarity": max(
                (c.scores.get("similarity", c.score) for c in passages), default=0.0
            ),
        }
    return signals


def _of_best_passages(reads: Mapping[str, Read], entry: FaqEntry) -> Signals:
    """Return whether an entry rests on the article of the best passage, alone and behind the last question."""
    articles = places_of(entry)[1]
    signals: Signals = {}
    for name in (ALONE, LAST):
        best = max(_passages(reads, name), key=lambda one: one.score, default=None)
        is_same = best is not None and not articles.isdisjoint(places_of(best.item)[1])
        signals[f"{DOCUMENT_SOURCE}.{name}.same_article"] = float(is_same)
    return signals


def _passages(reads: Mapping[str, Read], name: str) -> Sequence[Candidate]:
    found = reads[name].found.get(DOCUMENT_SOURCE) if name in reads else None
    return found.candidates[:WEIGHED] if found is not None else ()


def _last_of(reading: str, candidates: Sequence[Candidate], absent: Signals) -> Signals:
    """Return what a reading sees of a candidate that it has not found."""
    if not candidates:
        return _of_reading(reading, absent)
    scores = [candidate.score for candidate in candidates]
    score = _NEVER_FOUND * min(scores)
    similarity = _NEVER_FOUND * min(c.scores.get("similarity", c.score) for c in candidates)
    own = {"score": score, "similarity": similarity, "cosine": _UNRELATED, "gap": score - max(scores)}
    return _of_reading(reading, absent | own)


def _of_reading(reading: str, signals: Signals) -> Signals:
    """Return the signals with names that begin with a reading, or with the place of an earlier matter."""
    names = _names(reading, tuple(signals))
    return dict(zip(names, signals.values(), strict=True))


@lru_cache(maxsize=256)
def _names(begin: str, signals: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{begin}.{signal}" for signal in signals)


def places_of(item: Item) -> Places:
    """Return the documents, and the articles in them, that an item stands in or rests on."""
    sources = item.sources if isinstance(item, FaqEntry) else ()
    places = [(source.document, source.locator) for source in sources]
    if isinstance(item, Passage):
        places = [(item.document_id, item.locator)]
    articles = frozenset((document, locator.partition(",")[0].strip()) for document, locator in places)
    return frozenset(document for document, _ in places), articles
