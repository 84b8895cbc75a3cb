"""Markdown for platforms: no text is lost or becomes markup, and every piece is whole and short enough."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser

import pytest

from channels.delivery.markdown import Form, PlainText, TelegramHtml, laid_out, pieces, utf16_units
from channels.delivery.markdown_lines import blocks_of_text

TELEGRAM, PLAIN = TelegramHtml(), PlainText()
ALLOWED = {"b", "i", "s", "a", "code", "pre", "blockquote"}

HOSTILE = [
    '<img src=x onerror="alert(1)"><script>alert(1)</script>',
    "</b></i></a> <b>chưa đóng & không thoát &lt; &#60;",
    '**đậm chưa đóng [liên kết](https://a.vn/"onclick=x) ~~gạch `mã',
    "[bấm](javascript:alert(1)) [bấm](data:text/html,x) [bấm](tg://user?id=1) ![ảnh](https://a.vn/x.png)",
    "abc\u202egnp.exe \u2066trái\u2069 phải \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "a\x00b\x07c\ud800d\r\ne\rf",
    "Học bổng 🎓👩‍👩‍👧‍👦🇻🇳 " * 900,
    "x" * 10_000,
    "👍🏽" * 5_000,
    "e" + "\u0301" * 10_000,
    "[" * 3_000 + "*a_" * 2_000 + "`" * 999,
    ">" * 500 + "- " * 500 + "sâu",
    "Điều 12. Sinh viên được xét. " * 400,
    "- mục một\n- mục hai " * 900,
    "|a|b|\n|---|---|\n" + "|" + "dài " * 2_000 + "|b|\n",
    "|a|b|\n|---|---|\n" + "|1|2|\n" * 1_500,
    "```\n" + "mã <b>&\n" * 1_500 + "```",
    "> " + "trích dẫn rất dài " * 600,
    "[một liên kết " + "rất dài " * 900 + "](https://truong.edu.vn/a?b=1&c=2)",
]


class Seen(HTMLParser):
    """Return the text of Telegram's HTML; raise an error for markup that Telegram refuses."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.links = "", []
        self._open: list[str] = []
        self.feed(markup)
        self.close()
        assert self._open == [], "something is not closed"

    def handle_starttag(self, tag, attrs):  # type: ignore[no-untyped-def]
        assert tag in ALLOWED
        assert {name for name, _ in attrs} <= {"a": {"href"}, "blockquote": {"expandable"}}.get(tag, set())
        assert not set(self._open) & {"pre", "code"}, "nothing may stand in code"
        self.links += [value for name, value in attrs if name == "href"]
        self._open.append(tag)

    def handle_endtag(self, tag):  # type: ignore[no-untyped-def]
        assert self._open.pop() == tag

    def handle_data(self, data):  # type: ignore[no-untyped-def]
        self.text += data


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("limit", [32, 200, 2_000, 4_096])
@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_every_piece_is_whole_and_within_the_limit(hostile: str, limit: int) -> None:
    written = pieces(hostile, limit, TELEGRAM)

    assert written
    for piece in written:
        seen = Seen(piece)
        assert 0 < utf16_units(seen.text) <= limit
        assert all(link.startswith(("http://", "https://")) for link in seen.links)
    assert all(0 < utf16_units(piece) <= limit for piece in pieces(hostile, limit, PLAIN))


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_splitting_loses_no_word_and_repeats_none(hostile: str) -> None:
    whole = "".join(Seen(piece).text for piece in pieces(hostile, 10**6, TELEGRAM))
    parts = "".join(Seen(piece).text for piece in pieces(hostile, 300, TELEGRAM))

    assert "".join(words(parts)) == "".join(words(whole))


