"""Cohorts, majors and programmes from a spreadsheet: compared with the catalogue, then published together."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from console_driver import LAPTOP, PHONE, Enter, OpenPages, git, in_view
from fastapi.testclient import TestClient
from openpyxl import Workbook
from playwright.sync_api import expect

from rag.ingest.load import load_knowledge

MAJORS = ["STT", "Tên ngành", "Mã ngành", "Chương trình", "Tên gọi khác", "Khoa"]
NEW = [1, "Luật kinh tế", 7380107, "Đại trà; CLC", "luật kt", ""]
KNOWN = [2, "Công nghệ thông tin", 7480201, "", "IT; cntt", ""]


def xlsx(*rows: Sequence[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def read(client: TestClient, section: str, *rows: Sequence[Any], name: str = "a.xlsx") -> dict[str, Any]:
    wanted = {"section": section, "name": name}
    got = client.post("/api/catalogue-sheet", params=wanted, content=xlsx(*rows))
    assert got.status_code == 200, got.text
    return dict(got.json())


def publish(client: TestClient, section: str, items: Sequence[dict[str, Any]]) -> Any:
    chosen = [{**item["fields"], "id": item["id"], "version": item["version"]} for item in items]
    return client.post("/api/catalogue-sheet/items", json={"section_id": section, "items": chosen})


def faults(told: dict[str, Any]) -> list[tuple[int, str, str]]:
    """Return the line, the column and what is said of each fault."""
    return [
        (item["line"], fault["column"], fault["message"])
        for item in told["items"]
        for fault in item["faults"]
    ]


def test_majors_are_compared_with_the_catalogue_and_published_together(enter: Enter, school: Path) -> None:
    client = enter("editor")
    before = (school / "catalog.yml").read_text(encoding="utf-8")

    told = read(client, "major", ["Danh sách ngành"], [], MAJORS, NEW, KNOWN)

    assert faults(told) == []
    assert told["unread"] == ["STT"]
    new, known = told["items"]
    assert (new["line"], new["id"], new["version"]) == (4, "luat-kinh-te", "")
    assert new["fields"] == {
        "name": "Luật kinh tế",
        "code": "7380107",
        "programs": ["standard", "clc"],
        "aliases": ["luật kt"],
    }
    assert (known["line"], known["id"]) == (5, "cntt")
    assert new["changes"][-1] == {"field": "programs", "before": "", "after": "Đại trà\nChất lượng cao"}
    # An empty cell changes nothing, and a further name joins those that are there.
    changed = {each["field"]: (each["before"], each["after"]) for each in known["changes"]}
    assert changed == {"code": ("", "7480201"), "aliases": ("cntt", "cntt\nIT")}
    assert (school / "catalog.yml").read_text(encoding="utf-8") == before

    done = publish(client, "major", told["items"])

    assert done.status_code == 201, done.text
    assert done.json()["count"] == 2
    majors = {each.id: each for each in load_knowledge(school).catalog.majors}
    assert majors["luat-kinh-te"].programs == ("standard", "clc")
    assert (majors["cntt"].code, majors["cntt"].aliases) == ("7480201", ("cntt", "IT"))
    assert majors["cntt"].programs == ("standard", "clc")
    assert git(school, "status", "--porcelain") == ""
    assert "Luật kinh tế (+1)" in git(school, "log", "-1", "--format=%s")
    # The same sheet once more: all of it is there.
    assert [each["changes"] for each in read(client, "major", MAJORS, NEW, KNOWN)["items"]] == [[], []]


@pytest.mark.parametrize(
    ("rows", "items"),
    [
        ([["Khóa", "Năm nhập học"], ["K50", 2026]], [("50", "K50", "2026")]),
        ([["Khóa", "Năm"], [50, 2026], [49, 2025]], [("50", "Khóa 50", "2026"), ("49", "Khóa 49", None)]),
        ([["Mã khóa", "Tên khóa"], ["051", "Khóa 51 (2027)"]], [("51", "Khóa 51 (2027)", None)]),
    ],
)
@pytest.mark.usefixtures("school")
def test_cohorts_are_known_by_their_number(
    enter: Enter, rows: list[list[Any]], items: list[tuple[str, str, str | None]]
) -> None:
    client = enter("editor")

    told = read(client, "cohort", *rows)

    assert faults(told) == []
    assert [(each["id"], each["name"], each["fields"].get("year")) for each in told["items"]] == items
    new = [each for each in told["items"] if not each["version"]]
    assert publish(client, "cohort", new).status_code == 201


def test_an_item_keeps_its_name_and_its_only_alias(enter: Enter, school: Path) -> None:
    path = school / "catalog.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("aliases: [cntt]", "aliases: tin học"), encoding="utf-8")

    [known, other] = read(
        enter("editor"), "major", ["Ngành", "Tên gọi khác"], ["TIN HOC", "IT"], ["Kế toán", ""]
    )["items"]

    assert (known["id"], known["name"], known["fields"]) == (
        "cntt",
        "Công nghệ thông tin",
        {"aliases": ["tin học", "IT"]},
    )
    assert (other["id"], other["changes"]) == ("ketoan", [])


def test_programmes_come_from_a_csv(enter: Enter, school: Path) -> None:
    client = enter("editor")
    content = "Mã;Tên chương trình;Viết tắt;Ít người theo học\ntn;Tài năng;TN;Có\n".encode("utf-8-sig")

    got = client.post(
        "/api/catalogue-sheet", params={"section": "program", "name": "ct.csv"}, content=content
    )

    assert got.status_code == 200, got.text
    assert publish(client, "program", got.json()["items"]).status_code == 201
    [program] = [each for each in load_knowledge(school).catalog.programs if each.id == "tn"]
    assert (program.name, program.short, program.rare) == ("Tài năng", "TN", True)


@pytest.mark.parametrize(
    ("section", "rows", "said"),
    [
        (
            "major",
            [["Ngành", "Chương trình"], ["Luật", "Chất lượng vàng"]],
            [(2, "Chương trình", "danh mục không có 'Chất lượng vàng'")],
        ),
        ("major", [["Ngành", "Khoa"], ["Luật", "Khoa Luật"]], [(2, "Khoa", "danh mục không có 'Khoa Luật'")]),
        ("major", [["Ngành", "Số năm"], ["Luật", "bốn"]], [(2, "Số năm", "phải là số")]),
        ("major", [["Mã", "Tên"], ["luat kt", "Luật"]], [(2, "Mã", "mã không có dấu cách")]),
        (
            "major",
            [["Ngành", "Tên gọi khác"], ["Luật", "cntt"]],
            [(2, "Tên gọi khác", "'cntt' đã là tên của 'Công nghệ thông tin'")],
        ),
        ("major", [["Ngành"], ["Luật"], ["Luat"]], [(3, "", "dòng 2 cũng nói về mục này")]),
        ("cohort", [["Khóa", "Năm"], ["Khóa mới", "2026"]], [(2, "", "thiếu mã")]),
        ("cohort", [["Khóa", "Năm"], ["K50", "hai nghìn"]], [(2, "Năm", "phải là số nguyên")]),
        (
            "program",
            [["Tên", "Ít người theo học"], ["Tài năng", "hơi ít"]],
            [(2, "Ít người theo học", "'hơi ít'")],
        ),
        (
            "office",
            [["Đơn vị", "Điện thoại"], ["Thư viện", "hỏi bảo vệ"]],
            [(2, "Điện thoại", "'hỏi bảo vệ'")],
        ),
    ],
)
@pytest.mark.usefixtures("school")
def test_what_is_wrong_is_told_by_row_and_column(
    enter: Enter, section: str, rows: list[list[Any]], said: list[tuple[int, str, str]]
) -> None:
    found = faults(read(enter("editor"), section, *rows))

    assert [(line, column) for line, column, _ in found] == [(line, column) for line, column, _ in said]
    for (_, _, message), (_, _, begins) in zip(found, said, strict=True):
        assert message.startswith(begins)


@pytest.mark.parametrize(
    ("rows", "error"),
    [([["Quyết định", "Ngày ký"], ["Luật", "x"]], "sheet_columns"), ([["Ngành"]], "sheet_no_items")],
)
@pytest.mark.usefixtures("school")
def test_a_sheet_that_says_nothing_of_the_catalogue_is_refused(
    enter: Enter, rows: list[list[Any]], error: str
) -> None:
    wanted = {"section": "major", "name": "a.xlsx"}
    got = enter("editor").post("/api/catalogue-sheet", params=wanted, content=xlsx(*rows))

    assert (got.status_code, got.json()["error"]) == (422, error)


def test_nothing_is_published_when_one_item_changed_meanwhile_or_is_wrong(enter: Enter, school: Path) -> None:
    client = enter("editor")
    items = read(client, "major", MAJORS, NEW, KNOWN)["items"]
    path = school / "catalog.yml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("aliases: [cntt]", "aliases: [cntt, tin học]"),
        encoding="utf-8",
    )
    by_hand = path.read_text(encoding="utf-8")

    refused = publish(client, "major", items)

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert "tin học" in refused.json()["detail"]["theirs"]
    assert path.read_text(encoding="utf-8") == by_hand
    wrong = {**items[0], "fields": {**items[0]["fields"], "programs": ["vang"]}}
    faulty = publish(client, "major", [wrong])
    assert (faulty.status_code, faulty.json()["error"]) == (422, "faulty")
    assert path.read_text(encoding="utf-8") == by_hand


def test_a_new_major_that_calculators_lack_facts_for_is_refused(enter: Enter, fees: Path) -> None:
    client = enter("editor")

    refused = publish(client, "major", read(client, "major", MAJORS, NEW)["items"])

    assert refused.status_code == 422
    assert "luat-kinh-te" in refused.text
    assert git(fees, "status", "--porcelain") == ""


def test_the_office_in_charge_and_the_day_of_the_review_are_read_as_offices_write_them(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    head = ["Tên ngành", "Phòng phụ trách", "Ngày rà soát gần nhất"]

    told = read(
        client,
        "major",
        head,
        ["Công nghệ thông tin", "phong tai chinh", datetime(2026, 9, 1)],
        ["Kế toán", "", "5/9/2026"],
        ["Luật kinh tế", "Phòng Vũ trụ", "31/2/2026"],
    )

    known, same, wrong = told["items"]
    assert known["fields"] == {"owner": "phong-tai-chinh", "reviewed_at": "2026-09-01"}
    assert known["changes"][0]["after"] == "Phòng Tài chính"
    assert same["fields"] == {"reviewed_at": "2026-09-05"}
    assert [each["column"] for each in wrong["faults"]] == head[1:]
    assert publish(client, "major", [known, same]).status_code == 201
    [majors] = [each for each in client.get("/api/catalogue").json()["sections"] if each["id"] == "major"]
    told = next(each["values"] for each in majors["parts"] if each["id"] == "cntt")
    assert (told["owner"], told["reviewed_at"]) == ("phong-tai-chinh", "2026-09-01")
    load_knowledge(school)


@pytest.mark.browser
@pytest.mark.parametrize("size", [pytest.param(LAPTOP, id="laptop"), pytest.param(PHONE, id="phone")])
def test_a_sheet_is_looked_at_on_the_page_and_saved(
    open_pages: OpenPages, school: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    sheet = tmp_path / "nganh.xlsx"
    wrong = [3, "Kiến trúc", 7580101, "Chất lượng vàng", "", ""]
    sheet.write_bytes(xlsx(MAJORS, NEW, KNOWN, wrong))
    page = open_pages("editor", size)
    page.goto("/topics/major~")
    page.locator("input[type=file]").set_input_files(sheet)
    rows = page.get_by_test_id("sheet-item")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Thêm mới")
    expect(rows.nth(1)).to_contain_text("Tên gọi khác: cntt cntt, IT")
    expect(rows.nth(2)).to_contain_text("Dòng 4, cột Chương trình: danh mục không có 'Chất lượng vàng'")
    expect(rows.nth(2).get_by_role("checkbox")).to_be_disabled()
    assert in_view(page)

    # A colleague changes one of them meanwhile: nothing is saved before the sheet is compared anew.
    path = school / "catalog.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("aliases: [cntt]", "aliases: [cntt, tin học]"), encoding="utf-8")
    page.get_by_role("button", name="Lưu 2 mục").click()
    page.get_by_test_id("sheet-conflict").get_by_role("button", name="So lại với danh mục").click()
    expect(rows.nth(1)).to_contain_text("cntt, tin học cntt, tin học, IT")
    page.get_by_role("button", name="Lưu 2 mục").click()

    expect(page.get_by_text("Đã lưu 2 mục")).to_be_visible()
    majors = {each.id: each for each in load_knowledge(school).catalog.majors}
    assert majors["cntt"].aliases == ("cntt", "tin học", "IT")
    assert majors["luat-kinh-te"].code == "7380107"


@pytest.mark.browser
@pytest.mark.usefixtures("school")
def test_the_first_steps_take_a_sheet_of_each_dimension(open_pages: OpenPages, tmp_path: Path) -> None:
    sheet = tmp_path / "khoa.csv"
    sheet.write_text("Khóa,Năm nhập học\nK50,2026\n", encoding="utf-8")
    page = open_pages("editor", LAPTOP)
    page.goto("/start")
    step = page.get_by_test_id("step-catalogue")
    expect(step).to_contain_text("4 khóa, 2 ngành, 2 chương trình.")

    with page.expect_file_chooser() as chooser:
        step.get_by_role("button", name="Khóa: nhập từ bảng tính").click()
    chooser.value.set_files(sheet)
    page.get_by_role("button", name="Lưu 1 mục").click()

    expect(step).to_contain_text("5 khóa")
