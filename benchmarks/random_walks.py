#!/usr/bin/env python3
"""Does any conversation end badly? Thousands of generated ones, with the real Rasa and the real action server.

    .venv/bin/python benchmarks/random_walks.py [--walks 2000] [--first 0] [--workers 3] [--out walks.jsonl]
    .venv/bin/python benchmarks/random_walks.py --show SEED

A walk is a conversation of 4 to 14 turns made from its seed: questions, who the student is, follow-ups, corrections,
small talk, hostile texts (walks/messages.yml), repeats, buttons that the last reply offered and old ones; now and then
a day passes. Of every turn is asked: that the channel takes it, that there is a reply, that it is no apology (which
stands for an exception) and that nothing in it was left unfilled. Of every answer: that the student has given a value
of each cohort, major or programme that it is only for, typed or by a button, since it was last forgotten; what follows
from a major, and values that few students have, need not be given. Of
conversations: that they still listen at the end. Of the servers: that their logs tell of no exception and no
conversation that was mended.

With --out, each walk is a line of that file as soon as it is over, and walks that are there already are not done again:
run the same command to go on. Expected: no failure, and an exit code of 0.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
import yaml
from real_servers import NAMES, RealServers, ServerError
from rich.progress import track

from covan.domain import read_domain
from covan.project import ROOT
from rag.decide.clarify import MOST_LEFT_OUT, left_out
from rag.ingest.load import load_knowledge
from school.catalog import Catalog
from school.dimensions import AppliesTo, Profile

MESSAGES = Path(__file__).parent / "walks" / "messages.yml"
TURNS = range(4, 15)
A_DAY_S = 26 * 3600.0
LIVENESS_QUESTION = "Thư viện mở cửa mấy giờ?"

MOVES: Mapping[str, int] = {
    "questions": 22,
    "questions_that_tell": 10,
    "vague": 7,
    "tells": 12,
    "follow_ups": 10,
    "corrections": 6,
    "talk": 12,
    "hostile": 6,
    "button": 35,
    "old_button": 5,
    "repeat": 4,
    "a_day": 2,
}
"""Frequency of each kind of turn, relative to the other possible ones."""

_UNFILLED = re.compile(r"\{\{?\s*[a-z_][\w.]*\s*\}?\}")
_FLAWS_IN_LOG = re.compile(
    r"Traceback|\bERROR\b|\bCRITICAL\b|Exception|ircuit breaker|no longer listened", re.IGNORECASE
)

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A student's move: text or the payload of a button, and the values that it gives of the student."""

    text: str = ""
    payload: str | None = None
    gives: Values = ()

    def __str__(self) -> str:
        said = f"[{self.payload}]" if self.payload is not None else repr(self.text)
        return said if len(said) < 120 else f"{said[:80]}… ({len(said)} characters)"


@dataclass(frozen=True, slots=True)
class Walked:
    """The outcome of a walk; `faults` are sentences, empty when all was well."""

    seed: int
    turns: int
    seconds: float
    faults: tuple[str, ...] = ()
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class School:
    """The matter of the walks: the words, the catalogue, and the students of entries and documents."""

    words: Mapping[str, Sequence[Any]]
    catalog: Catalog
    entries: Mapping[str, AppliesTo]
    siblings: Mapping[str, Sequence[AppliesTo]]
    """The students of the entries that answer the question of an entry for others."""
    documents: Mapping[str, AppliesTo]
    responses: Mapping[str, Sequence[str]]

    @classmethod
    def load(cls) -> School:
        """Return the sample school."""
        knowledge = load_knowledge(ROOT / "knowledge")
        return cls(
            yaml.safe_load(MESSAGES.read_text(encoding="utf-8")),
            knowledge.catalog,
            {entry.id: entry.applies_to for entry in knowledge.faq},
            {
                entry.id: [o.applies_to for o in knowledge.faq if o.family == entry.family and o is not entry]
                for entry in knowledge.faq
            },
            {document.meta.id: document.meta.applies_to for document in knowledge.documents},
            {
                name: [variation["text"] for variation in variations]
                for name, variations in read_domain()["responses"].items()
            },
        )

    def most_left_out(self, entry: str, profile: Profile) -> int:
        """Return how many values an entry may leave out: only rare ones where it has a sibling for this student."""
        return (
            0 if any(not each.excludes(profile) for each in self.siblings.get(entry, ())) else MOST_LEFT_OUT
        )

    def named_in(self, question: str) -> Values:
        """Return the values of the dimensions that a question of the school's own names."""
        found: list[tuple[str, str]] = [
            (dimension.id, number)
            for dimension in self.catalog.dimensions
            if dimension.ordered
            for number in re.findall(r"\bK(\d+)\b", question)
        ]
        for dimension in self.catalog.dimensions:
            if dimension.ordered:
                continue
            found += [
                (dimension.id, item.id)
                for item in self.catalog.items(dimension.id)
                for name in (item.name, *item.aliases)
                if re.search(rf"\b{re.escape(name)}\b", question, re.IGNORECASE)
            ]
        return tuple(found)

    def is_response(self, text: str, name: str) -> bool:
        """Return whether `text` is a variation of a response without placeholders."""
        return any(text == variation for variation in self.responses.get(name, ()))


