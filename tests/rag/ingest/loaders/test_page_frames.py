"""The lines of a passage are framed where the page's picture has their ink."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from PIL import Image
from pypdfium2 import PdfiumError

from rag.ingest.loaders.page_frames import Frame, passage_frames
from rag.ingest.loaders.page_image import page_image

WritePdf = Callable[..., Path]

BEFORE = "Sinh viên nộp học phí trước ngày 15 tháng 10 tại phòng Tài chính."
PASSAGE = [
    "2. Sinh viên thuê tủ đồ tại thư viện với giá 10.000 đồng",
    "một tháng, theo QĐ-ĐHCT, và trả tủ khi hết hạn.",
]
TEXT = " ".join(PASSAGE)
AFTER = "3. Sinh viên làm mất chìa khóa tủ đồ thì bồi thường 50.000 đồng."
MEDIA_BOX = b"[0 0 595 842]"


def share_of_ink(path: Path, number: int, frames: Iterable[Frame]) -> tuple[float, float]:
    """Return the share of a page's dark pixels that are in the frames, and the frames' share of the page."""
    picture = (
        Image.open(io.BytesIO(page_image(path, number) or b""))
        .convert("L")
        .point(lambda grey: 255 * (grey < 128))
    )
    within = Image.new("L", picture.size, 0)
    for each in frames:
        across, down = picture.size
        box = (each.left * across, each.top * down, each.right * across, each.bottom * down)
        within.paste(255, tuple(map(round, box)))
    inside = Image.composite(picture, Image.new("L", picture.size, 0), within)
    count = [image.histogram()[255] for image in (picture, inside, within)]
    return count[1] / count[0], count[2] / (picture.width * picture.height)


def test_a_frame_holds_the_ink_of_its_lines_and_no_other(write_pdf: WritePdf) -> None:
    [frame] = passage_frames(write_pdf([[BEFORE, *PASSAGE, AFTER]]), TEXT, 1, 1)[1]

    inside, size = share_of_ink(write_pdf([["", *PASSAGE, ""]]), 1, [frame])
    assert inside == pytest.approx(1.0, abs=0.01)
    assert size < 0.05
    assert share_of_ink(write_pdf([[BEFORE, "", "", AFTER]]), 1, [frame])[0] == 0.0


def cut_from_the_left(content: bytes) -> bytes:
    return content.replace(MEDIA_BOX, b"[9 9 595 842]")


def cut_from_below(content: bytes) -> bytes:
    return content.replace(MEDIA_BOX, MEDIA_BOX + b" /CropBox [20 500 500 842]")


def turned(content: bytes) -> bytes:
    """A page in landscape, whose text is drawn upwards and shown from the left to the right."""
    drawn = re.sub(
        rb"1 0 0 1 40 (\d+) Tm", lambda match: b"0 1 -1 0 %d 40 Tm" % (842 - int(match[1])), content
    )
    return drawn.replace(MEDIA_BOX, MEDIA_BOX + b" /Rotate 90")


@pytest.mark.parametrize("made", [cut_from_the_left, cut_from_below, turned])
def test_a_page_that_is_cut_or_turned_has_its_frame_at_the_ink(
    write_pdf: WritePdf, made: Callable[[bytes], bytes]
) -> None:
    def page(lines: list[str]) -> Path:
        path = write_pdf([lines])
        path.write_bytes(made(path.read_bytes()))
        return path

    [frame] = passage_frames(page([BEFORE, *PASSAGE, AFTER]), TEXT, 1, 1)[1]

    inside, size = share_of_ink(page(["", *PASSAGE, ""]), 1, [frame])
    assert inside == pytest.approx(1.0, abs=0.01)
    assert size < 0.1


def test_a_passage_goes_on_below_the_head_of_the_next_page(write_pdf: WritePdf) -> None:
    head = "QUY ĐỊNH VỀ THUÊ TỦ ĐỒ"
    path = write_pdf([[head, BEFORE, PASSAGE[0], "1"], [head, PASSAGE[1], AFTER, "2"]])

    found = passage_frames(path, TEXT, 1, 2)

    assert list(found) == [1, 2]
    assert list(passage_frames(path, TEXT, 1, 1)) == [1]
    assert list(passage_frames(path, PASSAGE[0], 1, 2)) == [1]
    alone = write_pdf([["", "", PASSAGE[0]], ["", PASSAGE[1]]])
    for number in (1, 2):
        assert share_of_ink(alone, number, found[number])[0] == pytest.approx(1.0, abs=0.01)
    others = write_pdf([[head, BEFORE, "", "1"], [head, "", AFTER, "2"]])
    for number in (1, 2):
        assert share_of_ink(others, number, found[number])[0] == 0.0


def test_columns_have_a_frame_each(write_pdf: WritePdf) -> None:
    path = write_pdf([["", "", PASSAGE[0], PASSAGE[1]]])
    # The second line is moved to the top of a column beside the first one.
    moved = path.read_bytes().replace(b"1 0 0 1 40 758 Tm", b"1 0 0 1 340 800 Tm")
    path.write_bytes(moved)

    first, second = passage_frames(path, TEXT, 1, 1)[1]

    assert first.right < second.left
    assert second.bottom < first.top


def test_a_scan_and_other_words_have_no_frame(write_pdf: WritePdf) -> None:
    path = write_pdf([[], [BEFORE]])

    assert passage_frames(path, TEXT, 1, 2) == {}
    assert passage_frames(path, "Trang này không có đoạn nào như vậy cả.", 2, 2) == {}
    assert passage_frames(path, BEFORE, 3, 9) == {}
    assert passage_frames(path, "", 2, 2) == {}


def test_marks_that_stand_for_themselves_belong_to_their_letters(write_pdf: WritePdf) -> None:
    path = write_pdf([[unicodedata.normalize("NFD", BEFORE)]])

    [frame] = passage_frames(path, BEFORE, 1, 1)[1]

    assert share_of_ink(path, 1, [frame])[0] == pytest.approx(1.0, abs=0.01)


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 none")

    with pytest.raises(PdfiumError):
        passage_frames(path, BEFORE, 1, 1)
