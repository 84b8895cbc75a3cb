"""The query rules of a knowledge folder (`query_rules.yml`), edited so that the other rules stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console.faq_files import EntryText, entries_in, outcome_lines
from console.knowledge_files import ConflictError, Edit, Use, text_and_hash
from console.yaml_text import quoted
from rag.ingest.query_rules import RULES_FILE
from rag.query.same_words import folded_words
from rag.types import QueryRule


@dataclass(frozen=True, slots=True)
class RuleText:
    """A query rule with its lines in the file."""

    rule: QueryRule
    lines: EntryText

    @property
    def version(self) -> str:
        """A hash of its lines."""
        return self.lines.version


class QueryRuleFile:
    """The query rules of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path) -> None:
        self._path = knowledge / RULES_FILE

    def rules(self) -> Sequence[RuleText]:
        """Return the rules in the order of the file. Raises KnowledgeFileError."""
        return [
            RuleText(_rule(lines), lines) for lines in entries_in(RULES_FILE, text_and_hash(self._path)[0])
        ]

    def with_rule(self, rule: QueryRule, version: str) -> Edit:
        """Return the edit that adds a rule; it replaces the rule of the same question that was seen at `version`.

        Raises ConflictError when there is another one, KnowledgeFileError.
        """
        asked = set(map(folded_words, rule.phrasings))
        same = [each for each in self.rules() if asked & set(map(folded_words, each.rule.phrasings))]
        for each in same:
            if each.version != version:
                raise ConflictError(each.rule.question, each.lines.text, each.version)
        return self._edit({each.lines.start: (each, ()) for each in same}, rule)

    def without(self, version: str) -> tuple[Edit, QueryRule]:
        """Return the edit that takes away the rule that was seen at `version`, and that rule.

        Raises ConflictError, KnowledgeFileError.
        """
        found = next((each for each in self.rules() if each.version == version), None)
        if found is None:
            raise ConflictError("the rule", "")
        return self._edit({found.lines.start: (found, ())}), found.rule

    def offering(self, entry_id: str) -> Sequence[Use]:
        """Return the rules that offer an FAQ entry, as places that use it. Raises KnowledgeFileError."""
        return [
            Use("rule", RULES_FILE, each.rule.question, RULES_FILE, each.lines.start + 1)
            for each in self.rules()
            if entry_id in each.rule.entries
        ]

    def without_questions(self, questions: Sequence[str]) -> Edit | None:
        """Return the edit that takes questions out of their rules; None when they have none.

        Raises KnowledgeFileError.
        """
        gone = set(map(folded_words, questions))
        changed = {}
        for each in self.rules():
            kept = tuple(text for text in each.rule.phrasings if folded_words(text) not in gone)
            if kept != each.rule.phrasings:
                changed[each.lines.start] = each, kept
        return self._edit(changed) if changed else None

    def _edit(
        self, changed: Mapping[int, tuple[RuleText, Sequence[str]]], added: QueryRule | None = None
    ) -> Edit:
        """Return the edit that leaves the rules at some lines with other questions, with none it takes them away."""
        content, made_from = text_and_hash(self._path)
        lines = content.split("\n")
        for start in sorted(changed, reverse=True):
            text, kept = changed[start]
            rule = text.rule
            made = _lines(QueryRule(kept[0], tuple(kept[1:]), rule.dimension, rule.entries)) if kept else []
            lines[start : start + len(text.lines.lines)] = made
        after = "\n".join(lines).rstrip("\n")
        made = [*([after] if after else []), *(_lines(added) if added is not None else [])]
        return Edit(RULES_FILE, "".join(f"{line}\n" for line in made), made_from)


def _rule(lines: EntryText) -> QueryRule:
    record = lines.record
    return QueryRule(
        str(record.get("question") or ""),
        _several(record.get("variants")),
        record.get("dimension") or None,
        _several(record.get("entries")),
    )


def _several(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value or ())


def _lines(rule: QueryRule) -> list[str]:
    variants = ["  variants:", *(f"    - {quoted(each)}" for each in rule.variants)] if rule.variants else []
    return [f"- question: {quoted(rule.question)}", *variants, *outcome_lines(rule.dimension, rule.entries)]
