"""Markdown, plain text and JSONL."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge
from rag.ingest.loaders import all_loaders, loader_for
from rag.ingest.loaders.jsonl import JsonlLoader
from rag.ingest.loaders.markdown import MarkdownLoader
from rag.ingest.loaders.text import TextLoader
from rag.ingest.loaders.title import title_in

VIETNAMESE = "Điều 1. Học phí được đóng trước ngày 15 tháng 10.\n\nSinh viên liên hệ Phòng Tài chính."


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def test_a_loader_is_picked_by_the_suffix_in_any_case() -> None:
    assert type(loader_for(".PDF")) in map(type, all_loaders())
    assert loader_for(".exe") is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_text_is_read_in_any_unicode_encoding(tmp_path: Path, encoding: str) -> None:
    loading = TextLoader().load(written(tmp_path, "a.txt", VIETNAMESE.encode(encoding)))

    assert loading.documents[0].text == VIETNAMESE


def test_text_of_old_windows_is_read(tmp_path: Path) -> None:
    # Windows-1258 writes the tone as a sign of its own behind the vowel: "ế" is "ê" and an acute accent.
    tones = "\u0300\u0301\u0303\u0309\u0323"
    parts = []
    for char in VIETNAMESE:
        decomposed = unicodedata.normalize("NFD", char)
        tone = "".join(mark for mark in decomposed if mark in tones)
        parts.append(
            unicodedata.normalize("NFC", "".join(mark for mark in decomposed if mark not in tones)) + tone
        )

    loading = TextLoader().load(written(tmp_path, "a.txt", "".join(parts).encode("cp1258")))

    assert loading.documents[0].text == VIETNAMESE


@pytest.mark.parametrize(
    "content",
    [
        "Tr\xad\xeang \xa7\xb9i h\xe4c C\xc7n Th\xac".encode("latin-1"),
        b"\x89PNG\r\n\x1a\n\xff\xfe\xfd",
        b"\xff\xfea",
    ],
)
def test_text_in_an_unknown_encoding_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    loading = TextLoader().load(written(tmp_path, "a.txt", content))

    assert loading.documents == ()
    assert "save it as UTF-8" in loading.problems[0].message


def test_plain_text_keeps_its_paragraphs_and_loses_its_indentation(tmp_path: Path) -> None:
    loading = TextLoader().load(written(tmp_path, "a.txt", "\tMột  hai\r\n\r\n\r\n\r\n    • ba\x00"))

    assert loading.documents[0].text == "Một hai\n\n- ba"


def test_markdown_keeps_its_body(tmp_path: Path) -> None:
    body = "# Một\n\n- a\n  - b\n\n| x | y |\n| --- | --- |\n| 10² | ½ |\n\n---\n\nHết."

    loading = MarkdownLoader().load(written(tmp_path, "a.md", f"---\r\ntitle: Hai\r\n---\r\n\r\n{body}"))

    (document,) = loading.documents
    assert document.text == body
    assert document.fields == {"title": "Hai"}


def test_a_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    loading = MarkdownLoader().load(written(tmp_path, "a.md", "---\n\nMột.\n"))

    assert loading.problems == ()
    assert loading.documents[0].text == "---\n\nMột."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("mở đầu\n\n## **Quy định** chung\n", "Quy định chung"),
        ("# QUYẾT ĐỊNH\n\n## Về học phí\n", "QUYẾT ĐỊNH Về học phí"),
        ("TRƯỜNG X\n\nNỘI QUY\n\nKý túc xá\n", "NỘI QUY Ký túc xá"),
        ("QUYẾT ĐỊNH:\n\nĐiều 1. Ban hành\n", "QUYẾT ĐỊNH"),
        ("Số: 1\n\nV/v nghỉ Tết\n", "V/v nghỉ Tết"),
        ("không có gì", None),
    ],
)
def test_the_title_is_taken_from_the_text(text: str, title: str | None) -> None:
    assert title_in(text) == title


def test_jsonl_has_one_document_a_line(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "text": "một", "title": "A", "topic": "study", "applies_to": {"cohorts": ["47-"]}},
        {"id": 2, "text": "hai\nba"},
    ]
    written(tmp_path, "p.jsonl", "\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines))

    first, second = load_knowledge(tmp_path).documents

    assert (first.meta.title, first.meta.topic, first.meta.applies_to.values("cohort")) == (
        "A",
        "study",
        ("47-",),
    )
    assert (second.meta.id, second.meta.title, second.text) == ("2", "2", "hai\nba")


def test_bad_lines_of_jsonl_are_told_by_number(tmp_path: Path) -> None:
    content = "\n".join(
        [
            '{"id": "a", "text": "x"}',
            "{",
            "[1]",
            '{"id": "b"}',
            '{"text": "x"}',
            '{"id": "c", "text": " "}',
            "[" * 9999,
        ]
    )

    loading = JsonlLoader().load(written(tmp_path, "p.jsonl", content))

    assert [(fault.line, fault.message.split(":")[0]) for fault in loading.problems] == [
        (2, "broken JSON"),
        (3, "must be an object"),
        (4, "'text' is missing"),
        (5, "'id' is missing"),
        (6, "'text' is empty"),
        (7, "broken JSON"),
    ]


def test_an_id_that_stands_twice_in_jsonl_is_told_with_both_lines(tmp_path: Path) -> None:
    written(tmp_path, "p.jsonl", '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}')

    with pytest.raises(KnowledgeError, match=r"p\.jsonl:2: a document 'a' is there already \(line 1\)"):
        load_knowledge(tmp_path)


def test_a_key_that_jsonl_documents_do_not_have_is_one_warning(tmp_path: Path) -> None:
    loading = JsonlLoader().load(
        written(
            tmp_path, "p.jsonl", '{"id": "a", "text": "x", "page": 1}\n{"id": "b", "text": "y", "page": 2}'
        )
    )

    assert len(loading.documents) == 2
    assert [warning.message for warning in loading.warnings] == ["the key 'page' is not read (2 times)"]
