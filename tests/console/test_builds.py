"""The whole build: begun anew with each change, and waited for since the first one."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter
from embedder_stand_in import EmbedderStandIn

from console.document_files import DocumentEdit
from console.faq_files import FaqFiles
from console.knowledge_files import ConflictError, Edit
from console.publishing import Publisher
from rag.errors import KnowledgeError
from rag.ingest.early_version import publish_early
from rag.ingest.load import Knowledge

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
AUTHOR = ("Cô Mai", "mai")
ENTRY = {"variants": [], "answer": "Có.", "topic": "study", "applies_to": {}, "sources": []}
WAIT = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.02)"


@pytest.fixture
def done(tmp_path: Path) -> Path:
    """A file that ends every build once it is there."""
    return tmp_path / "done"


@pytest.fixture
def publisher(tmp_path: Path, built: Path, done: Path) -> Iterator[Publisher]:
    folder = Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
    index = Path(shutil.copytree(built, tmp_path / "index"))
    command = [sys.executable, "-c", WAIT, str(done)]
    made = Publisher(folder, index, EmbedderStandIn(), rebuild=lambda *_: command)
    yield made
    made.close()


def publish(publisher: Publisher, question: str) -> None:
    publisher.publish(lambda files: files.added({**ENTRY, "question": question}), AUTHOR, "add")


def publish_document(publisher: Publisher) -> None:
    content = "Phòng thiết bị mở cửa lúc 7 giờ.\n".encode()
    edit = DocumentEdit("gio-mo-cua", "Giờ mở cửa", {"documents/gio-mo-cua.md": content})
    publisher.publish_document(lambda _: edit, AUTHOR, "document")


def wait_until_built(publisher: Publisher) -> None:
    while publisher.whole_build.is_running:
        time.sleep(0.02)


@pytest.mark.usefixtures("school")
def test_a_further_change_does_not_restart_the_wait(publisher: Publisher, enter: Enter, done: Path) -> None:
    assert publisher.whole_build.waited_s == 0.0
    publish_document(publisher)
    begun = time.monotonic()
    publish(publisher, "Có hồ bơi không?")

    waited = time.monotonic() - begun
    assert publisher.whole_build.waited_s >= waited
    client = enter("editor")
    for path in ("documents", "topics", "catalogue"):
        told = client.get(f"/api/{path}").json()
        assert (told["building"], told["build_failed"]) == (True, False)
        assert told["building_s"] >= waited

    done.touch()
    wait_until_built(publisher)
    assert publisher.whole_build.waited_s == 0.0
    done.unlink()
    ended = time.monotonic()
    publish(publisher, "Có nhà thi đấu không?")
    waited_anew = publisher.whole_build.waited_s
    assert waited_anew <= time.monotonic() - ended


@pytest.mark.usefixtures("school")
def test_the_wait_for_a_document_is_not_that_for_an_entry_before_it(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    publish(publisher, "Có hồ bơi không?")
    now[0] += 40
    assert publisher.whole_build.waited_s == 0.0, "an entry answers at once"

    publish_document(publisher)
    now[0] += 3
    publish(publisher, "Có nhà thi đấu không?")

    assert publisher.whole_build.waited_s == 3.0


@pytest.mark.usefixtures("school")
def test_a_training_says_that_it_waits_for_what_was_published(
    publisher: Publisher, enter: Enter, done: Path
) -> None:
    client = enter("editor")

    def waits() -> tuple[str, bool]:
        told = client.get("/api/models").json()["training"]
        return told["step"], told["waits_for_changes"]

    assert client.post("/api/models/training").status_code == 202
    while not publisher.whole_build.is_running:
        time.sleep(0.02)
    assert waits() == ("index", False)
    publish(publisher, "Có hồ bơi không?")
    assert waits() == ("index", True)
    done.touch()
    while waits()[0] == "index":
        time.sleep(0.02)
    assert not waits()[1]


@pytest.mark.usefixtures("school")
def test_a_document_is_live_with_the_first_version_of_its_build(publisher: Publisher, enter: Enter) -> None:
    publish(publisher, "Có sân bóng không?")
    assert publisher.whole_build.is_running
    assert not publisher.whole_build.is_bringing, "an entry answers at once"
    publish_document(publisher)
    assert publisher.whole_build.is_bringing
    publish(publisher, "Có hồ bơi không?")
    assert publisher.whole_build.is_bringing

    assert publish_early(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn()) is not None

    assert publisher.whole_build.is_running
    assert not publisher.whole_build.is_bringing
    told = enter("editor").get("/api/documents").json()
    assert (told["building"], told["waiting"]) == (False, [])
    assert "gio-mo-cua" in [each["id"] for each in told["documents"]]


ON_END_OF_INPUT = """
import pathlib, sys
source, started, begun = map(pathlib.Path, sys.argv[1:])
started.touch()
sys.stdin.read()
begun.write_text((source / "topics.yml").read_text(encoding="utf-8"), encoding="utf-8")
"""


def rename_first_topic(publisher: Publisher, name: str) -> None:
    topic = publisher.dictionaries.topics()[0]
    publisher.publish_dictionary(
        lambda: publisher.dictionaries.topic_changed(topic.id, topic.version, {"name": name}),
        AUTHOR,
        "topic",
        name,
    )


@pytest.fixture
def waiting(tmp_path: Path, built: Path) -> Iterator[Publisher]:
    """A publisher whose builds tell that they were started, and what is in topics.yml when they begin."""
    folder = Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
    index = Path(shutil.copytree(built, tmp_path / "index"))
    command = [sys.executable, "-c", ON_END_OF_INPUT, folder, tmp_path / "started", tmp_path / "begun"]
    made = Publisher(folder, index, EmbedderStandIn(), rebuild=lambda *_: list(map(str, command)))
    yield made
    made.close()


def checked_once_started(publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the check of the folder wait for the process of the build that is to follow."""
    check = publisher.folder.whole_without

    def late_check(*asked: Any, **named: Any) -> Knowledge:
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        return check(*asked, **named)

    monkeypatch.setattr(publisher.folder, "whole_without", late_check)


