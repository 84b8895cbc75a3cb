"""The FAQ files of a knowledge folder (`faq/*.yml`), edited so that everything that was not changed stays as it is.

An entry is the lines from its "- " to the next entry. A changed field replaces its own lines; a new entry goes to the
end of the file where most entries of its topic are. An entry's version is a hash of its lines: whoever saves says which
one they saw, and an entry that has changed since, by hand or by somebody else, is a conflict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Self

import yaml

from console.knowledge_files import (
    ConflictError,
    Edit,
    KnowledgeFileError,
    PerFile,
    Use,
    UseKind,
    YamlFiles,
    broken,
    content_hash,
    is_yaml,
    read_text,
    text_and_hash,
)
from console.loose_search import bare, phrase
from console.yaml_text import flow, plain, quoted
from rag.errors import Problem
from rag.ingest.checked_questions import CHECKED_FILE, CheckedQuestion, load_checked
from rag.ingest.query_rules import RULES_FILE
from rag.messages import Message

FOLDER = "faq"

FOLLOW_UPS_FILE = "follow_ups/console.yml"
"""The follow-ups that advisors keep in the console; the others of a school stand in files beside it."""

BESIDE = (CHECKED_FILE, RULES_FILE, FOLLOW_UPS_FILE)
"""Files that change with the FAQ."""

FIELDS = (
    "id",
    "question",
    "variants",
    "answer",
    "topic",
    "aspect",
    "applies_to",
    "sources",
    "owner",
    "reviewed_at",
)
"""The fields of an entry, in the order in which they are written."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NOT_IN_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry in its file: `lines` are those from `start` (from 0) on, without blank lines at the end."""

    file: str
    start: int
    lines: tuple[str, ...]
    record: Mapping[str, Any]
    places: Mapping[str, int]
    """The first line of each field, counted from `start`."""

    @property
    def id(self) -> str:
        return str(self.record.get("id") or "")

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def version(self) -> str:
        return sha256(self.text.encode()).hexdigest()[:16]


