"""Merging of duplicate entities by their neighbourhoods, with a log from which every merge can be undone.

Two nodes of one type are the same entity when the Jaccard index of their neighbourhoods reaches `THRESHOLD` and nothing
tells them apart. This repeats until nothing merges, because a merge makes neighbourhoods more alike. Names and aliases
have been resolved before (`linking`); this finds what was read under different names in different places.

Only what was read out of texts is merged: the catalogue, the tables and the entity files give each entity an id of its
own, so two of them are never one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

from rapidfuzz.distance import OSA

from rag.graph.merges import EdgeKey, Merge, Merged, edge_key, graph_of
from rag.graph.types import Edge, FoundBy, Graph, Node
from vietnamese.syllables import is_syllable
from vietnamese.text import fold, words

THRESHOLD = Fraction(56, 100)
"""The Jaccard index from which two neighbourhoods are one, as in uMentor."""

FEWEST_SHARED = 2
"""The fewest neighbours in common: two entities that one clause mentions are not the same for that."""

READ = (FoundBy.RULE, FoundBy.MODEL)
"""Ways of finding a node in a text, the more trusted first."""
_NUMBER = re.compile(r"\d+")

Neighbour = tuple[str, bool, str]
"""A relation, whether it leads out, and the node at its other end."""


def merge_duplicates(graph: Graph, distinct: Iterable[frozenset[str]] = ()) -> Merged:
    """Return a graph with its duplicates merged.

    `distinct` are sets of ids that are never merged with one another: what an editor has told apart. Of two nodes,
    the one found in the more trusted way is kept (not read out of a text, read by a rule, by a model), then the one of
    higher degree, then the first by id. It takes no name and no property from a less trusted one.
    """
    work = _Work(graph, distinct)
    merges: list[Merge] = []
    while pairs := work.duplicates():
        # A node merges once a round: its neighbourhood is another one afterwards.
        touched: set[str] = set()
        for jaccard, first, second in pairs:
            if not touched & {first, second}:
                touched |= {first, second}
                merges.append(work.merge(first, second, jaccard))
    return Merged(work.graph(graph), tuple(merges))


class _Work:
    """A graph while it is merged. `fresh` are the nodes whose neighbourhoods have changed since the last round."""

    def __init__(self, graph: Graph, distinct: Iterable[frozenset[str]]) -> None:
        self._nodes = {node.id: node for node in graph.nodes}
        self._edges = {edge_key(edge): edge for edge in graph.edges}
        self._around: dict[str, dict[Neighbour, EdgeKey]] = defaultdict(dict)
        for key in self._edges:
            self._join(key)
        self._fresh = set(self._nodes)
        self._distinct = tuple(distinct)

    def graph(self, before: Graph) -> Graph:
        return graph_of(before, self._nodes, self._edges)

    def duplicates(self) -> list[tuple[Fraction, str, str]]:
        """Return the pairs of duplicates with their Jaccard index, the most alike first."""
        found = []
        for first, second in self._alike():
            jaccard = self._jaccard(first, second)
            if jaccard >= THRESHOLD and self._may_be_one(first, second):
                found.append((jaccard, first, second))
        self._fresh = set()
        return sorted(found, key=lambda pair: (-pair[0], pair[1], pair[2]))

    def merge(self, first: str, second: str, jaccard: Fraction) -> Merge:
        """Make one node of two."""
        kept, dropped = sorted((first, second), key=self._rank)
        before, lost = self._nodes[kept], self._nodes.pop(dropped)
        removed, added = [], []
        for key in dict.fromkeys(self._around[dropped].values()):
            edge = self._part(key)
            removed.append(edge)
            ends = [kept if end == dropped else end for end in (edge.source, edge.target)]
            moved = replace(edge, source=ends[0], target=ends[1])
            if moved.source != moved.target and edge_key(moved) not in self._edges:
                self._edges[edge_key(moved)] = moved
                self._join(edge_key(moved))
                added.append(moved)
        self._fresh |= {kept, *(end for edge in removed for end in (edge.source, edge.target))} - {dropped}
        if self._trust(lost) <= self._trust(before):
            names = dict.fromkeys((*before.names, *lost.names, lost.name))
            properties = {**lost.properties, **before.properties}
            self._nodes[kept] = replace(before, names=tuple(filter(None, names)), properties=properties)
        return Merge(before, lost, float(jaccard), tuple(removed), tuple(added))

    def _rank(self, node: str) -> tuple[int, int, str]:
        return self._trust(self._nodes[node]), -len(self._around[node]), node

    @staticmethod
    def _trust(node: Node) -> int:
        found_by = node.provenance.found_by
        return 1 + READ.index(found_by) if found_by in READ else 0

    def _is_read(self, node: str) -> bool:
        return self._nodes[node].provenance.found_by in READ

    def _join(self, key: EdgeKey) -> None:
        source, relation, target = key
        self._around[source][relation, True, target] = key
        self._around[target][relation, False, source] = key

    def _part(self, key: EdgeKey) -> Edge:
        source, relation, target = key
        del self._around[source][relation, True, target]
        del self._around[target][relation, False, source]
        return self._edges.pop(key)

    def _jaccard(self, first: str, second: str) -> Fraction:
        one, other = self._around[first].keys(), self._around[second].keys()
        shared = len(one & other)
        return Fraction(shared, len(one | other)) if shared >= FEWEST_SHARED else Fraction(0)

    def _alike(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of nodes of one type, at least one of them read, that may reach the threshold.

        With its neighbours in one order, the rarest first, each of two such neighbourhoods has one of the other's first
        few (prefix filtering: Chaudhuri et al., ICDE 2006), so that a hub makes no pairs.
        """
        kinds = {node.type for node in self._nodes.values() if self._is_read(node.id)}
        frequency: dict[Neighbour, int] = defaultdict(int)
        concerned = [id for id, node in self._nodes.items() if node.type in kinds]
        for node in concerned:
            for neighbour in self._around[node]:
                frequency[neighbour] += 1
        by_neighbour: dict[tuple[str, Neighbour], list[str]] = defaultdict(list)
        for node in sorted(concerned):
            neighbours = sorted(self._around[node], key=lambda each: (frequency[each], each))
            first = len(neighbours) - ceil(THRESHOLD * len(neighbours)) + 1
            near = dict.fromkeys(
                other
                for neighbour in neighbours[:first]
                for other in by_neighbour[self._nodes[node].type, neighbour]
            )
            for other in near:
                is_new = node in self._fresh or other in self._fresh
                if is_new and (self._is_read(node) or self._is_read(other)):
                    yield other, node
            for neighbour in neighbours[:first]:
                by_neighbour[self._nodes[node].type, neighbour].append(node)

    def _may_be_one(self, first: str, second: str) -> bool:
        """Return whether nothing tells two nodes apart: an editor, a property, or their names."""
        if any({first, second} <= group for group in self._distinct):
            return False
        one, other = self._nodes[first], self._nodes[second]
        both = one.properties.keys() & other.properties.keys() - _OF_TEXT
        if any(one.properties[key] != other.properties[key] for key in both):
            return False
        return any(_names_agree(a, b) for a in _names(one) for b in _names(other))


