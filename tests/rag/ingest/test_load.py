"""A knowledge folder is read whole, or everything that is wrong with it is told at once."""

from __future__ import annotations

import unicodedata
from datetime import date
from pathlib import Path

import pytest

from rag.errors import KnowledgeError, Problem
from rag.ingest.load import MAX_FILE_BYTES, Knowledge, load_knowledge
from rag.types import Source
from school.catalog import Catalog
from school.dimensions import AppliesTo

CONTACT = "counselling: [{name: Tham vấn, phone: 0200 1}]"
CATALOG = f"""\
school: {{id: dhx, name: Trường Đại học X, short: ĐHX, phone: 0200 3800, hours: 7:30, {CONTACT}}}
cohorts:
  - {{id: 47, name: Khóa 47, year: 2021}}
  - {{id: 48, name: Khóa 48, year: 2022}}
programs:
  - {{id: clc, name: Chất lượng cao}}
majors:
  - {{id: cntt, name: Công nghệ thông tin, code: 7480201, faculty: khoa-cntt, programs: [clc], years: 4.5}}
offices:
  - {{id: khoa-cntt, name: Khoa CNTT, handles: [tuition]}}
"""
TOPICS = "- {id: tuition, name: Học phí, office: khoa-cntt, examples: [Học phí bao nhiêu?, Hạn đóng?]}\n"
GLOSSARY = """\
- {short: HP, full: [học phần, học phí]}
- {short: "no", full: không, also: [ko], kind: teencode}
"""
DOCUMENT = """\
---
title: Quy định học phí
number: 512/QĐ-ĐHX
issued: 2026-08-01
effective_from: 2026-09-01
topic: tuition
applies_to: {cohorts: [47-], programs: clc}
---
# QUY ĐỊNH

### Điều 1. Mức thu
1. Mức thu là 560.000 đồng.
"""
FAQ = """\
- id: tuition-001
  question: Học phí bao nhiêu?
  variants: [hp nhiu, hoc phi bao nhieu]
  answer: |
    Mỗi tín chỉ {{ facts.tuition.2026.cntt }}.
    - Hỏi phòng.
  topic: tuition
  applies_to: {cohorts: ["47–49"]}
  sources: [{document: hoc-phi, locator: "Điều 1, khoản 1"}]
  owner: khoa-cntt
  reviewed_at: 2026-09-05
"""
FACTS = "2026:\n  cntt: 560.000\n"
ABOUT = "- name: facts.tuition.2026\n  owner: khoa-cntt\n  reviewed_at: 2026-09-05\n"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


def school(**changed: str) -> dict[str, str | bytes]:
    """A folder in which all is right, with the first file whose name begins like a keyword replaced."""
    files: dict[str, str | bytes] = {
        "catalog.yml": CATALOG,
        "topics.yml": TOPICS,
        "glossary.yml": GLOSSARY,
        "documents/hoc-phi.md": DOCUMENT,
        "faq/tuition.yml": FAQ,
        "facts/tuition.yml": FACTS,
        "facts/tuition.meta.yml": ABOUT,
    }
    for name, content in changed.items():
        files[next(file for file in files if file.startswith(name))] = content
    return files


def problems_in(folder: Path) -> list[str]:
    with pytest.raises(KnowledgeError) as caught:
        load_knowledge(folder)
    return [str(problem) for problem in caught.value.problems]


def test_a_whole_folder_is_read(tmp_path: Path) -> None:
    knowledge = load_knowledge(write(tmp_path, school()))

    (document,) = knowledge.documents
    assert document.meta.id == "hoc-phi"
    assert document.meta.title == "Quy định học phí"
    assert document.meta.issued == date(2026, 8, 1)
    assert document.meta.applies_to == AppliesTo({"cohort": ("47-",), "program": ("clc",)})
    assert document.text.startswith("# QUY ĐỊNH\n\n### Điều 1. Mức thu\n1. Mức thu")
    (entry,) = knowledge.faq
    assert entry.answer == "Mỗi tín chỉ 560.000.\n- Hỏi phòng."
    assert entry.applies_to == AppliesTo({"cohort": ("47-49",)})
    assert entry.sources == (Source("hoc-phi", "Điều 1, khoản 1"),)
    assert entry.reviewed_at == date(2026, 9, 5)
    assert knowledge.warnings == ()


