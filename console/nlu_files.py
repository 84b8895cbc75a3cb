"""The example messages of a knowledge folder (`nlu/*.yml`), to which labelled messages are added.

An example goes to the end of a block of its intent; no other line of a file changes. A message has one intent: a label
that another example, an FAQ entry or a topic contradicts is refused with the place of the other one.
"""

from __future__ import annotations

import shutil
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from console.faq_files import EntryText, FaqFiles, wordings_of
from console.knowledge_files import (
    SUFFIXES,
    Edit,
    KnowledgeFileError,
    YamlFiles,
    broken,
    content_hash,
    contents_of,
    text_and_hash,
    yaml_paths,
)
from console.replaced_file import write_contents
from rag.errors import CovanError, KnowledgeError, Problem
from rag.ingest.cleaning import clean_line
from rag.ingest.dictionaries import Dictionaries, load_dictionaries
from rag.ingest.nlu_files import PLACE, example_of, load_nlu
from school.intents import GENERAL_INTENTS, intent_of

FOLDER = "nlu"
NEW_FILE = f"{FOLDER}/messages.yml"
"""The file of intents that no file has examples of."""

LONGEST_EXAMPLE = 200
"""Characters of an example: a longer message teaches little of its intent."""

NAMES_OF_A_KIND = 2
"""Places for names of one dimension in an example."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MARK = "- "
_MARKUP = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")"})
"""The signs of entities and places, which students' words must not make."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message; with a dimension's id as `entity`, it names a value of that dimension."""

    text: str
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A message in parts, and its intent."""

    parts: Sequence[Part]
    intent: str

    @property
    def text(self) -> str:
        """The message as the student wrote it."""
        return clean_line("".join(part.text for part in self.parts))

    @property
    def example(self) -> str:
        """The message as an example, with places for the names of dimensions: "học phí {major}"."""
        written, named = "", Counter[str]()
        for part in self.parts:
            if not part.entity:
                written += part.text.translate(_MARKUP)
                continue
            named[part.entity] += 1
            written += f"{{{part.entity}{'' if named[part.entity] == 1 else named[part.entity]}}}"
        return clean_line(written).lstrip("/ ").strip('"')


@dataclass(frozen=True, slots=True)
class Stands:
    """A message that has an intent, and its place.

    `kind` is "seed" (an example of any school), "example" (`nlu/*.yml`), "topic" (`topics.yml`), "faq" or "label"
    (another label of the same time). `file` is relative to the folder, `line` counts from 1; `entry` is an FAQ entry's
    id.
    """

    kind: str
    intent: str
    text: str
    file: str = ""
    line: int = 0
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A label that cannot be taken, its number in the list (from 0), and the message with another intent."""

    number: int
    label: Label
    other: Stands


class ContradictionsError(CovanError):
    """Some messages have another intent already."""

    def __init__(self, found: Sequence[Contradiction]) -> None:
        super().__init__(f"{len(found)} of the messages have another intent already")
        self.found = found


class LabelError(CovanError):
    """A label cannot be an example; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class _Block:
    """The examples of an intent in a file, each with its line (from 0).

    `end` is the line after the last one. `dash` and `indent` stand before the block and before its examples; an
    `indent` of None says that none can be added.
    """

    intent: str
    end: int
    dash: str
    indent: str | None
    examples: Sequence[tuple[str, int]]


