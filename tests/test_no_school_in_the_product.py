"""A school is its knowledge folder: no word of the sample school stands in code, domain, data or the page."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from school_words import office_names, own_words, words_in

from covan.project import ROOT
from rag.ingest.load import load_knowledge
from school.catalog import Catalog

PRODUCT = (
    *(
        "rag",
        "actions",
        "channels",
        "console",
        "covan",
        "server",
        "school",
        "vietnamese",
        "data",
        "widget/src",
    ),
    *("widget/index.html", "domain.yml", "config.yml", "credentials.yml", "endpoints.yml"),
)
SAID = (
    *("domain.yml", "actions", "server", "channels", "console", "covan/locales", "widget/src"),
    "covan/messenger_profile.yml",
)
"""What students read comes from here, and from the knowledge folder."""

TEXT = frozenset({".py", ".yml", ".txt", ".ts", ".html", ".css", ".toml", ".json"})


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_knowledge(ROOT / "knowledge").catalog


def sources(*paths: str) -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in TEXT and "tests" not in path.parts and path.is_file():
            yield path


def found_in(paths: Iterator[Path], words: frozenset[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {word}"
        for path in paths
        for word in words_in(path.read_text(encoding="utf-8"), words)
    ]


def test_the_list_holds_what_names_and_reaches_the_school(catalog: Catalog) -> None:
    words = own_words(catalog)

    assert {catalog.school.name.lower(), catalog.school.short.lower(), catalog.offices[0].phone} <= words
    assert list(words_in(f"Liên hệ {catalog.school.name}, {catalog.offices[0].phone}.", words))
    assert not list(words_in("Liên hệ trường của bạn, 115.", words))


def test_the_school_stands_nowhere_in_the_product(catalog: Catalog) -> None:
    assert found_in(sources(*PRODUCT), own_words(catalog)) == []


def test_no_office_of_the_school_is_named_where_students_read(catalog: Catalog) -> None:
    assert found_in(sources(*SAID), office_names(catalog) - {"thư viện", "library"}) == []