# --- what is said ----------------------------------------------------------------------------------------------------


class Student:
    """Makes up the turns of one conversation from the buttons and questions offered in it."""

    def __init__(self, seed: int, school: School) -> None:
        self._random = Random(seed)
        self._school = school
        self._offered: list[Mapping[str, str]] = []
        self._ever_offered: list[Mapping[str, str]] = []
        self._last = Move("xin chào")
        self.turns = self._random.choice(TURNS)

    def hear(self, buttons: Sequence[Mapping[str, str]]) -> None:
        """Take in the buttons of a reply."""
        self._offered = list(buttons)
        self._ever_offered += buttons

    def next(self) -> tuple[str, Move]:
        """Return the next turn and its kind; a move without text or payload for `a_day`, when only time passes."""
        pools = {"button": self._offered, "old_button": self._ever_offered}
        possible = {kind: often for kind, often in MOVES.items() if pools.get(kind, True)}
        [kind] = self._random.choices(list(possible), weights=list(possible.values()))
        if kind == "a_day":
            return kind, Move()
        if kind in pools:
            self._last = _pressed(self._random.choice(pools[kind]), self._school)
        elif kind != "repeat":
            self._last = self._typed(self._random.choice(self._school.words[kind]))
        return kind, self._last

    def _typed(self, words: str | Mapping[str, Any]) -> Move:
        if not isinstance(words, str):
            return Move(str(words["text"]) * int(words.get("times", 1)))
        gives: list[tuple[str, str]] = []
        for dimension in self._school.catalog.dimensions:
            if f"{{{dimension.id}}}" not in words:
                continue
            item = self._random.choice(self._school.catalog.items(dimension.id))
            name = item.id if dimension.ordered else self._random.choice((item.name, *item.aliases))
            words = words.replace(f"{{{dimension.id}}}", name)
            gives.append((dimension.id, item.id))
        return Move(words, gives=tuple(gives))


def _pressed(button: Mapping[str, str], school: School) -> Move:
    payload = button["payload"]
    _, brace, data = payload.partition("{")
    values = json.loads(brace + data) if payload.startswith("/") and brace else {}
    given: Values = tuple(
        (dimension, str(values[dimension]))
        for dimension in school.catalog.dimension_ids
        if dimension in values
    )
    # A student who presses "K52 khi nào được phát thẻ sinh viên?" asks about that cohort.
    return Move(payload=payload, gives=(*given, *school.named_in(button["title"])))


# --- what must not be ------------------------------------------------------------------------------------------------


def flaws(said: Sequence[Mapping[str, Any]], given: set[tuple[str, str]], school: School) -> Iterator[str]:
    """Return the faults of a reply to a student with these values."""
    if not said:
        yield "no reply"
    for message in said:
        text = str(message.get("text") or "")
        custom = message.get("custom") or {}
        if not text.strip():
            yield "a message without text"
        if school.is_response(text, "utter_apology"):
            yield "an apology: the turn has failed"
        # A question that is quoted above its answer is the student's own.
        own = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
        if custom.get("type") != "answer" and (left := _UNFILLED.search(own)):
            yield f"{left[0]} was not filled in"
        if custom.get("type") == "answer":
            lead = "\n".join(line for line in text.splitlines() if line.startswith(">"))
            yield from _for_somebody_else(custom, lead, given, school)


