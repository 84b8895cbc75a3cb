"""Query rules (`query_rules.yml`): questions that are refused or asked back about, whatever the sources find.

A rule holds for its questions in their very words, so that an advisor's ruling holds in the next conversation without
training and touches no other question.
"""

from __future__ import annotations

from collections.abc import Sequence

from rag.query.same_words import own_words
from rag.types import QueryRule
from school.reader import Reader


class QueryRules:
    """The query rules of an index, with their questions as `reader` reads them."""

    def __init__(self, rules: Sequence[QueryRule], reader: Reader) -> None:
        self._rules = [
            (own_words(reader.prepared(text).asked), rule) for rule in rules for text in rule.phrasings
        ]

    def rule_for(self, asked: str) -> QueryRule | None:
        """Return the rule with a question in the words of `asked`, a question in plain wording; None without one."""
        if not self._rules:
            return None
        said = own_words(asked)
        return next((rule for words, rule in self._rules if said.are_those_of(words)), None)