def test_the_catalogue_is_the_same_with_offices_in_charge_and_reviews(tmp_path: Path) -> None:
    dimensions = """\
dimensions:
  - cohort
  - program
  - major
  - id: campus
    name: cơ sở
    values:
      - {id: a, name: Cơ sở A}
courses:
  - {id: th1, name: Tin học 1}
"""
    plain = CATALOG + dimensions
    told = plain.replace("}", ", owner: khoa-cntt, reviewed_at: 2026-09-05}")

    before = load_knowledge(write(tmp_path / "plain", school(catalog=plain)))
    after = load_knowledge(write(tmp_path / "told", school(catalog=told)))

    assert before.catalog == after.catalog
    assert before.warnings == after.warnings == ()


def test_an_entry_says_the_aspects_it_is_given_else_those_of_its_phrasings(tmp_path: Path) -> None:
    given = FAQ.replace("  topic: tuition", "  topic: tuition\n  aspect: [fee, deadline]")

    (entry,) = load_knowledge(write(tmp_path / "given", school(faq=given))).faq
    (other,) = load_knowledge(write(tmp_path / "not", school())).faq

    assert entry.aspects == ("fee", "deadline")
    assert other.aspects == ("fee",)


def test_values_stay_as_they_look_in_the_file(tmp_path: Path) -> None:
    """YAML's own rules would make 450 of 7:30, false of no and 480.0 of 480.000."""
    knowledge = load_knowledge(write(tmp_path, school()))

    assert knowledge.catalog.school.hours == "7:30"
    assert knowledge.catalog.school.phone == "0200 3800"
    assert knowledge.catalog.majors[0].code == "7480201"
    assert knowledge.catalog.majors[0].years == 4.5
    assert knowledge.catalog.cohorts[0].year == 2021
    assert knowledge.glossary[1].short == "no"


def test_catalogue_items_are_found_by_dimension(tmp_path: Path) -> None:
    catalog = load_knowledge(write(tmp_path, school())).catalog

    assert catalog.ids("cohort") == ("47", "48")
    assert catalog.name("major", "cntt") == "Công nghệ thông tin"
    assert catalog.name("major", "unknown") == "unknown"
    assert catalog.office("nowhere") is None


def test_courses_and_the_month_an_academic_year_begins_in(tmp_path: Path) -> None:
    courses = "courses:\n  - {id: triet, name: Triết học, code: ML101, aliases: [mác lê]}\n"
    begins = CATALOG.replace("{id: dhx,", "{id: dhx, year_begins: 8,")
    catalog = load_knowledge(write(tmp_path, school(catalog=begins + courses))).catalog

    assert [(course.id, course.code, course.aliases) for course in catalog.courses] == [
        ("triet", "ML101", ("mác lê",))
    ]
    assert catalog.school.year_begins == 8
    assert Catalog().school.year_begins == 9


def test_what_students_call_a_document_is_no_part_of_it(tmp_path: Path) -> None:
    called = DOCUMENT.replace("topic: tuition", "topic: tuition\naliases: [quy định hp, quy định thu]")
    plain = load_knowledge(write(tmp_path / "plain", school()))
    knowledge = load_knowledge(write(tmp_path / "called", school(documents=called)))

    assert knowledge.document_aliases == {"hoc-phi": ("quy định hp", "quy định thu")}
    assert plain.document_aliases == {}
    assert knowledge.documents == plain.documents


def test_every_dictionary_is_optional(tmp_path: Path) -> None:
    knowledge = load_knowledge(write(tmp_path, {"documents/a.md": "# Một\n\nNội dung."}))

    assert [document.meta.title for document in knowledge.documents] == ["Một"]
    assert knowledge == Knowledge(documents=knowledge.documents)
    assert knowledge.catalog == Catalog()


def test_a_folder_without_documents_is_the_folder_of_documents(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"b.md": "# B\n\nx", "deeper/a.txt": "chữ", "topics.yml": TOPICS.replace("khoa-cntt", "''")}
    )

    knowledge = load_knowledge(folder)

    assert [document.meta.id for document in knowledge.documents] == ["b", "a"]
    assert [topic.id for topic in knowledge.topics] == ["tuition"]


