"""Look-up of the graph's entities in a message, as people type them: without diacritics, shortened, with a typo.

Names are compared by whole words, so that a look-up takes the same time however many entities there are: every stretch
of the message is looked for in tables of names, of beginnings and ends of names; typos only around rare words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from sys import intern

from rapidfuzz.distance import OSA

from rag.graph.types import Node, kind_of, local_id
from vietnamese.data_files import yaml_beside
from vietnamese.syllables import is_syllable
from vietnamese.text import fold
from vietnamese.text import words as spelled

MOST_WORDS = 60
"""The first words of a message that are looked at."""

LONGEST_NAME = 14
"""The longest name in words."""

COMMON = 300
"""A word of more names than these is no place to look for a typo."""

SHORTEST_MISTYPED = 8
"""Letters of a name with a typo."""

FEWEST_TITLE_WORDS = 2
"""The fewest words of a title that mean a document, behind "quy định"."""

MOST_ALIKE = 64
"""A beginning of more names than these means none of them."""

MOST_MEANT = 4
"""More entities of one name are none in particular."""

_WORD = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")

EXACT, SHORTENED, MISTYPED, UNMARKED, WEAK = 1.0, 0.96, 0.93, 0.75, 0.7
"""The sureness of a link: a whole name, the beginning or the end of one, one with a typo, a person's last name without
diacritics, an everyday word."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a message: as spelled in lower case, folded, and its place in the text."""

    spelled: str
    folded: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """The words `start`..`end` of a message mean each of `nodes`, ids of one type; `score` is in 0..1."""

    start: int
    end: int
    nodes: tuple[str, ...]
    score: float

    @property
    def kind(self) -> str:
        return kind_of(self.nodes[0])

    @property
    def length(self) -> int:
        return self.end - self.start


@dataclass(slots=True)
class _Names:
    """Names by their folded words; each with its spelled words and its node."""

    whole: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    shortened: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    by_word: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    every: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    joined: dict[str, set[str]] = field(default_factory=dict)
    cued: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    rest: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


def words_of(text: str) -> list[Word]:
    """Return the first words of a text with their places."""
    found = []
    text = _rules().with_number.sub(r"\1 \2", text)
    for match, _ in zip(_WORD.finditer(text), range(MOST_WORDS), strict=False):
        one = spelled(match[0])
        if one:
            found.append(Word(one[0], fold(one[0]), *match.span()))
    return found


