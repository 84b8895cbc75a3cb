"""Dependencies point one way: vietnamese <- school <- rag <- actions, channels, console <- covan.
`server` uses the first two.
`privacy` is for `channels` and `server`, which have databases; `dialogue` for all that take part in one.

The engine knows nothing of Rasa, the web or the terminal.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from covan.project import ROOT

OURS = frozenset(
    {
        "actions",
        "channels",
        "console",
        "covan",
        "dialogue",
        "privacy",
        "rag",
        "school",
        "server",
        "vietnamese",
    }
)
SHARED = frozenset({"school", "vietnamese"})
RASA = frozenset({"rasa", "rasa_sdk", "sanic", "sanic_cors"})
WEB = frozenset(
    {
        "aiohttp",
        "django",
        "fastapi",
        "flask",
        "httpx",
        "nicegui",
        "requests",
        "starlette",
        "uvicorn",
        "websockets",
    }
)
TERMINAL = frozenset({"click", "rich", "typer"})
PLATFORMS = frozenset({"fbmessenger", "telegram"})

FORBIDDEN = {
    "privacy": RASA | WEB | TERMINAL | PLATFORMS | (OURS - {"privacy"}),
    "dialogue": RASA | WEB | TERMINAL | PLATFORMS | (OURS - {"dialogue"}),
    "vietnamese": RASA | WEB | TERMINAL | PLATFORMS | (OURS - {"vietnamese"}),
    "school": RASA | WEB | TERMINAL | PLATFORMS | (OURS - SHARED),
    "rag": RASA | WEB | TERMINAL | PLATFORMS | (OURS - SHARED - {"rag"}),
    "actions": OURS - SHARED - {"actions", "dialogue", "rag"},
    "channels": RASA | TERMINAL | (OURS - SHARED - {"channels", "dialogue", "rag", "privacy"}),
    "console": OURS - SHARED - {"console", "rag"},
    "server": OURS - SHARED - {"server", "dialogue", "privacy"},
    "covan": OURS - SHARED - {"covan", "rag", "actions", "channels", "console", "privacy"},
}
"""What each part of the project may not import, at any depth and in any function."""


def modules(package: str) -> list[Path]:
    folder = ROOT / package
    outside = {".venv", "tests", "__pycache__", "node_modules"}
    return [
        path for path in sorted(folder.rglob("*.py")) if not outside & set(path.relative_to(folder).parts)
    ]


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The modules that a file imports, by any form of words, with the line."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join((*above, *filter(None, [node.module]))), node.lineno
        elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
            yield from (
                (str(name.value), node.lineno) for name in node.args[:1] if isinstance(name, ast.Constant)
            )


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def violations(path: Path, forbidden: frozenset[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for name, line in imported(path)
        if name.partition(".")[0] in forbidden
    ]


@pytest.mark.parametrize("package", [name for name in FORBIDDEN if modules(name)])
def test_dependencies_point_one_way(package: str) -> None:
    found = [line for path in modules(package) for line in violations(path, FORBIDDEN[package])]

    assert found == []


def test_the_parts_that_there_are_have_been_looked_at() -> None:
    assert {"vietnamese", "school", "rag", "actions", "channels", "covan", "server"} <= {
        name for name in FORBIDDEN if modules(name)
    }
    packages = {path.parent.name for path in ROOT.glob("*/*.py")} - {
        "tests",
        "scripts",
        "deploy",
        "benchmarks",
    }
    assert {name for name in packages if not name.startswith(".")} <= OURS


def test_the_command_line_uses_the_actions_only_to_start_them_and_to_try_a_message() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in modules("covan")
        for name, _ in imported(path)
        if name.partition(".")[0] == "actions"
    }

    assert users <= {"covan/commands/actions.py", "covan/first_message.py"}


def test_the_command_line_uses_the_channels_only_to_start_servers() -> None:
    """The front door itself, the recorder of the action server, and the tables that the console reads."""
    users = {
        path.relative_to(ROOT).as_posix()
        for path in modules("covan")
        for name, _ in imported(path)
        if name.partition(".")[0] == "channels"
    }

    assert users <= {f"covan/commands/{name}.py" for name in ("channels", "actions", "console")}


def test_one_module_knows_rasas_internal_channel() -> None:
    knowing = [
        path.relative_to(ROOT).as_posix()
        for package in ("actions", "channels", "console", "rag")
        for path in modules(package)
        if "/webhooks/internal" in path.read_text(encoding="utf-8")
    ]

    assert knowing == ["channels/rasa_client.py"]


def test_rasa_is_no_part_of_the_root_environment() -> None:
    """Its pins (numpy < 1.25, pydantic 1) may not reach the code we own."""
    everywhere = [
        path
        for package in ("rag", "actions", "channels", "console", "covan", *SHARED)
        for path in modules(package)
    ]

    assert [line for path in everywhere for line in violations(path, frozenset({"rasa"}))] == []


def test_the_engine_imports_only_what_is_declared() -> None:
    """A package installed by way of another one may go with that one's next release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    distributions = {re.split(r"[^\w.-]", line)[0].lower() for line in lines}
    providers = packages_distributions()

    engine = [path for package in ("rag", *SHARED) for path in modules(package)]
    found = {name.partition(".")[0] for path in engine for name, _ in imported(path)}

    outside = found - sys.stdlib_module_names - {"rag", *SHARED}
    # An extra need not be installed: then its packages are known by the names of their modules.
    assert [
        name
        for name in sorted(outside)
        if not distributions & {p.lower() for p in providers.get(name, [name.replace("_", "-")])}
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        "import starlette.routing",
        "from rasa_sdk import Action",
        "def f():\n    import typer",
        "from importlib import import_module\nimport_module('covan.cli')",
        "if TYPE_CHECKING:\n    from actions import base",
        "from ..covan import cli",
    ],
)
def test_no_form_of_words_is_missed(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rag").mkdir()
    path = tmp_path / "rag" / "a.py"
    path.write_text(code, encoding="utf-8")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)

    assert violations(path, FORBIDDEN["rag"])
