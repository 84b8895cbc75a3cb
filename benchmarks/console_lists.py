"""How long the console's lists take in a large school.

    .venv/bin/python -m benchmarks.console_lists [--turns 100000] [--entries 20000] [--only TEXT]

Makes a school and its databases in a temporary folder, serves the console over them and the front door behind it, and
prints the median of five calls of each list, as a browser gets it, and the first one after a start or an edit: the
time, and that of the processor, which other work on the machine does not stretch. Wanted: 300 ms of the processor at
most for each list with 100,000 turns and 20,000 entries; the exit code is 1 when one takes longer. The other sizes are
those of `Sizes`.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

# As `covan console` sets it, before numpy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from embedder_stand_in import EmbedderStandIn
from front_door_server import ReadyRasa, serving

from benchmarks.large_school import (
    LargeDuplicates,
    LargePublisher,
    Sizes,
    fill_console,
    fill_turns,
    write_models,
    write_school,
)
from channels.app import create_app as create_front_door
from channels.front_door import FrontDoor
from console.api import ROUTERS
from console.api.dependencies import PREFIX, Console
from console.app import create_app
from console.database import open_database
from covan.commands.console import collect_seldom, console_over
from rag.settings import Settings

LONGEST_S = 0.3
REPEATS = 5
PASSWORD = "a-long-password"

LISTS: Mapping[str, str] = {
    "today, 7 days": "/today?days=7",
    "today, 30 days": "/today?days=30",
    "conversations": "/conversations",
    "conversations, far down": "/conversations?before=2000",
    "conversations of a decision": "/conversations?decision=no_answer",
    "conversations of a topic": "/conversations?topic=topic-3",
    "conversations of a source": "/conversations?source=faq",
    "conversations of an intent": "/conversations?intent=ask",
    "conversations of an answer": "/conversations?answer=topic-3-3",
    "conversations of no answer": "/conversations?answer=xyz",
    "conversations of a channel without turns": "/conversations?channel=zalo",
    "conversations with a text": "/conversations?text=CÂU HỎI 711",
    "conversations rated down": "/conversations?feedback=down",
    "conversations rated up": "/conversations?feedback=up",
    "conversations, unsure answers": "/conversations?confidence_below=0.05",
    "conversations with three filters": "/conversations?decision=no_answer&topic=topic-0&feedback=down",
    "conversations, values of the filters": "/conversations/filters",
    "a conversation": "/conversations/711",
    "gaps": "/gaps",
    "gaps of 7 days": "/gaps?days=7",
    "NLU review": "/nlu",
    "models": "/models",
    "models, comparison": "/models/comparison",
    "thresholds": "/thresholds",
    "thresholds, names for labels": "/thresholds/names?text=HỌC phí 671",
    "FAQ": "/faq",
    "FAQ, far down": "/faq?skip=15000",
    "FAQ of a topic": "/faq?topic=topic-3",
    "FAQ of an owner": "/faq?owner=office-3",
    "FAQ, due for a review": "/faq?due=true",
    "FAQ with two words": "/faq?text=HỌC phí 671",
    "FAQ with a word of all": "/faq?text=học",
    "FAQ with a word of none": "/faq?text=xyz",
    "FAQ, nearest to a question": "/faq?near=học phí 671 là bao nhiêu",
    "FAQ, sources with two words": "/faq/sources?text=học vụ",
    "FAQ, sources with a word of none": "/faq/sources?text=xyz",
    "an entry": "/faq/entries/topic-11-671",
    "FAQ, sources near to a question": "/faq/sources?near=học phí 671 là bao nhiêu",
    "kept drafts": "/drafts",
    "a kept draft": "/drafts/7",
    "FAQ, entries that ask the same": "/faq/duplicates",
    "FAQ, entries that ask the same, far down": "/faq/duplicates?skip=900",
    "query rules": "/query-rules",
    "checked questions": "/checked-questions",
    "checks of drafts": "/try/drafts",
    "documents": "/documents",
    "a document": "/documents/published/document-7",
    "documents, drafts": "/documents/drafts",
    "facts": "/facts",
    "facts with a text": "/facts?text=fee 7",
    "facts due for a review": "/facts?due=true",
    "a fact": "/facts/value?name=facts.tuition-3.2026.fee-7",
    "calculators": "/calculators",
    "a calculator": "/calculators/calculator-7",
    "topics": "/topics",
    "catalogue": "/catalogue",
    "graph": "/graph",
    "graph, nodes": "/graph/nodes",
    "graph, nodes with a text": "/graph/nodes?text=zz00471",
    "graph, nodes of a type": "/graph/nodes?types=Course",
    "a node": "/graph/node?id=Course:ZZ000471",
    "graph, problems": "/graph/problems",
    "language model": "/model",
    "language model, costs a day": "/model/usage?days=400",
    "versions": "/versions",
    "versions, far down": "/versions?skip=4000",
    "inbox": "/inbox",
    "inbox, how many wait": "/inbox/waiting",
    "inbox with two words": "/inbox/search?text=CÂU HỎI",
    "inbox, recipients": "/inbox/recipients",
    "a conversation of the inbox": "/inbox/7",
    "canned replies": "/canned-replies",
    "invitations": "/invitations",
    "testers' conversations": "/invitations/1/turns",
    "people": "/people",
    "audit log": "/audit",
    "audit log, far down": "/audit?before=2000",
    "audit log of a person": "/audit?login=nobody-here",
    "audit log of an action": "/audit?action=never_done",
    "audit log of days": "/audit?since=1000000000&until=1100000000",
    "audit log, refused": "/audit?refused=true",
}

NO_LISTS = frozenset(
    {
        "/session",
        "/session/methods",
        "/session/openid",
        "/session/openid/callback",
        "/account/second-factor",
        "/people/new-accounts",
        "/invited/{token}",
        "/documents/published/{document_id}/file",
        "/documents/published/{document_id}/pages/{number}",
        "/documents/published/{document_id}/passages/{place}/frames",
        "/documents/drafts/{draft_id}",
        "/documents/drafts/{draft_id}/pages/{number}",
        "/documents/drafts/{draft_id}/passages/{place}/frames",
        "/documents/drafts/{draft_id}/nearer-entries",
        "/versions/{commit}",
        "/graph/passage",
        "/first-run",
    }
)
"""What the API returns besides: one thing each; the first steps take a check of the folder after each change."""


FIRST_AFTER_A_START = ("FAQ", "gaps", "NLU review", "facts", "documents, drafts", "graph", "graph, problems")
FIRST_AFTER_AN_EDIT = ("FAQ", "NLU review")


@dataclass(frozen=True, slots=True)
class Took:
    """The time of a call and that of the processor, in seconds."""

    s: float
    processor_s: float


def main() -> int:
    """Make the school and time the lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=Sizes.turns)
    parser.add_argument("--entries", type=int, default=Sizes.entries)
    parser.add_argument("--only", default="", help="lists with this text in their name")
    asked = parser.parse_args()
    if missing := _without_a_line():
        raise SystemExit(f"these calls are in neither LISTS nor NO_LISTS: {', '.join(missing)}")
    logging.disable(logging.INFO)
    collect_seldom()
    sizes = replace(Sizes(), turns=asked.turns, entries=asked.entries)
    with TemporaryDirectory() as folder, _console(Path(folder), sizes) as (console, client):
        wanted = {name: path for name, path in LISTS.items() if asked.only.casefold() in name.casefold()}
        print(f"{'':42}    time   processor   (load of the machine: {os.getloadavg()[0]:.1f})")
        for name in FIRST_AFTER_A_START:
            if name in wanted:
                _show(f"{name}, first after a start", _timed(client, LISTS[name], 1))
        slow = []
        for name, path in wanted.items():
            took = _timed(client, path)
            _show(name, took)
            if took.processor_s > LONGEST_S:
                slow.append(name)
        changed = console.publisher.files.knowledge / "faq" / "topic-3.yml"
        changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        for name in FIRST_AFTER_AN_EDIT:
            if name in wanted:
                _show(f"{name}, first after an edit", _timed(client, LISTS[name], 1))
    print(f"over {LONGEST_S * 1000:.0f} ms: {', '.join(slow) or 'none'}")
    return 1 if slow else 0


