"""What a loader is: a file in, documents with their still unchecked metadata out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rag.ingest.marked_yaml import Fault, Marked


@dataclass(frozen=True, slots=True)
class RawDocument:
    """The text of a document as light Markdown, and what the file itself says about it.

    `fields` are the keys of `rag.ingest.schema.DocumentRecord`, unchecked; `marked` knows their lines. `marks` are open
    metadata of places in the text: (line, metadata) from that line on (from 0), in order. `{"page": 3}` is shown in
    citations.
    """

    text: str
    fields: Mapping[str, object] = field(default_factory=dict)
    marked: Marked = field(default_factory=lambda: Marked({}, {(): 1}))
    marks: tuple[tuple[int, Mapping[str, Any]], ...] = ()


@dataclass(frozen=True, slots=True)
class Loading:
    """What came out of a file. A fault of `problems` must be mended; one of `warnings` should be known."""

    documents: tuple[RawDocument, ...] = ()
    problems: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    @classmethod
    def failed(cls, message: str, line: int | None = None) -> Loading:
        return cls(problems=(Fault(message, line),))


class Loader(Protocol):
    """Reads files of one kind. A file that is damaged is told in `Loading.problems`, never raised."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of its files end, in lower case, with the dot."""
        ...

    def load(self, path: Path) -> Loading: ...