class FaqFiles:
    """The FAQ of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path) -> None:
        self.knowledge = knowledge
        self._yaml = YamlFiles(knowledge, FOLDER, entries_in)
        self._searched = PerFile(_searched)

    def entries(self) -> Sequence[EntryText]:
        """Return all entries, file by file. Raises KnowledgeFileError."""
        return self._yaml.parts()

    def by_file(self) -> Mapping[str, tuple[EntryText, ...]]:
        """Return the entries of each file, as `YamlFiles.by_file` does. Raises KnowledgeFileError."""
        return self._yaml.by_file()

    def searched(self) -> Iterator[SearchedEntry]:
        """Yield all entries as they are searched. Raises KnowledgeFileError."""
        for entries in self._searched.of(self.by_file()):
            yield from entries

    def entry(self, entry_id: str) -> EntryText | None:
        """Return an entry; None when there is none. Raises KnowledgeFileError."""
        return next((entry for entry in self.entries() if entry.id == entry_id), None)

    def added(self, *many: Mapping[str, Any]) -> tuple[Sequence[Edit], Sequence[str]]:
        """Return the edits that add entries with these fields, one a file, and their new ids.

        Raises KnowledgeFileError.
        """
        entries = self.entries()
        taken = {entry.id for entry in entries}
        files = Counter((str(entry.record.get("topic")), entry.file) for entry in entries)
        before: dict[str, str] = {}
        after: dict[str, str] = {}
        ids = []
        for fields in many:
            topic = str(fields["topic"])
            own = {file: count for (of, file), count in files.items() if of == topic}
            file = max(own, key=own.__getitem__) if own else f"{FOLDER}/{slug_of(topic)}.yml"
            if file not in after:
                after[file], before[file] = text_and_hash(self.knowledge / file)
            ids.append(_free_id(topic, taken))
            taken.add(ids[-1])
            content = after[file]
            gap = "" if not content.strip() else "\n" if content.endswith("\n") else "\n\n"
            after[file] = f"{content}{gap}{rendered({**fields, 'id': ids[-1]})}"
        return [Edit(file, content, before[file]) for file, content in after.items()], ids

    def changed(self, entry_id: str, version: str, fields: Mapping[str, Any]) -> Edit:
        """Return the edit that changes fields of an entry that was seen at `version`; None removes a field.

        Raises ConflictError, KnowledgeFileError.
        """
        [edit] = self.changed_together([(entry_id, version, fields)])
        return edit

    def changed_together(self, changes: Sequence[tuple[str, str, Mapping[str, Any]]]) -> Sequence[Edit]:
        """Return the edits that change several entries as `changed` does, one a file.

        Raises ConflictError, KnowledgeFileError.
        """
        files: dict[str, list[tuple[EntryText, Mapping[str, Any]]]] = {}
        for entry_id, version, fields in changes:
            entry = self._at(entry_id, version)
            files.setdefault(entry.file, []).append((entry, fields))
        edits = []
        for file, changed in files.items():
            before = read_text(self.knowledge / file)
            lines = before.split("\n")
            # From the end on: the lines before an entry stay where they are.
            for entry, fields in sorted(changed, key=lambda each: -each[0].start):
                lines[entry.start : entry.start + len(entry.lines)] = _with_fields(entry, fields)
            edits.append(Edit(file, "\n".join(lines), content_hash(before)))
        return edits

    def merged(
        self, entry_id: str, version: str, gone_id: str, gone_version: str
    ) -> tuple[Sequence[Edit], EntryText, EntryText]:
        """Return the edits that give an entry the wordings of another one, which goes; and both as they were.

        Raises ConflictError when one of them is not as it was seen, KnowledgeFileError.
        """
        kept, gone = self._at(entry_id, version), self._at(gone_id, gone_version)
        own = {phrase(each) for each in wordings_of(kept.record)}
        new = [each for each in wordings_of(gone.record) if phrase(each) not in own]
        variants = [*wordings_of(kept.record)[1:], *dict.fromkeys(new)]
        changed = self.changed(entry_id, version, {"variants": variants})
        if gone.file != kept.file:
            return [changed, self.without(gone_id, gone_version)[0]], kept, gone
        content = changed.content or ""
        there = next(each for each in entries_in(gone.file, content) if each.id == gone_id)
        return [Edit(gone.file, _without(content, there), changed.made_from)], kept, gone

    def without(self, entry_id: str, version: str) -> tuple[Edit, EntryText]:
        """Return the edit that takes away an entry that was seen at `version`, and that entry; an empty file goes.

        Raises ConflictError, KnowledgeFileError.
        """
        entry = self._at(entry_id, version)
        before = read_text(self.knowledge / entry.file)
        return Edit(entry.file, _without(before, entry), content_hash(before)), entry

    def _at(self, entry_id: str, version: str) -> EntryText:
        """Return an entry that is still as it was seen at `version`. Raises ConflictError."""
        entry = self.entry(entry_id)
        if entry is None or entry.version != version:
            raise ConflictError(entry_id, entry.text if entry is not None else "")
        return entry

    def checked(self) -> tuple[CheckedQuestion, ...]:
        """Return the checked questions. Raises KnowledgeFileError."""
        path, problems = self.knowledge / CHECKED_FILE, list[Problem]()
        found = load_checked(path if path.exists() else None, None, problems)
        if problems:
            raise KnowledgeFileError("; ".join(map(str, problems)))
        return found

    def with_checked(self, questions: Sequence[CheckedQuestion], without: Sequence[str] = ()) -> Edit | None:
        """Return the edit that adds `questions` to the checked ones and takes `without` out; None for no change.

        A question that was checked before gets its new outcome. Raises KnowledgeFileError.
        """
        before = {each.question.casefold(): each for each in self.checked()}
        new = {each.question.casefold(): each for each in questions}
        gone = before.keys() & {each.casefold() for each in without}
        if not gone and all(before.get(key) == each for key, each in new.items()):
            return None
        content, made_from = text_and_hash(self.knowledge / CHECKED_FILE)
        if gone or new.keys() & before.keys():
            # The list is written anew, without comments between its lines.
            head = [line for line in content.split("\n") if line.startswith("#")]
            content = "".join(f"{line}\n" for line in head)
            new = {key: each for key, each in before.items() if key not in gone} | new
        if content and not content.endswith("\n"):
            content += "\n"
        return Edit(CHECKED_FILE, content + "".join(map(_checked_lines, new.values())), made_from)

    def refuse_other_checked(self, question: str, version: str) -> None:
        """Raises ConflictError when a question is not checked as it was seen; version "": not at all."""
        known = next(
            (each for each in self.checked() if each.question.casefold() == question.casefold()), None
        )
        if (checked_version(known) if known is not None else "") != version:
            theirs = _checked_lines(known) if known is not None else ""
            raise ConflictError(question, theirs, checked_version(known) if known is not None else "")

    def replaced(self, contents: Mapping[str, bytes | None]) -> Sequence[Edit]:
        """Return the edits that give these files other contents, None for no file. Raises KnowledgeFileError."""
        return [
            Edit(
                name,
                None if content is None else content.decode("utf-8").replace("\r\n", "\n"),
                text_and_hash(self.knowledge / name)[1],
            )
            for name, content in contents.items()
        ]

    def _name(self, path: Path) -> str:
        return path.relative_to(self.knowledge).as_posix()


def is_of_faq(name: str) -> bool:
    """Return whether a file, by its path in the knowledge folder, is of the FAQ, or changes with it (`BESIDE`)."""
    return name in BESIDE or (name.startswith(f"{FOLDER}/") and is_yaml(PurePosixPath(name)))


@dataclass(frozen=True, slots=True)
class SearchedEntry:
    """An entry, and its whole text, question and further wordings as `console.loose_search` wants them."""

    entry: EntryText
    text: str
    question: str
    variants: Sequence[str]

    @classmethod
    def of(cls, entry: EntryText) -> Self:
        """Return an entry with its words, folded once for all searches."""
        question, *variants = map(phrase, wordings_of(entry.record))
        return cls(entry, bare(entry.text), question, variants)


def _searched(entries: Sequence[EntryText]) -> Sequence[SearchedEntry]:
    return [SearchedEntry.of(entry) for entry in entries]


def use_of(kind: UseKind, entry: EntryText) -> Use:
    """Return an entry of a list (`entries_in`) as a place that uses something."""
    name = entry.record.get("question") or entry.record.get("name") or entry.id
    return Use(kind, entry.id, str(name), entry.file, entry.start + 1)


def names_in(entry: EntryText, field: str) -> Sequence[str]:
    """Return the ids in a field of an entry, which may be one alone."""
    return listed(entry.record.get(field))


def wordings_of(record: Mapping[str, Any]) -> list[str]:
    """Return the question of an entry and its further wordings."""
    return [str(record.get("question") or ""), *map(str, listed(record.get("variants")))]


def listed(value: Any) -> list[Any]:
    """Return the values of a field, which may be one alone or missing."""
    return [value] if isinstance(value, str) else list(value or ())


def rendered(fields: Mapping[str, Any]) -> str:
    """Return an entry as YAML with a line break at the end, as the sample school writes it."""
    lines = [line for name in FIELDS if fields.get(name) for line in _field_lines(name, fields[name])]
    return "\n".join([f"- {lines[0].lstrip()}", *lines[1:], ""])


def entries_in(file: str, content: str) -> Iterator[EntryText]:
    """Yield the entries of a YAML list. Raises KnowledgeFileError."""
    try:
        root = yaml.compose(content, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise broken(file, content, error) from error
    if root is None:
        return
    if not isinstance(root, yaml.SequenceNode) or root.flow_style:
        raise KnowledgeFileError(Message("file_no_list", file=file))
    lines = content.split("\n")
    starts = [node.start_mark.line for node in root.value]
    for node, start, end in zip(root.value, starts, [*starts[1:], len(lines)], strict=True):
        if not isinstance(node, yaml.MappingNode):
            raise KnowledgeFileError(Message("file_no_entry", file=file, line=start + 1))
        own = lines[start:end]
        while own and (not own[-1].strip() or own[-1].startswith("#")):
            own.pop()
        places = {key.value: key.start_mark.line - start for key, _ in node.value}
        yield EntryText(file, start, tuple(own), _value(node), places)


def _without(content: str, entry: EntryText) -> str | None:
    """Return the content of a file without one of its entries; None when nothing is left."""
    lines = content.split("\n")
    rest = lines[entry.start + len(entry.lines) :]
    while rest and not rest[0].strip():
        rest.pop(0)
    left = "\n".join([*lines[: entry.start], *rest]).rstrip("\n")
    return f"{left}\n" if left else None


def _value(node: yaml.Node) -> Any:
    """Return the value of a node with all scalars as they are written; an anchor's copies are values of their own."""
    if isinstance(node, yaml.MappingNode):
        return {str(_value(key)): _value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(each) for each in node.value]
    return str(node.value)


