"""One loader a kind of file; `loader_for` picks it by the suffix."""

from __future__ import annotations

from rag.knowledge.loaders.docx import DocxLoader
from rag.knowledge.loaders.jsonl import JsonlLoader
from rag.knowledge.loaders.loader import Loader, Loading, RawDocument
from rag.knowledge.loaders.markdown import MarkdownLoader
from rag.knowledge.loaders.pdf import PdfLoader
from rag.knowledge.loaders.text import TextLoader

__all__ = ["LOADERS", "Loader", "Loading", "RawDocument", "loader_for"]

LOADERS: tuple[Loader, ...] = (MarkdownLoader(), TextLoader(), DocxLoader(), PdfLoader(), JsonlLoader())


def loader_for(suffix: str) -> Loader | None:
    """The loader of files whose name ends in `suffix` (".pdf", in any case), if there is one."""
    return next((loader for loader in LOADERS if suffix.lower() in loader.suffixes), None)
