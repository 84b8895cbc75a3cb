"""Load a knowledge folder, or report every problem in it.

    documents/     published documents; see `rag.ingest.loaders` for the kinds of file
    faq/*.yml      questions with their answers
    facts/*.yml    values that answers refer to; NAME.meta.yml beside them: who is in charge, the last review
    calculators/*.yml  rules that are applied to a student's values
    nlu/*.yml      messages that the classifier learns from
    courses/*.csv, entities/*.yml  what the knowledge graph holds beside documents and the catalogue
    query_rules.yml  questions that are refused or asked back about
    checked.yml    questions with their right outcome
    follow_ups/*.yml  what students ask next
    catalog.yml, topics.yml, glossary.yml, graph.yml

Every part is optional. A folder without `documents/` is itself the folder of documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from rag.calculators.calculator import Calculator
from rag.errors import KnowledgeError, Problem
from rag.ingest.calculators import References, load_calculators
from rag.ingest.checked_questions import load_checked
from rag.ingest.dictionaries import Dictionaries, load_dictionaries
from rag.ingest.documents import LoadedDocuments, load_documents
from rag.ingest.entries import Entry, did_you_mean
from rag.ingest.facts import load_facts
from rag.ingest.faq import fill_in, read_faq, repeated_phrasings, values_left_out
from rag.ingest.follow_ups import load_follow_ups
from rag.ingest.graph.build import GraphSources
from rag.ingest.graph.course_tables import CourseTable, read_course_tables
from rag.ingest.graph.entity_files import read_entities
from rag.ingest.graph.schema import school_schema
from rag.ingest.known import Known
from rag.ingest.nlu_files import load_nlu
from rag.ingest.query_rules import load_query_rules
from rag.ingest.schema import DocumentRecord
from rag.messages import Message
from rag.types import Document, FaqEntry, FollowUp, QueryRule
from school.catalog import Catalog, GlossaryEntry, Topic
from school.intents import intent_of
from vietnamese.text import fold

MAX_FILE_BYTES = 50 * 1024 * 1024
"""The largest file that is read; an office's files are smaller, and a larger one would fill the memory."""

FEWEST_EXAMPLES = 5
"""The fewest examples, FAQ included, from which the classifier learns a topic."""

DICTIONARIES = ("catalog", "topics", "glossary", "graph", "checked", "query_rules")
_NO_DICTIONARIES = ("graph", "checked", "query_rules")
"""The files among them that are read by themselves."""

