#!/usr/bin/env python3
"""Does the engine stay fast when the school has much to say? Times of a reply over indexes of several sizes.

    .venv/bin/python benchmarks/scaling.py [--sizes 1000 10000 100000] [--questions 100] [--faq 5000]

The questions of the sample school are put to the sample school ("school") and to schools grown from it
(benchmarks/grown_school.py), through the engine with the default preset and the real embedder. Each size has a process
of its own and they take turns question by question, so that whatever else the computer does slows all of them alike.
Expected, and checked unless --no-check: a reply takes at most twice as long as embedding one question (medians) at the
school and at the smallest size; and at the largest size less than three times as long as at the smallest, with and
without embedding. --faq grows the FAQ of the grown schools too. Building 100,000 passages takes some minutes and 3 GB.
"""

from __future__ import annotations

import argparse
import csv
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from ctypes import CDLL
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

# One thread, as where several students are answered at once: must be set before the libraries are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import psutil
from grown_school import grown
from rich.progress import track

from rag.engine import Engine
from rag.index.versions import open_index, publish, read_manifest
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.types import Question

ROOT = Path(__file__).parent.parent
QUESTIONS = ROOT / "benchmarks" / "sample_school" / "questions.csv"
MOST_EMBEDDINGS = 2.0
MOST_GROWTH = 3.0
WARM_UP = 10


