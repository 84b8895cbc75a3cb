"""How a sentence and the passage that it cites compare, in numbers, and the probability that the passage says it.

The rules of the verifier each see one fault, and reject whatever is worded otherwise. The numbers say what a sentence's
way through the passage looks like (`alignment`): words that it adds, jumps over or leaves out, and of which kind; what
it denies; how near its values are to its words. The model weighs them together with what the rules found. Every number
compares the sentence with the passage: none, such as its length, tells of the sentence alone.
`benchmarks/verifier.py --fit` fits the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log
from pathlib import Path

from rag.answer.alignment import Alignment, Track, aligned, skipped, track_of
from rag.answer.comparable_text import ComparableText, Value, comparable_kinds
from rag.answer.values import is_bound, kind_of
from rag.decide.network import ProbabilityNetwork
from rag.json_file import read_json

MODEL = Path(__file__).with_name("support_model.json")

NEAR = 3
"""So many words before a word belong to it: "không được nộp"."""
AROUND_NUMBER = 4
AROUND_VALUE, AROUND_SAME_VALUE = 6, 8
"""Words around a value in a sentence, and in a passage, that are compared."""
MOST_BETWEEN = 25
"""A conjunction joins two words of a passage that are no farther apart."""
LEAST_ITEMS = 2

Signals = dict[str, float]


@cache
def shipped_support() -> ProbabilityNetwork:
    """Return the model that is shipped. Raises SettingsError when its file is damaged."""
    return read_json(MODEL, ProbabilityNetwork, "the model of the verifier")


def support_signals(
    said: ComparableText,
    own: Sequence[ComparableText],
    known: frozenset[str],
    headings: frozenset[str],
    faults: Mapping[str, bool],
) -> Signals:
    """Return the numbers by name.

    `own` are the places of the cited passages, `known` all their telling words, `headings` those of title and
    headings, `faults` whether each rule has something against the sentence, by the rule's name.
    """
    track = track_of(tuple(place.text for place in own))
    kinds = comparable_kinds()
    heavy = said.telling | kinds["negation"] | kinds["duty"] | kinds["leave"]
    way = aligned(said.tokens, heavy, track)
    told = frozenset().union(*(place.telling for place in own))
    return (
        {f"rule.{name}": float(is_found) for name, is_found in faults.items()}
        | _coverage(said, own, known, headings)
        | _way(said, way, track)
        | _left_words(said, way, track, told)
        | _left_segments(said, way, track, told)
        | _denials(said, way, track)
        | _joins(said, way, track)
        | _values(said, own)
    )


def _coverage(
    said: ComparableText, own: Sequence[ComparableText], known: frozenset[str], headings: frozenset[str]
) -> Signals:
    """Return how many of a sentence's telling words the passages have, and the place that has most."""
    telling = said.telling
    count = max(len(telling), 1)
    new = [word in telling and word not in known for word in said.tokens]
    stated = frozenset().union(*(place.tokens for place in own))
    in_place = max((len(telling & place.telling) for place in own), default=0)
    with_headings = max((len(telling & (place.telling | headings)) for place in own), default=0)
    return {
        "new": sum(new),
        "new share": sum(new) / count,
        "new in a row": float(any(one and other for one, other in pairwise(new))),
        "from headings": len((telling & headings) - stated),
        "in place": in_place / count,
        "in place with headings": with_headings / count,
        "missing in place": count - with_headings,
    }


def _way(said: ComparableText, way: Alignment, track: Track) -> Signals:
    """Return how straight the way of a sentence through the passage is."""
    pairs = way.pairs
    chunks, back, cross, farthest = 1, 0, 0, 0
    for (_, one), (_, other) in pairwise(pairs):
        if other == one + 1:
            continue
        chunks += 1
        back += other <= one
        is_within = track.places[one] == track.places[other]
        cross += not is_within
        farthest = max(farthest, other - one if is_within else 0)
    there = set(pairwise(track.tokens))
    said_pairs = list(pairwise(said.tokens))
    places = Counter(track.places[number] for _, number in pairs)
    return {
        "cost": way.cost / max(len(said.tokens), 1),
        "chunks": chunks,
        "chunk share": chunks / max(len(pairs), 1),
        "back": back,
        "cross": cross,
        "farthest": log(1 + farthest),
        "pairs of words": sum(pair in there for pair in said_pairs) / max(len(said_pairs), 1),
        "places": len(places),
        "main place": max(places.values(), default=0) / max(len(pairs), 1),
    }