_OF_TEXT = frozenset({"about", "of"})
"""Properties in the words of a passage, which differ between passages that say the same."""


def _names(node: Node) -> Sequence[str]:
    return tuple(dict.fromkeys(filter(None, (node.name, *node.names))))


def _names_agree(one: str, other: str) -> bool:
    """Return whether two names may be one: every word of the shorter is in the longer, in its order.

    A word is also taken for another with a letter wrong, and for the initials of several ("CTSV"). Numbers in both
    must be the same: "Giải tích 1", "Giải tích 2".
    """
    short, long = sorted((words(fold(one)), words(fold(other))), key=len)
    numbers = [set(_NUMBER.findall(" ".join(name))) for name in (short, long)]
    if numbers[0] != numbers[1]:
        return False
    place = 0
    for word in short:
        taken = _taken(word, long[place:])
        if taken is None:
            return False
        place += taken
    return bool(short)


def _taken(word: str, rest: Sequence[str]) -> int | None:
    """Return the number of words of a name up to the end of what `word` stands for; None when it stands for none."""
    for start in range(len(rest)):
        if word == rest[start] or _is_typo(word, rest[start]):
            return start + 1
        end = start + len(word)
        if end <= len(rest) and all(
            part.startswith(letter) for part, letter in zip(rest[start:end], word, strict=True)
        ):
            return end
    return None


def _is_typo(one: str, other: str) -> bool:
    """Return whether one of two words is the other with a letter wrong; of two syllables ("An", "Anh") neither is."""
    return OSA.distance(one, other) < 2 and not (is_syllable(one) and is_syllable(other))
