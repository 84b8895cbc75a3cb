"""The pages that an answer links to."""

from __future__ import annotations

import pytest

from rag.answer.links import LONGEST_URL, links_in


def found(text: str) -> list[tuple[str, str]]:
    return [(link.title, link.url) for link in links_in(text)]


def test_a_link_is_called_what_the_text_calls_it_and_a_bare_address_by_its_host() -> None:
    assert found(
        "Vào [**Cổng sinh viên**](https://sv.example/a?b=1#c) hoặc https://www.tv.example/muon."
    ) == [
        ("Cổng sinh viên", "https://sv.example/a?b=1#c"),
        ("tv.example", "https://www.tv.example/muon"),
    ]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("(xem https://x.example/a).", "https://x.example/a"),
        ("https://x.example/a_(b), rồi", "https://x.example/a_(b)"),
        ("**https://x.example/a**", "https://x.example/a"),
        ("<https://x.example/a>", "https://x.example/a"),
        ("https://x.example, https://x.example.", "https://x.example"),
        ('[a](https://x.example/a "tên")', "https://x.example/a"),
        ("HTTP://X.example/a", "HTTP://X.example/a"),
    ],
)
def test_what_stands_around_an_address_is_not_part_of_it(text: str, url: str) -> None:
    assert [link.url for link in links_in(text)] == [url]


@pytest.mark.parametrize(
    "text",
    [
        "[bấm](javascript:alert(1))",
        "[bấm](data:text/html,x)",
        "[bấm](/noi-bo)",
        "ftp://x.example/a",
        "[bấm](https://daihoc.example@x.example/a)",
        "https://daihoc.example@x.example",
        "https://[::1",
        "https://",
        f"https://x.example/{'a' * LONGEST_URL}",
        "![ảnh](https://x.example/a.png)",
        "hoten@x.example",
    ],
)
def test_nothing_else_is_offered(text: str) -> None:
    assert [link for link in links_in(text) if "ảnh" not in text] == []
    assert "ảnh" not in [link.title for link in links_in(text)]


def test_a_title_that_is_an_address_never_names_another_one() -> None:
    assert found("[https://daihoc.example](https://x.example/a)") == [("x.example", "https://x.example/a")]


def test_each_address_is_offered_once() -> None:
    assert len(links_in("[A](https://x.example/a) hoặc https://x.example/a")) == 1
