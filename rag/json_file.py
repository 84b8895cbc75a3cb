"""JSON files of one pydantic model each: a ranking model, a calibration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rag.errors import SettingsError, wrong_fields

M = TypeVar("M", bound=BaseModel)


def read_json(path: Path, kind: type[M], what: str) -> M:
    """Return the `kind` in a file. Raises SettingsError, calling it `what`, when the file holds none."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise SettingsError(f"{path} does not hold {what}: {wrong_fields(error)}") from error


def write_json(path: Path, thing: BaseModel) -> None:
    """Write in one step; make the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_at_once(path, thing.model_dump_json(indent=1) + "\n")


def write_at_once(path: Path, text: str) -> None:
    """Write a file in one step, so that no reader sees a partial one."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def changed_at(path: Path) -> int | None:
    """Return when a file was last written, in nanoseconds; None when there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def remove_json(path: Path) -> bool:
    """Remove the file; return whether it existed."""
    there = path.exists()
    path.unlink(missing_ok=True)
    return there
