"""Matters of few students: a school publishes rules for part-time students, or for future teachers.

The entries name the value, which a student who has said it before does not repeat: "vay vốn được không".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache

from rag.types import FaqEntry, Item, Passage
from school.catalog import Catalog, DimensionValue, Major
from school.dimensions import AppliesTo, Profile
from school.entity_linker import Mention
from vietnamese.text import fold, words

MOST_SHARED = 0.5
"""The largest share of the values of a dimension that a matter of few values is for."""

MOST_VALUES = 4
"""The most values that are few."""

FEWEST_WORDS = 2
"""A single word of a name is a word of many questions: "chuẩn", "kinh"."""

LEAST_INSIDE = 0.25
"""The least share of the questions with such words that are of few values."""

_KEPT_ITEMS = 4_096


class OwnMatters:
    """Knows the values by whose names matters are told apart. Immutable, so thread-safe.

    Args:
        entries: of the FAQ.
        catalog: of the school.
        unordered: the dimensions whose values are names; a cohort is none.
        link: returns the names in a text.
    """

    def __init__(
        self,
        families: Iterable[Sequence[FaqEntry]],
        catalog: Catalog,
        unordered: Iterable[str],
        link: Callable[[str], Sequence[Mention]],
    ) -> None:
        self._catalog = catalog
        self._link = link
        self._unordered = frozenset(unordered)
        self._linked = lru_cache(_KEPT_ITEMS)(self._named_in)
        self._name = cache(self._name_of)
        self._families = tuple(families)
        self._commonest = cache(self._most_admitted)

    @cached_property
    def _questions(self) -> Sequence[str]:
        """The padded question of each family."""
        return [_padded(family[0].question) for family in self._families]

    def names_beside(self, asked: str, profile: Profile) -> Mapping[str, str]:
        """Return the words that name a student's values where matters are told apart by them, by dimension.

        Those are left out that the question has itself.
        """
        said = _padded(asked)
        found = ((d, self._name(d, value)) for d, value in profile.values.items() if d in self._unordered)
        return {d: name for d, name in found if name is not None and f" {fold(name)} " not in said}

    def tells_of(self, item: Item, dimension: str, value: str) -> bool:
        """Return whether an entry or a passage is for students with a value and few others, or names it."""
        if self._is_for_few(item.applies_to, dimension, value):
            return True
        match item:
            case FaqEntry():
                text = f"{item.question}\n{item.answer}"
            case Passage():
                text = item.text
            case _:
                return False
        return (dimension, value) in self._linked(text)

    def _named_in(self, text: str) -> frozenset[tuple[str, str]]:
        return frozenset((mention.entity, mention.value) for mention in self._link(text))

    def _is_for_few(self, applies_to: AppliesTo, dimension: str, value: str) -> bool:
        if not applies_to.values(dimension):
            return False
        values = self._catalog.ids(dimension)
        admitted = [each for each in values if applies_to.admits(dimension, each)]
        return value in admitted and len(admitted) <= min(MOST_VALUES, MOST_SHARED * len(values))

    def _name_of(self, dimension: str, value: str) -> str | None:
        """Return the words that name a value; None for one without matters of its own, and for the commonest one."""
        item = next((each for each in self._catalog.items(dimension) if each.id == value), None)
        if not isinstance(item, DimensionValue | Major) or value == self._commonest(dimension):
            return None
        own: list[str] = []
        others: list[str] = []
        for family, question in zip(self._families, self._questions, strict=True):
            is_own = all(self._is_for_few(entry.applies_to, dimension, value) for entry in family)
            (own if is_own else others).append(question)
        return _name_in(item, own, others) if own else None

    def _most_admitted(self, dimension: str) -> str | None:
        """Return the value that most of the limited entries admit: its students need no rule of their own."""
        count: Counter[str] = Counter()
        for family in self._families:
            limited = (entry.applies_to for entry in family if entry.applies_to.values(dimension))
            for one in limited:
                count.update(each for each in self._catalog.ids(dimension) if one.admits(dimension, each))
        return next((value for value, _ in count.most_common(1)), None)


def _padded(text: str) -> str:
    """Return the bare words of a text between blanks, so that a run of whole words is found in it."""
    return f" {' '.join(words(fold(text)))} "


def _name_in(value: DimensionValue | Major, own: Sequence[str], others: Sequence[str]) -> str | None:
    """Return the words of a value's name by which its own questions are told from others; None when they have none.

    Of several runs of words, the one that occurs most, by its length.
    """
    worth: dict[str, int] = {}
    for name in (value.name, *value.aliases):
        said = words(name.lower())
        for start in range(len(said)):
            for end in range(start + FEWEST_WORDS, len(said) + 1):
                run = " ".join(said[start:end])
                inside, outside = (
                    sum(f" {fold(run)} " in question for question in some) for some in (own, others)
                )
                tells = inside >= LEAST_INSIDE * (inside + outside)
                worth[run] = (end - start) * inside if tells else 0
    best = max(worth, key=lambda run: worth[run], default=None)
    return best if best is not None and worth[best] else None
