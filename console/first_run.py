"""The steps from a new knowledge folder to a school that answers, each with its state, from the files and the index.

A folder that `covan new` has made is full of examples and of places to fill in, written `<...>`; neither counts as the
school's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from html import escape
from pathlib import Path

from console.calculator_files import FOLDER as CALCULATORS
from console.dictionary_files import COUNSELLING, OFFICE, SCHOOL, DictionaryFiles, Part
from console.document_files import DocumentFiles
from console.faq_files import EntryText, FaqFiles
from console.publishing import Publisher
from rag.errors import CovanError, IndexUnusableError, KnowledgeError, Problem
from rag.index.format import Index
from rag.ingest.build import source_hash
from rag.ingest.dictionaries import EXAMPLE
from rag.ingest.load import load_knowledge

DIMENSIONS = ("cohort", "major", "program")
"""The dimensions that a school has by default."""


class State(StrEnum):
    """The state of a step."""

    DONE = "done"
    MISSING = "missing"
    FAULTY = "faulty"
    OLD = "old"
    """The folder has changed since; what was built before answers."""
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Step:
    """A step; `note` names what is to be said about its state, with `counts`.

    `faults` are texts for the person who mends them, `is_needed`: the school cannot answer well without it.
    """

    id: str
    state: State
    note: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    faults: Sequence[str] = ()
    is_needed: bool = True
    target: str = ""
    """The part of the catalogue to open first."""


@dataclass(frozen=True, slots=True)
class Checklist:
    """The steps in their order, a question that the school answers ("": none yet), and the website's script tag."""

    steps: Sequence[Step]
    example: str
    embed_code: str

    @property
    def is_complete(self) -> bool:
        """Whether nothing that is needed is missing or faulty."""
        return not any(step.is_needed and step.state in (State.MISSING, State.FAULTY) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Model:
    """The model of the dialogue: `untrained` are topics that it does not know."""

    exists: bool = True
    is_current: bool = True
    untrained: Sequence[Problem] = ()


@dataclass(frozen=True)
class Surroundings:
    """The parts outside of the knowledge folder.

    `templates` are the folders that `covan new` copies, `address` returns that of the front door, `is_public` whether
    it is one that students reach. `websites` may hold the chat, those in `wrong_websites` are written wrongly.
    """

    templates: Sequence[Path] = ()
    index_is_current: Callable[[], bool] = lambda: True
    model: Callable[[], Model] = Model
    address: Callable[[], str] = lambda: ""
    is_public: bool = False
    websites: Sequence[str] = ()
    wrong_websites: Sequence[str] = ()

    @cached_property
    def examples(self) -> Set[str]:
        """The entries and topics of the templates."""
        found = [
            each
            for folder in self.templates
            for each in (*FaqFiles(folder).entries(), *DictionaryFiles(folder).topics())
        ]
        return {_content(each) for each in found}

    @cached_property
    def example_documents(self) -> Set[str]:
        """The versions of the templates' documents."""
        known = [DocumentFiles(folder, folder / ".drafts") for folder in self.templates]
        return {files.version(path) for files in known for path in files.paths()}

    def calculator_template(self, language: str) -> str:
        """Return the template of a calculator with its explanations: the templates have it as a comment.

        "" without templates.
        """
        file = next(
            (each for folder in self.templates if folder.name == language for each in _calculators(folder)),
            None,
        )
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None else []
        # The first line tells how to take the signs of a comment away.
        return "\n".join(line.removeprefix("# ") for line in lines[1:])


def checklist(
    publisher: Publisher, around: Surroundings, language: str, *, has_been_asked: bool = False
) -> Checklist:
    """Return the steps as they are now; faults are told in `language`.

    `has_been_asked` tells whether somebody has asked Covan a question.
    """
    index = _index(publisher)
    documents = _guarded("documents", language, lambda: _documents(publisher, around, index, language))
    questions = _guarded("questions", language, lambda: _questions(publisher, around))
    # A school answers from one of them alone.
    documents, questions = (
        replace(documents, is_needed=questions.state is not State.DONE),
        replace(questions, is_needed=documents.state is not State.DONE),
    )
    example = _example(publisher, around, index)
    return Checklist(
        (
            _guarded("school", language, lambda: _school(publisher)),
            _guarded("counselling", language, lambda: _counselling(publisher)),
            replace(_guarded("offices", language, lambda: _offices(publisher)), is_needed=False),
            replace(_guarded("catalogue", language, lambda: _catalogue(publisher)), is_needed=False),
            _guarded("topics", language, lambda: _topics(publisher, around)),
            documents,
            questions,
            _live(publisher, around, index, language),
            _versions(publisher),
            Step(
                "try",
                State.DONE if has_been_asked else State.MISSING,
                "" if has_been_asked or example else "none",
                is_needed=False,
            ),
            _website(around),
        ),
        example,
        f'<script src="{escape(around.address().rstrip("/"))}/widget.js" async></script>',
    )


def _school(publisher: Publisher) -> Step:
    names = [str(part.values.get("name") or "") for part in _parts(publisher, SCHOOL)]
    given = bool(names) and bool(names[0]) and not EXAMPLE.search(names[0])
    return Step(
        "school", State.DONE if given else State.MISSING, target=f"{SCHOOL}~{SCHOOL}" if names else ""
    )


def _counselling(publisher: Publisher) -> Step:
    offices = {part.id: part.values for part in _parts(publisher, OFFICE)}
    contacts = _parts(publisher, COUNSELLING)
    unfilled = [part for part in contacts if _is_unfilled(part)]

    def has_phone(part: Part) -> bool:
        office = offices.get(str(part.values.get("office")), {})
        return bool(part.values.get("phone") or office.get("phone"))

    good = [part for part in contacts if part not in unfilled and has_phone(part)]
    counts = {"n": len(good), "unfilled": len(unfilled)}
    if unfilled:
        state = State.FAULTY if good else State.MISSING
        return Step("counselling", state, "unfilled", counts, target=f"{COUNSELLING}~{unfilled[0].id}")
    if not good:
        where = contacts[0].id if contacts else ""
        return Step("counselling", State.MISSING, target=f"{COUNSELLING}~{where}")
    return Step("counselling", State.DONE, "count", counts, target=f"{COUNSELLING}~{good[0].id}")


def _offices(publisher: Publisher) -> Step:
    offices, without = _parts(publisher, OFFICE), offices_without_contact(publisher)
    counts = {"n": len(offices), "without": len(without)}
    if without:
        return Step("offices", State.FAULTY, "without", counts, target=f"{OFFICE}~{without[0].id}")
    if not offices:
        return Step("offices", State.MISSING, target=f"{OFFICE}~")
    return Step("offices", State.DONE, "count", counts, target=f"{OFFICE}~{offices[0].id}")


def offices_without_contact(publisher: Publisher) -> Sequence[Part]:
    """Return the offices that have neither phone nor mail address, or still have places to fill in."""
    return [
        part
        for part in _parts(publisher, OFFICE)
        if _is_unfilled(part) or not (part.values.get("phone") or part.values.get("email"))
    ]


def _catalogue(publisher: Publisher) -> Step:
    counts = {f"{each}s": len(_parts(publisher, each)) for each in DIMENSIONS}
    empty = next((each for each in DIMENSIONS if not counts[f"{each}s"]), DIMENSIONS[0])
    state = State.DONE if any(counts.values()) else State.MISSING
    return Step("catalogue", state, "count" if any(counts.values()) else "", counts, target=f"{empty}~")


def _topics(publisher: Publisher, around: Surroundings) -> Step:
    return _counted("topics", publisher.dictionaries.topics(), around)


def _questions(publisher: Publisher, around: Surroundings) -> Step:
    return _counted("questions", publisher.files.entries(), around)


def _counted(step: str, entries: Sequence[EntryText], around: Surroundings) -> Step:
    own = [each for each in entries if _content(each) not in around.examples]
    return _of_counts(step, len(own), {"examples": len(entries) - len(own)})


def _documents(publisher: Publisher, around: Surroundings, index: Index | None, language: str) -> Step:
    files = publisher.documents
    paths = files.paths()
    own = [path for path in paths if files.version(path) not in around.example_documents]
    live = {passage.document_id for passage in index.published} if index is not None else set()
    faults = [problem.told(language) for _, _, read in files.waiting(live) for problem in read.problems]
    drafts = files.drafts()
    counts = {
        "examples": len(paths) - len(own),
        "drafts": len(drafts),
        "faulty_drafts": sum(bool(files.read_draft(draft).problems) for draft in drafts),
    }
    if faults:
        return Step("documents", State.FAULTY, "faulty", {"n": len(own), **counts}, faults)
    return _of_counts("documents", len(own), counts)


def _of_counts(step: str, own: int, counts: Mapping[str, int]) -> Step:
    note = "count" if own else "examples" if counts["examples"] else ""
    return Step(step, State.DONE if own else State.MISSING, note, {"n": own, **counts})


def _live(publisher: Publisher, around: Surroundings, index: Index | None, language: str) -> Step:
    """Return whether index and model are those of the folder; the faults are those that stop a build."""
    if publisher.whole_build.is_running:
        return Step("live", State.RUNNING, "building")
    is_current = index is not None and around.index_is_current()
    if not is_current and (faults := _faults(publisher, language)):
        return Step("live", State.FAULTY, "faulty", {"n": len(faults)}, faults)
    if index is None:
        return Step("live", State.MISSING, "no_index")
    model = around.model()
    if not model.exists:
        return Step("live", State.MISSING, "no_model")
    if not is_current:
        return Step("live", State.OLD, "build_failed" if publisher.whole_build.failed else "old_index")
    told = [problem.told(language) for problem in model.untrained]
    is_old = bool(told) or not model.is_current
    return Step("live", State.OLD, "old_model", faults=told) if is_old else Step("live", State.DONE)


def _faults(publisher: Publisher, language: str) -> Sequence[str]:
    folder = publisher.files.knowledge
    return [problem.told(language) for problem in _faults_of(folder, source_hash(folder))]


@lru_cache(maxsize=1)
def _faults_of(folder: Path, content: str) -> Sequence[Problem]:
    """Return the faults that stop a build of `folder` with this content, whose check takes seconds."""
    del content
    try:
        load_knowledge(folder)
    except KnowledgeError as error:
        return error.problems
    return ()


def _example(publisher: Publisher, around: Surroundings, index: Index | None) -> str:
    """Return the question of the first entry of the school's own that is live; "" when there is none."""
    if index is None:
        return ""
    live = {entry.id: entry.question for entry in index.faq}
    try:
        own = [each.id for each in publisher.files.entries() if _content(each) not in around.examples]
    except CovanError:  # the step of the questions tells it
        return ""
    return next((live[each] for each in own if each in live), "")


def _versions(publisher: Publisher) -> Step:
    """Return whether what is published can be undone."""
    if publisher.versions.are_kept:
        return Step("versions", State.DONE, is_needed=False)
    return Step("versions", State.MISSING, "none", is_needed=False)


def _website(around: Surroundings) -> Step:
    if around.wrong_websites:
        return Step("website", State.FAULTY, "wrong", faults=around.wrong_websites, is_needed=False)
    if not around.is_public:
        return Step("website", State.MISSING, "local", is_needed=False)
    if not around.websites:
        return Step("website", State.MISSING, "no_origins", is_needed=False)
    return Step("website", State.DONE, "open", {"n": len(around.websites)}, is_needed=False)


def _parts(publisher: Publisher, section_id: str) -> Sequence[Part]:
    found = (each for each in publisher.dictionaries.sections() if each.id == section_id)
    return [part for section in found for part in section.parts]


def _is_unfilled(part: Part) -> bool:
    texts = (value for value in part.values.values() if isinstance(value, str))
    return any(EXAMPLE.search(text) for text in texts)


def _guarded(step: str, language: str, make: Callable[[], Step]) -> Step:
    """Return the step, or its file's faults when that cannot be read."""
    try:
        return make()
    except KnowledgeError as error:
        return Step(step, State.FAULTY, "unreadable", faults=[each.told(language) for each in error.problems])
    except CovanError as error:
        return Step(step, State.FAULTY, "unreadable", faults=[error.told(language)])


def _index(publisher: Publisher) -> Index | None:
    try:
        return publisher.live.index()
    except IndexUnusableError:
        return None


def _calculators(folder: Path) -> Sequence[Path]:
    return sorted((folder / CALCULATORS).glob("*.yml"))


def _content(entry: EntryText) -> str:
    return json.dumps(entry.record, sort_keys=True, default=str)
