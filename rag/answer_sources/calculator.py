"""The answer source of calculators: rules applied to the values that the student gives."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from rag.answer.compute import EXTREME, Computation, Given, compute
from rag.answer_sources.source import Found, Lookup, Resources, RuledSource
from rag.calculators.calculator import Calculator
from rag.calculators.expressions import ExpressionError
from rag.decide.gate import Signals
from rag.pipeline import SourceRule
from rag.retrieve.calculators import CalculatorRetriever
from rag.types import CALCULATOR_SOURCE, FAQ_SOURCE, Candidate, Citation, FaqEntry
from school.aspects import agreement, asks_apart, aspects_of, aspects_said_by
from school.dimensions import Profile
from school.reading import Reading
from school.topics import topic_probability
from vietnamese.comparison import asks_which, compares
from vietnamese.ellipsis import concludes, share_of_empty_words
from vietnamese.language_detection import Language
from vietnamese.text import without_places, words
from vietnamese.written_values import MONEY, NUMBER, WrittenValue

logger = logging.getLogger(__name__)

COMPUTATION = "computation"
"""The key of a candidate's `meta` with its `Computation`."""

_WAYS = (
    *("number", "scale", "extreme", "countdown", "term", "terms", "admission_way"),
    *("rank", "degree_rank", "conduct_rank"),
)
"""Units that say how something is asked, or nothing by themselves: no value that another rule would be about."""

_SAID_ONCE_MORE = (NUMBER, MONEY, "courses")
"""Units of values that may say once more what others say."""

_MANY = 3
"""So many values of a question, all used, are hardly those of another calculator."""

MOST_OF_A_MATTER = 4
"""A message of at most so many words beside the values that it lists asks for nothing but the matter of each."""

_FAR_BEHIND = 0.2
"""How far behind the nearest calculator in words another one is no more helped by its matter."""

_LEAST_LEAD = 0.1
"""The lead over the other calculators in nearness from which words that name no matter tell a calculator."""


class CalculatorSource(RuledSource):
    """Answers with the result of a calculator, for a question that gives it values and is about its matter."""

    name = CALCULATOR_SOURCE
    curated = False
    specific = True
    searched_after = (FAQ_SOURCE,)

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        super().__init__(rule, resources)
        index = resources.index
        self._index = index
        self._retriever = CalculatorRetriever(index, resources.pipeline.faq)
        self._curated = resources.curated
        families = {entry.id: entry.family for entry in index.faq}
        self._by_id = {calculator.id: calculator for calculator in index.calculators}
        self._said = [aspects_said_by((each.question, *each.variants)) for each in index.calculators]
        self._followed = [
            frozenset(families[entry] for entry in calculator.follows if entry in families)
            for calculator in index.calculators
        ]

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        if not self._index.calculators:
            return Found(())
        entries = lookup.found.get(FAQ_SOURCE, Found(())).candidates
        asked = entries[0].item.family if entries and isinstance(entries[0].item, FaqEntry) else None
        given = self._given(lookup)
        if not (
            given.written
            or given.filled
            or given.concluded
            or any(len(values) > 1 for values in given.named.values())
        ):
            return Found(())
        computed = {
            row: computation
            for row, calculator in enumerate(self._index.calculators)
            if self._admits(lookup, calculator)
            and (computation := self._computed(calculator, given, lookup.said, lookup.today)) is not None
        }
        near = self._retriever.scores(lookup.said.asked, lookup.vector, computed)
        names_no_matter = is_mere_value(lookup.said)
        aspects = aspects_of(lookup.said)
        found = []
        for row, computation in computed.items():
            calculator, scores = self._index.calculators[row], near[row]
            is_of_rule = asked in self._followed[row]
            is_asked = is_of_rule and agreement(aspects, calculator.aspects) > 1 / 2
            is_given = bool(computation.used or given.concluded)
            is_apart = asks_apart(aspects, self._said[row])
            if is_apart or (calculator.aspects and is_given and not is_asked):
                continue
            # Beside a value that is used, a number of courses tells no more: "3 môn, mỗi môn 3 tín" are 9 credits.
            told = (*_WAYS, "courses") if computation.used else _WAYS
            unused = [v for v in given.written if v not in computation.used and v.unit not in told]
            others = [each["similarity"] for other, each in near.items() if other != row]
            lead = scores["similarity"] - max(others, default=scores["similarity"])
            score = {
                **scores,
                "ahead": lead if is_given else 0.0,
                # Words that name no matter ("gpa 2.4 thì được không") are as near to any calculator of its values.
                "told": float(not names_no_matter or not others or lead >= _LEAST_LEAD),
                "follows": float(is_of_rule),
                "used": float(len(computation.used)),
                "unused": float(len(unused)),
                "left_over": float(sum(_is_left_over(v, calculator, lookup) for v in unused)),
            }
            item = replace(calculator, id=_with_values(calculator, computation))
            found.append(Candidate(self.name, item, _rank(score), score, {COMPUTATION: computation}))
        found.sort(key=lambda candidate: -candidate.score)
        return Found(self._best(found, lookup, count))

    def once_more(
        self,
        answer_id: str,
        stated: Sequence[WrittenValue],
        said: Reading,
        profile: Profile,
        known: Mapping[str, float | str],
        today: date,
    ) -> Candidate | None:
        """Return the calculation of an earlier answer with `stated` in place of its values; None when it takes not all.

        `known` are the values of the conversation, by input; the answer's id has their names. A comparison takes
        "cao nhất" or "rẻ nhất".
        """
        calculator = self._by_id.get(answer_id.partition("?")[0])
        if calculator is None:
            return None
        if calculator.comparison is not None and all(value.unit == EXTREME for value in stated):
            return self._once_more(calculator, Given(stated, profile=profile), said, today)
        names = [pair.partition("=")[0] for pair in answer_id.partition("?")[2].split("&")]
        taken = {
            each.name: value.value
            for value in stated
            for each in calculator.inputs
            if value.unit in each.units and not each.many
        }
        if len(taken) != len(stated) or any(name not in known for name in names if name not in taken):
            return None
        filled = {**{name: known[name] for name in names if name in known}, **taken}
        # A list is made once more of the same.
        given = Given((), filled, profile=profile, compares=False, which=calculator.compared)
        return self._once_more(calculator, given, said, today)

    def _once_more(
        self, calculator: Calculator, given: Given, said: Reading, today: date
    ) -> Candidate | None:
        computation = self._computed(calculator, given, said, today)
        if computation is None:
            return None
        item = replace(calculator, id=_with_values(calculator, computation))
        return Candidate(self.name, item, 1.0, {}, {COMPUTATION: computation})

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        best = candidates[0]
        margin = best.score - rivals[0].score if rivals else 1.0
        similarity = best.scores["similarity"]
        topic = topic_probability(topics, best.item.topic)
        return Signals(
            similarity, max(margin, 0.0), topic, best.scores["cosine"], similarity, about=best.item.topic
        )

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        del asked  # the computation has read it
        computation, calculator = candidates[0].meta[COMPUTATION], candidates[0].item
        assert isinstance(calculator, Calculator)
        return computation.text, self._curated.cited(calculator.sources)

    def _given(self, lookup: Lookup) -> Given:
        named: dict[str, tuple[str, ...]] = {}
        for mention in lookup.said.mentions:
            if mention.value not in named.get(mention.entity, ()):
                named[mention.entity] = (*named.get(mention.entity, ()), mention.value)
        said = lookup.said
        # "Học phí cntt với luật" compares them; "... gồm những gì" asks something else of both.
        asks = compares(said.text) or (said.lists_values and len(words(said.asked)) <= MOST_OF_A_MATTER)
        concluded = self._concluded(lookup)
        catalog = self._index.dictionaries.catalog
        which = frozenset(
            each.id for each in catalog.dimensions if asks_which(said.text, (each.id, each.name))
        )
        values = said.written_values, lookup.filled, lookup.known, concluded
        return Given(*values, lookup.profile, named, asks, which)

    def _concluded(self, lookup: Lookup) -> frozenset[str]:
        """Return the names of the known values from which a message concludes: those of the last answer, a
        calculator's, or before any answer those that the student has told ("em k49, tích lũy 95tc")."""
        if lookup.said.written_values or not concludes(lookup.said.text):
            return frozenset()
        if not lookup.history:
            return frozenset(lookup.known)
        calculator = self._by_id.get((lookup.history[0].answer_id or "").partition("?")[0])
        if calculator is None:
            return frozenset()
        names = (*(each.name for each in calculator.inputs), *(name for name, _ in calculator.results))
        return frozenset(names)

    def _computed(
        self, calculator: Calculator, given: Given, said: Reading, today: date
    ) -> Computation | None:
        """Return the outcome; None, after a warning in the log, when the calculator has a fault."""
        catalog = self._index.dictionaries.catalog
        language: Language = "en" if said.is_english else "vi"
        try:
            return compute(calculator, given, self._index.facts, today, catalog, language)
        except ExpressionError as error:
            logger.warning("The calculator %s has no result: %s", calculator.id, error)
            return None


