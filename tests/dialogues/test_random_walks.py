"""Some of the random walks of benchmarks/random_walks.py; all 2,000 are walked by that command."""

from __future__ import annotations

import pytest
from random_walks import School, flaws, flaws_in_logs, log_sizes, walks
from real_servers import RealServers

WALKS = 25
FEWEST_KINDS = 8


@pytest.fixture(scope="module")
def school() -> School:
    return School.load()


def answer(entry: str) -> dict[str, object]:
    return {"text": "…", "custom": {"type": "answer", "tier": "faq", "answer_id": entry, "citations": []}}


def cited(document: str) -> dict[str, object]:
    return {
        "text": "…",
        "custom": {"type": "answer", "tier": "document", "citations": [{"document_id": document}]},
    }


@pytest.mark.stack
def test_no_walk_ends_badly(servers: RealServers, school: School) -> None:
    logged = log_sizes(servers)
    walked = list(walks(range(WALKS), servers, school, workers=3))

    assert {each.seed: each.faults for each in walked if each.faults} == {}
    assert len({kind for each in walked for kind in each.kinds}) >= FEWEST_KINDS
    assert flaws_in_logs(servers, logged) == []


def test_an_answer_for_another_cohort_is_a_flaw(school: School) -> None:
    said = [answer("internship-001")]

    assert list(flaws(said, {("cohort", "47")}, school)) == []
    assert list(flaws(said, {("cohort", "50"), ("cohort", "48")}, school)) == []
    assert len(list(flaws(said, {("cohort", "50")}, school))) == 1
    assert len(list(flaws(said, set(), school))) == 1


def test_a_document_for_other_students_is_a_flaw(school: School) -> None:
    assert list(flaws([cited("chuan-ngoai-ngu-k47")], {("cohort", "48")}, school)) == []
    assert len(list(flaws([cited("chuan-ngoai-ngu-k47")], {("major", "luat")}, school))) == 1
    assert len(list(flaws([cited("hoc-phi-clc-cttt")], {("program", "standard")}, school))) == 1
    assert len(list(flaws([cited("no-such-document")], set(), school))) == 1


def test_an_answer_under_the_name_of_its_cohorts_is_nobody_elses(school: School) -> None:
    for lead, flawed in (("Khóa 44–Khóa 49", 0), ("Khóa 50–Khóa 52", 1), ("Thực tập mấy tuần?", 1)):
        said = [{**answer("internship-001"), "text": f"> {lead}\n\nTám tuần."}]

        assert len(list(flaws(said, set(), school))) == flawed


def test_a_student_who_has_named_two_majors_may_be_taken_for_one_of_either(school: School) -> None:
    standard_only = next(
        major
        for major in school.catalog.possible("major", {})
        if school.catalog.implied({"major": major}).get("program") == "standard"
    )
    several = next(
        major
        for major in school.catalog.possible("major", {})
        if not school.catalog.implied({"major": major})
    )
    given = {("cohort", "44"), ("major", several), ("major", standard_only)}

    assert list(flaws([answer("language-001")], given, school)) == []
    assert len(list(flaws([answer("language-001")], {("cohort", "44"), ("major", several)}, school))) == 1


def test_what_is_no_reply_is_a_flaw(school: School) -> None:
    apology = school.responses["utter_apology"][0]

    assert len(list(flaws([], set(), school))) == 1
    assert len(list(flaws([{"text": " "}], set(), school))) == 1
    assert len(list(flaws([{"text": apology}], set(), school))) == 1
    assert len(list(flaws([{"text": "Mình nhớ rồi: {profile}"}], set(), school))) == 1
    assert list(flaws([{"text": "> {profile}\n\nMình chưa rõ."}], set(), school)) == []


def test_a_question_of_the_school_may_name_whom_it_is_for(school: School) -> None:
    assert school.named_in("K52 khi nào được phát thẻ sinh viên?") == (("cohort", "52"),)
    assert ("program", "vlvh") in school.named_in("Hệ vừa làm vừa học có được miễn giảm học phí không?")
    assert school.named_in("Thư viện mở cửa mấy giờ?") == ()