def _left_words(said: ComparableText, way: Alignment, track: Track, told: frozenset[str]) -> Signals:
    """Return the words that a sentence has alone, and those that it leaves out around its own, by kind."""
    repeated = {number for _, number in way.pairs}
    segments = _segments(track)
    used = {track.segments[number] for number in repeated}
    jumped = skipped(way, track)
    before: list[int] = []
    behind: list[int] = []
    for segment in used:
        numbers = segments[segment]
        mine = [number for number in numbers if number in repeated]
        before += [number for number in numbers if number < mine[0]]
        behind += [number for number in numbers if number > mine[-1]]
    left = {
        "inside": [number for number in jumped if track.segments[number] in used],
        "between": [number for number in jumped if track.segments[number] not in used],
        "before": before,
        "behind": behind,
    }
    alone = [said.tokens[place] for place, number in enumerate(way.at) if number is None]
    mine_too = set(said.tokens)
    signals: Signals = {
        "alone": sum(word in said.telling for word in alone),
        "alone share": sum(word in said.telling for word in alone) / max(len(said.telling), 1),
    }
    places = {"alone": alone}
    for name, numbers in left.items():
        words = [track.tokens[number] for number in numbers]
        places[name] = words
        signals[name] = sum(word in told and word not in mine_too for word in words)
    signals["inside.value"] = sum(word[0].isdigit() and word not in mine_too for word in places["inside"])
    for name, words in places.items():
        for kind, some in comparable_kinds().items():
            signals[f"{name}.{kind}"] = sum(word in some for word in words)
    return signals


def _left_segments(said: ComparableText, way: Alignment, track: Track, told: frozenset[str]) -> Signals:
    """Return what a sentence leaves out of the place that it repeats most, and of a list that must hold as a whole."""
    pairs = way.pairs
    names = ("conditions", "words of conditions", "exceptions", "segments before", "segments behind")
    signals: Signals = dict.fromkeys((*names, "segment said", "items left"), 0.0)
    if not pairs:
        return signals
    kinds = comparable_kinds()
    main = Counter(track.places[number] for _, number in pairs).most_common(1)[0][0]
    mine = [number for _, number in pairs if track.places[number] == main]
    segments = _segments(track)
    used = {track.segments[number] for _, number in pairs}
    for segment in dict.fromkeys(
        s for s, place in zip(track.segments, track.places, strict=True) if place == main
    ):
        if segment in used:
            continue
        numbers = segments[segment]
        words = [track.tokens[number] for number in numbers]
        left = sum(word in told and word not in said.tokens for word in words)
        if words[0] in kinds["opening"] or kinds["condition"].intersection(words):
            signals["conditions"] += 1
            signals["words of conditions"] += left
            signals["exceptions"] += bool((kinds["exception"] | kinds["negation"]).intersection(words))
        signals["segments before"] += left if numbers[-1] < min(mine) else 0
        signals["segments behind"] += left if numbers[0] > max(mine) else 0
    inside = sum(len(segments[segment]) for segment in used)
    signals["segment said"] = len({number for _, number in pairs}) / max(inside, 1)
    last = track.places[-1]
    intro = {token for token, place in zip(track.tokens, track.places, strict=True) if place == 0}
    items = {track.places[number] for _, number in pairs} - {0}
    from_intro = any(track.places[number] == 0 and said.tokens[at] in said.telling for at, number in pairs)
    if last >= LEAST_ITEMS and intro & kinds["together"] and from_intro and items:
        signals["items left"] = last - len(items)
    return signals


