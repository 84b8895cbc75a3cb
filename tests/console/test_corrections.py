"""A wrong answer that an advisor corrects: right in the next conversation, and checked before every later edit."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter, Students
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from publishing_process import QUESTION, publish

from console.knowledge_files import KnowledgeFileError, contents_of
from console.publishing import Publisher
from console.replaced_file import write_contents
from rag.engine import Engine
from rag.errors import KnowledgeError
from rag.index.versions import open_index
from rag.ingest.checked_questions import CheckedQuestion
from rag.ingest.load import load_knowledge
from rag.live_engine import LiveEngine
from rag.types import Question

WORDING = "Quá giờ thì phải báo ai mở cổng ký túc xá?"
MOST_STEPS = 20


def entry_of(client: TestClient, text: str) -> dict[str, Any]:
    [listed, *_] = client.get("/api/faq", params={"text": text}).json()["entries"]
    return dict(client.get(f"/api/faq/entries/{listed['id']}").json())


def fields(entry: dict[str, Any], **changes: Any) -> dict[str, Any]:
    names = ("question", "variants", "answer", "topic", "sources", "owner", "reviewed_at")
    return {**{name: entry[name] for name in names}, **changes}


def checked(*questions: str, entry: str) -> list[CheckedQuestion]:
    return [CheckedQuestion(each, entry) for each in questions]


def test_a_wrong_answer_is_right_in_the_next_conversation_and_stays_a_test(
    enter: Enter, students: Students, publisher: Publisher, tmp_path: Path
) -> None:
    client = enter("editor")
    right = entry_of(client, "cổng ký túc xá")
    trace = students.asks(WORDING, decision="answer", answer_id="another-entry", confidence=0.3)
    live = LiveEngine(tmp_path / "index", embedder=EmbedderStandIn())
    assert live.current().reply(Question(WORDING)).answer_id != right["id"]

    done = client.put(
        f"/api/faq/entries/{right['id']}",
        json=fields(
            right,
            variants=[*right["variants"], WORDING],
            version=right["version"],
            settles=[trace],
            checks=[WORDING],
        ),
    )

    assert done.status_code == 200, done.text
    # In the next conversation, also as students type it.
    assert live.current().reply(Question(WORDING)).answer_id == right["id"]
    assert (
        live.current().reply(Question("qua gio thi phai bao ai mo cong ky tuc xa")).answer_id == right["id"]
    )
    assert client.get("/api/gaps").json()["groups"] == []
    assert publisher.files.checked() == (CheckedQuestion(WORDING, right["id"]),)
    # The folder is one that `covan index` takes.
    load_knowledge(tmp_path / "school")

    # Whoever takes the wording out again is told what is lost.
    now = entry_of(client, "cổng ký túc xá")
    kept = [each for each in now["variants"] if each != WORDING]
    tried = client.post(
        "/api/faq/try", json=fields(now, variants=kept, entry_id=now["id"], version=now["version"])
    ).json()["checked"]
    assert tried["count"] == 1
    [changed] = tried["changed"]
    assert (changed["question"], changed["right"]) == (WORDING, False)
    assert changed["before"]["answer_id"] == right["id"]


def test_a_draft_that_changes_no_checked_question_says_so(enter: Enter) -> None:
    client = enter("editor")
    right = entry_of(client, "cổng ký túc xá")
    changed = fields(right, version=right["version"], checks=[right["question"]])
    assert client.put(f"/api/faq/entries/{right['id']}", json=changed).status_code == 200

    now = entry_of(client, "cổng ký túc xá")
    draft = fields(now, answer="Cổng đóng lúc 22 giờ.", entry_id=now["id"], version=now["version"])
    tried = client.post("/api/faq/try", json=draft).json()["checked"]

    assert tried == {"count": 1, "changed": []}


def test_a_question_is_checked_once_with_its_latest_entry(publisher: Publisher) -> None:
    files = publisher.files
    (files.knowledge / "checked.yml").write_text("# Đã kiểm\n", encoding="utf-8")
    for entry in ("dormitory-001", "dormitory-002"):
        edit = files.with_checked(checked("Cổng mở lúc nào?", f"Câu của {entry}", entry=entry))
        assert edit is not None
        write_contents(files.knowledge, contents_of([edit]))

    assert {each.question: each.entry for each in files.checked()} == {
        "Cổng mở lúc nào?": "dormitory-002",
        "Câu của dormitory-001": "dormitory-001",
        "Câu của dormitory-002": "dormitory-002",
    }
    assert files.with_checked(checked("cổng mở lúc nào?", entry="dormitory-002")) is not None
    assert files.with_checked(checked("Cổng mở lúc nào?", entry="dormitory-002")) is None
    assert (files.knowledge / "checked.yml").read_text(encoding="utf-8").startswith("# Đã kiểm\n")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("- question: Cổng mở lúc nào?\n  entry: nobody\n", "nobody"),
        ("- entry: nobody\n", "question"),
        ("question: x\n", ""),
        ("- question: [\n", ""),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(publisher: Publisher, content: str, says: str) -> None:
    (publisher.files.knowledge / "checked.yml").write_text(content, encoding="utf-8")

    with pytest.raises(KnowledgeError, match=rf"checked\.yml:\d+: .*{says}"):
        load_knowledge(publisher.files.knowledge)
    if "nobody" not in content or says != "nobody":
        with pytest.raises(KnowledgeFileError, match="checked"):
            publisher.files.checked()


def test_personal_data_is_not_checked(enter: Enter) -> None:
    client = enter("editor")
    right = entry_of(client, "cổng ký túc xá")
    body = fields(right, version=right["version"], checks=["em là B2012345, cổng đóng lúc nào"])

    assert client.put(f"/api/faq/entries/{right['id']}", json=body).status_code == 422


@pytest.mark.slow
def test_a_console_that_is_killed_while_it_publishes_leaves_the_old_or_the_new_state(
    publisher: Publisher, tmp_path: Path
) -> None:
    """It is killed before each step that puts a file in its place, one after the other."""
    program = Path(__file__).parents[1] / "stand_ins" / "publishing_process.py"
    outcomes = set()
    for step in range(1, MOST_STEPS):
        school = Path(shutil.copytree(publisher.files.knowledge, tmp_path / f"school-{step}"))
        index = Path(shutil.copytree(tmp_path / "index", tmp_path / f"state-{step}" / "index"))
        ran = subprocess.run([sys.executable, program, "entry", school, index, str(step)], check=False)
        if ran.returncode == 0:
            break
        assert ran.returncode == -signal.SIGKILL
        # The next start finishes what was begun.
        Publisher(school, index, EmbedderStandIn())

        known = {entry.question for entry in load_knowledge(school).faq}
        embedder = EmbedderStandIn()
        served = Engine.over(open_index(index, embedder), index, "covan", embedder)
        given = served.reply(Question(QUESTION)).answer_id is not None
        outcomes.add((QUESTION in known, given))
        # Whatever was reached, the next publication brings index and files together.
        publish(school, index, QUESTION if QUESTION not in known else "Trường có hồ bơi không?")
        after = Engine.over(open_index(index, embedder), index, "covan", embedder)
        assert after.reply(Question(QUESTION)).answer_id is not None
    else:
        pytest.fail("it never came to its end")

    # The start brings the index what the files have: never one of them alone.
    assert outcomes == {(False, False), (True, True)}
