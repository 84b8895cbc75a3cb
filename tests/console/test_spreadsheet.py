"""Questions from a spreadsheet: read as offices write them, looked at, and published together."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter, git
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from openpyxl import Workbook

from console.publishing import Publisher
from console.spreadsheet import MOST_ROWS, SpreadsheetError, rows_of
from rag.engine import Engine
from rag.ingest.early_version import publish_early
from rag.ingest.load import load_knowledge
from rag.types import Question

HEADER = ["STT", "Câu hỏi", "Câu trả lời", "Chủ đề", "Cách hỏi khác"]
ROWS = [
    [1, "Trường có nuôi mèo không?", "Không,\ntrường không nuôi mèo.", "ký túc", "có mèo không; trường nuôi mèo à"],
    [2, "Máy lọc nước đặt ở đâu?", "Ở sảnh **nhà A**.", "", None],
]  # fmt: skip


def xlsx(*rows: Sequence[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def csv(separator: str, encoding: str = "utf-8-sig") -> bytes:
    cells = [["Câu hỏi", "Trả lời"], ["Máy lọc nước đặt ở đâu?", '"Ở sảnh, nhà A;\nlối vào phía bắc."']]
    return "\r\n".join(separator.join(row) for row in cells).encode(encoding)


def read(client: TestClient, name: str, content: bytes) -> list[dict[str, Any]]:
    got = client.post("/api/faq/spreadsheet", params={"name": name}, content=content)
    assert got.status_code == 200, got.text
    return list(got.json()["rows"])


def test_a_sheet_becomes_entries_that_answer(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")

    rows = read(client, "Câu hỏi thường gặp.xlsx", xlsx(HEADER, *ROWS))

    assert [(row["line"], row["topic"], row["known"], row["faults"]) for row in rows] == [
        (2, "dormitory", "", []),
        (3, "", "", []),
    ]
    assert rows[0]["variants"] == ["có mèo không", "trường nuôi mèo à"]
    before = {path: path.read_bytes() for path in publisher.files.knowledge.rglob("*.yml")}
    fields = ("question", "answer", "variants", "topic")
    entries = [{**{name: row[name] for name in fields}, "topic": row["topic"] or "study"} for row in rows]
    done = client.post("/api/faq/spreadsheet/entries", json={"entries": entries})

    assert done.status_code == 201, done.text
    engine = Engine.over(publisher.live.index(), publisher.live.folder, "covan", EmbedderStandIn())
    for entry, entry_id in zip(entries, done.json()["ids"], strict=True):
        assert engine.reply(Question(entry["question"])).answer_id == entry_id
    after = {path: path.read_bytes() for path in publisher.files.knowledge.rglob("*.yml")}
    assert all(after[path].startswith(content) for path, content in before.items())
    # The same sheet once more: its questions are there now.
    again = read(client, "a.xlsx", xlsx(HEADER, *ROWS))
    assert [row["known"] for row in again] == [row["question"] for row in rows]


def test_an_unlisted_number_is_told_and_published_only_when_confirmed(enter: Enter) -> None:
    client = enter("editor")
    private = ["Tiêm phòng hỏi ai?", "Gọi cô Lan 0912345678 hoặc lan@thu.example.", "", ""]
    listed = ["Học vụ hỏi ai?", "Gọi 0200 111 trước 30-09-2026, phí 1.200.000 đồng.", "", ""]

    rows = read(client, "a.xlsx", xlsx(HEADER[1:], private, listed))

    assert [row["contacts"] for row in rows] == [["lan@thu.example", "0912345678"], []]
    entry = {"question": private[0], "answer": private[1], "topic": "study"}
    refused = client.post("/api/faq/spreadsheet/entries", json={"entries": [entry]})
    assert (refused.status_code, refused.json()["error"]) == (422, "unlisted_contacts")
    assert refused.json()["detail"]["contacts"] == rows[0]["contacts"]
    confirmed = {"entries": [entry], "public_contacts": rows[0]["contacts"]}
    assert client.post("/api/faq/spreadsheet/entries", json=confirmed).status_code == 201


def test_a_topic_that_the_school_does_not_have_is_named(enter: Enter) -> None:
    rows = read(
        enter("editor"),
        "a.xlsx",
        xlsx(HEADER[1:], ["Hỏi?", "Đáp.", "Dịch vụ", ""], ["Hỏi hai?", "Đáp.", "ký túc", ""]),
    )

    assert [(row["topic"], row["unknown_topic"]) for row in rows] == [("", "Dịch vụ"), ("dormitory", "")]


@pytest.mark.parametrize(
    "content",
    [csv(","), csv(";"), csv("\t"), csv(",", "utf-16")],
    ids=["comma", "semicolon", "tab", "utf-16"],
)
def test_csv_in_any_usual_form(content: bytes) -> None:
    [row] = rows_of("a.csv", content)

    assert (row.question, row.answer) == ("Máy lọc nước đặt ở đâu?", "Ở sảnh, nhà A;\nlối vào phía bắc.")


def test_sheet_without_names_of_columns_has_question_and_answer() -> None:
    rows = rows_of("a.xlsx", xlsx([], ["Hỏi một?", "Đáp một"], [None, None], ["Hỏi hai?", 2026.0]))

    assert [(row.line, row.question, row.answer) for row in rows] == [
        (2, "Hỏi một?", "Đáp một"),
        (4, "Hỏi hai?", "2026"),
    ]


@pytest.mark.parametrize(
    "above",
    [
        [["STT", "Câu hỏi", "Trả lời", "Chủ đề"]],
        [["No.", "Question", "Answer", "Topic"]],
        [["TT", "CÂU HỎI CỦA SINH VIÊN:", "Nội dung trả lời *", "Lĩnh vực"]],
        [["STT", "Câu hỏi thường gặp", "Nội dung", "Nhóm"]],
        [["Bộ câu hỏi năm 2026"], [], ["(Phòng Đào tạo)"], ["STT", "Câu hỏi", "Trả lời", "Chủ đề"]],
    ],
    ids=["vietnamese", "english", "more-words", "one-name", "below-a-title"],
)
@pytest.mark.parametrize("number", ["", "1"])
def test_the_row_that_names_the_columns_is_no_question(above: list[list[str]], number: str) -> None:
    [row] = rows_of("a.xlsx", xlsx(*above, [number, "Có nuôi mèo không?", "Không.", "ký túc"]))

    assert (row.line, row.question, row.answer) == (len(above) + 1, "Có nuôi mèo không?", "Không.")
    assert row.topic in {"ký túc", ""}


def test_numbers_before_the_questions_are_none() -> None:
    rows = rows_of("a.xlsx", xlsx([1, "Hỏi một?", "Đáp một"], [2, "Câu hỏi về học phí", "Đáp hai"]))

    told = [(row.question, row.answer) for row in rows]
    assert told == [("Hỏi một?", "Đáp một"), ("Câu hỏi về học phí", "Đáp hai")]


def test_a_workbook_that_is_named_csv_is_read_all_the_same() -> None:
    [first, _] = rows_of("a.csv", xlsx(HEADER, *ROWS))

    assert first.question == "Trường có nuôi mèo không?"


def test_rows_that_cannot_be_entries_say_why(enter: Enter) -> None:
    sheet = xlsx(
        HEADER,
        [1, "Không có trả lời?", "", "", ""],
        [2, "", "Không có câu hỏi.", "", ""],
        [3, "Số 0912345678 của ai?", "Không rõ.", "", ""],
        [4, "Dài?", "x" * 20_001, "", ""],
    )

    rows = read(enter("editor"), "a.xlsx", sheet)

    assert [row["faults"] for row in rows] == [["no_answer"], ["no_question"], ["personal"], ["long"]]


def zip_bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"\0" * 101 * 2**20)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.xls", b"x", "kind"),
        ("a.xlsx", b"", "damaged"),
        ("a.xlsx", b"PK\x03\x04 not really", "damaged"),
        ("a.xlsx", zip_bomb(), "large"),
        ("a.xlsx", xlsx(HEADER), "empty"),
        ("a.csv", b"", "empty"),
        ("a.csv", b"\x81\x8d\x8f\x90", "encoding"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        ("a.csv", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "binary"),
        ("a.csv", b"a,b\n\0\1\2,3\n", "binary"),
        ("a.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "workbook"),
        ("a.xlsx", xlsx(HEADER, *([[1, "Hỏi?", "Đáp."]] * (MOST_ROWS + 1))), "rows"),
    ],
    ids=[
        "kind",
        "nothing",
        "damaged",
        "bomb",
        "no-rows",
        "no-text",
        "encoding",
        "png",
        "pdf",
        "control",
        "xls",
        "rows",
    ],
)
def test_a_file_that_is_no_such_sheet(enter: Enter, name: str, content: bytes, code: str) -> None:
    with pytest.raises(SpreadsheetError) as refused:
        rows_of(name, content)
    assert refused.value.code == code

    told = enter("editor").post("/api/faq/spreadsheet", params={"name": name}, content=content)
    assert (told.status_code, told.json()["error"]) == (422, f"sheet_{code}")


def test_topics_that_the_school_lacks_are_created_with_their_entries(
    enter: Enter, publisher: Publisher, school: Path
) -> None:
    client = enter("editor")
    sheet = xlsx(
        HEADER,
        [1, "Nhà thi đấu mở cửa lúc mấy giờ?", "Từ 6 giờ.", "Nhà thi đấu", ""],
        [2, "Thuê sân cầu lông bao nhiêu tiền?", "40.000 đồng một giờ.", "nhà thi đấu", ""],
        [3, "Gặp ai khi cần tư vấn?", "Gặp cố vấn.", "Advisor", ""],
    )
    rows = client.post("/api/faq/spreadsheet", params={"name": "a.xlsx"}, content=sheet).json()["rows"]
    # "ask_advisor" is an intent of every school.
    ids = [row["new_topic"] for row in rows]
    assert ids == ["nha_thi_dau", "nha_thi_dau", "advisor_2"]
    entries = [
        {**{name: row[name] for name in ("question", "answer", "variants")}, "topic": row["new_topic"]}
        for row in rows
    ]
    topics = [{"id": "nha_thi_dau", "name": "Nhà thi đấu"}, {"id": "advisor_2", "name": "Advisor"}]
    before = (school / "topics.yml").read_bytes()

    # Without its topic, or with one that is there, nothing is published.
    body = {"entries": entries, "new_topics": topics[:1]}
    assert client.post("/api/faq/spreadsheet/entries", json=body).status_code == 422
    taken = {"entries": entries[:1], "new_topics": [*topics, {"id": "dormitory", "name": "KTX"}]}
    assert client.post("/api/faq/spreadsheet/entries", json=taken).status_code == 409
    assert (school / "topics.yml").read_bytes() == before

    done = client.post("/api/faq/spreadsheet/entries", json={"entries": entries, "new_topics": topics})

    assert done.status_code == 201, done.text
    knowledge = load_knowledge(school)
    names = {topic.id: topic.name for topic in knowledge.topics}
    assert (names["nha_thi_dau"], names["advisor_2"]) == ("Nhà thi đấu", "Advisor")
    assert {entry.topic for entry in knowledge.faq if entry.id in done.json()["ids"]} == set(ids)
    # One version has them all; the early version brings them to students.
    files = git(school, "show", "--format=", "--name-only", done.json()["commit"]).split()
    assert "topics.yml" in files
    assert git(school, "status", "--porcelain") == ""
    publish_early(school, publisher.live.folder, EmbedderStandIn())
    engine = Engine.open(publisher.live.folder, "covan", EmbedderStandIn())
    assert engine.reply(Question(rows[1]["question"])).answer_id == done.json()["ids"][1]
    assert "nha_thi_dau" in {topic.id for topic in engine.topics}


def test_one_wrong_entry_publishes_none(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    before = {path: path.read_bytes() for path in publisher.files.knowledge.rglob("*.yml")}
    right = {"question": "Một câu đúng?", "answer": "Đúng.", "topic": "study"}
    for wrong in (
        {**right, "question": "Sai chủ đề?", "topic": "no-topic"},
        {**right, "question": "Gọi 0912345678?"},
    ):
        refused = client.post("/api/faq/spreadsheet/entries", json={"entries": [right, wrong]})
        assert refused.status_code == 422, refused.text
    assert {path: path.read_bytes() for path in publisher.files.knowledge.rglob("*.yml")} == before
