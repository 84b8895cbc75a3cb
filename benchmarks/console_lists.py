"""How long the console's lists take with many turns.

    .venv/bin/python -m benchmarks.console_lists [--turns 100000]

Makes a database of so many turns in a temporary folder and prints the median of five calls of each list. Wanted:
300 ms at most for each with 100,000 turns, on an idle machine.
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

import numpy as np

from channels.delivery.database import Database
from channels.delivery.tables import said, traces, turns
from console.gaps import group_gaps
from console.nlu_review import unsure_messages
from console.turns import Filters, Turns

DAYS = 90
STUDENTS = 8_000
BATCH = 5_000
REPEATS = 5


def main() -> None:
    """Fill the database and time the lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    count = parser.parse_args().turns
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
            print(f"{name:30} {timed(call) * 1000:7.0f} ms", flush=True)


def timed(call: Callable[[], object]) -> float:
    """Return the median time of a call, in seconds."""
    took = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


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
                    **{"source": "faq" if answered else "none", "topic": f"topic-{number % 12}"},
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