def _for_somebody_else(
    answer: Mapping[str, Any], lead: str, given: set[tuple[str, str]], school: School
) -> Iterator[str]:
    """Yield the answers that are only for students with values that this one has not given.

    Nobody takes an answer for their own whose `lead` names the values that it is for: "> Khóa 44–Khóa 50".
    """
    if answer.get("tier") == "faq":
        sources = {str(answer.get("answer_id")): school.entries.get(str(answer.get("answer_id")))}
    else:
        cited = {str(citation["document_id"]) for citation in answer.get("citations", ())}
        sources = {document: school.documents.get(document) for document in cited}
    by_dimension = [[each for each in given if each[0] == dimension] for dimension in {d for d, _ in given}]
    # A student who has named two majors may be taken for one of either.
    profiles = [
        Profile({**school.catalog.implied(dict(stated)), **dict(stated)}) for stated in product(*by_dimension)
    ]
    for source, applies_to in sources.items():
        if applies_to is None:
            yield f"an answer from {source}, which the school has not published"
            continue
        for dimension in school.catalog.dimension_ids:
            values = [value for d, value in given if d == dimension]
            everybody = school.catalog.possible(dimension, {})
            named = [v for v in everybody if school.catalog.name(dimension, v) in lead]
            if not values and named and all(applies_to.admits(dimension, v) for v in named):
                continue
            if not values and any(
                known.get(dimension) in applies_to.values(dimension)
                or dimension
                in left_out(applies_to, known, school.catalog, school.most_left_out(source, known))
                for known in profiles
            ):
                continue
            if applies_to.values(dimension) and not any(applies_to.admits(dimension, v) for v in values):
                said = ", ".join(values) or "nothing"
                yield f"{source} is for {dimension} {', '.join(applies_to.values(dimension))}; the student said {said}"


# --- walking ---------------------------------------------------------------------------------------------------------


def walk(seed: int, servers: RealServers, school: School, show: bool = False) -> Walked:
    """Walk one conversation from its beginning to the first fault, or to its end."""
    student = Student(seed, school)
    sender = f"walk-{seed}-{time.time_ns()}"
    given: set[tuple[str, str]] = set()
    kinds: Counter[str] = Counter()
    faults: list[str] = []
    began = time.monotonic()
    turns = 0
    while turns < student.turns and not faults:
        kind, move = student.next()
        kinds[kind] += 1
        if kind == "a_day":
            servers.make_older(sender, A_DAY_S)
            continue
        turns += 1
        faults += _turn(move, student, servers, sender, given, school, show)
    if not faults:
        faults += _turn(Move(LIVENESS_QUESTION), student, servers, sender, given, school, show)
        listens = servers.tracker(sender, events="NONE").get("latest_action_name")
        if listens != "action_listen":
            faults.append(f"the conversation does not listen at its end, but is at {listens}")
    return Walked(seed, turns, round(time.monotonic() - began, 2), tuple(faults), dict(kinds))


def _turn(
    move: Move,
    student: Student,
    servers: RealServers,
    sender: str,
    given: set[tuple[str, str]],
    school: School,
    show: bool,
) -> list[str]:
    given |= set(move.gives)
    stated = dict(move.gives)
    # "Nhầm, em học dược": there is no high-quality programme of it.
    given -= {(d, v) for d, v in given if d not in stated and v not in school.catalog.possible(d, stated)}
    try:
        said = servers.say(sender, None if move.payload is not None else move.text, payload=move.payload)
    except (ServerError, httpx.HTTPError) as error:
        return [f"after {move}: {type(error).__name__}: {error}"]
    if show:
        print(f"SV    {move}")
        for message in said:
            buttons = " ".join(f"[{each['title']}]" for each in message.get("buttons") or ())
            source = (message.get("custom") or {}).get("answer_id") or ""
            print(f"Covan {message.get('text')} {source}\n      {buttons}")
    faults = [f"after {move}: {fault}" for fault in flaws(said, given, school)]
    if any(school.is_response(str(message.get("text")), "utter_profile_forgotten") for message in said):
        given.clear()
    student.hear([each for message in said for each in message.get("buttons") or ()])
    return faults


