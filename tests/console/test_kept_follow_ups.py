"""Follow-ups that an advisor keeps with a correction: published, put in another's place, and undone with it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter, Students, git
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.faq_files import FOLLOW_UPS_FILE, is_of_faq
from console.publishing import Publisher
from rag.ingest.early_version import publish_early
from rag.ingest.load import load_knowledge
from rag.types import FollowUp

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
CARD = "study-card"
OWN = "ở đâu vậy ạ"
NEW = {"question": "Làm lại thẻ ở phòng nào?", "answer": "Ở phòng 12.", "topic": "study"}


def add(client: TestClient, said: str = OWN, after: str = CARD, **fields: Any) -> dict[str, Any]:
    body = {**NEW, "follow_up": {"after": after, "said": said}, **fields}
    done = client.post("/api/faq/entries", json=body)
    assert done.status_code == 201, done.text
    return dict(done.json())


def change(client: TestClient, entry_id: str, **fields: Any) -> Any:
    """Publish an entry as it is, with some other fields."""
    entry = client.get(f"/api/faq/entries/{entry_id}").json()
    names = ("question", "variants", "answer", "topic", "sources", "applies_to", "version")
    kept = {name: entry[name] for name in names}
    return client.put(f"/api/faq/entries/{entry_id}", json={**kept, **fields})


def kept(school: Path) -> tuple[FollowUp, ...]:
    """Return the follow-ups of the folder that the small school does not have."""
    own = load_knowledge(SMALL_SCHOOL).follow_ups
    return tuple(each for each in load_knowledge(school).follow_ups if each not in own)


def files_of(school: Path) -> dict[str, bytes]:
    paths = (path for path in school.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(school).as_posix(): path.read_bytes() for path in paths}


def write(school: Path, text: str, name: str = FOLLOW_UPS_FILE) -> None:
    path = school / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    git(school, "add", "-A")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "Câu hỏi nối tiếp")


def test_a_turn_follows_the_last_entry_that_answered_before_it(enter: Enter, students: Students) -> None:
    def answer(entry_id: str, sender: str = "an", decision: str = "answer") -> int:
        return students.asks("Câu hỏi", sender, decision=decision, answer_id=entry_id)

    first = students.asks(OWN)
    turns = [first, answer(CARD), answer("study-transcript"), students.asks(OWN)]
    # Neither an entry that is gone, nor one that was not told, nor that of another student.
    turns += [answer("gone-001"), answer(CARD, decision="passed_on"), answer("tuition-deadline", "binh")]
    last = students.asks(OWN)

    told = enter("advisor").get(f"/api/conversations/{last}").json()["turns"].values()

    follows = {each["id"]: each["follows"] for each in told}
    card, transcript = (
        {"id": CARD, "question": "Mất thẻ sinh viên thì làm lại ở đâu?"},
        {"id": "study-transcript", "question": "Xin bảng điểm ở đâu?"},
    )
    expected = [None, None, card, transcript, transcript, transcript]
    assert follows == dict(zip([*turns[:-1], last], [*expected, transcript], strict=True))


def test_a_conversation_is_read_while_a_file_of_the_faq_is_faulty(
    enter: Enter, students: Students, publisher: Publisher
) -> None:
    students.asks("Câu hỏi", decision="answer", answer_id=CARD)
    last = students.asks(OWN)
    (publisher.files.knowledge / "faq/faq.yml").write_text("- [\n", encoding="utf-8")

    told = enter("advisor").get(f"/api/conversations/{last}")

    assert told.status_code == 200, told.text
    assert {each["follows"] for each in told.json()["turns"].values()} == {None}


def test_new_and_changed_entries_are_published_with_the_words_that_they_answer(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    client = enter("editor")
    made = add(client)
    changed = change(client, "study-transcript", follow_up={"after": "tuition-deadline", "said": 'nộp "trễ"'})
    assert changed.status_code == 200, changed.text

    assert kept(school) == (
        FollowUp(CARD, OWN, (made["id"],)),
        FollowUp("tuition-deadline", 'nộp "trễ"', ("study-transcript",)),
    )
    for commit in (made["commit"], changed.json()["commit"]):
        files = git(school, "show", "--format=", "--name-only", commit).split()
        assert set(files) == {"faq/faq.yml", FOLLOW_UPS_FILE}
    # The build that follows needs no early version: the FAQ answers already.
    assert publish_early(school, publisher.live.folder, EmbedderStandIn()) is None
    [told] = [
        each
        for each in client.get(f"/api/versions/{made['commit']}").json()["changes"]
        if each["file"] == FOLLOW_UPS_FILE
    ]
    assert (told["kind"], told["name"]) == ("added", OWN)
    assert {each["field"]: each["after"] for each in told["fields"]} == {
        "after": "Mất thẻ sinh viên thì làm lại ở đâu?",
        "said": OWN,
        "entries": NEW["question"],
    }


def test_the_same_words_after_the_same_answer_get_the_new_entry(enter: Enter, school: Path) -> None:
    head = "# Của cô Mai\n- {after: study-transcript, said: Ở đâu vậy ạ, entries: study-transcript}  # giữ\n"
    several = (
        f"- after: {CARD}\n  said:\n    - bao lâu có\n    - Ở ĐÂU VẬY Ạ\n  entries: [study-transcript]\n\n"
    )
    write(school, f"{head}{several}- {{after: {CARD}, said: mất phí ko}}\n")
    beside = f"- {{after: {CARD}, said: {OWN}, entries: study-transcript}}\n"
    write(school, beside, "follow_ups/study.yml")
    client = enter("editor")

    made = add(client)

    assert (school / FOLLOW_UPS_FILE).read_text(encoding="utf-8") == (
        f"{head}"
        f'- after: {CARD}\n  said: ["bao lâu có"]\n  entries: [study-transcript]\n'
        f'- after: {CARD}\n  said: ["{OWN}"]\n  entries: [{made["id"]}]\n'
        "\n"
        f"- {{after: {CARD}, said: mất phí ko}}\n"
    )
    assert (school / "follow_ups/study.yml").read_text(encoding="utf-8") == beside

    again = change(client, "study-transcript", follow_up={"after": CARD, "said": OWN})

    assert again.status_code == 200, again.text
    own = [each for each in kept(school) if (each.after, each.said) == (CARD, OWN)]
    assert own == [FollowUp(CARD, OWN, ("study-transcript",))]
    # The same once more is no change of the file.
    before = (school / FOLLOW_UPS_FILE).read_bytes()
    assert change(client, "study-transcript", follow_up={"after": CARD, "said": OWN.upper()}).is_success
    assert (school / FOLLOW_UPS_FILE).read_bytes() == before


@pytest.mark.parametrize(
    ("follow_up", "error", "says"),
    [
        ({"after": CARD, "said": "em là B2012345, ở đâu"}, "personal_data", "phone numbers"),
        ({"after": "study-crad", "said": OWN}, "faulty", f"study-crad.*{CARD}"),
        ({"after": CARD, "said": "a" * 401}, "invalid", ""),
        ({"after": CARD, "said": "  "}, "invalid", ""),
    ],
)
def test_words_that_must_not_be_kept_are_refused_with_nothing_changed(
    enter: Enter, school: Path, follow_up: dict[str, str], error: str, says: str
) -> None:
    client = enter("editor")
    before, head = files_of(school), git(school, "rev-parse", "HEAD")
    sent = [
        client.post("/api/faq/entries", json={**NEW, "follow_up": follow_up}),
        change(client, "study-transcript", variants=["bảng điểm lấy đâu"], follow_up=follow_up),
    ]

    for refused in sent:
        assert refused.status_code == 422, refused.text
        if error != "invalid":
            assert refused.json()["error"] == error
            assert re.search(says, refused.json()["message"])
    assert files_of(school) == before
    assert git(school, "rev-parse", "HEAD") == head


def test_a_faulty_file_is_told_with_its_line_and_nothing_is_published(enter: Enter, school: Path) -> None:
    write(school, f"- after: {CARD}\n  said: []\n")
    before = files_of(school)

    refused = enter("editor").post(
        "/api/faq/entries", json={**NEW, "follow_up": {"after": CARD, "said": OWN}}
    )

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    [problem] = refused.json()["detail"]["problems"]
    assert (problem["file"], problem["line"]) == (FOLLOW_UPS_FILE, 2)
    assert files_of(school) == before


def test_undoing_the_version_takes_the_follow_up_away(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    client = enter("editor")
    before = files_of(school)
    made = add(client)

    done = client.post(f"/api/versions/{made['commit']}/undo")

    assert done.status_code == 200, done.text
    assert files_of(school) == before
    assert git(school, "status", "--porcelain") == ""
    assert made["id"] not in {entry.id for entry in publisher.live.index().faq}
    again = client.post(f"/api/versions/{done.json()['commit']}/undo")
    assert again.status_code == 200, again.text
    assert kept(school) == (FollowUp(CARD, OWN, (made["id"],)),)


def test_undoing_the_version_keeps_earlier_and_later_follow_ups(enter: Enter, school: Path) -> None:
    client = enter("editor")
    write(school, f"# Của cô Mai\n- {{after: {CARD}, said: bao lâu có}}\n")
    made = add(client)
    later = change(client, "study-transcript", follow_up={"after": CARD, "said": "mất phí ko"})
    assert later.status_code == 200, later.text

    done = client.post(f"/api/versions/{made['commit']}/undo")

    assert done.status_code == 200, done.text
    assert kept(school) == (
        FollowUp(CARD, "bao lâu có"),
        FollowUp(CARD, "mất phí ko", ("study-transcript",)),
    )


def test_a_restored_version_has_the_follow_ups_of_then_unless_they_are_faulty(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    first = git(school, "rev-parse", "HEAD")
    write(school, "- said: x\n")
    faulty = git(school, "rev-parse", "HEAD")
    write(school, "")
    made = add(client)
    now = files_of(school)

    refused = client.post(f"/api/versions/{faulty}/restore")
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert files_of(school) == now

    assert client.post(f"/api/versions/{first}/restore").status_code == 200
    assert not (school / FOLLOW_UPS_FILE).exists()
    assert client.post(f"/api/versions/{made['commit']}/restore").status_code == 200
    assert kept(school) == (FollowUp(CARD, OWN, (made["id"],)),)


def test_the_file_of_the_console_alone_changes_with_the_faq() -> None:
    assert is_of_faq(FOLLOW_UPS_FILE)
    assert not is_of_faq("follow_ups/study.yml")


def test_a_follow_up_stays_when_its_entry_is_removed(enter: Enter, school: Path) -> None:
    client = enter("editor")
    made = add(client)
    entry = client.get(f"/api/faq/entries/{made['id']}").json()

    gone = client.post(f"/api/faq/entries/{made['id']}/removal", json={"version": entry["version"]})

    assert gone.status_code == 200, gone.text
    knowledge = load_knowledge(school)
    assert kept(school) == ()
    assert [each.file for each in knowledge.warnings if made["id"] in str(each)] == [FOLLOW_UPS_FILE]


def reviewed(client: TestClient, draft: dict[str, Any]) -> dict[str, Any]:
    """Keep a draft and mark it as reviewed; return it as the publication of several names it."""
    made = client.post("/api/drafts", json=draft)
    assert made.status_code == 201, made.text
    told = made.json()
    assert client.get(f"/api/drafts/{told['id']}").json()["draft"]["follow_up"] == draft["follow_up"]
    told = client.post(f"/api/drafts/{told['id']}/review", json={"version": told["version"]}).json()
    return {"id": told["id"], "version": told["version"]}


def test_a_kept_draft_has_it_and_is_published_with_it(enter: Enter, school: Path) -> None:
    client, follow_up = enter("editor"), {"after": CARD, "said": OWN}
    draft = {"kind": "entry", "fields": NEW, "follow_up": follow_up}
    personal = {**draft, "follow_up": {**follow_up, "said": "em là B2012345, ở đâu"}}
    assert client.post("/api/drafts", json=personal).json()["error"] == "personal_data"
    chosen = [reviewed(client, draft)]

    done = client.post("/api/drafts/publication", json={"drafts": chosen})

    assert done.status_code == 200, done.text
    assert done.json()["is_live"]
    [words] = kept(school)
    assert (words.after, words.said) == (CARD, OWN)
    files = git(school, "show", "--format=", "--name-only", done.json()["commit"]).split()
    assert set(files) == {"faq/faq.yml", FOLLOW_UPS_FILE}


def test_a_kept_draft_after_an_entry_that_is_gone_is_refused(enter: Enter, school: Path) -> None:
    client = enter("editor")
    draft = {"kind": "entry", "fields": NEW, "follow_up": {"after": "study-crad", "said": OWN}}
    chosen, before = [reviewed(client, draft)], files_of(school)

    refused = client.post("/api/drafts/publication", json={"drafts": chosen})

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert "study-crad" in refused.json()["message"]
    assert files_of(school) == before