def _without_a_line() -> list[str]:
    """Return the addresses of the API that no list calls."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    paths = [path.partition("?")[0] for path in LISTS.values()]
    return [
        route.path
        for route in routes
        if "GET" in route.methods
        and route.path not in NO_LISTS
        and not any(route.path_regex.fullmatch(path) for path in paths)
    ]


@contextmanager
def _console(folder: Path, sizes: Sizes) -> Iterator[tuple[Console, TestClient]]:
    """Yield the console over a large school, and a client that is signed in with every right."""
    settings = Settings(
        _env_file=None,
        knowledge_dir=folder / "school",
        state_dir=folder / "state",
        advisor_token="advisors",
        llm_url="http://127.0.0.1:9/v1",
        llm_model="model-0",
    )
    embedder = EmbedderStandIn()
    began = time.perf_counter()
    graph = write_school(settings.knowledge_dir, settings.index_dir, embedder, sizes)
    fill_turns(settings.channels_database, sizes)
    database = open_database(settings.console_database)
    fill_console(database, settings, sizes)
    print(f"made in {time.perf_counter() - began:.0f} s", flush=True)
    (folder / "index.html").write_text("<title>pages</title>", encoding="utf-8")
    door = FrontDoor(settings, ReadyRasa())
    with serving(create_front_door(door, folder), door.stop, door.connections) as url:
        settings = settings.model_copy(update={"page_port": int(url.rpartition(":")[2])})
        publisher = LargePublisher(settings.knowledge_dir, settings.index_dir, embedder, graph, sizes)
        console = console_over(settings, publisher, database, embedder, embedder)
        # Kept where the console keeps its own: the embedder's stand-in makes no near wordings.
        vars(console)["duplicates"] = LargeDuplicates(publisher.live, sizes)
        write_models(console.training.models, sizes)
        console.accounts.create("an", "Cô An", ["administrator"], PASSWORD)
        with TestClient(create_app(console, folder), base_url="https://console.test") as client:
            client.post(f"{PREFIX}/session", json={"login": "an", "password": PASSWORD}).raise_for_status()
            yield console, client
        console.close()


def _timed(client: TestClient, path: str, repeats: int = REPEATS) -> Took:
    """Return the median times of a call."""
    took = []
    for _ in range(repeats):
        began, used = time.perf_counter(), _processor_s()
        answer = client.get(f"{PREFIX}{path}")
        took.append(Took(time.perf_counter() - began, _processor_s() - used))
        if not answer.is_success:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:500]}")
    return Took(
        statistics.median(each.s for each in took), statistics.median(each.processor_s for each in took)
    )


def _processor_s() -> float:
    """Return the processor's time of this process, and of git's."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _show(name: str, took: Took) -> None:
    """Print a time."""
    print(f"{name:42} {took.s * 1000:7.0f} {took.processor_s * 1000:8.0f} ms", flush=True)


if __name__ == "__main__":
    sys.exit(main())