def test_random_mixtures_of_markup_are_always_sound() -> None:
    chance = random.Random(5)
    bits = [
        "**",
        "*",
        "_",
        "~~",
        "`",
        "```\n",
        "[",
        "](https://a.vn)",
        "](",
        "<b>",
        "&amp;",
        "> ",
        "- ",
        "1. ",
        "# ",
    ]
    bits += [
        "\n",
        "\n\n",
        "|a|b|\n|-|-|\n|c|",
        " ",
        "chữ. ",
        "Câu dài hơn một chút; ",
        "👩‍🎓",
        "\\",
        "---\n",
        "    ",
    ]
    for _ in range(400):
        text = "".join(chance.choice(bits) for _ in range(chance.randrange(1, 120)))
        limit = chance.choice([32, 50, 120])
        assert all(utf16_units(Seen(piece).text) <= limit for piece in pieces(text, limit, TELEGRAM))
        assert all(utf16_units(piece) <= limit for piece in pieces(text, limit, PLAIN))


def test_marks_become_those_of_the_platform() -> None:
    text = "# Tiêu đề\n**đậm** *nghiêng* ~~bỏ~~ `mã`\n\n- một\n- hai\n  1. trong\n\n> trích\n> tiếp\n\n```\nx < y\n```"

    assert pieces(text, 4_096, TELEGRAM) == [
        "<b>Tiêu đề</b>\n<b>đậm</b> <i>nghiêng</i> <s>bỏ</s> <code>mã</code>\n\n"
        "• một\n• hai\n   1. trong\n\n<blockquote>trích\ntiếp</blockquote>\n\n<pre>x &lt; y</pre>"
    ]
    assert pieces(text, 2_000, PLAIN) == [
        "Tiêu đề\nđậm nghiêng bỏ mã\n\n• một\n• hai\n   1. trong\n\n> trích\n> tiếp\n\nx < y"
    ]


def test_html_in_markdown_is_text() -> None:
    assert pieces("<b>a</b> <img src=x onerror=alert(1)>", 4_096, TELEGRAM) == [
        "&lt;b&gt;a&lt;/b&gt; &lt;img src=x onerror=alert(1)&gt;"
    ]


@pytest.mark.parametrize(
    ("markdown", "telegram", "plain"),
    [
        (
            "[Trang](https://a.vn/?a=1&b=2)",
            '<a href="https://a.vn/?a=1&amp;b=2">Trang</a>',
            "Trang (https://a.vn/?a=1&b=2)",
        ),
        ("<https://a.vn/>", '<a href="https://a.vn/">https://a.vn/</a>', "https://a.vn/"),
        ("[Gọi phòng](tel:+84292)", "Gọi phòng (+84292)", "Gọi phòng (+84292)"),
        ("[0292 383](tel:0292383)", "0292 383", "0292 383"),
        ("[Thư](mailto:a@b.vn?subject=x)", "Thư (a@b.vn)", "Thư (a@b.vn)"),
        ("[Quy chế](../quy-che.md)", "Quy chế", "Quy chế"),
        ("[**x**](tg://resolve?domain=y)", "<b>x</b>", "x"),
        (
            "![Sơ đồ](https://a.vn/s.png)",
            '<a href="https://a.vn/s.png">Sơ đồ</a>',
            "Sơ đồ (https://a.vn/s.png)",
        ),
    ],
)
def test_links(markdown: str, telegram: str, plain: str) -> None:
    assert pieces(markdown, 4_096, TELEGRAM) == [telegram]
    assert pieces(markdown, 2_000, PLAIN) == [plain]


def test_a_narrow_table_keeps_its_columns_where_that_can_be_shown() -> None:
    table = "|Học kỳ|Hạn|\n|---|---|\n|HK1|**30/9**|\n|Học kỳ hè|1/6|"

    assert pieces(table, 4_096, TELEGRAM) == ["<pre>Học kỳ     Hạn\nHK1        30/9\nHọc kỳ hè  1/6</pre>"]
    assert pieces(table, 2_000, PLAIN) == ["Học kỳ: HK1\nHạn: 30/9\n\nHọc kỳ: Học kỳ hè\nHạn: 1/6"]


def test_a_wide_table_is_read_row_by_row() -> None:
    table = "|Đối tượng|Mức hỗ trợ mỗi học kỳ|\n|---|---|\n|Sinh viên dân tộc thiểu số|60 % mức lương cơ sở|"

    assert pieces(table, 4_096, TELEGRAM) == [
        "<b>Đối tượng:</b> Sinh viên dân tộc thiểu số\n<b>Mức hỗ trợ mỗi học kỳ:</b> 60 % mức lương cơ sở"
    ]


