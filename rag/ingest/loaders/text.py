"""Plain text: lines and paragraphs as they are."""

from __future__ import annotations

from pathlib import Path

from rag.ingest.cleaning import clean_block
from rag.ingest.loaders.encoding import decode
from rag.ingest.loaders.loader import Loading, RawDocument
from rag.ingest.marked_yaml import Fault


class TextLoader:
    """Reads lines without their indentation, which would be code in Markdown."""

    suffixes = (".txt",)

    def load(self, path: Path) -> Loading:
        text = decode(path.read_bytes())
        if isinstance(text, Fault):
            return Loading(problems=(text,))
        lines = (line.strip() for line in clean_block(text).split("\n"))
        return Loading((RawDocument("\n".join(lines)),))
