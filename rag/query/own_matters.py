"""What a school has published for students with few of the values of a dimension: for part-time students, for teachers.

Its entries name the value, which a student who has said it before does not repeat: "vay vốn được không".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

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
        self._unordered = frozenset(unordered)
        self._linked = lru_cache(_KEPT_ITEMS)(self._named_in)
        self._name = cache(self._name_of)
        families: dict[str, list[FaqEntry]] = defaultdict(list)
        for entry in entries:
            families[entry.family].append(entry)
        self._families = tuple(families.values())

    def names_beside(self, asked: str, profile: Profile) -> Mapping[str, str]:
        """Return the words that name a student's values where matters are told apart by them, by dimension.

        Those are left out that the question has itself.
        """
        said = f" {' '.join(words(fold(asked)))} "
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
        values = self._catalog.ids(dimension)
        admitted = [each for each in values if applies_to.admits(dimension, each)]
        return value in admitted and len(admitted) <= min(MOST_VALUES, MOST_SHARED * len(values))

    def _name_of(self, dimension: str, value: str) -> str | None:
        """Return the words that name a value; None for one without matters of its own, and for the commonest one."""
        own: list[str] = []
        others: list[str] = []
        count: Counter[str] = Counter()
        for family in self._families:
            limited = [entry.applies_to for entry in family if entry.applies_to.values(dimension)]
            is_own = len(limited) == len(family) and all(
                self._is_for_few(one, dimension, value) for one in limited
            )
            (own if is_own else others).append(f" {' '.join(words(fold(family[0].question)))} ")
            for one in limited:
                count.update(each for each in self._catalog.ids(dimension) if one.admits(dimension, each))
        item = next((each for each in self._catalog.items(dimension) if each.id == value), None)
        # Who has the value that most of the limited entries admit needs no rule of their own.
        if not own or not isinstance(item, DimensionValue | Major) or count.most_common(1)[0][0] == value:
            return None
        return _name_in(item, own, others)


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