def test_jsonl_in_a_plain_folder_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path, {"passages.jsonl": '{"id": "p1", "text": "một"}\n{"id": "p2", "text": "hai"}\n'})

    assert [document.meta.id for document in load_knowledge(folder).documents] == ["p1", "p2"]


def test_every_problem_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "catalog.yml": CATALOG.replace("programs: [clc]", "programs: [clx]"),
            "topics.yml": TOPICS.replace("examples", "exmaples"),
            "glossary.yml": "- {short: HP}\n- {full: học phần, short: [a]}\n",
            "documents/hoc-phi.md": DOCUMENT.replace("2026-08-01", "1/8/2026").replace("[47-]", '["49-47"]'),
            "faq/tuition.yml": FAQ.replace("facts.tuition.2026.cntt", "facts.tuition.2026.cnt")
            + FAQ.replace("topic: tuition", "topic: tution").replace("document: hoc-phi", "document: hocphi")
            + "- question: Thiếu\n  anwser: x\n",
            "facts/tuition.yml": FACTS,
            "facts/tuition.meta.yml": ABOUT,
            "facts/broken.yml": "a: [1\n",
        },
    )

    told = problems_in(folder)

    assert told == [
        "catalog.yml:8: there is no program 'clx'; did you mean 'clc'?",
        "documents/hoc-phi.md:4: 'issued': must be a date written year-month-day, like 2026-09-05, "
        "not '1/8/2026'",
        "documents/hoc-phi.md:7: 'applies_to.cohorts[1]': the range '49-47' ends before it begins",
        "facts/broken.yml:2: broken YAML: did not find expected ',' or ']' "
        "(while parsing a flow sequence of line 1)",
        "faq/tuition.yml:5: in the answer of 'tuition-001': there is no fact 'facts.tuition.2026.cnt'; "
        "did you mean 'facts.tuition.2026.cntt'?",
        "faq/tuition.yml:12: the id 'tuition-001' is taken (faq/tuition.yml:1)",
        "faq/tuition.yml:18: there is no topic 'tution'; did you mean 'tuition'?",
        "faq/tuition.yml:20: there is no document 'hocphi'; did you mean 'hoc-phi'?",
        "faq/tuition.yml:23: 'id' is missing",
        "faq/tuition.yml:23: 'answer' is missing",
        "faq/tuition.yml:23: 'topic' is missing",
        "faq/tuition.yml:24: unknown key 'anwser'; did you mean 'answer'?",
        "glossary.yml:1: 'full' is missing",
        "glossary.yml:2: 'short' must be text, not a list",
        "topics.yml:1: unknown key 'exmaples'; did you mean 'examples'?",
    ]


