"""A publication that a crash interrupts is done to its end at the next start: settled, told and in the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from console_driver import Enter, FrontDoor, Students, databases
from embedder_stand_in import EmbedderStandIn

from console.advisors_api import AdvisorsError
from console.api.dependencies import Console
from console.api.resumption import resume
from console.publishing import Publisher
from console.replaced_file import write_contents
from console.unfinished_change import Change, UnfinishedChange
from console.unfinished_publications import Publication

QUESTION = "Trường có phòng gym không?"
FIELDS = {"question": QUESTION, "answer": "Có, ở khu B.\n", "topic": "study"}


def interrupted(console: Console, traces: Sequence[int], *, written: bool = True) -> None:
    """Leave what a console leaves that is killed when the entry is written, or before."""
    note = Publication("", FIELDS["question"], FIELDS["answer"], traces, traces)
    console.unfinished_publications.note("editor", note)
    if written:
        console.publisher.publish(lambda files: files.added(FIELDS), ("Cô editor", "editor"), "add")


@databases
def test_what_follows_an_entry_is_done_at_the_next_start(
    enter: Enter, console: Console, students: Students, front_door: FrontDoor
) -> None:
    editor = enter("editor")
    trace = students.asks(QUESTION)
    interrupted(console, [trace])
    assert len(editor.get("/api/gaps").json()["groups"]) == 1

    resume(console, console.unfinished_publications.left(), 0.0)

    assert editor.get("/api/gaps").json()["groups"] == []
    [(channel, sender, text)] = front_door.told
    assert (channel, sender) == ("web", "an")
    assert "Có, ở khu B." in text
    noted = next(each for each in console.audit.page() if each["action"] == "publish")
    assert (noted["login"], noted["detail"]["told"], noted["detail"]["settled"]) == ("editor", 1, 1)
    # Once: the next start has nothing to do.
    assert console.unfinished_publications.left() == []


def test_an_entry_that_was_never_written_is_forgotten(
    enter: Enter, console: Console, students: Students, front_door: FrontDoor
) -> None:
    editor = enter("editor")
    interrupted(console, [students.asks(QUESTION)], written=False)

    resume(console, console.unfinished_publications.left(), 0.0)

    assert len(editor.get("/api/gaps").json()["groups"]) == 1
    assert front_door.told == []
    assert console.unfinished_publications.left() == []


def test_the_front_door_is_waited_for(
    enter: Enter,
    console: Console,
    students: Students,
    front_door: FrontDoor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enter("editor")
    interrupted(console, [students.asks(QUESTION)])
    answer, tries = front_door.answer_later, []

    def later(*told: str, **more: str) -> None:
        tries.append(told)
        if len(tries) < 3:
            raise AdvisorsError("no front door yet")
        answer(*told, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(front_door, "answer_later", later)

    resume(console, console.unfinished_publications.left(), 0.0)

    assert (len(tries), len(front_door.told)) == (3, 1)


def test_what_is_under_way_is_noted_and_what_is_refused_is_not(enter: Enter, console: Console) -> None:
    editor, left = enter("editor"), console.unfinished_publications.left
    publish, seen = console.publisher.publish, list[int]()

    def looking(*given: object, **more: object) -> object:
        seen.append(len(left()))
        return publish(*given, **more)  # type: ignore[arg-type]

    console.publisher.publish = looking  # type: ignore[assignment, method-assign]

    assert editor.post("/api/faq/entries", json={**FIELDS, "topic": "nothing"}).status_code == 422
    assert editor.post("/api/faq/entries", json=FIELDS).status_code == 201

    assert seen == [1, 1]
    assert left() == []


def test_the_audit_log_has_what_a_start_finished(
    enter: Enter, console: Console, publisher: Publisher, school: Path
) -> None:
    enter("editor")
    index = publisher.live.folder
    content = (school / "topics.yml").read_bytes() + b"\n"
    upload = publisher.documents.upload(
        "noi-quy-moi.txt", "Điều 1. Cổng đóng lúc 23 giờ.\n".encode(), "editor"
    )
    new = {"topics.yml": content, f"documents/{upload.path.name}": upload.path.read_bytes()}
    changes = UnfinishedChange(school, index.parent / "unfinished.json")
    changes.write(Change(new, ("Cô editor", "editor"), "document_added", "Nội quy mới"))
    write_contents(school, {"topics.yml": content[:-1]})
    started = Publisher(school, index, EmbedderStandIn())

    resume(replace(console, publisher=started), (), 0.0)

    [noted] = [each for each in console.audit.page() if each["action"] == "finished"]
    assert (noted["login"], noted["target"]) == ("editor", "Nội quy mới")
    assert noted["detail"]["commit"]
    assert started.documents.drafts() == []
