#!/usr/bin/env python3
"""Count the calls of a language model for an ordinary question, and time all that is not the model.

    .venv/bin/python benchmarks/model_overhead.py [--questions N] [--preset covan]

A server that answers at once stands for the model: it quotes the first sentence of the first passage. The questions of
the sample suite are asked with each `--preset`, by default `covan`, `urag` and `catrag`, which make one call for an
answer. What is not the model is the reply without the wait for the server: reading, retrieval, decision, extract,
prompt, ledger, verifier. One embedding of the question is timed right before it is asked. Expected: two calls at most,
and for the questions with a call a median below that of two embeddings. The exit code is 1 above that.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

# As in the servers: must be set before the libraries are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from chat_model import Says, Sent, scripted_model
from worded_documents import passages_sent

from covan.indexing import build
from covan.project import ROOT
from rag.engine import Engine
from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget, Ledger
from rag.language_model.openai_chat import OpenAIChat
from rag.language_model.types import ChatRequest, Completion
from rag.retrieve.embedder import Embedder, load_embedder
from rag.types import Question

QUESTIONS = ROOT / "benchmarks/sample_school/questions.csv"
PRESETS = ("covan", "urag", "catrag")
MOST_CALLS = 2
MOST_EMBEDDINGS = 2.0
WARM_UP = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the calls it made, the milliseconds of one embedding of it, and of its reply without the calls."""

    calls: int
    embedding_ms: float
    rest_ms: float


class TimedChat:
    """Implements `rag.language_model.types.LanguageModel`: another one, with the seconds that it was waited for."""

    def __init__(self, chat: OpenAIChat) -> None:
        self._chat = chat
        self.name = chat.name
        self.seconds = 0.0

    def complete(self, request: ChatRequest, timeout_s: float) -> Completion:
        start = perf_counter()
        try:
            return self._chat.complete(request, timeout_s)
        finally:
            self.seconds += perf_counter() - start

    def stream(self, request: ChatRequest, timeout_s: float) -> Iterator[str]:
        yield from self._chat.stream(request, timeout_s)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--preset", action="append", choices=PRESETS)
    parser.add_argument("--index", type=Path, default=ROOT / ".covan/eval/model_overhead")
    options = parser.parse_args()
    console = Console(stderr=True, highlight=False)
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        texts = [row["question"] for row in csv.DictReader(file)][: options.questions]
    embedder = load_embedder()
    kept = True
    with TemporaryDirectory() as folder, scripted_model(quoting) as server:
        build(ROOT / "knowledge", options.index, console, embedder)
        for preset in options.preset or PRESETS:
            ledger = Ledger(Path(folder) / f"{preset}.sqlite", Budget())
            chat = TimedChat(OpenAIChat(server.url, "scripted"))
            model = ModelAccess(chat, ledger, CircuitBreaker(), timeout_s=20.0)
            engine = Engine.open(options.index, preset, embedder, model=model)
            for text in texts[:WARM_UP]:
                engine.reply(Question(text))
            asked = [measured(engine, embedder, chat, text) for text in track(texts, preset, console=console)]
            kept &= report(preset, asked)
    sys.exit(0 if kept else 1)


def quoting(body: Sent) -> Says:
    """Reply with the first sentence of the first passage, cited."""
    return Says(f"{passages_sent(body)[0].splitlines()[0].rstrip('.')} [1].", pieces=1)


def measured(engine: Engine, embedder: Embedder, chat: TimedChat, text: str) -> Asked:
    """Return the figures of one question."""
    start = perf_counter()
    embedder.query(text)
    embedded = perf_counter()
    chat.seconds = 0.0
    reply = engine.reply(Question(text))
    whole = perf_counter() - embedded
    calls = len(reply.trace.model_calls)
    return Asked(calls, 1000 * (embedded - start), 1000 * (whole - chat.seconds))


def report(preset: str, asked: list[Asked]) -> bool:
    """Print the figures of a preset; return whether they are as expected."""
    counts = Counter(one.calls for one in asked)
    print(f"{preset}: {len(asked)} questions, calls {dict(sorted(counts.items()))}")
    ratios = {}
    for name, some in (
        ("all questions", asked),
        ("with a call", [one for one in asked if one.calls]),
    ):
        embedding = statistics.median(one.embedding_ms for one in some)
        rest = sorted(one.rest_ms for one in some)
        ratios[name] = statistics.median(rest) / embedding
        p95 = rest[int(0.95 * len(rest))]
        print(
            f"  {name} ({len(some)}): p50 {statistics.median(rest):.1f} ms, p95 {p95:.1f} ms, "
            f"one embedding p50 {embedding:.1f} ms: {ratios[name]:.2f} embeddings"
        )
    return max(counts) <= MOST_CALLS and max(ratios.values()) < MOST_EMBEDDINGS


if __name__ == "__main__":
    main()
