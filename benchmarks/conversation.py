#!/usr/bin/env python3
"""Measure the cost of the conversation around the engine, over Rasa's internal channel, with the real servers.

    .venv/bin/python benchmarks/conversation.py [--questions 60] [--conversations 20] [--turns 1000] [--no-check]

Starts the action server and Rasa as `covan up` does, on ports and in a folder of their own, and measures

* the time from a message to its reply, each question in a conversation of its own, in units of one query
  embedding of the same question in this process: the median of the ratios (at most 3);
* the time from a later message of a conversation as students have it, in units of one query embedding of a question
  (the median of those above; at most 5), and of the message itself, which is shorter and embedded in less time;
* the time of the 1,000th turn of a conversation against that of the 10th of another (at most 1.3x).

What is compared is measured in turns, message by message, so that whatever else a computer does slows all of it alike.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import os
import statistics
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

# As in the servers: must be set before the libraries are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

import httpx
import yaml
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from reserved_ports import reserve_port

from covan import rasa
from covan.commands.up import services
from covan.indexing import ensure_index
from covan.processes import Supervisor
from covan.rasa_model import ensure_model
from covan.secrets import ensure_secrets
from rag.retrieve.embedder import Embedder, load_embedder
from rag.settings import Settings

ROOT = Path(__file__).parent.parent
QUESTIONS = ROOT / "benchmarks" / "sample_school" / "questions.csv"
CONVERSATIONS = ROOT / "benchmarks" / "conversations" / "test_sample_7.yml"
MOST_EMBEDDINGS = 3.0
MOST_OF_FOLLOW_UP = 5.0
MOST_GROWTH = 1.3
EARLY_TURN = 10
PAIRS = 30
"""Late turns that are compared with as many tenth turns."""

WARM_UP = 5


@dataclass(frozen=True, slots=True)
class Rasa:
    """The server, spoken to over one connection."""

    client: httpx.AsyncClient
    url: str
    internal_token: str

    async def say(self, sender: str, message: str) -> float:
        """Return seconds from a message to its reply."""
        began = perf_counter()
        answer = await self.client.post(
            f"{self.url}/webhooks/internal/turn",
            json={"sender": sender, "message": message},
            headers={"Authorization": f"Bearer {self.internal_token}"},
        )
        took = perf_counter() - began
        answer.raise_for_status()
        if not answer.json()["messages"][0].get("text"):
            raise SystemExit(f"no answer to: {message}")
        return took


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Rasa]:
    """Yield Rasa beside the action server until the end of the block."""
    supervisor = Supervisor(settings.state_dir / "logs", print)
    async with httpx.AsyncClient(trust_env=False, timeout=120) as client:
        try:
            children = [
                await supervisor.start(
                    replace(
                        service,
                        command=rasa.serve(settings),
                    )
                    if service.name == "rasa"
                    else service
                )
                for service in services(settings)
                if service.name != "channels"
            ]
            for child in children:
                await supervisor.wait_until_ready(child, client)
            yield Rasa(
                client,
                f"http://127.0.0.1:{settings.rasa_port}",
                settings.internal_token.get_secret_value(),
            )
        finally:
            await supervisor.end_all()


async def of_first_turns(
    server: Rasa, embedder: Embedder, questions: Sequence[str]
) -> Sequence[tuple[float, float]]:
    """Return seconds of first turns, each with those of one query embedding of its question, in this process."""
    for question in questions[:WARM_UP]:
        await server.say("warm-up", question)
        embedder.query(question)
    measured = []
    for number, question in enumerate(track(questions, "Questions …")):
        measured.append((await server.say(f"question-{number}", question), _embedded(embedder, question)))
    return measured


async def of_later_turns(
    server: Rasa, embedder: Embedder, conversations: Sequence[Sequence[str]]
) -> Sequence[tuple[float, float]]:
    """Return the same of the later turns of conversations."""
    measured = []
    for number, messages in enumerate(track(conversations, "Conversations …")):
        await server.say(f"conversation-{number}", messages[0])
        for message in messages[1:]:
            took = await server.say(f"conversation-{number}", message)
            measured.append((took, _embedded(embedder, message)))
    return measured


def _embedded(embedder: Embedder, text: str) -> float:
    """Return seconds of one query embedding."""
    began = perf_counter()
    embedder.query(text)
    return perf_counter() - began


def ratio(measured: Sequence[tuple[float, float]]) -> float:
    """Return the median ratio of turns and embeddings."""
    return statistics.median(turn / embedding for turn, embedding in measured)


def medians(name: str, measured: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the median seconds of turns and of embeddings; print them."""
    turns, embeddings = zip(*measured, strict=True)
    turn, embedding = statistics.median(turns), statistics.median(embeddings)
    print(f"{name} {turn * 1e3:.1f} ms; an embedding {embedding * 1e3:.1f} ms")
    return turn, embedding


