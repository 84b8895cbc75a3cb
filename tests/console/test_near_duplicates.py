"""Entries that nearly ask the same: found for some of the same students, merged, or marked as differing."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from console_driver import SIZES, Enter, OpenPages, in_view, scrolling_sideways
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.api.dependencies import Console
from console.faq_files import wordings_of
from console.near_duplicates import near_places
from console.publishing import Publisher
from console.question_likeness import LEAST_COSINE, LEAST_LIKENESS
from console.same_questions import covers
from rag.ingest.checked_questions import CheckedQuestion
from rag.ingest.load import load_knowledge
from school.catalog import Catalog, Major
from school.dimensions import AppliesTo

LIST = "/api/faq/duplicates"
DEADLINE = {
    "question": "Hạn đóng học phí là ngày nào?",
    "variants": ["đóng học phí tới hôm nào", "han nop hoc phi"],
    "answer": "Ngày 15 tháng 10.",
    "topic": "tuition",
    "same_entries": ["tuition-deadline"],
}
LANGUAGE = {
    "question": "Chuẩn ngoại ngữ để tốt nghiệp là gì?",
    "answer": "TOEIC 600.",
    "topic": "language",
    "applies_to": {"cohorts": ["50"]},
    "same_entries": ["language-k49"],
}


def looked_for(client: TestClient, **query: str) -> dict[str, Any]:
    """Return the list once the pairs of the current index are found."""
    for _ in range(600):
        told: dict[str, Any] = client.get(LIST, params=query).json()
        if not told["searching"]:
            return told
        time.sleep(0.05)
    raise AssertionError("the search did not end")


def ids(told: dict[str, Any]) -> list[list[str]]:
    return [sorted(entry["id"] for entry in pair["entries"]) for pair in told["pairs"]]


def publish(client: TestClient, entry: dict[str, Any]) -> str:
    made = client.post("/api/faq/entries", json=entry)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def asked(question: str) -> dict[str, Any]:
    return {"question": question, "answer": "Bạn hỏi Phòng Đào tạo.", "topic": "dormitory"}


def publish_anyway(client: TestClient, entry: dict[str, Any]) -> str:
    """Publish an entry, once more with what a refusal shows as seen."""
    refused = client.post("/api/faq/entries", json=entry)
    if refused.status_code == 201:
        return str(refused.json()["id"])
    named = [each["id"] for each in refused.json()["detail"]["entries"]]
    return publish(client, {**entry, "same_entries": named})


def seen(told: dict[str, Any], kept: str, gone: str) -> dict[str, Any]:
    """Return the body that merges one entry into another, as they are listed."""
    entries = {entry["id"]: entry for pair in told["pairs"] for entry in pair["entries"]}
    return {
        name: {"id": of, "version": entries[of]["version"]} for name, of in (("kept", kept), ("gone", gone))
    }


def test_pairs_are_listed_with_both_answers_and_only_for_the_same_students(enter: Enter) -> None:
    client = enter("editor")
    assert looked_for(client)["pairs"] == []

    made = publish(client, DEADLINE)

    told = looked_for(client)
    assert ids(told) == [sorted([made, "tuition-deadline"])]
    [pair] = told["pairs"]
    assert pair["likeness"] >= LEAST_LIKENESS
    assert {entry["answer"].strip() for entry in pair["entries"]} == {
        "Ngày 15 tháng 10.",
        "Hạn đóng học phí là ngày 30 tháng 9.",
    }
    assert all(entry["may_stay"] for entry in pair["entries"])


def test_a_pair_that_differs_is_shown_no_more_until_a_question_changes(enter: Enter) -> None:
    client = enter("editor")
    made = publish(client, DEADLINE)
    told = looked_for(client)
    pair = {"one": made, "other": "tuition-deadline"}

    assert client.put(f"{LIST}/differing", json={**pair, "differ": True}).status_code == 200

    told = looked_for(client)
    assert (told["pairs"], told["near"], told["differing"]) == ([], 0, 1)
    assert ids(looked_for(client, differing="true")) == [sorted([made, "tuition-deadline"])]
    entry = client.get(f"/api/faq/entries/{made}").json()
    fields = {name: entry[name] for name in ("variants", "answer", "topic", "version")}
    changed = {**fields, "question": "Nộp học phí hạn cuối hôm nào?", "same_entries": ["tuition-deadline"]}
    assert client.put(f"/api/faq/entries/{made}", json=changed).status_code == 200
    assert ids(looked_for(client)) == [sorted([made, "tuition-deadline"])]


def test_a_mark_can_be_taken_away(enter: Enter) -> None:
    client = enter("editor")
    made = publish(client, DEADLINE)
    looked_for(client)
    pair = {"one": "tuition-deadline", "other": made}
    client.put(f"{LIST}/differing", json={**pair, "differ": True})

    assert client.put(f"{LIST}/differing", json={**pair, "differ": False}).status_code == 200

    assert len(looked_for(client)["pairs"]) == 1
    assert client.put(f"{LIST}/differing", json={**pair, "one": "x", "differ": True}).status_code == 404


@pytest.mark.parametrize("kept_first", [True, False])
def test_a_merge_joins_wordings_and_checked_questions_in_one_version(
    enter: Enter, publisher: Publisher, school: Path, kept_first: bool
) -> None:
    client = enter("editor")
    asked = "khi nào phải nộp tiền học"
    made = publish(client, {**DEADLINE, "checks": [asked]})
    others = {each.id: each.text for each in publisher.files.entries()}
    kept, gone = ("tuition-deadline", made) if kept_first else (made, "tuition-deadline")
    told = looked_for(client)
    before = client.get("/api/versions").json()["versions"][0]["commit"]

    done = client.post(f"{LIST}/merge", json=seen(told, kept, gone))

    assert done.status_code == 200, done.text
    after = {each.id: each for each in publisher.files.entries()}
    assert gone not in after
    wordings = wordings_of(after[kept].record)
    assert len(wordings) == len({each.casefold() for each in wordings})
    assert {"khi nao dong hoc phi", "đóng học phí tới hôm nào"} <= set(wordings)
    assert {each: after[each].text for each in after if each != kept} == {
        each: text for each, text in others.items() if each not in (kept, gone)
    }
    assert publisher.files.checked() == (CheckedQuestion(asked, made if not kept_first else kept),)
    load_knowledge(school)
    latest, previous = client.get("/api/versions").json()["versions"][:2]
    assert (latest["action"], previous["commit"]) == ("merged", before)
    assert looked_for(client)["pairs"] == []


def test_a_merge_of_what_was_changed_meanwhile_is_a_conflict_with_both_texts(
    enter: Enter, publisher: Publisher
) -> None:
    client = enter("editor")
    made = publish(client, DEADLINE)
    told = looked_for(client)
    [file] = {each.file for each in publisher.files.entries() if each.id == "tuition-deadline"}
    path = publisher.files.knowledge / file
    path.write_text(path.read_text(encoding="utf-8").replace("30 tháng 9", "1 tháng 9"), encoding="utf-8")
    before = path.read_text(encoding="utf-8")

    for kept, gone in (("tuition-deadline", made), (made, "tuition-deadline")):
        refused = client.post(f"{LIST}/merge", json=seen(told, kept, gone))
        assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
        assert "1 tháng 9" in refused.json()["detail"]["theirs"]
        assert refused.json()["message"].startswith("tuition-deadline ")

    assert path.read_text(encoding="utf-8") == before


def test_students_of_the_one_that_goes_keep_an_answer(enter: Enter) -> None:
    client = enter("editor")
    made = publish(client, LANGUAGE)
    told = looked_for(client)
    assert ids(told) == [sorted([made, "language-k49"])]
    stays = {entry["id"]: entry["may_stay"] for entry in told["pairs"][0]["entries"]}
    assert stays == {made: False, "language-k49": True}

    refused = client.post(f"{LIST}/merge", json=seen(told, made, "language-k49"))

    assert (refused.status_code, refused.json()["error"]) == (422, "fewer_students")
    assert client.post(f"{LIST}/merge", json=seen(told, "language-k49", made)).status_code == 200
    same = {"id": made, "version": "0"}
    assert client.post(f"{LIST}/merge", json={"kept": same, "gone": same}).status_code == 404


@pytest.mark.parametrize(
    ("one", "other", "is_covered"),
    [
        ({}, {"cohort": ("49",)}, True),
        ({"cohort": ("49",)}, {}, False),
        ({"cohort": ("47-",)}, {"cohort": ("49",)}, True),
        ({"cohort": ("47-50",)}, {"cohort": ("47-",)}, False),
        ({"cohort": ("47-48", "50-51")}, {"cohort": ("47-51",)}, False),
        ({"cohort": ("-50",)}, {"cohort": ("45-49",)}, True),
        ({"major": ("cntt", "luat")}, {"major": ("cntt",)}, True),
        ({"major": ("cntt",)}, {"major": ("cntt", "luat")}, False),
        ({"major": ("cntt",)}, {"cohort": ("49",)}, False),
    ],
)
def test_whether_an_entry_is_for_all_students_of_another(one: Any, other: Any, is_covered: bool) -> None:
    catalog = Catalog(majors=(Major("cntt", "CNTT"), Major("luat", "Luật")))
    assert covers(AppliesTo(one), AppliesTo(other), catalog) is is_covered


def test_entries_without_a_source_that_ask_the_same_in_other_words_are_a_pair(enter: Enter) -> None:
    client = enter("editor")
    first = publish(client, asked("Căng tin của Trường ở đâu?"))
    second = publish_anyway(client, asked("Căng tin trường ở đâu?"))

    assert ids(looked_for(client)) == [sorted([first, second])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Vé gửi xe của khóa 49 bao nhiêu tiền?", "Vé gửi xe của khóa 50 bao nhiêu tiền?"),
        ("Lễ trao bằng tổ chức ở đâu?", "Lễ trao bằng tổ chức khi nào?"),
    ],
)
def test_entries_that_only_look_alike_are_no_pair(enter: Enter, one: str, other: str) -> None:
    client = enter("editor")
    publish(client, asked(one))
    publish_anyway(client, asked(other))

    assert looked_for(client)["pairs"] == []


def test_near_rows_are_found_once_each() -> None:
    made = np.random.default_rng(1).normal(size=(1_300, 32)).astype(np.float32)
    made[1_200] = made[3] + 0.01
    made[700] = made[3]
    made /= np.linalg.norm(made, axis=1, keepdims=True)

    found = {(one, other) for one, other, _ in near_places(made)}

    cosines = made @ made.T
    assert found == {
        (int(one), int(other)) for one, other in np.argwhere(cosines >= LEAST_COSINE) if one < other
    }
    assert {(3, 700), (3, 1_200), (700, 1_200)} <= found


def test_a_console_that_ends_ends_the_search(console: Console) -> None:
    console.duplicates.found()
    console.duplicates.close()
    pairs, _ = console.duplicates.found()
    assert pairs == ()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_a_pair_is_merged_in_the_browser(
    open_pages: OpenPages, publisher: Publisher, enter: Enter, size: tuple[int, int]
) -> None:
    made = publish(enter("administrator"), DEADLINE)
    looked_for(enter("administrator"))
    page = open_pages("editor", size)
    page.goto("/faq")
    page.get_by_text("Gần trùng (1)").click()

    pair = page.get_by_test_id("near-pair")
    expect(pair.get_by_test_id("near-entry")).to_have_count(2)
    expect(pair).to_contain_text("Ngày 15 tháng 10.")
    expect(pair).to_contain_text("ngày 30 tháng 9")
    assert scrolling_sideways(page) == []
    assert in_view(page)
    side = pair.get_by_test_id("near-entry").filter(has_text="30 tháng 9")
    side.get_by_role("button", name="Giữ câu này").click()
    # The school of this test keeps no versions.
    expect(page.get_by_role("dialog").get_by_test_id("no-versions")).to_be_visible()
    expect(page.get_by_role("dialog")).not_to_contain_text("Có thể hoàn tác")
    page.get_by_role("dialog").get_by_role("button", name="Gộp", exact=True).click()

    expect(page.get_by_text("Đã gộp. Covan trả lời được ngay.")).to_be_visible()
    expect(page.get_by_text("Không có cặp nào gần trùng")).to_be_visible()
    assert publisher.files.entry(made) is None


@pytest.mark.browser
def test_a_pair_is_marked_in_the_browser_and_shown_again(open_pages: OpenPages, enter: Enter) -> None:
    publish(enter("administrator"), DEADLINE)
    looked_for(enter("administrator"))
    page = open_pages("editor", (1280, 800))
    page.goto("/faq")
    page.get_by_text("Gần trùng (1)").click()
    page.get_by_role("button", name="Hai câu này khác nhau").click()
    expect(page.get_by_text("Không có cặp nào gần trùng")).to_be_visible()

    page.get_by_text("Đã xét là khác nhau (1)").click()
    page.get_by_role("button", name="Hiện lại cặp này").click()
    page.get_by_text("Đã xét là khác nhau (0)").click()

    expect(page.get_by_test_id("near-pair")).to_have_count(1)