class NluFiles:
    """The example messages of the knowledge folder of `faq`.

    `seeds` are the examples of any school by intent. Rasa learns them before those of the school.
    """

    def __init__(self, faq: FaqFiles, seeds: Mapping[str, Sequence[str]]) -> None:
        self._faq = faq
        self.knowledge = faq.knowledge
        self._seeds = [Stands("seed", intent, text) for intent, texts in seeds.items() for text in texts]
        self._yaml = YamlFiles(faq.knowledge, FOLDER, _blocks_of)
        self._words: tuple[tuple[bytes, ...], Dictionaries] | None = None
        self._known: tuple[Any, Mapping[str, Stands]] | None = None

    def known(self) -> Mapping[str, Stands]:
        """Return where each message stands that has an intent, by `compared`; the first that is learnt counts.

        Raises KnowledgeFileError, KnowledgeError.
        """
        files = list(self._yaml.by_file().items())
        sources = (self._dictionaries(), files, list(self._faq.entries()))
        # Unchanged parts are the same objects, so that this comparison is quick and the rest is not done again.
        if self._known is None or self._known[0] != sources:
            found: dict[str, Stands] = {}
            for each in self._standing(*sources):
                found.setdefault(compared(each.text), each)
            self._known = sources, found
        return self._known[1]

    def messages(self) -> Sequence[tuple[str, str]]:
        """Return the examples as messages with their intents; names of the catalogue stand in their places.

        An example with a place that the catalogue has no name for is left out.

        Raises KnowledgeFileError, KnowledgeError.
        """
        catalog = self._dictionaries().catalog
        names = {each: [item.name for item in catalog.items(each)] for each in catalog.dimension_ids}
        found: dict[tuple[str, str], None] = {}
        for block in self._yaml.parts():
            for text, _ in block.examples:
                if all(names.get(place) for place in PLACE.findall(text)):
                    filled = PLACE.sub(lambda match: names[match[1]][0], text)
                    found.setdefault((filled, block.intent))
        return list(found)

    def edits(self, labels: Sequence[Label]) -> Sequence[Edit]:
        """Return the edits that add examples; a message that has the intent already needs none.

        Equal labels give equal files, whatever their order. Raises ContradictionsError, LabelError, KnowledgeFileError,
        KnowledgeError.
        """
        self._check(labels)
        added = self._new(labels)
        files: dict[str, list[tuple[str, str]]] = {}
        for intent, example in sorted(added, key=lambda each: (each[0], each[1].casefold(), each[1])):
            files.setdefault(self._file_for(intent, example), []).append((intent, example))
        edits = [self._edit(file, examples) for file, examples in sorted(files.items())]
        self._check_result(edits, added)
        return edits

    def _check(self, labels: Sequence[Label]) -> None:
        words = self._dictionaries()
        intents = {*GENERAL_INTENTS, *(intent_of(topic.id) for topic in words.topics)}
        for label in labels:
            if label.intent not in intents:
                raise LabelError("unknown_intent", f"there is no intent {label.intent!r}")
            if not compared(label.example):
                raise LabelError("empty_example", "a message has no words")
            if len(label.example) > LONGEST_EXAMPLE:
                raise LabelError("long_example", f"an example has {LONGEST_EXAMPLE} characters at most")
            named = Counter(part.entity for part in label.parts if part.entity)
            if unknown := named.keys() - set(words.catalog.dimension_ids):
                raise LabelError("unknown_dimension", f"there is no dimension {min(unknown)!r}")
            if named and max(named.values()) > NAMES_OF_A_KIND:
                raise LabelError("many_names", f"an example names {NAMES_OF_A_KIND} of a kind at most")

    def _new(self, labels: Sequence[Label]) -> Sequence[tuple[str, str]]:
        """Return the intents and examples that are not there yet. Raises ContradictionsError."""
        known = dict(self.known())
        contradictions, added = [], []
        for number, label in enumerate(labels):
            keys = dict.fromkeys((compared(label.example), compared(label.text)))
            others = [known[key] for key in keys if key in known]
            if other := next((each for each in others if each.intent != label.intent), None):
                contradictions.append(Contradiction(number, label, other))
                continue
            if compared(label.example) not in known:
                added.append((label.intent, label.example))
            for key in keys:
                known.setdefault(key, Stands("label", label.intent, label.text))
        if contradictions:
            raise ContradictionsError(contradictions)
        return added

    def _standing(
        self,
        words: Dictionaries,
        files: Sequence[tuple[str, Sequence[_Block]]],
        entries: Sequence[EntryText],
    ) -> Iterator[Stands]:
        """Yield the messages with their intents in the order in which Rasa learns them."""
        yield from self._seeds
        for file, blocks in files:
            for block in blocks:
                for text, line in block.examples:
                    yield Stands("example", block.intent, text, file, line + 1)
        for topic in words.topics:
            place = words.topic_places[topic.id]
            for number, text in enumerate(topic.examples):
                yield Stands("topic", intent_of(topic.id), text, place.file, place.line("examples", number))
        for entry in entries:
            for text in wordings_of(entry.record):
                intent = intent_of(str(entry.record.get("topic") or ""))
                yield Stands("faq", intent, text, entry.file, entry.start + 1, entry.id)

    def _file_for(self, intent: str, example: str) -> str:
        """Return the file with the most examples of the intent, of those with or without places as this one."""
        placed = PLACE.search(example) is not None
        counts = Counter(
            {
                file: sum(
                    100 if (PLACE.search(text) is not None) == placed else 1
                    for block in blocks
                    if block.intent == intent
                    for text, _ in block.examples
                )
                for file, blocks in self._yaml.by_file().items()
            }
        )
        file, most = counts.most_common(1)[0] if counts else (NEW_FILE, 0)
        return file if most else NEW_FILE

    def _edit(self, file: str, examples: Sequence[tuple[str, str]]) -> Edit:
        path = self.knowledge / file
        before, made_from = text_and_hash(path)
        lines = before.split("\n")
        blocks = self._yaml.by_file().get(file, ())
        by_intent: dict[str, list[str]] = {}
        for intent, example in examples:
            by_intent.setdefault(intent, []).append(example)
        own = {block.intent: block for block in blocks if block.indent is not None}
        last = max((block.end for block in blocks), default=None)
        made = [
            line
            for intent, texts in by_intent.items()
            if intent not in own
            for line in _new_block(intent, texts, blocks[-1].dash if blocks else "  ")
        ]
        if last is not None:
            lines[last:last] = made
        elif before.strip():
            raise KnowledgeFileError(f"{file} has no list of examples to add to")
        elif made:
            lines = ['version: "3.1"', "", "nlu:", *made, ""]
        for block in sorted(own.values(), key=lambda each: -each.end):
            lines[block.end : block.end] = [
                f"{block.indent}{_MARK}{text}" for text in by_intent.get(block.intent, ())
            ]
        content = "\n".join(lines)
        return Edit(file, content, made_from)

    def _check_result(self, edits: Sequence[Edit], added: Sequence[tuple[str, str]]) -> None:
        """Read the edited files as `covan train` does: they have the new examples, and all others as before."""
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            staged = Path(folder)
            if (self.knowledge / FOLDER).is_dir():
                shutil.copytree(self.knowledge / FOLDER, staged / FOLDER)
            before = self._as_taught(staged)
            write_contents(staged, contents_of(edits))
            after = self._as_taught(staged)
        if after != before | set(added):
            raise KnowledgeFileError(
                f"{', '.join(edit.file for edit in edits)} cannot be added to; edit it by hand"
            )

    def _as_taught(self, knowledge: Path) -> set[tuple[str, str]]:
        """Return the intents and examples of a folder. Raises KnowledgeError."""
        words, problems, warnings = self._dictionaries(), list[Problem](), list[Problem]()
        files = {path.relative_to(knowledge).as_posix(): path for path in yaml_paths(knowledge, FOLDER)}
        topics = words.known.ids.get("topic")
        found = load_nlu(files, topics, words.catalog.dimension_ids, problems, warnings)
        if problems:
            raise KnowledgeError(problems)
        return {(intent, text) for intent, texts in found.items() for text in texts}

    def _dictionaries(self) -> Dictionaries:
        """Return the catalogue and the topics. Raises KnowledgeError."""
        paths = {
            name: path
            for name in ("catalog", "topics")
            for suffix in SUFFIXES
            if (path := self.knowledge / f"{name}{suffix}").is_file()
        }
        contents = tuple(path.read_bytes() for path in paths.values())
        if self._words is None or self._words[0] != contents:
            problems = list[Problem]()
            words = load_dictionaries(paths, problems, [])
            if problems:
                raise KnowledgeError(problems)
            self._words = contents, words
        return self._words[1]


