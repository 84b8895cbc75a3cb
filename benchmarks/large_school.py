"""A large school with years of conversations, made up: to measure how long the console's lists take.

What it says is nonsense, and its index has an index's passages, entries and graph, but answers no question.
"""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import sqlalchemy as sa

from benchmarks.graph_lookups import grown
from channels.delivery.database import Database
from channels.delivery.message import Message
from channels.delivery.tables import hand_overs, notes, ratings, said, senders, traces, turns
from console.api.models import EntryFields, KeptEntry, KeptFact, TopicDraft, TopicFields
from console.draft_checks import MOST as MOST_CHECKS
from console.faq_files import rendered
from console.invitations import TesterTurn
from console.kept_drafts import MOST as MOST_KEPT
from console.live_index import LiveIndex
from console.model_folder import ModelFolder
from console.near_duplicates import NearDuplicates, NearPair
from console.publishing import Publisher
from console.tables import (
    accounts,
    audit,
    canned_replies,
    draft_checks,
    invitations,
    kept_drafts,
    reviewed,
    settled,
    tester_turns,
)
from rag.graph.ladybug_store import LadybugKind
from rag.graph.types import Graph
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.language_model.ledger import Budget, Ledger
from rag.retrieve.embedder import Embedder
from rag.settings import Settings

BASE = Path(__file__).parents[1] / "tests" / "graph_school"
DAYS = 90
BATCH = 5_000
QUESTIONS = 9_000
"""Different questions of students."""

DAY_S = 86_400


@dataclass(frozen=True)
class Sizes:
    """How large the school is. Of the turns, one in seven has no answer and one in twenty is rated."""

    turns: int = 100_000
    students: int = 8_000
    handed_over: int = 3_000
    entries: int = 20_000
    topics: int = 60
    facts: int = 3_000
    calculators: int = 200
    majors: int = 300
    courses: int = 1_000
    examples: int = 3_000
    rules: int = 300
    checked: int = 1_000
    near_pairs: int = 1_000
    kept_drafts: int = MOST_KEPT
    checks: int = MOST_CHECKS
    documents: int = 2_000
    passages: int = 40_000
    drafts: int = 20
    nodes: int = 30_000
    versions: int = 5_000
    audited: int = 100_000
    settled: int = 10_000
    invitations: int = 100
    tested: int = 100_000
    people: int = 100
    canned: int = 200
    changes: int = 200


class LargePublisher(Publisher):
    """A publisher whose index has the entries, passages and nodes of a large school."""

    def __init__(self, knowledge: Path, index: Path, embedder: Embedder, graph: Path, sizes: Sizes) -> None:
        super().__init__(knowledge, index, embedder)
        self._graph = graph
        self._sizes = sizes
        self.live.index = cache(self._enlarged)  # type: ignore[method-assign]

    def _enlarged(self) -> Index:
        index = self.live.opened(self.live.folder)
        known, sizes = index.passages, self._sizes
        return replace(
            index,
            faq=tuple(
                replace(
                    index.faq[number % len(index.faq)],
                    id=f"topic-{number % sizes.topics}-{number}",
                    question=f"Học phí ngành số {number} là bao nhiêu?",
                )
                for number in range(sizes.entries)
            ),
            passages=tuple(
                replace(
                    known[number % len(known)],
                    id=f"document-{number % sizes.documents}/{number}",
                    document_id=f"document-{number % sizes.documents}",
                    title=f"Quyết định số {number % sizes.documents}",
                )
                for number in range(sizes.passages)
            ),
            store=LadybugKind().open(self._graph, "grown"),
        )