@pytest.mark.parametrize(
    ("file", "right", "wrong", "expected"),
    [
        ("faq", "owner: khoa-cntt", "owner: khoa-cnt", "10: there is no office 'khoa-cnt'"),
        ("faq", '{cohorts: ["47–49"]}', "{majors: [cnt]}", "8: there is no major 'cnt'"),
        ("faq", "document: hoc-phi", "document: hoc-phí", "9: there is no document 'hoc-phí'"),
        ("faq", "2026-09-05", "2026-02-30", "11: 'reviewed_at': '2026-02-30' is no day"),
        ("faq", "topic: tuition", "topic: tuition\n  aspect: price", "8: 'aspect"),
        ("faq", "question: Học", "question: [a] # ", "2: 'question' must be text"),
        ("faq", '["47–49"]', "[K47 trở đi]", "8: 'applies_to.cohorts[1]': 'K47 trở đi' is no range"),
        ("faq", "variants: [hp nhiu, ", "variants: {a: b} # ", "3: 'variants' must be a list, not a mapping"),
        (
            "faq",
            "2026.cntt }}",
            "2026 }}",
            "5: in the answer of 'tuition-001': 'facts.tuition.2026' is a group",
        ),
        (
            "faq",
            "2026.cntt }}",
            "2026.cntt }",
            "5: in the answer of 'tuition-001': '{{' without its other half",
        ),
        ("faq", FAQ, "question: x\n", "1: must be a list: every entry begins with '- '"),
        ("faq", "  topic: tuition", "  topic: tuition\n  topic: a", "8: the key 'topic' stands here again"),
        ("faq", "tuition-001", "&a tuition-001", "1: anchors and aliases"),
        ("topics", "office: khoa-cntt", "office: khoa-cnt", "1: there is no office 'khoa-cnt'"),
        ("topics", "office:", "assumes: {program: clx}, office:", "1: there is no program 'clx'"),
        ("topics", "office:", "assumes: {cohort: 47-}, office:", "1: "),
        ("topics", "office:", "assumes: {campus: a}, office:", "1: 'assumes' has no key 'campus'"),
        ("catalog", "year: 2022", "year: năm", "4: 'year' must be a whole number, not 'năm'"),
        ("catalog", "id: 48", "id: 47", "4: the id '47' is taken (line 3)"),
        ("catalog", "name: Khóa 48", "name: khoa 47", "4: 'khoa 47' already leads to '47' (line 3)"),
        ("catalog", "[tuition]", "[tution]", "10: there is no topic 'tution'"),
        ("catalog", "year: 2022", "owner: khoa-cnt", "4: there is no office 'khoa-cnt'"),
        ("catalog", "years: 4.5", "owner: khoa-cnt", "8: there is no office 'khoa-cnt'"),
        ("catalog", "handles: [tuition]", "owner: khoa-cnt", "10: there is no office 'khoa-cnt'"),
        ("catalog", "hours: 7:30", "owner: khoa-cnt", "1: there is no office 'khoa-cnt'"),
        ("catalog", "phone: 0200 1", "phone: 0200 1, owner: khoa-cnt", "1: there is no office 'khoa-cnt'"),
        (
            "catalog",
            "programs:\n",
            "dimensions:\n  - cohort\n  - program\n  - major\n"
            "  - {id: campus, name: cơ sở, values: [{id: a, name: Cơ sở A, owner: khoa-cnt}]}\nprograms:\n",
            "9: there is no office 'khoa-cnt'; did you mean 'khoa-cntt'?",
        ),
        ("catalog", "year: 2022", "reviewed_at: 2026-02-30", "4: 'reviewed_at': '2026-02-30' is no day"),
        ("catalog", "majors:", "major:", "7: unknown key 'major'; did you mean 'majors'?"),
        ("documents", "topic: tuition", "topic: tution", "6: there is no topic 'tution'"),
        ("documents", "\n---\n# QUY", "\n# QUY", "1: the front matter that begins here has no closing"),
        ("documents", "number: 512", "number: 5: 12", "3: broken YAML: mapping values are not allowed"),
        ("documents", "topic:", "effective_to: 2026-01-01\ntopic:", "6: 'effective_to' is before"),
        ("documents", "topic:", "supersedes: hoc-phi\ntopic:", "6: a document cannot supersede itself"),
        ("documents", "topic:", "owner: khoa-cnt\ntopic:", "6: there is no office 'khoa-cnt'"),
        (
            "documents",
            "topic:",
            "reviewed_at: 2026-13-01\ntopic:",
            "6: 'reviewed_at': '2026-13-01' is no day",
        ),
        ("topics", "office:", "reviewed_at: soon, office:", "1: 'reviewed_at'"),
        (
            "facts/tuition.meta",
            "tuition.2026",
            "tuition.2025",
            "1: 'facts.tuition.2025' is neither a fact nor a",
        ),
        ("facts/tuition.meta", "owner: khoa-cntt", "owner: khoa-cnt", "2: there is no office 'khoa-cnt'"),
        ("facts/tuition.meta", "2026-09-05", "2026-02-30", "3: 'reviewed_at': '2026-02-30' is no day"),
        ("facts/tuition.meta", ABOUT, ABOUT * 2, "4: 'facts.tuition.2026' is told about already (line 1)"),
        ("facts/tuition.meta", ABOUT, "owner: khoa-cntt\n", "1: must be a list"),
        ("facts", FACTS, "2026: [a]\n", "1: the fact 'facts.tuition.2026' must be text, not a list"),
        ("glossary", GLOSSARY, GLOSSARY * 2, "3: 'HP' stands here again (line 1)"),
    ],
)
def test_a_problem_names_its_line_and_what_is_wrong(
    tmp_path: Path, file: str, right: str, wrong: str, expected: str
) -> None:
    files = school()
    name = next(name for name in files if name.startswith(file))
    assert right in str(files[name])
    files[name] = str(files[name]).replace(right, wrong)

    told = problems_in(write(tmp_path, files))

    assert any(problem.startswith(f"{name}:{expected}") for problem in told), told


