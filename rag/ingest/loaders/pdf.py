"""PDF files with a text layer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import PdfiumError

from rag.ingest.cleaning import clean_block
from rag.ingest.loaders.loader import Loading, RawDocument
from rag.ingest.loaders.reflow import reflow, without_running_lines
from rag.ingest.marked_yaml import Fault
from rag.messages import Message

MAX_PAGES = 2_000
MIN_PAGE_CHARS = 16
"""The fewest letters and digits of a page with text; one with fewer is a scan."""

_SIGNATURE_WITHIN = 1_024
"""The bytes within which "%PDF-" must stand: readers allow for other bytes before it."""

_ONE_AT_A_TIME = threading.Lock()
"""PDFium is not safe to use from several threads."""

_LINE_END_HYPHENS = ("\x02", "\ufffe")
_WINDOWS_SIGNS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
"""Windows-1252 signs ("…", quotation marks) that old PDF makers write in place of control characters."""


class PdfLoader:
    """Reads paragraphs without running headers and page numbers; a page without text is a warning."""

    suffixes = (".pdf",)

    def load(self, path: Path) -> Loading:
        with path.open("rb") as file:
            if b"%PDF-" not in file.read(_SIGNATURE_WITHIN):
                return Loading.failed(Message("not_a_pdf"))
        try:
            with open_pdf(path) as document:
                pages = _pages(document)
        except PdfiumError as error:
            return Loading.failed(_explain(error))
        if isinstance(pages, Fault):
            return Loading(problems=(pages,))
        scans = [number for number, page in enumerate(pages, start=1) if is_scan(page)]
        # Lines are cleaned before, so that the marks of the pages stay right.
        flow = reflow(without_running_lines([_lines(page) for page in pages]))
        marks = tuple((line, {"page": page + 1}) for page, line in flow.begins.items())
        return Loading((RawDocument(flow.text, marks=marks),), warnings=_warnings(scans, len(pages)))


@contextmanager
def open_pdf(path: Path) -> Iterator[Any]:
    """Open a file with PDFium, for one thread at a time. Raises PdfiumError."""
    document: Any
    with _ONE_AT_A_TIME, closing(pypdfium2.PdfDocument(path)) as document:  # type: ignore[no-untyped-call]
        yield document


def page_text(page: Any) -> str:
    """Return the text layer of an open page, as it is stored."""
    with closing(page.get_textpage()) as text_page:
        text: str = text_page.get_text_range()
        return text


def is_scan(text: str) -> bool:
    """Return whether the text layer of a page is too short to be its text."""
    return sum(char.isalnum() for char in text) < MIN_PAGE_CHARS


def _pages(document: Any) -> list[str] | Fault:
    if len(document) > MAX_PAGES:
        return Fault(Message("too_many_pages", count=len(document), most=MAX_PAGES))
    return [_page(document, index) for index in range(len(document))]


def _page(document: Any, index: int) -> str:
    with closing(document[index]) as page:
        return page_text(page)


def _lines(page: str) -> list[str]:
    """Return the clean lines of a page; pdfium ends lines with `\\r\\n`, and marks a hyphen there by U+0002.

    Vietnamese does not split words, so such a hyphen belongs to the text: "QĐ-ĐHCT".
    """
    for sign in _LINE_END_HYPHENS:
        page = page.replace(f"{sign}\r\n", "-").replace(sign, "-")
    return clean_block(page.translate(_WINDOWS_SIGNS)).split("\n")


def _warnings(scans: list[int], pages: int) -> tuple[Fault, ...]:
    if not scans:
        return ()
    if len(scans) == pages:
        return (Fault(Message("scanned_pdf")),)
    numbers = ", ".join(map(str, scans))
    return (Fault(Message("scanned_pages" if len(scans) > 1 else "scanned_page", pages=numbers)),)


def _explain(error: PdfiumError) -> Message:
    told = str(error).lower()
    return Message("pdf_with_password" if "password" in told or "security" in told else "damaged_pdf")
