"""Labelled questions: four ways to label a CSV, one way to judge a reply.

| kind | columns | right is |
|---|---|---|
| decision | decision, source (ids with `|` between), topic | the decision, from one of the sources |
| reference | scope, answer | in scope: an answer that says the reference; out of scope: no answer |
| reference, without scope | (none) | asking back: the question can be read in several ways |
| ranking | passage_id | an answer that cites this document; also, the document is ranked first |
| content | decision, must, must_not | the decision; an answer has each of `must` (`|` between), none of `must_not` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from covan.batch import Row, read_questions
from covan.evaluation.reference import says
from rag.errors import Problem, QuestionsError
from rag.messages import Message
from rag.types import DecisionKind, Question, Reply


class LabelKind(StrEnum):
    """The ways to label the questions of a file."""

    DECISION = "decision"
    REFERENCE = "reference"
    RANKING = "ranking"
    CONTENT = "content"


AMBIGUOUS = "ambiguous"
SCOPES: Mapping[str, DecisionKind] = {
    "in_scope": DecisionKind.ANSWER,
    "answerable": DecisionKind.ANSWER,
    "out_of_scope": DecisionKind.NO_ANSWER,
    "unanswerable": DecisionKind.NO_ANSWER,
    AMBIGUOUS: DecisionKind.CLARIFY,
}
"""The right decision for a question of a scope."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question and its label.

    `label` is the file's word ("in_scope", "no_answer"), `expected` the decision that it means. `sources`
    are ids of entries or documents that answer; for a clarification the dimensions that may be asked for.
    `reference` is the answer in the file's own words, None when the sources decide. `must` are texts that an answer
    has, `must_not` texts that it does not have.
    """

    row: Row
    kind: LabelKind
    label: str
    expected: DecisionKind
    sources: frozenset[str] = frozenset()
    reference: str | None = None
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def question(self) -> Question:
        return self.row.question

    @property
    def topic(self) -> str:
        """The topic as labelled; empty when the file has none."""
        return self.row.fields.get("topic", "")

    def judge(self, reply: Reply) -> bool:
        """Return whether a student would have been served: the right decision, and an answer that is right."""
        decision = reply.decision
        if decision.kind is not self.expected:
            return False
        if decision.kind is DecisionKind.ANSWER:
            if self.kind is LabelKind.CONTENT:
                return _has(reply.text, self.must, self.must_not)
            if self.reference is not None:
                return says(reply.text, self.reference)
            return bool(self.sources & {reply.answer_id, *(c.document_id for c in reply.citations)})
        if decision.kind is DecisionKind.CLARIFY and decision.missing and self.sources:
            return bool(self.sources & set(decision.missing))
        return True


def read_labelled(path: Path, kind: LabelKind | None = None) -> list[Labelled]:
    """Return the labelled questions of a CSV; the columns tell the kind when it is not given.

    Raises QuestionsError naming every bad line, or that the columns do not say what is right.
    """
    rows = read_questions(path)
    if not rows:
        raise QuestionsError([Problem(str(path), Message("questions_none"), 1)])
    columns = set(rows[0].fields)
    kind = kind or _kind_of(path, columns)
    if missing := _NEEDED[kind] - columns:
        told = Message("labels_need_column", kind=str(kind), columns=", ".join(sorted(missing)))
        raise QuestionsError([Problem(str(path), told, 1)])
    read = _READERS[kind]
    problems, labelled = [], []
    for row in rows:
        try:
            labelled.append(read(row))
        except ValueError as error:
            problems.append(
                Problem(str(path), Message("labels_of_question", id=row.id, problem=error.args[0]), row.line)
            )
    if problems:
        raise QuestionsError(problems)
    return labelled


def _kind_of(path: Path, columns: Iterable[str]) -> LabelKind:
    for column, kind in _TOLD_BY.items():
        if column in columns:
            return kind
    wanted = ", ".join(f"{column} ({kind})" for column, kind in _TOLD_BY.items())
    raise QuestionsError([Problem(str(path), Message("labels_say_nothing", columns=wanted), 1)])


def _by_decision(row: Row) -> Labelled:
    given = row.fields.get("decision", "")
    if given not in list(DecisionKind):
        raise ValueError(Message("labels_decision", known=_one_of(DecisionKind), given=given))
    sources = frozenset(filter(None, (id.strip() for id in row.fields.get("source", "").split("|"))))
    return Labelled(row, LabelKind.DECISION, given, DecisionKind(given), sources)


def _by_content(row: Row) -> Labelled:
    labelled = _by_decision(row)
    must, must_not = (_texts(row, column) for column in ("must", "must_not"))
    if labelled.expected is DecisionKind.ANSWER and not must:
        raise ValueError(Message("labels_answer_must"))
    return replace(labelled, kind=LabelKind.CONTENT, must=must, must_not=must_not)


def _texts(row: Row, column: str) -> tuple[str, ...]:
    return tuple(filter(None, (text.strip() for text in row.fields.get(column, "").split("|"))))


def _has(text: str, must: Iterable[str], must_not: Iterable[str]) -> bool:
    """Return whether a text has all of `must` and none of `must_not`, whatever the case and the Markdown."""
    said = " ".join(text.replace("*", "").casefold().split())
    return all(each.casefold() in said for each in must) and not any(
        each.casefold() in said for each in must_not
    )


def _by_reference(row: Row) -> Labelled:
    scope = row.fields.get("scope", AMBIGUOUS)
    if scope not in SCOPES:
        raise ValueError(Message("labels_scope", known=_one_of(SCOPES), given=scope))
    expected, reference = SCOPES[scope], row.fields.get("answer", "")
    if expected is DecisionKind.ANSWER and not reference:
        raise ValueError(Message("labels_scope_answer", scope=scope))
    return Labelled(row, LabelKind.REFERENCE, scope, expected, reference=reference)


def _by_ranking(row: Row) -> Labelled:
    relevant = row.fields.get("passage_id", "")
    if not relevant:
        raise ValueError(Message("labels_no_passage"))
    return Labelled(row, LabelKind.RANKING, "ranked", DecisionKind.ANSWER, frozenset({relevant}))


def _one_of(names: Iterable[str]) -> str:
    return " | ".join(map(str, names))


_READERS: Mapping[LabelKind, Callable[[Row], Labelled]] = {
    LabelKind.DECISION: _by_decision,
    LabelKind.REFERENCE: _by_reference,
    LabelKind.RANKING: _by_ranking,
    LabelKind.CONTENT: _by_content,
}
_NEEDED: Mapping[LabelKind, frozenset[str]] = {
    LabelKind.DECISION: frozenset({"decision"}),
    LabelKind.REFERENCE: frozenset(),
    LabelKind.RANKING: frozenset({"passage_id"}),
    LabelKind.CONTENT: frozenset({"decision", "must"}),
}
_TOLD_BY: Mapping[str, LabelKind] = {
    "must": LabelKind.CONTENT,
    "decision": LabelKind.DECISION,
    "passage_id": LabelKind.RANKING,
    "scope": LabelKind.REFERENCE,
}
"""The column that gives a kind away; the first that is there."""