@dataclass(frozen=True, slots=True)
class Ready:
    """A loaded process: its contents, the seconds of opening, and bytes of memory before and after."""

    passages: int
    faq: int
    seconds: float
    empty: int
    full: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one reply, of embedding its question alone, and of each stage."""

    reply: float
    embedding: float
    stages: dict[str, float]


def main() -> int:
    options = parsed()
    sizes = sorted(options.sizes)
    questions = sampled(options.questions, options.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        school = folder / "school"
        build_index(ROOT / "knowledge", school, load_embedder())
        spawned = get_context("spawn")
        servers: list[Connection] = []
        ready: list[Ready] = []
        for size in track((0, *sizes), "Building the schools"):
            index = folder / str(size) if size else school
            if size:
                # In a process of its own: what building leaves behind in memory is no part of an index.
                builder = spawned.Process(target=grow, args=(school, index, size, options.faq, options.seed))
                builder.start()
                builder.join()
            here, there = spawned.Pipe()
            process = spawned.Process(target=serve, args=(there, index), daemon=True)
            process.start()
            there.close()
            stack.callback(process.join)
            stack.callback(here.close)
            ready.append(here.recv())
            servers.append(here)
        timings = measured(servers, questions, options.rounds)
    names = ["school", *(f"{size:,}" for size in sizes)]
    print_sizes(names, ready, timings)
    print_stages(names, timings)
    return verdict(names, timings) if options.check else 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], metavar="PASSAGES")
    parser.add_argument(
        "--faq", type=int, help="FAQ entries of the grown schools; default: those of the school"
    )
    parser.add_argument("--questions", type=int, default=100, help="how many are asked; default 100")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is asked; default 3")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-check", dest="check", action="store_false", help="exit with 0 whatever comes")
    return parser.parse_args()


def sampled(count: int, seed: int) -> list[str]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        every = [row["question"] for row in csv.DictReader(file)]
    return Random(seed).sample(every, min(count, len(every)))


# --- in a process of its own -----------------------------------------------------------------------------------------


def grow(school: Path, out: Path, size: int, faq: int | None, seed: int) -> None:
    """Make an index of `size` passages in `out` from the one in `school`."""
    index = open_index(school, load_embedder())
    publish(grown(index, size, len(index.faq) if faq is None else faq, seed), out)


def serve(parent: Connection, index: Path) -> None:
    """Answers questions over an index until nobody asks."""
    embedder = load_embedder()
    embedder.query("học phí")
    empty = resident()
    start = perf_counter()
    engine = Engine.open(index, embedder=embedder)
    engine.reply(Question("học phí"))
    seconds = perf_counter() - start
    manifest = read_manifest(index)
    parent.send(Ready(manifest.passages, manifest.faq, seconds, empty, resident()))
    while True:
        try:
            text = parent.recv()
        except EOFError:
            return
        start = perf_counter()
        embedder.query(text)
        embedded = perf_counter()
        reply = engine.reply(Question(text))
        end = perf_counter()
        stages = dict(reply.trace.stages_ms)
        parent.send(Timing(1000 * (end - embedded), 1000 * (embedded - start), stages))


def resident() -> int:
    """Return the bytes in memory, less those freed and not yet returned to the system."""
    gc.collect()
    if sys.platform == "linux":
        CDLL(None).malloc_trim(0)
    return int(psutil.Process().memory_info().rss)


# --- measuring -------------------------------------------------------------------------------------------------------


def measured(servers: Sequence[Connection], questions: Sequence[str], rounds: int) -> list[list[Timing]]:
    """For each process the timing of each question: the median of all rounds."""
    timings: list[list[list[Timing]]] = [[[] for _ in questions] for _ in servers]
    for text in questions[:WARM_UP]:
        for server in servers:
            server.send(text)
            server.recv()
    for turn in track(range(rounds * len(questions)), "Asking"):
        place = turn % len(questions)
        for server, of_server in zip(servers, timings, strict=True):
            server.send(questions[place])
            of_server[place].append(server.recv())
    return [[middle(some) for some in of_server] for of_server in timings]


def middle(timings: Sequence[Timing]) -> Timing:
    stages = {name for timing in timings for name in timing.stages}
    return Timing(
        reply=percentile([timing.reply for timing in timings], 50),
        embedding=percentile([timing.embedding for timing in timings], 50),
        stages={name: percentile([t.stages.get(name, 0.0) for t in timings], 50) for name in stages},
    )


def percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(values, share))


def p50(timings: Sequence[Timing]) -> float:
    return percentile([timing.reply for timing in timings], 50)


def embeddings(timings: Sequence[Timing]) -> float:
    """Return the median reply in units of the median embedding."""
    return p50(timings) / percentile([timing.embedding for timing in timings], 50)


# --- telling ---------------------------------------------------------------------------------------------------------


def own(timings: Sequence[Timing]) -> float:
    """Return the median time of a reply without its embedding: the part that grows with an index."""
    return percentile([timing.reply - timing.stages.get("embed", 0.0) for timing in timings], 50)


def print_sizes(names: Sequence[str], ready: Sequence[Ready], timings: Sequence[Sequence[Timing]]) -> None:
    print(f"\n{'':<10}{'passages':>10}{'FAQ':>7}{'reply ms':>17}{'embedding ms':>17}{'reply /':>11}", end="")
    print(f"{'growth':>9}{'without':>11}{'memory':>9}{'of index':>10}{'open':>7}")
    print(
        f"{'':<27}{'p50':>9}{'p95':>8}{'p50':>9}{'p95':>8}{'embedding':>11}{'':>9}{'embedding':>11}", end=""
    )
    print(f"{'MB':>9}{'MB':>10}{'s':>7}")
    smallest = p50(timings[1])
    for name, holds, some in zip(names, ready, timings, strict=True):
        replies = [timing.reply for timing in some]
        alone = [timing.embedding for timing in some]
        print(
            f"{name:<10}{holds.passages:>10,}{holds.faq:>7,}"
            f"{p50(some):>9.1f}{percentile(replies, 95):>8.1f}"
            f"{percentile(alone, 50):>9.1f}{percentile(alone, 95):>8.1f}"
            f"{embeddings(some):>11.2f}{p50(some) / smallest:>9.2f}{own(some) / own(timings[1]):>11.2f}"
            f"{holds.full / 1e6:>9,.0f}{(holds.full - holds.empty) / 1e6:>10,.0f}{holds.seconds:>7.1f}"
        )


def print_stages(names: Sequence[str], timings: Sequence[Sequence[Timing]]) -> None:
    stages = dict.fromkeys(name for some in timings for timing in some for name in timing.stages)
    print(f"\n{'stage, ms':<10}" + "".join(f"{name:>10} p50    p95" for name in names))
    for stage in stages:
        values = [[timing.stages[stage] for timing in some if stage in timing.stages] for some in timings]
        columns = (
            f"{percentile(some, 50):>14.2f}{percentile(some, 95):>7.2f}" if some else f"{'–':>21}"
            for some in values
        )
        print(f"{stage:<10}" + "".join(columns))


def verdict(names: Sequence[str], timings: Sequence[Sequence[Timing]]) -> int:
    """Print each claim and whether it holds; return 1 when one does not."""
    failed = False
    print()
    for name, some in zip(names[:2], timings[:2], strict=True):
        ratio = embeddings(some)
        failed |= ratio > MOST_EMBEDDINGS
        kept = "OK" if ratio <= MOST_EMBEDDINGS else "FAIL"
        print(f"{kept:<5}{name}: a reply takes {ratio:.2f} embeddings, at most {MOST_EMBEDDINGS:g}")
    whole = p50(timings[-1]) / p50(timings[1])
    without = own(timings[-1]) / own(timings[1])
    for what, growth in (("a reply", whole), ("a reply without embedding", without)):
        failed |= growth >= MOST_GROWTH
        kept = "OK" if growth < MOST_GROWTH else "FAIL"
        print(
            f"{kept:<5}{names[1]} to {names[-1]}: {what} takes {growth:.2f} times as long, less than {MOST_GROWTH:g}"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
