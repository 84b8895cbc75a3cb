"""How long the console's lists take with many turns.

    .venv/bin/python -m benchmarks.console_lists [--turns 100000] [--entries 20000]

Makes a database of so many turns and an FAQ of so many entries in a temporary folder and prints the median of five
calls of each list, and the first of the FAQ's after a start and after a file has changed. Wanted: 300 ms at most for
each with 100,000 turns and 20,000 entries, on an idle machine.
"""

from __future__ import annotations

import argparse
import base64
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np

from channels.delivery.database import Database
from channels.delivery.tables import said, traces, turns
from console.api.faq import faq, faq_entry
from console.faq_files import FaqFiles, rendered
from console.gaps import group_gaps
from console.nlu_review import unsure_messages
from console.turns import Filters, Turns

DAYS = 90
STUDENTS = 8_000
TOPICS = 12
BATCH = 5_000
REPEATS = 5


def main() -> None:
    """Fill the database and time the lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=20_000)
    asked = parser.parse_args()
    faq_lists(asked.entries)
    turn_lists(asked.turns)


def faq_lists(count: int) -> None:
    """Time the lists of the FAQ."""
    with TemporaryDirectory() as folder:
        knowledge = Path(folder)
        write_faq(knowledge, count)
        console: Any = SimpleNamespace(publisher=SimpleNamespace(files=FaqFiles(knowledge)))
        account: Any = None
        lists: dict[str, Callable[[], object]] = {
            "faq": lambda: faq(account, console),
            "faq of a topic": lambda: faq(account, console, topic="topic-3"),
            "faq with two words": lambda: faq(account, console, text="HỌC phí 4711"),
            "faq with a word of all": lambda: faq(account, console, text="học"),
            "faq with a word of none": lambda: faq(account, console, text="xyz"),
            "an entry": lambda: faq_entry("topic-7-4711", account, console),
        }
        show("faq, first after a start", timed(lists["faq"], 1))
        for name, call in lists.items():
            show(name, timed(call))
        changed = knowledge / "faq" / "topic-3.yml"
        changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        show("faq, first after an edit", timed(lists["faq"], 1))


def turn_lists(count: int) -> None:
    """Time the lists of turns."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'channels.sqlite'}"
        fill(url, count)
        reader = Turns(url)
        lists: dict[str, Callable[[], object]] = {
            "conversations": lambda: reader.page(Filters()),
            "conversations of a decision": lambda: reader.page(Filters(decision="no_answer")),
            "conversations with a text": lambda: reader.page(Filters(text="CÂU HỎI 4711")),
            "conversations rated down": lambda: reader.page(Filters(feedback="down")),
            "today, 7 days": lambda: reader.statistics(7),
            "today, 30 days": lambda: reader.statistics(30),
            "gaps, grouped": lambda: group_gaps(reader.gaps(DAYS)),
            "unsure messages": lambda: unsure_messages(reader.unsure(DAYS), ()),
        }
        for name, call in lists.items():
            show(name, timed(call))


def show(name: str, seconds: float) -> None:
    """Print a time."""
    print(f"{name:30} {seconds * 1000:7.0f} ms", flush=True)


def timed(call: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of a call, in seconds."""
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def write_faq(knowledge: Path, count: int) -> None:
    """Write `count` entries with five variants each, in a file a topic."""
    (knowledge / "faq").mkdir()
    for topic in range(TOPICS):
        entries = (
            rendered(
                {
                    "id": f"topic-{topic}-{number}",
                    "question": f"Học phí ngành số {number} là bao nhiêu?",
                    "variants": [f"ngành {number} đóng bao nhiêu tiền, cách {way}" for way in range(5)],
                    "answer": f"Học phí của ngành số {number} là {number}.000 đồng một tín chỉ.\n" * 3,
                    "topic": f"topic-{topic}",
                    "reviewed_at": "2026-09-01",
                }
            )
            for number in range(topic, count, TOPICS)
        )
        (knowledge / "faq" / f"topic-{topic}.yml").write_text("\n".join(entries), encoding="utf-8")


def fill(url: str, count: int) -> None:
    """Store `count` turns of the last days, one in seven without an answer."""
    database, random, now = Database(url), np.random.default_rng(1), time.time()
    vectors = random.normal(size=(300, 384)).astype(np.float16)
    for first in range(0, count, BATCH):
        rows = []
        for number in range(first, min(first + BATCH, count)):
            vector = vectors[number % len(vectors)].tobytes()
            trace = {
                "intents": {"ask_study": 0.4, "greet": 0.3},
                "vector": base64.b64encode(vector).decode(),
                "candidates": [{"text": "x" * 300}] * 6,
            }
            answered = number % 7 != 0
            rows.append(
                {
                    **{"channel": "web", "sender": f"student-{number % STUDENTS}", "turn_id": number + 1},
                    "at": now - DAYS * 86_400 * (1 - number / count),
                    "question": f"Câu hỏi {number}",
                    "decision": "answer" if answered else "no_answer",
                    **{"source": "faq" if answered else "none", "topic": f"topic-{number % TOPICS}"},
                    **{"intent": "ask", "confidence": 0.9 if answered else 0.1},
                    **{"answer_id": f"entry-{number % 500}" if answered else "", "trace": json.dumps(trace)},
                }
            )
        of = ("channel", "sender", "at")
        with database.write() as db:
            db.execute(traces.insert(), rows)
            db.execute(
                turns.insert(),
                [
                    {**{k: r[k] for k in of}, "id": r["turn_id"], "content": "{}", "done_at": r["at"] + 1}
                    for r in rows
                ],
            )
            db.execute(
                said.insert(),
                [
                    {**{k: r[k] for k in of}, "turn_id": r["turn_id"], "author": "bot", "message": "{}"}
                    for r in rows
                ],
            )
    database.close()


if __name__ == "__main__":
    main()
