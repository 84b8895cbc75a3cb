"""The named queries of `queries.yml` in the words of one store."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rag.graph.store import EDGE_COLUMNS, NODE_COLUMNS
from vietnamese.data_files import yaml_beside

_MACRO = re.compile(r"\b(NODE|EDGE|VALID)\((\w+)\)")
_RELATION = re.compile(r"[a-z][a-z0-9_]*")


def compiled(dialect: str, relations: Sequence[str], label: str = "Entity") -> dict[str, str]:
    """Return the Cypher of every query by name, those over a relation once for each of `relations`.

    `label` is the label of the graph's nodes. Raises ValueError for a relation that is no plain name.
    """
    if wrong := [relation for relation in relations if not _RELATION.fullmatch(relation)]:
        raise ValueError(f"no names of relations: {', '.join(wrong)}")
    texts = {**yaml_beside(__file__, "queries.yml"), **yaml_beside(__file__, "dialects.yml")[dialect]}
    found: dict[str, str] = {}
    for name, text in texts.items():
        cypher = _MACRO.sub(_expanded, text).replace(":Entity", f":{label}")
        for relation in relations if "RELATION" in name else ("",):
            found[name.replace("RELATION", relation)] = cypher.replace("RELATION", relation)
    return {
        name: text
        for name, text in found.items()
        if all(used in relations for used in re.findall(r"\[\w*:([a-z_]+)", text))
    }


def _expanded(match: re.Match[str]) -> str:
    kind, variable = match[1], match[2]
    if kind == "VALID":
        return f"{variable}.valid_from <= $today AND {variable}.valid_to >= $today"
    columns, prefix = (NODE_COLUMNS, "") if kind == "NODE" else (EDGE_COLUMNS, "by_")
    return ", ".join(f"{variable}.{column} AS {prefix}{column}" for column in columns)


def parameters_of(cypher: str) -> frozenset[str]:
    """Return the names of the parameters that a query takes."""
    return frozenset(re.findall(r"\$(\w+)", cypher))


Compiled = Mapping[str, str]
