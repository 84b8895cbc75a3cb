"""Edits of FAQ files: what was not changed stays as it is."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
import yaml

from console.faq_files import FaqFiles, rendered
from console.knowledge_files import ConflictError, KnowledgeFileError, contents_of
from console.replaced_file import write_contents

CONTENT = """\
# Của Phòng Đào tạo.
- id: study-001   # đừng đổi mã
  question: "Xin bảng điểm ở đâu?"
  variants:
    - "xin bang diem o dau"
    - 'lấy bảng điểm thế nào'
  answer: |
    Ở **Phòng Đào tạo**.

    Mang theo thẻ.
  topic: study
  sources:
    - {document: quy-che, locator: "Điều 1"}
  owner: phong-dao-tao

# Chưa duyệt.
- id: study-002
  question: Khi nào có điểm?
  answer: Sau hai tuần.
  topic: study
"""


@pytest.fixture
def files(tmp_path: Path) -> FaqFiles:
    (tmp_path / "faq").mkdir()
    (tmp_path / "faq" / "study.yml").write_text(CONTENT)
    return FaqFiles(tmp_path)


def changed_lines(before: str, after: str) -> list[str]:
    return [
        line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line.startswith(("+ ", "- "))
    ]


def test_a_variant_more_is_one_line(files: FaqFiles) -> None:
    entry = files.entry("study-001")
    assert entry is not None
    variants = [*entry.record["variants"], 'hỏi "bảng điểm"']

    edit = files.changed("study-001", entry.version, {"variants": variants})

    assert changed_lines(CONTENT, edit.content) == ['+     - "hỏi \\"bảng điểm\\""']


def test_a_changed_answer_touches_nothing_else(files: FaqFiles) -> None:
    entry = files.entry("study-002")
    assert entry is not None

    edit = files.changed("study-002", entry.version, {"answer": "Sau một tuần.\n\n- nhé: ok\n"})

    assert changed_lines(CONTENT, edit.content) == [
        "-   answer: Sau hai tuần.",
        "+   answer: |",
        "+     Sau một tuần.",
        "+ ",
        "+     - nhé: ok",
    ]
    assert yaml.safe_load(edit.content)[1]["answer"] == "Sau một tuần.\n\n- nhé: ok\n"


def test_an_unchanged_entry_is_written_as_it_was(files: FaqFiles) -> None:
    for entry in files.entries():
        assert files.changed(entry.id, entry.version, dict(entry.record)).content == CONTENT


def test_a_field_is_removed_and_another_stands_in_its_place(files: FaqFiles) -> None:
    entry = files.entry("study-001")
    assert entry is not None

    edit = files.changed("study-001", entry.version, {"owner": None, "reviewed_at": "2026-11-25"})

    assert changed_lines(CONTENT, edit.content) == ["-   owner: phong-dao-tao", "+   reviewed_at: 2026-11-25"]


def test_a_new_entry_goes_to_the_file_of_its_topic_with_the_next_number(
    files: FaqFiles, tmp_path: Path
) -> None:
    fields = {
        "question": "Học lại thế nào?",
        "answer": "Đăng ký lại.\n",
        "topic": "study",
        "variants": ["hoc lai"],
    }

    [edit], [entry_id] = files.added(fields)

    assert (edit.file, entry_id) == ("faq/study.yml", "study-003")
    assert edit.content.startswith(CONTENT + "\n- id: study-003\n")
    assert yaml.safe_load(edit.content)[2] == {"id": "study-003", **fields}
    write_contents(tmp_path, contents_of([edit]))
    assert [entry.id for entry in files.entries()] == ["study-001", "study-002", "study-003"]


def test_a_topic_without_entries_gets_a_file(files: FaqFiles, tmp_path: Path) -> None:
    [edit], [entry_id] = files.added({"question": "Q?", "answer": "A\n", "topic": "Ký túc xá"})
    write_contents(tmp_path, contents_of([edit]))

    assert entry_id.endswith("-001")
    assert (tmp_path / edit.file).is_file()


@pytest.mark.parametrize(
    "text",
    [
        "- mở đầu: bằng gạch",
        "# không phải ghi chú",
        'có "nháy" và \\ ',
        "{{ facts.x }}",
        "no",
        "12:30",
        "đuôi:",
    ],
)
def test_whatever_is_written_is_read_again(text: str) -> None:
    fields = {
        "id": "x-1",
        "question": text,
        "variants": [text],
        "answer": f"{text}\n",
        "topic": "study",
        "owner": text,
    }

    assert yaml.safe_load(rendered(fields)) == [fields]


def test_who_saves_over_a_change_gets_the_text_in_the_file(files: FaqFiles, tmp_path: Path) -> None:
    entry = files.entry("study-002")
    assert entry is not None
    path = tmp_path / "faq" / "study.yml"
    path.write_text(CONTENT.replace("Sau hai tuần", "Sau ba tuần"))

    with pytest.raises(ConflictError) as conflict:
        files.changed("study-002", entry.version, {"answer": "Sau một tuần."})

    assert "Sau ba tuần" in conflict.value.theirs
    assert "Sau ba tuần" in path.read_text()


def test_a_change_of_another_entry_is_no_conflict(files: FaqFiles, tmp_path: Path) -> None:
    entry = files.entry("study-002")
    assert entry is not None
    (tmp_path / "faq" / "study.yml").write_text(CONTENT.replace("Mang theo thẻ", "Mang theo giấy tờ"))

    edit = files.changed("study-002", entry.version, {"answer": "Sau một tuần."})

    assert "Mang theo giấy tờ" in edit.content


@pytest.mark.parametrize("content", ["- id: [", "id: study-001", "[{id: a}]", "- chỉ là chữ"])
def test_a_file_that_cannot_be_edited_is_named(files: FaqFiles, tmp_path: Path, content: str) -> None:
    (tmp_path / "faq" / "bad.yml").write_text(content)

    with pytest.raises(KnowledgeFileError, match=r"bad\.yml"):
        files.entries()


def test_the_sample_school_is_written_as_it_stands(tmp_path: Path) -> None:
    knowledge = Path(__file__).parents[2] / "knowledge"
    sample = FaqFiles(knowledge)

    entry = sample.entries()[0]

    assert sample.changed(entry.id, entry.version, dict(entry.record)).content == (
        knowledge / entry.file
    ).read_text(encoding="utf-8")
    del tmp_path


def test_a_file_that_is_edited_by_hand_is_searched_as_it_is_by_now(files: FaqFiles, tmp_path: Path) -> None:
    (tmp_path / "faq" / "other.yml").write_text(
        "- id: a\n  question: Gửi xe?\n  answer: Ở cổng.\n", encoding="utf-8"
    )
    before = {each.entry.id: each.text for each in files.searched()}
    assert list(before) == ["a", "study-001", "study-002"]
    assert "khi nao co diem?" in before["study-002"]

    edited = CONTENT.replace("Khi nào có điểm?", "Bao giờ CÓ bảng điểm?")
    (tmp_path / "faq" / "study.yml").write_text(edited, encoding="utf-8")

    after = {each.entry.id: each for each in files.searched()}
    assert "bao gio co bang diem?" in after["study-002"].text
    assert after["study-002"].entry.record["question"] == "Bao giờ CÓ bảng điểm?"
    assert after["a"].text == before["a"]
    (tmp_path / "faq" / "other.yml").unlink()
    assert [each.entry.id for each in files.searched()] == ["study-001", "study-002"]