def test_what_refers_to_a_broken_entry_is_not_at_fault(tmp_path: Path) -> None:
    files = school(
        documents=DOCUMENT.replace("2026-08-01", "sometime"), topics=TOPICS.replace("name:", "nme:")
    )

    files_told = {problem.split(":")[0] for problem in problems_in(write(tmp_path, files))}

    assert files_told == {"documents/hoc-phi.md", "topics.yml"}


def test_facts_that_cannot_be_read_are_told_once(tmp_path: Path) -> None:
    assert len(problems_in(write(tmp_path, school(facts="a: b: c\n")))) == 1


def test_two_documents_of_one_name_are_a_problem(tmp_path: Path) -> None:
    folder = write(tmp_path, {"documents/a.md": "# A\n\nx", "documents/2026/a.txt": "y"})

    assert problems_in(folder) == [
        "documents/a.md:1: a document 'a' is there already (documents/2026/a.txt); give one another id"
    ]


def test_yaml_that_would_exhaust_the_stack_is_a_problem(tmp_path: Path) -> None:
    told = problems_in(write(tmp_path, school(faq="[" * 100_000)))

    assert told == ["faq/tuition.yml:1: nested more than 40 deep"]


def test_text_that_is_not_utf8_is_told_with_its_line(tmp_path: Path) -> None:
    files = school()
    files["topics.yml"] = TOPICS.encode() + "- {id: học}\n".encode("utf-16-le")

    assert problems_in(write(tmp_path, files)) == ["topics.yml:2: not UTF-8 text; save the file as UTF-8"]


def test_metadata_beside_a_document(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "documents/quy-che.txt": "Nội dung",
            "documents/quy-che.meta.yml": "title: Quy chế\nnumber: 1/QĐ\n",
            "documents/hoc-phi.md": "---\ntitle: Của nó\n---\nNội dung",
            "documents/hoc-phi.md.meta.yml": "title: Bên cạnh\nurl: https://x.example/a\n",
            "documents/lost.meta.yml": "title: Mất\n",
        },
    )

    knowledge = load_knowledge(folder)

    by_id = {document.meta.id: document.meta for document in knowledge.documents}
    assert (by_id["quy-che"].title, by_id["quy-che"].number) == ("Quy chế", "1/QĐ")
    assert (by_id["hoc-phi"].title, by_id["hoc-phi"].url) == ("Của nó", "https://x.example/a")
    assert knowledge.warnings == (
        Problem("documents/lost.meta.yml", "there is no document of this name beside it"),
    )


def test_a_fault_in_metadata_beside_a_document_names_that_file(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"topics.yml": TOPICS.replace("khoa-cntt", "''"), "documents/a.txt": "x",
                   "documents/a.meta.yml": "title: A\ntopic: tution\n"}
    )  # fmt: skip

    assert problems_in(folder) == [
        "documents/a.meta.yml:2: there is no topic 'tution'; did you mean 'tuition'?"
    ]


def test_files_that_are_not_read_are_warnings(tmp_path: Path) -> None:
    files = school() | {
        "documents/a.doc": b"x",
        "documents/.DS_Store": b"x",
        "documents/~$a.docx": b"x",
        "topic.yml": b"x",
        "faq/notes.txt": b"x",
        "vectors.npz": b"x",
    }

    warnings = [str(warning) for warning in load_knowledge(write(tmp_path, files)).warnings]

    assert warnings == [
        "documents/a.doc: files of this kind are not read; save it as .docx",
        "faq/notes.txt: not read: faq/ holds YAML files (.yml)",
        "topic.yml: not read: it is not in documents/; did you mean 'topics.yml'?",
    ]


