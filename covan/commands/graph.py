"""`covan graph`: the knowledge graph of an index, one sub-command for each thing to do with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from covan.graph_view import RELATION, TYPE, write_view
from covan.locale import sentences
from rag.errors import CovanError, IndexUnusableError
from rag.graph.checks import check_graph
from rag.graph.exports import FORMATS
from rag.graph.neighbourhood import neighbourhood
from rag.graph.paths import other_end, shortest_paths
from rag.graph.sources import PlaceNames
from rag.graph.store import GraphStore
from rag.graph.stores import merges_of, reports_of
from rag.graph.types import Edge, FoundBy, Node, Provenance
from rag.index.format import Index
from rag.index.versions import current_folder, open_index
from rag.messages import in_language
from rag.retrieve.embedder import load_embedder
from rag.retrieve.graph import GraphRetriever
from rag.settings import Settings, settings
from school.clock import today

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

MOST_SHOWN = 8
"""So many ends of a relation are shown without --all."""

IndexFolder = Annotated[Path | None, typer.Option("--index", help="The index.", show_default=".covan/index")]
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@app.callback()
def _graph() -> None:
    """Look into the knowledge graph of an index."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """The graph of an index, with the words of the command."""

    index: Index
    store: GraphStore
    folder: Path
    chosen: Settings
    words: Mapping[str, str]
    console: Console
    places: PlaceNames

    @property
    def day(self) -> date:
        return today(self.index.dictionaries.catalog.school.time_zone)

    def node(self, wanted: str) -> Node:
        """Return the node that a user names by its id or its name. Raises CovanError for none or several."""
        if found := self.store.run("node", id=wanted):
            return found[0].node
        retriever = GraphRetriever(self.store)
        ids = [node.id for node in self.store.entities() if node.id.partition(":")[2] == wanted]
        named = [
            node for id in ids or retriever.mentioned(wanted) if (node := retriever.node(id)) is not None
        ]
        if len(named) == 1:
            return named[0]
        if named:
            listed = ", ".join(f"{node.id} ({node.name})" for node in named)
            raise CovanError(self.words["several"].format(name=wanted, nodes=listed))
        raise CovanError(self.words["unknown"].format(name=wanted))

    def type_name(self, node: Node) -> str:
        return self.words.get(f"{TYPE}{node.type}", node.type)

    def relation(self, relation: str) -> str:
        return self.words.get(f"{RELATION}{relation}", relation)

    def cited(self, provenance: Provenance) -> str:
        place = self.places.place(provenance)
        read = self.words["read_by_model"] if provenance.found_by is FoundBy.MODEL else ""
        return ", ".join(filter(None, (place.title, place.locator, read)))


def _open(index: Path | None) -> _Opened:
    """Open the graph of an index. Raises IndexUnusableError when it has none."""
    chosen = settings()
    out = index or chosen.index_dir
    opened = open_index(out, load_embedder(chosen.embedder))
    if opened.store is None:
        raise IndexUnusableError(opened.graph_fault or f"the index in {out} has no graph; run `covan index`")
    console = Console(highlight=False, soft_wrap=True)
    places = PlaceNames(opened.passages, opened.store.tables)
    words = sentences(chosen, "graph")
    return _Opened(opened, opened.store, current_folder(out), chosen, words, console, places)


@app.command()
def check(
    index: IndexFolder = None,
    left_out: Annotated[
        bool, typer.Option("--all", help="Also list what was left out when the graph was built.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the graph: references to nothing, replaced documents still cited, offices without a contact.

    The exit code is 1 when something is wrong.
    """
    opened = _open(index)
    problems = check_graph(opened.store, opened.index.faq, opened.day)
    reports = reports_of(opened.folder)
    nodes, edges = opened.store.counts()
    if as_json:
        said = {"nodes": nodes, "edges": edges, "problems": list(map(asdict, problems)), "left_out": reports}
        typer.echo(json.dumps(said, ensure_ascii=False))
    else:
        console = opened.console
        console.print(f"{nodes} nodes, {edges} edges ({opened.store.name})")
        for problem in problems:
            told = in_language(problem.message, opened.chosen.language)
            console.print(f"[yellow]{problem.check:<10}[/] {escape(problem.about)}: {escape(told)}")
        for line in reports if left_out else ():
            console.print(f"[dim]left out  [/] {escape(line)}")
        if reports and not left_out:
            console.print(f"{len(reports)} statements were left out of the graph (--all lists them).")
    raise typer.Exit(1 if problems else 0)


Named = Annotated[
    str, typer.Argument(help="The id of a node (Course:CT201), or a name as a student types it.")
]


