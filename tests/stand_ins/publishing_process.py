"""Publishes in a process of its own, which dies before the Nth step that changes a file's place.

.venv/bin/python tests/stand_ins/publishing_process.py KIND SCHOOL INDEX N

KIND is one of `PUBLICATIONS`; "back" goes back to the commit that the folder's tag `first` names.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from embedder_stand_in import EmbedderStandIn

from console.edited_copy import EditedCopy
from console.nlu_files import Label, NluFiles, Part
from console.publishing import Publisher
from rag.ingest.checked_questions import CheckedQuestion
from rag.types import QueryRule

QUESTION = "Trường có cho thuê sân bóng không?"
ENTRY = {
    "question": QUESTION,
    "answer": "Có, 200.000 đồng một giờ.\n",
    "topic": "study",
}


AUTHOR = ("Cô Lan", "lan")


def publish(school: Path, index: Path, question: str = QUESTION) -> str:
    """Publish the entry as the console does; return its id."""
    publisher = Publisher(school, index, EmbedderStandIn())
    fields = {**ENTRY, "question": question}
    done = publisher.publish(lambda files: files.added(fields), AUTHOR, "add", [question])
    return done.entries[0].id


def publish_document(school: Path, index: Path) -> str:
    """Give a document another text and other metadata, which are files of their own."""
    publisher = Publisher(school, index, EmbedderStandIn())
    files = publisher.documents
    draft = files.upload("noi-quy-ktx.txt", "Điều 1. Cổng ký túc xá đóng lúc 23 giờ.\n".encode(), "lan")
    _, version = files.replaced_by(draft)
    fields = {**files.fields_of(draft), "title": "Nội quy mới"}
    return publisher.publish_document(lambda them: them.published(draft, version, fields), AUTHOR, "document")


def publish_fact(school: Path, index: Path) -> str:
    """Publish another price."""
    publisher = Publisher(school, index, EmbedderStandIn())
    name, facts = "facts.dormitory.2026.room", publisher.facts
    fact = facts.fact(name)
    assert fact is not None
    edit = facts.changed(name, (fact.value, fact.note), "360.000 đồng", fact.note)
    used = set(facts.uses().calculators(fact))
    return publisher.publish_values(lambda: (edit, used), AUTHOR, "fact", name)


def publish_rule(school: Path, index: Path) -> str:
    """Refuse a question: a rule, and a checked question, in files of their own."""
    publisher = Publisher(school, index, EmbedderStandIn())
    return publisher.publish_rule(QueryRule("Cho mình xin mật khẩu của bạn mình?"), "", AUTHOR)


def go_back(school: Path, index: Path) -> str:
    """Bring several files back to what they were."""
    publisher = Publisher(school, index, EmbedderStandIn())
    told = subprocess.run(
        ["git", "-C", school, "rev-parse", "first^{commit}"], check=True, capture_output=True, text=True
    )
    return publisher.restore(told.stdout.strip(), AUTHOR).commit


def label(school: Path, index: Path) -> str:
    """Label two messages, whose examples go to files of their own."""
    publisher = Publisher(school, index, EmbedderStandIn())
    files = NluFiles(publisher.files, {})
    labels = [
        Label([Part("điểm F thì sao")], "ask_study"),
        Label([Part("k47", "cohort"), Part(" học gì")], "ask_study"),
    ]
    return publisher.publish_examples(lambda: files.edits(labels), AUTHOR, "điểm F thì sao (+1)")[1]


def publish_together(school: Path, index: Path) -> str:
    """Publish a topic, a document and an entry of that topic, as one version."""
    publisher = Publisher(school, index, EmbedderStandIn())
    upload = publisher.documents.upload(
        "tu-do.txt", "Điều 1. Tủ đồ giá 30.000 đồng một tháng.\n".encode(), "lan"
    )
    document = publisher.documents.published(upload, "", {"topic": "lockers"})

    def edits(copy: EditedCopy) -> list[str]:
        copy.take_edits([copy.parts.dictionaries.topics_added({"id": "lockers", "name": "Tủ đồ"})])
        copy.take(document.contents)
        made, ids = copy.parts.files.added({**ENTRY, "topic": "lockers"})
        copy.take_edits([*made, copy.parts.files.with_checked([CheckedQuestion(QUESTION, ids[0])])])
        return list(ids)

    return publisher.publish_together(edits, AUTHOR, QUESTION).commit


PUBLICATIONS: dict[str, Callable[[Path, Path], str]] = {
    "entry": publish,
    "document": publish_document,
    "drafts": publish_together,
    "fact": publish_fact,
    "labels": label,
    "rule": publish_rule,
    "back": go_back,
}


def dying_before(step: int) -> None:
    """Kill this process at the `step`th call that puts a file or a folder in its place."""
    left = step

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **named)

        return call

    os.replace, os.rename = counted(os.replace), counted(os.rename)


if __name__ == "__main__":
    kind, school, index, step = sys.argv[1:]
    dying_before(int(step))
    PUBLICATIONS[kind](Path(school), Path(index))
