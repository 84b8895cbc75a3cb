"""How long an edit of the FAQ takes until every engine answers by it, in its parts; and an edit of each other kind.

    .venv/bin/python -m benchmarks.live_edit --index INDEX [--knowledge knowledge] [--edits 5] [--engines 2]

Copies a school and its index (`covan index DIR --out INDEX`) to a temporary folder that keeps versions, and publishes
new entries there as the console does; the whole build that follows each runs as it does there. Engines in processes of
their own, open all the time, are asked at once; each opens the new version first. Prints the median of each part, by
the clock and by the processors, from the press of the button on. Wanted: 5 s at most until the last engine answers; the
exit code is 1 when it takes longer by the processors of the console and of one engine, which other work does not
stretch.

Then a document, a topic, an office of the catalogue and a fact are changed in turn, and the fact's change is undone:
by the clock, from the press of the button until the last engine has it.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

# As `covan console` sets it, before numpy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from console.dictionary_files import OFFICE
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
        check = self.folder.faq

        def timed_check(*asked: Any) -> Any:
            with self.timed(CHECK):
                return check(*asked)

        self.folder.faq = timed_check  # type: ignore[method-assign]

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Note the time of a part."""
        began, used = time.perf_counter(), time.process_time()
        yield
        self.took[part] = time.perf_counter() - began, time.process_time() - used

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
    others: dict[str, list[float]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        school = Path(shutil.copytree(asked.knowledge, Path(folder) / "school"))
        index = Path(shutil.copytree(asked.index, Path(folder) / "state" / "index"))
        _keep_versions(school)
        with _engines(index, asked.engines) as engines:
            publisher = TimedPublisher(school, index, load_embedder(), rebuild=build_command)
            publisher.live.engine()
            print(f"load of the machine: {os.getloadavg()[0]:.1f}", flush=True)
            for number in range(asked.edits):
                for part, times in _edit(publisher, engines, number).items():
                    took[part].append(times)
            for number in range(asked.edits):
                for kind in KINDS:
                    others[kind.name].append(kind.live_s(publisher, engines, number))
            publisher.close()
    print(f"{'':40}   clock   processor")
    medians = {part: tuple(map(statistics.median, zip(*times, strict=True))) for part, times in took.items()}
    for part, (clock, processor) in medians.items():
        print(f"{part:40} {clock:7.2f} {processor:8.2f} s")
    print("until the last engine has it, by the clock")
    for name, clocks in others.items():
        print(f"{name:40} {statistics.median(clocks):7.2f} {min(clocks):7.2f}–{max(clocks):.2f} s")
    return 1 if medians[LIVE][1] > LONGEST_S else 0


@dataclass(frozen=True)
class Kind:
    """A kind of edit: `publish` makes the edit with a number, and returns a question and what then shows it.

    What shows it is a part of the reply, or of the topics' names.
    """

    name: str
    publish: Callable[[Publisher, int], tuple[str, str]]

    def live_s(self, publisher: Publisher, engines: Sequence[Connection], number: int) -> float:
        """Return after how many seconds of the clock the last engine has the edit."""
        began = time.perf_counter()
        question, shown = self.publish(publisher, number)
        for engine in engines:
            while True:
                engine.send(question)
                _, text, *_ = told = engine.recv()
                if shown in text:
                    break
                if time.perf_counter() - began > GIVEN_UP_S:
                    raise SystemExit(f"{self.name}: no engine shows {shown!r}: {told}")
        return time.perf_counter() - began


def _document(publisher: Publisher, number: int) -> tuple[str, str]:
    fee = f"{number + 31}.000 đồng"
    text = (
        f"# QUY ĐỊNH VỀ THUÊ TỦ ĐỒ\n\nĐiều 1. Giá thuê tủ đồ\nSinh viên thuê tủ đồ với giá {fee} một tháng.\n"
    )
    draft = publisher.documents.upload("thue-tu-do.md", text.encode(), AUTHOR[1])
    _, seen = publisher.documents.replaced_by(draft)
    publisher.publish_document(lambda files: files.published(draft, seen, {}), AUTHOR, "document")
    return "Giá thuê tủ đồ là bao nhiêu một tháng?", fee


def _topic(publisher: Publisher, number: int) -> tuple[str, str]:
    topic, name = publisher.dictionaries.topics()[0], f"Học vụ {number}"
    publisher.publish_dictionary(
        lambda: publisher.dictionaries.topic_changed(topic.id, topic.version, {"name": name}),
        AUTHOR,
        "topic",
        name,
    )
    return "Xin chào", name


def _office(publisher: Publisher, number: int) -> tuple[str, str]:
    phone = f"(0200) 3800 9{number:02}"
    [office, *_] = publisher.dictionaries.section(OFFICE).parts
    publisher.publish_dictionary(
        lambda: publisher.dictionaries.changed(OFFICE, office.id, office.version, {"phone": phone}),
        AUTHOR,
        "catalogue",
        office.id,
    )
    return f"Số điện thoại của {office.values['name']} là gì?", phone


def _fact(publisher: Publisher, number: int) -> tuple[str, str]:
    value = f"{number + 2}.500 đồng/cuốn/ngày"
    fact = publisher.facts.fact(FACT)
    assert fact is not None
    publisher.publish_values(
        lambda: (publisher.facts.changed(FACT, (fact.value, fact.note), value, fact.note), frozenset()),
        AUTHOR,
        "fact",
        FACT,
    )
    return LATE, value


def _undone_fact(publisher: Publisher, number: int) -> tuple[str, str]:
    del number
    [latest, *_] = publisher.versions.page()
    publisher.undo(latest.commit, AUTHOR)
    fact = publisher.facts.fact(FACT)
    assert fact is not None
    return LATE, fact.value


FACT, LATE = "facts.services.thu_vien.tra_muon", "Trả sách thư viện trễ bị phạt bao nhiêu một ngày?"
GIVEN_UP_S = 120.0
KINDS = (
    Kind("a document", _document),
    Kind("the name of a topic", _topic),
    Kind("the phone of an office", _office),
    Kind("a fact", _fact),
    Kind("a fact's change undone", _undone_fact),
)


def _edit(publisher: TimedPublisher, engines: Sequence[Connection], number: int) -> dict[str, Times]:
    """Publish an entry and ask every engine; return the times of the parts."""
    question = f"Trường có cho thuê sân bóng số {number} không?"
    wordings = [f"thuê sân bóng {number}", f"sân bóng {number} giá sao", f"cho thue san bong so {number}"]
    topic = publisher.live.index().dictionaries.topics[0].id
    fields = {"question": question, "variants": wordings, "answer": "Có, 200.000 đồng.\n", "topic": topic}
    publisher.took = {}
    began = time.perf_counter()
    with publisher.timed(WHOLE):
        done = publisher.publish(lambda files: files.added(fields), AUTHOR, "add", [question])
    for engine in engines:
        engine.send(question)
    told = [engine.recv() for engine in engines]
    live = time.perf_counter() - began
    if {answer for answer, *_ in told} != {done.entries[0].id}:
        raise SystemExit(f"an engine answered otherwise: {told}")
    slowest = max(told, key=lambda each: each[2][0])
    took = {**publisher.took, OPEN: slowest[2], REPLY: slowest[3]}
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
        # An answer from the catalogue has the contact as a card, and the names of topics are on buttons.
        shown = (reply.text, *map(str, reply.cards), *(topic.name for topic in engine.topics))
        end.send((reply.answer_id, "\n".join(shown), opened, replied))


def _keep_versions(folder: Path) -> None:
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "school"]):
        identity = ["-c", "user.name=Lan", "-c", "user.email=lan@truong.invalid"]
        subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
