"""What a school has published for students with few of the values of a dimension: for part-time students, for teachers.

Its entries name the value, which a student who has said it before does not repeat: "vay vốn được không".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

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
        entries: Iterable[FaqEntry],
        catalog: Catalog,
        unordered: Iterable[str],
        link: Callable[[str], Sequence[Mention]],
    ) -> None:
        self._catalog = catalog
        self._link = link
        self._linked = lru_cache(_KEPT_ITEMS)(self._named_in)
        families: dict[str, list[FaqEntry]] = defaultdict(list)
        for entry in entries:
            families[entry.family].append(entry)
        self._words = {
            (d, each.id): name
            for d in unordered
            for each in catalog.items(d)
            if isinstance(each, DimensionValue | Major)
            and (name := _name_in(each, *self._questions(families.values(), d, each.id)))
        }

    def names_beside(self, asked: str, profile: Profile) -> Mapping[str, str]:
        """Return the words that name a student's values where matters are told apart by them, by dimension.

        Those are left out that the question has itself.
        """
        said = f" {' '.join(words(fold(asked)))} "
        found = ((d, self._words.get((d, value))) for d, value in profile.values.items())
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
        values = self._catalog.ids(dimension)
        admitted = [each for each in values if applies_to.admits(dimension, each)]
        return value in admitted and len(admitted) <= min(MOST_VALUES, MOST_SHARED * len(values))

    def _questions(
        self, families: Iterable[Sequence[FaqEntry]], dimension: str, value: str
    ) -> tuple[list[str], list[str]]:
        """Return the questions of the families for students with a value and few others, and those of all others."""
        found: tuple[list[str], list[str]] = ([], [])
        for family in families:
            is_own = all(self._is_for_few(entry.applies_to, dimension, value) for entry in family)
            found[not is_own].append(f" {' '.join(words(fold(family[0].question)))} ")
        return found


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
