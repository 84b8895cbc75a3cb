"""The calculators: their rules, a box to try them, and edits of their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict
from datetime import date
from typing import Any

from fastapi import APIRouter, HTTPException

from console.accounts import Account
from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader, ReadIn
from console.api.facts import clauses
from console.api.faq import told_checked
from console.api.models import CalculatorText, CalculatorTrial, NewCalculator, Seen
from console.calculator_files import CalculatorFiles
from console.faq_files import entries_in
from console.knowledge_files import Edit
from console.reviews import REVIEW_DAYS, review_of
from console.rule_words import Condition, condition_of, default_of
from console.yaml_text import YamlTextError
from rag.answer.compute import EXTREME, Computation, Given, compute
from rag.calculators.calculator import Calculator, CalculatorInput
from rag.calculators.expressions import ExpressionError
from rag.errors import KnowledgeError
from rag.index.format import Index
from rag.messages import in_language
from rag.types import Source
from school.dimensions import Profile
from vietnamese.language_detection import Language
from vietnamese.written_values import LETTER, WrittenValue, amount_in, is_worded, word_values

LETTERS = ("A", "B+", "B", "C+", "C", "D+", "D", "F")

router = APIRouter()


@router.get("/calculators", response_model=answers.CalculatorList)
def calculators(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return all calculators, file by file, and the `template` of a new one with its explanations.

    `due`: nobody has reviewed it for `due_days`.
    """
    today = date.fromtimestamp(console.clock())
    return {
        "due_days": REVIEW_DAYS,
        "template": console.around.calculator_template(console.language),
        "calculators": [
            {
                "id": each.entry.id,
                "question": str(each.entry.record.get("question") or ""),
                "topic": str(each.entry.record.get("topic") or ""),
                "file": each.entry.file,
                "inputs": list(each.entry.record.get("inputs") or {}),
                "faulty": each.record is None,
                **asdict(review := review_of(each.entry.record)),
                "due": review.is_due(today),
            }
            for each in console.publisher.calculators.calculators()
        ],
    }