def walks(seeds: Sequence[int], servers: RealServers, school: School, workers: int) -> Iterator[Walked]:
    """Yield all of these walks, `workers` at a time, in the order in which they end."""
    with ThreadPoolExecutor(workers) as pool:
        walking = [pool.submit(walk, seed, servers, school) for seed in seeds]
        try:
            for ended in as_completed(walking):
                yield ended.result()
        finally:
            for future in walking:
                future.cancel()


def log_sizes(servers: RealServers) -> Mapping[str, int]:
    """Return the bytes that each server has logged so far."""
    return {name: servers.log(name).stat().st_size for name in NAMES}


def flaws_in_logs(servers: RealServers, since: Mapping[str, int]) -> list[str]:
    """Return the lines of both logs, from these places on, that report an exception or a mended conversation."""
    return [
        f"{name}.log: {line.strip()[:300]}"
        for name in NAMES
        for line in servers.log(name).read_bytes()[since[name] :].decode(errors="replace").splitlines()
        if _FLAWS_IN_LOG.search(line)
    ]


def main() -> int:
    """Walk, tell how it went; 1 when anything has failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--walks", type=int, default=2000, help="how many conversations")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--workers", type=int, default=3, help="how many at a time")
    parser.add_argument("--out", type=Path, help="a JSONL file of what has been walked, to go on with")
    parser.add_argument(
        "--show", type=int, metavar="SEED", help="walk only this one and show all that is said"
    )
    chosen = parser.parse_args()
    # Also when it is ended from outside, no server must stay behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    school = School.load()
    done = _done(chosen.out)
    seeds = [seed for seed in range(chosen.first, chosen.first + chosen.walks) if seed not in done]
    began = time.monotonic()
    with TemporaryDirectory(prefix="covan-walks-") as directory:
        servers = RealServers(Path(directory))
        try:
            servers.up()
            logged = log_sizes(servers)
            if chosen.show is not None:
                walked = walk(chosen.show, servers, school, show=True)
                print(*walked.faults or ("all was well",), *flaws_in_logs(servers, logged), sep="\n")
                return 1 if walked.faults else 0
            began = time.monotonic()
            walking = walks(seeds, servers, school, chosen.workers)
            for walked in track(walking, description="Walking", total=len(seeds)):
                done[walked.seed] = walked
                _keep(chosen.out, walked)
            in_logs = flaws_in_logs(servers, logged)
        finally:
            servers.close()
    return _report(list(done.values()), in_logs, time.monotonic() - began, len(seeds))


def _report(walked: Sequence[Walked], in_logs: Sequence[str], seconds: float, now: int) -> int:
    failed = sorted((each for each in walked if each.faults), key=lambda each: each.seed)
    turns = sum(each.turns for each in walked)
    kinds = sum((Counter(each.kinds) for each in walked), Counter[str]())
    print(f"{len(walked)} conversations, {turns} turns; {now} of them now, in {seconds:.0f} s")
    print("turns: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    if walked:
        print(
            f"a turn takes {1000 * median(each.seconds / max(each.turns, 1) for each in walked):.0f} ms (median)"
        )
    print(
        f"failed: {len(failed)}"
        + (f", seeds {' '.join(str(each.seed) for each in failed)}" if failed else "")
    )
    for each in failed:
        print(f"  {each.seed}: {'; '.join(each.faults)}")
    print(f"flaws in the servers' logs: {len(in_logs)}")
    for line in in_logs[:40]:
        print(f"  {line}")
    return 1 if failed or in_logs else 0


def _done(out: Path | None) -> dict[int, Walked]:
    if out is None or not out.exists():
        return {}
    lines = out.read_text(encoding="utf-8").splitlines()
    return {found["seed"]: Walked(**found) for found in map(json.loads, filter(None, lines))}


def _keep(out: Path | None, walked: Walked) -> None:
    if out is not None:
        with out.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(walked), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
