"""`covan index` builds the missing parts, reports its work, and names every fault of the folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result
from command_line import SMALL_SCHOOL, covan

from rag.index.versions import current_version, read_manifest

pytestmark = pytest.mark.e5


def test_it_says_what_was_indexed(built: tuple[Path, Result]) -> None:
    index, result = built

    manifest = read_manifest(index)
    assert result.exit_code == 0
    assert result.stdout == ""
    told = " ".join(result.stderr.split())
    assert f"{manifest.documents} documents as {manifest.passages} passages" in told
    assert f"{manifest.faq} FAQ entries" in told


def test_a_second_run_has_nothing_to_do(school_index: Path) -> None:
    before = (school_index / "CURRENT").stat().st_mtime_ns

    result = covan("index", SMALL_SCHOOL, "--out", school_index)

    assert result.exit_code == 0
    assert "The index is current" in result.stderr
    assert (school_index / "CURRENT").stat().st_mtime_ns == before


def test_all_problems_are_named_without_a_traceback(school: Path, tmp_path: Path) -> None:
    (school / "faq" / "broken.yml").write_text("- id: [a\n  question: b\n", encoding="utf-8")
    (school / "documents" / "scan.pdf").write_bytes(b"this is no PDF")

    result = covan("index", school, "--out", tmp_path / "index")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "faq/broken.yml:" in result.stderr
    assert "documents/scan.pdf: " in result.stderr
    assert "Traceback" not in result.output
    assert current_version(tmp_path / "index") is None


def test_warnings_are_told(tmp_path: Path) -> None:
    source = tmp_path / "school"
    source.mkdir()
    (source / "a.md").write_text("---\nsupersedes: [gone]\n---\nHồ bơi mở cửa lúc 6 giờ.\n", encoding="utf-8")

    result = covan("index", source, "--out", tmp_path / "index")

    assert result.exit_code == 0
    assert "warning: a.md:2" in result.stderr


def test_vectors_are_shipped_once_made(tmp_path: Path) -> None:
    source = tmp_path / "school"
    source.mkdir()
    (source / "a.md").write_text("Hồ bơi mở cửa lúc 6 giờ.\n", encoding="utf-8")

    result = covan("index", source, "--out", tmp_path / "index", "--ship-vectors")

    assert result.exit_code == 0
    assert (source / "vectors.npz").is_file()
    assert "1 vectors written" in result.stderr


def test_it_may_wait_for_the_end_of_its_input(tmp_path: Path) -> None:
    source, out = tmp_path / "school", tmp_path / "index"
    source.mkdir()
    command = [sys.executable, "-m", "covan", "index", str(source), "--out", str(out), "--wait"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        # An empty folder is a fault; when it ends well, it has read the folder after this.
        (source / "a.md").write_text("Hồ bơi mở cửa lúc 7 giờ.\n", encoding="utf-8")
        assert process.stdin is not None
        process.stdin.close()

    assert process.returncode == 0
    assert read_manifest(out).documents == 1


def test_back_to_the_version_before(tmp_path: Path) -> None:
    source, out = tmp_path / "school", tmp_path / "index"
    source.mkdir()
    versions = []
    for hour in (6, 7):
        (source / "a.md").write_text(f"Hồ bơi mở cửa lúc {hour} giờ.\n", encoding="utf-8")
        assert covan("index", source, "--out", out).exit_code == 0
        versions.append(current_version(out))

    result = covan("index", "--out", out, "--roll-back")

    assert result.exit_code == 0
    assert current_version(out) == versions[0]
    assert str(versions[0]) in result.stderr


def test_what_has_changed_answers_before_the_whole_index_is_built(tmp_path: Path) -> None:
    source, out = tmp_path / "school", tmp_path / "index"
    source.mkdir()
    told = []
    for hour in (6, 7):
        (source / "a.md").write_text(f"Hồ bơi mở cửa lúc {hour} giờ.\n", encoding="utf-8")
        told.append(" ".join(covan("index", source, "--out", out).stderr.split()))

    assert "answers already" not in told[0]
    assert "What has changed answers already" in told[1]
    assert "Indexed 1 documents" in told[1]


@pytest.mark.parametrize("arguments", [["gone"], ["--roll-back"]])
def test_what_cannot_be_done_is_told(tmp_path: Path, arguments: list[str]) -> None:
    result = covan("index", *arguments, "--out", tmp_path / "index")

    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert result.stderr.strip()