@router.get("/calculators/{calculator_id}", response_model=answers.Calculator)
def calculator(calculator_id: str, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return a calculator: its text with its version, and as far as it can be read its inputs, rule and clauses."""
    publisher = console.publisher
    found = publisher.calculators.calculator(calculator_id)
    if found is None:
        raise HTTPException(404, {"error": "not_found", "message": "there is no such calculator"})
    entry, record = found.entry, found.record
    index = publisher.live.index()
    used = publisher.calculators.facts().get(calculator_id)
    known = {each.id: each for each in index.faq}
    live = _live(index, calculator_id)
    return {
        "id": entry.id,
        "question": str(entry.record.get("question") or ""),
        "topic": str(entry.record.get("topic") or ""),
        "file": entry.file,
        "line": entry.start + 1,
        "text": entry.text,
        "version": entry.version,
        "faulty": record is None,
        **asdict(review_of(entry.record)),
        "variants": list(record.variants) if record else [],
        "inputs": _inputs(live, index.facts) if live else [],
        "compares": live.comparison.over if live and live.comparison else "",
        "steps": [{"name": name, "rule": rule} for name, rule in record.steps.items()] if record else [],
        "where": (record.compare.where or "") if record and record.compare else "",
        "columns": [{"title": each.title, "rule": each.value} for each in record.compare.columns]
        if record and record.compare
        else [],
        "cases": [{"when": each.when, "say": each.say} for each in record.cases] if record else [],
        "facts": [
            {"name": fact.name, "value": fact.value}
            for fact in publisher.facts.facts()
            if used is not None and used.has(fact.name, fact.path)
        ],
        "follows": [
            {"id": each, "question": known[each].question if each in known else each}
            for each in (record.follows if record else ())
        ],
        "sources": [
            {"document": each.document, "locator": each.locator or ""}
            for each in (record.sources if record else ())
        ],
        "clauses": clauses(
            index,
            {Source(each.document, each.locator): None for each in (record.sources if record else ())},
        ),
    }


@router.post("/calculators/try", response_model=answers.Computed)
def try_new_calculator(
    body: CalculatorTrial, _: Reader, console: Parts, language: ReadIn
) -> Mapping[str, Any]:
    """Check a new calculator, and compute it with some values; faults come with their lines."""
    return _tried(console, lambda files: files.added(body.text), body, language)


@router.post("/calculators/{calculator_id}/try", response_model=answers.Computed)
def try_calculator(
    calculator_id: str, body: CalculatorTrial, _: Reader, console: Parts, language: ReadIn
) -> Mapping[str, Any]:
    """Compute a calculator, or a draft of its text, with some values; faults of the draft come with their lines."""
    if body.text:
        return _tried(
            console,
            lambda files: files.replaced(calculator_id, body.version, body.text),
            body,
            language,
        )
    return _computed(console.publisher.live.index(), calculator_id, body, None, language)


@router.post("/calculators", status_code=201, response_model=answers.SavedCalculator)
def add_calculator(body: NewCalculator, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a new calculator, whose id is in its text."""
    return _published(console, account, body, lambda files: files.added(body.text), "add_calculator")


@router.put("/calculators/{calculator_id}", response_model=answers.SavedCalculator)
def change_calculator(
    calculator_id: str, body: CalculatorText, account: Editor, console: Parts
) -> Mapping[str, Any]:
    """Publish another text of a calculator; 409 with the text in the file when it changed meanwhile."""
    return _published(
        console,
        account,
        body,
        lambda files: files.replaced(calculator_id, body.version, body.text),
        "change_calculator",
        before=calculator_id,
    )


@router.post("/calculators/{calculator_id}/removal", response_model=answers.SavedCalculator)
def remove_calculator(calculator_id: str, body: Seen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a calculator away; 409 with the text in the file when it changed meanwhile."""
    called = console.name_of(f"calculator/{calculator_id}")
    commit = console.publisher.publish_values(
        lambda: (console.publisher.calculators.removed(calculator_id, body.version), frozenset()),
        (account.name, account.login),
        "calculator_removed",
        called,
    )
    console.audit.note(account.login, "remove_calculator", calculator_id, called=called, commit=commit)
    return {"id": calculator_id, "commit": commit, "index": console.publisher.live.version}


def _published(
    console: Console,
    account: Account,
    body: NewCalculator,
    make: Callable[[CalculatorFiles], tuple[Edit, str]],
    action: str,
    **detail: Any,
) -> Mapping[str, Any]:
    files = console.publisher.calculators
    _, calculator_id = make(files)
    with console.kept_drafts.published(body.draft):
        commit = console.publisher.publish_values(
            lambda: (make(files)[0], {calculator_id}),
            (account.name, account.login),
            "calculator",
            calculator_id,
        )
    console.audit.note(account.login, action, calculator_id, commit=commit, **detail)
    return {"id": calculator_id, "commit": commit, "index": console.publisher.live.version}


def _tried(
    console: Console,
    make: Callable[[CalculatorFiles], tuple[Edit, str]],
    body: CalculatorTrial,
    language: Language,
) -> Mapping[str, Any]:
    """Return what a draft of a calculator computes, or its faults."""
    try:
        edit, calculator_id = make(console.publisher.calculators)
    except YamlTextError as error:
        if not error.faults:
            raise
        return {
            "problems": [
                {"line": each.line, "message": in_language(each.message, language)} for each in error.faults
            ]
        }
    try:
        tried = console.publisher.trials.try_values(edit, {calculator_id})
    except KnowledgeError as error:
        return {"problems": _problems(language, calculator_id, edit, error)}
    return _computed(tried.index, calculator_id, body, told_checked(tried.checked), language)


def _computed(
    index: Index,
    calculator_id: str,
    body: CalculatorTrial,
    checked: Mapping[str, Any] | None,
    language: Language,
) -> Mapping[str, Any]:
    found = _live(index, calculator_id)
    if found is None:
        raise HTTPException(404, {"error": "not_found", "message": "the index has no such calculator yet"})
    try:
        values, unread = _values(found, body.values)
        outcome = compute(
            found,
            _given(found, values, body),
            index.facts,
            date.today(),
            index.dictionaries.catalog,
        )
    except ExpressionError as error:
        return {
            "problems": [{"line": None, "message": in_language(error.message, language)}],
            "checked": checked,
        }
    return {
        "problems": [],
        "inputs": _inputs(found, index.facts),
        "unread": unread,
        **_outcome(found, values, outcome),
        "checked": checked,
    }


def _live(index: Index, calculator_id: str) -> Calculator | None:
    return next((each for each in index.calculators if each.id == calculator_id), None)


def _inputs(calculator: Calculator, facts: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
    names = {each.name for each in calculator.inputs}
    return [_input(each, names, facts) for each in calculator.inputs]


def _input(each: CalculatorInput, names: Set[str], facts: Mapping[str, str]) -> Mapping[str, Any]:
    """Return an input: `default` is None when it is asked for, `only_if` None when its condition cannot be told."""
    only_if = condition_of(each.only_if, names, facts) if each.only_if else Condition([])
    return {
        "name": each.name,
        "units": list(each.units),
        "dimension": each.dimension or "",
        "default": default_of(each.default, facts),
        "only_if": asdict(only_if) if only_if is not None else None,
        "least": each.least,
        "most": each.most,
        "whole": each.whole,
        "many": each.many,
        "ask": each.ask,
        "choices": _choices(each),
    }


def _choices(each: CalculatorInput) -> Sequence[str]:
    """Return the words that an input may have; empty where numbers or any code will do."""
    if not each.units or not all(is_worded(unit) for unit in each.units):
        return []
    found = [value for unit in each.units for value in word_values(unit)]
    return [*found, *(LETTERS if LETTER in each.units else ())]


def _values(
    calculator: Calculator, typed: Mapping[str, str]
) -> tuple[Mapping[str, float | str | tuple[float | str, ...]], Sequence[str]]:
    """Return the values by input, and the names of inputs whose text gives none."""
    values: dict[str, float | str | tuple[float | str, ...]] = {}
    unread = []
    for each in calculator.inputs:
        text = typed.get(each.name, "").strip()
        if not text or not each.units:
            continue
        parts = [part.strip() for part in text.split(";")] if each.many else [text]
        read = [_value(each, part) for part in parts if part]
        if any(value is None for value in read) or not read:
            unread.append(each.name)
            continue
        given = tuple(value for value in read if value is not None)
        values[each.name] = given if each.many else given[0]
    return values, unread


def _value(each: CalculatorInput, text: str) -> float | str | None:
    if text in _choices(each) or (any(is_worded(unit) for unit in each.units) and amount_in(text) is None):
        return text
    number = amount_in(text)
    worded = all(is_worded(unit) for unit in each.units)
    return text if worded else number


def _given(
    calculator: Calculator,
    values: Mapping[str, float | str | tuple[float | str, ...]],
    body: CalculatorTrial,
) -> Given:
    over = calculator.comparison.over if calculator.comparison else ""
    profile = {name: value for name, value in body.profile.items() if value}
    if over and body.compared in (["highest"], ["lowest"]):
        return Given([WrittenValue(EXTREME, body.compared[0], 0, 0)], filled=values, profile=Profile(profile))
    named = {over: tuple(body.compared)} if body.compared else {}
    return Given(filled=values, profile=Profile(profile), named=named, which=calculator.compared)


def _outcome(
    calculator: Calculator, values: Mapping[str, Any], outcome: Computation | None
) -> Mapping[str, Any]:
    """Return the sentence, or the input or dimension that is missing; all are empty when no case holds."""
    if outcome is None:
        # Covan computes nothing for a message without values, and asks for none.
        first = next((each for each in calculator.inputs if each.is_asked and each.name not in values), None)
        needs, said, missing = None, "", first.name if first else ""
    else:
        needs, said, missing = outcome.needs, outcome.text, outcome.missing or ""
    return {
        "said": said,
        "missing": needs.name if needs else missing,
        "ask": needs.ask if needs else "",
        "wrong": needs.wrong if needs else "",
        "least": needs.least if needs else "",
        "most": needs.most if needs else "",
    }


def _problems(
    language: Language, calculator_id: str, edit: Edit, error: KnowledgeError
) -> Sequence[Mapping[str, Any]]:
    """Return the problems with their lines in the calculator's text; without, where they are of another part."""
    drafted = entries_in(edit.file, edit.content or "")
    start = next((each.start for each in drafted if each.id == calculator_id), 0)
    return [
        {
            "line": each.line - start if each.file == edit.file and each.line else None,
            "message": in_language(each.message, language) if each.file == edit.file else each.told(language),
        }
        for each in error.problems
    ]