YAML_FOLDERS = ("faq", "facts", "nlu", "calculators", "entities", "follow_ups")
YAML_SUFFIXES = (".yml", ".yaml")
BESIDES = ("vectors.npz", "README.md")
"""Files that may stand in the folder without being knowledge: shipped embeddings, notes for its editors."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The checked content of a knowledge folder, with warnings for its editors.

    `document_aliases` are further names of documents by id; `nlu` are the school's own example messages by intent.
    """

    documents: tuple[Document, ...] = ()
    faq: tuple[FaqEntry, ...] = ()
    catalog: Catalog = field(default_factory=Catalog)
    topics: tuple[Topic, ...] = ()
    glossary: tuple[GlossaryEntry, ...] = ()
    warnings: tuple[Problem, ...] = ()
    document_aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nlu: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calculators: tuple[Calculator, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    graph: GraphSources = field(default_factory=GraphSources)
    rules: tuple[QueryRule, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def load_knowledge(directory: Path, tried: Set[str] | None = None) -> Knowledge:
    """Return the content of `directory`; calculators with an id in `tried` are tried out, all by default.

    Raises KnowledgeError with every problem, each with its file, relative to `directory`, and line.
    """
    if not directory.is_dir():
        raise KnowledgeError([Problem(str(directory), Message("no_folder"))])
    problems: list[Problem] = []
    warnings: list[Problem] = []
    folder = _sort_out(directory, problems, warnings)

    schema = school_schema(folder.dictionaries.pop("graph", None), problems)
    checked, ruled = (folder.dictionaries.pop(name, None) for name in ("checked", "query_rules"))
    words = load_dictionaries(folder.dictionaries, problems, warnings)
    graph = GraphSources(
        schema,
        read_course_tables(folder.courses, problems, warnings),
        read_entities(folder.entities, problems),
    )
    facts = load_facts(folder.facts, words.known, problems)
    documents = load_documents(folder.documents, words.known, problems, warnings)
    documents = _of_known_courses(documents, _course_codes(graph.tables, words.catalog), warnings)
    faq = read_faq(folder.faq, problems)
    dimensions = [each.id for each in words.known.dimensions]
    nlu = load_nlu(folder.nlu, words.known.ids.get("topic"), dimensions, problems, warnings)

    document_ids = {document.meta.id for document in documents.documents} | documents.unreadable
    _check_documents(documents.entries, document_ids, words.known, problems, warnings)
    for entry in faq:
        words.known.check_answer(entry, document_ids, problems)
    entry_ids = {str(entry.record.id) for entry in faq}
    load_checked(checked, entry_ids, problems, words.known)
    rules = load_query_rules(ruled, entry_ids, words.known, problems)
    follow_ups = load_follow_ups(folder.follow_ups, entry_ids, problems, warnings)
    filled = tuple(fill_in(entry, facts, words.known, problems, warnings) for entry in faq)
    about = References(words.known, words.catalog, facts, document_ids, entry_ids)
    calculators = load_calculators(folder.calculators, about, problems, warnings, tried)
    warnings.extend(repeated_phrasings(faq, filled))
    warnings.extend(values_left_out(filled, words.catalog, words.values))
    warnings.extend(_topics_hardly_taught(words, filled, nlu))
    if problems:
        raise KnowledgeError(_in_order(problems))
    if not documents.documents and not filled:
        raise KnowledgeError([Problem(str(directory), Message("nothing_to_read"))])
    aliases = {
        str(entry.record.id): entry.record.aliases for entry in documents.entries if entry.record.aliases
    }
    return Knowledge(
        documents.documents,
        filled,
        words.catalog,
        words.topics,
        words.glossary,
        tuple(_in_order(warnings)),
        aliases,
        nlu,
        calculators,
        facts.values,
        graph,
        rules,
        follow_ups,
    )


def _course_codes(tables: Sequence[CourseTable], catalog: Catalog) -> dict[str, str]:
    """Return the codes of the courses of tables and catalogue, by their folded form."""
    rows = (row.code for table in tables for row in table.rows)
    return {fold(code): code for code in (*rows, *(course.code or course.id for course in catalog.courses))}


def _of_known_courses(
    documents: LoadedDocuments, codes: Mapping[str, str], warnings: list[Problem]
) -> LoadedDocuments:
    """Return the documents, the course of each as its table writes it; none, after a warning, when no table has it."""
    found = []
    for document, entry in zip(documents.documents, documents.entries, strict=True):
        course = document.meta.course
        code = codes.get(fold(course), "")
        if course and not code:
            hint = did_you_mean(course, codes.values())
            warnings.append(entry.place.problem(Message("unknown_course", code=course, hint=hint), "course"))
        found.append(replace(document, meta=replace(document.meta, course=code if course else "")))
    return replace(documents, documents=tuple(found))


def load_faq(directory: Path, document_ids: Set[str]) -> tuple[tuple[FaqEntry, ...], tuple[QueryRule, ...]]:
    """Return the FAQ and the query rules of `directory` alone, checked as by `load_knowledge`.

    The sources of entries must be in `document_ids`. Raises KnowledgeError with the problems of the FAQ, the rules, the
    checked questions, the facts and the dictionaries.
    """
    curated = _curated(directory, document_ids, None)
    return curated.faq, curated.rules


@dataclass(frozen=True, slots=True)
class Curated:
    """The parts of a knowledge folder that answer by themselves; `facts` are values by their full names."""

    faq: tuple[FaqEntry, ...]
    rules: tuple[QueryRule, ...]
    calculators: tuple[Calculator, ...]
    facts: Mapping[str, str]


def load_curated(directory: Path, document_ids: Set[str], tried: Set[str]) -> Curated:
    """Return FAQ, query rules, facts and calculators of `directory`, checked as by `load_knowledge`.

    The documents are not read.

    Of the calculators, those with an id in `tried` are tried out over their inputs. Sources must be in `document_ids`.
    Raises KnowledgeError with the problems of these parts and the dictionaries.
    """
    return _curated(directory, document_ids, tried)


def _curated(directory: Path, document_ids: Set[str], tried: Set[str] | None) -> Curated:
    """Return the curated parts; with `tried` None, without calculators."""
    problems: list[Problem] = []
    warnings: list[Problem] = []
    folder, words = _dictionaries(directory, problems, warnings)
    facts = load_facts(folder.facts, words.known, problems)
    faq = read_faq(folder.faq, problems)
    for entry in faq:
        words.known.check_answer(entry, document_ids, problems)
    filled = tuple(fill_in(entry, facts, words.known, problems, warnings) for entry in faq)
    entry_ids = {str(entry.record.id) for entry in faq}
    load_checked(folder.dictionaries.get("checked"), entry_ids, problems, words.known)
    rules = load_query_rules(folder.dictionaries.get("query_rules"), entry_ids, words.known, problems)
    calculators: tuple[Calculator, ...] = ()
    if tried is not None:
        about = References(words.known, words.catalog, facts, document_ids, entry_ids)
        calculators = load_calculators(folder.calculators, about, problems, warnings, tried)
    if problems:
        raise KnowledgeError(_in_order(problems))
    return Curated(filled, rules, calculators, facts.values)


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """The part of a knowledge folder that a document is checked against: its dictionaries, and its courses."""

    known: Known
    courses: Mapping[str, str]
    """Their codes by their folded form."""


def document_context(directory: Path) -> DocumentContext:
    """Return it. Raises KnowledgeError when the folder's dictionaries have problems."""
    problems: list[Problem] = []
    folder, words = _dictionaries(directory, problems, [])
    if problems:
        raise KnowledgeError(_in_order(problems))
    # The faults of the course tables are no faults of a document.
    return DocumentContext(
        words.known, _course_codes(read_course_tables(folder.courses, [], []), words.catalog)
    )


def load_drafted(
    context: DocumentContext, files: Mapping[str, Path], document_ids: Set[str]
) -> tuple[LoadedDocuments, list[Problem], list[Problem]]:
    """Return the documents of `files`, with their problems and warnings, checked as if they were in a folder.

    `files` are paths by their names in problems, `document_ids` the ids of the folder's own documents.
    """
    problems: list[Problem] = []
    warnings: list[Problem] = []
    found = load_documents(files, context.known, problems, warnings)
    found = _of_known_courses(found, context.courses, warnings)
    ids = {document.meta.id for document in found.documents} | document_ids
    _check_documents(found.entries, ids, context.known, problems, warnings)
    return found, _in_order(problems), _in_order(warnings)


def _dictionaries(
    directory: Path, problems: list[Problem], warnings: list[Problem]
) -> tuple[_Folder, Dictionaries]:
    """Return the files of a folder, and the dictionaries that a part of it is checked against."""
    folder = _sort_out(directory, problems, warnings)
    own = {name: path for name, path in folder.dictionaries.items() if name not in _NO_DICTIONARIES}
    return folder, load_dictionaries(own, problems, warnings)


@dataclass(slots=True)
class _Folder:
    """The files by purpose; each path by its name in problems."""

    documents: dict[str, Path]
    faq: dict[str, Path]
    facts: dict[str, Path]
    nlu: dict[str, Path]
    calculators: dict[str, Path]
    entities: dict[str, Path]
    follow_ups: dict[str, Path]
    courses: dict[str, Path]
    dictionaries: dict[str, Path]


def _sort_out(directory: Path, problems: list[Problem], warnings: list[Problem]) -> _Folder:
    folder = _Folder({}, {}, {}, {}, {}, {}, {}, {}, {})
    own_documents = (directory / "documents").is_dir()
    for file, path in _files(directory, problems):
        top, *below = PurePosixPath(file).parts
        if below and top in YAML_FOLDERS:
            if path.suffix.lower() in YAML_SUFFIXES:
                files: dict[str, Path] = getattr(folder, top)
                files[file] = path
            else:
                warnings.append(Problem(file, Message("only_yaml", folder=top)))
        elif below and top == "courses":
            folder.courses[file] = path
        elif below and top == "documents":
            folder.documents[file] = path
        elif not below and path.suffix.lower() in YAML_SUFFIXES and path.stem in DICTIONARIES:
            if path.stem in folder.dictionaries:
                problems.append(
                    Problem(file, Message("two_of_one", other=folder.dictionaries[path.stem].name))
                )
            folder.dictionaries[path.stem] = path
        elif top in BESIDES:
            continue
        elif own_documents:
            expected = [f"{name}.yml" for name in DICTIONARIES] + ["documents", "courses", *YAML_FOLDERS]
            warnings.append(Problem(file, Message("not_in_documents", hint=did_you_mean(top, expected))))
        else:
            folder.documents[file] = path
    return folder


def _files(directory: Path, problems: list[Problem]) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder by name, without hidden files and Word's lock files."""
    for path in sorted(directory.rglob("*"), key=lambda path: path.relative_to(directory).as_posix()):
        relative = path.relative_to(directory)
        if any(part.startswith((".", "~$")) for part in relative.parts) or path.is_dir():
            continue
        if not path.is_file():
            problems.append(Problem(relative.as_posix(), Message("link_to_nothing")))
            continue
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            message = Message("too_large", size=size // 2**20, most=MAX_FILE_BYTES // 2**20)
            problems.append(Problem(relative.as_posix(), message))
            continue
        yield relative.as_posix(), path


def _check_documents(
    entries: Iterable[Entry[DocumentRecord]],
    ids: Set[str],
    known: Known,
    problems: list[Problem],
    warnings: list[Problem],
) -> None:
    for entry in entries:
        record, place = entry.record, entry.place
        if record.topic is not None:
            known.check("topic", [record.topic], place, problems, "topic")
        known.check_owner(record.owner, place, problems)
        if record.effective_from and record.effective_to and record.effective_to < record.effective_from:
            problems.append(place.problem(Message("ends_before_beginning"), "effective_to"))
        for index, older in enumerate(record.supersedes):
            if older == record.id:
                problems.append(place.problem(Message("supersedes_itself"), "supersedes", index))
            elif older not in ids:
                suggestion = did_you_mean(older, ids - {record.id or ""})
                message = Message("superseded_is_missing", id=older, hint=suggestion)
                warnings.append(place.problem(message, "supersedes", index))


def _topics_hardly_taught(
    words: Dictionaries, faq: Iterable[FaqEntry], nlu: Mapping[str, Sequence[str]]
) -> Iterator[Problem]:
    """Warn of every topic that the classifier cannot learn well: its intent has no examples, or too few."""
    asked = Counter[str]()
    for entry in faq:
        asked[entry.topic] += 1 + len(entry.variants)
    for topic in words.topics:
        count = asked[topic.id] + len(topic.examples) + len(nlu.get(intent_of(topic.id), ()))
        if count < FEWEST_EXAMPLES:
            key = "topic_with_few_examples" if count else "topic_without_examples"
            message = Message(key, topic=topic.id, count=count, enough=FEWEST_EXAMPLES)
            yield words.topic_places[topic.id].problem(message)


def _in_order(found: Iterable[Problem]) -> list[Problem]:
    return sorted(dict.fromkeys(found), key=lambda problem: (problem.file, problem.line or 0))
