"""The interface of loaders, which make documents with unchecked metadata from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rag.ingest.marked_yaml import Fault, Marked


@dataclass(frozen=True, slots=True)
class RawDocument:
    """The text of a document as light Markdown, and its metadata in the file itself.

    `fields` are those of `rag.ingest.schema.DocumentRecord`, unchecked; `marked` has their lines. `marks` is metadata
    of places in the text, in order: (line from 0, metadata from that line on); citations show `{"page": 3}`.
    """

    text: str
    fields: Mapping[str, object] = field(default_factory=dict)
    marked: Marked = field(default_factory=lambda: Marked({}, {(): 1}))
    marks: tuple[tuple[int, Mapping[str, Any]], ...] = ()


@dataclass(frozen=True, slots=True)
class Loading:
    """The documents of a file. A fault of `problems` must be mended; `warnings` inform."""

    documents: tuple[RawDocument, ...] = ()
    problems: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    @classmethod
    def failed(cls, message: str, line: int | None = None) -> Loading:
        return cls(problems=(Fault(message, line),))


class Loader(Protocol):
    """Reads files of one kind; damage is reported in `Loading.problems`, never raised."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of its files, in lower case, with the dot."""
        ...

    def load(self, path: Path) -> Loading: ...
