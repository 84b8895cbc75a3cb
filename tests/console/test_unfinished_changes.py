"""A console that is killed while it publishes leaves all of the old state, or at its next start all of the new one."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import index_process
import pytest
from console_driver import git
from embedder_stand_in import EmbedderStandIn
from publishing_process import PUBLICATIONS

from console.knowledge_files import ConflictError
from console.publishing import Publisher
from console.replaced_file import write_contents
from console.unfinished_change import Change, UnfinishedChange
from rag.ingest.load import load_knowledge

PROGRAM = Path(__file__).parents[1] / "stand_ins" / "publishing_process.py"
MOST_STEPS = 40
BUILD_S = 60
AUTHOR = ("Cô Lan", "lan")
RULES = "documents/noi-quy-ktx.txt"
EXAMPLES = {"nlu/names.yml": "{cohort} đăng ký môn", "nlu/topics.yml": "rớt môn thì sao"}


def contents(school: Path) -> dict[str, bytes]:
    """Return what a folder has, without its versions."""
    paths = (path.relative_to(school) for path in school.rglob("*") if path.is_file())
    return {str(path): (school / path).read_bytes() for path in paths if path.parts[0] != ".git"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(PUBLICATIONS.keys() - {"entry"}))
def test_each_publication_is_whole_or_not_there(
    kind: str, publisher: Publisher, school: Path, tmp_path: Path
) -> None:
    """It is killed before each step that puts a file in its place, one after the other."""
    if kind == "back":
        git(school, "tag", "first")
        for name in (RULES, "topics.yml", "faq/faq.yml"):
            (school / name).write_bytes((school / name).read_bytes() + b"\n")
    if kind == "labels":
        for name, text in EXAMPLES.items():
            (school / name).parent.mkdir(exist_ok=True)
            (school / name).write_text(f"nlu:\n- intent: ask_study\n  examples: |\n    - {text}\n")
        git(school, "add", "nlu")
        git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "examples")
    before, reached = contents(school), []
    for step in range(1, MOST_STEPS):
        copy = Path(shutil.copytree(school, tmp_path / f"school-{step}"))
        index = Path(shutil.copytree(publisher.live.folder, tmp_path / f"state-{step}" / "index"))
        ran = subprocess.run([sys.executable, PROGRAM, kind, copy, index, str(step)], check=False)
        if ran.returncode != 0:
            assert ran.returncode == -signal.SIGKILL
            Publisher(copy, index, EmbedderStandIn())
        reached.append(contents(copy))
        load_knowledge(copy)
        if reached[-1] != before:
            # It is a version, under the name of who published it.
            assert git(copy, "status", "--porcelain") == ""
            assert git(copy, "log", "-1", "--format=%an") == "Cô Lan"
        if ran.returncode == 0:
            break
    else:
        pytest.fail("it never came to its end")

    after = reached[-1]
    assert after != before
    assert {True, False} == {each == after for each in reached}
    assert [each for each in reached if each not in (before, after)] == []


def test_the_next_start_brings_answers_that_no_index_has_at_once(publisher: Publisher, school: Path) -> None:
    """As after a console that was killed again while its index was built: nothing notes the change any longer."""
    index = publisher.live.folder
    version = publisher.live.version
    Publisher(school, index, EmbedderStandIn())
    assert publisher.live.version == version
    text = (school / "faq" / "faq.yml").read_text(encoding="utf-8")
    entry = '- id: pool\n  question: "Có hồ bơi không?"\n  answer: "Có, ở khu B."\n  topic: study\n'
    (school / "faq" / "faq.yml").write_text(f"{text.rstrip()}\n\n{entry}", encoding="utf-8")

    started = Publisher(school, index, EmbedderStandIn())

    assert "pool" in {each.id for each in started.live.index().faq}


def test_the_next_start_builds_what_no_index_has_of_documents(publisher: Publisher, school: Path) -> None:
    index = publisher.live.folder
    (school / RULES).write_text("Điều 1. Cổng ký túc xá đóng lúc 23 giờ 30.\n", encoding="utf-8")

    started = Publisher(school, index, EmbedderStandIn(), rebuild=index_process.command)

    ends = time.monotonic() + BUILD_S
    while not any("23 giờ 30" in each.text for each in started.live.index().published):
        assert time.monotonic() < ends
        time.sleep(0.05)
    started.close()


def test_a_folder_that_cannot_be_read_stops_no_start(publisher: Publisher, school: Path) -> None:
    index, version = publisher.live.folder, publisher.live.version
    (school / "faq" / "faq.yml").write_text("- id: [", encoding="utf-8")

    started = Publisher(school, index, EmbedderStandIn())

    assert started.live.version == version


def test_a_change_is_finished_once_and_by_nobody_where_its_files_were_edited_since(tmp_path: Path) -> None:
    folder, note = tmp_path / "school", tmp_path / "unfinished.json"
    write_contents(folder, {"a": b"1", "b": b"1", "gone": b"1"})
    changes = UnfinishedChange(folder, note)
    change = Change({"a": b"2", "b": b"2", "new": b"2", "gone": None}, AUTHOR, "document", "A")
    assert changes.finish() is None

    changes.write(change)
    write_contents(folder, {"b": b"1", "new": None, "gone": b"1"})
    assert UnfinishedChange(folder, note).finish() == change
    assert contents(folder) == {"a": b"2", "b": b"2", "new": b"2"}
    assert changes.finish() is None

    changes.write(Change({"a": b"3", "b": b"3"}, AUTHOR, "document", "B"))
    write_contents(folder, {"a": b"by hand", "b": b"2"})
    assert UnfinishedChange(folder, note).finish() is None
    assert contents(folder) == {"a": b"by hand", "b": b"2", "new": b"2"}
    assert not note.exists()


def test_a_file_that_is_edited_while_a_document_is_read_is_not_overwritten(
    publisher: Publisher, school: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = publisher.documents
    draft = files.upload("noi-quy-ktx.txt", "Điều 1. Cổng đóng lúc 23 giờ.\n".encode(), "lan")
    _, version = files.replaced_by(draft)
    checked = files.problems

    def edited_meanwhile(edit: Any) -> Any:
        found = checked(edit)
        (school / RULES).write_text("Điều 1. Sửa tay.\n", encoding="utf-8")
        return found

    monkeypatch.setattr(files, "problems", edited_meanwhile)

    with pytest.raises(ConflictError):
        publisher.publish_document(
            lambda them: them.published(draft, version, them.fields_of(draft)), AUTHOR, "document"
        )

    assert (school / RULES).read_text(encoding="utf-8") == "Điều 1. Sửa tay.\n"


def test_of_two_files_of_an_entry_none_is_written_when_one_was_edited_meanwhile(
    publisher: Publisher, school: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(school)
    with_checked = publisher.files.with_checked

    def edited_meanwhile(*arguments: Any) -> Any:
        made = with_checked(*arguments)
        (school / "checked.yml").write_text("# sửa tay\n", encoding="utf-8")
        return made

    monkeypatch.setattr(publisher.files, "with_checked", edited_meanwhile)
    fields = {"question": "Có hồ bơi không?", "answer": "Có.\n", "topic": "study"}

    with pytest.raises(ConflictError):
        publisher.publish(lambda files: files.added(fields), AUTHOR, "add", ["Có hồ bơi không?"])

    after = contents(school)
    assert after.pop("checked.yml") == "# sửa tay\n".encode()
    before.pop("checked.yml", None)
    assert after == before
