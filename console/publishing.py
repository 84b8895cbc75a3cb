"""Publishing an edit of the knowledge folder: checked first, then written, committed and brought into the index.

Each file is replaced in one step and so is the index. A process that is killed in between leaves the old state, or a
note of the new one (`console.unfinished_change`), which the next start writes and makes a version of; it brings the
index up to the files, too, whatever was under way when the one before ended. The whole build, which learns the
classifiers anew, follows in a process of its own (`console.whole_build`); a further edit ends it and begins it again. A
document, a topic and the catalogue go live with the early version that this process makes first
(`rag.ingest.early_version`).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from console.calculator_files import FOLDER as CALCULATORS
from console.checked_folder import CheckedFolder
from console.dictionary_files import NoPartError
from console.document_files import DocumentEdit, DocumentFiles
from console.draft_builds import Command, DraftBuilds
from console.draft_engines import DraftEngines
from console.edit_trials import EditTrials
from console.edited_copy import EditedCopy, edited_copy
from console.entry_sources import EntrySources
from console.fact_reviews import FOLDER as FACTS
from console.faq_files import BESIDE, FOLDER, FaqFiles, is_of_faq, names_in, use_of
from console.folder_parts import FolderParts
from console.follow_up_file import SaidAfter
from console.knowledge_files import ConflictError, Edit, InUseError, contents_of, is_yaml, text_and_hash
from console.live_index import LiveIndex
from console.replaced_file import hashes_in, replace_file
from console.unfinished_change import Change, UnfinishedChange
from console.uses import Gone, UseFinder
from console.versions import Versions, VersionsError, headline
from console.whole_build import WholeBuild
from rag.errors import IndexUnusableError, KnowledgeError, Problem
from rag.index.format import Index
from rag.index.versions import read_manifest
from rag.ingest.build import CURATED, source_hash
from rag.ingest.checked_questions import CheckedQuestion
from rag.retrieve.embedder import Embedder
from rag.types import FaqEntry, QueryRule

logger = logging.getLogger(__name__)

_LIVE_FOLDERS = (FOLDER, FACTS, CALCULATORS)
"""The folders whose files answer at once."""

REPLACED = "replaced"
"""The folder, beside the index, with the documents that were replaced in a folder without versions, by the time."""

MOST_PARTS = 1_000
"""Ids of parts that are kept of one restoration."""


@dataclass(frozen=True, slots=True)
class Published:
    """Published entries: as the engine has them, and the commit ("" when the folder is no git repository)."""

    entries: Sequence[FaqEntry]
    commit: str


@dataclass(frozen=True, slots=True)
class PublishedTogether(Published):
    """Several edits that were published as one version, with the warnings about the files that they changed."""

    warnings: Sequence[Problem]


@dataclass(frozen=True, slots=True)
class Brought:
    """A version that brought others' files back: its commit, and the ids of the parts that it changed.

    `parts` is None when there are more than `MOST_PARTS`, or a file could not be read.
    """

    commit: str
    parts: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Finished:
    """A change that a crash had interrupted, and its commit."""

    change: Change
    commit: str


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
        self._uploads = index.parent / "drafts"
        self.parts = FolderParts.of(knowledge, self._uploads)
        self.files = self.parts.files
        self.rules = self.parts.rules
        self.follow_ups = self.parts.follow_ups
        self.documents = self.parts.documents
        self.calculators = self.parts.calculators
        self.facts = self.parts.facts
        self.dictionaries = self.parts.dictionaries
        self.versions = Versions(knowledge)
        uses = UseFinder(self.files, self.calculators, self.documents, self.dictionaries)
        self.folder = CheckedFolder(knowledge, uses)
        self.live = LiveIndex(index, embedder, preset)
        self.whole_build = WholeBuild(knowledge, self.live, rebuild)
        self.trials = EditTrials(self.live, self.folder, self.files, self.rules)
        self.sources = EntrySources(
            self.live, self.files, self.calculators, self.documents, index.parent / "cited_clauses.json"
        )
        builds = DraftBuilds(index.parent / "drafted", index, rebuild)
        self.drafts = DraftEngines(knowledge, self.live, self.folder, builds, self.whole_build)
        self._knowledge = knowledge
        self._lock = threading.Lock()
        self._unfinished = UnfinishedChange(knowledge, index.parent / "unfinished.json")
        change = self._unfinished.finish()
        self.finished_at_start = Finished(change, self._committed(change)) if change is not None else None
        self._catch_up()

    def _catch_up(self) -> None:
        """Bring the index what it has not of the folder, whatever was under way when the one before ended."""
        try:
            manifest = read_manifest(self.live.folder)
            if manifest.source_hash == source_hash(self._knowledge):
                return
            if manifest.uncurated_hash == source_hash(self._knowledge, CURATED):
                curated = self.folder.curated({}, frozenset(), self.live.index())
                self.live.publish(self.live.with_curated(self.live.index(), curated))
        except (IndexUnusableError, KnowledgeError) as error:
            logger.warning("The index waits for its build: %s", error)
        self.whole_build.begin()

    def close(self) -> None:
        """End the builds that are under way; the next start does that of the school again."""
        self.drafts.builds.close()
        self.whole_build.end()

    def build(self) -> None:
        """Begin the whole build, unless it runs."""
        with self._lock:
            if not self.whole_build.is_running:
                self.whole_build.begin()

    def publish(
        self,
        make: Callable[[FaqFiles], tuple[Sequence[Edit], Sequence[str]]],
        author: tuple[str, str],
        action: str,
        checks: Sequence[str] = (),
        follow_up: SaidAfter | None = None,
    ) -> Published:
        """Publish the edits that `make` makes from the files as they are now; `author` is name and login.

        `make` returns the ids of its entries, too. `action` is "add" or "change", for the version.

        `checks` are questions that the first entry answers from now on: they join the school's checked questions, and
        lose the query rules that they had. `follow_up` are words that the first entry answers after the answer of
        another one: they join the console's follow-ups, which the whole build brings.

        Raises ConflictError, KnowledgeFileError, KnowledgeError or IndexUnusableError, with nothing changed.
        """
        with self._lock:
            edits, ids = make(self.files)
            unruled = self.rules.without_questions(checks)
            checked = self.files.with_checked([CheckedQuestion(each, ids[0]) for each in checks])
            beside = [unruled, checked]
            if follow_up is not None:
                entry_ids = {each.id for each in self.files.entries()}
                beside.append(self.follow_ups.answered(follow_up, ids[0], entry_ids))
            edits = [*edits, *(each for each in beside if each is not None)]
            faq, rules = self.folder.faq(contents_of(edits), self.live.index())
            known = {entry.id: entry for entry in faq}
            entries = [known[entry_id] for entry_id in ids]
            told = headline([entry.question for entry in entries])
            commit = self._replace(edits, self._faq_update(faq, rules), author, action, told)
            self.sources.looked_at(ids)
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
            with self.whole_build.prepared():
                self.folder.whole(contents_of(edits), frozenset())
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

    def publish_checked(
        self, checked: CheckedQuestion, author: tuple[str, str], before: str = "", version: str = ""
    ) -> str:
        """Add a checked question, or put it in the place of `before`, which was seen at `version`; return the commit.

        The commit is empty when nothing changes. Raises as `publish_rule`.
        """
        with self._lock:
            self.files.refuse_other_checked(before or checked.question, version)
            moves = before and before.casefold() != checked.question.casefold()
            if moves:
                self.files.refuse_other_checked(checked.question, "")
            edit = self.files.with_checked([checked], [before] if moves else ())
            if edit is None:
                return ""
            return self._publish_rules([edit], author, "checked", checked.question)

    def withdraw_checked(self, question: str, author: tuple[str, str]) -> str:
        """Take a question out of the checked ones; return the commit.

        Raises NoPartError without it, and as `publish_rule`.
        """
        with self._lock:
            edit = self.files.with_checked((), [question])
            if edit is None:
                raise NoPartError(question)
            return self._publish_rules([edit], author, "checked_removed", question)

    def remove_entry(self, entry_id: str, version: str, author: tuple[str, str]) -> tuple[str, str]:
        """Take away the FAQ entry that was seen at `version`, with its checked questions; return its question, and
        the commit.

        Raises InUseError while a rule or a calculator names it, and as `publish_rule`.
        """
        with self._lock:
            edit, entry = self.files.without(entry_id, version)
            self._refuse_in_use(entry_id)
            gone = [each.question for each in self.files.checked() if each.entry == entry_id]
            question = str(entry.record.get("question") or entry_id)
            edits = (edit, self.files.with_checked((), gone))
            return question, self._publish_rules(edits, author, "entry_removed", question)

    def merge_entries(
        self, entry_id: str, version: str, gone_id: str, gone_version: str, author: tuple[str, str]
    ) -> tuple[str, str]:
        """Give the FAQ entry that was seen at `version` the wordings and checked questions of another one, which goes.

        Returns the question of the one that is gone, and the commit. Raises ConflictError when one of them has changed,
        InUseError while a rule or a calculator names the one that goes, and as `publish_rule`.
        """
        with self._lock:
            edits, kept, gone = self.files.merged(entry_id, version, gone_id, gone_version)
            self._refuse_in_use(gone_id)
            moved = [replace(each, entry=entry_id) for each in self.files.checked() if each.entry == gone_id]
            question = str(gone.record.get("question") or gone_id)
            told = str(kept.record.get("question") or entry_id)
            made = (*edits, self.files.with_checked(moved))
            return question, self._publish_rules(made, author, "merged", told)

    def _refuse_in_use(self, entry_id: str) -> None:
        """Raises InUseError while a rule offers an entry or a calculator follows it."""
        followers = [
            each.entry
            for each in self.calculators.calculators()
            if entry_id in names_in(each.entry, "follows")
        ]
        uses = [
            *self.rules.offering(entry_id),
            *(use_of("calculator", follower) for follower in followers),
        ]
        if uses:
            raise InUseError(entry_id, uses)

    def _publish_rules(
        self, edits: Sequence[Edit | None], author: tuple[str, str], action: str, message: str
    ) -> str:
        made = [edit for edit in edits if edit is not None]
        faq, rules = self.folder.faq(contents_of(made), self.live.index())
        return self._replace(made, self._faq_update(faq, rules), author, action, message)

    def publish_values(
        self,
        make: Callable[[], tuple[Edit, Set[str]]],
        author: tuple[str, str],
        action: str,
        message: str,
    ) -> str:
        """Publish the edit of a fact or a calculator that `make` makes; it answers at once. Returns the commit.

        `make` returns the ids of the calculators to try out, too. `action` is "fact", "calculator" or
        "calculator_removed".

        Raises ConflictError, InUseError, YamlTextError, KnowledgeFileError, KnowledgeError, IndexUnusableError or
        VersionsError, with nothing changed.
        """
        with self._lock:
            edit, calculators = make()
            curated = self.folder.curated(contents_of([edit]), calculators, self.live.index())
            return self._replace(
                [edit], lambda index: self.live.with_curated(index, curated), author, action, message
            )

    def publish_texts(
        self, make: Callable[[], Sequence[Edit]], author: tuple[str, str], action: str, message: str
    ) -> str:
        """Publish edits of entries and facts that `make` makes, as one version that answers at once; return the commit.

        `action` is "contacts", "fact_removed" or "fact_reviewed". Raises as `publish_values`.
        """
        with self._lock:
            edits = make()
            contents = contents_of(edits)
            users = self.facts.users_of_changed(contents)
            curated = self.folder.curated(contents, users, self.live.index())
            return self._replace(
                edits, lambda index: self.live.with_curated(index, curated), author, action, message
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
            with self.whole_build.prepared():
                knowledge = self.folder.whole_without(
                    [gone] if gone is not None else (),
                    contents_of([edit]),
                    None if tries else frozenset(),
                )
                self._keep_by_hand([edit.file], author)
                self._refuse_edited([edit])
                commit = self._write_and_build(Change(contents_of([edit]), author, action, message))
        return commit, [each for each in knowledge.warnings if each.file == edit.file]

    @contextmanager
    def copied(self) -> Iterator[EditedCopy]:
        """Yield a copy of the folder in which several edits can be made; nothing of it is published."""
        with edited_copy(self._knowledge, self._uploads, self.folder) as copy:
            yield copy

    def publish_together(
        self, make: Callable[[EditedCopy], Sequence[str]], author: tuple[str, str], message: str
    ) -> PublishedTogether:
        """Publish the edits that `make` makes in a copy of the folder as one version, all or none.

        `make` returns the ids of the entries that it adds or changes. What needs a document, a topic or the catalogue
        goes live with the build that follows, otherwise at once.

        Raises ConflictError, InUseError, KnowledgeError, IndexUnusableError, VersionsError and what `make` raises, with
        nothing changed.
        """
        with self._lock, self.copied() as copy:
            ids = make(copy)
            contents = copy.contents
            warnings: Sequence[Problem] = ()
            if all(map(_is_curated, contents)):
                curated = copy.curated(self.live.index())
                self._keep_by_hand(list(contents), author)
                commit = self._write_and_answer(
                    Change(contents, author, "drafts", message),
                    copy.refuse_edited,
                    lambda index: self.live.with_curated(index, curated),
                )
                faq = curated.faq
            else:
                with self.whole_build.prepared():
                    knowledge = copy.whole()
                    self._keep_by_hand(list(contents), author)
                    copy.refuse_edited()
                    if not self.versions.are_kept:
                        self._keep_aside(contents)
                    commit = self._write_and_build(Change(contents, author, "drafts", message))
                faq, warnings = knowledge.faq, knowledge.warnings
            self.sources.looked_at(ids)
        known = {entry.id: entry for entry in faq}
        told = [each for each in warnings if each.file in contents]
        return PublishedTogether([known[each] for each in ids], commit, told)

    def publish_document(
        self, make: Callable[[DocumentFiles], DocumentEdit], author: tuple[str, str], action: str
    ) -> str:
        """Write the edit of a document that `make` makes, and begin the build that brings it to students.

        `action` is "document", "document_added", "document_replaced" or "document_removed". Returns the commit. Raises
        ConflictError, InUseError, KnowledgeError, KnowledgeFileError, YamlTextError, DocumentFileError or
        VersionsError, with nothing changed.
        """
        with self._lock, self.whole_build.prepared():
            edit = make(self.documents)
            self.sources.refuse_loss(edit)
            seen = hashes_in(self._knowledge, edit.contents)
            problems = self.documents.problems(edit)
            if problems:
                raise KnowledgeError(problems)
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
            self._keep_by_hand([edit.file for edit in edits if edit.made_from], author)
            self._refuse_edited(edits)
            change = Change(contents_of(edits), author, "label", message)
            self._unfinished.write(change)
            return list(change.contents), self._committed(change)

    def _keep_aside(self, contents: Mapping[str, bytes | None]) -> None:
        """Copy the files that an edit changes or takes away beside the index: no version of the folder has them."""
        aside = self.live.folder.parent / REPLACED / datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        for name, content in contents.items():
            path = self._knowledge / name
            if path.is_file() and (before := path.read_bytes()) != content:
                replace_file(aside / name, before)

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
        told, before = self.versions.message(commit), self.parts.within(contents)
        if not all(map(_is_curated, contents)):
            made = self._replace_all(contents, author, action, told)
        else:
            edits = self.files.replaced(contents)
            update = self._brought(contents)
            self._keep_by_hand((*_LIVE_FOLDERS, *BESIDE), author)
            made = self._replace(edits, update, author, action, told)
        after = self.parts.within(contents)
        if before is None or after is None:
            return Brought(made, None)
        parts = sorted(each for each in {**before, **after} if before.get(each) != after.get(each))
        return Brought(made, parts if len(parts) <= MOST_PARTS else None)

    def _brought(self, contents: Mapping[str, bytes | None]) -> Callable[[Index], Index]:
        """Return what brings other contents of curated files into an index. Raises KnowledgeError.

        Only the calculators that change, or use a fact that changes, are tried out.
        """
        if all(map(is_of_faq, contents)):
            return self._faq_update(
                *self.folder.faq(contents_of(self.files.replaced(contents)), self.live.index())
            )
        tried = self.calculators.changed_in(contents) | self.facts.users_of_changed(contents)
        curated = self.folder.curated(contents, tried, self.live.index())
        return lambda index: self.live.with_curated(index, curated)

    def _replace_all(
        self, contents: Mapping[str, bytes | None], author: tuple[str, str], action: str, message: str
    ) -> str:
        seen = hashes_in(self._knowledge, contents)
        with self.whole_build.prepared():
            self.folder.whole(contents)
            self._keep_by_hand((".",), author)
            if hashes_in(self._knowledge, contents) != seen:
                raise ConflictError(", ".join(contents), "")
            return self._write_and_build(Change(contents, author, action, message))

    def _write_and_build(self, change: Change) -> str:
        """Write files, begin the build that brings them to students, and return the commit."""
        self.sources.note()
        with self.whole_build.begun_anew(brings=True):
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

    def may_be_by_hand(self, part_id: str) -> bool:
        """Return whether a part, by the id that conflicts have, is in a file changed since its last version."""
        try:
            changed = self.versions.uncommitted(".") if self.versions.are_kept else ()
        except VersionsError:
            return False
        return part_id in (self.parts.within(changed) or ())

    def _keep_by_hand(self, parts: Sequence[str], author: tuple[str, str]) -> None:
        """Make a version of what is in none yet, in `parts` of the folder that keeps versions. Raises VersionsError."""
        by_hand = self.versions.uncommitted(*parts) if self.versions.are_kept else ()
        if by_hand and not self.versions.commit(by_hand, author, "by_hand", ", ".join(by_hand)):
            raise VersionsError("changes by hand could not be kept; nothing was changed")

    def _replace(
        self,
        edits: Sequence[Edit],
        update: Callable[[Index], Index],
        author: tuple[str, str],
        action: str,
        message: str,
    ) -> str:
        """Write the edits, publish the index that they make of the current one, and return the commit.

        What was changed by hand in their files is a version of its own before.
        """
        self._keep_by_hand([edit.file for edit in edits if edit.made_from], author)
        change = Change(contents_of(edits), author, action, message)
        return self._write_and_answer(change, lambda: self._refuse_edited(edits), update)

    def _write_and_answer(
        self, change: Change, refuse_edited: Callable[[], None], update: Callable[[Index], Index]
    ) -> str:
        """Write files that answer at once by the index that `update` makes of the current one; return the commit.

        Nothing is written when `refuse_edited` raises ConflictError.
        """
        with self.whole_build.begun_anew(brings=self.whole_build.is_bringing):
            refuse_edited()
            self._unfinished.write(change)
            # After the build has ended: it may have published a version.
            after = update(self.live.index())
            self.live.publish(after)
            return self._committed(change)

    def _faq_update(
        self, faq: tuple[FaqEntry, ...], rules: tuple[QueryRule, ...]
    ) -> Callable[[Index], Index]:
        return lambda index: self.live.with_faq(index, faq, rules)


def _is_curated(name: str) -> bool:
    """Return whether a file, by its path in the knowledge folder, answers at once: it needs no document read."""
    path = PurePosixPath(name)
    return is_of_faq(name) or (path.parts[0] in _LIVE_FOLDERS and is_yaml(path))