def _with_fields(entry: EntryText, fields: Mapping[str, Any]) -> list[str]:
    """Return the entry's lines with `fields`; lines of other fields stay as they are."""
    order = sorted(entry.places, key=entry.places.__getitem__)
    ends = [*[entry.places[name] for name in order[1:]], len(entry.lines)]
    parts = {name: list(entry.lines[entry.places[name] : end]) for name, end in zip(order, ends, strict=True)}
    for name, value in fields.items():
        if value == entry.record.get(name) or (not value and name not in parts):
            continue
        if not value:
            del parts[name]
            continue
        made = _field_lines(name, value)
        if name == "variants" and name in parts:
            made = _variant_lines(parts[name], entry.record.get(name) or [], value, made)
        parts[name] = made
    known = [name for name in order if name in parts]
    for name in (name for name in FIELDS if name in parts and name not in known):
        after = [known.index(other) for other in FIELDS[: FIELDS.index(name)] if other in known]
        known.insert(max(after, default=-1) + 1, name)
    lines = [line for name in known for line in parts[name]]
    first = lines[0].lstrip().removeprefix("- ")
    return [f"- {first}", *lines[1:]]


def _variant_lines(
    lines: Sequence[str], before: Sequence[str], value: Sequence[str], made: Sequence[str]
) -> list[str]:
    """Return the lines of variants, those that stay as they were written."""
    if len(lines) != len(before) + 1:  # one of them takes several lines, or they stand in brackets
        return list(made)
    written = dict(zip(before, lines[1:], strict=True))
    return [lines[0], *(written.get(each, line) for each, line in zip(value, made[1:], strict=True))]


