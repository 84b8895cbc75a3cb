"""The parts that a preset or a setting names: those that come with Covan and those of plug-ins.

A plug-in is any installed Python package that declares an entry point in the group of the kind of part it brings:

    [project.entry-points."covan.answer_sources"]
    graph = "our_graph.source:GraphSource"

The name on the left is what presets write. docs/development.md describes each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from rag.errors import SettingsError
from vietnamese.data_files import yaml_beside

Kind = Literal[
    "answer_sources",
    "answerers",
    "embedders",
    "gates",
    "graph_stores",
    "language_models",
    "loaders",
    "rerankers",
]


def built_in(kind: Kind) -> Mapping[str, str]:
    """Return the parts of a kind that come with Covan (`registry.yml`), by name."""
    return dict(yaml_beside(__file__, "registry.yml")[kind])


def names(kind: Kind) -> tuple[str, ...]:
    """Return the registered names of a kind: Covan's own first, then those of plug-ins by the alphabet."""
    return (*built_in(kind), *sorted(plug_ins(kind)))


def registered(kind: Kind, name: str) -> Any:
    """Return the class that is registered under `name`.

    Raises SettingsError when there is none, listing those there are, or when a plug-in cannot be imported.
    """
    if (place := built_in(kind).get(name)) is not None:
        module, _, attribute = place.partition(":")
        return getattr(import_module(module), attribute)
    plug_in = plug_ins(kind).get(name)
    if plug_in is None:
        raise SettingsError(
            f"there is no {kind[:-1].replace('_', ' ')} {name!r}; there are: {', '.join(names(kind))}"
        )
    try:
        return plug_in.load()
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"the plug-in {plug_in.value} ({name!r}) cannot be loaded: {error}") from error


@cache
def plug_ins(kind: Kind) -> Mapping[str, EntryPoint]:
    """Return the entry points of installed packages for a kind, by name.

    Raises SettingsError when two have one name, or one has the name of a part of Covan's own.
    """
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=f"covan.{kind}"):
        other = built_in(kind).get(point.name) or (found[point.name].value if point.name in found else None)
        if other not in (None, point.value):
            raise SettingsError(
                f"two {kind.replace('_', ' ')} are called {point.name!r}: {other} and {point.value}; "
                "uninstall one of the packages"
            )
        found[point.name] = point
    return found
