"""The pages of a document beside its passages: pictures, the text as it was read, and what was read wrongly."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from console_driver import PAGES_A_MINUTE, Clock, Enter
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from pdf_files import pdf_bytes
from PIL import Image
from test_documents import TEXT, publish, upload

from console.publishing import Publisher
from rag.ingest.build import build_index

RULE = ["Điều {n}. Thuê tủ đồ", "1. Sinh viên thuê tủ đồ tại thư viện với giá {n}0.000 đồng một tháng."]
PAGES = [[line.format(n=1) for line in RULE], [], [line.format(n=3) for line in RULE]]


def uploaded(client: TestClient) -> str:
    """Upload a PDF of three pages, of which the second is a scan and the third has a table."""
    return str(upload(client, "thue-tu-do.pdf", pdf_bytes(PAGES, ruled=[3]))["draft"])


def size_of(answer: Any) -> tuple[int, int]:
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg"), answer.text
    return Image.open(io.BytesIO(answer.content)).size


def test_a_draft_shows_its_pages_before_it_is_published(enter: Enter, school: Path) -> None:
    del school
    client = enter("editor")
    draft = uploaded(client)

    read = client.get(f"/api/documents/drafts/{draft}").json()

    assert read["pages"] == {"count": 3, "without_text": [2], "recognized": [], "with_table": [3]}
    assert read["text"] == ""
    assert [(each["locator"], each["page"]) for each in read["passages"]] == [("Điều 1", 1), ("Điều 3", 3)]
    for number in (1, 2, 3):
        assert size_of(client.get(f"/api/documents/drafts/{draft}/pages/{number}"))[0] == 1_200
    for missing, why in (
        (f"drafts/{draft}/pages/4", "no_page"),
        (f"drafts/{'0' * 16}/pages/1", "no_draft"),
        ("published/none/pages/1", "no_document"),
    ):
        refused = client.get(f"/api/documents/{missing}")
        assert (refused.status_code, refused.json()["error"]) == (404, why)
    # A draft is its editors' alone; what is published is everybody's.
    assert enter("advisor").get(f"/api/documents/drafts/{draft}/pages/1").status_code == 403
    assert publish(client, draft, title="Thuê tủ đồ").status_code == 200
    assert client.get(f"/api/documents/drafts/{draft}/pages/1").status_code == 404
    size_of(enter("advisor").get("/api/documents/published/thue-tu-do/pages/1"))


def test_a_published_document_shows_its_pages(enter: Enter, school: Path, publisher: Publisher) -> None:
    (school / "documents" / "thue-tu-do.pdf").write_bytes(pdf_bytes(PAGES))
    build_index(school, publisher.live.folder, EmbedderStandIn())
    client = enter("advisor")

    read = client.get("/api/documents/published/thue-tu-do").json()

    assert read["pages"] == {"count": 3, "without_text": [2], "recognized": [], "with_table": []}
    assert [each["page"] for each in read["passages"]] == [1, 3]
    size_of(client.get("/api/documents/published/thue-tu-do/pages/3"))


def test_a_page_is_sent_again_only_when_its_file_has_changed(enter: Enter, school: Path) -> None:
    file = school / "documents" / "thue-tu-do.pdf"
    file.write_bytes(pdf_bytes(PAGES))
    client, address = enter("advisor"), "/api/documents/published/thue-tu-do/pages/1"
    first = client.get(address)
    seen = {"If-None-Match": first.headers["etag"]}
    assert first.headers["cache-control"] == "private, no-cache"

    again = client.get(address, headers=seen)
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(address.replace("/1", "/2"), headers=seen).status_code == 200
    file.write_bytes(pdf_bytes(PAGES[:1]))
    changed = client.get(address, headers=seen)
    assert (changed.status_code, changed.headers["etag"] != first.headers["etag"]) == (200, True)


def test_many_pages_in_a_minute_have_to_wait(enter: Enter, school: Path, clock: Clock) -> None:
    (school / "documents" / "thue-tu-do.pdf").write_bytes(pdf_bytes(PAGES))
    client, address = enter("advisor"), "/api/documents/published/thue-tu-do/pages/1"
    got = [client.get(address) for _ in range(PAGES_A_MINUTE)]
    assert {each.status_code for each in got} == {200}

    refused = client.get(address)

    assert (refused.status_code, refused.json()["error"]) == (429, "too_many_pages")
    assert int(refused.headers["retry-after"]) >= 1
    # A picture that the browser has is not drawn again, and a colleague has a count of their own.
    assert client.get(address, headers={"If-None-Match": got[0].headers["etag"]}).status_code == 304
    assert enter("editor").get(address).status_code == 200
    clock.now += 60
    assert client.get(address).status_code == 200


def test_a_file_without_pages_has_its_text_with_the_lines_of_passages(enter: Enter, school: Path) -> None:
    del school
    client = enter("editor")
    draft = upload(client, "thue-tu-do.txt")["draft"]

    read = client.get(f"/api/documents/drafts/{draft}").json()

    assert read["pages"]["count"] == 0
    lines = read["text"].splitlines()
    assert [line for line in lines if line] == [line for line in TEXT.splitlines() if line]
    for passage in read["passages"]:
        assert lines[passage["line"]].strip() == passage["text"].splitlines()[0]
    answer = client.get(f"/api/documents/drafts/{draft}/pages/1")
    assert (answer.status_code, answer.json()["error"]) == (404, "no_page")


def test_documents_of_one_file_stand_one_after_the_other_in_a_draft_and_alone_when_published(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    content = "\n".join(
        f'{{"id": "tu-{n}", "title": "Tủ {n}", "text": "# Tủ {n}\\n\\nSinh viên thuê tủ {n} ở thư viện."}}'
        for n in (1, 2)
    )
    client = enter("editor")
    draft = upload(client, "tu.jsonl", content)["draft"]
    read = client.get(f"/api/documents/drafts/{draft}").json()

    assert [read["text"].splitlines()[each["line"]] for each in read["passages"]] == [
        "Sinh viên thuê tủ 1 ở thư viện.",
        "Sinh viên thuê tủ 2 ở thư viện.",
    ]
    (school / "documents" / "tu.jsonl").write_text(content, encoding="utf-8")
    build_index(school, publisher.live.folder, EmbedderStandIn())
    published = client.get("/api/documents/published/tu-2").json()
    assert "Tủ 1" not in published["text"]
    [passage] = published["passages"]
    assert published["text"].splitlines()[passage["line"]] == "Sinh viên thuê tủ 2 ở thư viện."


def test_a_passage_of_a_file_that_has_changed_since_has_no_line(enter: Enter, school: Path) -> None:
    client = enter("advisor")
    path = school / "documents" / "noi-quy-ktx.txt"
    before = client.get("/api/documents/published/noi-quy-ktx").json()["passages"]
    assert all(each["line"] is not None for each in before)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(before[0]["text"].splitlines()[0][:20], "Câu khác hẳn"), encoding="utf-8")

    after = client.get("/api/documents/published/noi-quy-ktx").json()["passages"]

    assert [each["text"] for each in after] == [each["text"] for each in before]
    assert after[0]["line"] is None


def test_a_damaged_pdf_says_what_to_do_and_has_no_pages(enter: Enter, school: Path) -> None:
    del school
    client = enter("editor")
    draft = upload(client, "hong.pdf", b"%PDF-1.7 this is none")["draft"]

    read = client.get(f"/api/documents/drafts/{draft}").json()

    assert (read["pages"]["count"], len(read["problems"])) == (0, 1)
    refused = client.get(f"/api/documents/drafts/{draft}/pages/1")
    assert (refused.status_code, refused.json()["error"]) == (422, "document_page")


def frames_of(client: TestClient, address: str, place: int) -> dict[int, list[dict[str, float]]]:
    answer = client.get(f"/api/documents/{address}/passages/{place}/frames")
    assert answer.status_code == 200, answer.text
    return {each["page"]: each["frames"] for each in answer.json()["pages"]}


def test_a_passage_has_its_frame_on_its_pages_before_and_after_it_is_published(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    first, long = [line.format(n=1) for line in RULE], [line.format(n=2) for line in RULE]
    content = pdf_bytes(
        [[*first, *long], ["Sinh viên trả tủ đồ trước kỳ nghỉ hè và nộp lại chìa khóa.", "Điều 3. Hiệu lực"]]
    )
    client = enter("editor")
    draft = f"drafts/{upload(client, 'thue-tu-do.pdf', content)['draft']}"
    (school / "documents" / "thue-tu-do.pdf").write_bytes(content)
    build_index(school, publisher.live.folder, EmbedderStandIn())

    for address in (draft, "published/thue-tu-do"):
        texts = [each["text"] for each in client.get(f"/api/documents/{address}").json()["passages"]]
        assert [text[:15] for text in texts[:2]] == ["1. Sinh viên th"] * 2
        above, below = frames_of(client, address, 0), frames_of(client, address, 1)
        assert (list(above), list(below)) == ([1], [1, 2])
        [[one], [two]] = above[1], below[1]
        assert 0 < one["left"] < one["right"] < 1
        assert one["bottom"] < two["top"]
        assert below[2][0]["bottom"] < 0.08


def test_a_page_without_text_or_a_file_has_no_frames(enter: Enter, school: Path) -> None:
    client = enter("editor")
    scanned = [list[str](), *PAGES[2:]]
    draft = upload(client, "thue-tu-do.pdf", pdf_bytes(scanned))["draft"]
    assert list(frames_of(client, f"drafts/{draft}", 0)) == [2]

    # A text has no pages, and what is gone from its file no place.
    assert frames_of(client, "published/noi-quy-ktx", 0) == {}
    for missing in (f"drafts/{draft}/passages/9", "published/none/passages/0"):
        refused = client.get(f"/api/documents/{missing}/frames")
        assert (refused.status_code, refused.json()["error"]) == (404, "no_passage")
    assert enter("advisor").get(f"/api/documents/drafts/{draft}/passages/0/frames").status_code == 403
    (school / "documents" / "noi-quy-ktx.txt").unlink()
    assert frames_of(client, "published/noi-quy-ktx", 0) == {}