def test_the_process_of_a_build_starts_with_the_check_and_begins_with_the_change(
    waiting: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked_once_started(waiting, tmp_path, monkeypatch)

    rename_first_topic(waiting, "Học vụ mới")

    wait_until_built(waiting)
    assert "Học vụ mới" in (tmp_path / "begun").read_text(encoding="utf-8")
    assert not waiting.whole_build.failed


def test_a_build_whose_change_is_refused_never_begins(
    waiting: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked_once_started(waiting, tmp_path, monkeypatch)
    faulty = waiting.files.knowledge / "documents" / "ho-boi.md"
    faulty.write_text("---\ntopic: none\n---\nHồ bơi.\n", encoding="utf-8")

    with pytest.raises(KnowledgeError):
        rename_first_topic(waiting, "Học vụ mới")

    assert not waiting.whole_build.is_running
    waiting.close()
    assert (tmp_path / "started").exists()
    assert not (tmp_path / "begun").exists()


@pytest.mark.usefixtures("school")
def test_a_change_that_is_refused_leaves_the_build_to_go_on(publisher: Publisher, done: Path) -> None:
    publish(publisher, "Có sân bóng không?")
    entry = publisher.files.entries()[0]

    def meanwhile(files: FaqFiles) -> tuple[list[Edit], list[str]]:
        edit = files.changed(entry.id, entry.version, {"answer": "Khác."})
        with (files.knowledge / entry.file).open("a", encoding="utf-8") as file:
            file.write("# by hand\n")
        return [edit], [entry.id]

    with pytest.raises(ConflictError):
        publisher.publish(meanwhile, AUTHOR, "change")

    assert publisher.whole_build.is_running
    done.touch()
    wait_until_built(publisher)
    assert not publisher.whole_build.failed
