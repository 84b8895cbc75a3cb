"""`covan` as it is called from a terminal, in this process."""

from __future__ import annotations

from pathlib import Path

from click.testing import Result
from typer.testing import CliRunner

from covan.cli import app

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


def covan(*arguments: object) -> Result:
    """Run `covan` with `arguments`; an error that it does not tell of itself is raised here."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
