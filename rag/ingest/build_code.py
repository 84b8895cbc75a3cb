"""Which code an index was built by: after an upgrade that builds another index, the old one counts as out of date.

The code is the modules of the project that the build imports, with the data files that these name; nothing else of
the project changes an index.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from rag.registry import BUILT_IN, plug_ins

ROOT = Path(__file__).parents[2]
PACKAGES = ("rag", "school", "vietnamese")


@lru_cache(maxsize=8)
def code_hash(*modules: str) -> str:
    """Return a hash (hexadecimal) over the code that `modules` and the registered loaders run, plug-ins by version."""
    digest = sha256()
    for path in code_files(*modules):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(sha256(path.read_bytes()).digest())
    for point in plug_ins("loaders").values():
        release = f"{point.dist.name} {point.dist.version}" if point.dist else ""
        digest.update(f"{point.name}\0{point.value}\0{release}".encode())
    return digest.hexdigest()


def code_files(*modules: str) -> list[Path]:
    """Return the files of the project that make up `modules`, the loaders, and all that these import, sorted."""
    waiting = [*modules, *(place.partition(":")[0] for place in BUILT_IN["loaders"].values())]
    files: dict[Path, None] = {}
    while waiting:
        path = _file_of(waiting.pop())
        if path is None or path in files:
            continue
        files[path] = None
        tree = ast.parse(path.read_bytes())
        waiting += _imported(tree)
        files |= dict.fromkeys(_data_files(tree, path))
    return sorted(files)


def _file_of(module: str) -> Path | None:
    """The file of a module of the project; None for any other name."""
    if module.partition(".")[0] not in PACKAGES:
        return None
    path = ROOT.joinpath(*module.split("."))
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The modules that a module imports, and the packages that they stand in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            given = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A name may be a module of the package.
            given = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in given:
            parts = name.split(".")
            yield from (".".join(parts[:length]) for length in range(1, len(parts) + 1))


def _data_files(tree: ast.Module, path: Path) -> Iterator[Path]:
    """The files beside a module that its strings name: "NAME.yml", or ".yml" for one of the module's own name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value[-6:]:
            named = node.value
            if "\n" in named or len(named) > 100:
                continue
            beside = (
                path.with_suffix(named)
                if named.startswith(".") and named.isascii() and named[1:].isalnum()
                else path.with_name(path.name).parent / named
            )
            if beside != path and beside.suffix not in ("", ".py") and beside.is_file():
                yield beside.resolve()
