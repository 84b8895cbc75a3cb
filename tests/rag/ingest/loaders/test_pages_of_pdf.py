"""The pages of a PDF as pictures, and what is read wrongly on them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from pypdfium2 import PdfiumError

from rag.ingest.loaders.page_image import MOST_HEIGHT, WIDTH, page_image
from rag.ingest.loaders.page_survey import PageSurvey, survey_pages

WritePdf = Callable[..., Path]

LINE = "Sinh viên nộp học phí trước ngày 15 tháng 10."


def test_a_page_is_drawn_to_the_width(write_pdf: WritePdf) -> None:
    path = write_pdf([[LINE], [LINE] * 30])

    first, second = (Image.open(io.BytesIO(page_image(path, number) or b"")) for number in (1, 2))

    assert (first.format, first.width) == ("JPEG", WIDTH)
    assert first.height == pytest.approx(WIDTH * 842 / 595, abs=2)
    ink = [sum(value < 128 for value in picture.convert("L").tobytes()) for picture in (first, second)]
    assert 0 < ink[0] < ink[1]


@pytest.mark.parametrize("number", [0, -1, 3, 10**9])
def test_a_page_that_is_not_there(write_pdf: WritePdf, number: int) -> None:
    assert page_image(write_pdf([[LINE], [LINE]]), number) is None


def test_a_long_page_is_drawn_no_higher_than_allowed(write_pdf: WritePdf) -> None:
    path = write_pdf([[LINE]])
    path.write_bytes(path.read_bytes().replace(b"[0 0 595 842]", b"[0 0 2 14000]"))

    picture = Image.open(io.BytesIO(page_image(path, 1) or b""))

    assert picture.height <= MOST_HEIGHT
    assert picture.width <= WIDTH


@pytest.mark.parametrize("damage", [b"", b"%PDF-1.7 nothing", b"plain words"])
def test_a_file_that_is_no_pdf(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "hong.pdf"
    path.write_bytes(damage)

    for look in (survey_pages, lambda file: page_image(file, 1)):
        with pytest.raises(PdfiumError):
            look(path)


def test_pages_without_text_and_with_tables_are_found(write_pdf: WritePdf) -> None:
    assert survey_pages(write_pdf([[LINE], [], [LINE], ["3"]], ruled=[3, 4])) == PageSurvey(
        4, (2, 4), (), (3,)
    )
    assert survey_pages(write_pdf([[LINE]])) == PageSurvey(1)


def test_a_frame_and_backgrounds_are_no_table(write_pdf: WritePdf) -> None:
    path = write_pdf([[LINE]], ruled=[1])
    content = path.read_bytes()
    start, end = content.index(b"40 700 m"), content.index(b"\nendstream", content.index(b"40 700 m"))
    drawn = b"20 20 555 802 re S 0.9 g 40 600 300 20 re f 40 500 300 20 re f 40 400 300 20 re f"
    path.write_bytes(content[:start] + drawn.ljust(end - start) + content[end:])

    assert survey_pages(path) == PageSurvey(1)


def test_a_scan_with_words_is_told_from_a_page_with_a_picture(write_pdf: WritePdf) -> None:
    path = write_pdf([[LINE]], ruled=[1])
    content = path.read_bytes()
    start, end = content.index(b"40 700 m"), content.index(b"\nendstream", content.index(b"40 700 m"))
    pictures = [
        b"q %d 0 0 %d 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q" % size
        for size in ((595, 842), (200, 90))
    ]
    surveys = []
    for drawn in pictures:
        path.write_bytes(content[:start] + drawn.ljust(end - start) + content[end:])
        surveys.append(survey_pages(path))

    assert surveys == [PageSurvey(1, recognized=(1,)), PageSurvey(1)]
