"""`covan new`: an empty knowledge folder with explained examples, for a school that begins."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from console.versions import IDENTITY
from covan.locale import sentences
from covan.project import NEW_SCHOOL
from rag.errors import CovanError
from rag.settings import settings


def run(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="The new folder; it must not hold anything yet.")
    ],
) -> None:
    """Make a knowledge folder with explained examples, in the language of COVAN_LOCALE."""
    words = sentences(settings(), "new")
    make(directory, settings().locale, words["not_empty"])
    Console(highlight=False, soft_wrap=True).print(words["made"].format(folder=directory), markup=False)


def make(directory: Path, language: str, not_empty: str) -> None:
    """Copy the templates of `language` into `directory`, and begin its versions where git is installed.

    Raises CovanError with the message `not_empty` (a place for `{folder}`) when `directory` holds anything, and when it
    cannot be written.
    """
    if directory.is_file() or (directory.is_dir() and any(directory.iterdir())):
        raise CovanError(not_empty.format(folder=directory))
    try:
        shutil.copytree(NEW_SCHOOL / language, directory, dirs_exist_ok=True)
    except OSError as error:
        raise CovanError(f"{directory}: {error.strerror}") from error
    _begin_versions(directory)


def _begin_versions(directory: Path) -> None:
    """Make a folder a git repository with one commit: the console keeps its versions there.

    Without git, or when it fails, the folder is as good; it has no versions then.
    """
    git = ("git", "-C", str(directory))
    steps = (
        ("init", "--quiet"),
        ("add", "--all"),
        (*IDENTITY, "commit", "--quiet", "--message", "covan new"),
    )
    with suppress(OSError, subprocess.CalledProcessError):
        for step in steps:
            subprocess.run([*git, *step], check=True, capture_output=True, stdin=subprocess.DEVNULL)