class LargeDuplicates(NearDuplicates):
    """The pairs of entries that ask the same in a large school, as they are kept once they were looked for."""

    def __init__(self, live: LiveIndex, sizes: Sizes) -> None:
        super().__init__(live)
        entries = [f"topic-{number % sizes.topics}-{number}" for number in range(sizes.entries)]
        most = min(sizes.near_pairs, sizes.entries // 2)
        self._pairs = [NearPair(entries[place], entries[-1 - place], 0.95) for place in range(most)]
        self._version = live.version


def write_school(knowledge: Path, index: Path, embedder: Embedder, sizes: Sizes) -> Path:
    """Write the knowledge folder and an index; return the folder of the graph."""
    shutil.copytree(BASE, knowledge)
    shutil.rmtree(knowledge / "faq")
    _write_catalogue(knowledge, sizes)
    shutil.copytree(BASE / "faq", knowledge / "faq")
    build_index(knowledge, index, embedder)
    _write_faq(knowledge, sizes)
    _write_values(knowledge, sizes)
    _write_documents(knowledge, index.parent / "drafts", sizes)
    _write_versions(knowledge, sizes)
    store = open_index(index, embedder).store
    assert store is not None
    small = Graph(tuple(store.nodes()), tuple(store.edges()), tuple(store.tables.values()), store.relations)
    graph = index.parent / "grown"
    graph.mkdir()
    LadybugKind().write(grown(small, sizes.nodes, Random(1)), graph, "grown")
    return graph


def _write_catalogue(knowledge: Path, sizes: Sizes) -> None:
    with (knowledge / "topics.yml").open("a", encoding="utf-8") as file:
        for number in range(sizes.topics):
            examples = ", ".join(f"câu mẫu {each} của chủ đề {number}" for each in range(5))
            file.write(f"- {{id: topic-{number}, name: Chủ đề {number}, examples: [{examples}]}}\n")
    majors = "".join(
        f"  - {{id: major-{each}, name: Ngành thứ {each}, programs: [standard], aliases: [ngành {each} cũ]}}\n"
        for each in range(sizes.majors)
    )
    courses = "".join(f"  - {{id: MH{each}, name: Môn thứ {each}}}\n" for each in range(sizes.courses))
    catalog = knowledge / "catalog.yml"
    told = catalog.read_text(encoding="utf-8")
    catalog.write_text(
        told.replace("majors:\n", f"majors:\n{majors}") + f"courses:\n{courses}", encoding="utf-8"
    )


def _write_faq(knowledge: Path, sizes: Sizes) -> None:
    """Write the entries with five variants each, a file a topic, with example messages, rules and checked questions."""
    for topic in range(sizes.topics):
        entries = (
            rendered(
                {
                    "id": f"topic-{topic}-{number}",
                    "question": f"Học phí ngành số {number} là bao nhiêu?",
                    "variants": [f"ngành {number} đóng bao nhiêu tiền, cách {way}" for way in range(5)],
                    "answer": f"Học phí của ngành số {number} là {number}.000 đồng một tín chỉ, thêm "
                    f"{{{{ facts.tuition-{topic % 10}.2026.fee-{number % 300} }}}}.\n" * 3,
                    "topic": f"topic-{topic}",
                    "reviewed_at": "2026-09-01",
                    "sources": [{"document": f"document-{number % sizes.documents}", "locator": "Điều 1"}],
                }
            )
            for number in range(topic, sizes.entries, sizes.topics)
        )
        (knowledge / "faq" / f"topic-{topic}.yml").write_text("\n".join(entries), encoding="utf-8")
    (knowledge / "nlu").mkdir(exist_ok=True)
    blocks = "".join(
        f"  - intent: ask_topic-{topic}\n    examples: |\n"
        + "".join(
            f"      - cho hỏi chuyện {topic} kiểu {each}\n" for each in range(sizes.examples // sizes.topics)
        )
        for topic in range(sizes.topics)
    )
    (knowledge / "nlu" / "messages.yml").write_text(f'version: "3.1"\n\nnlu:\n{blocks}', encoding="utf-8")
    rules = "".join(
        f'- question: "Câu không trả lời {each}"\n  reply: no_answer\n' for each in range(sizes.rules)
    )
    (knowledge / "query_rules.yml").write_text(rules, encoding="utf-8")
    checked = "".join(
        f'- question: "Ngành {each} một tín chỉ bao nhiêu tiền vậy ạ"\n  entry: topic-{each % sizes.topics}-{each}\n'
        for each in range(min(sizes.checked, sizes.entries))
    )
    (knowledge / "checked.yml").write_text(checked, encoding="utf-8")


def _write_values(knowledge: Path, sizes: Sizes) -> None:
    """Write the facts, in ten files with what is told about them, and the calculators, a file for fifty."""
    for folder in ("facts", "calculators"):
        (knowledge / folder).mkdir(exist_ok=True)
    for file in range(10):
        lines = (f"  fee-{each}: {each}.000 đồng  # QĐ {each}\n" for each in range(sizes.facts // 10))
        (knowledge / "facts" / f"tuition-{file}.yml").write_text("2026:\n" + "".join(lines), encoding="utf-8")
        group = f"facts.tuition-{file}.2026"
        names = (group, *(f"{group}.fee-{each}" for each in range(0, sizes.facts // 10, 3)))
        told = (f"- {{name: {name}, owner: office-3, reviewed_at: 2026-09-01}}\n" for name in names)
        (knowledge / "facts" / f"tuition-{file}.meta.yml").write_text("".join(told), encoding="utf-8")
    for first in range(0, sizes.calculators, 50):
        (knowledge / "calculators" / f"fees-{first}.yml").write_text(
            "".join(_calculator(number) for number in range(first, min(first + 50, sizes.calculators))),
            encoding="utf-8",
        )


def _calculator(number: int) -> str:
    fee = f"number('tuition-{number % 10}.2026.fee-{number}')"
    return (
        f"- id: calculator-{number}\n"
        f"  question: Học {number} tín chỉ hết bao nhiêu?\n"
        f"  topic: topic-{number % 12}\n"
        f"  sources: [{{document: document-{number}, locator: Điều 1}}]\n"
        "  inputs:\n"
        "    credits: {units: credits, least: 1, most: 12, ask: Mấy tín chỉ?, ask_en: How many credits?}\n"
        "  cases:\n"
        f'    - say: "Hết **{{{{ credits * {fee} | money }}}}**."\n'
    )


def _write_documents(knowledge: Path, drafts: Path, sizes: Sizes) -> None:
    for number in range(sizes.documents):
        head = f"title: Quyết định số {number}\nowner: office-3\nreviewed_at: 2026-09-01"
        text = f"---\n{head}\n---\n# Điều 1. Phạm vi\n\nNội dung thứ {number}.\n"
        (knowledge / "documents" / f"document-{number}.md").write_text(text, encoding="utf-8")
    for number in range(sizes.drafts):
        folder = drafts / f"{number:016x}"
        folder.mkdir(parents=True)
        (folder / f"draft-{number}.md").write_text("# Điều 1. Phạm vi\n\nNội dung mới.\n", encoding="utf-8")
        (folder / "draft.json").write_text(json.dumps({"by": "an", "at": number}), encoding="utf-8")


def _write_versions(knowledge: Path, sizes: Sizes) -> None:
    """Make the folder a repository with one version of all files and many of one."""
    git = ["git", "-C", str(knowledge), "-c", "user.name=An", "-c", "user.email=an@school.invalid"]
    for step in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "Bản đầu"]):
        subprocess.run([*git, *step], check=True)
    changed = knowledge / "faq" / "topic-0.yml"
    text = changed.read_bytes()
    stream = [b"feature done\n"]
    for number in range(sizes.versions):
        message = f"Học phí ngành số {number} là bao nhiêu?\n\nCovan-Action: change\n".encode()
        content = b"# %d\n" % number + text[:2_000]
        stream.append(b"commit refs/heads/main\ncommitter An <an@school.invalid> %d +0700\n" % number)
        stream.append(b"data %d\n%s\n" % (len(message), message))
        stream.append(b"from refs/heads/main^0\n" if number == 0 else b"")
        stream.append(b"M 100644 inline faq/topic-0.yml\ndata %d\n%s\n" % (len(content), content))
    stream.append(b"done\n")
    subprocess.run([*git, "fast-import", "--quiet"], input=b"".join(stream), check=True)
    subprocess.run([*git, "reset", "-q"], check=True)


def fill_turns(url: str, sizes: Sizes) -> None:
    """Store the turns of the last days with what was said, ratings, and conversations with advisors."""
    database, random, now = Database(url), np.random.default_rng(1), time.time()
    # Rephrasings of three hundred matters, as near to each other as E5's vectors of such are.
    matters = np.tile(random.normal(size=(300, 384)), (QUESTIONS // 300, 1))
    vectors = (1.8 + matters + 0.2 * random.normal(size=matters.shape)).astype(np.float16)
    people = [{"channel": "web", "sender": f"student-{each}"} for each in range(sizes.students)]
    with database.write() as db:
        db.execute(senders.insert(), [{**each, "address": "{}", "heard_at": now} for each in people])
    for first in range(0, sizes.turns, BATCH):
        rows = [
            _turn(number, now - DAYS * DAY_S * (1 - number / sizes.turns), vectors[number % QUESTIONS], sizes)
            for number in range(first, min(first + BATCH, sizes.turns))
        ]
        of = [{"channel": row["channel"], "sender": row["sender"], "at": row["at"]} for row in rows]
        numbers = [int(row["turn_id"]) for row in rows]
        written = [
            {
                "id": 2 * number - 1,
                "turn_id": None,
                "author": "student",
                "message": _said("student", "Câu hỏi"),
            }
            for number in numbers
        ]
        replied = [
            {"id": 2 * number, "turn_id": number, "author": "bot", "message": _said("bot", "Trả lời. " * 20)}
            for number in numbers
        ]
        rated = [
            {**each, "said_id": 2 * number, "answer_id": "a", "good": number % 3 > 0, "reason": ""}
            for each, number in zip(of, numbers, strict=True)
            if number % 20 == 0
        ]
        with database.write() as db:
            db.execute(traces.insert(), rows)
            db.execute(
                turns.insert(),
                [
                    {**each, "id": number, "content": "{}", "done_at": float(each["at"]) + 1}
                    for each, number in zip(of, numbers, strict=True)
                ],
            )
            for messages in (written, replied):
                db.execute(said.insert(), [{**each, **more} for each, more in zip(of, messages, strict=True)])
            db.execute(ratings.insert(), rated)
    _hand_over(database, now, sizes)
    database.close()


def _turn(number: int, at: float, vector: np.ndarray, sizes: Sizes) -> dict[str, object]:
    answered = number % 7 != 0
    trace = {
        "intents": {"ask_study": 0.4, "greet": 0.3},
        "normalized": f"câu hỏi {number}",
        "mentions": [["office", f"office-{number % 12}"]],
        "vector": base64.b64encode(vector.tobytes()).decode(),
        "candidates": [{"text": "x" * 300}] * 6,
        "profile": {"cohort": "51"},
        "reasons": [],
    }
    return {
        "channel": "web",
        "sender": f"student-{number % sizes.students}",
        "turn_id": number + 1,
        "at": at,
        "question": f"Câu hỏi {number}",
        "decision": "answer" if answered else "no_answer",
        "source": "faq" if answered else "none",
        "topic": f"topic-{number % 12}",
        "intent": "ask",
        "confidence": 0.9 if answered else 0.1,
        "answer_id": f"topic-{number % sizes.topics}-{number % 500}" if answered else "",
        "trace": json.dumps(trace),
    }


def _hand_over(database: Database, now: float, sizes: Sizes) -> None:
    """Store the conversations with advisors: all but the last hundred are closed."""
    rows, written = [], []
    for number in range(sizes.handed_over):
        of = {"channel": "web", "sender": f"student-{number}"}
        opened = now - DAYS * DAY_S * (1 - number / sizes.handed_over)
        left = sizes.handed_over - number
        status = "closed" if left > 100 else "taken" if left > 40 else "waiting"
        taken = {"taken_by": "An", "taken_at": opened + 60} if status != "waiting" else {}
        closed = {"closed_by": "An", "closed_at": opened + 600} if status == "closed" else {}
        about = {"topic": "topic-1", "question": f"Câu hỏi {number}", "hours": "null"}
        row = {"taken_by": "", "taken_at": None, "closed_by": "", "closed_at": None, **taken, **closed}
        rows.append(
            {**of, **about, **row, "status": status, "quiet": False, "opened_at": opened, "last_at": opened}
        )
        written.append({**of, "by": "An", "text": "Đã gọi điện", "handed_to": "", "at": opened})
    with database.write() as db:
        db.execute(hand_overs.insert(), rows)
        db.execute(notes.insert(), written)


def _said(author: str, text: str) -> str:
    return json.dumps(Message(text, author).as_json())


def _check_result() -> str:
    """Return the result of a check that changes 50 questions."""
    texts = {"text": "Trả lời. " * 100, "options": list[str]()}
    reply = {"decision": "answer", "answer_id": "a", "confidence": 0.9, **texts}
    changed = [
        {"question": f"Câu hỏi {each}?", "before": reply, "after": reply, "right": True} for each in range(50)
    ]
    told = {"index": "1", "checked": {"count": 500, "changed": changed}, "ended_at": 1.0}
    return json.dumps(told, ensure_ascii=False)


def fill_console(database: sa.Engine, settings: Settings, sizes: Sizes) -> None:
    """Fill the console's own tables, and the ledger of the language model."""
    now = time.time()
    tested = TesterTurn("hỏi thử", "hỏi thử", "answer", "Trả lời. " * 40, "study-1", "", {"cohort": "51"})
    told = json.dumps(asdict(tested), ensure_ascii=False)
    with database.begin() as db:
        db.execute(
            audit.insert(),
            [
                {
                    "at": now - sizes.audited + each,
                    "login": f"advisor-{each % sizes.people}",
                    # A training is rare: the list of those looks far back.
                    "action": "train" if each % 5_000 == 0 else "read_conversation",
                    "target": str(each),
                    "detail": '{"commit": "0"}',
                    "allowed": each % 50 > 0,
                }
                for each in range(sizes.audited)
            ],
        )
        done = [
            {"trace_id": each + 1, "entry_id": "", "login": "an", "at": now}
            for each in range(0, 7 * sizes.settled, 7)
        ]
        db.execute(settled.insert(), done)
        db.execute(reviewed.insert(), [{k: v for k, v in row.items() if k != "entry_id"} for row in done])
        db.execute(
            invitations.insert(),
            [
                {
                    "key": str(each),
                    "title": f"Lớp {each}",
                    "login": "an",
                    "created_at": now,
                    "expires_at": now + DAY_S,
                }
                for each in range(sizes.invitations)
            ],
        )
        for first in range(0, sizes.tested, BATCH):
            db.execute(
                tester_turns.insert(),
                [
                    {
                        "invitation_id": 1 + each % sizes.invitations,
                        "tester": f"{each % 3_000:032x}",
                        "at": now,
                        "turn": told,
                    }
                    for each in range(first, min(first + BATCH, sizes.tested))
                ],
            )
        db.execute(
            canned_replies.insert(),
            [
                {"title": f"Mẫu {each}", "text": "Chào em. " * 50, "version": 1, "login": "an", "at": now}
                for each in range(sizes.canned)
            ],
        )
        db.execute(
            kept_drafts.insert(),
            [
                {
                    "draft": _kept_draft(each, sizes),
                    "version": 1,
                    "login": f"advisor-{each % sizes.people}",
                    "at": now - each,
                    "reviewed_by": "advisor-1" if each % 3 == 0 else "",
                }
                for each in range(sizes.kept_drafts)
            ],
        )
        db.execute(
            draft_checks.insert(),
            [
                {
                    "login": "an",
                    "place": f"topic/topic-{each}",
                    "draft": TopicDraft(
                        kind="topic",
                        topic_id=f"topic-{each}",
                        id=f"topic-{each}",
                        fields=TopicFields(name="Học"),
                    ).model_dump_json(),
                    "seen": "",
                    "at": now,
                    "result": _check_result(),
                }
                for each in range(sizes.checks)
            ],
        )
        db.execute(
            accounts.insert(),
            [
                {
                    "login": f"advisor-{each}",
                    "name": f"Cô {each}",
                    "roles": "advisor",
                    "password": "",
                    "active": True,
                    "failures": 0,
                    "locked_until": 0.0,
                    "created_at": now,
                }
                for each in range(sizes.people)
            ],
        )
    Ledger(settings.llm_ledger, Budget()).usage(1)  # makes the tables
    today = datetime.now(UTC).date()
    with closing(sqlite3.connect(settings.llm_ledger)) as ledger, ledger:
        ledger.executemany(
            "INSERT INTO usage VALUES (?, ?, 1000, 3, 200, 900000, 90000, 120000, 1500000)",
            [(f"{today - timedelta(days=day)}", f"model-{name}") for day in range(400) for name in range(5)],
        )
        ledger.executemany(
            "INSERT INTO replies VALUES (?, ?, ?, 900, 90)",
            [(str(each), f"{today}", "Trả lời. " * 40) for each in range(20_000)],
        )


def _kept_draft(number: int, sizes: Sizes) -> str:
    """Return a draft: every fifth one of a fact, the others of entries, half of them new ones for a large gap."""
    if number % 5 == 0:
        return KeptFact(
            kind="fact", name=f"facts.group-1.2026.value-{number}", value="1.000 đồng", seen="900 đồng"
        ).model_dump_json()
    fields = EntryFields(
        question=f"Học phí ngành số {number} là bao nhiêu?",
        variants=[f"ngành {number} đóng bao nhiêu tiền, cách {way}" for way in range(20)],
        answer=f"Học phí của ngành số {number} là {number}.000 đồng một tín chỉ.\n" * 20,
        topic=f"topic-{number % sizes.topics}",
    )
    if number % 2:
        kept = KeptEntry(
            kind="entry", fields=fields, entry_id=f"topic-{number % sizes.topics}-{number}", seen="0"
        )
    else:
        kept = KeptEntry(kind="entry", fields=fields, settles=list(range(1, 500)))
    return kept.model_dump_json()


def write_models(models: ModelFolder, sizes: Sizes) -> None:
    """Write a candidate and its comparison with a live model, on as many recent messages as are listed."""
    models.comparison_file.parent.mkdir(parents=True, exist_ok=True)
    models.comparison_file.with_name("candidate.tar.gz").write_bytes(b"")
    before, after = ({"intent": f"ask_topic-{each}", "probability": 0.6} for each in (1, 2))
    change = {"live": before, "candidate": after}
    compared = {
        "live": "",
        "candidate": "candidate.tar.gz",
        "by": "An",
        "at": time.time(),
        "labelled": {
            "count": 5_000,
            "right": {"live": 4_000, "candidate": 4_500},
            "confusion": [],
            "changes": [
                {"text": f"câu {each}", "intent": "greet", **change} for each in range(sizes.changes)
            ],
        },
        "messages": {
            "count": 500,
            "changes": [{"trace": sizes.turns - each, **change} for each in range(sizes.changes)],
        },
    }
    models.comparison_file.write_text(json.dumps(compared, ensure_ascii=False), encoding="utf-8")
