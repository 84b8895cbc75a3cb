"""Markdown, with optional front matter between two `---` lines."""

from __future__ import annotations

import re
from pathlib import Path

from rag.ingest.cleaning import clean_block
from rag.ingest.loaders.encoding import decode
from rag.ingest.loaders.loader import Loading, RawDocument
from rag.ingest.marked_yaml import Fault, MarkedYamlError, parse
from rag.messages import Message

_FRONT_MATTER = re.compile(
    r"\A\ufeff?---[^\S\n]*\n(?P<yaml>.*?)(?:^|\n)---[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_OPENED = re.compile(r"\A\ufeff?---[^\S\n]*\n[^\S\n]*\w+[^\S\n]*:")


class MarkdownLoader:
    """Reads Markdown as it is, but for the characters that `clean_block` removes."""

    suffixes = (".md", ".markdown")

    def load(self, path: Path) -> Loading:
        text = decode(path.read_bytes())
        if isinstance(text, Fault):
            return Loading(problems=(text,))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        match = _FRONT_MATTER.match(text)
        if match is None and _OPENED.match(text):
            return Loading.failed(Message("front_matter_open"), 1)
        if match is None:
            return Loading((RawDocument(clean_block(text)),))
        return _with_front_matter(match["yaml"], clean_block(text[match.end() :]))


def _with_front_matter(front_matter: str, body: str) -> Loading:
    try:
        marked = parse(front_matter, first_line=2)
    except MarkedYamlError as error:
        return Loading(problems=error.faults)
    if marked.data is None:
        return Loading((RawDocument(body),))
    if not isinstance(marked.data, dict):
        return Loading.failed(Message("front_matter_not_key_value"), 2)
    return Loading((RawDocument(body, marked.data, marked),))