def test_a_phrasing_that_leads_to_two_answers_is_a_warning(tmp_path: Path) -> None:
    for_others = FAQ.replace("tuition-001", "tuition-002").replace("47–49", "50-")
    twice = FAQ.replace("tuition-001", "tuition-003").replace("hp nhiu", "HP nhiu ?")

    warnings = load_knowledge(write(tmp_path, school(faq=FAQ + for_others + twice))).warnings

    repeated = [warning.message for warning in warnings if "leads to" in warning.message]
    assert len(repeated) == 3
    assert all("tuition-003" in message for message in repeated)


def test_a_range_without_cohorts_and_a_missing_predecessor_are_warnings(tmp_path: Path) -> None:
    document = DOCUMENT.replace("[47-]", '["60-"]').replace("topic:", "supersedes: [hoc-phi-2025]\ntopic:")

    warnings = [
        warning.message for warning in load_knowledge(write(tmp_path, school(documents=document))).warnings
    ]

    assert "no cohort of the catalogue is in the range '60-'" in warnings
    assert any(message.startswith("it supersedes 'hoc-phi-2025', which is not here") for message in warnings)


def test_a_file_too_large_is_a_problem(tmp_path: Path) -> None:
    folder = write(tmp_path, {"documents/a.md": "x"})
    with (folder / "documents/large.pdf").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 2**20)

    assert problems_in(folder) == ["documents/large.pdf: 51 MB; at most 50 MB are read: split or shrink it"]


def test_a_link_to_nothing_is_a_problem(tmp_path: Path) -> None:
    folder = write(tmp_path, {"documents/a.md": "x"})
    (folder / "documents/b.md").symlink_to("nowhere.md")

    assert problems_in(folder) == ["documents/b.md: no file that can be read (a link to nothing?)"]


@pytest.mark.parametrize("files", [{}, {"documents/.keep": b""}])
def test_a_folder_with_nothing_to_read_is_a_problem(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    assert "nothing to read" in problems_in(write(tmp_path, files))[0]


def test_a_folder_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert "no such folder" in problems_in(tmp_path / "nowhere")[0]


def test_text_is_nfc_whatever_the_file_holds(tmp_path: Path) -> None:
    files = {name: unicodedata.normalize("NFD", str(text)) for name, text in school().items()}

    knowledge = load_knowledge(write(tmp_path, dict(files)))

    shown = [knowledge.documents[0].text, knowledge.documents[0].meta.title, knowledge.faq[0].question,
             knowledge.faq[0].answer, knowledge.catalog.majors[0].name, knowledge.topics[0].name]  # fmt: skip
    assert all(unicodedata.is_normalized("NFC", text) for text in shown)


def test_the_hash_changes_with_the_text_and_with_the_metadata_only(tmp_path: Path) -> None:
    def hash_of(folder: str, document: str) -> str:
        return load_knowledge(write(tmp_path / folder, school(documents=document))).documents[0].content_hash

    same = hash_of("a", DOCUMENT)
    assert hash_of("b", DOCUMENT) == same
    assert hash_of("c", DOCUMENT.replace("560", "561")) != same
    assert hash_of("d", DOCUMENT.replace("2026-09-01", "2026-09-02")) != same


def test_topics_that_the_classifier_can_hardly_learn_are_warnings(tmp_path: Path) -> None:
    topics = (
        TOPICS + "- {id: parking, name: Gửi xe}\n- {id: food, name: Ăn uống, examples: [Căng tin ở đâu?]}\n"
    )

    told = [str(warning) for warning in load_knowledge(write(tmp_path, school(topics=topics))).warnings]

    assert told == [
        "topics.yml:2: the topic 'parking' cannot be recognized yet: it has no example questions and no FAQ entry. "
        "Write at least 5 example questions, write FAQ entries, or label messages of students for it",
        "topics.yml:3: the topic 'food' has only 1 example question, the FAQ included; it needs 5 to be recognized. "
        "Write more example questions, write FAQ entries, or label messages of students for it",
    ]