def test_it_is_split_between_blocks_before_anything_else() -> None:
    first, second = "một " * 12, "hai " * 12

    assert pieces(f"{first}\n\n{second}", 60, TELEGRAM) == [first.strip(), second.strip()]


def test_then_between_points_of_a_list() -> None:
    text = "\n".join(f"- điểm thứ {number} của danh sách" for number in range(1, 5))

    assert pieces(text, 60, TELEGRAM) == [
        "• điểm thứ 1 của danh sách\n• điểm thứ 2 của danh sách",
        "• điểm thứ 3 của danh sách\n• điểm thứ 4 của danh sách",
    ]


def test_then_between_sentences_but_not_after_a_short_form() -> None:
    text = "Phòng ở TP. Cần Thơ, gặp ThS. Nguyễn An. Giờ làm việc buổi sáng từ 7 giờ."

    assert pieces(text, 60, TELEGRAM) == [
        "Phòng ở TP. Cần Thơ, gặp ThS. Nguyễn An.",
        "Giờ làm việc buổi sáng từ 7 giờ.",
    ]
    assert pieces("Gặp TP. " + "Cần " * 8, 36, TELEGRAM)[0] == "Gặp TP. Cần Cần Cần Cần Cần Cần Cần"
    assert pieces("Chúc mừng em 🎓. Nhà trường chờ em nhé.", 32, PLAIN)[0] == "Chúc mừng em 🎓."
    assert pieces("Câu thứ nhất ở đây. Câu thứ hai dài hơn câu trước.", 40, PLAIN) == [
        "Câu thứ nhất ở đây.",
        "Câu thứ hai dài hơn câu trước.",
    ]


def test_then_between_words_and_marks_are_opened_again() -> None:
    assert pieces("**" + "chữ " * 15 + "hết**", 40, TELEGRAM) == [
        f"<b>{('chữ ' * 10).strip()}</b>",
        f"<b>{'chữ ' * 5}hết</b>",
    ]


def test_what_belongs_together_for_the_eye_is_not_cut() -> None:
    for piece in pieces("👩‍👩‍👧‍👦" * 60, 50, TELEGRAM):
        assert piece.replace("👩‍👩‍👧‍👦", "") == ""


def test_a_heading_goes_with_what_it_heads() -> None:
    text = "Mở đầu câu chuyện của đoạn này.\n\n## Hồ sơ\n\nĐơn xin, bảng điểm, giấy xác nhận."

    assert pieces(text, 50, PLAIN) == [
        "Mở đầu câu chuyện của đoạn này.",
        "Hồ sơ\n\nĐơn xin, bảng điểm, giấy xác nhận.",
    ]


def test_a_heading_is_no_piece_of_its_own_above_a_long_paragraph() -> None:
    (first, *_) = pieces("## Hồ sơ\n" + "đơn xin học bổng " * 20, 50, PLAIN)

    assert first == "Hồ sơ\nđơn xin học bổng đơn xin học bổng đơn xin"


def test_line_breaks_stay_as_they_are_written() -> None:
    text = "Gồm bốn phương thức:\n- Điểm thi.\n- Học bạ.\nBạn được đăng ký nhiều phương thức."

    assert pieces(text, 2_000, PLAIN) == [text.replace("- ", "• ")]


@pytest.mark.parametrize("form", [TELEGRAM, PLAIN])
def test_of_nothing_nothing_is_sent(form: Form) -> None:
    assert pieces(" \n\n\u202e\u200f ", 2_000, form) == []


def test_what_turns_the_direction_of_text_is_left_out() -> None:
    assert pieces("abc\u202egnp.exe", 2_000, PLAIN) == ["abcgnp.exe"]


def test_plain_text_means_nothing() -> None:
    text = "*Không* đậm <b>\n# Không tiêu đề\n\n1) [x](https://a.vn)"

    assert laid_out(blocks_of_text(text), 2_000, PLAIN) == [text]
    assert laid_out(blocks_of_text(text), 4_096, TELEGRAM) == [text.replace("<b>", "&lt;b&gt;")]


def test_a_limit_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="pieces of 5"):
        pieces("a", 5, TELEGRAM)