async def growth(server: Rasa, questions: Sequence[str], turns: int) -> float:
    """Return the time of the turn after `turns` turns of a conversation by that of the tenth."""
    for number in track(range(turns - 1), f"{turns} turns …"):
        await server.say("long", questions[number % len(questions)])
    early, late = [], []
    for pair in track(range(PAIRS), "Late and early turns …"):
        before = [questions[(pair + number) % len(questions)] for number in range(EARLY_TURN)]
        for message in before[:-1]:
            await server.say(f"short-{pair}", message)
            await server.say("long", message)
        early.append(await server.say(f"short-{pair}", before[-1]))
        late.append(await server.say("long", before[-1]))
    first, last = statistics.median(early), statistics.median(late)
    print(f"turn {EARLY_TURN}: {first * 1e3:.1f} ms; turn {turns} and after: {last * 1e3:.1f} ms")
    return last / first


async def measured(arguments: argparse.Namespace, directory: Path) -> bool:
    """Measure and print; whether all is as it should be."""
    settings = Settings(
        knowledge_dir=ROOT / "knowledge",
        state_dir=directory,
        rasa_port=reserve_port(),
        actions_port=reserve_port(),
    )
    settings = ensure_secrets(settings)
    ensure_index(settings)
    ensure_model(settings)
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)][: arguments.questions]
    every = yaml.safe_load(CONVERSATIONS.read_text("utf-8"))
    typed = [[turn["student"] for turn in each["turns"] if "student" in turn] for each in every]
    conversations = typed[: arguments.conversations]
    found: list[tuple[str, float, float]] = []
    async with serving(settings) as server:
        embedder = load_embedder(settings.embedder)
        first = await of_first_turns(server, embedder, questions)
        later = await of_later_turns(server, embedder, conversations)
        _, question = medians("a first turn", first)
        turn, _ = medians("a later turn", later)
        print(f"a later turn / an embedding of its message: {ratio(later):.2f}")
        found.append(("a first turn / a query embedding", ratio(first), MOST_EMBEDDINGS))
        found.append(("a later turn / a query embedding", turn / question, MOST_OF_FOLLOW_UP))
        if arguments.turns:
            grown = await growth(server, questions, arguments.turns)
            found.append((f"turn {arguments.turns} / turn {EARLY_TURN}", grown, MOST_GROWTH))
    for name, cost, most in found:
        print(f"{name}: {cost:.2f} (wanted: at most {most})  {'OK' if cost <= most else 'MISSED'}")
    return all(cost <= most for _, cost, most in found)


def main() -> None:
    """Run the benchmark; ends with 1 when a ratio is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=60, help="how many questions of the sample school")
    parser.add_argument("--conversations", type=int, default=20, help="how many conversations of students")
    parser.add_argument("--turns", type=int, default=1000, help="how long the long conversation is; 0: none")
    parser.add_argument("--no-check", action="store_true", help="only print")
    arguments = parser.parse_args()
    with TemporaryDirectory() as directory:
        good = asyncio.run(measured(arguments, Path(directory)))
    sys.exit(0 if good or arguments.no_check else 1)


if __name__ == "__main__":
    main()