def compared(text: str) -> str:
    """Return `text` as two messages are compared: case, blanks and the marks at its ends make no difference."""
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold().strip(" ?!.…,;:")


def example_hash(text: str) -> str:
    """Return what the audit log has of an example, which may be a student's words: those that are alike have one."""
    return content_hash(compared(text))[:16]


def _blocks_of(file: str, content: str) -> Iterator[_Block]:
    try:
        root = yaml.compose(content, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise broken(file, content, error) from error
    lines = content.split("\n")
    for block in _items(_field(root, "nlu")):
        intent, examples = _field(block, "intent"), _field(block, "examples")
        if isinstance(intent, yaml.ScalarNode) and isinstance(examples, yaml.ScalarNode):
            dash = " " * max(block.start_mark.column - len(_MARK), 0)
            yield _block(str(intent.value), examples, lines, dash)


def _block(intent: str, examples: yaml.ScalarNode, lines: Sequence[str], dash: str) -> _Block:
    start = examples.start_mark.line
    if examples.style != "|":
        end = examples.end_mark.line + 1
        texts = [(text, start) for line in examples.value.splitlines() if (text := example_of(line))]
        return _Block(intent, end, dash, None, texts)
    indent, found, end = f"{dash}    ", [], start + 1
    for number in range(start + 1, examples.end_mark.line + 1):
        line = lines[number] if number < len(lines) else ""
        if not line.strip():
            continue
        own = line[: len(line) - len(line.lstrip(" "))]
        if len(own) < len(dash) + len(_MARK) + 1:
            break
        if end == start + 1:
            indent = own
        end = number + 1
        if text := example_of(line):
            found.append((text, number))
    return _Block(intent, end, dash, indent, found)


def _new_block(intent: str, texts: Sequence[str], dash: str) -> Sequence[str]:
    """Return the lines of a block."""
    return [
        f"{dash}{_MARK}intent: {intent}",
        f"{dash}  examples: |",
        *(f"{dash}    {_MARK}{text}" for text in texts),
    ]


def _field(node: yaml.Node | None, name: str) -> Any:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for key, value in node.value if key.value == name), None)


def _items(node: yaml.Node | None) -> Sequence[Any]:
    return node.value if isinstance(node, yaml.SequenceNode) and not node.flow_style else []
