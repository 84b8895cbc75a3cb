"""Documents: uploaded, looked at as they were read, published with their metadata, changed and removed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import docx
import pytest
from console_driver import NOW, Enter, git
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.publishing import Publisher
from rag.ingest.build import build_index
from rag.ingest.load import load_knowledge

TEXT = """# QUY ĐỊNH VỀ THUÊ TỦ ĐỒ

Điều 1. Mức thuê
1. Sinh viên thuê tủ đồ tại thư viện với giá 30.000 đồng một tháng, nộp trước theo học kỳ.
2. Sinh viên làm mất chìa khóa bồi thường 50.000 đồng.

Điều 2. Trả tủ
1. Sinh viên trả tủ đồ trước ngày cuối của học kỳ và nhận lại tiền cọc trong tuần kế tiếp.
"""


def upload(client: TestClient, name: str, content: str | bytes = TEXT) -> dict[str, Any]:
    raw = content.encode() if isinstance(content, str) else content
    sent = client.post("/api/documents/drafts", params={"name": name}, content=raw)
    assert sent.status_code == 201, sent.text
    return dict(sent.json())


def publish(client: TestClient, draft: str, **fields: Any) -> Any:
    return client.post(f"/api/documents/drafts/{draft}/publication", json=fields)


def metadata(client: TestClient, document: str) -> tuple[str, dict[str, Any]]:
    found = client.get(f"/api/documents/published/{document}").json()
    return found["version"], found["fields"]


def test_a_file_is_seen_as_it_was_read_and_then_published(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    client = enter("editor")

    draft = upload(client, "Quy định thuê tủ đồ.txt")["draft"]

    seen = client.get(f"/api/documents/drafts/{draft}").json()
    assert (seen["id"], seen["version"], seen["problems"]) == ("quy-dinh-thue-tu-do", "", [])
    assert seen["title"] == "QUY ĐỊNH VỀ THUÊ TỦ ĐỒ"
    assert sorted({each["locator"].split(",")[0] for each in seen["passages"]}) == ["Điều 1", "Điều 2"]
    assert any("50.000 đồng" in each["text"] for each in seen["passages"])
    assert not (school / "documents" / "quy-dinh-thue-tu-do.txt").exists()

    said = {
        "title": "Quy định thuê tủ đồ",
        "number": "12/QĐ-ĐHSM",
        "effective_from": "2026-09-01",
        "topic": "dormitory",
    }
    done = publish(client, draft, **said, applies_to={"cohorts": ["48-"]})

    assert done.status_code == 200, done.text
    # As `covan index` reads the folder, with the metadata.
    [document] = [each for each in load_knowledge(school).documents if each.meta.id == "quy-dinh-thue-tu-do"]
    assert (document.meta.title, document.meta.number) == (said["title"], said["number"])
    assert str(document.meta.effective_from) == "2026-09-01"
    assert document.meta.applies_to.allowed == {"cohort": ("48-",)}
    assert "Quy định thuê tủ đồ" in git(school, "log", "-1", "--format=%s")
    assert git(school, "status", "--porcelain") == ""
    assert client.get("/api/documents/drafts").json()["drafts"] == []
    # It waits for the build, and is a document like the others after it.
    waiting = client.get("/api/documents").json()["waiting"]
    assert [(each["file"], each["title"]) for each in waiting] == [
        ("documents/quy-dinh-thue-tu-do.txt", said["title"])
    ]
    build_index(school, publisher.live.folder, EmbedderStandIn())
    listed = client.get("/api/documents").json()
    assert listed["waiting"] == []
    assert said["title"] in [each["title"] for each in listed["documents"]]


def test_a_material_names_its_course(enter: Enter, school: Path) -> None:
    client = enter("editor")
    catalog = school / "catalog.yml"
    courses = "courses:\n  - {id: toan1, name: Toán 1, code: MTH101}\n"
    catalog.write_text(catalog.read_text(encoding="utf-8") + courses, encoding="utf-8")
    draft = upload(
        client,
        "bai-giang.md",
        "---\ncourse: MTH999\n---\n# Bài giảng\n\n## Chương 1. Tập hợp\n\nTập hợp là gì.\n",
    )

    [warning] = draft["warnings"]
    assert "MTH999" in warning
    assert client.get(f"/api/documents/drafts/{draft['draft']}").json()["fields"]["course"] == "MTH999"
    assert publish(client, draft["draft"], title="Bài giảng", course="MTH101").status_code == 200
    version, fields = metadata(client, "bai-giang")
    assert fields["course"] == "MTH101"
    assert client.get("/api/documents/published/bai-giang").json()["warnings"] == []
    [document] = [each for each in load_knowledge(school).documents if each.meta.id == "bai-giang"]
    assert document.meta.course == "MTH101"

    kept = client.put("/api/documents/published/bai-giang", json={**fields, "course": "", "version": version})
    assert kept.status_code == 200, kept.text
    assert "course" not in (school / "documents" / "bai-giang.md").read_text(encoding="utf-8")


def test_what_cannot_be_read_is_told_and_cannot_be_published(enter: Enter, school: Path) -> None:
    client = enter("editor")

    draft = upload(client, "hong.pdf", b"%PDF-1.7 this is none")

    assert draft["problems"], draft
    refused = publish(client, draft["draft"], title="Hỏng")
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert git(school, "status", "--porcelain") == ""
    assert len(client.get("/api/documents/drafts").json()["drafts"]) == 1
    client.delete(f"/api/documents/drafts/{draft['draft']}")
    assert client.get("/api/documents/drafts").json()["drafts"] == []
    assert publish(client, draft["draft"], title="Hỏng").status_code == 404


def test_a_file_is_checked_against_the_topics_as_they_are_when_it_is_uploaded(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    of_lockers = f"---\ntitle: Thuê tủ đồ\ntopic: lockers\n---\n{TEXT}"

    before = upload(client, "tu-do.md", of_lockers)
    with (school / "topics.yml").open("a", encoding="utf-8") as topics:
        topics.write("- {id: lockers, name: Tủ đồ}\n")
    after = upload(client, "tu-do-moi.md", of_lockers)

    assert "lockers" in str(before["problems"])
    assert after["problems"] == []


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("bang-diem.xlsx", b"x", "kind"),
        ("trong.txt", b"", "empty"),
        ("???.txt", b"x", "name"),
        ("khong-duoi", b"x", "kind"),
    ],
)
def test_a_file_that_is_not_taken(enter: Enter, name: str, content: bytes, why: str) -> None:
    client = enter("editor")

    refused = client.post("/api/documents/drafts", params={"name": name}, content=content)

    assert (refused.status_code, refused.json()["error"]) == (422, f"document_{why}")
    assert client.get("/api/documents/drafts").json()["drafts"] == []


@pytest.mark.parametrize("name", ["../../faq/faq.md", "..\\..\\evil.md", "/etc/evil.md", ".evil.md"])
def test_a_name_leads_nowhere_else(enter: Enter, school: Path, name: str) -> None:
    client = enter("editor")

    draft = upload(client, name)

    assert draft["name"] in ("faq.md", "evil.md")
    assert publish(client, draft["draft"], title="Tên lạ").status_code == 200
    assert set(git(school, "show", "--name-only", "--format=").split()) == {
        f"documents/{draft['name']}",
        f"documents/{draft['name'].removesuffix('.md')}.meta.yml",
    }


def test_a_file_without_text_is_not_published_and_never_waits(enter: Enter, school: Path) -> None:
    client, told = enter("editor"), "không đọc được câu nào"

    draft = upload(client, "trang-trang.docx", blank_docx())["draft"]

    assert any(told in each for each in client.get(f"/api/documents/drafts/{draft}").json()["problems"])
    refused = publish(client, draft, title="Trang trắng")
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert told in refused.json()["message"]
    assert not (school / "documents" / "trang-trang.docx").exists()
    # One that was put into the folder by hand is told as a fault; it does not wait.
    (school / "documents" / "trang-trang.docx").write_bytes(blank_docx())
    [waiting] = client.get("/api/documents").json()["waiting"]
    assert any(told in each for each in waiting["problems"])


def test_an_unreadable_file_is_opened_from_its_row_and_removed(enter: Enter, school: Path) -> None:
    client = enter("editor")
    (school / "documents" / "bang-hong.pdf").write_bytes(b"%PDF broken")
    # A second file of a name that is live: it is told of by its own, and leaves the other one its metadata.
    kept = [school / "documents" / f"noi-quy-ktx{suffix}" for suffix in (".txt", ".meta.yml")]
    (school / "documents" / "noi-quy-ktx.pdf").write_bytes(b"%PDF broken, too")

    waiting = client.get("/api/documents").json()["waiting"]

    assert [each["id"] for each in waiting] == ["bang-hong", "noi-quy-ktx.pdf"]
    for each in waiting:
        opened = client.get(f"/api/documents/published/{each['id']}").json()
        assert (opened["file"], opened["passages"]) == (each["file"], [])
        assert opened["problems"] == each["problems"] != []
        removed = client.post(
            f"/api/documents/published/{each['id']}/removal", json={"version": opened["version"]}
        )
        assert removed.status_code == 200, removed.text
    assert client.get("/api/documents").json()["waiting"] == []
    assert all(each.exists() for each in kept)
    # It is among the versions, as it was.
    assert git(school, "show", "HEAD~3:documents/bang-hong.pdf") == "%PDF broken"


def blank_docx() -> bytes:
    """Return a Word file with one empty paragraph."""
    file = io.BytesIO()
    empty = docx.Document()
    empty.add_paragraph("")
    empty.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "fields",
    [{"topic": "no-topic"}, {"effective_to": "2020-01-01", "effective_from": "2021-01-01"}, {"issued": "2026-02-30"},
     {"applies_to": {"majors": ["nowhere"]}}, {"url": "javascript:alert(1)"}],
)  # fmt: skip
def test_metadata_that_mean_nothing_publish_nothing(
    enter: Enter, school: Path, fields: dict[str, Any]
) -> None:
    client = enter("editor")
    draft = upload(client, "tu-do.txt")["draft"]

    refused = publish(client, draft, title="Tủ đồ", **fields)

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert git(school, "status", "--porcelain") == ""


def test_a_new_text_takes_the_place_of_the_old_one_only_when_that_was_seen(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    draft = upload(client, "noi-quy-ktx.txt")["draft"]
    seen = client.get(f"/api/documents/drafts/{draft}").json()
    before, fields = metadata(client, "noi-quy-ktx")
    assert (seen["version"], seen["fields"]) == (before, fields)

    assert publish(client, draft, title="Nội quy mới").status_code == 409
    (school / "documents" / "noi-quy-ktx.txt").write_text("Đổi tay.\n", encoding="utf-8")
    refused = publish(client, draft, title="Nội quy mới", version=before)
    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert "Đổi tay." in refused.json()["detail"]["theirs"]
    assert refused.json()["detail"]["saved"] is None
    now = client.get(f"/api/documents/drafts/{draft}").json()["version"]
    assert publish(client, draft, **{**fields, "title": "Nội quy mới", "version": now}).status_code == 200

    assert (school / "documents" / "noi-quy-ktx.txt").read_text(encoding="utf-8") == TEXT
    late = client.put("/api/documents/published/noi-quy-ktx", json={**fields, "version": now})
    assert late.json()["detail"]["saved"] == {"name": "Cô editor", "at": NOW}
    # The change by hand is a version, too.
    assert git(school, "show", "HEAD~1:documents/noi-quy-ktx.txt") == "Đổi tay."


def test_metadata_are_changed_where_they_stand(enter: Enter, school: Path) -> None:
    client = enter("editor")
    for document, file in (("ngoai-ngu-k48", "ngoai-ngu-k48.md"), ("noi-quy-ktx", "noi-quy-ktx.meta.yml")):
        version, fields = metadata(client, document)

        changed = client.put(
            f"/api/documents/published/{document}",
            json={**fields, "version": version, "effective_to": "2030-12-31"},
        )

        assert changed.status_code == 200, changed.text
        shown = git(school, "show", "--format=", "-U0", "--", f"documents/{file}").splitlines()
        edits = [line for line in shown if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        assert edits == ["+effective_to: 2030-12-31"]
        assert metadata(client, document)[1] == {**fields, "effective_to": "2030-12-31"}
        assert (
            client.put(
                f"/api/documents/published/{document}", json={**fields, "version": version}
            ).status_code
            == 409
        )
    load_knowledge(school)


def test_a_document_is_removed_unless_answers_rest_on_it(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    client = enter("editor")
    for cited in ("quy-che-2025", "noi-quy-ktx"):
        version, _ = metadata(client, cited)
        refused = client.post(f"/api/documents/published/{cited}/removal", json={"version": version})
        assert (refused.status_code, refused.json()["error"]) == (409, "in_use")
        uses = refused.json()["detail"]["uses"]
        assert uses == client.get(f"/api/documents/published/{cited}").json()["uses"]
        entries = {entry.id for entry in publisher.sources.cited().get(cited, ())}
        assert {each["id"] for each in uses if each["kind"] == "entry"} == entries
    assert [each["id"] for each in uses if each["kind"] == "calculator"] == ["dormitory-months"]

    version, _ = metadata(client, "khuyen-mai-2024")
    removed = client.post("/api/documents/published/khuyen-mai-2024/removal", json={"version": version})

    assert removed.status_code == 200, removed.text
    assert not (school / "documents" / "khuyen-mai-2024.md").exists()
    assert git(school, "show", "HEAD~1:documents/khuyen-mai-2024.md")


def test_the_versions_call_a_document_by_its_title(enter: Enter, school: Path) -> None:
    client, title = enter("editor"), "QUY ĐỊNH VỀ THUÊ TỦ ĐỒ"

    publish(client, upload(client, "Quy định thuê tủ đồ.txt")["draft"])

    assert title in git(school, "log", "-1", "--format=%s")
    version, _ = metadata(client, "quy-dinh-thue-tu-do")
    path = "/api/documents/published/quy-dinh-thue-tu-do"
    assert client.post(f"{path}/removal", json={"version": version}).status_code == 200
    assert title in git(school, "log", "-1", "--format=%s")


@pytest.mark.usefixtures("school")
def test_the_versions_tell_a_new_document_from_a_changed_and_a_replaced_one(enter: Enter) -> None:
    client, name = enter("editor"), "Quy định thuê tủ đồ.txt"
    publish(client, upload(client, name)["draft"])
    version, fields = metadata(client, "quy-dinh-thue-tu-do")
    path = "/api/documents/published/quy-dinh-thue-tu-do"
    body = {**fields, "number": "12/QĐ", "version": version}
    assert client.put(path, json=body).status_code == 200
    draft = upload(client, name, TEXT.replace("30.000", "35.000"))["draft"]
    version, fields = metadata(client, "quy-dinh-thue-tu-do")
    assert publish(client, draft, **fields, version=version).status_code == 200

    told = [each["action"] for each in client.get("/api/versions").json()["versions"]]
    assert told[:3] == ["document_replaced", "document", "document_added"]


def test_a_folder_that_keeps_no_versions_loses_no_document(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    client, folder = enter("editor"), publisher.files.knowledge / "documents"
    assert not publisher.versions.are_kept
    gone, replaced = (folder / name for name in ("khuyen-mai-2024.md", "ngoai-ngu-k48.md"))
    before = {gone.name: gone.read_bytes(), replaced.name: replaced.read_bytes()}
    version, _ = metadata(client, "khuyen-mai-2024")

    done = client.post("/api/documents/published/khuyen-mai-2024/removal", json={"version": version})
    assert (done.status_code, done.json().get("commit")) == (200, ""), done.text
    assert not gone.exists()
    # A file of another kind takes the place of the old one.
    draft = upload(client, "ngoai-ngu-k48.txt")["draft"]
    seen = client.get(f"/api/documents/drafts/{draft}").json()["version"]
    assert publish(client, draft, version=seen, title="Ngoại ngữ").status_code == 200
    assert not replaced.exists()

    kept = {path.name: path.read_bytes() for path in (tmp_path / "replaced").rglob("*") if path.is_file()}
    assert kept == before


def test_the_file_itself_is_saved_and_not_run(enter: Enter) -> None:
    got = enter("advisor").get("/api/documents/published/noi-quy-ktx/file")

    assert got.status_code == 200
    assert got.headers["content-disposition"].startswith("attachment")
    assert "script" not in got.headers["content-security-policy"].split("script-src")[0]
    assert got.headers["x-content-type-options"] == "nosniff"


def test_a_file_stays_while_answers_rest_on_one_of_its_documents(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    lines = [
        {"id": name, "title": name, "text": f"Phòng {name} mở cửa lúc 7 giờ."} for name in ("mot", "hai")
    ]
    written = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (school / "documents" / "gio-mo-cua.jsonl").write_text(written, encoding="utf-8")
    build_index(school, publisher.live.folder, EmbedderStandIn())
    client = enter("editor")
    entry = {"question": "Phòng hai mở cửa lúc nào?", "variants": [], "answer": "7 giờ.", "topic": "study"}
    made = client.post("/api/faq/entries", json={**entry, "sources": [{"document": "hai"}]})
    assert made.status_code == 201, made.text

    seen = client.get("/api/documents/published/mot").json()
    refused = client.post("/api/documents/published/mot/removal", json={"version": seen["version"]})

    assert (refused.status_code, refused.json()["error"]) == (409, "in_use"), refused.text
    assert [each["name"] for each in refused.json()["detail"]["uses"]] == ["Phòng hai mở cửa lúc nào?"]


def test_the_entries_that_a_new_document_speaks_of_are_told_before_it_is_published(enter: Enter) -> None:
    client = enter("editor")
    entry = next(
        each for each in client.get("/api/faq", params={"text": "Mất thẻ sinh viên"}).json()["entries"]
    )
    text = "# QUY ĐỊNH MỚI\n\nĐiều 1. Thẻ\n1. Mất thẻ sinh viên thì làm lại ở đâu: tại Phòng Hành chính.\n"

    speaks = upload(client, "Quy định về thẻ.txt", text)["draft"]
    silent = upload(client, "Quy định thuê tủ đồ.txt")["draft"]

    told = client.get(f"/api/documents/drafts/{speaks}/nearer-entries").json()["entries"]
    assert {"id": entry["id"], "question": entry["question"]} in told
    assert len(told) < 5
    others = client.get(f"/api/documents/drafts/{silent}/nearer-entries").json()["entries"]
    assert entry["id"] not in {each["id"] for each in others}
    assert client.get("/api/documents/drafts/none/nearer-entries").status_code == 404