def _denials(said: ComparableText, way: Alignment, track: Track) -> Signals:
    """Return how negations and duties before the words of a sentence differ from those in the passage."""
    kinds = comparable_kinds()
    negations, duties, leaves = kinds["negation"], kinds["duty"], kinds["leave"]
    signals: Signals = dict.fromkeys(("negation left", "negation added", "duty added", "leave for duty"), 0.0)
    for at, number in way.pairs:
        if said.tokens[at] not in said.telling or said.tokens[at] in negations:
            continue
        mine = set(said.tokens[max(0, at - NEAR) : at])
        theirs = {
            track.tokens[each]
            for each in range(max(0, number - NEAR), number)
            if track.segments[each] == track.segments[number]
        }
        signals["negation left"] += bool(theirs & negations) and not mine & negations
        signals["negation added"] += bool(mine & negations) and not theirs & negations
        signals["duty added"] += bool(mine & duties) and not theirs & duties
        signals["leave for duty"] += bool(mine & leaves) and bool(theirs & duties) and not theirs & leaves
    used = {track.segments[number] for _, number in way.pairs}
    there = [token for token, segment in zip(track.tokens, track.segments, strict=True) if segment in used]
    for name, some in (("negations", negations), ("denials", negations | kinds["denial"])):
        signals[name] = sum(token in some for token in said.tokens) - sum(token in some for token in there)
    signals["negations odd"] = signals["negations"] % 2
    return signals


def _joins(said: ComparableText, way: Alignment, track: Track) -> Signals:
    """Return how often a sentence says "and" for the passage's "or", the reverse, or another side of a number."""
    kinds = comparable_kinds()
    every, either, sides = kinds["both"], kinds["either"], kinds["side"]
    signals: Signals = dict.fromkeys(("and for or", "or for and", "other side"), 0.0)
    pairs = way.pairs
    for (first, one), (last, other) in pairwise(pairs):
        if abs(other - one) >= MOST_BETWEEN:
            continue
        mine = set(said.tokens[first : last + 1])
        theirs = set(track.tokens[min(one, other) : max(one, other) + 1])
        signals["and for or"] += bool(mine & every) and bool(theirs & either) and not theirs & every
        signals["or for and"] += bool(mine & either) and bool(theirs & every) and not theirs & either
    for at, number in pairs:
        if said.tokens[at][0].isdigit():
            mine = set(sides).intersection(said.tokens[max(0, at - AROUND_NUMBER) : at + AROUND_NUMBER])
            theirs = set(sides).intersection(
                track.tokens[max(0, number - AROUND_NUMBER) : number + AROUND_NUMBER]
            )
            signals["other side"] += bool(mine - theirs)
    return signals


def _values(said: ComparableText, own: Sequence[ComparableText]) -> Signals:
    """Return how near a sentence's values are to its words in the passage, and how near others of their kind are."""
    margin = nearness = 1.0
    other_unit = other_lead = 0
    for value in filter(is_bound, said.values):
        around = said.telling.intersection(
            said.tokens[max(0, value.at - AROUND_VALUE) : value.at + AROUND_VALUE + 1]
        )
        same: list[float] = [0.0]
        rival: list[float] = [0.0]
        has_unit = has_lead = False
        for place in own:
            for each in place.values:
                there = place.tokens[max(0, each.at - AROUND_SAME_VALUE) : each.at + AROUND_SAME_VALUE + 1]
                near = len(around.intersection(there)) / max(len(around), 1)
                if each.value == value.value:
                    same.append(near)
                    has_unit |= each.after == value.after
                    has_lead |= each.before == value.before
                elif _are_rivals(each, value):
                    rival.append(near)
        margin, nearness = min(margin, max(same) - max(rival)), min(nearness, max(same))
        other_unit += not has_unit
        other_lead += not has_lead
    return {
        "value margin": margin,
        "value nearness": nearness,
        "value with another unit": other_unit,
        "value behind another word": other_lead,
    }


def _are_rivals(one: Value, other: Value) -> bool:
    """Return whether two values may be taken for each other."""
    kind = kind_of(one)
    return (
        (kind is not None and kind == kind_of(other))
        or one.before == other.before
        or one.after == other.after
    )


def _segments(track: Track) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, segment in enumerate(track.segments):
        found.setdefault(segment, []).append(number)
    return found