class EntityLookup:
    """Finds the entities that a message names. Immutable once made, so thread-safe."""

    def __init__(self, nodes: Iterable[Node], frequent: frozenset[str] = frozenset()) -> None:
        """Make the tables of names. `frequent` are words, in bare letters, of questions: never a name with a typo."""
        rules = _rules()
        self._frequent = frequent
        self._names = _Names()
        self._kinds: dict[str, str] = {}
        self._years: dict[str, set[str]] = {}
        self._title_words: dict[str, frozenset[str]] = {}
        for node in nodes:
            if node.type in rules.left_out:
                continue
            if node.type == "Document":
                self._title_words[node.id] = frozenset(map(fold, spelled(node.name)))
                days = (node.properties.get("issued", ""), node.provenance.effective_from or "")
                self._years[node.id] = {str(day)[:4] for day in days if day}
            self._kinds[node.id] = node.type
            for name in self._names_of(node):
                self._add(name, node, rules)
            if node.type == "Book":
                self._add_cued(node, rules)

    def _names_of(self, node: Node) -> Iterator[str]:
        yield from dict.fromkeys((node.name, *node.names))
        if node.type == "Cohort":
            for form in _rules().cohort_names:
                yield form.format(id=local_id(node.id))
        rules = _rules()
        for key in rules.named_by.get(node.type, ()):
            if len((said := str(node.properties.get(key, ""))).split()) > 1:
                yield said
        for name in (node.name, *node.names):
            if (without := _IN_BRACKETS.sub(" ", name)) != name:
                yield without
            for long, short in rules.replaced.get(node.type, {}).items():
                if name.lower().startswith(f"{long} "):
                    yield f"{short}{name[len(long) :]}"
            for beginning in rules.dropped.get(node.type, ()) if node.type != "Book" else ():
                rest = spelled(name)[len(beginning) :]
                if (
                    tuple(map(fold, spelled(name)))[: len(beginning)] == beginning
                    and len(rest) >= rules.fewest_left
                ):
                    yield " ".join(rest)

    def _add(self, name: str, node: Node, rules: _Rules) -> None:
        # A few thousand syllables make up all names: each is kept once.
        said = tuple(map(intern, spelled(name)))
        said = _without_titles(said, rules) if node.type == "Person" else said
        if not said or len(said) > LONGEST_NAME:
            return
        bare = tuple(_folded(word) for word in said)
        bare = said if bare == said else bare
        key = " ".join(bare)
        names = self._names
        if any(other == said and at == node.id for other, at in names.whole.get(key, ())):
            return
        names.whole.setdefault(key, []).append((said, node.id))
        if len(key) >= SHORTEST_MISTYPED:
            names.every.append((said, node.id))
            for place, word in enumerate(bare):
                names.by_word.setdefault(word, []).append((len(names.every) - 1, place))
            names.joined.setdefault("".join(bare), set()).add(node.id)
        if node.type in rules.by_beginning and len(said) > 2 and name == node.name:
            least = rules.shortest_beginning.get(node.type, max(2, len(said) // 2 + 1))
            for length in range(least, len(said)):
                key = " ".join(bare[:length])
                # "Các chương trình nào" names no course "Chương trình dịch".
                if rules.of_time.fullmatch(key) or bare[:length] in rules.every_cue:
                    continue
                alike = names.shortened.setdefault(key, [])
                if len(alike) <= MOST_ALIKE:
                    alike.append((said[:length], node.id))
                    names.rest[key, node.id] = bare[length:]
        if node.type in rules.by_end and len(said) > 1 and name == node.name:
            for length in range(1, len(said)):
                names.shortened.setdefault(" ".join(bare[-length:]), []).append((said[-length:], node.id))

    def _add_cued(self, node: Node, rules: _Rules) -> None:
        """Add the name of a book without "giáo trình": it is its course's, and counts behind a word for books only."""
        for beginning in rules.dropped.get(node.type, ()):
            said = tuple(spelled(node.name))
            if tuple(map(fold, said))[: len(beginning)] == beginning and len(said) > len(beginning):
                rest = said[len(beginning) :]
                self._names.cued.setdefault(" ".join(map(fold, rest)), []).append((rest, node.id))

    def links(self, said: Sequence[Word]) -> list[Link]:
        """Return the links of a message: the surest and longest first taken, none overlapping, in the message's order.

        Names of several types for the same words ("kế toán") are links side by side. Words that are a whole name are
        no beginning of another one ("Kế toán thuế"), unless a word of its kind leads to them.
        """
        found = [*self._named(said), *self._mistyped(said), *self._loosely_titled(said)]
        found.sort(key=lambda link: (-link.length, -link.score, link.start, link.kind))
        chosen: list[Link] = []
        for link in found:
            same = [c for c in chosen if (c.start, c.end) == (link.start, link.end)]
            others = [c for c in chosen if c.start < link.end and link.start < c.end and c not in same]
            is_whole = any(c.score >= EXACT for c in same)
            if is_whole and link.score < EXACT and not self._is_surely_led_to(said, link):
                continue
            if not others and all(c.kind != link.kind for c in same):
                chosen.append(link)
        chosen = [self._of_the_year(self._with_title(link, said), said) for link in chosen]
        return sorted(chosen, key=lambda link: (link.start, -link.score))

    def _is_typo(self, typed: str, right: str, name: Sequence[str]) -> bool:
        """Return whether one word is another with a letter wrong; two letters of a long word.

        Numbers must be right. Where what was typed is a word too ("căn bảng"), the name must be long, and the word none
        of a question ("triết mấy", "quy chế đào tạo nói").
        """
        if typed.isdigit() or right.isdigit() or min(len(typed), len(right)) < 2:
            return False
        if is_syllable(typed) and (len(name) < 4 or typed in self._frequent):
            return False
        return (
            OSA.distance(typed, right) <= (1 if len(right) < 9 else 2) and abs(len(typed) - len(right)) <= 1
        )

    def _loosely_titled(self, said: Sequence[Word]) -> Iterator[Link]:
        """Yield documents by the words of their titles in any order: "quy định học bổng khuyến khích học tập"."""
        folded = [word.folded for word in said]
        for start in range(len(said)):
            kind = _kind_at(folded, start)
            if kind is None:
                continue
            best: dict[int, list[str]] = {}
            for node, title in self._title_words.items():
                end = start + len(kind)
                # "quy chế đào tạo 2025 | quy định gì": another one begins, or the verb.
                while end < len(said) and folded[end] in title and _kind_at(folded, end) is None:
                    end += 1
                while end > start and folded[end - 1] in _rules().ends_title:
                    end -= 1
                if end - start - len(kind) >= FEWEST_TITLE_WORDS:
                    best.setdefault(end, []).append(node)
            if best and len(nodes := best[max(best)]) <= MOST_MEANT:
                yield Link(start, max(best), tuple(nodes), SHORTENED)

    def _with_title(self, link: Link, said: Sequence[Word]) -> Link:
        """Return a link to a document with the further words of its title: "quy định bảo lưu | và thôi học"."""
        if link.kind != "Document":
            return link
        title = frozenset().union(*(self._title_words.get(node, frozenset()) for node in link.nodes))
        folded, end = [word.folded for word in said], link.end
        while (
            end < len(said) and folded[end] in title - _rules().ends_title and _kind_at(folded, end) is None
        ):
            end += 1
        return replace(link, end=end)

    def _of_the_year(self, link: Link, said: Sequence[Word]) -> Link:
        """Return a link to documents with the year behind their name: "quy chế đào tạo 2025"."""
        behind = " ".join(word.folded for word in said[link.end : link.end + 4])
        match = _rules().year.match(behind) if link.kind == "Document" else None
        if match is None:
            return link
        kept = tuple(node for node in link.nodes if match["year"] in self._years.get(node, ()))
        return replace(link, end=link.end + len(match[0].split()), nodes=kept or link.nodes) if kept else link

    def _named(self, said: Sequence[Word]) -> Iterator[Link]:
        folded = [word.folded for word in said]
        for start in range(len(said)):
            for length in range(1, min(LONGEST_NAME, len(said) - start) + 1):
                key = " ".join(folded[start : start + length])
                typed = said[start : start + length]
                for table, score in ((self._names.whole, EXACT), (self._names.shortened, SHORTENED)):
                    yield from self._fitting(table.get(key, ()), typed, said, start, score)
                cued = self._names.cued.get(key, ())
                if cued and self._is_led_to(said, start, self._kinds[cued[0][1]]):
                    # The cue is a part of the name: it wins over a course of the name.
                    for link in self._fitting(cued, typed, said, start, EXACT):
                        yield replace(link, start=start - 1)

    def _fitting(
        self,
        names: Sequence[tuple[tuple[str, ...], str]],
        typed: Sequence[Word],
        said: Sequence[Word],
        start: int,
        score: float,
    ) -> Iterator[Link]:
        if len(names) > MOST_ALIKE:
            return
        by_kind: dict[str, dict[str, None]] = {}
        wrongly: dict[str, dict[str, None]] = {}
        behind = [word.folded for word in said[start + len(typed) :]]
        for name, node in names:
            rest = self._names.rest.get((" ".join(map(fold, name)), node), ())
            if score < EXACT and _contradicts(behind, rest):
                continue
            wrong = sum(not _is_spelled(word, part) for word, part in zip(typed, name, strict=True))
            if not wrong:
                by_kind.setdefault(self._kinds[node], {})[node] = None
            elif wrong == 1 and len(typed) > 2 and score == EXACT:
                wrongly.setdefault(self._kinds[node], {})[node] = None  # "cấu trúc dử liệu"
        if not by_kind and wrongly:
            by_kind, score = wrongly, MISTYPED
        for kind, nodes in by_kind.items():
            if len(nodes) > MOST_MEANT:
                continue
            sure = score
            if score < EXACT and len(typed) == 1 and kind == "Person" and typed[0].spelled == typed[0].folded:
                if said[start - 1].spelled == said[start - 1].folded:
                    continue  # "co van", "co bao nhieu": no "cô Vân", no "cô Bảo"
                sure = UNMARKED
            if self._is_weak(typed, score) and not self._is_led_to(said, start, kind):
                if score < EXACT:
                    continue
                sure = WEAK
            yield Link(start, start + len(typed), tuple(nodes), sure)

    def _is_weak(self, typed: Sequence[Word], score: float) -> bool:
        """Return whether words by themselves may mean anything: one everyday syllable, or a part of a name that is."""
        if len(typed) > 1:
            return False
        word = typed[0].folded
        return score < EXACT or len(word) < 3 or word.isdigit() or is_syllable(word)

    def _is_led_to(self, said: Sequence[Word], start: int, kind: str) -> bool:
        for cue in _rules().cues.get(kind, ()):
            length = len(cue)
            before = tuple(word.folded for word in said[max(0, start - length) : start])
            if before == cue:
                return True
        return False

    def _is_surely_led_to(self, said: Sequence[Word], link: Link) -> bool:
        """Return whether a word of its kind leads to a link; "học" leads to courses and to majors."""
        before = said[link.start - 1].folded if link.start else ""
        return before != "hoc" and self._is_led_to(said, link.start, link.kind)

    def _mistyped(self, said: Sequence[Word]) -> Iterator[Link]:
        """Yield names with a typo, or with their blanks in other places."""
        names, folded = self._names, [word.folded for word in said]
        hits: dict[tuple[int, int], int] = {}
        for place, word in enumerate(folded):
            postings = names.by_word.get(word, ())
            if len(postings) <= COMMON:
                for number, at in postings:
                    if place >= at:
                        hits[number, place - at] = hits.get((number, place - at), 0) + 1
        for (number, start), count in hits.items():
            name, node = names.every[number]
            end = start + len(name)
            if count * 2 < len(name) or count == len(name) or end > len(said):
                continue
            wrong = [(word.folded, fold(part)) for word, part in zip(said[start:end], name, strict=True)]
            if all(self._is_typo(typed, right, name) for typed, right in wrong if typed != right):
                yield Link(start, end, (node,), MISTYPED)
        for start in range(len(said)):
            text = ""
            for end in range(start + 1, min(start + 6, len(said)) + 1):
                text += folded[end - 1]
                nodes = names.joined.get(text)
                if nodes and len(nodes) == 1:
                    yield Link(start, end, tuple(nodes), MISTYPED)


def _kind_at(folded: Sequence[str], start: int) -> tuple[str, ...] | None:
    """Return the kind of document that words name from `start` on: "quy định"."""
    kinds = _rules().kinds_of_document
    return next((kind for kind in kinds if tuple(folded[start : start + len(kind)]) == kind), None)


def _contradicts(behind: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether a message goes on as a name does, but with another number: "của khóa 51", "của khóa 52"."""
    for typed, right in zip(behind, rest, strict=False):
        if typed != right:
            return typed.isdigit() and right.isdigit()
    return False


def _is_spelled(word: Word, part: str) -> bool:
    """Return whether a word may be the `part` of a name: equal, or without some of its diacritics."""
    if word.spelled in (part, fold(part)):
        return True
    return all(
        typed in (right, fold(right)) for typed, right in zip(word.spelled, part, strict=False)
    ) and len(word.spelled) == len(part)


def _without_titles(said: tuple[str, ...], rules: _Rules) -> tuple[str, ...]:
    rest = said
    while len(rest) > 1 and rest[0] in rules.titles:
        rest = rest[1:]
    return rest


@dataclass(frozen=True, slots=True)
class _Rules:
    cues: dict[str, tuple[tuple[str, ...], ...]]
    every_cue: frozenset[tuple[str, ...]]
    titles: frozenset[str]
    by_end: frozenset[str]
    by_beginning: frozenset[str]
    cohort_names: tuple[str, ...]
    dropped: dict[str, tuple[tuple[str, ...], ...]]
    fewest_left: int
    replaced: dict[str, dict[str, str]]
    shortest_beginning: dict[str, int]
    named_by: dict[str, tuple[str, ...]]
    left_out: frozenset[str]
    of_time: re.Pattern[str]
    with_number: re.Pattern[str]
    kinds_of_document: tuple[tuple[str, ...], ...]
    ends_title: frozenset[str]
    year: re.Pattern[str]
    place: re.Pattern[str]
    locator: dict[str, str]


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    data = yaml_beside(__file__, "entity_lookup.yml")
    cues = {
        kind: tuple(tuple(map(fold, spelled(cue))) for cue in cues) for kind, cues in data["cues"].items()
    }
    return _Rules(
        cues=cues,
        every_cue=frozenset(chain.from_iterable(cues.values())),
        titles=frozenset(word for title in data["titles"] for word in spelled(title)),
        by_end=frozenset(data["by_end"]),
        by_beginning=frozenset(data["by_beginning"]),
        cohort_names=tuple(data["cohort_names"]),
        dropped={
            kind: tuple(tuple(map(fold, spelled(one))) for one in sorted(some, key=len, reverse=True))
            for kind, some in data["dropped"].items()
        },
        fewest_left=data["fewest_left"],
        replaced={kind: dict(pairs) for kind, pairs in data["replaced"].items()},
        shortest_beginning=dict(data["shortest_beginning"]),
        named_by={kind: tuple(keys) for kind, keys in data["named_by"].items()},
        left_out=frozenset(data["left_out"]),
        of_time=re.compile(data["of_time"]),
        with_number=re.compile(data["with_number"], re.IGNORECASE),
        ends_title=frozenset(map(fold, data["ends_title"])),
        kinds_of_document=tuple(tuple(map(fold, spelled(kind))) for kind in data["kinds_of_document"]),
        year=re.compile(data["year"]),
        place=re.compile(data["place"]),
        locator=dict(data["locator"]),
    )


@lru_cache(maxsize=20_000)
def _folded(word: str) -> str:
    return intern(fold(word))


@dataclass(frozen=True, slots=True)
class PlaceNamed:
    """A place in a document that the words `start`..`end` of a message name: "khoản 2 Điều 12"."""

    start: int
    end: int
    locator: str


def place_named(said: Sequence[Word]) -> PlaceNamed | None:
    """Return the first place of a document that a message names; None when it names none."""
    rules, text, starts = _rules(), "", list[int]()
    for word in said:
        starts.append(len(text))
        text += f"{word.folded} "
    match = rules.place.search(text)
    if match is None:
        return None
    parts = [rules.locator["article"].format(article=match["article"])]
    if clause := match["clause"] or match["clause_behind"]:
        parts.append(rules.locator["clause"].format(clause=clause))
        if point := match["point"] or match["point_behind"]:
            parts.append(rules.locator["point"].format(point=point))
    first = next(n for n, at in enumerate(starts) if at >= match.start())
    last = next((n for n, at in enumerate(starts) if at >= match.end()), len(said))
    return PlaceNamed(first, last, ", ".join(parts))