@app.command()
def show(
    node: Named,
    index: IndexFolder = None,
    everything: Annotated[bool, typer.Option("--all", help="Every relation in full.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a node: its names and properties, its relations, and the place that each rests on."""
    opened = _open(index)
    found = opened.node(node)
    around = neighbourhood(opened.store, found.id, opened.day)
    if as_json:
        edges = [
            {"relation": relation, "direction": "out" if is_out else "in", "node": row.node.id, "name": row.node.name,
             "source": opened.cited(row.by) if row.by else ""}
            for (relation, is_out), rows in around.items()
            for row in rows
        ]  # fmt: skip
        said = asdict(found) | {"text": opened.places.text(found), "edges": edges}
        typer.echo(json.dumps(said, ensure_ascii=False, default=str))
        return
    console, words = opened.console, opened.words
    console.print(
        f"[bold]{escape(found.name)}[/]  {escape(opened.type_name(found))}  [dim]{escape(found.id)}[/]"
    )
    if others := [name for name in found.names if name != found.name]:
        console.print(f"{words['names']}: {escape(', '.join(others))}")
    for key, value in found.properties.items():
        console.print(f"{words.get(f'property_{key}', key)}: {escape(str(value))}")
    if text := opened.places.text(found):
        console.print(escape(text))
    console.print(f"{words['source']}: {escape(opened.cited(found.provenance))}")
    for (relation, is_out), rows in around.items():
        arrow = f"{opened.relation(relation)} →" if is_out else f"← {opened.relation(relation)}"
        console.print(f"\n[bold]{escape(arrow)}[/]")
        for row in rows if everything else rows[:MOST_SHOWN]:
            source = f" [dim]({escape(opened.cited(row.by))})[/]" if row.by else ""
            console.print(f"  {escape(row.node.name)} [dim]{escape(row.node.id)}[/]{source}")
        if not everything and len(rows) > MOST_SHOWN:
            console.print("  " + words["more"].format(len(rows) - MOST_SHOWN))


@app.command()
def path(first: Named, last: Named, index: IndexFolder = None, as_json: AsJson = False) -> None:
    """Show the shortest ways from a node to another, each step with the place that it rests on.

    The exit code is 1 when nothing joins them.
    """
    opened = _open(index)
    begin, end = opened.node(first), opened.node(last)
    paths = shortest_paths(opened.store.edges(), begin.id, end.id)
    if as_json:
        typer.echo(json.dumps([list(map(asdict, way)) for way in paths], ensure_ascii=False, default=str))
    elif not paths:
        opened.console.print(escape(opened.words["no_path"].format(first=begin.name, last=end.name)))
    for number, way in enumerate(paths if not as_json else ()):
        if number:
            opened.console.print()
        _print_path(opened, begin, way)
    raise typer.Exit(0 if paths else 1)


def _print_path(opened: _Opened, begin: Node, way: Sequence[Edge]) -> None:
    opened.console.print(f"[bold]{escape(begin.name)}[/]")
    here = begin.id
    for edge in way:
        there = other_end(edge, here)
        name = opened.store.run("node", id=there)[0].node.name
        relation = opened.relation(edge.relation)
        arrow = f"— {relation} →" if edge.source == here else f"← {relation} —"
        source = escape(opened.cited(edge.provenance))
        opened.console.print(f"  {escape(arrow)} [bold]{escape(name)}[/] [dim]({source})[/]")
        here = there


@app.command()
def view(
    node: Annotated[str | None, typer.Argument(help="A node to begin with: its id or its name.")] = None,
    index: IndexFolder = None,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")] = Path("graph.html"),
) -> None:
    """Write the graph as one HTML file that needs no network: search, expand, filter, open the source."""
    opened = _open(index)
    start = [opened.node(node).id] if node else []
    _writable(out)
    write_view(opened.store, opened.places, start, opened.words, opened.chosen.locale, out)
    opened.console.print(escape(opened.words["view_written"].format(file=out)))


@app.command()
def export(
    to: Annotated[str, typer.Argument(metavar="|".join(FORMATS), help="The format.")],
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    index: IndexFolder = None,
) -> None:
    """Write the whole graph for another program: GraphML (Gephi, yEd), JSON, or Cypher (Neo4j)."""
    opened = _open(index)
    if to not in FORMATS:
        raise CovanError(opened.words["unknown_format"].format(format=to, known=", ".join(FORMATS)))
    _writable(out)
    FORMATS[to](opened.store, out)
    nodes, edges = opened.store.counts()
    opened.console.print(escape(opened.words["exported"].format(nodes=nodes, edges=edges, file=out)))


def _writable(out: Path) -> None:
    """Raise CovanError when a file cannot be written."""
    try:
        with out.open("ab"):
            pass
    except OSError as error:
        raise CovanError(f"{out} cannot be written: {error.strerror}") from error


@app.command()
def merges(index: IndexFolder = None, as_json: AsJson = False) -> None:
    """List the entities that were taken for one. `distinct` in graph.yml keeps two apart."""
    opened = _open(index)
    found = merges_of(opened.folder)
    if as_json:
        said = [{"kept": m.kept.id, "dropped": m.dropped.id, "jaccard": round(m.jaccard, 4)} for m in found]
        typer.echo(json.dumps(said, ensure_ascii=False))
        return
    if not found:
        opened.console.print(opened.words["no_merges"])
    for merge in found:
        kept, dropped = (f"{node.name} [dim]{node.id}[/]" for node in (merge.kept, merge.dropped))
        opened.console.print(f"{kept} ← {dropped} [dim]({merge.jaccard:.2f})[/]")
