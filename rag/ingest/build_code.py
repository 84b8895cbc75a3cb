"""A hash of the code that builds an index, so that an upgrade of that code makes an old index out of date.

The code is the modules of the project that the build imports, with the data files that they name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from rag.registry import built_in, plug_ins

ROOT = Path(__file__).parents[2]
PACKAGES = ("rag", "school", "vietnamese")
_FILE_NAME = re.compile(r"\w*\.\w+")


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
    waiting = [*modules, *(place.partition(":")[0] for place in built_in("loaders").values())]
    files: dict[Path, None] = {}
    while waiting:
        path = _file_of(waiting.pop())
        if path is None or path in files:
            continue
        files[path] = None
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
        waiting += _imported(nodes)
        files |= dict.fromkeys(_data_files(nodes, path))
    return sorted(files)


def _file_of(module: str) -> Path | None:
    """Return the file of a module of the project; None for any other name."""
    if module.partition(".")[0] not in PACKAGES:
        return None
    path = ROOT.joinpath(*module.split("."))
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def _imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the modules that a module imports, and their packages."""
    for node in nodes:
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


def _data_files(nodes: Iterable[ast.AST], path: Path) -> Iterator[Path]:
    """Yield the data files that a module names in any string, or by `with_name`, which may name a whole folder.

    "NAME.yml" is a file beside the module, ".yml" the file with the module's name.
    """
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "with_name"
        ):
            for folder in node.args:
                if isinstance(folder, ast.Constant) and (named := path.with_name(str(folder.value))).is_dir():
                    yield from sorted(named.iterdir())
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value
            if _FILE_NAME.fullmatch(name):
                beside = path.with_suffix(name) if name.startswith(".") else path.with_name(name)
                if beside.suffix != ".py" and beside.is_file():
                    yield beside
