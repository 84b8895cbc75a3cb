"""How long an edit of the FAQ takes until every engine answers by it, in its parts.

    .venv/bin/python -m benchmarks.live_edit --index INDEX [--knowledge knowledge] [--edits 5] [--engines 2]

Copies a school and its index (`covan index DIR --out INDEX`) to a temporary folder that keeps versions, and publishes
new entries there as the console does; the whole build that follows each runs as it does there. Engines in processes of
their own, open all the time, are asked at once; each opens the new version first. Prints the median of each part, by
the clock and by the processors, from the press of the button on. Wanted: 5 s at most until the last engine answers; the
exit code is 1 when it takes longer by the processors of the console and of one engine, which other work does not
stretch.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

# As `covan console` sets it, before numpy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from console.publishing import Publisher
from covan.commands.console import build_command
from rag.live_engine import LiveEngine
from rag.retrieve.embedder import load_embedder
from rag.types import Question

LONGEST_S = 5.0
AUTHOR = ("Cô Lan", "lan")
CHECK, UPDATE, COMMIT, WHOLE = (
    "checking the FAQ",
    "reading, embedding, indexing",
    "making it a version",
    "publishing, writing the index among it",
)
OPEN, REPLY, LIVE = "opening it in an engine", "its first answer", "until the last engine has answered"

Times = tuple[float, float]
"""Seconds by the clock and of the processor."""


class TimedPublisher(Publisher):
    """A publisher that notes how long its parts take."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.took: dict[str, Times] = {}
        super().__init__(*arguments, **named)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Note the time of a part."""
        began, used = time.perf_counter(), time.process_time()
        yield
        self.took[part] = time.perf_counter() - began, time.process_time() - used

    def _checked(self, *arguments: Any) -> Any:
        with self.timed(CHECK):
            return super()._checked(*arguments)

    def _faq_update(self, *arguments: Any) -> Any:
        update = super()._faq_update(*arguments)

        def timed(index: Any) -> Any:
            with self.timed(UPDATE):
                return update(index)

        return timed

    def _committed(self, change: Any) -> str:
        with self.timed(COMMIT):
            return super()._committed(change)


def main() -> int:
    """Publish entries and time their parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--knowledge", type=Path, default=Path("knowledge"))
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--engines", type=int, default=2)
    asked = parser.parse_args()
    took: dict[str, list[Times]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        school = Path(shutil.copytree(asked.knowledge, Path(folder) / "school"))
        index = Path(shutil.copytree(asked.index, Path(folder) / "state" / "index"))
        _keep_versions(school)
        with _engines(index, asked.engines) as engines:
            publisher = TimedPublisher(school, index, load_embedder(), rebuild=build_command)
            publisher.engine()
            print(f"load of the machine: {os.getloadavg()[0]:.1f}", flush=True)
            for number in range(asked.edits):
                for part, times in _edit(publisher, engines, number).items():
                    took[part].append(times)
            publisher.close()
    print(f"{'':40}   clock   processor")
    medians = {part: tuple(map(statistics.median, zip(*times, strict=True))) for part, times in took.items()}
    for part, (clock, processor) in medians.items():
        print(f"{part:40} {clock:7.2f} {processor:8.2f} s")
    return 1 if medians[LIVE][1] > LONGEST_S else 0


def _edit(publisher: TimedPublisher, engines: Sequence[Connection], number: int) -> dict[str, Times]:
    """Publish an entry and ask every engine; return the times of the parts."""
    question = f"Trường có cho thuê sân bóng số {number} không?"
    wordings = [f"thuê sân bóng {number}", f"sân bóng {number} giá sao", f"cho thue san bong so {number}"]
    topic = publisher.index().dictionaries.topics[0].id
    fields = {"question": question, "variants": wordings, "answer": "Có, 200.000 đồng.\n", "topic": topic}
    publisher.took = {}
    began = time.perf_counter()
    with publisher.timed(WHOLE):
        done = publisher.publish(lambda files: files.added(fields), AUTHOR, "add", [question])
    for engine in engines:
        engine.send(question)
    told = [engine.recv() for engine in engines]
    live = time.perf_counter() - began
    if {answer for answer, _, _ in told} != {done.entries[0].id}:
        raise SystemExit(f"an engine answered otherwise: {told}")
    slowest = max(told, key=lambda each: each[1][0])
    took = {**publisher.took, OPEN: slowest[1], REPLY: slowest[2]}
    return {**took, LIVE: (live, sum(took[part][1] for part in (WHOLE, OPEN, REPLY)))}


@contextmanager
def _engines(index: Path, count: int) -> Iterator[Sequence[Connection]]:
    """Yield the ends of processes that answer questions by an index."""
    context = get_context("spawn")
    ends = []
    for _ in range(count):
        here, there = context.Pipe()
        context.Process(target=_answer, args=(index, there), daemon=True).start()
        ends.append(here)
    for end in ends:
        end.recv()
    yield ends
    for end in ends:
        end.send(None)


def _answer(index: Path, end: Connection) -> None:
    live = LiveEngine(index)
    end.send(live.current().index_version)
    while (question := end.recv()) is not None:
        points = [(time.perf_counter(), time.process_time())]
        engine = live.current()
        points.append((time.perf_counter(), time.process_time()))
        reply = engine.reply(Question(question))
        points.append((time.perf_counter(), time.process_time()))
        opened, replied = ((after[0] - before[0], after[1] - before[1]) for before, after in pairwise(points))
        end.send((reply.answer_id, opened, replied))


def _keep_versions(folder: Path) -> None:
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "school"]):
        identity = ["-c", "user.name=Lan", "-c", "user.email=lan@truong.invalid"]
        subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
