"""The clauses that FAQ entries cite, as they read when each entry was last edited or reviewed.

An entry is to be looked at again when the text of a cited clause differs from the text that the entry was written over.
The file beside the index keeps that text, for entries edited by hand as for those of the console: it is taken anew
whenever answer, sources or review date of an entry change, or the entry is saved in the console. The comparison takes
place when the index or its FAQ changes; lists only look it up.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from console.faq_files import EntryText
from console.replaced_file import replace_file
from rag.answer.curated import passages_at
from rag.index.format import Index
from rag.types import Passage

logger = logging.getLogger(__name__)

MOST_KEPT_CHARS = 4_000
"""Characters of a text that is kept to be shown beside today's; of a longer one there is a hash alone."""


@dataclass(frozen=True, slots=True)
class ChangedSource:
    """A source of an entry whose text changed; `before` is empty when the text was too long to keep."""

    document: str
    title: str
    locator: str
    before: str
    now: str


class CitedClauses:
    """Compares the clauses that entries cite with those they were written over, which `file` keeps."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._passages: tuple[Passage, ...] | None = None
        self._by_document: dict[str, list[Passage]] = {}
        self._texts: dict[tuple[str, str], tuple[str, str]] = {}
        self._compared = ""
        self._changed: Mapping[str, Sequence[ChangedSource]] = {}
        self._kept = _kept_in(file)

    def changed(
        self, index: Index, entries: Callable[[], Iterable[EntryText]]
    ) -> Mapping[str, Sequence[ChangedSource]]:
        """Return the changed sources of each entry that has some, by its id.

        `entries` returns the entries as they stand in the files; it is called once for each version of the index.
        """
        with self._lock:
            if self._compared != index.manifest.version:
                self._read(index)
                self._changed = self._compare(entries())
                self._compared = index.manifest.version
            return self._changed

    def looked_at(self, ids: Iterable[str]) -> None:
        """Take the clauses of these entries, which an editor has saved, as they read at the next comparison."""
        with self._lock:
            for entry_id in ids:
                self._kept["entries"].pop(entry_id, None)
            self._compared = ""

    def _read(self, index: Index) -> None:
        # An edited FAQ has the passages of the index before.
        if self._passages is index.passages:
            return
        self._passages, self._texts, self._by_document = index.passages, {}, {}
        for passage in index.published:
            self._by_document.setdefault(passage.document_id, []).append(passage)

    def _compare(self, entries: Iterable[EntryText]) -> Mapping[str, Sequence[ChangedSource]]:
        kept, known = self._kept["entries"], self._kept["texts"]
        taken: dict[str, Any] = {}
        texts: dict[str, str] = {}
        changed: dict[str, Sequence[ChangedSource]] = {}
        for entry in entries:
            sources = list(_sources(entry))
            if not entry.id or not sources:
                continue
            state = _hash(repr([entry.record.get(name) for name in ("answer", "sources", "reviewed_at")]))
            now = [self._clause(*source) for source in sources]
            before = kept.get(entry.id)
            if before is None or before["state"] != state:
                before = {"state": state, "clauses": [each for _, each in now]}
                texts.update((each, text) for text, each in now if len(text) <= MOST_KEPT_CHARS)
            taken[entry.id] = before
            texts.update((each, known[each]) for each in before["clauses"] if each in known)
            differing = [
                ChangedSource(document, self._title(document), locator, texts.get(old, ""), text)
                for (document, locator), old, (text, new) in zip(sources, before["clauses"], now, strict=True)
                if old not in (_NOTHING, new)
            ]
            if differing:
                changed[entry.id] = differing
        self._keep({"entries": taken, "texts": texts})
        return changed

    def _clause(self, document: str, locator: str) -> tuple[str, str]:
        """Return the text of a clause, or of the whole document without a locator, and its hash; "" for no text."""
        known = self._texts.get((document, locator))
        if known is None:
            passages = self._by_document.get(document, [])
            cited = passages_at(passages, locator) if locator else passages
            text = "\n".join(" ".join(passage.text.split()) for passage in cited)
            self._texts[document, locator] = known = text, _hash(text)
        return known

    def _title(self, document: str) -> str:
        passages = self._by_document.get(document)
        return passages[0].title if passages else document

    def _keep(self, kept: dict[str, Any]) -> None:
        if kept == self._kept and self._file.exists():
            return
        self._kept = kept
        try:
            replace_file(self._file, json.dumps(kept, ensure_ascii=False).encode())
        except OSError as error:
            # The flags of this process stay right; the next one begins with the clauses as they read then.
            logger.error("%s cannot be written: %s", self._file, error)


def _sources(entry: EntryText) -> Iterable[tuple[str, str]]:
    for source in entry.record.get("sources") or ():
        if isinstance(source, Mapping):
            yield str(source.get("document") or ""), str(source.get("locator") or "")


def _hash(text: str) -> str:
    # Passages may be cut elsewhere by another version of the splitter.
    return sha256(" ".join(text.split()).encode()).hexdigest()[:16]


_NOTHING = _hash("")
"""Of a clause that the document lacked when the entry was written."""


def _kept_in(file: Path) -> dict[str, Any]:
    empty: dict[str, Any] = {"entries": {}, "texts": {}}
    try:
        kept = json.loads(file.read_bytes())
    except FileNotFoundError:
        return empty
    except (OSError, ValueError) as error:
        logger.error("%s cannot be read, and is made anew: %s", file, error)
        return empty
    parts = kept.items() if isinstance(kept, dict) else ()
    return {**empty, **{name: part for name, part in parts if name in empty and isinstance(part, dict)}}
