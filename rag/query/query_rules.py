"""Query rules (`query_rules.yml`): questions that are refused or asked back about, whatever the sources find.

A rule holds for its questions in their very words, so that an advisor's ruling holds in the next conversation without
training and touches no other question.
"""

from __future__ import annotations

from collections.abc import Sequence

from rag.query.same_words import OwnWords, own_words
from rag.types import QueryRule
from school.reader import Reader
from school.reading import Reading


class QueryRules:
    """The query rules of an index, with their questions as `reader` reads them."""

    def __init__(self, rules: Sequence[QueryRule], reader: Reader) -> None:
        self._rules = [
            (words, rule)
            for rule in rules
            for text in rule.phrasings
            for words in _ways(reader.prepared(text))
        ]

    def rule_for(self, said: Reading) -> QueryRule | None:
        """Return the rule with a question in the words of a message, in plain wording or as typed; None without one.

        Where diacritics were left out, others than the rule's may have been put back.
        """
        if not self._rules:
            return None
        ways = _ways(said)
        return next(
            (rule for words, rule in self._rules if any(way.are_those_of(words) for way in ways)), None
        )


def _ways(said: Reading) -> list[OwnWords]:
    """Return the words of a message in plain wording and as typed: a greeting may be part of only one of them."""
    return [own_words(text) for text in dict.fromkeys((said.asked, said.text))]