def _field_lines(name: str, value: Any) -> list[str]:
    if name == "answer":
        block = str(value).strip("\n").split("\n")
        return ["  answer: |", *(f"    {line}" if line else "" for line in block)]
    if name == "variants":
        return ["  variants:", *(f"    - {quoted(each)}" for each in value)]
    if name == "sources":
        return ["  sources:", *(f"    - {_source(each)}" for each in value)]
    if name == "question":
        return [f"  question: {quoted(value)}"]
    if isinstance(value, (list, tuple, dict)):
        return [f"  {name}: {flow(value)}"]
    return [f"  {name}: {plain(value)}"]


def outcome_lines(dimension: str | None, entries: Sequence[str]) -> list[str]:
    """Return the lines of a refusal, or of a question back for a dimension or between entries."""
    if dimension is None and not entries:
        return ["  reply: no_answer"]
    asks = f"  dimension: {plain(dimension)}" if dimension is not None else f"  entries: {flow(entries)}"
    return ["  reply: ask_back", asks]


def checked_version(checked: CheckedQuestion) -> str:
    """Return the version of a checked question: a hash of its lines."""
    return content_hash(_checked_lines(checked))[:16]


def _checked_lines(checked: CheckedQuestion) -> str:
    outcome = (
        [f"  entry: {plain(checked.entry)}"]
        if checked.entry is not None
        else outcome_lines(checked.dimension, checked.entries)
    )
    return "".join(f"{line}\n" for line in (f"- question: {quoted(checked.question)}", *outcome))


def _source(source: Mapping[str, Any]) -> str:
    parts = [f"document: {plain(source['document'])}"]
    if source.get("locator"):
        parts.append(f"locator: {quoted(source['locator'])}")
    return f"{{{', '.join(parts)}}}"


def _free_id(topic: str, taken: set[str]) -> str:
    slug = slug_of(topic)
    numbers = [int(found[1]) for each in taken if (found := re.fullmatch(rf"{re.escape(slug)}-(\d+)", each))]
    return f"{slug}-{max(numbers, default=0) + 1:03d}"


def slug_of(topic: str) -> str:
    """Return a topic as a part of ids and names of files."""
    return _NOT_IN_ID.sub("-", topic.lower()).strip("-") or "faq"
