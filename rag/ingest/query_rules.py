"""`query_rules.yml`: questions that are refused or asked back about, in their very words (`rag.query.query_rules`)."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import Place, read_list, read_yaml
from rag.ingest.known import Known, check_entries
from rag.ingest.schema import QueryRuleRecord
from rag.messages import Message
from rag.query.same_words import folded_words
from rag.types import QueryRule

RULES_FILE = "query_rules.yml"


def load_query_rules(
    path: Path | None, entry_ids: Set[str], known: Known, problems: list[Problem]
) -> tuple[QueryRule, ...]:
    """Return the query rules of a file; none without a file.

    An entry or a dimension that does not exist is a problem, and so is a question with two rules.
    """
    place = read_yaml(path, path.name, problems) if path is not None else None
    if place is None:
        return ()
    rules: list[QueryRule] = []
    first: dict[tuple[str, ...], Place] = {}
    for entry in read_list(QueryRuleRecord, place.marked.data, place, problems):
        record = entry.record
        check_entries(record.entries, entry_ids, entry.place, problems, "entries")
        dimension = record.dimension
        if dimension is not None:
            spec = known.dimension(dimension, entry.place, problems, "dimension")
            dimension = spec.id if spec is not None else None
        rule = QueryRule(record.question, record.variants, dimension, record.entries)
        for phrasing in rule.phrasings:
            before = first.setdefault(folded_words(phrasing), entry.place)
            if before is not entry.place:
                problems.append(
                    entry.place.problem(Message("ruled_twice", phrasing=phrasing, line=before.line()))
                )
        rules.append(rule)
    return tuple(rules)
