"""Publishing an edit of the knowledge folder: checked first, then written, committed and brought into the index.

Each file is replaced in one step and so is the index. A process that is killed in between leaves the old state, or a
note of the new one (`console.unfinished_change`), which the next start writes and makes a version of; the next
publication, or `covan index`, brings the index up to the files. The whole build, which
learns the classifiers anew, follows in a process of its own; a further edit ends it and begins it again. A document,
a topic and the catalogue go live with the early version that this process makes first (`rag.ingest.early_version`).
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from console.calculator_files import FOLDER as CALCULATORS
from console.calculator_files import CalculatorFiles
from console.cited_clauses import ChangedSource, CitedClauses
from console.dictionary_files import DictionaryFiles
from console.document_files import FOLDER as DOCUMENTS
from console.document_files import DocumentEdit, DocumentFileError, DocumentFiles
from console.draft_builds import BuildState, Command, DraftBuildError, DraftBuilds
from console.fact_files import FOLDER as FACTS
from console.fact_files import FactFiles
from console.faq_files import BESIDE, FOLDER, FaqFiles, is_of_faq
from console.knowledge_files import (
    ConflictError,
    Edit,
    InUseError,
    KnowledgeFileError,
    contents_of,
    is_yaml,
    text_and_hash,
)
from console.query_rule_file import QueryRuleFile
from console.replaced_file import has_contents, hashes_in, hashes_of, replace_file, write_contents
from console.unfinished_change import Change, UnfinishedChange
from console.uses import Gone, UseFinder
from console.versions import Versions, VersionsError, headline
from console.yaml_text import YamlTextError
from rag.decide.calibration import Calibration
from rag.decide.gate import Chosen
from rag.decide.probability import shipped_models
from rag.engine import Engine
from rag.errors import IndexUnusableError, KnowledgeError, Problem
from rag.index.format import Index
from rag.index.versions import current_version, open_index, publish_faq
from rag.ingest.checked_questions import CheckedQuestion
from rag.ingest.faq_update import with_calculators, with_faq
from rag.ingest.load import Curated, Knowledge, load_curated, load_faq, load_knowledge
from rag.ingest.query_rules import RULES_FILE
from rag.language_model.exchange import ModelAccess
from rag.query.same_words import folded_words
from rag.retrieve.embedder import Embedder
from rag.types import DecisionKind, FaqEntry, QueryRule, Question, Reply
from school.dimensions import Profile

logger = logging.getLogger(__name__)

_CHECKED = ("catalog.yml", "topics.yml", "glossary.yml", "facts", "faq", RULES_FILE)
"""The parts of a knowledge folder that an edited FAQ is checked against."""

_CURATED = (*_CHECKED, "calculators")
"""The parts that an edited fact or calculator is checked against."""

_LIVE_FOLDERS = (FOLDER, FACTS, CALCULATORS)
"""The folders whose files answer at once."""

REPLACED = "replaced"
"""The folder, beside the index, with the documents that were replaced in a folder without versions, by the time."""

MOST_PARTS = 1_000
"""Ids of parts that are kept of one restoration."""

MOST_DRAFTED = 4
"""Engines over drafts that are kept: each has the vectors of the FAQ once more."""


Asked = Callable[[int, int], None]
"""Takes the number of checked questions that were asked, and of all."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked question with the replies before and with an edit.

    `is_right`: with it, its entry answers, another one of the same family, or either after a question back; or the
    refusal or the question back that it wants comes. `was_right`: the same before.
    """

    question: CheckedQuestion
    before: Reply
    after: Reply
    was_right: bool
    is_right: bool

    @property
    def changes(self) -> bool:
        """Whether another answer is given, one instead of none, or a wrong outcome instead of the right one."""
        return self.was_right != self.is_right or _outcome(self.before) != _outcome(self.after)

    @property
    def reads_otherwise(self) -> bool:
        """Whether it changes, or the same answer has another text."""
        return self.changes or self.before.text != self.after.text


@dataclass(frozen=True, slots=True)
class Tried:
    """A checked FAQ with an edit, the replies to some questions with it and before, and the checked questions."""

    faq: Sequence[FaqEntry]
    replies: Sequence[Reply]
    before: Sequence[Reply]
    checked: Sequence[Checked]


@dataclass(frozen=True, slots=True)
class TriedValues:
    """An edit of a fact or a calculator: the index with it, and what it changes.

    `changed` are FAQ entries whose answer reads otherwise, before and after; `checked` as in `Tried`.
    """

    index: Index
    changed: Sequence[tuple[FaqEntry, FaqEntry]]
    checked: Sequence[Checked]


@dataclass(frozen=True, slots=True)
class Published:
    """Published entries: as the engine has them, and the commit ("" when the folder is no git repository)."""

    entries: Sequence[FaqEntry]
    commit: str


@dataclass(frozen=True, slots=True)
class Brought:
    """A version that brought others' files back: its commit, and the ids of the parts that it changed.

    `parts` is None when there are more than `MOST_PARTS`, or a file could not be read.
    """

    commit: str
    parts: Sequence[str] | None


class Publisher:
    """Publishes to one knowledge folder and index, one edit at a time."""

    def __init__(
        self,
        knowledge: Path,
        index: Path,
        embedder: Embedder,
        preset: str = "covan",
        rebuild: Command | None = None,
    ) -> None:
        """`rebuild` returns the command that builds the index of a folder; None: no build follows."""
        self.files = FaqFiles(knowledge)
        self.rules = QueryRuleFile(knowledge)
        self.documents = DocumentFiles(knowledge, index.parent / "drafts")
        self.calculators = CalculatorFiles(knowledge)
        self.facts = FactFiles(knowledge, self.files, self.calculators)
        self.dictionaries = DictionaryFiles(knowledge)
        self.versions = Versions(knowledge)
        self._clauses = CitedClauses(index.parent / "cited_clauses.json")
        self._knowledge = knowledge
        self._index_dir = index
        self._embedder = embedder
        self._preset = preset
        self._rebuild = rebuild
        self._lock = threading.Lock()
        self._building: subprocess.Popen[bytes] | None = None
        self._build_wanted_at = 0.0
        self._is_restarting = False
        self._brings = True
        self._built_from = ""
        self._opened: Index | None = None
        self._live: Engine | None = None
        self._drafting = threading.Lock()
        self._drafted: dict[tuple[str, str], Engine] = {}
        self.draft_builds = DraftBuilds(index.parent / "drafted", index, rebuild)
        self._unfinished = UnfinishedChange(knowledge, index.parent / "unfinished.json")
        if (change := self._unfinished.finish()) is not None:
            self._committed(change)
            self._begin_build()

    def close(self) -> None:
        """End the builds that are under way; the next start does that of the school again."""
        self.draft_builds.close()
        self._end_build()

    def build(self) -> None:
        """Begin the whole build, unless it runs."""
        with self._lock:
            if not self.is_building:
                self._begin_build()

    @property
    def is_building(self) -> bool:
        """Whether the whole build runs, or is about to begin anew with a change."""
        return self._is_restarting or (self._building is not None and self._building.poll() is None)

    @property
    def is_bringing(self) -> bool:
        """Whether a build has yet to bring a change of documents, topics or catalogue to students.

        The first version that it makes does so, seconds after its start, and the build goes on.
        """
        is_made = not self._is_restarting and self.index_version != self._built_from
        return self.is_building and self._brings and not is_made

    @property
    def building_s(self) -> float:
        """For how many seconds the whole build is waited for; one that began anew with a change goes on counting."""
        return time.monotonic() - self._build_wanted_at if self.is_building else 0.0

    @property
    def index_folder(self) -> Path:
        """The folder of the index."""
        return self._index_dir

    @property
    def build_failed(self) -> bool:
        """Whether the last whole build ended with an error."""
        if self._is_restarting or self._building is None:
            return False
        return self._building.poll() not in (None, 0)

    def index(self) -> Index:
        """Return the current version of the index, opened once. Raises IndexUnusableError."""
        opened = self._opened
        if opened is None or opened.manifest.version != self.index_version:
            self._opened = opened = open_index(self._index_dir, self._embedder)
        return opened

    def try_out(self, edit: Edit, questions: Sequence[str], checks: Sequence[str] = ()) -> Tried:
        """Try an edit on `questions`, and on the school's checked questions before and with it.

        `checks` are questions that the edit is to answer, whatever rule they have or how they were checked before.

        Raises KnowledgeError, IndexUnusableError, KnowledgeFileError.
        """
        index = self.index()
        unruled = self.rules.without_questions(checks)
        faq, rules = self._checked([edit, *([unruled] if unruled is not None else [])], index)
        before, after = self._engine(index), self._engine(with_faq(index, faq, self._embedder, rules))
        checked = self._compared(before, after, (*index.faq, *faq), checks)
        asked = [Question(question) for question in questions]
        replies, now = [after.reply(each) for each in asked], [before.reply(each) for each in asked]
        return Tried(faq, replies, now, checked)

    def try_values(self, edit: Edit, calculators: Set[str]) -> TriedValues:
        """Try an edit of a fact or a calculator on the FAQ and the checked questions.

        `calculators` are the ids of those that must still have a result for all of their inputs. Raises
        KnowledgeError, IndexUnusableError, KnowledgeFileError.
        """
        index = self.index()
        curated = self._curated(contents_of([edit]), calculators, index)
        after = self._with_curated(index, curated)
        known = {entry.id: entry for entry in index.faq}
        changed = [
            (known[entry.id], entry)
            for entry in curated.faq
            if entry.id in known and known[entry.id].answer != entry.answer
        ]
        checked = self._compared(self._engine(index), self._engine(after), curated.faq)
        return TriedValues(after, changed, checked)

    def compare(self, after: Engine, asked: Asked = lambda *_: None) -> Sequence[Checked]:
        """Return the outcomes of the school's checked questions as it is, and with the engine over a draft of it.

        `asked` gets the progress. Raises IndexUnusableError, KnowledgeFileError, and what `asked` raises.
        """
        index = self.index()
        return self._compared(self._engine(index), after, index.faq, asked=asked)

    def try_calibration(self, calibration: Calibration | None) -> Sequence[Checked]:
        """Try other thresholds on the checked questions; None: the shipped one.

        Raises IndexUnusableError, KnowledgeFileError.
        """
        chosen = Chosen(shipped_models(self._preset), calibration)
        over = Engine.over(self.index(), self._index_dir, self._preset, self._embedder, chosen)
        return self.compare(over)

    def _compared(
        self,
        before: Engine,
        after: Engine,
        faq: Sequence[FaqEntry],
        left_out: Sequence[str] = (),
        asked: Asked = lambda *_: None,
    ) -> Sequence[Checked]:
        """Return the outcomes of the checked questions, but of those in the words of `left_out`."""
        families = {entry.id: entry.family for entry in faq}
        own = set(map(folded_words, left_out))
        questions = [each for each in self.files.checked() if folded_words(each.question) not in own]
        checked = []
        for place, each in enumerate(questions):
            asked(place, len(questions))
            old, new = before.reply(Question(each.question)), after.reply(Question(each.question))
            rights = (_is_right(each, reply, families) for reply in (old, new))
            checked.append(Checked(each, old, new, *rights))
        return checked

    def engine(self) -> Engine:
        """Return the engine over what is live, made once for each version. Raises IndexUnusableError."""
        index, live = self.index(), self._live
        if live is None or live.index_version != index.manifest.version:
            self._live = live = self._engine(index)
        return live

    def drafted(self, key: str, make: Callable[[], tuple[Edit, Set[str]]]) -> Engine:
        """Return the engine over what is live with the edit that `make` makes; nothing of it is written.

        `make` returns the ids of the calculators to try out, too. By its `key`, the engine is made once for each
        version of the index. Raises KnowledgeError, IndexUnusableError, KnowledgeFileError, and what `make` raises.
        """
        index = self.index()
        place = key, index.manifest.version
        with self._drafting:
            engine = self._drafted.get(place)
            if engine is None:
                edit, calculators = make()
                curated = self._curated(contents_of([edit]), calculators, index)
                engine = self._keep_drafted(place, self._with_curated(index, curated))
        return engine

    def begin_draft(
        self,
        key: str,
        contents: Mapping[str, bytes | None],
        *,
        tries: bool = False,
        gone: Gone | None = None,
    ) -> None:
        """Check the folder with other contents of some files, and begin the build that is asked before it is live.

        `tries` and `gone` as in `publish_dictionary`. Raises KnowledgeError, InUseError, DraftBuildError.
        """
        self._whole_without(gone, contents, tries=tries)
        self.draft_builds.begin(key, contents, lambda folder: self._stage_whole(folder, contents))

    def keep_drafts(self, keys: Set[str]) -> None:
        """Delete the builds of all other drafts than these."""
        gone = self.draft_builds.keep_only(keys)
        with self._drafting:
            self._drafted = {place: engine for place, engine in self._drafted.items() if place[0] not in gone}

    def has_draft(self, key: str) -> bool:
        """Return whether the folder has the files of a draft that was built: it was published."""
        return self.draft_builds.is_in(key, self._knowledge)

    def drafted_whole(self, key: str, make: Callable[[], Mapping[str, bytes | None]]) -> Engine:
        """Return the engine over the build of a draft, with the FAQ, facts and calculators as they are by now.

        `make` returns the files that the draft changes, over the folder as it is by now. When the folder has them so,
        the draft was published, and what is live answers. Raises DraftBuildError until the build has ended well;
        KnowledgeError, IndexUnusableError, KnowledgeFileError, and what `make` raises.
        """
        index = self.index()
        place = key, index.manifest.version
        with self._drafting:
            engine = self._drafted.get(place)
            if engine is not None:
                return engine
            contents = make()
            if has_contents(self._knowledge, hashes_of(contents)) and not self.is_bringing:
                return self.engine()
            state = self.draft_builds.state(key)
            if state is BuildState.NONE:
                self.begin_draft(key, contents)
            if state is BuildState.FAILED:
                raise DraftBuildError("draft_failed", "the school with this draft could not be read")
            if state is not BuildState.READY:
                raise DraftBuildError("draft_building", "Covan still reads the school with this draft")
            built = open_index(self.draft_builds.index_of(key), self._embedder)
            return self._keep_drafted(
                place, self._with_curated(built, self._curated(contents, frozenset(), built))
            )

    def _keep_drafted(self, place: tuple[str, str], index: Index) -> Engine:
        engine = self._engine(index)
        kept = list(self._drafted.items())[1 - MOST_DRAFTED :]
        self._drafted = dict([*kept, (place, engine)])
        return engine

    def ask(self, text: str, profile: Mapping[str, str], model: ModelAccess | None = None) -> Reply:
        """Return the live reply to a question of a student with these values; `model` may word it.

        Raises IndexUnusableError.
        """
        engine = self._engine(self.index(), model) if model is not None else self.engine()
        return engine.reply(Question(text, profile=Profile(profile)))

    def _engine(self, index: Index, model: ModelAccess | None = None) -> Engine:
        return Engine.over(index, self._index_dir, self._preset, self._embedder, model=model)

    def publish(
        self,
        make: Callable[[FaqFiles], tuple[Sequence[Edit], Sequence[str]]],
        author: tuple[str, str],
        action: str,
        checks: Sequence[str] = (),
    ) -> Published:
        """Publish the edits that `make` makes from the files as they are now; `author` is name and login.

        `make` returns the ids of its entries, too. `action` is "add" or "change", for the version.

        `checks` are questions that the first entry answers from now on: they join the school's checked questions, and
        lose the query rules that they had.

        Raises ConflictError, KnowledgeFileError, KnowledgeError or IndexUnusableError, with nothing changed.
        """
        with self._lock:
            edits, ids = make(self.files)
            unruled = self.rules.without_questions(checks)
            checked = self.files.with_checked([CheckedQuestion(each, ids[0]) for each in checks])
            edits = [*edits, *(each for each in (unruled, checked) if each is not None)]
            faq, rules = self._checked(edits, self.index())
            known = {entry.id: entry for entry in faq}
            entries = [known[entry_id] for entry_id in ids]
            told = headline([entry.question for entry in entries])
            commit = self._replace(edits, self._faq_update(faq, rules), author, action, told)
            self._clauses.looked_at(ids)
            self._note_clauses()
        return Published(entries, commit)

    def publish_with_topics(
        self,
        topics: Sequence[Mapping[str, Any]],
        entries: Sequence[Mapping[str, Any]],
        author: tuple[str, str],
    ) -> tuple[Sequence[str], str]:
        """Publish new topics and entries of them, all or none, and begin the build that brings them to students.

        `topics` and `entries` are their fields. Returns the ids of the entries, and the commit. Raises YamlTextError,
        KnowledgeFileError, KnowledgeError, ConflictError or VersionsError, with nothing changed.
        """
        with self._lock:
            made, ids = self.files.added(*entries)
            edits = [self.dictionaries.topics_added(*topics), *made]
            self._whole(contents_of(edits), frozenset())
            self._keep_by_hand([edit.file for edit in edits if edit.made_from], author)
            self._refuse_edited(edits)
            told = headline([str(each["question"]) for each in entries])
            return ids, self._write_and_build(Change(contents_of(edits), author, "add", told))

    def publish_rule(self, rule: QueryRule, version: str, author: tuple[str, str]) -> str:
        """Publish a query rule, in the place of the one that was seen at `version`; return the commit.

        Its questions join the school's checked questions. Raises ConflictError, KnowledgeFileError, KnowledgeError or
        IndexUnusableError, with nothing changed.
        """
        with self._lock:
            wanted = [CheckedQuestion(each, None, rule.dimension, rule.entries) for each in rule.phrasings]
            edits = (self.rules.with_rule(rule, version), self.files.with_checked(wanted))
            return self._publish_rules(edits, author, "rule", rule.question)

    def withdraw_rule(self, version: str, author: tuple[str, str]) -> tuple[QueryRule, str]:
        """Take away the query rule that was seen at `version`; return it, and the commit.

        Its questions are checked no more. Raises as `publish_rule`.
        """
        with self._lock:
            edit, rule = self.rules.without(version)
            edits = (edit, self.files.with_checked((), rule.phrasings))
            return rule, self._publish_rules(edits, author, "rule_removed", rule.question)

    def _publish_rules(
        self, edits: Sequence[Edit | None], author: tuple[str, str], action: str, message: str
    ) -> str:
        made = [edit for edit in edits if edit is not None]
        faq, rules = self._checked(made, self.index())
        return self._replace(made, self._faq_update(faq, rules), author, action, message)

    def publish_values(
        self,
        make: Callable[[], tuple[Edit, Set[str]]],
        author: tuple[str, str],
        action: str,
        message: str,
    ) -> str:
        """Publish the edit of a fact or a calculator that `make` makes; it answers at once. Returns the commit.

        `make` returns the ids of the calculators to try out, too. `action` is "fact", "fact_removed", "calculator" or
        "calculator_removed".

        Raises ConflictError, InUseError, YamlTextError, KnowledgeFileError, KnowledgeError, IndexUnusableError or
        VersionsError, with nothing changed.
        """
        with self._lock:
            edit, calculators = make()
            curated = self._curated(contents_of([edit]), calculators, self.index())
            self._keep_by_hand([edit.file], author)
            return self._replace(
                [edit], lambda index: self._with_curated(index, curated), author, action, message
            )

    def publish_dictionary(
        self,
        make: Callable[[], Edit],
        author: tuple[str, str],
        action: str,
        message: str,
        *,
        tries: bool = False,
        gone: Gone | None = None,
    ) -> tuple[str, Sequence[Problem]]:
        """Publish the edit of topics or catalogue that `make` makes, and begin the build that brings it to students.

        The whole folder is checked with it. `tries`: the calculators are tried out, too, which takes seconds: an edit
        of a dimension may leave them without a fact. `gone` has no id any longer, which nothing may name. `action` is
        "topic", "topic_removed", "catalogue" or "catalogue_removed". Returns the commit, and the warnings about the
        file. Raises ConflictError, InUseError, NoPartError, YamlTextError, KnowledgeFileError, KnowledgeError or
        VersionsError, with nothing changed.
        """
        with self._lock:
            edit = make()
            knowledge = self._whole_without(gone, contents_of([edit]), tries=tries)
            self._keep_by_hand([edit.file], author)
            self._refuse_edited([edit])
            commit = self._write_and_build(Change(contents_of([edit]), author, action, message))
        return commit, [each for each in knowledge.warnings if each.file == edit.file]

    def _whole_without(
        self, gone: Gone | None, contents: Mapping[str, bytes | None], *, tries: bool
    ) -> Knowledge:
        """Return the whole folder with other contents of some files; nothing may name `gone` any longer.

        `tries`: the calculators are tried out. Raises KnowledgeError, InUseError.
        """
        try:
            knowledge = self._whole(contents, None if tries else frozenset())
        except KnowledgeError as error:
            self._refuse_uses(gone, error.problems)
            raise
        self._refuse_uses(gone, knowledge.warnings)
        return knowledge

    def _refuse_uses(self, gone: Gone | None, problems: Sequence[Problem]) -> None:
        finder = UseFinder(self.files, self.calculators, self.documents, self.dictionaries)
        if gone is not None and (uses := finder.uses(gone, problems)):
            raise InUseError(gone.id, uses)

    def publish_document(
        self, make: Callable[[DocumentFiles], DocumentEdit], author: tuple[str, str], action: str
    ) -> str:
        """Write the edit of a document that `make` makes, and begin the build that brings it to students.

        `action` is "document" or "document_removed". Returns the commit. Raises ConflictError, KnowledgeError,
        YamlTextError, DocumentFileError or VersionsError, with nothing changed.
        """
        with self._lock:
            edit = make(self.documents)
            seen = hashes_in(self._knowledge, edit.contents)
            problems = self.documents.problems(edit)
            if problems:
                raise KnowledgeError(problems)
            self.refuse_loss(edit)
            self._keep_by_hand(list(edit.contents), author)
            # The folder's files may be edited by hand while the document is read.
            if hashes_in(self._knowledge, edit.contents) != seen:
                raise ConflictError(edit.document_id, "")
            if not self.versions.are_kept:
                self._keep_aside(edit.contents)
            return self._write_and_build(Change(edit.contents, author, action, edit.title))

    def publish_examples(
        self, make: Callable[[], Sequence[Edit]], author: tuple[str, str], message: str
    ) -> tuple[Sequence[str], str]:
        """Write the edits of the example messages that `make` makes; the next training learns them.

        Returns the files, and the commit, which is "" when there is nothing to write. Raises ConflictError and what
        `make` raises, with nothing changed.
        """
        with self._lock:
            edits = make()
            if not edits:
                return [], ""
            self._refuse_edited(edits)
            change = Change(contents_of(edits), author, "label", message)
            self._unfinished.write(change)
            return list(change.contents), self._committed(change)

    def _keep_aside(self, contents: Mapping[str, bytes | None]) -> None:
        """Copy the files that an edit changes or takes away beside the index: no version of the folder has them."""
        aside = self._index_dir.parent / REPLACED / datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        for name, content in contents.items():
            path = self._knowledge / name
            if path.is_file() and (before := path.read_bytes()) != content:
                replace_file(aside / name, before)

    def refuse_loss(self, edit: DocumentEdit) -> None:
        """Raises DocumentFileError when an edit would take away a document that answers rest on."""
        gone = [name for name, content in edit.contents.items() if content is None]
        if len(gone) == len(edit.contents) and edit.document_id in self.cited():
            raise DocumentFileError(
                "cited", f"answers rest on {edit.document_id}: change their sources first"
            )

    def cited(self) -> Mapping[str, Sequence[FaqEntry]]:
        """Return the FAQ entries that rest on each document, by its id. Raises IndexUnusableError."""
        found: dict[str, list[FaqEntry]] = {}
        for entry in self.index().faq:
            for document in dict.fromkeys(source.document for source in entry.sources):
                found.setdefault(document, []).append(entry)
        return found

    def outdated(self, today: date) -> Set[str]:
        """Return the ids of entries that rest on a document which is no longer in force. Raises IndexUnusableError."""
        index = self.index()
        over = {
            passage.document_id
            for passage in index.passages
            if passage.effective_to is not None and passage.effective_to < today
        }
        return {entry.id for entry in index.faq if any(source.document in over for source in entry.sources)}

    def changed_sources(self) -> Mapping[str, Sequence[ChangedSource]]:
        """Return the sources whose text changed since an entry was edited or reviewed, by the entry's id.

        Raises IndexUnusableError, KnowledgeFileError.
        """
        return self._clauses.changed(self.index(), self.files.entries)

    def _note_clauses(self) -> None:
        """Compare the clauses that entries cite before somebody looks, and before they change."""
        # An edit goes on without them; the list of entries tells the fault.
        with suppress(IndexUnusableError, KnowledgeFileError):
            self.changed_sources()

    def restore(self, commit: str, author: tuple[str, str]) -> Brought:
        """Bring the folder back to what it was at a version; the new commit is "" when it is the same as then.

        What is in no version yet becomes one first. Files beside the FAQ's own in their folder stay. When nothing but
        the FAQ, its rules, the checked questions, facts and calculators differ, they answer at once; otherwise all goes
        live with the build that follows.

        Raises NoVersionError, VersionsError, ConflictError, KnowledgeFileError, KnowledgeError or IndexUnusableError,
        with the files unchanged.
        """
        with self._lock:
            contents = {
                name: self.versions.content(commit, name)
                for name in self.versions.differing(commit)
                if is_of_faq(name) or not name.startswith(f"{FOLDER}/")
            }
            return self._bring(contents, commit, author, "restore")

    def undo(self, commit: str, author: tuple[str, str]) -> Brought:
        """Undo what one version changed, and keep what came later; the new commit is "" when it is undone already.

        It goes live as `restore` does. Raises LaterChangesError and what `restore` raises, with the files unchanged.
        """
        with self._lock:
            return self._bring(self.versions.undone(commit), commit, author, "undo")

    def _bring(
        self, contents: Mapping[str, bytes | None], commit: str, author: tuple[str, str], action: str
    ) -> Brought:
        """Give files other contents because of a version."""
        if not contents:
            return Brought("", [])
        told, before = self.versions.message(commit), self._parts_in(contents)
        if not all(map(_is_curated, contents)):
            made = self._replace_all(contents, author, action, told)
        else:
            edits = self.files.replaced(contents)
            update = self._brought(contents)
            self._keep_by_hand((*_LIVE_FOLDERS, *BESIDE), author)
            made = self._replace(edits, update, author, action, told)
        after = self._parts_in(contents)
        if before is None or after is None:
            return Brought(made, None)
        parts = sorted(each for each in {**before, **after} if before.get(each) != after.get(each))
        return Brought(made, parts if len(parts) <= MOST_PARTS else None)

    def _brought(self, contents: Mapping[str, bytes | None]) -> Callable[[Index], Index]:
        """Return what brings other contents of curated files into an index. Raises KnowledgeError.

        Only the calculators that change, or use a fact that changes, are tried out.
        """
        if all(map(is_of_faq, contents)):
            return self._faq_update(*self._checked(self.files.replaced(contents), self.index()))
        tried = self.calculators.changed_in(contents) | self.facts.users_of_changed(contents)
        curated = self._curated(contents, tried, self.index())
        return lambda index: self._with_curated(index, curated)

    def _parts_in(self, files: Iterable[str]) -> Mapping[str, str] | None:
        """Return the parts in some files of the folder, by the ids that conflicts have, with what each is now.

        Documents are those of the files alone. None when a file cannot be read.
        """
        names = frozenset(files)
        changed = (name for name in names if name.startswith(f"{DOCUMENTS}/"))
        try:
            return {
                **{document: self._document_version(document) for document in self.documents.ids_of(changed)},
                **{each.id: each.version for each in self.files.entries() if each.file in names},
                **{
                    each.entry.id: each.entry.version
                    for each in self.calculators.calculators()
                    if each.entry.file in names
                },
                **{
                    each.name: f"{each.value} {each.note}"
                    for each in self.facts.facts()
                    if each.file in names
                },
                **{each.rule.question: each.version for each in self.rules.rules() if RULES_FILE in names},
                **self.dictionaries.versions(names),
            }
        except (KnowledgeFileError, YamlTextError):
            return None

    def _document_version(self, document_id: str) -> str:
        path = self.documents.file_of(document_id)
        return self.documents.version(path) if path is not None else ""

    def _replace_all(
        self, contents: Mapping[str, bytes | None], author: tuple[str, str], action: str, message: str
    ) -> str:
        seen = hashes_in(self._knowledge, contents)
        self._whole(contents)
        self._keep_by_hand((".",), author)
        if hashes_in(self._knowledge, contents) != seen:
            raise ConflictError(", ".join(contents), "")
        return self._write_and_build(Change(contents, author, action, message))

    def _write_and_build(self, change: Change) -> str:
        """Write files, begin the build that brings them to students, and return the commit."""
        self._note_clauses()
        with self._build_begun_anew(brings=True):
            self._unfinished.write(change)
            return self._committed(change)

    def _committed(self, change: Change) -> str:
        """Make a change that is written a version, which finishes it; return the commit."""
        commit = self.versions.commit(list(change.contents), change.author, change.action, change.message)
        self._unfinished.finished()
        return commit

    def _refuse_edited(self, edits: Sequence[Edit]) -> None:
        """Raises ConflictError when a file is not what was edited; none of them is written then."""
        for edit in edits:
            if text_and_hash(self._knowledge / edit.file)[1] != edit.made_from:
                raise ConflictError(edit.file, "")

    def _whole(self, contents: Mapping[str, bytes | None], calculators: Set[str] | None = None) -> Knowledge:
        """Return the whole folder with other contents of some files. Raises KnowledgeError.

        Calculators with these ids are tried out; None: all.
        """
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            staged = Path(folder) / "knowledge"
            self._stage_whole(staged, contents)
            return load_knowledge(staged, calculators)

    def _stage_whole(self, staged: Path, contents: Mapping[str, bytes | None]) -> None:
        """Make a folder with links to all files, and other contents of some."""
        hidden = shutil.ignore_patterns(".*")
        shutil.copytree(self._knowledge, staged, ignore=hidden, copy_function=os.symlink)
        write_contents(staged, contents)

    def _keep_by_hand(self, parts: Sequence[str], author: tuple[str, str]) -> None:
        """Make a version of what is in none yet, in `parts` of the folder that keeps versions. Raises VersionsError."""
        by_hand = self.versions.uncommitted(*parts) if self.versions.are_kept else ()
        if by_hand and not self.versions.commit(by_hand, author, "by_hand", ", ".join(by_hand)):
            raise VersionsError("changes by hand could not be kept; nothing was changed")

    @property
    def index_version(self) -> str:
        """The name of the current version of the index; empty without one."""
        return current_version(self._index_dir) or ""

    def _replace(
        self,
        edits: Sequence[Edit],
        update: Callable[[Index], Index],
        author: tuple[str, str],
        action: str,
        message: str,
    ) -> str:
        """Write the edits, publish the index that they make of the current one, and return the commit."""
        with self._build_begun_anew(brings=self.is_bringing):
            self._refuse_edited(edits)
            change = Change(contents_of(edits), author, action, message)
            self._unfinished.write(change)
            # After the build has ended: it may have published a version.
            after = update(self.index())
            publish_faq(after, self._index_dir)
            self._opened = after
            return self._committed(change)

    def _faq_update(
        self, faq: tuple[FaqEntry, ...], rules: tuple[QueryRule, ...]
    ) -> Callable[[Index], Index]:
        return lambda index: with_faq(index, faq, self._embedder, rules)

    def _with_curated(self, before: Index, curated: Curated) -> Index:
        with_answers = with_faq(before, curated.faq, self._embedder, curated.rules)
        return with_calculators(with_answers, curated.calculators, curated.facts, self._embedder)

    def _checked(
        self, edits: Sequence[Edit], before: Index
    ) -> tuple[tuple[FaqEntry, ...], tuple[QueryRule, ...]]:
        """Return the FAQ and the query rules with some edits. Raises KnowledgeError with every problem."""
        with self._staged(contents_of(edits), _CHECKED) as staged:
            return load_faq(staged, _documents(before))

    def _curated(self, contents: Mapping[str, bytes | None], calculators: Set[str], before: Index) -> Curated:
        """Return FAQ, calculators and facts with other contents of some files. Raises KnowledgeError."""
        with self._staged(contents, _CURATED) as staged:
            return load_curated(staged, _documents(before), calculators)

    @contextmanager
    def _staged(self, contents: Mapping[str, bytes | None], parts: Sequence[str]) -> Iterator[Path]:
        """Yield a copy of some parts of the folder with other contents of some files."""
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            staged = Path(folder)
            for name in parts:
                source = self._knowledge / name
                if source.is_dir():
                    shutil.copytree(source, staged / name)
                elif source.is_file():
                    shutil.copy(source, staged / name)
            write_contents(staged, contents)
            yield staged

    @contextmanager
    def _build_begun_anew(self, *, brings: bool) -> Iterator[None]:
        """Stop the whole build for a change, and begin it with the change; after a refused one, begin what ran.

        `brings` is what `is_bringing` tells of the build with the change.
        """
        brought = self.is_bringing
        self._is_restarting, self._brings = self.is_building, brings
        try:
            self._end_build()
            try:
                yield
            except BaseException:
                if self._is_restarting:
                    self._begin_build(brings=brought)
                raise
            self._begin_build(brings=brings)
        finally:
            self._is_restarting = False

    def _begin_build(self, *, brings: bool = True) -> None:
        if not self._is_restarting:
            self._build_wanted_at = time.monotonic()
        self._brings, self._built_from = brings, self.index_version
        if self._rebuild is not None:
            command = self._rebuild(self._knowledge, self._index_dir)
            self._building = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _end_build(self) -> None:
        if self._building is not None and self._building.poll() is None:
            self._building.terminate()
        if self._building is not None:
            self._building.wait()
        self._building = None


def _is_curated(name: str) -> bool:
    """Return whether a file, by its path in the knowledge folder, answers at once: it needs no document read."""
    path = PurePosixPath(name)
    return is_of_faq(name) or (path.parts[0] in _LIVE_FOLDERS and is_yaml(path))


def _documents(index: Index) -> Set[str]:
    """Return the ids of documents that a source may name."""
    cited = {source.document for entry in index.faq for source in entry.sources}
    cited |= {source.document for calculator in index.calculators for source in calculator.sources}
    return cited | {passage.document_id for passage in index.passages}


def _outcome(reply: Reply) -> tuple[str, str | None, str | None]:
    return reply.decision.kind.value, reply.answer_id, reply.waits_for


def _is_right(checked: CheckedQuestion, reply: Reply, families: Mapping[str, str]) -> bool:
    """Return whether a checked question has its outcome."""
    if checked.entry is not None:
        given = {families.get(name) for name in (reply.answer_id, reply.waits_for) if name is not None}
        return families.get(checked.entry, "") in given
    if checked.dimension is None and not checked.entries:
        return reply.decision.kind is DecisionKind.NO_ANSWER
    if checked.dimension is not None:
        return checked.dimension in reply.decision.missing
    offered = {option.payload.get("faq") for option in reply.options}
    return reply.decision.kind is DecisionKind.CLARIFY and offered >= set(checked.entries)
