"""The first steps of a school, from the folder that `covan new` makes to one that answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from console_driver import PASSWORD, Enter
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.api.dependencies import CSRF_HEADER, Console
from console.app import create_app
from console.first_run import Model, Surroundings
from console.publishing import Publisher
from covan.commands.new import make
from covan.project import NEW_SCHOOL
from rag.errors import Problem
from rag.ingest.build import build_index, is_current
from rag.ingest.load import load_knowledge
from rag.messages import Message

SAMPLE = Path(__file__).parents[2] / "knowledge"

Opened = Callable[..., TestClient]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The knowledge folder of a new school."""
    made = tmp_path / "new"
    make(made, "vi", "")
    return made


@pytest.fixture
def opened(console: Console, tmp_path: Path) -> Opened:
    """The console over a folder, as an administrator; with what is given of its surroundings."""

    def over(folder: Path, *, built: bool = True, **around: Any) -> TestClient:
        embedder, index = EmbedderStandIn(), tmp_path / "first" / "index"
        if built:
            build_index(folder, index, embedder)
        surroundings = Surroundings(
            [NEW_SCHOOL / "vi", NEW_SCHOOL / "en"], lambda: is_current(index, folder, embedder), **around
        )
        changed = replace(console, publisher=Publisher(folder, index, embedder), around=surroundings)
        console.accounts.create("an", "An", ["administrator"], PASSWORD)
        client = TestClient(create_app(changed, tmp_path))
        signed = client.post("/api/session", json={"login": "an", "password": PASSWORD})
        client.headers[CSRF_HEADER] = signed.json()["csrf"]
        return client

    return over


def steps(client: TestClient) -> dict[str, dict[str, Any]]:
    answer = client.get("/api/first-run")
    assert answer.status_code == 200, answer.text
    return {each["id"]: each for each in answer.json()["steps"]}


def states(client: TestClient) -> dict[str, str]:
    return {name: step["state"] for name, step in steps(client).items()}


def change(client: TestClient, section: str, part: str, **fields: Any) -> Any:
    sections = client.get("/api/catalogue").json()["sections"]
    parts = next(each["parts"] for each in sections if each["id"] == section)
    version = next(each["version"] for each in parts if each["id"] == part)
    done = client.put(f"/api/catalogue/{section}/{part}", json={"version": version, **fields})
    assert done.status_code == 200, done.text
    return done.json()


def test_a_new_school_becomes_one_that_answers(folder: Path, opened: Opened, tmp_path: Path) -> None:
    client = opened(folder)
    begun = steps(client)
    assert {name: step["state"] for name, step in begun.items()} == {
        "school": "missing",
        "counselling": "missing",
        "offices": "missing",
        "catalogue": "missing",
        "topics": "missing",
        "documents": "missing",
        "questions": "missing",
        "live": "done",
        "versions": "done",
        "try": "missing",
        "website": "missing",
    }
    assert begun["documents"]["note"] == begun["questions"]["note"] == "examples"
    assert begun["counselling"]["target"] == "counselling~0"
    assert not client.get("/api/first-run").json()["complete"]

    named = change(client, "school", "school", name="Trường Đại học Bến Tre")
    assert named["warnings"] == []  # the contact that is not filled in is a part of its own
    change(client, "counselling", "0", name="Phòng Tham vấn", phone="0275 111", hours="7:30-17:00")
    office = {"id": "phong-dao-tao", "name": "Phòng Đào tạo", "phone": "0275 222"}
    topic = {"id": "tuition", "name": "Học phí", "office": "phong-dao-tao"}
    cohort = {"id": "50", "name": "Khóa 50"}
    for path, body in (("catalogue/office", office), ("catalogue/cohort", cohort), ("topics", topic)):
        assert client.post(f"/api/{path}", json=body).status_code == 201
    uploaded = client.post("/api/documents/drafts?name=hoc-phi.txt", content="Điều 1. Học phí\n\nHai triệu.")
    assert (steps(client)["documents"]["state"], steps(client)["documents"]["counts"]["drafts"]) == (
        "missing",
        1,
    )
    published = client.post(
        f"/api/documents/drafts/{uploaded.json()['draft']}/publication", json={"title": "Học phí"}
    )
    assert published.status_code == 200, published.text
    entry = {"question": "Học phí bao nhiêu?", "answer": "Hai triệu đồng.", "topic": "tuition"}
    added = client.post("/api/faq/entries", json=entry)
    assert added.status_code == 201, added.text

    edited = steps(client)
    assert edited.pop("live")["note"] == "old_index"
    assert edited.pop("website")["note"] == "local"
    # There is a question to try, and nobody has asked one yet.
    assert {name: step["note"] for name, step in edited.items() if step["state"] != "done"} == {"try": ""}
    assert edited["questions"]["counts"] == {"n": 1, "examples": 1}
    build_index(folder, tmp_path / "first" / "index", EmbedderStandIn())
    found = client.get("/api/first-run").json()
    assert (found["complete"], found["example"]) == (True, "Học phí bao nhiêu?")
    assert states(client)["live"] == "done"
    assert client.post("/api/try", json={"question": "Học phí bao nhiêu?"}).status_code == 200
    assert states(client)["try"] == "done"


