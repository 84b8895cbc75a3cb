"""Pipelines with other gates than their preset has."""

from __future__ import annotations

from collections.abc import Mapping

from rag.pipeline import Pipeline, Rule


def with_gates(pipeline: Pipeline, gates: Mapping[str, Rule]) -> Pipeline:
    """Return the same pipeline with other gates for the named sources."""
    sources = tuple(
        rule.model_copy(update={"gate": gates.get(rule.source, rule.gate)}) for rule in pipeline.sources
    )
    return pipeline.model_copy(update={"sources": sources})
