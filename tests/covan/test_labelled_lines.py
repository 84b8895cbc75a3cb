"""Labelled lines are read; every bad line is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from covan import labelled_lines
from covan.labelled_lines import LabelledLinesError, LabelledText, read_labelled_lines


def read(folder: Path, content: bytes | str) -> list[LabelledText]:
    path = folder / "lines.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_labelled_lines(path)


def test_a_line_is_a_label_and_a_text(tmp_path: Path) -> None:
    assert read(tmp_path, "__label__KTX phòng ở\n\n__label__Khac\thỏi  chuyện khác") == [
        LabelledText("KTX", "phòng ở", 1),
        LabelledText("Khac", "hỏi  chuyện khác", 3),
    ]


def test_a_file_saved_on_windows(tmp_path: Path) -> None:
    lines = read(tmp_path, b"\xef\xbb\xbf__label__A x\r\n__label__B y\r\n")

    assert lines == [LabelledText("A", "x", 1), LabelledText("B", "y", 2)]


def test_a_label_without_a_text_is_kept(tmp_path: Path) -> None:
    assert read(tmp_path, "__label__A\n") == [LabelledText("A", "", 1)]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    assert len(read(tmp_path, "__label__A x\u2028y\x0cz\n")) == 1


def test_every_bad_line_is_told(tmp_path: Path) -> None:
    content = (
        b"__label__A fine\nno label\n__label__ no name\n__label__A __label__B two\n"
        b"__label__A x __label__B\n\xff\n"
    )

    with pytest.raises(LabelledLinesError) as told:
        read(tmp_path, content)

    assert [problem.line for problem in told.value.problems] == [2, 3, 4, 5, 6]
    for says in ("does not begin with a label", "no name", "more than one label", "not UTF-8 at byte 1"):
        assert says in str(told.value)


@pytest.mark.parametrize("content", ["", "\n \n", b"\xef\xbb\xbf"])
def test_a_file_with_nothing_in_it(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(LabelledLinesError, match="has no line"):
        read(tmp_path, content)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LabelledLinesError, match="there is no such file"):
        read_labelled_lines(tmp_path / "none.txt")
    with pytest.raises(LabelledLinesError, match="cannot be read"):
        read_labelled_lines(tmp_path)


def test_a_file_of_monstrous_size_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled_lines, "MAX_BYTES", 5)

    with pytest.raises(LabelledLinesError, match="is larger than"):
        read(tmp_path, "__label__A x")