def test_the_sample_school_lacks_nothing_in_its_folder(opened: Opened) -> None:
    client = opened(SAMPLE, built=False)

    # Without an index, which takes minutes to build; its versions would be those of Covan itself.
    missing = {name for name, state in states(client).items() if state != "done"}
    assert missing == {"live", "versions", "try", "website"}


def test_the_small_school_has_all(enter: Enter, console: Console) -> None:
    found = enter("administrator").get("/api/first-run").json()

    assert found["complete"]
    assert {step["id"] for step in found["steps"] if step["state"] != "done"} == {
        "versions",
        "try",
        "website",
    }
    assert found["example"] in {
        entry.question for entry in load_knowledge(console.publisher.files.knowledge).faq
    }


def test_what_stops_a_build_is_told_with_its_place(folder: Path, opened: Opened) -> None:
    client = opened(folder)
    entry = "\n- id: other\n  question: Hỏi gì?\n  answer: Đáp.\n  topic: nowhere\n"
    with (folder / "faq" / "library.yml").open("a", encoding="utf-8") as file:
        file.write(entry)

    live = steps(client)["live"]

    assert (live["state"], live["note"], live["counts"]) == ("faulty", "faulty", {"n": 1})
    assert "faq/library.yml" in live["faults"][0]
    assert "nowhere" in live["faults"][0]


def test_a_file_that_cannot_be_read_is_a_fault_of_its_step(folder: Path, opened: Opened) -> None:
    client = opened(folder)
    for name in ("catalog.yml", "topics.yml", "faq/library.yml"):
        (folder / name).write_text("a: [", encoding="utf-8")

    found = steps(client)

    for name in ("school", "counselling", "offices", "topics", "questions", "live"):
        assert found[name]["state"] == "faulty", name
        assert found[name]["faults"], name
    assert "Tệp catalog.yml" in found["school"]["faults"][0]
    assert "dòng 2" in found["school"]["faults"][0]


def test_a_folder_without_an_index_or_anything(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "empty").mkdir()

    found = states(opened(tmp_path / "empty", built=False))

    assert found.pop("live") == "faulty"
    assert set(found.values()) == {"missing"}


def test_a_faulty_document_and_a_faulty_draft_are_counted(folder: Path, opened: Opened) -> None:
    client = opened(folder)
    (folder / "documents" / "hong.pdf").write_bytes(b"not a PDF")
    client.post("/api/documents/drafts?name=hong.docx", content=b"not Word either")

    found = steps(client)["documents"]

    assert (found["state"], found["counts"]["faulty_drafts"]) == ("faulty", 1)
    assert "documents/hong.pdf" in found["faults"][0]


def test_a_contact_that_is_not_filled_in_is_seen_beside_another(folder: Path, opened: Opened) -> None:
    client = opened(folder)
    client.post("/api/catalogue/counselling", json={"name": "Đường dây 111", "phone": "111"})
    client.post("/api/catalogue/office", json={"id": "ktx", "name": "Ký túc xá"})

    found = steps(client)

    assert (found["counselling"]["state"], found["counselling"]["note"]) == ("faulty", "unfilled")
    assert (found["offices"]["note"], found["offices"]["target"]) == ("without", "office~ktx")


@pytest.mark.parametrize(
    ("model", "state", "note"),
    [
        (Model(exists=False, is_current=False), "missing", "no_model"),
        (Model(is_current=False), "old", "old_model"),
        (
            Model(untrained=[Problem("topics.yml", Message("topic_not_trained", topic="a"), 2)]),
            "old",
            "old_model",
        ),
    ],
)
def test_the_model_belongs_to_what_is_live(
    folder: Path, opened: Opened, model: Model, state: str, note: str
) -> None:
    live = steps(opened(folder, model=lambda: model))["live"]

    assert (live["state"], live["note"], len(live["faults"])) == (state, note, len(model.untrained))


def test_the_script_tag_has_the_address_and_nothing_else(folder: Path, opened: Opened) -> None:
    client = opened(
        folder,
        address=lambda: 'https://tuvan.truong.example/"><b>',
        is_public=True,
        websites=["https://www.truong.example"],
    )

    assert steps(client)["website"]["state"] == "done"
    assert client.get("/api/first-run").json()["embed_code"] == (
        '<script src="https://tuvan.truong.example/&quot;&gt;&lt;b&gt;/widget.js" async></script>'
    )


@pytest.mark.parametrize(
    ("around", "note"),
    [
        ({"is_public": True}, "no_origins"),
        ({"is_public": True, "websites": ["*"], "wrong_websites": ["*"]}, "wrong"),
    ],
)
def test_a_website_that_may_not_hold_the_chat(
    folder: Path, opened: Opened, around: dict[str, Any], note: str
) -> None:
    assert steps(opened(folder, **around))["website"]["note"] == note
