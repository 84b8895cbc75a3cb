"""The index that answers students: opened once for each version, and replaced by an edit that answers at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from console.nearer_entries import nearer_entries
from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.format import Index
from rag.index.versions import current_version, open_index, publish_faq
from rag.ingest.faq_update import with_calculators, with_faq
from rag.ingest.load import Curated
from rag.language_model.exchange import ModelAccess
from rag.retrieve.embedder import Embedder
from rag.types import FaqEntry, Passage, QueryRule, Question, Reply
from school.dimensions import Profile
from school.wording import Wording
from vietnamese.text import fold


class LiveIndex:
    """The current version of an index, and engines over it and over edits of it."""

    def __init__(self, folder: Path, embedder: Embedder, preset: str) -> None:
        self.folder = folder
        self.preset = preset
        self._embedder = embedder
        self._opened: Index | None = None
        self._engine: Engine | None = None
        self._spelling: tuple[str, Wording, Mapping[str, str]] | None = None

    @property
    def version(self) -> str:
        """The name of the current version of the index; empty without one."""
        return current_version(self.folder) or ""

    def index(self) -> Index:
        """Return the current version of the index, opened once. Raises IndexUnusableError."""
        opened = self._opened
        if opened is None or opened.manifest.version != self.version:
            self._opened = opened = self.opened(self.folder)
        return opened

    def nearer_entries(self, passages: Sequence[Passage], document_id: str) -> list[FaqEntry]:
        """Return the entries of whose matter a new document has the nearest clause (`nearer_entries`)."""
        return nearer_entries(self.index(), self._embedder, passages, document_id)

    def opened(self, folder: Path) -> Index:
        """Return the current version of the index in another folder. Raises IndexUnusableError."""
        return open_index(folder, self._embedder)

    def publish(self, index: Index) -> None:
        """Make an index that differs in its FAQ, calculators and facts alone the current version."""
        publish_faq(index, self.folder)
        self._opened = index

    def engine(self) -> Engine:
        """Return the engine over what is live, made once for each version. Raises IndexUnusableError."""
        index, live = self.index(), self._engine
        if live is None or live.index_version != index.manifest.version:
            self._engine = live = self.engine_over(index)
        return live

    def spelled(self, text: str) -> str:
        """Return words typed without diacritics as the school writes them: "han nop dgnl" is "hạn nộp ĐGNL".

        Raises IndexUnusableError.
        """
        index, live = self.index(), self._spelling
        if live is None or live[0] != index.manifest.version:
            reading = index.reading
            terms = [each.short for each in reading.glossary if each.kind == "abbreviation"]
            forms = {typed: short for short in terms for typed in (fold(short), short.casefold())}
            self._spelling = live = (index.manifest.version, Wording(reading), forms)
        _, wording, short_forms = live
        return " ".join(short_forms.get(word, word) for word in wording.spelled(text).split())

    def engine_over(
        self, index: Index, *, chosen: Chosen | None = None, model: ModelAccess | None = None
    ) -> Engine:
        """Return an engine over an index; `chosen` decides instead of the gate in use, `model` may word replies."""
        return Engine.over(index, self.folder, self.preset, self._embedder, chosen, model=model)

    def ask(self, text: str, profile: Mapping[str, str], model: ModelAccess | None = None) -> Reply:
        """Return the live reply to a question of a student with these values; `model` may word it.

        Raises IndexUnusableError.
        """
        engine = self.engine_over(self.index(), model=model) if model is not None else self.engine()
        return engine.reply(Question(text, profile=Profile(profile)))

    def with_faq(self, before: Index, faq: tuple[FaqEntry, ...], rules: tuple[QueryRule, ...]) -> Index:
        """Return an index with another FAQ and other query rules."""
        return with_faq(before, faq, self._embedder, rules)

    def with_curated(self, before: Index, curated: Curated) -> Index:
        """Return an index with other FAQ, query rules, calculators and facts."""
        with_answers = self.with_faq(before, curated.faq, curated.rules)
        return with_calculators(with_answers, curated.calculators, curated.facts, self._embedder)
