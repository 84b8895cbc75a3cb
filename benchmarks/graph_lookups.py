"""The time that the graph adds to a question: look-ups over a large graph, beside one embedding of a question.

    .venv/bin/python benchmarks/graph_lookups.py [--index .covan/index] [--nodes 100000] [--rounds 3]

The graph is that of an index of the sample school, grown by courses of made-up names with prerequisites, departments
and lecturers. Asked are the relational questions of the sample school. Expected, and checked unless --no-check: the
median look-up of a question that the graph answers takes at most half the time of embedding one question. Both take
turns, question by question, so that other work of the computer slows both alike.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

# One thread, as where several students are answered at once: must be set before the libraries are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

import psutil
from rich.progress import track

from rag.graph.ladybug_store import LadybugKind
from rag.graph.stores import open_graph
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance
from rag.index.versions import current_folder
from rag.retrieve.embedder import E5Embedder
from rag.retrieve.graph import GraphRetriever
from rag.settings import settings
from vietnamese.text import words

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "benchmarks" / "sample_school" / "relational.csv"
TODAY = date(2026, 11, 20)
MOST = 0.5
"""The most that a look-up takes, of one embedding."""


def grown(graph: Graph, count: int, random: Random) -> Graph:
    """Return a graph with made-up courses up to `count` nodes, each behind two others and of a department."""
    parts = sorted({word for node in graph.nodes for word in words(node.name) if word.isalpha()})
    departments = [node.id for node in graph.nodes if node.type == "Department"]
    people = [node.id for node in graph.nodes if node.type == "Person"]
    place = Provenance(FoundBy.TABLE, "courses/grown")
    nodes, edges = list(graph.nodes), list(graph.edges)
    made: list[str] = []
    for number in range(count - len(nodes)):
        code = f"ZZ{number:06}"
        name = " ".join(random.sample(parts, random.randint(3, 5))).capitalize()
        said = {"code": code, "credits": 3}
        nodes.append(Node(f"Course:{code}", "Course", name, replace(place, locator=code), (name, code), said))
        edges.append(Edge(f"Course:{code}", "belongs_to", random.choice(departments), place))
        edges.append(Edge(f"Course:{code}", "taught_by", random.choice(people), place))
        edges += [
            Edge(before, "prerequisite_of", f"Course:{code}", place)
            for before in random.sample(made, min(2, len(made)))
        ]
        made.append(f"Course:{code}")
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def asked() -> Iterator[str]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        yield from (row["question"] for row in csv.DictReader(file))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--index", type=Path, default=settings().index_dir)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-check", action="store_true")
    chosen = parser.parse_args()
    questions, embedder = list(asked()), E5Embedder()
    version = current_folder(chosen.index)
    small = open_graph(version, version.name, is_expected=True).store
    if small is None:
        print(f"the index in {chosen.index} has no graph; run `covan index`", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder:
        whole = Graph(
            tuple(small.nodes()), tuple(small.edges()), tuple(small.tables.values()), small.relations
        )
        small.close()
        graph = grown(whole, chosen.nodes, Random(1))
        print(f"{len(graph.nodes)} nodes, {len(graph.edges)} edges", flush=True)
        LadybugKind().write(graph, Path(folder), "grown")
        del graph, whole
        before, begun = psutil.Process().memory_info().rss, perf_counter()
        store = LadybugKind().open(Path(folder), "grown")
        retriever = GraphRetriever(store)
        print(
            f"opened in {perf_counter() - begun:.1f} s, {(psutil.Process().memory_info().rss - before) / 2**20:.0f} MB"
        )
        embedding: list[float] = []
        answered: list[float] = []
        others: list[float] = []
        for question in track(questions * chosen.rounds, description="Asking"):
            begun = perf_counter()
            embedder.query(question)
            embedding.append(perf_counter() - begun)
            begun = perf_counter()
            understood = retriever.understand([question], {}, TODAY)
            (others if understood is None else answered).append(perf_counter() - begun)
        store.close()
    one = median(embedding)
    print(f"one embedding (p50)                     {1000 * one:7.2f} ms")
    print(
        f"a question that the graph answers (p50) {1000 * median(answered):7.2f} ms, ratio {median(answered) / one:.2f}"
    )
    if others:
        print(
            f"any other one (p50)                     {1000 * median(others):7.2f} ms, ratio {median(others) / one:.2f}"
        )
    is_met = median(answered) <= MOST * one
    print(f"at most {MOST} of one embedding: {'OK' if is_met else 'FAIL'}")
    return 0 if is_met or chosen.no_check else 1


if __name__ == "__main__":
    sys.exit(main())
