"""The engine asks back for the dimension that the answer depends on, with its values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.decide.clarify import (
    MAX_VALUES,
    left_out,
    missing_dimension,
    profile_options,
    reading_options,
    rivals,
    siblings,
    widest_first,
)
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Candidate, FaqEntry, Passage
from school.catalog import Catalog, Cohort, Major, Program
from school.dimensions import AppliesTo, Profile

CATALOG = Catalog(
    cohorts=tuple(Cohort(str(number), f"Khóa {number}") for number in range(46, 50)),
    majors=tuple(Major(f"m{number}", f"Ngành {number}") for number in range(30)),
    programs=(Program("standard", "Đại trà"), Program("clc", "Chất lượng cao")),
)


def entry(
    name: str, question: str, score: float = 0.9, topic: str = "study", **applies: tuple[str, ...]
) -> Candidate:
    return Candidate(FAQ_SOURCE, FaqEntry(name, question, (), "Vậy.", topic, AppliesTo(applies)), score)


def clause(name: str, score: float, topic: str = "study", **applies: tuple[str, ...]) -> Candidate:
    passage = Passage(name, "Vậy.", name, "A", "Điều 1", topic=topic, applies_to=AppliesTo(applies))
    return Candidate(DOCUMENT_SOURCE, passage, score)


def ids(candidates: list[Candidate]) -> list[str]:
    return [candidate.item.id for candidate in candidates]


def test_entries_with_one_question_for_different_students_are_siblings() -> None:
    candidates = [
        entry("a", "Chuẩn ra trường?", 0.9, cohort=("-48",)),
        entry("other", "Chuẩn vào trường?", 0.89, cohort=("49-",)),
        entry("b", "Chuẩn ra trường?", 0.85, cohort=("49-",)),
    ]

    group = siblings(candidates, 0.12)

    assert ids(group) == ["a", "b"]
    assert ids(rivals(candidates, group)) == ["other"]


def test_passages_for_different_students_that_are_nearly_as_good_are_siblings() -> None:
    candidates = [
        clause("a", 0.9, cohort=("-48",)),
        clause("same-students", 0.89, cohort=("-48",)),
        clause("other-topic", 0.88, topic="tuition", cohort=("49-",)),
        clause("b", 0.85, cohort=("49-",)),
        clause("far", 0.5, cohort=("49-",)),
    ]

    assert ids(siblings(candidates, 0.1)) == ["a", "b"]


def test_what_holds_for_everybody_asks_for_nothing() -> None:
    assert (
        missing_dimension([entry("a", "A?"), entry("b", "A?", cohort=("49-",))], Profile(), CATALOG) is None
    )


@pytest.mark.parametrize(
    ("profile", "missing"),
    [
        (Profile(), "cohort"),
        (Profile({"cohort": "48"}), "program"),
        (Profile({"program": "clc"}), "cohort"),
        (Profile({"cohort": "48", "program": "clc"}), None),
        (Profile({"major": "m1"}), "cohort"),
    ],
)
def test_what_tells_most_readings_apart_is_asked_first(profile: Profile, missing: str | None) -> None:
    group = [
        entry("a", "A?", cohort=("-47",), program=("clc",)),
        entry("b", "A?", cohort=("48",), program=("clc",)),
        entry("c", "A?", cohort=("49-",), program=("standard",)),
    ]

    assert missing_dimension(group, profile, CATALOG) == missing


def test_every_cohort_is_offered_the_newest_first() -> None:
    group = [entry("a", "A?", cohort=("-47",)), entry("b", "A?", cohort=("48-",))]

    options = profile_options("cohort", group, Profile(), CATALOG)

    assert [option.payload for option in options] == [{"cohort": str(n)} for n in (49, 48, 47, 46)]
    assert options[0].title == "Khóa 49"


def test_programs_are_offered_by_their_names() -> None:
    group = [entry("a", "A?", program=("clc",)), entry("b", "A?", program=("standard",))]

    assert [
        (option.title, dict(option.payload))
        for option in profile_options("program", group, Profile(), CATALOG)
    ] == [
        ("Đại trà", {"program": "standard"}),
        ("Chất lượng cao", {"program": "clc"}),
    ]


def test_of_many_majors_those_that_are_singled_out_are_offered() -> None:
    most = tuple(f"m{number}" for number in range(20))
    group = [entry("a", "A?", major=most), entry("b", "A?", major=("m28", "m25"))]

    offered = [option.payload["major"] for option in profile_options("major", group, Profile(), CATALOG)]

    assert {"m25", "m28"} <= set(offered)
    assert len(offered) <= MAX_VALUES
    assert offered == sorted(offered, key=lambda major: int(major[1:]))


def test_without_a_catalogue_the_values_themselves_are_offered() -> None:
    group = [entry("a", "A?", program=("clc",)), entry("b", "A?", program=("vlvh",))]

    options = profile_options("program", group, Profile(), Catalog())

    assert [(option.title, dict(option.payload)) for option in options] == [
        ("clc", {"program": "clc"}),
        ("vlvh", {"program": "vlvh"}),
    ]


def test_readings_are_offered_by_their_questions_each_once() -> None:
    candidates = [
        entry("a", "Một?", 0.7),
        entry("a2", "Một?", 0.69),
        entry("b", "Hai?", 0.68),
        clause("c", 0.68),
        entry("d", "Ba?", 0.6),
    ]

    options = reading_options(candidates, 0.05, 5)

    assert [(option.title, dict(option.payload)) for option in options] == [
        ("Một?", {"faq": "a"}),
        ("Hai?", {"faq": "b"}),
    ]


def test_no_more_readings_than_asked_for() -> None:
    assert len(reading_options([entry(str(n), f"{n}?") for n in range(9)], 0.05, 5)) == 5


def test_what_another_reading_depends_on_is_asked_for_first_when_it_decides_more() -> None:
    group = [
        entry("languages", "Chuẩn ra trường?", major=("m1",)),
        entry("standard", "Chuẩn ra trường?", program=("standard",)),
        entry("clc", "Chuẩn ra trường?", program=("clc",)),
    ]

    assert missing_dimension(group, Profile(), CATALOG) == "program"
    assert missing_dimension(group, Profile({"program": "clc"}), CATALOG) == "major"


# --- rare values ----------------------------------------------------------------------------------------------------

WITH_EVENING = Catalog(
    majors=(
        Major("law", "Luật", programs=("standard", "evening")),
        Major("it", "Công nghệ thông tin", programs=("standard", "clc")),
        Major("art", "Mỹ thuật", programs=("standard",)),
    ),
    programs=(
        Program("standard", "Đại trà"),
        Program("clc", "Chất lượng cao"),
        Program("evening", "Buổi tối", rare=True),
    ),
)
DAY = entry("day", "Mượn sách?", program=("standard", "clc"))
EVENING = entry("evening", "Mượn sách?", program=("evening",))
STANDARD = entry("standard", "Học phí?", program=("standard",))


def test_who_leaves_out_rare_students_only_is_not_asked_about() -> None:
    assert missing_dimension([DAY, EVENING], Profile(), WITH_EVENING) is None
    assert left_out(DAY.item.applies_to, Profile(), WITH_EVENING) == {"program": ("evening",)}


def test_the_answer_for_everybody_else_comes_before_that_for_rare_students() -> None:
    assert ids(widest_first([EVENING, DAY], Profile(), WITH_EVENING)) == ["day", "evening"]


def test_an_answer_for_rare_students_alone_is_asked_about() -> None:
    assert missing_dimension([EVENING], Profile(), WITH_EVENING) == "program"


def test_an_answer_that_leaves_out_other_students_too_is_asked_about() -> None:
    assert missing_dimension([STANDARD], Profile(), WITH_EVENING) == "program"


WITH_COHORTS = Catalog(cohorts=tuple(Cohort(str(year), f"Khóa {year}") for year in range(44, 53)))
BEFORE_50 = entry("before-50", "Thi nội bộ khi nào?", cohort=tuple(map(str, range(44, 50))))
FROM_50 = entry("from-50", "Thi nội bộ khi nào?", cohort=("50", "51", "52"))


def test_the_only_reading_names_the_few_whom_it_does_not_hold_for() -> None:
    assert missing_dimension([BEFORE_50], Profile(), WITH_COHORTS) is None
    assert left_out(BEFORE_50.item.applies_to, Profile(), WITH_COHORTS) == {"cohort": ("50", "51", "52")}


def test_an_only_reading_for_few_is_asked_about() -> None:
    assert missing_dimension([FROM_50], Profile(), WITH_COHORTS) == "cohort"


def test_one_of_two_readings_is_asked_about() -> None:
    assert missing_dimension([BEFORE_50, FROM_50], Profile(), WITH_COHORTS) == "cohort"


def test_what_the_student_has_said_is_no_assumption() -> None:
    assert left_out(DAY.item.applies_to, Profile({"program": "clc"}), WITH_EVENING) == {}


def test_an_answer_for_all_who_are_possible_leaves_nobody_out() -> None:
    everybody = entry("all", "Mượn sách?", program=("standard", "clc", "evening"))

    assert missing_dimension([everybody], Profile(), WITH_EVENING) is None
    assert left_out(everybody.item.applies_to, Profile(), WITH_EVENING) == {}


def test_only_the_programmes_of_the_student_s_major_are_offered() -> None:
    options = profile_options("program", [STANDARD], Profile({"major": "it"}), WITH_EVENING)

    assert [option.payload["program"] for option in options] == ["standard", "clc"]


def test_a_major_with_one_programme_needs_no_question() -> None:
    assert WITH_EVENING.implied({"major": "art"}) == {"program": "standard"}
    assert WITH_EVENING.implied({"major": "it"}) == {}
    assert WITH_EVENING.possible("major", {"program": "evening"}) == ("law",)


def test_the_dimension_after_which_fewer_are_asked_for_goes_first() -> None:
    standard = entry("a", "Học phí?", program=("standard",))
    old = entry("b", "Học phí?", program=("clc",), cohort=("-47",))
    new = entry("c", "Học phí?", program=("clc",), cohort=("48-",))

    # The cohort says nothing of the standard programme.
    assert missing_dimension([standard, old, new], Profile(), CATALOG) == "program"
    assert missing_dimension([old, new], Profile({"program": "clc"}), CATALOG) == "cohort"
    assert missing_dimension([standard], Profile({"program": "standard"}), CATALOG) is None


def test_dimensions_that_are_all_needed_are_asked_for_in_the_order_of_the_catalogue() -> None:
    group = [
        entry(f"{cohort}{program}", "Học phí?", cohort=(cohort,), program=(program,))
        for cohort in ("-47", "48-")
        for program in ("standard", "clc")
    ]

    assert missing_dimension(group, Profile(), CATALOG) == CATALOG.dimension_ids[0]


def test_a_question_of_crisis_is_no_option_though_it_is_the_nearest() -> None:
    marked = replace(entry("crisis", "Mình không muốn sống nữa?").item, never_offered=True)
    others = [entry("minor", "Học song ngành?", 0.8), entry("change", "Chuyển ngành?", 0.7)]

    options = reading_options([Candidate(FAQ_SOURCE, marked, 0.9), *others], 1.0, 5)

    assert [option.title for option in options] == ["Học song ngành?", "Chuyển ngành?"]