def is_mere_value(said: Reading) -> bool:
    """Return whether a message names no matter beside its values and the names in it; "hệ 10" is no value."""
    places = [(name.start, name.end) for name in said.mentions]
    places += [(value.start, value.end) for value in said.written_values if value.unit not in _WAYS[1:]]
    return share_of_empty_words(without_places(said.text, places)) == 1


def _is_left_over(value: WrittenValue, calculator: Calculator, lookup: Lookup) -> bool:
    """Return whether a value that a calculator does not use may change the result: one with a unit of its own.

    A single one names the unit ("một tín chỉ"), an amount or a number of courses says once more what other values say
    ("18 tín x 560k", "2 môn 6 tín"), and behind an earlier question a value takes the place of its value.
    """
    is_replaced = lookup.is_behind and any(value.unit in each.units for each in calculator.inputs)
    return value.unit not in _SAID_ONCE_MORE and value.value != 1 and not is_replaced


def uses_many(score: Mapping[str, float]) -> bool:
    """Return whether a calculator uses many values of a question, and all of them."""
    return score.get("used", 0.0) >= _MANY and not score.get("unused")


def _rank(score: Mapping[str, float]) -> float:
    """Return the rank of a calculator: near in words, on the entry's matter, all values of the question used.

    That many values fit is as good a sign as the matter. The matter tells nothing where the words are far nearer to
    another calculator: "loại giỏi cần bao nhiêu điểm" and "loại giỏi được bao nhiêu tiền" have one entry.
    """
    follows = score["follows"] if score["ahead"] > -_FAR_BEHIND else 0.0
    return (
        score["similarity"]
        + 0.3 * max(follows, float(uses_many(score)))
        - 0.1 * score["unused"]
        + 0.05 * min(score["used"], 3.0)
    )


def _with_values(calculator: Calculator, computation: Computation) -> str:
    """Return the id of an answer: the calculator's, with the values that it was computed from."""
    values = "&".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in computation.values.items()
    )
    return f"{calculator.id}?{values}" if values else calculator.id
