"""Which entries would be named as having the question of another one, by the limit of likeness.

    .venv/bin/python -m benchmarks.same_questions --index INDEX [--every 1] [QUESTIONS.csv ...]

Publishes all wordings of each entry anew, so to say, over an index of the school (`covan index DIR --out INDEX`), and
counts the pairs of entries that are no siblings, for some of the same students, and at least as near as each limit. The
questions are in students' words (`benchmarks/sample_school/wordings.csv`): the share that is as near to an entry that
answers them, and to another one. `--every 10` takes each tenth entry and question. Expected of the sample school at
`console.same_questions.NEAR`, with its files `everyday`, `questions` and `wordings`: 3 pairs, and less than 0.2 % of
the questions near to another entry; the exit code is 1 for more.

    .venv/bin/python -m benchmarks.same_questions --index INDEX --pairs benchmarks/same_questions/entry_pairs.csv

publishes the two questions of each labelled pair as entries of their own, without variants and sources, and counts the
pairs that the console lists as nearly asking the same: those that do, and those that only look alike (another cohort,
thing or aspect). Expected are 42 of 50, and 5 of 59; the exit code is 1 for fewer, or for more.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from console.live_index import LiveIndex
from console.near_duplicates import near_pairs
from console.same_questions import NEAR, overlap
from rag.engine import Engine
from rag.retrieve.embedder import load_embedder
from rag.types import FAQ_SOURCE, FaqEntry, Question

LIMITS = (0.75, 0.8, 0.85, NEAR, 0.95)
MOST_PAIRS = 3
MOST_WRONG = 0.002
FEWEST_SAME = 42
MOST_OTHERS = 5

TOPIC, ANSWER = "study", "Bạn hỏi Phòng Đào tạo."
"""Of the entries with labelled questions."""


def main() -> int:
    """Count pairs and questions at each limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("questions", type=Path, nargs="*")
    asked = parser.parse_args()
    live = LiveIndex(asked.index, load_embedder(), "covan")
    if asked.pairs is not None:
        return _labelled(live, _rows(asked.pairs))
    engine = live.engine()
    pairs = _pairs(engine, asked.every)
    rows = [row for path in asked.questions for row in _rows(path)]
    is_worse = False
    near = list(_near(engine, rows[:: asked.every]))
    print(f"{'limit':>6} {'pairs':>7} {'right':>7} {'wrong':>7}   of {len(near)} questions")
    for limit in LIMITS:
        right, wrong = (sum(each[place] >= limit for each in near) / max(1, len(near)) for place in (0, 1))
        count = sum(likeness >= limit for likeness in pairs.values())
        print(f"{limit:6.2f} {count:7} {right:7.1%} {wrong:7.1%}", flush=True)
        if limit == NEAR:
            is_worse = count > MOST_PAIRS or wrong > MOST_WRONG
    return 1 if is_worse else 0


def _labelled(live: LiveIndex, rows: Sequence[dict[str, str]]) -> int:
    """Count the labelled pairs that are listed, and print those that are listed wrongly or not at all."""
    before = live.index()
    texts = dict.fromkeys(text for row in rows for text in (row["one"], row["other"]))
    made = {text: FaqEntry(f"pair-{n:03}", text, (), ANSWER, TOPIC) for n, text in enumerate(texts)}
    index = live.with_faq(before, (*before.faq, *made.values()), before.rules)
    begun = time.process_time()
    found = near_pairs(index)
    took = time.process_time() - begun
    listed = {frozenset((pair.one, pair.other)) for pair in found}
    count = Counter[tuple[str, bool]]()
    for row in rows:
        is_listed = frozenset((made[row["one"]].id, made[row["other"]].id)) in listed
        count[row["same"], is_listed] += 1
        if is_listed != (row["same"] == "yes"):
            print(f"{'listed' if is_listed else 'missing':8} {row['one']} | {row['other']}")
    same, others = count["yes", True], count["no", True]
    print(f"{same} of {same + count['yes', False]} that ask the same are listed,", end=" ")
    print(
        f"{others} of {others + count['no', False]} that look alike; {took:.1f} s of a processor", flush=True
    )
    return 1 if same < FEWEST_SAME or others > MOST_OTHERS else 0


def _rows(path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(path.read_text(encoding="utf-8").splitlines())]


def _likeness(engine: Engine, text: str) -> Iterator[tuple[FaqEntry, float]]:
    for candidate in engine.candidates(Question(text), FAQ_SOURCE):
        if isinstance(candidate.item, FaqEntry):
            yield candidate.item, candidate.likeness


def _pairs(engine: Engine, every: int) -> dict[frozenset[str], float]:
    """Return the likeness of each two entries that may be for one student, by their ids."""
    catalog = engine.index.dictionaries.catalog
    found: dict[frozenset[str], float] = {}
    for entry in engine.index.faq[::every]:
        for wording in (entry.question, *entry.variants):
            for other, likeness in _likeness(engine, wording):
                pair = frozenset((entry.id, other.id))
                is_new = len(pair) > 1 and likeness > found.get(pair, min(LIMITS))
                if is_new and overlap(entry.applies_to, other.applies_to, catalog):
                    found[pair] = likeness
    return found


def _near(engine: Engine, rows: Sequence[dict[str, str]]) -> Iterator[tuple[float, float]]:
    """Yield for each question that entries answer its likeness to these or their siblings, and to others."""
    families = {entry.id: entry.family for entry in engine.index.faq}
    for row in rows:
        own = {families[name] for name in row["source"].split("|") if name in families}
        if own and row["decision"] == "answer":
            near = list(_likeness(engine, row["question"]))
            right = max((likeness for entry, likeness in near if entry.family in own), default=0.0)
            yield right, max((likeness for entry, likeness in near if entry.family not in own), default=0.0)


if __name__ == "__main__":
    sys.exit(main())
