"""One loader a kind of file; `loader_for` picks it by the suffix."""

from __future__ import annotations

from rag.ingest.loaders.docx import DocxLoader
from rag.ingest.loaders.jsonl import JsonlLoader
from rag.ingest.loaders.loader import Loader, Loading, RawDocument
from rag.ingest.loaders.markdown import MarkdownLoader
from rag.ingest.loaders.pdf import PdfLoader
from rag.ingest.loaders.text import TextLoader

__all__ = ["LOADERS", "Loader", "Loading", "RawDocument", "loader_for"]

LOADERS: tuple[Loader, ...] = (MarkdownLoader(), TextLoader(), DocxLoader(), PdfLoader(), JsonlLoader())


def loader_for(suffix: str) -> Loader | None:
    """The loader of files whose name ends in `suffix` (".pdf", in any case), if there is one."""
    return next((loader for loader in LOADERS if suffix.lower() in loader.suffixes), None)
